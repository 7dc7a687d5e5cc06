/* taylor.c - see taylor.h. */
#include "taylor.h"

#include "fixed.h"

#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"

/* Jorba & Zou 2005: order p costs p^2 a step of length e^-2 of the radius when
   p = -ln(eps)/2, the optimum. Five digits beyond those asked for. */
int taylor_order(int digits)
{
    return (int)ceil(0.5 * (digits + 5) * 2.302585092994046) + 1;
}

/* Along a step coefficient k contributes a fraction 2^(-bits k/order): it needs so many
   bits less. 64 bits are kept in hand; taylor_step and taylor_decays check that. */
static void choose_limbs(struct taylor *taylor)
{
    double bits = (taylor->digits + 5) * MP_BITS_PER_DIGIT;
    int all = (int)(taylor->precision / 64);
    bool whole = taylor->precision > mp_precision(taylor->digits);
    for (int k = 0; k <= taylor->order; k++) {
        double need = bits * (1 - (double)k / taylor->order) + 64;
        int limbs = (int)ceil(need / 64);
        taylor->limbs[k] = limbs < all && !whole ? limbs : all;
        taylor->planes[k] = (int)ceil(need / FIXED_BITS);
    }
    taylor->narrow = !whole;
}

/* Parameters and their directions; they stay. */
static void load_parameters(const struct taylor *taylor, struct mp_series *series)
{
    int p = taylor->model->p;
    mp_series_load(series, 0, BLOCK_RHO, 0, taylor->rho, 1);
    mp_series_run(series, 0, STAGE_RHO, 0);
    for (int j = 0; j + 1 < taylor->lanes; j++)
        mp_series_load(series, j, TANGENT(BLOCK_RHO), 0, taylor->unit + j * p, 1);
}

static int lanes_of_series(const struct taylor *taylor)
{
    return taylor->lanes > 1 ? taylor->lanes - 1 : 1;
}

/* Of the residual only what it is without coefficient k of the unknowns is ever read. */
static void declare_unknowns(struct motion *motion)
{
    static const int stage[] = {STAGE_UNKNOWN, STAGE_LANE_UNKNOWN};
    const struct motion_plan *plan = motion->plan;
    int outputs = plan->program->outputs;
    bool *kept = memory_new(outputs, sizeof *kept);
    for (int i = 0; i < outputs; i++)
        kept[i] = i % plan->tangent >= plan->rows;
    mp_series_unknowns(motion->series, stage, 2, kept);
    free(kept);
}

void taylor_use(struct taylor *taylor, struct motion *motion)
{
    const struct motion_plan *plan = motion->plan;
    taylor->motion = motion;
    if (motion->series != NULL)
        return;
    motion->series = mp_series_new(plan->program, taylor->order, taylor->precision,
                                   lanes_of_series(taylor), STAGE_LANE);
    motion->matrix = mp_series_new(plan->matrix, 0, taylor->precision, 1, STAGES);
    motion->lu = mp_lu_new(plan->unknowns, taylor->precision);
    mp_series_limbs(motion->series, taylor->limbs);
    declare_unknowns(motion);
    if (taylor->narrow)
        mp_series_planes(motion->series, taylor->planes);
    load_parameters(taylor, motion->series);
    load_parameters(taylor, motion->matrix);
}

static void motion_clear(struct motion *motion)
{
    mp_series_free(motion->series);
    mp_series_free(motion->matrix);
    mp_lu_free(motion->lu);
}

struct taylor *taylor_new(const struct model *model, const struct mode_plan *plan,
                          int digits, mpfr_prec_t precision, mpfr_srcptr rho,
                          int parameters, mpfr_srcptr unit)
{
    struct taylor *taylor = memory_new(1, sizeof *taylor);
    int order = taylor_order(digits), lanes = 1 + parameters, m = plan->mode->m;
    bool dependent = plan->dependent.program != NULL;
    *taylor = (struct taylor){
        .model = model, .plan = plan, .n = model->n, .m = m, .ns = model->ns,
        .nz = model->nz, .width = 2 * model->n + model->ns + model->nz, .lanes = lanes,
        .order = order, .digits = digits, .precision = precision, .rho = rho,
        .unit = unit, .independent = {.plan = &plan->motion},
        .dependent = {.plan = &plan->dependent}, .rank = m,
        .unknowns = dependent ? plan->dependent.unknowns : plan->motion.unknowns,
    };
    size_t length = (size_t)order + 1, unknowns = (size_t)taylor->unknowns;
    taylor->t = mp_vector_new(2, precision);
    taylor->y = mp_vector_new((size_t)lanes * (size_t)taylor->width * length, precision);
    taylor->u = mp_vector_new((size_t)lanes * unknowns * length, precision);
    taylor->rhs = mp_vector_new(unknowns, precision);
    taylor->limbs = memory_new(order + 1, sizeof *taylor->limbs);
    taylor->planes = memory_new(order + 1, sizeof *taylor->planes);
    taylor->power = mp_vector_new(length, precision);
    taylor->guard = mp_vector_new((size_t)plan->guards * length, precision);
    taylor->row = memory_new(taylor->unknowns, sizeof *taylor->row);
    taylor->order_of_rows = memory_new(m, sizeof *taylor->order_of_rows);
    taylor->scale = memory_new(m, sizeof *taylor->scale);
    taylor->Phi_q = mp_vector_new((size_t)(m * (model->n + 1)), precision);
    taylor->constraint = mp_series_new(plan->constraint, 0, precision,
                                       lanes_of_series(taylor), STAGE_LANE);
    load_parameters(taylor, taylor->constraint);
    choose_limbs(taylor);
    for (int i = 0; i < taylor->unknowns; i++)
        taylor->row[i] = i;
    taylor_use(taylor, &taylor->independent);
    return taylor;
}

void taylor_free(struct taylor *taylor)
{
    if (taylor == NULL)
        return;
    motion_clear(&taylor->independent);
    motion_clear(&taylor->dependent);
    mp_series_free(taylor->constraint);
    mp_vector_free(taylor->t);
    mp_vector_free(taylor->y);
    mp_vector_free(taylor->u);
    mp_vector_free(taylor->rhs);
    mp_vector_free(taylor->Phi_q);
    mp_lu_free(taylor->gram);
    mp_vector_free(taylor->power);
    mp_vector_free(taylor->guard);
    free(taylor->limbs);
    free(taylor->planes);
    free(taylor->row);
    free(taylor->order_of_rows);
    free(taylor->scale);
    free(taylor);
}

/* --- access ------------------------------------------------------------------------- */

mpfr_ptr taylor_y(const struct taylor *taylor, int lane, int component)
{
    return taylor->y +
           (ptrdiff_t)(lane * taylor->width + component) * (taylor->order + 1);
}

mpfr_ptr taylor_u(const struct taylor *taylor, int lane, int component)
{
    return taylor->u +
           (ptrdiff_t)(lane * taylor->unknowns + component) * (taylor->order + 1);
}

/* Outputs of lane 1 + j are the tangents, in lane j of the series. */
mpfr_srcptr taylor_output(const struct taylor *taylor, int lane, int index)
{
    const struct motion *motion = taylor->motion;
    return lane == 0 ? mp_series_output(motion->series, 0, index)
                     : mp_series_output(motion->series, lane - 1,
                                        motion->plan->tangent + index);
}

mpfr_srcptr taylor_f_s(const struct taylor *taylor, int lane, int component)
{
    return taylor_output(taylor, lane, taylor->motion->plan->f_s + component);
}

mpfr_srcptr taylor_g(const struct taylor *taylor, int lane, int component)
{
    return taylor_output(taylor, lane, taylor->motion->plan->g + component);
}

mpfr_srcptr taylor_guard(const struct taylor *taylor, int lane, int guard)
{
    if (lane == 0)
        return taylor->guard + (ptrdiff_t)guard * (taylor->order + 1);
    return taylor_output(taylor, lane, taylor->motion->plan->guard + guard);
}

/* --- loading and solving ------------------------------------------------------------ */

static int block_of(int lane, int block)
{
    return lane == 0 ? block : TANGENT(block);
}

static int series_lane(int lane)
{
    return lane == 0 ? 0 : lane - 1;
}

static void load_state(struct taylor *taylor, int lane, int k)
{
    int stride = taylor->order + 1, n = taylor->n, own = series_lane(lane);
    struct mp_series *series = taylor->motion->series;
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

/* coefficient k of -R_u^-1 R into rhs */
static void solve(struct taylor *taylor, int lane, int k)
{
    for (int i = 0; i < taylor->motion->plan->unknowns; i++)
        mpfr_neg(taylor->rhs + i, taylor_output(taylor, lane, taylor->row[i]) + k,
                 MPFR_RNDN);
    mp_lu_solve(taylor->motion->lu, taylor->rhs);
}

/* q_k, v_k, s_k, z_k from coefficient k - 1 of what they are the integrals of */
static void integrate(struct taylor *taylor, int lane, int k)
{
    int n = taylor->n;
    unsigned long by = (unsigned long)k;
    for (int i = 0; i < taylor->width; i++) {
        int s = i - 2 * n, z = s - taylor->ns;
        mpfr_srcptr rate = i < n       ? taylor_y(taylor, lane, n + i)
                           : i < 2 * n ? taylor_u(taylor, lane, i - n)
                           : z < 0     ? taylor_f_s(taylor, lane, s)
                                       : taylor_g(taylor, lane, z);
        mpfr_ptr y = taylor_y(taylor, lane, i) + k;
        mpfr_div_ui(y, rate + k - 1, by, MPFR_RNDN);
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

void taylor_load_point(struct taylor *taylor, struct mp_series *series)
{
    int stride = taylor->order + 1, n = taylor->n;
    mp_series_load(series, 0, BLOCK_T, 0, taylor->t, 1);
    mp_series_load(series, 0, BLOCK_Q, 0, taylor_y(taylor, 0, 0), stride);
    mp_series_load(series, 0, BLOCK_V, 0, taylor_y(taylor, 0, n), stride);
    mp_series_load(series, 0, BLOCK_S, 0, taylor_y(taylor, 0, 2 * n), stride);
    mp_series_run(series, 0, STAGE_STATE, 0);
}

static enum status not_finite(struct taylor *taylor, int k, struct diagnosis *diagnosis)
{
    char row[200] = "?";
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
        return diagnose(diagnosis, NOT_FINITE, t,
                        "mode %s: the matrix of the equations of motion",
                        taylor->plan->mode->name);
    if (mp_lu_factor(motion->lu) < unknowns)
        return diagnose(diagnosis, SINGULAR, t,
                        "mode %s: the equations for accelerations and multipliers are "
                        "singular", taylor->plan->mode->name);
    return OK;
}

/* Newton from the unknowns of the last point. When the residual is linear in u one step
   is exact and the second removes rounding, or the matrix loses half of the digits: it is
   singular here. Otherwise the step after the one that halved the digits is at rounding
   level: convergence is quadratic. */
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
    /* the factors belong to the final u */
    return motion->plan->affine ? OK : factor(taylor, diagnosis);
}

/* --- expansion ---------------------------------------------------------------------- */

static void clear_unknown(struct taylor *taylor, int lane, int k)
{
    for (int i = 0; i < taylor->motion->plan->unknowns; i++)
        mpfr_set_zero(taylor_u(taylor, lane, i) + k, 1);
}

/* Coefficient k of u, given everything below. The values at k = 0 are known already. */
static void unknowns_at(struct taylor *taylor, int lane, int k)
{
    struct mp_series *series = taylor->motion->series;
    int own = series_lane(lane);
    int stage = lane == 0 ? STAGE_UNKNOWN : STAGE_LANE_UNKNOWN;
    if (lane == 0 && k == 0) {
        load_unknown(taylor, 0, 0);
        mp_series_run(series, 0, stage, 0);
        return;
    }
    clear_unknown(taylor, lane, k);
    load_unknown(taylor, lane, k);
    mp_series_run(series, own, stage, k);
    solve(taylor, lane, k);
    for (int i = 0; i < taylor->motion->plan->unknowns; i++)
        mpfr_set(taylor_u(taylor, lane, i) + k, taylor->rhs + i, MPFR_RNDN);
    load_unknown(taylor, lane, k);
    if (k == 0)
        mp_series_run(series, own, stage, 0);
    else
        mp_series_correct(series, own, stage, k);
}

/* Coefficient 0 of u: Newton for the values; then what was not solved for must hold. */
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
    int stage = lane == 0 ? STAGE_STATE : STAGE_LANE;
    for (int k = 0; k <= order; k++) {
        enum status status = OK;
        if (lane == 0)
            taylor_adjust_unit(taylor, k);
        if (k > 0)
            integrate(taylor, lane, k);
        load_state(taylor, lane, k);
        mp_series_run(taylor->motion->series, series_lane(lane), stage, k);
        if (k == 0)
            status = first_unknowns(taylor, lane, diagnosis);
        else
            unknowns_at(taylor, lane, k);
        if (status != OK)
            return status;
    }
    for (int i = 0; i < taylor->width; i++)
        if (!mp_finite(taylor_y(taylor, lane, i), order + 1))
            return not_finite(taylor, order, diagnosis);
    for (int i = 0; i < taylor->motion->plan->unknowns; i++)
        if (!mp_finite(taylor_u(taylor, lane, i), order + 1))
            return not_finite(taylor, order, diagnosis);
    return OK;
}

/* Lane 0. In fixed point if high coefficients are worth it and all have few digits. */
static enum status expand_values(struct taylor *taylor, int order,
                                 struct diagnosis *diagnosis)
{
    taylor_begin_unit(taylor, order == taylor->order && taylor->narrow);
    enum status status = expand_lane(taylor, 0, order, diagnosis);
    if (status != OK || taylor_unit_fits(taylor))
        return status;
    taylor_begin_unit(taylor, false);
    return expand_lane(taylor, 0, order, diagnosis);
}

enum status taylor_expand(struct taylor *taylor, mpfr_srcptr t, mpfr_srcptr y, int lanes,
                          int order, struct diagnosis *diagnosis)
{
    mpfr_set(taylor->t, t, MPFR_RNDN);
    for (int lane = 0; lane < lanes; lane++)
        for (int i = 0; i < taylor->width; i++)
            mpfr_set(taylor_y(taylor, lane, i), y + lane * taylor->width + i, MPFR_RNDN);
    taylor_choose(taylor);
    enum status status = expand_values(taylor, order, diagnosis);
    if (status == OK && taylor->scaled)
        mp_series_settle(taylor->motion->series);
    for (int lane = 1; status == OK && lane < lanes; lane++)
        status = expand_lane(taylor, lane, order, diagnosis);
    taylor_end_unit(taylor, lanes, order);
    return status;
}
