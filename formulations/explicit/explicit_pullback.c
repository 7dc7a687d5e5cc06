/*
 * explicit_pullback.c - the equations of motion and their transpose solved in formulas;
 * see explicit_pullback.h.
 */
#include "explicit_pullback.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explicit/solution.h"
#include "explicit/solver.h"
#include "formula/substitute.h"

/* u from R, with the refinement that values take (explicit_formulas.c). */
static void solve_unknowns(struct tape *tape, const struct explicit_equations *e,
                           const struct solver *solver, formula *u)
{
    const struct solution unknown = {.tape = tape, .equations = e};
    formula *f = memory_new(e->rows, sizeof *f);
    solution_fill(&unknown, e->R, e->rows, f);
    solution_solve(e, solver, f, u);
    if (e->corrected)
        solution_correct(e, solver, f, u);
    free(f);
}

static void transpose(const struct formula_matrix *A, struct formula_matrix *transposed)
{
    formula_matrix_init(transposed, A->columns, A->rows);
    for (int i = 0; i < A->rows; i++)
        for (int k = 0; k < A->row[i].count; k++)
            formula_matrix_set(transposed, A->row[i].column[k], i, A->row[i].value[k]);
}

/* eta of R_u' eta = c; of a symmetric R_u by its own elimination. */
static bool solve_transposed(struct tape *tape, const struct explicit_equations *e,
                             const struct solver *solver, formula *c)
{
    if (elimination_is_symmetric(tape, e->R_u)) {
        solver_solve(solver, c);
        return true;
    }
    struct formula_matrix R_u;
    struct solver other;
    struct explicit_equations equations = *e;
    transpose(e->R_u, &R_u);
    equations.R_u = &R_u;
    bool solvable = solver_init(&other, tape, &equations);
    if (solvable)
        solver_solve(&other, c);
    solver_clear(&other);
    formula_matrix_clear(&R_u);
    return solvable;
}

/* The values of unknowns and of eta. Terms of dependent constraints vanish. */
struct values {
    struct tape *tape;
    const struct explicit_equations *e;
    const formula *u, *eta;
};

static formula value_of(void *context, int block, int index)
{
    const struct values *values = context;
    switch (block) {
    case BLOCK_A: case BLOCK_LAMBDA:
        return solution_unknown(values->e, values->u, block, index);
    case BLOCK_ADJOINT:
        return values->eta[index];
    case DIRECTION(BLOCK_ADJOINT, 2): case DIRECTION(BLOCK_A, 2):
    case DIRECTION(BLOCK_LAMBDA, 2):
        return (formula){NULL, 0};
    default:
        return variable(values->tape, block, index);
    }
}

bool explicit_pullback(struct tape *tape, const struct explicit_equations *e,
                       const formula *c, const formula *f, int count, formula *out)
{
    struct solver solver;
    formula *u = memory_new(2 * e->rows, sizeof *u), *eta = u + e->rows;
    struct values values = {tape, e, u, eta};
    bool solvable = solver_init(&solver, tape, e);
    if (solvable) {
        solve_unknowns(tape, e, &solver, u);
        substitute(tape, c, e->rows, value_of, &values, eta);
        solvable = solve_transposed(tape, e, &solver, eta);
    }
    if (solvable)
        substitute(tape, f, count, value_of, &values, out);
    solver_clear(&solver);
    free(u);
    return solvable;
}
