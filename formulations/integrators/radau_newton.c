/*
 * radau_newton.c - simplified Newton iteration for the stages of Radau IIA:
 * 0 = R(t_i, Y_i, W_i), i = 1, 2, 3.
 *
 * Y_i is linear in W, so N = dR/dW has the blocks
 *
 *     N_ij = delta_ij R_w(i) + sum over l of R_y(i)_l ((h A)^links(l))_ij e_root(l)'.
 *
 * In index 3 the rows of Phi contain a only with h^2. Rows, then columns, are scaled, so
 * that the matrix that is factorised has a limit as h -> 0. The tangents of the step
 * satisfy the same equations with R' for R: they are the derivatives of the discrete
 * solution itself, not approximations to the derivatives of the motion.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "radau.h"

enum { MOST_ITERATIONS = 15 };

/* Residuals are measured in units of their own rounding. A matrix makes each residual at
   worst `slow` times the one before; after a residual of `last` units it leaves only
   rounding. */
static const double last = 100, slow = 0.01;
/* A residual that an exact Newton step no longer halves is rounding in R, if the change
   relative to the unknowns is below this. */
static const double rounding = 1e-3;

/* --- the matrix --------------------------------------------------------------------- */

static void add_coupling(struct radau *work, int i, int r)
{
    const struct implicit_equations *equations = work->equations;
    const struct chains *chains = &work->chains;
    int d = equations->differential, k = work->k;
    double *block = work->N + (i*k + r)*RADAU_STAGES*k;

    for (int l = 0; l < d; l++) {
        const double *coupling = chains->coupling[chains->links[l]][i];
        double entry = work->R_y[r*d + l];

        for (int j = 0; j < RADAU_STAGES; j++)
            block[j*k + chains->root[l]] += coupling[j]*entry;
    }
}

/* Block row i of N, and the sizes of the sums whose rounding the residual has. */
static void assemble(struct radau *work, int i)
{
    int d = work->equations->differential, k = work->k;
    const double *Y = radau_Y(work, 0, i), *W = radau_W(work, 0, i);

    memset(work->N + i*k*RADAU_STAGES*k, 0, (size_t)(k*RADAU_STAGES*k)*sizeof *work->N);
    for (int r = 0; r < k; r++) {
        const double *R_w = work->R_w + r*k, *R_y = work->R_y + r*d;
        double size = 0;

        memcpy(work->N + (i*k + r)*RADAU_STAGES*k + i*k, R_w, (size_t)k*sizeof *R_w);
        add_coupling(work, i, r);
        for (int n = 0; n < k; n++)
            size += fabs(R_w[n]*W[n]);
        for (int l = 0; l < d; l++)
            size += fabs(R_y[l]*Y[l]);
        work->size[i*k + r] = size;
    }
}

/* A power of two near 1/size, so that scaling makes no rounding errors. */
static double scale(double size)
{
    return size > 0 && isfinite(size) ? scalbn(1, -ilogb(size)) : 1;
}

static enum status factorise(struct radau *work)
{
    int n = RADAU_STAGES*work->k;
    double *column = work->column;

    memset(column, 0, (size_t)n*sizeof *column);
    for (int i = 0; i < n; i++) {
        double *row = work->N + i*n, size = 0;

        for (int j = 0; j < n; j++)
            size = fabs(row[j]) > size ? fabs(row[j]) : size;
        work->row[i] = scale(size);
        for (int j = 0; j < n; j++) {
            row[j] *= work->row[i];
            column[j] = fabs(row[j]) > column[j] ? fabs(row[j]) : column[j];
        }
    }
    for (int j = 0; j < n; j++)
        column[j] = scale(column[j]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            work->N[i*n + j] *= column[j];
    return dense_lu_matrix(&work->factor, work->N) ? OK : SINGULAR;
}

/* b = N^-1 b */
static void solve(const struct radau *work, double *b)
{
    int n = RADAU_STAGES*work->k;

    for (int i = 0; i < n; i++)
        b[i] *= work->row[i];
    dense_lu_solve(&work->factor, b);
    for (int i = 0; i < n; i++)
        b[i] *= work->column[i];
}

/* --- the solution ------------------------------------------------------------------- */

/* Residual and matrices at stage i. After this the equations refer to this point. */
static enum status visit(struct radau *work, void *context, int i)
{
    const struct implicit_equations *equations = work->equations;
    double t = work->t + work->tableau.c[i]*work->h;
    enum status status = equations->residual(context, t, radau_Y(work, 0, i),
                                             radau_W(work, 0, i), work->R + i*work->k);

    if (status != OK)
        return status;
    equations->matrices(context, work->R_w, work->R_y);
    assemble(work, i);
    return OK;
}

/* The backward error of W: the largest residual in units of its rounding. The terms of a
   row may themselves be rounding of other rows (a coordinate that stays zero); such a row
   counts relative to these. */
static double backward_error(const struct radau *work)
{
    double worst = 0, most = 0;

    for (int i = 0; i < RADAU_STAGES*work->k; i++)
        most = fmax(most, work->size[i]);
    for (int i = 0; i < RADAU_STAGES*work->k; i++)
        if (fabs(work->R[i]) > 0)
            worst = fmax(worst, fabs(work->R[i])/
                                (DBL_EPSILON*fmax(work->size[i], DBL_EPSILON*most)));
    return worst;
}

/* W -= N^-1 R. Returns the size of the change relative to W, in scaled columns. */
static double correct(struct radau *work)
{
    double change = 0, size = 0;

    memcpy(work->correction, work->R, (size_t)(RADAU_STAGES*work->k)*sizeof *work->R);
    solve(work, work->correction);
    for (int i = 0; i < RADAU_STAGES*work->k; i++) {
        work->W[i] -= work->correction[i];
        change = fmax(change, fabs(work->correction[i])/work->column[i]);
        size = fmax(size, fabs(work->W[i])/work->column[i]);
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
        for (int i = 0; i < RADAU_STAGES; i++) {
            enum status status = visit(work, context, i);

            if (status != OK)
                return status;
        }
        double error = backward_error(work);
        bool stagnant = exact && error > before/2 && change < rounding;
        exact = m == 0 || !(error < slow*before);
        if (exact && factorise(work) != OK)
            return SINGULAR;
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
    int columns = equations->columns, k = work->k;

    memset(radau_W(work, 1, 0), 0, (size_t)(columns*RADAU_STAGES*k)*sizeof *work->W);
    for (int j = 1; j <= columns; j++)
        radau_stage_values(work, j);
    for (int i = 0; columns > 0 && i < RADAU_STAGES; i++) {
        enum status status = visit(work, context, i);

        if (status != OK)
            return status;
        for (int j = 1; j <= columns; j++)
            equations->along(context, j - 1, radau_Y(work, j, i), radau_W(work, j, i));
    }
    if (columns > 0 && factorise(work) != OK)
        return SINGULAR;
    for (int j = 1; j <= columns; j++) {
        double *W = radau_W(work, j, 0);

        solve(work, W);
        for (int n = 0; n < RADAU_STAGES*k; n++)
            W[n] = -W[n];
        radau_stage_values(work, j);
    }
    return OK;
}

enum status radau_quadratures(struct radau *work, void *context)
{
    const struct implicit_equations *equations = work->equations;
    int d = equations->differential, state = equations->state;

    for (int i = 0; state > d && i < RADAU_STAGES; i++) {
        double t = work->t + work->tableau.c[i]*work->h;
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
