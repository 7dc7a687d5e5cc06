/* expand.c - Taylor series method: coefficients of the motion and of its variational
   equations by recurrence, with Newton's method for the unknowns at the point
   (taylor.h). */
#include <math.h>
#include <stdatomic.h>

#include "formula/domain_edges.h"
#include "taylor.h"

/* --- loading and solving ------------------------------------------------------------ */

static int block_of(int lane, int block)
{
    return lane == 0 ? block : TANGENT(block);
}

static int series_lane(int lane)
{
    return lane == 0 ? 0 : lane - 1;
}

static void load_state(const struct taylor *taylor, struct mp_series *series, int lane,
                       int k)
{
    int stride = taylor->order + 1, n = taylor->n, own = series_lane(lane);
    mp_series_load(series, own, block_of(lane, BLOCK_Q), k, taylor_y(taylor, lane, 0) + k,
                   stride);
    mp_series_load(series, own, block_of(lane, BLOCK_V), k, taylor_y(taylor, lane, n) + k,
                   stride);
    mp_series_load(series, own, block_of(lane, BLOCK_S), k,
                   taylor_y(taylor, lane, 2 * n) + k, stride);
    if (lane == 0)
        mp_series_load(series, 0, BLOCK_T, k, k < 2 ? taylor->t + k : NULL, 1);
}

static void load_unknowns_into(struct taylor *taylor, struct mp_series *series, int lane,
                               int own, int k)
{
    int stride = taylor->order + 1, n = taylor->n, m = taylor->m;
    mp_series_load(series, own, block_of(lane, BLOCK_A), k, taylor_u(taylor, lane, 0) + k,
                   stride);
    mp_series_load(series, own, block_of(lane, BLOCK_LAMBDA), k,
                   taylor_u(taylor, lane, n) + k, stride);
    if (taylor->motion == &taylor->dependent)
        mp_series_load(series, own, block_of(lane, BLOCK_MU), k,
                       taylor_u(taylor, lane, n + m) + k, stride);
}

static void load_unknown(struct taylor *taylor, int lane, int k)
{
    load_unknowns_into(taylor, taylor->motion->series, lane, series_lane(lane), k);
}

/* Coefficient k of -R_u^-1 R, in the lane's part of rhs. */
static mpfr_srcptr solve(struct taylor *taylor, int lane, int k)
{
    mpfr_ptr rhs = taylor->rhs + (ptrdiff_t)lane * taylor->unknowns;
    for (int i = 0; i < taylor->motion->plan->unknowns; i++)
        mpfr_neg(rhs + i, taylor_output(taylor, lane, taylor->row[i], k), MPFR_RNDN);
    mp_lu_solve(taylor->motion->lu, rhs);
    return rhs;
}

/* q_k, v_k, s_k, z_k, from coefficient k - 1 of their rates */
static void integrate(struct taylor *taylor, int lane, int k)
{
    int n = taylor->n;
    unsigned long by = (unsigned long)k;
    for (int i = 0; i < taylor->width; i++) {
        int s = i - 2 * n, z = s - taylor->ns;
        mpfr_srcptr rate = i < n       ? taylor_y(taylor, lane, n + i) + k - 1
                           : i < 2 * n ? taylor_u(taylor, lane, i - n) + k - 1
                           : z < 0     ? taylor_f_s(taylor, lane, s, k - 1)
                                       : taylor_g(taylor, lane, z, k - 1);
        mpfr_ptr y = taylor_y(taylor, lane, i) + k;
        mpfr_div_ui(y, rate, by, MPFR_RNDN);
        if (taylor->scaled)
            mpfr_mul(y, y, taylor->t + 1, MPFR_RNDN);
    }
}

void taylor_guess(struct taylor *taylor, const struct taylor *other)
{
    for (int i = 0; i < taylor->unknowns; i++)
        mpfr_set(taylor_u(taylor, 0, i), taylor_u(other, 0, i), MPFR_RNDN);
}

/* --- the unknowns at the point itself ----------------------------------------------- */

void taylor_load_point(const struct taylor *taylor, struct mp_series *series)
{
    load_state(taylor, series, 0, 0);
    mp_series_run(series, 0, STAGE_STATE, 0);
}

void taylor_load_solved(const struct taylor *taylor, struct mp_series *series)
{
    int stride = taylor->order + 1, n = taylor->n;
    load_state(taylor, series, 0, 0);
    mp_series_load(series, 0, BLOCK_A, 0, taylor_u(taylor, 0, 0), stride);
    mp_series_load(series, 0, BLOCK_LAMBDA, 0, taylor_u(taylor, 0, n), stride);
    mp_series_run(series, 0, STAGE_STATE, 0);
}

enum status taylor_outside(const struct taylor *taylor, struct diagnosis *diagnosis)
{
    const struct edges *edges = taylor->plan->mode->edges;
    for (int i = 0; i < edges->domains; i++) {
        mpfr_srcptr inside = mp_series_output(taylor->motion->series, 0,
                                              taylor->motion->plan->inside + i);
        if (mpfr_number_p(inside) && mpfr_sgn(inside) < 0)
            return domain_refuse(
                &edges->domain[i], taylor->model->names, mpfr_get_d(taylor->t, MPFR_RNDN),
                mpfr_get_d(inside, MPFR_RNDN), " where the arc begins", diagnosis);
    }
    return OK;
}

static enum status not_finite(struct taylor *taylor, int k, struct diagnosis *diagnosis)
{
    char row[200] = "a given number";
    enum status status = taylor_outside(taylor, diagnosis);
    if (status != OK)
        return status;
    mp_series_blame(taylor->motion->series, taylor->model->names, k, row, sizeof row);
    return diagnose(diagnosis, NOT_FINITE, mpfr_get_d(taylor->t, MPFR_RNDN),
                    "mode %s: %s is not finite", taylor->plan->mode->name, row);
}

static enum status factor(struct taylor *taylor, struct diagnosis *diagnosis)
{
    const struct motion *motion = taylor->motion;
    int unknowns = motion->plan->unknowns;
    double t = mpfr_get_d(taylor->t, MPFR_RNDN);
    load_unknowns_into(taylor, motion->matrix, 0, 0, 0);
    mp_series_run(motion->matrix, 0, STAGE_UNKNOWN, 0);
    for (int i = 0; i < unknowns; i++)
        for (int j = 0; j < unknowns; j++)
            mpfr_set(motion->lu->a + i * unknowns + j,
                     mp_series_output(motion->matrix, 0, taylor->row[i] * unknowns + j),
                     MPFR_RNDN);
    if (!mp_finite(motion->lu->a, unknowns * unknowns))
        return not_finite(taylor, 0, diagnosis);
    if (mp_lu_factor(motion->lu) < unknowns)
        return diagnose(diagnosis, SINGULAR, t,
                        "mode %s: the equations for accelerations and multipliers are "
                        "singular", taylor->plan->mode->name);
    return OK;
}

/* Newton's method from the unknowns of the last point. When the residual is linear in
   u, one step is exact and the second removes rounding; a second step that stays large
   tells that the matrix loses half of the digits and is singular here. Otherwise
   convergence is quadratic, so that the step after one that halved the digits is at
   rounding level. */
static enum status unknowns_at_point(struct taylor *taylor, struct diagnosis *diagnosis)
{
    const struct motion *motion = taylor->motion;
    int unknowns = motion->plan->unknowns;
    bool last = false;
    enum status status = OK;
    taylor_load_point(taylor, motion->matrix);
    for (int iteration = 0; status == OK && iteration < 100 && !last; iteration++) {
        if (iteration == 0 || !motion->plan->affine)
            status = factor(taylor, diagnosis);
        if (status != OK)
            return status;
        load_unknown(taylor, 0, 0);
        mp_series_run(motion->series, 0, STAGE_UNKNOWN, 0);
        solve(taylor, 0, 0);
        if (!mp_finite(taylor->rhs, unknowns))
            return not_finite(taylor, 0, diagnosis);
        double largest = 0;
        for (int i = 0; i < unknowns; i++) {
            mpfr_ptr u = taylor_u(taylor, 0, i);
            mpfr_add(u, u, taylor->rhs + i, MPFR_RNDN);
            largest = fmax(largest, mp_log2(u));
        }
        double change = mp_log2_max(taylor->rhs, unknowns);
        last = change < largest - 0.55 * (double)taylor->precision;
    }
    if (!last && motion->plan->affine)
        return diagnose(diagnosis, SINGULAR, mpfr_get_d(taylor->t, MPFR_RNDN),
                        "mode %s: the equations for accelerations and multipliers lose "
                        "half of the digits", taylor->plan->mode->name);
    if (!last)
        return diagnose(diagnosis, NO_CONVERGENCE, mpfr_get_d(taylor->t, MPFR_RNDN),
                        "mode %s: Newton's method for accelerations and multipliers",
                        taylor->plan->mode->name);
    /* The factors must be those at the final u. */
    return motion->plan->affine ? OK : factor(taylor, diagnosis);
}

/* --- expansion ---------------------------------------------------------------------- */

static void clear_unknown(struct taylor *taylor, int lane, int k)
{
    for (int i = 0; i < taylor->motion->plan->unknowns; i++)
        mpfr_set_zero(taylor_u(taylor, lane, i) + k, 1);
}

/* Coefficient k of u in a lane, given all lower coefficients and coefficient k of y.
   The values at k = 0 are known already. */
static void unknowns_at(struct taylor *taylor, int lane, int k)
{
    struct mp_series *series = taylor->motion->series;
    int own = series_lane(lane);
    int stage = lane == 0 ? STAGE_UNKNOWN : STAGE_DIRECTION_UNKNOWN;
    if (lane == 0 && k == 0) {
        load_unknown(taylor, 0, 0);
        mp_series_run(series, 0, stage, 0);
        return;
    }
    clear_unknown(taylor, lane, k);
    load_unknown(taylor, lane, k);
    mp_series_run(series, own, stage, k);
    mpfr_srcptr u_k = solve(taylor, lane, k);
    for (int i = 0; i < taylor->motion->plan->unknowns; i++)
        mpfr_set(taylor_u(taylor, lane, i) + k, u_k + i, MPFR_RNDN);
    load_unknown(taylor, lane, k);
    if (k == 0)
        mp_series_run(series, own, stage, 0);
    else
        mp_series_correct(series, own, stage, k);
}

/* Coefficient 0 of u: Newton's method for the values, a linear solve for a direction.
   Then the constraints that were not solved for must hold. */
static enum status first_unknowns(struct taylor *taylor, int lane,
                                  struct diagnosis *diagnosis)
{
    enum status status = lane == 0 ? unknowns_at_point(taylor, diagnosis) : OK;
    if (status != OK)
        return status;
    unknowns_at(taylor, lane, 0);
    return taylor_check_rows(taylor, lane, diagnosis);
}

static enum status expand_lane(struct taylor *taylor, int lane, int order,
                               struct diagnosis *diagnosis)
{
    int stage = lane == 0 ? STAGE_STATE : STAGE_DIRECTION;
    for (int k = 0; k <= order; k++) {
        enum status status = OK;
        if (lane == 0)
            taylor_adjust_unit(taylor, k);
        if (k > 0)
            integrate(taylor, lane, k);
        load_state(taylor, taylor->motion->series, lane, k);
        mp_series_run(taylor->motion->series, series_lane(lane), stage, k);
        if (k == 0)
            status = first_unknowns(taylor, lane, diagnosis);
        else
            unknowns_at(taylor, lane, k);
        if (status != OK)
            return status;
    }
    return OK;
}

static enum status check_finite(struct taylor *taylor, int lane, int order,
                                struct diagnosis *diagnosis)
{
    for (int i = 0; i < taylor->width; i++)
        if (!mp_finite(taylor_y(taylor, lane, i), order + 1))
            return not_finite(taylor, order, diagnosis);
    for (int i = 0; i < taylor->motion->plan->unknowns; i++)
        if (!mp_finite(taylor_u(taylor, lane, i), order + 1))
            return not_finite(taylor, order, diagnosis);
    return OK;
}

static enum status expand_values(struct taylor *taylor, int order,
                                 struct diagnosis *diagnosis)
{
    enum status status = expand_lane(taylor, 0, order, diagnosis);
    if (status == OK)
        status = check_finite(taylor, 0, order, diagnosis);
    if (status == OK && taylor->scaled)
        mp_series_settle(taylor->motion->series);
    return status;
}

/* --- directions --------------------------------------------------------------------- */

/* Lanes from 1 on are independent of each other. Several threads share them, each
   taking the next lane that is left. */
struct pool {
    struct taylor *taylor;
    int lanes, order;                   /* lanes and order to expand */
    atomic_int next;                    /* lane that is taken next */
    enum status *status;            /* [lanes] */
    struct diagnosis *diagnosis;    /* [lanes] */
};

static void *expand_next_lanes(void *context)
{
    struct pool *pool = context;
    for (;;) {
        int lane = atomic_fetch_add(&pool->next, 1);
        if (lane >= pool->lanes)
            return NULL;
        pool->status[lane] = expand_lane(pool->taylor, lane, pool->order,
                                         &pool->diagnosis[lane]);
    }
}

static void *expand_helper(void *context)
{
    expand_next_lanes(context);
    mpfr_free_cache();
    return NULL;
}

/* A few coefficients are not worth a thread. */
static void expand_in_pool(struct pool *pool)
{
    struct taylor *taylor = pool->taylor;
    bool worth = pool->order == taylor->order;
    int helpers = worth ? taylor->threads - 1 : 0, started = 0;
    while (started < helpers && started < pool->lanes - 2 &&
           pthread_create(&taylor->helper[started], NULL, expand_helper, pool) == 0)
        started++;
    expand_next_lanes(pool);
    for (int i = 0; i < started; i++)
        pthread_join(taylor->helper[i], NULL);
}

static enum status expand_directions(struct taylor *taylor, int lanes, int order,
                                     struct diagnosis *diagnosis)
{
    struct pool pool = {.taylor = taylor, .lanes = lanes, .order = order, .next = 1,
                        .status = taylor->lane_status,
                        .diagnosis = taylor->lane_diagnosis};
    expand_in_pool(&pool);
    for (int lane = 1; lane < lanes; lane++) {
        if (pool.status[lane] != OK) {
            *diagnosis = pool.diagnosis[lane];
            return diagnosis->status;
        }
        enum status status = check_finite(taylor, lane, order, diagnosis);
        if (status != OK)
            return status;
    }
    return OK;
}

/* Expands all lanes, `scaled` in a unit of time of their own, else in the caller's.
   *fits: the digits carried are enough in that unit; where they are far from it there
   may be no series, which says nothing of the motion. */
static enum status expand_all(struct taylor *taylor, int lanes, int order, bool scaled,
                              bool *fits, struct diagnosis *diagnosis)
{
    taylor_begin_unit(taylor, scaled);
    enum status status = expand_values(taylor, order, diagnosis);
    *fits = status == OK ? taylor_unit_fits(taylor, 0) : !scaled;
    if (status == OK && *fits && lanes > 1)
        status = expand_directions(taylor, lanes, order, diagnosis);
    for (int lane = 1; status == OK && *fits && lane < lanes; lane++)
        *fits = taylor_unit_fits(taylor, lane);
    return status;
}

/* Expands in a unit of time of the series' own, and in a shorter one where the first does
   not fit. */
static enum status expand_scaled(struct taylor *taylor, int lanes, int order, bool *fits,
                                 struct diagnosis *diagnosis)
{
    enum status status = expand_all(taylor, lanes, order, true, fits, diagnosis);
    taylor_note_late(taylor);
    if (*fits || !taylor->late)
        return status;
    status = expand_all(taylor, lanes, order, true, fits, diagnosis);
    taylor_note_late(taylor);
    return status;
}

enum status taylor_expand(struct taylor *taylor, mpfr_srcptr t, mpfr_srcptr y, int lanes,
                          int order, struct diagnosis *diagnosis)
{
    bool fits = false;
    bool scaled = order == taylor->order && taylor->narrow && taylor->scalable;
    enum status status = OK;
    mpfr_set(taylor->t, t, MPFR_RNDN);
    for (int lane = 0; lane < lanes; lane++)
        for (int i = 0; i < taylor->width; i++)
            mpfr_set(taylor_y(taylor, lane, i), y + lane * taylor->width + i, MPFR_RNDN);
    taylor_choose(taylor);
    if (scaled)
        status = expand_scaled(taylor, lanes, order, &fits, diagnosis);
    taylor->scalable = taylor->scalable && (fits || !scaled);
    if (!fits)
        status = expand_all(taylor, lanes, order, false, &fits, diagnosis);
    taylor_end_unit(taylor, lanes, order);
    return status;
}
