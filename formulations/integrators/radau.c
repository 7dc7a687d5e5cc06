/*
 * radau.c - Radau IIA with s stages for 0 = R(t, y, w) of index up to 3.
 *
 * Sources: Hairer, Wanner 1996 (HW), IV.5, IV.8; for index 2 and 3 Hairer, Lubich, Roche
 * 1989; s = 3, 5, 7 are those of Hairer, Wanner 1999. Orders are 2s - 1 of all unknowns
 * in index 1; 2s - 1 of y, s of w in index 2; 2s - 1 of q, s of v, s - 1 of w in index 3,
 * where rounding of Phi alone moves v by eps/h and w by eps/h^2.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "methods.h"
#include "radau.h"

/* --- memory ------------------------------------------------------------------------- */

static double *reals(struct radau *work, int count)
{
    return arena_new(&work->arena, count, sizeof(double));
}

static void leave_mode(struct radau *work)
{
    stage_matrix_clear(&work->matrix);
    stage_blocks_clear(&work->blocks);
    jacobians_clear(&work->jacobians);
}

static void enter_mode(struct radau *work, const struct implicit_equations *equations,
                       double h)
{
    chains_follow(&work->chains, work->tableau, equations, h);
    if (work->jacobians.at_w == equations->at_w)
        return;
    leave_mode(work);
    jacobians_init(&work->jacobians, equations);
    stage_blocks_init(&work->blocks, equations, &work->chains);
    work->direct_left = 0;
    work->direct_steps = 1;
}

static void *radau_alloc(const struct implicit_equations *equations)
{
    int columns = 1 + equations->columns, d = equations->state;     /* in any mode */
    int k = equations->most_unknowns, n = RADAU_MOST_STAGES*k;
    struct radau *work = memory_new(1, sizeof *work);

    work->dim = equations->state*columns;
    work->k = k;
    work->tableau = work->next = tableau_of(RADAU_LEAST_STAGES);
    chains_init(&work->chains, &work->arena, d);
    double **const part[] = {&work->x, &work->x_new, &work->change, &work->largest_rate};
    for (size_t i = 0; i < sizeof part/sizeof *part; i++)
        *part[i] = reals(work, work->dim);
    for (int i = 0; i < RADAU_MOST_STAGES; i++)
        work->K[i] = reals(work, work->dim);
    work->W = reals(work, columns*n);
    work->Y = reals(work, columns*RADAU_MOST_STAGES*d);
    compensated_init(&work->carry, &work->arena, work->dim);
    work->R = reals(work, n);
    work->size = reals(work, n);
    work->correction = reals(work, n);
    work->predicted = reals(work, n);
    work->load = reals(work, (columns - 1)*n);
    work->Y_zero = reals(work, d);
    enter_mode(work, equations, 1);
    return work;
}

static void radau_release(void *memory)
{
    struct radau *work = memory;

    if (!work)
        return;
    leave_mode(work);
    arena_free(&work->arena);
    free(work);
}

/* --- starting values ---------------------------------------------------------------- */

static bool same(int count, const double *x, const double *y)
{
    return memcmp(x, y, (size_t)count*sizeof *x) == 0;
}

/* True if (t, x) is where the last step began (theta = 0, after a refusal) or ended
   (theta = 1). The collocation polynomial of that step then predicts W. */
static bool continues(const struct radau *work, int unknowns, double t, const double *x,
                      double *theta)
{
    double near = 1e-3*fabs(work->h);

    if (!work->stepped || work->k != unknowns)
        return false;
    *theta = fabs(t - work->t) <= near ? 0 : 1;
    return (*theta < 1 && same(work->dim, x, work->x))
           || (fabs(t - work->t - work->h) <= near && same(work->dim, x, work->x_new));
}

static void extrapolate_column(struct radau *work, int column,
                               double (*weight)[RADAU_MOST_STAGES])
{
    int before = work->tableau->stages, stages = work->next->stages, k = work->k;
    double *at = radau_W(work, column, 0), W[RADAU_MOST_STAGES];

    for (int n = 0; n < k; n++) {
        for (int j = 0; j < before; j++)
            W[j] = at[j*k + n];
        for (int i = 0; i < stages; i++) {
            double sum = 0;

            for (int j = 0; j < before; j++)
                sum += weight[i][j]*W[j];
            at[i*k + n] = sum;
        }
    }
}

static void clear_derivatives(struct radau *work)
{
    int n = work->next->stages*work->k;

    memset(work->W + n, 0, (size_t)(work->equations->columns*n)*sizeof *work->W);
}

/* Replaces W by its extrapolation to the stages of the next step. */
static void extrapolate(struct radau *work, double theta, double h)
{
    double weight[RADAU_MOST_STAGES][RADAU_MOST_STAGES];
    bool same_stages = work->tableau == work->next;

    for (int i = 0; i < work->next->stages; i++)
        tableau_values(work->tableau, theta + work->next->c[i]*(h/work->h), weight[i]);
    for (int j = 0; j <= (same_stages ? work->equations->columns : 0); j++)
        extrapolate_column(work, j, weight);
    if (!same_stages)
        clear_derivatives(work);
}

/* A constant prediction: W from x' at the start where a rate is a w, else zero. */
static void start_constant(struct radau *work, const double *dx)
{
    const struct implicit_equations *equations = work->equations;
    int s = work->tableau->stages;

    memset(work->W, 0, (size_t)(s*work->k)*sizeof *work->W);
    for (int l = 0; l < equations->differential; l++)
        for (int i = 0; equations->rate[l] < 0 && i < s; i++)
            radau_W(work, 0, i)[-1 - equations->rate[l]] = dx[l];
    clear_derivatives(work);
}

/* --- a step ------------------------------------------------------------------------- */

/* `again`: from where the last step began. */
static void begin(struct radau *work, const struct implicit_equations *equations,
                  bool again, double t, double h, const double *x)
{
    work->equations = equations;
    work->tableau = work->next;
    work->t = t;
    work->h = h;
    work->stepped = false;
    work->k = equations->unknowns;
    memcpy(work->x, x, (size_t)work->dim*sizeof *x);
    enter_mode(work, equations, h);
    if (!again && work->direct_left > 0)
        work->direct_left--;
    else if (!again && work->direct_steps > 1)
        work->direct_steps /= 2;
    work->direct = work->direct_left > 0 || !work->blocks.usable;
}

static enum status solve_stages(struct radau *work, void *context, bool predicted,
                                const double *dx)
{
    enum status status = OK;

    if (predicted)
        status = radau_newton(work, context);
    if (!predicted || status != OK) {
        start_constant(work, dx);
        status = radau_newton(work, context);
    }
    if (status == OK)
        status = radau_tangents(work, context);
    if (status == OK)
        status = radau_quadratures(work, context);
    return status;
}

/* out [count] = h sum_j weight_j K_j plus the rounding error of x. Added to x this sum is
   that of radau_stage_values, to the last bit. */
static void change(const struct radau *work, const double *weight, int first, int count,
                   double *out)
{
    const double *lost = work->carry.lost + first;

    memset(out, 0, (size_t)count*sizeof *out);
    for (int j = 0; j < work->tableau->stages; j++) {
        const double *K = work->K[j] + first;

        for (int n = 0; n < count; n++)
            out[n] += weight[j]*K[n];
    }
    for (int n = 0; n < count; n++)
        out[n] = lost[n] + work->h*out[n];
}

/* --- the integrator ----------------------------------------------------------------- */

static enum status radau_step(void *memory, const struct ode *ode, double t, double h,
                              const double *x, const double *dx, double *x_new,
                              double *dx_new, double *const *err)
{
    struct radau *work = memory;
    size_t size = (size_t)work->dim*sizeof *x;
    double theta;
    bool predicted = continues(work, ode->implicit->unknowns, t, x, &theta);

    if (!predicted || theta > 0)
        work->h_before = predicted ? work->h : 0;
    if (predicted && theta > 0)
        radau_remember(work);
    if (predicted)
        extrapolate(work, theta, h);
    /* In index 3 errors are far above rounding: a step begins without rounding errors. */
    if (radau_orders_lost(ode->implicit) == 0)
        compensated_start(&work->carry, ode->goes_on, t, x, work->x, work->x_new);
    begin(work, ode->implicit, predicted && !(theta > 0), t, h, x);
    enum status status = solve_stages(work, ode->context, predicted, dx);
    if (status != OK)
        return status;
    int last = work->tableau->stages - 1;
    change(work, work->tableau->A[last], 0, work->dim, work->change);
    compensated_sum(&work->carry, work->x, work->change, work->x_new, x_new);
    radau_error(work, dx, err[0]);
    memcpy(dx_new, work->K[last], size);
    work->stepped = true;
    return OK;
}

static enum status radau_prepare(void *memory, const struct ode *ode)
{
    (void)memory, (void)ode;
    return OK;
}

static void radau_dense(const void *memory, double theta, int first, int count, double *x)
{
    const struct radau *work = memory;
    double weight[RADAU_MOST_STAGES];

    tableau_integrals(work->tableau, theta, weight);
    change(work, weight, first, count, x);
    for (int n = 0; n < count; n++)
        x[n] = work->x[first + n] + x[n];
}

static const double *radau_unknowns(const void *memory, int column)
{
    const struct radau *work = memory;

    return radau_W(work, column, work->tableau->stages - 1);
}

/* 0, and the nodes c of three stages */
static const double nodes[] = {0, 0.15505102572168219, 0.64494897427831781, 1};

const struct integrator integrator_radau = {
    .name = "radau",
    .title = "Radau IIA of order 5, 9 or 13 for implicit equations of index up to 3",
    .source = "Hairer, Wanner 1996, IV.5, IV.8; Hairer, Wanner 1999; Hairer, Lubich, "
              "Roche 1989",
    .order = 5,
    .errors = 1,
    .evaluations = 12,          /* two iterations, tangents, quadratures: short steps */
    .node = nodes,
    .nodes = sizeof nodes/sizeof *nodes,
    .alloc_implicit = radau_alloc,
    .release = radau_release,
    .step = radau_step,
    .aim = radau_aim,
    .error_order = radau_error_order,
    .next_nodes = radau_next_nodes,
    .prepare = radau_prepare,
    .dense = radau_dense,
    .dense_order = 3,
    .unknowns = radau_unknowns,
};
