/*
 * radau.c - Radau IIA with three stages for 0 = R(t, y, w) of index up to 3.
 *
 * Sources: Hairer, Wanner 1996 (HW), IV.5, IV.8; for index 2 and 3 Hairer, Lubich, Roche
 * 1989. Orders are 5 of all unknowns in index 1; 5 of y, 3 of w in index 2; 5 of q, 3 of
 * v, 2 of w in index 3, where rounding of Phi alone moves v by eps/h and w by eps/h^2.
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

static void *radau_alloc(const struct implicit_equations *equations)
{
    int columns = 1 + equations->columns, d = equations->state;     /* in any mode */
    int k = equations->most_unknowns, n = RADAU_STAGES*k;
    struct radau *work = memory_new(1, sizeof *work);

    work->dim = equations->state*columns;
    work->k = k;
    tableau_init(&work->tableau);
    chains_init(&work->chains, &work->arena, d);
    double **const part[] = {&work->x, &work->x_new, &work->change, &work->largest_rate,
                             &work->K[0], &work->K[1], &work->K[2]};
    for (size_t i = 0; i < sizeof part/sizeof *part; i++)
        *part[i] = reals(work, work->dim);
    work->W = reals(work, columns*n);
    work->Y = reals(work, columns*RADAU_STAGES*d);
    compensated_init(&work->carry, &work->arena, work->dim);
    work->R = reals(work, n);
    work->size = reals(work, n);
    work->correction = reals(work, n);
    chains_follow(&work->chains, &work->tableau, equations, 1);
    stage_matrix_init(&work->matrix, equations, &work->chains);
    return work;
}

static void radau_release(void *memory)
{
    struct radau *work = memory;

    if (!work)
        return;
    stage_matrix_clear(&work->matrix);
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

/* Replaces W by its extrapolation to the stages of the next step. */
static void extrapolate(struct radau *work, double theta, double h)
{
    const double *c = work->tableau.c;
    double weight[RADAU_STAGES][RADAU_STAGES];

    for (int i = 0; i < RADAU_STAGES; i++)
        tableau_values(&work->tableau, theta + c[i]*(h/work->h), weight[i]);
    for (int n = 0; n < work->k; n++) {
        double W[RADAU_STAGES];

        for (int j = 0; j < RADAU_STAGES; j++)
            W[j] = radau_W(work, 0, j)[n];
        for (int i = 0; i < RADAU_STAGES; i++)
            radau_W(work, 0, i)[n] = weight[i][0]*W[0] + weight[i][1]*W[1]
                                     + weight[i][2]*W[2];
    }
}

/* A constant prediction: W from x' at the start where a rate is a w, else zero. */
static void start_constant(struct radau *work, const double *dx)
{
    const struct implicit_equations *equations = work->equations;

    memset(work->W, 0, (size_t)(RADAU_STAGES*work->k)*sizeof *work->W);
    for (int l = 0; l < equations->differential; l++)
        for (int i = 0; equations->rate[l] < 0 && i < RADAU_STAGES; i++)
            radau_W(work, 0, i)[-1 - equations->rate[l]] = dx[l];
}

/* --- a step ------------------------------------------------------------------------- */

static void begin(struct radau *work, const struct implicit_equations *equations,
                  double t, double h, const double *x)
{
    work->equations = equations;
    work->t = t;
    work->h = h;
    work->stepped = false;
    work->k = equations->unknowns;
    memcpy(work->x, x, (size_t)work->dim*sizeof *x);
    chains_follow(&work->chains, &work->tableau, equations, h);
    if (work->matrix.at_w != equations->at_w) {     /* the mode has changed */
        stage_matrix_clear(&work->matrix);
        stage_matrix_init(&work->matrix, equations, &work->chains);
    }
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
    double *const *K = work->K;
    const double *lost = work->carry.lost;

    for (int n = first; n < first + count; n++)
        out[n - first] = lost[n] + work->h*(weight[0]*K[0][n] + weight[1]*K[1][n]
                                            + weight[2]*K[2][n]);
}

/* --- the integrator ----------------------------------------------------------------- */

/* The estimate is O(h^4), while control.c takes errors to be of the order of the method,
   h^5. The power 5/4 makes them so, and leaves an error of 1 as it is. */
static double radau_combine(const double *norm)
{
    return pow(norm[0], 1.25);
}

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
    begin(work, ode->implicit, t, h, x);
    enum status status = solve_stages(work, ode->context, predicted, dx);
    if (status != OK)
        return status;
    change(work, work->tableau.A[RADAU_STAGES - 1], 0, work->dim, work->change);
    compensated_sum(&work->carry, work->x, work->change, work->x_new, x_new);
    radau_error(work, dx, err[0]);
    memcpy(dx_new, work->K[RADAU_STAGES - 1], size);
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
    double weight[RADAU_STAGES];

    tableau_integrals(&work->tableau, theta, weight);
    change(work, weight, first, count, x);
    for (int n = 0; n < count; n++)
        x[n] = work->x[first + n] + x[n];
}

static const double *radau_unknowns(const void *memory, int column)
{
    return radau_W(memory, column, RADAU_STAGES - 1);
}

/* 0, and the nodes c of radau_stages.c */
static const double nodes[RADAU_STAGES + 1] =
    {0, 0.15505102572168219, 0.64494897427831781, 1};

const struct integrator integrator_radau = {
    .name = "radau",
    .title = "Radau IIA of order 5 for implicit equations of index up to 3",
    .source = "Hairer, Wanner 1996, IV.5, IV.8; Hairer, Lubich, Roche 1989",
    .order = 5,
    .errors = 1,
    .evaluations = 12,          /* two iterations, tangents, quadratures: short steps */
    .node = nodes,
    .nodes = RADAU_STAGES + 1,
    .alloc_implicit = radau_alloc,
    .release = radau_release,
    .step = radau_step,
    .combine = radau_combine,
    .prepare = radau_prepare,
    .dense = radau_dense,
    .dense_order = 3,
    .unknowns = radau_unknowns,
};
