/*
 * taylor.c - Taylor series method of variable order: Jorba, Zou, A software package for
 * the numerical integration of ODEs by means of high-order Taylor methods, Experimental
 * Mathematics 14 (2005) 99-117; Griewank, Walther 2008, ch. 13.
 *
 * A step evaluates the series at its start alone (motion_series.h), which is the dense
 * output, too. The order p = 1 - ln(rtol)/2 is the one at which a step costs least for
 * its length. The last two terms, which are the estimate of the error, are then of the
 * size of the tolerance when the step is 1/e^2 of the radius of convergence. Both may be
 * zero without saying anything of that radius (a series in t^3), or of what the solution
 * meets on the way: so the slope of the series at the end is compared with the rate
 * there, too, which is of order p: the term that is missing has p + 1 times that slope.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "compensated_sum.h"
#include "methods.h"

enum { LOWEST = 4, HIGHEST = 24 };

struct taylor {
    int dim, order;                 /* components; terms of the series */
    double h;                       /* length of the last step */
    double *x[HIGHEST + 1];         /* [dim] Taylor coefficients at its start */
    double *change, *end, *slope;   /* [dim] x_new - x, x_new, h x' at the end */
    double *inside[STATES_INSIDE];  /* [dim] states inside the step */
    struct compensated_sum carry;   /* rounding errors of the state */
    struct arena arena;             /* memory of all arrays, those of carry, too */
};

static void *taylor_alloc(int dim)
{
    struct taylor *work = memory_new(1, sizeof *work);
    struct arena *arena = &work->arena;

    work->dim = dim;
    work->order = HIGHEST;
    for (int k = 0; k <= HIGHEST; k++)
        work->x[k] = arena_new(arena, dim, sizeof *work->x[k]);
    work->change = arena_new(arena, dim, sizeof *work->change);
    work->end = arena_new(arena, dim, sizeof *work->end);
    work->slope = arena_new(arena, dim, sizeof *work->slope);
    for (int i = 0; i < STATES_INSIDE; i++)
        work->inside[i] = arena_new(arena, dim, sizeof *work->inside[i]);
    compensated_init(&work->carry, arena, dim);
    return work;
}

static void taylor_release(void *memory)
{
    struct taylor *work = memory;

    if (!work)
        return;
    arena_free(&work->arena);
    free(work);
}

static void taylor_restart(void *memory)
{
    compensated_restart(&((struct taylor *)memory)->carry);
}

static int taylor_aim(void *memory, double rtol)
{
    struct taylor *work = memory;
    double order = ceil(1 - log(rtol)/2);

    work->order = (int)fmin(HIGHEST, fmax(LOWEST, order));
    return work->order;
}

/* sum [count] = the series less its first term, at a distance from the start. */
static void terms(const struct taylor *work, double distance, int first, int count,
                  double *sum)
{
    memset(sum, 0, (size_t)count*sizeof *sum);
    for (int k = work->order; k > 0; k--) {
        const double *x = work->x[k] + first;

        for (int n = 0; n < count; n++)
            sum[n] = distance*(x[n] + sum[n]);
    }
}

/* slope [dim] = h times the slope of the series at the end of the step. */
static void end_slope(const struct taylor *work, double h, double *slope)
{
    memset(slope, 0, (size_t)work->dim*sizeof *slope);
    for (int k = work->order; k > 0; k--) {
        const double *x = work->x[k];

        for (int n = 0; n < work->dim; n++)
            slope[n] = h*(k*x[n] + slope[n]);
    }
}

static enum status taylor_step(void *memory, const struct ode *ode, double t, double h,
                               const double *x, const double *dx, double *x_new,
                               double *dx_new, double *const *err)
{
    struct taylor *work = memory;
    int dim = work->dim, order = work->order;
    size_t size = (size_t)dim*sizeof *x;
    const double *lost = compensated_start(&work->carry, ode->goes_on, t, x, work->x[0],
                                           work->end);

    (void)dx;
    if (!ode->series)
        return NOT_APPLICABLE;
    memcpy(work->x[0], x, size);
    work->h = h;
    enum status status = ode->series(ode->context, t, order, work->x);
    if (status != OK)
        return status;
    terms(work, h, 0, dim, work->change);
    double last = pow(fabs(h), order), before = pow(fabs(h), order - 1);
    for (int n = 0; n < dim; n++) {
        work->change[n] += lost[n];
        err[0][n] = fmax(last*fabs(work->x[order][n]),
                         before*fabs(work->x[order - 1][n]));
    }
    compensated_sum(&work->carry, x, work->change, work->end, x_new);
    status = ode->rhs(ode->context, t + h, x_new, dx_new);
    if (status != OK)
        return status;
    end_slope(work, h, work->slope);
    for (int n = 0; n < dim; n++)
        err[0][n] = fmax(err[0][n], fabs(h*dx_new[n] - work->slope[n])/(order + 1));
    return OK;
}

static enum status taylor_prepare(void *memory, const struct ode *ode)
{
    (void)memory;
    (void)ode;
    return OK;
}

static void taylor_dense(const void *memory, double theta, int first, int count,
                         double *x)
{
    const struct taylor *work = memory;

    terms(work, theta*work->h, first, count, x);
    for (int n = 0; n < count; n++)
        x[n] += work->x[0][first + n];
}

static const double *taylor_inside(const void *memory, int i, double *theta)
{
    const struct taylor *work = memory;

    *theta = (double)(i + 1)/(STATES_INSIDE + 1);
    taylor_dense(work, *theta, 0, work->dim, work->inside[i]);
    return work->inside[i];
}

static const double nodes[] = {0, 1};

const struct integrator integrator_taylor = {
    .name = "taylor",
    .title = "Taylor series of the order that the tolerance asks for, 4 to 24",
    .source = "Griewank, Walther 2008, ch. 13; Jorba, Zou 2005",
    .order = HIGHEST,
    .errors = 1,
    .evaluations = 1,
    .node = nodes,
    .nodes = 2,
    .alloc_series = taylor_alloc,
    .release = taylor_release,
    .restart = taylor_restart,
    .aim = taylor_aim,
    .step = taylor_step,
    .prepare = taylor_prepare,
    .dense = taylor_dense,
    .dense_order = HIGHEST,
    .solves_inside = true,
    .inside = taylor_inside,
};
