/*
 * solution.c - what takes the place of unknowns; see solution.h.
 */
#include "explicit/solution.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explicit/tearing.h"
#include "formula/substitute.h"

formula solution_unknown(const struct explicit_equations *e, const formula *u, int block,
                         int index)
{
    for (int k = 0; u && k < e->rows; k++)
        if ((int)e->unknown[k].block == block && e->unknown[k].index == index)
            return u[k];
    return (formula){NULL, 0};
}

bool solution_multiplier(const struct explicit_equations *e, int k)
{
    return e->unknown[k].block != BLOCK_A;
}

static bool is_differentiated(const struct explicit_equations *e, int index)
{
    for (int j = 0; j < e->columns; j++)
        if (e->parameter[j] == index)
            return true;
    return false;
}

/* Replaces an input that is known; along a trajectory dt/drho is zero. */
static formula solved(void *context, int block, int index)
{
    const struct solution *solution = context;
    const struct explicit_equations *e = solution->equations;
    switch (block) {
    case BLOCK_A: case BLOCK_LAMBDA:
        return solution_unknown(e, solution->u, block, index);
    case TANGENT(BLOCK_A):
        return solution_unknown(e, solution->u_dot, BLOCK_A, index);
    case TANGENT(BLOCK_LAMBDA):
        return solution_unknown(e, solution->u_dot, BLOCK_LAMBDA, index);
    case BLOCK_MU:              /* the iteration ends there */
        return solution_unknown(e, solution->u, BLOCK_LAMBDA, index);
    case TANGENT(BLOCK_MU):
        return solution_unknown(e, solution->u_dot, BLOCK_LAMBDA, index);
    case BLOCK_ITERATED:
        return solution->z ? solution->z[index] : (formula){NULL, 0};
    case DIRECTION(BLOCK_A, 2):
        return solution->kernel ? solution->kernel[index] : (formula){NULL, 0};
    case DIRECTION(BLOCK_LAMBDA, 2):
    case TANGENT(BLOCK_T):
        return (formula){NULL, 0};
    case TANGENT(BLOCK_RHO):
        if (!is_differentiated(e, index))
            return (formula){NULL, 0};
        break;
    default:
        break;
    }
    return variable(solution->tape, block, index);
}

/* The residual stays to be evaluated because f and x are used in two places, where
   collect() takes no sum apart. */
void solution_correct(const struct explicit_equations *e,
                      const struct solver *solver, const formula *f, formula *x)
{
    formula *left = memory_new(e->rows, sizeof *left);
    for (int i = 0; i < e->rows; i++)
        if (solution_multiplier(e, i))
            left[i] = negate(add(f[i], formula_matrix_dot(e->R_u, i, x)));
    solver_solve(solver, left);
    for (int i = 0; i < e->rows; i++)
        x[i] = add(x[i], left[i]);
    free(left);
}

void solution_fill(const struct solution *known, const formula *f, int count,
                   formula *out)
{
    if (known->port) {
        tearing_substitute(known->equations->tearing, f, count, known->port, known->z,
                           out);
        f = out;
    }
    substitute(known->tape, f, count, solved, (void *)known, out);
}

void solution_solve(const struct explicit_equations *e,
                    const struct solver *solver, const formula *f, formula *x)
{
    for (int i = 0; i < e->rows; i++)
        x[i] = negate(f[i]);
    solver_solve(solver, x);
}
