/*
 * explicit_formulas.c - symbolic solution of the equations of motion, with one step of
 * iterative refinement where they drift; see explicit_formulas.h.
 */
#include "explicit_formulas.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explicit/elimination.h"
#include "explicit/tearing.h"
#include "formula/diff.h"
#include "formula/substitute.h"
#include "optimise/accumulate.h"
#include "optimise/collect.h"
#include "program/fault.h"
#include "program/stages.h"

/* The unknowns as far as they are known: first zero, then their values, then their
   derivatives, too. */
struct solution {
    struct tape *tape;
    const struct explicit_equations *equations;
    const formula *u, *u_dot;       /* [rows] or NULL */
    const formula *z, *port;        /* tearing variables, and the ports at u; or NULL */
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
    case BLOCK_TEARING:
        return solution->z ? solution->z[index] : (formula){NULL, 0};
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

/* out[i] = f[i] with all that is known in the place of unknowns. f, out [count] */
static void fill_in(struct solution *known, const formula *f, int count, formula *out)
{
    if (known->port) {
        tearing_substitute(known->equations->tearing, f, count, known->port, known->z,
                           out);
        f = out;
    }
    substitute(known->tape, f, count, solved, known, out);
}

/* x = R_u^-1 (-f), without refinement. */
static void solve_for(const struct explicit_equations *e,
                      const struct elimination *elimination, const formula *f, formula *x)
{
    for (int i = 0; i < e->rows; i++)
        x[i] = negate(f[i]);
    elimination_solve(elimination, x);
}

/* Gives a, s', z', or their derivatives: `f_s` and `g` with all unknowns replaced. */
static void rates(struct solution *known, const formula *u, int block, const formula *f_s,
                  const formula *g, formula *out)
{
    const struct explicit_equations *e = known->equations;
    for (int i = 0; i < e->n; i++)
        out[i] = unknown_formula(e, u, block, i);
    fill_in(known, f_s, e->ns, out + e->n);
    fill_in(known, g, e->nz, out + e->n + e->ns);
}

/* --- torn equations (tearing.h) ----------------------------------------------------- */

/* The tearing variables z of equations without them: all arrays are empty. */
struct torn {
    const struct explicit_equations *equations;
    struct tape *tape;
    int count, ports;           /* tearing variables, ports */
    formula *X;                 /* [count][rows] A^-1 B, column by column */
    formula *y0;                /* [ports] ports at u0 */
    formula *Y;                 /* [ports][count] their derivatives along X */
    formula *z;                 /* [count] the variables solved for */
    formula *port;              /* [ports] ports at z */
    formula *J;                 /* [count][rows] dphi/du at z */
    struct elimination *W;      /* of I + J X at z */
    struct arena arena;
};

/* The derivative of an unknown along a column of X. */
struct column {
    const struct explicit_equations *equations;
    const formula *x;           /* [rows] */
};

static formula along_column(void *context, int block, int index)
{
    const struct column *column = context;
    return unknown_formula(column->equations, column->x, block, index);
}

/* X = A^-1 B, from the derivatives of R by the tearing variables. */
static void find_columns(struct torn *t, const struct elimination *elimination)
{
    const struct explicit_equations *e = t->equations;
    formula *B = memory_new(t->count, sizeof *B);
    for (int i = 0; i < e->rows; i++) {
        gradient(e->R[i], BLOCK_TEARING, t->count, B);
        for (int j = 0; j < t->count; j++)
            t->X[j * e->rows + i] = B[j];
    }
    for (int j = 0; j < t->count; j++)
        elimination_solve(elimination, t->X + j * e->rows);
    free(B);
}

/* Ports at u0, and along the columns of X; they are linear in u. */
static void find_ports(struct torn *t, const formula *u0)
{
    const struct explicit_equations *e = t->equations;
    struct solution at = {.tape = t->tape, .equations = e, .u = u0};
    formula *along = memory_new(t->ports, sizeof *along);
    substitute(t->tape, e->tearing->port, t->ports, solved, &at, t->y0);
    for (int j = 0; j < t->count; j++) {
        struct column column = {e, t->X + j * e->rows};
        tangent_along(e->tearing->port, t->ports, along_column, &column, along);
        for (int c = 0; c < t->ports; c++)
            t->Y[c * t->count + j] = along[c];
    }
    free(along);
}

static void ports_at(const struct torn *t, const formula *z, formula *port)
{
    for (int c = 0; c < t->ports; c++)
        port[c] = sub(t->y0[c], dot(t->Y + c * t->count, z, t->count));
}

/* phi(u0 - X z) [count] at ports of the variables z of that block, and the elimination of
   I + J X there; NULL when none can be chosen beforehand. */
static struct elimination *eliminate_torn(const struct torn *t, int block,
                                          const formula *port, formula *phi)
{
    struct formula_matrix W;
    formula one = integer(t->tape, 1);
    formula *phi_z = memory_new(t->count, sizeof *phi_z);
    tearing_substitute(t->equations->tearing, t->equations->tearing->phi, t->count, port,
                       NULL, phi);
    formula_matrix_init(&W, t->count, t->count);
    for (int i = 0; i < t->count; i++) {
        gradient(phi[i], block, t->count, phi_z);
        for (int j = 0; j < t->count; j++) {
            formula entry = i == j ? sub(one, phi_z[j]) : negate(phi_z[j]);
            if (!is_zero(entry))
                formula_matrix_set(&W, i, j, entry);
        }
    }
    bool *multiplier = memory_new(t->count, sizeof *multiplier);
    struct elimination *elimination = elimination_new(t->tape, &W, multiplier);
    formula_matrix_clear(&W);
    free(multiplier);
    free(phi_z);
    return elimination;
}

/* One step of Newton's method, next [count] from the variables of BLOCK_TEARING. */
static bool write_newton(const struct torn *t, formula *next)
{
    formula *z = memory_new(t->count, sizeof *z);
    formula *port = memory_new(t->ports, sizeof *port);
    for (int j = 0; j < t->count; j++)
        z[j] = variable(t->tape, BLOCK_TEARING, j);
    ports_at(t, z, port);
    struct elimination *W = eliminate_torn(t, BLOCK_TEARING, port, next);
    for (int j = 0; j < t->count; j++)
        next[j] = sub(next[j], z[j]);
    if (W)
        elimination_solve(W, next);
    for (int j = 0; j < t->count; j++)
        next[j] = add(z[j], next[j]);
    elimination_free(W);
    free(z);
    free(port);
    return W;
}

/* dphi/du where the equations are solved. */
static void find_gradients(struct torn *t, struct solution *known)
{
    const struct explicit_equations *e = t->equations;
    formula *by_a = memory_new(e->n, sizeof *by_a);
    formula *by_lambda = memory_new(e->m, sizeof *by_lambda);
    for (int i = 0; i < t->count; i++) {
        gradient(e->tearing->phi[i], BLOCK_A, e->n, by_a);
        gradient(e->tearing->phi[i], BLOCK_LAMBDA, e->m, by_lambda);
        for (int k = 0; k < e->rows; k++)
            t->J[i * e->rows + k] = e->unknown[k].block == BLOCK_A
                                        ? by_a[e->unknown[k].index]
                                        : by_lambda[e->unknown[k].index];
    }
    fault_alter(t->tape, "tearing", e->mode, t->J, t->count * e->rows);
    fill_in(known, t->J, t->count * e->rows, t->J);
    free(by_a);
    free(by_lambda);
}

/* x becomes x - X w. */
static void subtract_columns(const struct torn *t, const formula *w, formula *x)
{
    int rows = t->equations->rows;
    for (int j = 0; j < t->count; j++)
        for (int i = 0; i < rows; i++)
            x[i] = sub(x[i], mul(t->X[j * rows + i], w[j]));
}

/* The derivative v = A^-1 (-R') of unknowns at fixed tearing variables becomes
   v - X w, where (I + J X) w = J v. */
static void move_tearing(const struct torn *t, formula *v)
{
    int rows = t->equations->rows;
    formula *w = memory_new(t->count, sizeof *w);
    for (int i = 0; i < t->count; i++)
        w[i] = dot(t->J + i * rows, v, rows);
    elimination_solve(t->W, w);
    subtract_columns(t, w, v);
    free(w);
}

static void torn_init(struct torn *t, struct tape *tape,
                      const struct explicit_equations *e)
{
    int count = e->tearing->count, ports = e->tearing->ports;
    *t = (struct torn){.equations = e, .tape = tape, .count = count, .ports = ports};
    t->X = arena_new(&t->arena, count * e->rows, sizeof *t->X);
    t->y0 = arena_new(&t->arena, ports, sizeof *t->y0);
    t->Y = arena_new(&t->arena, ports * count, sizeof *t->Y);
    t->z = arena_new(&t->arena, count, sizeof *t->z);
    t->port = arena_new(&t->arena, ports, sizeof *t->port);
    t->J = arena_new(&t->arena, count * e->rows, sizeof *t->J);
    for (int j = 0; j < count; j++)
        t->z[j] = variable(tape, BLOCK_TORN, j);
}

static void torn_clear(struct torn *t)
{
    elimination_free(t->W);
    arena_free(&t->arena);
}

/* --- all unknowns ------------------------------------------------------------------- */

/* u from R, which is linear; of torn equations, u0 - X z. False is returned where tearing
   variables cannot be eliminated beforehand. */
static bool solve_values(struct torn *t, const struct elimination *elimination,
                         formula *next, formula *u)
{
    const struct explicit_equations *e = t->equations;
    struct solution known = {.tape = t->tape, .equations = e};
    formula *f = memory_new(e->rows, sizeof *f), *phi = memory_new(t->count, sizeof *phi);
    bool solvable = true;
    substitute(t->tape, e->R, e->rows, solved, &known, f);
    solve_for(e, elimination, f, u);
    if (t->count > 0) {
        find_columns(t, elimination);
        find_ports(t, u);
        ports_at(t, t->z, t->port);
        t->W = eliminate_torn(t, BLOCK_TORN, t->port, phi);
        solvable = t->W && write_newton(t, next);
        subtract_columns(t, t->z, u);
        known.z = t->z;
        substitute(t->tape, e->R, e->rows, solved, &known, f);
    }
    if (e->corrected)
        correct(e, elimination, f, u);
    free(f);
    free(phi);
    return solvable;
}

/* u' along the direction, where `known` has u. */
static void solve_derivatives(struct torn *t, struct solution *known,
                              const struct elimination *elimination, formula *u_dot)
{
    const struct explicit_equations *e = t->equations;
    formula *f = memory_new(e->rows, sizeof *f);
    fill_in(known, e->R_dot, e->rows, f);
    solve_for(e, elimination, f, u_dot);
    if (t->count > 0) {
        find_gradients(t, known);
        move_tearing(t, u_dot);
    }
    if (e->corrected)
        correct(e, elimination, f, u_dot);
    free(f);
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

/* The places of outputs: see explicit_formulas.h. */
struct places {
    int each;                   /* number of a, s', z' */
    int pivots, multipliers, next, all;
};

static struct places places_of(const struct explicit_equations *e)
{
    struct places at = {.each = e->n + e->ns + e->nz};
    at.pivots = 2 * at.each;
    at.multipliers = at.pivots + e->rows + e->tearing->count;
    at.next = at.multipliers + 2 * e->m;
    at.all = at.next + e->tearing->count;
    return at;
}

static bool write_outputs(struct torn *t, const struct elimination *elimination,
                          const struct places *at, formula *out)
{
    const struct explicit_equations *e = t->equations;
    struct solution known = {.tape = t->tape, .equations = e};
    formula *u = memory_new(2 * e->rows, sizeof *u), *u_dot = u + e->rows;
    bool solvable = solve_values(t, elimination, out + at->next, u);
    known.u = u;
    if (t->count > 0) {
        known.z = t->z;
        known.port = t->port;
    }
    if (solvable) {
        rates(&known, u, BLOCK_A, e->f_s, e->g, out);
        multipliers(e, u, out + at->multipliers);
        memory_copy(out + at->pivots, elimination_pivots(elimination), e->rows,
                    sizeof *out);
    }
    if (solvable && t->count > 0)
        memory_copy(out + at->pivots + e->rows, elimination_pivots(t->W), t->count,
                    sizeof *out);
    if (solvable && e->columns > 0) {
        solve_derivatives(t, &known, elimination, u_dot);
        known.u_dot = u_dot;
        rates(&known, u_dot, BLOCK_A, e->f_s_dot, e->g_dot, out + at->each);
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
                 e->tearing->count == 0;
    collect(tape, out, at->all, pairs && !e->corrected);
    accumulate(tape, out, at->all, weight_of_columns(e));
    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE, 0, stages);
    stages[BLOCK_TEARING] = STAGE_UNKNOWN;
    stages[BLOCK_TORN] = STAGE_SOLUTION;
    struct program *program = program_seal(tape, out, at->all, stages);
    program_balance(program, pairs);
    sort_pivots(program, at->pivots, at->multipliers);
    return program;
}

struct program *explicit_formulas(struct tape *tape, const struct explicit_equations *e)
{
    struct elimination *elimination = eliminate(tape, e);
    if (!elimination)
        return NULL;
    struct places at = places_of(e);
    struct torn torn;
    formula *out = memory_new(at.all, sizeof *out);
    torn_init(&torn, tape, e);
    struct program *program = write_outputs(&torn, elimination, &at, out)
                                  ? seal(tape, e, &at, out)
                                  : NULL;
    torn_clear(&torn);
    elimination_free(elimination);
    free(out);
    return program;
}
