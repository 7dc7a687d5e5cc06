/*
 * explicit_formulas.c - symbolic solution of the equations of motion, with one step of
 * iterative refinement where they drift; see explicit_formulas.h.
 */
#include "explicit_formulas.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explicit/elimination.h"
#include "formula/substitute.h"
#include "optimise/accumulate.h"
#include "optimise/collect.h"
#include "program/stages.h"

/* The unknowns as far as they are known: first zero, then their values, then their
   derivatives, too. */
struct solution {
    struct tape *tape;
    const struct explicit_equations *equations;
    const formula *u, *u_dot;       /* [rows] or NULL */
};

static formula unknown_formula(const struct explicit_equations *e, const formula *u,
                               int block, int index)
{
    for (int k = 0; u && k < e->rows; k++)
        if ((int)e->unknown[k].block == block && e->unknown[k].index == index)
            return u[k];
    return (formula){NULL, 0};
}

static bool is_multiplier(const struct explicit_equations *e, int k)
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
        return unknown_formula(e, solution->u, block, index);
    case TANGENT(BLOCK_A):
        return unknown_formula(e, solution->u_dot, BLOCK_A, index);
    case TANGENT(BLOCK_LAMBDA):
        return unknown_formula(e, solution->u_dot, BLOCK_LAMBDA, index);
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

/* One step of iterative refinement with the same factors, for the residual of the
   constraints alone. The residual stays to be evaluated because f and x are used in two
   places, where collect() takes no sum apart. */
static void correct(const struct explicit_equations *e,
                    const struct elimination *elimination, const formula *f, formula *x)
{
    formula *left = memory_new(e->rows, sizeof *left);
    for (int i = 0; i < e->rows; i++)
        if (is_multiplier(e, i))
            left[i] = negate(add(f[i], formula_matrix_dot(e->R_u, i, x)));
    elimination_solve(elimination, left);
    for (int i = 0; i < e->rows; i++)
        x[i] = add(x[i], left[i]);
    free(left);
}

/* x [rows] solves R_u x = -f, where f is `of` with all known unknowns replaced. */
static void solve(struct solution *known, const struct elimination *elimination,
                  const formula *of, formula *x)
{
    const struct explicit_equations *e = known->equations;
    formula *f = memory_new(e->rows, sizeof *f);
    substitute(known->tape, of, e->rows, solved, known, f);
    for (int i = 0; i < e->rows; i++)
        x[i] = negate(f[i]);
    elimination_solve(elimination, x);
    if (e->corrected)
        correct(e, elimination, f, x);
    free(f);
}

/* Gives a, s', z', or their derivatives: `f_s` and `g` with all unknowns replaced. */
static void rates(struct solution *known, const formula *u, int block, const formula *f_s,
                  const formula *g, formula *out)
{
    const struct explicit_equations *e = known->equations;
    for (int i = 0; i < e->n; i++)
        out[i] = unknown_formula(e, u, block, i);
    substitute(known->tape, f_s, e->ns, solved, known, out + e->n);
    substitute(known->tape, g, e->nz, solved, known, out + e->n + e->ns);
}

static struct elimination *eliminate(struct tape *tape,
                                     const struct explicit_equations *e)
{
    bool *multiplier = memory_new(e->rows, sizeof *multiplier);
    for (int k = 0; k < e->rows; k++)
        multiplier[k] = is_multiplier(e, k);
    struct elimination *elimination = elimination_new(tape, e->R_u, multiplier);
    free(multiplier);
    return elimination;
}

static void multipliers(const struct explicit_equations *e, const formula *u,
                        formula *out)
{
    for (int i = 0; i < e->m; i++)
        out[i] = unknown_formula(e, u, BLOCK_LAMBDA, i);
}

static void write_outputs(struct tape *tape, const struct elimination *elimination,
                          const struct explicit_equations *e, formula *out)
{
    struct solution known = {.tape = tape, .equations = e};
    int each = e->n + e->ns + e->nz, at_lambda = 2 * each + e->rows;
    formula *u = memory_new(2 * e->rows, sizeof *u), *u_dot = u + e->rows;
    solve(&known, elimination, e->R, u);
    known.u = u;
    rates(&known, u, BLOCK_A, e->f_s, e->g, out);
    multipliers(e, u, out + at_lambda);
    if (e->columns > 0) {
        solve(&known, elimination, e->R_dot, u_dot);
        known.u_dot = u_dot;
        rates(&known, u_dot, BLOCK_A, e->f_s_dot, e->g_dot, out + each);
        multipliers(e, u_dot, out + at_lambda + e->m);
    }
    memory_copy(out + 2 * each, elimination_pivots(elimination), e->rows, sizeof *out);
    free(u);
}

/* Sorts pivots that depend on parameters alone to the end. */
static void sort_pivots(struct program *program, int first, int end)
{
    int *slot = program->output, *stage = program->output_stage;
    for (int k = first, moving = first; k < end; k++)
        if (stage[k] > STAGE_RHO) {
            int still_slot = slot[moving], still_stage = stage[moving];
            slot[moving] = slot[k];
            stage[moving++] = stage[k];
            slot[k] = still_slot;
            stage[k] = still_stage;
        }
}

/* Limits of pairing rows: with more columns vectors are full without pairs, and a longer
   chain is evaluated in loops, in which rows must follow each other as they repeat. */
enum { MOST_COLUMNS = 2, MOST_ROWS = 32 };

/* Operations on all columns for one on a value. Columns stand side by side in vectors
   (emit.h), unless runs beside each other fill the vectors. */
static int weight_of_columns(const struct explicit_equations *e)
{
    enum { VECTOR = 4 };
    return e->beside ? e->columns : (e->columns + VECTOR - 1) / VECTOR;
}

struct program *explicit_formulas(struct tape *tape, const struct explicit_equations *e)
{
    struct elimination *elimination = eliminate(tape, e);
    if (!elimination)
        return NULL;
    int at_pivots = 2 * (e->n + e->ns + e->nz), outputs = at_pivots + e->rows + 2 * e->m;
    formula *out = memory_new(outputs, sizeof *out);
    write_outputs(tape, elimination, e, out);
    bool pairs = e->columns <= MOST_COLUMNS && e->rows <= MOST_ROWS && !e->beside;
    collect(tape, out, outputs, pairs && !e->corrected);
    accumulate(tape, out, outputs, weight_of_columns(e));
    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE, 0, stages);
    struct program *program = program_seal(tape, out, outputs, stages);
    program_balance(program, pairs);
    sort_pivots(program, at_pivots, at_pivots + e->rows);
    elimination_free(elimination);
    free(out);
    return program;
}
