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

static void *radau_alloc(const struct implicit_equations *equations)
{
    int columns = 1 + equations->columns, d = equations->state;     /* in any mode */
    int k = equations->most_unknowns, n = RADAU_MOST_STAGES*k;
    struct radau *work = memory_new(1, sizeof *work);

    work->dim = equations->state*columns;
    work->k = k;
    for (int i = 0; i < RADAU_METHODS; i++)
        tableau_init(&work->method[i], 3 + 2*i);
    work->tableau = work->next = &work->method[0];
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
    chains_follow(&work->chains, work->tableau, equations, 1);
    stage_matrix_init(&work->matrix, work->tableau->stages, equations, &work->chains);
    return work;
}

void radau_use_stages(struct radau *work, int stages)
{
    work->next = &work->method[(stages - 3)/2];
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
    int before = work->tableau->stages, stages = work->next->stages;
    double weight[RADAU_MOST_STAGES][RADAU_MOST_STAGES];

    for (int i = 0; i < stages; i++)
        tableau_values(work->tableau, theta + work->next->c[i]*(h/work->h), weight[i]);
    for (int n = 0; n < work->k; n++) {
        double W[RADAU_MOST_STAGES];

        for (int j = 0; j < before; j++)
            W[j] = radau_W(work, 0, j)[n];
        for (int i = 0; i < stages; i++) {
            double sum = 0;

            for (int j = 0; j < before; j++)
                sum += weight[i][j]*W[j];
            radau_W(work, 0, i)[n] = sum;
        }
    }
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
}

/* --- a step ------------------------------------------------------------------------- */

static void begin(struct radau *work, const struct implicit_equations *equations,
                  double t, double h, const double *x)
{
    bool same_stages = work->matrix.stages == work->next->stages;

    work->equations = equations;
    work->tableau = work->next;
    work->t = t;
    work->h = h;
    work->stepped = false;
    work->k = equations->unknowns;
    memcpy(work->x, x, (size_t)work->dim*sizeof *x);
    chains_follow(&work->chains, work->tableau, equations, h);
    if (work->matrix.at_w != equations->at_w || !same_stages) {     /* another mode */
        stage_matrix_clear(&work->matrix);
        stage_matrix_init(&work->matrix, work->tableau->stages, equations, &work->chains);
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
    .title = "Radau IIA of order 5 for implicit equations of index up to 3",
    .source = "Hairer, Wanner 1996, IV.5, IV.8; Hairer, Lubich, Roche 1989",
    .order = 5,
    .errors = 1,
    .evaluations = 12,          /* two iterations, tangents, quadratures: short steps */
    .node = nodes,
    .nodes = sizeof nodes/sizeof *nodes,
    .alloc_implicit = radau_alloc,
    .release = radau_release,
    .step = radau_step,
    .combine = radau_combine,
    .prepare = radau_prepare,
    .dense = radau_dense,
    .dense_order = 3,
    .unknowns = radau_unknowns,
};
