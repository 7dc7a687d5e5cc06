/*
 * explicit_formulas.c - symbolic solution of the equations of motion, with one step of
 * iterative refinement where they drift; see explicit_formulas.h.
 */
#include "explicit_formulas.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explicit/augmented.h"
#include "explicit/solver.h"
#include "explicit/tearing.h"
#include "explicit/torn.h"
#include "optimise/accumulate.h"
#include "optimise/collect.h"
#include "program/stages.h"

/* The parts of a solution in the making. */
struct parts {
    const struct explicit_equations *equations;
    struct solver solver;
    struct torn torn;
    struct augmented augmented;
    struct solution known;
};

/* Gives a, s', z', or their derivatives: `f_s` and `g` with all unknowns replaced. */
static void rates(struct solution *known, const formula *u, int block, const formula *f_s,
                  const formula *g, formula *out)
{
    const struct explicit_equations *e = known->equations;
    for (int i = 0; i < e->n; i++)
        out[i] = solution_unknown(e, u, block, i);
    solution_fill(known, f_s, e->ns, out + e->n);
    solution_fill(known, g, e->nz, out + e->n + e->ns);
}

/* lambda [m], or its derivatives. */
static void multipliers(const struct explicit_equations *e, const formula *u,
                        formula *out)
{
    for (int i = 0; i < e->m; i++)
        out[i] = solution_unknown(e, u, BLOCK_LAMBDA, i);
}

/* --- all unknowns ------------------------------------------------------------------- */

/* The unknowns u0 without tearing variables and with mu = 0 become u - X z - A^-1 B mu,
   where these have been found, and `next` has the iterates after the variables of
   BLOCK_ITERATED. False is returned where tearing variables cannot be eliminated
   beforehand. */
static bool iterate(struct parts *p, formula *u, formula *next)
{
    const struct explicit_equations *e = p->equations;
    int torn = p->torn.count;
    bool solvable = true;
    formula *iterate = memory_new(e->rows, sizeof *iterate);
    memory_copy(iterate, u, e->rows, sizeof *u);
    augmented_move(&p->augmented, &p->solver, BLOCK_ITERATED, iterate);
    augmented_move(&p->augmented, &p->solver, BLOCK_FOUND, u);
    if (torn > 0) {
        torn_columns(&p->torn, &p->solver);
        solvable = torn_newton(&p->torn, iterate, next) && torn_solve(&p->torn, u);
        torn_subtract(&p->torn, next, iterate);
    }
    if (e->iterated)
        multipliers(e, iterate, next + torn);
    free(iterate);
    return solvable;
}

/* u from R, which is linear in u, tearing variables and mu; false as above. */
static bool solve_values(struct parts *p, formula *next, formula *u)
{
    const struct explicit_equations *e = p->equations;
    struct solution known = {.tape = p->known.tape, .equations = e};
    formula *f = memory_new(e->rows, sizeof *f);
    solution_fill(&known, e->R, e->rows, f);
    solution_solve(e, &p->solver, f, u);
    bool solvable = iterate(p, u, next);
    if (e->corrected) {
        known.z = p->torn.count > 0 ? p->torn.z : NULL;
        solution_fill(&known, e->R, e->rows, f);
        augmented_add(&p->augmented, BLOCK_FOUND, f);
        solution_correct(e, &p->solver, f, u);
    }
    free(f);
    return solvable;
}

/* Multipliers of least norm move with the kernel of R_u, too. */
static void move_kernel(const struct parts *p, formula *u_dot)
{
    const struct explicit_equations *e = p->equations;
    struct solution known = p->known;
    if (e->dependent == 0)
        return;
    formula *x = memory_new(e->n, sizeof *x), *moved = memory_new(e->rows, sizeof *moved);
    solver_kernel(&p->solver, p->known.u, x);
    known.kernel = x;
    solution_fill(&known, e->R_u_dot_y, e->rows, moved);
    solver_add_kernel(&p->solver, moved, u_dot);
    free(x);
    free(moved);
}

/* The derivatives v at fixed tearing variables become those of the unknowns. */
static void move_torn(const struct parts *p, formula *v)
{
    if (p->torn.count > 0)
        torn_move(&p->torn, v);
}

/* u' along the direction, where u is known; next [m of mu] as in iterate. */
static void solve_derivatives(struct parts *p, formula *next, formula *u_dot)
{
    const struct explicit_equations *e = p->equations;
    formula *f = memory_new(e->rows, sizeof *f);
    formula *iterate = memory_new(e->rows, sizeof *iterate);
    solution_fill(&p->known, e->R_dot, e->rows, f);
    solution_solve(e, &p->solver, f, u_dot);
    if (p->torn.count > 0)
        torn_gradients(&p->torn, &p->known);
    memory_copy(iterate, u_dot, e->rows, sizeof *u_dot);
    augmented_move(&p->augmented, &p->solver, TANGENT(BLOCK_ITERATED), iterate);
    move_torn(p, iterate);
    if (e->iterated)
        multipliers(e, iterate, next);
    augmented_move(&p->augmented, &p->solver, TANGENT(BLOCK_FOUND), u_dot);
    move_torn(p, u_dot);
    if (e->corrected) {
        augmented_add(&p->augmented, TANGENT(BLOCK_FOUND), f);
        solution_correct(e, &p->solver, f, u_dot);
    }
    move_kernel(p, u_dot);
    free(f);
    free(iterate);
}

/* The places of outputs: see explicit_formulas.h. */
struct places {
    int each;                   /* number of a, s', z' */
    int pivots, multipliers, next, next_dot, all;
};

static struct places places_of(const struct explicit_equations *e)
{
    int mu = e->iterated ? e->m : 0;
    struct places at = {.each = e->n + e->ns + e->nz};
    at.pivots = 2 * at.each;
    at.multipliers = at.pivots + e->rows + e->tearing->count;
    at.next = at.multipliers + 2 * e->m;
    at.next_dot = at.next + e->tearing->count + mu;
    at.all = at.next_dot + mu;
    return at;
}

static void write_values(struct parts *p, const struct places *at, const formula *u,
                         formula *out)
{
    const struct explicit_equations *e = p->equations;
    rates(&p->known, u, BLOCK_A, e->f_s, e->g, out);
    multipliers(e, u, out + at->multipliers);
    solver_pivots(&p->solver, out + at->pivots);
    if (p->torn.count > 0)
        memory_copy(out + at->pivots + e->rows, elimination_pivots(p->torn.W),
                    p->torn.count, sizeof *out);
}

static bool write_outputs(struct parts *p, const struct places *at, formula *out)
{
    const struct explicit_equations *e = p->equations;
    formula *u = memory_new(2 * e->rows, sizeof *u), *u_dot = u + e->rows;
    bool solvable = solve_values(p, out + at->next, u);
    p->known.u = u;
    if (p->torn.count > 0) {
        p->known.z = p->torn.z;
        p->known.port = p->torn.port;
    }
    if (solvable)
        write_values(p, at, u, out);
    if (solvable && e->columns > 0) {
        solve_derivatives(p, out + at->next_dot, u_dot);
        p->known.u_dot = u_dot;
        rates(&p->known, u_dot, BLOCK_A, e->f_s_dot, e->g_dot, out + at->each);
        multipliers(e, u_dot, out + at->multipliers + e->m);
    }
    free(u);
    return solvable;
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

static struct program *seal(struct tape *tape, const struct explicit_equations *e,
                            const struct places *at, formula *out)
{
    bool pairs = e->columns <= MOST_COLUMNS && e->rows <= MOST_ROWS && !e->beside &&
                 e->tearing->count == 0 && !e->iterated;
    collect(tape, out, at->all, pairs && !e->corrected);
    accumulate(tape, out, at->all, weight_of_columns(e));
    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE, 0, stages);
    stages[BLOCK_ITERATED] = STAGE_UNKNOWN;
    stages[BLOCK_FOUND] = STAGE_SOLUTION;
    stages[TANGENT(BLOCK_ITERATED)] = STAGE_DIRECTION_UNKNOWN;
    stages[TANGENT(BLOCK_FOUND)] = STAGE_DIRECTION_SOLUTION;
    struct program *program = program_seal(tape, out, at->all, stages);
    program_balance(program, pairs);
    sort_pivots(program, at->pivots, at->multipliers);
    return program;
}

struct program *explicit_formulas(struct tape *tape, const struct explicit_equations *e)
{
    struct places at = places_of(e);
    struct parts parts = {.equations = e, .known = {.tape = tape, .equations = e}};
    struct program *program = NULL;
    formula *out = memory_new(at.all, sizeof *out);
    torn_init(&parts.torn, tape, e);
    augmented_init(&parts.augmented, tape, e);
    if (solver_init(&parts.solver, tape, e) && write_outputs(&parts, &at, out))
        program = seal(tape, e, &at, out);
    torn_clear(&parts.torn);
    augmented_clear(&parts.augmented);
    solver_clear(&parts.solver);
    free(out);
    return program;
}
