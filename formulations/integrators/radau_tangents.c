/*
 * radau_tangents.c - derivatives of a step of Radau IIA by parameters.
 *
 * The tangents of the step satisfy the equations of the stages with R' for R: they are
 * the derivatives of the discrete solution itself, not approximations to the derivatives
 * of the motion. Along a column 0 = R_y Y + R_w W + R_rho with Y linear in W, which is
 * solved to rounding by iterative refinement with the factors that Newton's method has
 * left, or with those of N where this fails.
 */
#include <string.h>

#include "base/memory.h"
#include "radau.h"

static enum status linearise(struct radau *work, void *context)
{
    const struct implicit_equations *equations = work->equations;
    int s = work->tableau->stages, k = work->k;

    for (int i = 0; i < s; i++) {
        enum status status = radau_linearise(work, context, i);

        if (status != OK)
            return status;
        for (int j = 0; j < equations->columns; j++)
            equations->along(context, j, work->Y_zero, work->load + (j*s + i)*k);
    }
    return OK;
}

/* W of the column less about N^-1 of its residual, which is that of the last W. */
static void correct(struct radau *work, int column)
{
    double *W = radau_W(work, column, 0);

    radau_solve(work, work->R);
    for (int i = 0; i < work->tableau->stages*work->k; i++)
        W[i] -= work->R[i];
}

static void evaluate(struct radau *work, int column)
{
    radau_stage_values(work, column);
    radau_linear_residual(work, column);
}

/* False: the factors are too far off. */
static bool refine(struct radau *work, int column)
{
    struct iteration iteration = {0};

    for (enum course course = GOES_ON; course == GOES_ON;) {
        evaluate(work, column);
        course = radau_course(work, &iteration);
        if (course == FAILS)
            return false;
        correct(work, column);
    }
    radau_stage_values(work, column);
    return true;
}

/* With the factors of N at the stages found: one refinement makes errors of each row
   those of its own terms (Skeel 1980). What is left is rounding, even where a residual
   is large beside the terms of its row, as those are rounding themselves. */
static enum status solve_exactly(struct radau *work, int column)
{
    size_t size = (size_t)(work->tableau->stages*work->k)*sizeof *work->W;

    if (!work->direct)
        radau_go_direct(work);
    if (!radau_factor(work))
        return SINGULAR;
    memset(radau_W(work, column, 0), 0, size);
    for (int m = 0; m < 2; m++) {
        evaluate(work, column);
        correct(work, column);
    }
    radau_stage_values(work, column);
    return OK;
}

enum status radau_tangents(struct radau *work, void *context)
{
    enum status status = OK;

    if (work->equations->columns > 0)
        status = linearise(work, context);
    for (int j = 1; j <= work->equations->columns && status == OK; j++)
        if (!refine(work, j))
            status = solve_exactly(work, j);
    return status;
}

enum status radau_quadratures(struct radau *work, void *context)
{
    const struct implicit_equations *equations = work->equations;
    int d = equations->differential, state = equations->state;

    for (int i = 0; state > d && i < work->tableau->stages; i++) {
        enum status status = radau_visit(work, context, i);

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
