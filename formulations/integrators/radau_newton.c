/*
 * radau_newton.c - simplified Newton iteration for the stages of Radau IIA:
 * 0 = R(t_i, Y_i, W_i), i = 1 .. s, with N = dR/dW (radau_matrix.c).
 *
 * The tangents of the step satisfy the same equations with R' for R: they are the
 * derivatives of the discrete solution itself, not approximations to the derivatives of
 * the motion.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "radau.h"

enum { MOST_ITERATIONS = 15 };

/* Residuals are measured in units of their own rounding. A matrix makes each residual at
   worst `slow` times the one before; after a residual of `last` units it leaves only
   rounding. */
static const double last = 100, slow = 0.01;
/* A residual that an exact Newton step no longer halves is rounding in R, if the change
   relative to the unknowns is below this. */
static const double rounding = 1e-3;

/* --- the solution ------------------------------------------------------------------- */

/* The residual at stage i, and if `assembled` the block row of N. After this the
   equations refer to this point. */
static enum status visit(struct radau *work, void *context, int i, bool assembled)
{
    double t = work->t + work->tableau->c[i]*work->h;
    enum status status = work->equations->residual(context, t, radau_Y(work, 0, i),
                                                   radau_W(work, 0, i),
                                                   work->R + i*work->k);

    if (status == OK && assembled)
        stage_matrix_assemble(work, context, i);
    return status;
}

static enum status visit_all(struct radau *work, void *context, bool assembled)
{
    enum status status = OK;

    for (int i = 0; i < work->tableau->stages && status == OK; i++)
        status = visit(work, context, i, assembled);
    return status;
}

/* The backward error of W: the largest residual in units of its rounding. The terms of a
   row may themselves be rounding of other rows (a coordinate that stays zero); such a row
   counts relative to these. */
static double backward_error(const struct radau *work)
{
    int n = work->tableau->stages*work->k;
    double worst = 0, most = DBL_EPSILON*largest(work->size, n);

    for (int i = 0; i < n; i++)
        if (fabs(work->R[i]) > 0)
            worst = larger(worst, fabs(work->R[i])/
                                  (DBL_EPSILON*larger(work->size[i], most)));
    return worst;
}

/* W -= N^-1 R. Returns the size of the change relative to W, in scaled columns, whose
   unknowns are those of N times its divisors `right`. */
static double correct(struct radau *work)
{
    const double *scale = work->matrix.N.right;
    double change = 0, size = 0;
    int n = work->tableau->stages*work->k;

    memcpy(work->correction, work->R, (size_t)n*sizeof *work->R);
    sparse_solve(&work->matrix.N, work->correction);
    for (int i = 0; i < n; i++) {
        work->W[i] -= work->correction[i];
        change = larger(change, fabs(work->correction[i])*scale[i]);
        size = larger(size, fabs(work->W[i])*scale[i]);
    }
    return size > 0 ? change/size : 0;
}

/*
 * The matrix is kept as long as each residual is at most a hundredth of the one before.
 * The iteration does not stop at a tolerance: the tangents, the constraints and
 * differences of runs all want the discrete solution to rounding.
 */
enum status radau_newton(struct radau *work, void *context)
{
    double before = INFINITY, change = INFINITY;
    bool exact = false;

    for (int m = 0; m < MOST_ITERATIONS; m++) {
        radau_stage_values(work, 0);
        enum status status = visit_all(work, context, m == 0);
        if (status != OK)
            return status;
        double error = backward_error(work);
        bool stagnant = exact && error > before/2 && change < rounding;
        exact = m == 0 || !(error < slow*before);
        if (exact && m > 0)
            status = visit_all(work, context, true);
        if (status == OK && exact && !sparse_factor(&work->matrix.N))
            status = SINGULAR;
        if (status != OK)
            return status;
        change = correct(work);
        if (error <= last || stagnant) {
            radau_stage_values(work, 0);
            return OK;
        }
        before = error;
    }
    return NO_CONVERGENCE;
}

/* --- derivatives -------------------------------------------------------------------- */

/*
 * Along a column, R' = R_y Y + R_w W + R_rho = 0 with Y linear in W: the value of R' for
 * W = 0 goes to the right-hand side, and N is the matrix of the rest.
 */
enum status radau_tangents(struct radau *work, void *context)
{
    const struct implicit_equations *equations = work->equations;
    int columns = equations->columns, s = work->tableau->stages, n = s*work->k;

    memset(radau_W(work, 1, 0), 0, (size_t)(columns*n)*sizeof *work->W);
    for (int j = 1; j <= columns; j++)
        radau_stage_values(work, j);
    for (int i = 0; columns > 0 && i < s; i++) {
        enum status status = visit(work, context, i, true);

        if (status != OK)
            return status;
        for (int j = 1; j <= columns; j++)
            equations->along(context, j - 1, radau_Y(work, j, i), radau_W(work, j, i));
    }
    if (columns > 0 && !sparse_factor(&work->matrix.N))
        return SINGULAR;
    for (int j = 1; j <= columns; j++) {
        double *W = radau_W(work, j, 0);

        sparse_solve_refined(&work->matrix.N, W, work->correction);
        for (int i = 0; i < n; i++)
            W[i] = -W[i];
        radau_stage_values(work, j);
    }
    return OK;
}

enum status radau_quadratures(struct radau *work, void *context)
{
    const struct implicit_equations *equations = work->equations;
    int d = equations->differential, state = equations->state;

    for (int i = 0; state > d && i < work->tableau->stages; i++) {
        double t = work->t + work->tableau->c[i]*work->h;
        enum status status = equations->residual(context, t, radau_Y(work, 0, i),
                                                 radau_W(work, 0, i), work->R);

        if (status != OK)
            return status;
        equations->quadratures(context, work->K[i] + d);
        for (int j = 1; j <= equations->columns; j++)
            equations->quadratures_along(context, j - 1, radau_Y(work, j, i),
                                         radau_W(work, j, i),
                                         work->K[i] + j*state + d);
    }
    return OK;
}
