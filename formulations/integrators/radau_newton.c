/*
 * radau_newton.c - Newton's method for the stages of Radau IIA: 0 = R(t_i, Y_i, W_i),
 * i = 1 .. s, by the blocks of the stages (radau_blocks.c) or, where these do not make it
 * converge, by N = dR/dW (radau_matrix.c).
 */
#include <float.h>
#include <math.h>

#include "base/largest.h"
#include "base/memory.h"
#include "radau.h"

enum { MOST_ITERATIONS = 15 };

/* Residuals are measured in units of their own rounding. N makes each residual at worst
   `steady` times the one before; after a residual of `last` units it leaves only
   rounding. */
static const double last = 100, steady = 0.01;
/* A residual that an exact Newton step no longer halves is rounding in R, if the change
   relative to the unknowns is below this. */
static const double rounding = 1e-3;

/* --- approximate factors ------------------------------------------------------------ */

/* Is the next correction by the blocks no more than rounding of all rows would make?
   Signs that alternate stand for rounding: nothing that iterations leave has come to more
   than twice this, while the corrections of factors that are too far off are 1e4 times as
   large. */
static bool rounding_is_left(struct radau *work)
{
    static const double most = 8;
    int n = work->tableau->stages*work->k;
    double of_rounding;

    if (work->direct)
        return false;
    for (int i = 0; i < n; i++)
        work->correction[i] = (i % 2 == 0 ? 1 : -1)*DBL_EPSILON*work->size[i];
    stage_blocks_solve(work, work->correction);
    of_rounding = stacked_lu_largest(&work->blocks.lu, work->correction);
    memory_copy(work->correction, work->R, n, sizeof *work->R);
    stage_blocks_solve(work, work->correction);
    return stacked_lu_largest(&work->blocks.lu, work->correction) <= most*of_rounding;
}

/*
 * Residuals of rows on several levels fall in turn: the ratio is the mean over two
 * corrections, and the first `patience` ones may do anything. The blocks make residuals
 * fall ever faster, so that the last ratios bound the next, but for what rounding leaves
 * from stage to stage: an error of this kind is about halved. An iteration that hardly
 * makes a residual smaller has met rounding in R if the residual is `small`, or if it had
 * been fast; else its factors are too far off, unless rounding is all that is left, or
 * the largest R falls: where unknowns approach zero, so do the terms of their rows.
 */
enum course radau_course(struct radau *work, struct iteration *iteration)
{
    enum { PATIENCE = 3, MOST = 40 };
    static const double fast = 0.3, half = 0.5, slow = 0.7, small = 1e3, noise = 1e4;
    double largest, error = radau_backward_error(work, &largest);
    double ratio = sqrt(error/iteration->before);
    double bound = larger(ratio, error/iteration->error);
    bool falls = ratio <= half || sqrt(largest/iteration->largest_before) <= half;

    iteration->before = iteration->error;
    iteration->error = error;
    iteration->largest_before = iteration->largest;
    iteration->largest = largest;
    if (error <= 1)
        return LAST_CORRECTION;
    if (!isfinite(error))
        return FAILS;
    if (iteration->count++ < 2)
        return GOES_ON;
    iteration->fastest = iteration->count == 3 ? ratio
                                               : smaller(iteration->fastest, ratio);
    if (ratio > slow && error <= (iteration->fastest <= fast ? noise : small))
        return LAST_CORRECTION;
    if ((iteration->count > PATIENCE && error > small && !falls)
        || iteration->count > MOST)
        return rounding_is_left(work) ? LAST_CORRECTION : FAILS;
    return error*bound <= 1 ? LAST_CORRECTION : GOES_ON;
}

/* A mode whose rates depend on nothing but time has quadratures alone: no unknown. */
bool radau_factor(struct radau *work)
{
    if (work->k == 0)
        return true;
    return work->direct ? stage_matrix_factor(work) : stage_blocks_factor(work);
}

void radau_solve(const struct radau *work, double *x)
{
    if (work->k == 0)
        return;
    if (work->direct)
        sparse_solve(&work->matrix.N, x);
    else
        stage_blocks_solve(work, x);
}

void radau_go_direct(struct radau *work)
{
    enum { MOST = 64 };

    work->direct = true;
    work->direct_left = work->direct_steps;
    if (work->direct_steps < MOST)
        work->direct_steps *= 2;
}

/* --- Newton's method ---------------------------------------------------------------- */

static enum status visit_all(struct radau *work, void *context, bool linearised)
{
    enum status status = OK;

    for (int i = 0; i < work->tableau->stages && status == OK; i++)
        status = linearised ? radau_linearise(work, context, i)
                            : radau_visit(work, context, i);
    if (status == OK && linearised)
        radau_sizes(work);
    return status;
}

/* W -= N^-1 R, or nearly. */
static void correct(struct radau *work)
{
    int n = work->tableau->stages*work->k;

    memory_copy(work->correction, work->R, n, sizeof *work->R);
    radau_solve(work, work->correction);
    for (int i = 0; i < n; i++)
        work->W[i] -= work->correction[i];
}

/* The size of the last correction by N relative to W, in scaled columns, whose unknowns
   are those of N times its divisors `right`. */
static double relative_change(const struct radau *work)
{
    const double *scale = work->matrix.N.right;
    double change = 0, size = 0;

    for (int i = 0; i < work->tableau->stages*work->k; i++) {
        change = larger(change, fabs(work->correction[i])*scale[i]);
        size = larger(size, fabs(work->W[i])*scale[i]);
    }
    return size > 0 ? change/size : 0;
}

/* The matrix is kept as long as each residual is at most a hundredth of the one
   before. */
static enum status by_matrix(struct radau *work, void *context)
{
    double before = INFINITY, change = INFINITY;
    bool exact = false;

    for (int m = 0; m < MOST_ITERATIONS; m++) {
        radau_stage_values(work, 0);
        enum status status = visit_all(work, context, m == 0);
        if (status != OK)
            return status;
        double largest, error = radau_backward_error(work, &largest);
        bool stagnant = exact && error > before/2 && change < rounding;
        exact = m == 0 || !(error < steady*before);
        if (exact && m > 0)
            status = visit_all(work, context, true);
        if (status == OK && exact && !radau_factor(work))
            status = SINGULAR;
        if (status != OK)
            return status;
        correct(work);
        change = relative_change(work);
        if (error <= last || stagnant) {
            radau_stage_values(work, 0);
            return OK;
        }
        before = error;
    }
    return NO_CONVERGENCE;
}

/* The blocks stay those of the first W. */
static enum status by_blocks(struct radau *work, void *context)
{
    struct iteration iteration = {0};

    for (enum course course = GOES_ON; course == GOES_ON;) {
        radau_stage_values(work, 0);
        enum status status = visit_all(work, context, iteration.count == 0);
        if (status != OK)
            return status;
        if (iteration.count == 0 && !radau_factor(work))
            return SINGULAR;
        course = radau_course(work, &iteration);
        if (course == FAILS)
            return NO_CONVERGENCE;
        correct(work);
    }
    radau_stage_values(work, 0);
    return OK;
}

/*
 * The iteration does not stop at a tolerance: the tangents, the constraints and
 * differences of runs all want the discrete solution to rounding.
 */
enum status radau_newton(struct radau *work, void *context)
{
    int n = work->tableau->stages*work->k;

    if (!work->direct) {
        memory_copy(work->predicted, work->W, n, sizeof *work->W);
        enum status status = by_blocks(work, context);
        if (status != SINGULAR && status != NO_CONVERGENCE)
            return status;
        memory_copy(work->W, work->predicted, n, sizeof *work->W);
        radau_go_direct(work);
    }
    return by_matrix(work, context);
}
