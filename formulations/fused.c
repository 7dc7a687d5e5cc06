#include "fused.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/collect.h"
#include "formula/emit.h"
#include "formula/memory.h"
#include "formula/substitute.h"
#include "linear/elimination.h"

static const unsigned char stages[BLOCK_LIMIT] = {
    [BLOCK_RHO] = FUSED_RHO,
    [BLOCK_T] = FUSED_STATE, [BLOCK_Q] = FUSED_STATE, [BLOCK_V] = FUSED_STATE,
    [BLOCK_S] = FUSED_STATE,
    [TANGENT(BLOCK_Q)] = FUSED_DIRECTION, [TANGENT(BLOCK_V)] = FUSED_DIRECTION,
    [TANGENT(BLOCK_S)] = FUSED_DIRECTION, [TANGENT(BLOCK_RHO)] = FUSED_DIRECTION,
};

/* --- formulas ----------------------------------------------------------------------- */

/* What is known of the unknowns so far: nothing, which is zero; then their values; then
   their derivatives, too. */
struct solution {
    struct tape *tape;
    const struct fused_equations *equations;
    const formula *u, *u_dot;       /* [rows] or NULL */
};

static formula unknown_formula(const struct fused_equations *e, const formula *u,
                               int block, int index)
{
    for (int k = 0; u && k < e->rows; k++)
        if ((int)e->unknown[k].block == block && e->unknown[k].index == index)
            return u[k];
    return (formula){NULL, 0};
}

static bool is_differentiated(const struct fused_equations *e, int index)
{
    for (int j = 0; j < e->columns; j++)
        if (e->parameter[j] == index)
            return true;
    return false;
}

/* Along a trajectory time does not depend on parameters. */
static formula solved(void *context, int block, int index)
{
    const struct solution *solution = context;
    const struct fused_equations *e = solution->equations;
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

/* x [rows] solves R_u x = -f, with what is known of the unknowns in f. */
static void solve(struct solution *known, const struct elimination *elimination,
                  const formula *f, formula *x)
{
    int rows = known->equations->rows;
    substitute(known->tape, f, rows, solved, known, x);
    for (int i = 0; i < rows; i++)
        x[i] = negate(x[i]);
    elimination_solve(elimination, x);
}

/* a, s', z', or their derivatives: `f_s` and `g` with everything known. */
static void rates(struct solution *known, const formula *u, int block, const formula *f_s,
                  const formula *g, formula *out)
{
    const struct fused_equations *e = known->equations;
    for (int i = 0; i < e->n; i++)
        out[i] = unknown_formula(e, u, block, i);
    substitute(known->tape, f_s, e->ns, solved, known, out + e->n);
    substitute(known->tape, g, e->nz, solved, known, out + e->n + e->ns);
}

static struct elimination *eliminate(struct tape *tape, const struct fused_equations *e)
{
    bool *multiplier = memory_new(e->rows, sizeof *multiplier);
    for (int k = 0; k < e->rows; k++)
        multiplier[k] = e->unknown[k].block != BLOCK_A;
    struct elimination *elimination = elimination_new(tape, e->R_u, e->rows, multiplier);
    free(multiplier);
    return elimination;
}

static void multipliers(const struct fused_equations *e, const formula *u, formula *out)
{
    for (int i = 0; i < e->m; i++)
        out[i] = unknown_formula(e, u, BLOCK_LAMBDA, i);
}

/* Outputs: a, s', z'; their derivatives; the pivots; lambda and its derivatives, which the
   right-hand side of a run does not ask for. */
static void seal(struct fused *fused, struct tape *tape,
                 const struct elimination *elimination, const struct fused_equations *e)
{
    struct solution known = {.tape = tape, .equations = e};
    int each = e->n + e->ns + e->nz, at_lambda = 2 * each + e->rows;
    int outputs = at_lambda + 2 * e->m;
    formula *u = memory_new(2 * e->rows, sizeof *u), *u_dot = u + e->rows;
    formula *out = memory_new(outputs, sizeof *out);
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
    collect(tape, out, outputs);
    fused->program = program_seal(tape, out, outputs, stages);
    fused->driven = program_uses(fused->program, BLOCK_T);
    program_balance(fused->program);
    free(u);
    free(out);
}

static int rows_of_stage(const struct fused *fused, int stage)
{
    const int *begin = fused->program->stage_begin;
    return begin[stage + 1] - begin[stage];
}

struct fused *fused_new(struct tape *tape, const struct fused_equations *e)
{
    struct elimination *elimination = eliminate(tape, e);
    if (!elimination)
        return NULL;
    struct fused *fused = memory_new(1, sizeof *fused);
    *fused = (struct fused){.n = e->n, .m = e->m, .ns = e->ns, .state = 2 * e->n + e->ns + e->nz,
                            .columns = e->columns, .pivots = e->rows};
    seal(fused, tape, elimination, e);
    elimination_free(elimination);
    fused->w = memory_new(fused->program->slots, sizeof *fused->w);
    program_init(fused->program, fused->w);
    fused->parameter = memory_new(e->columns, sizeof *fused->parameter);
    memory_copy(fused->parameter, e->parameter, e->columns, sizeof *fused->parameter);
    fused->unit = memory_new(e->parameters, sizeof *fused->unit);
    fused->pivot = memory_new(e->rows, sizeof *fused->pivot);
    fused->compared = memory_new(e->rows, sizeof *fused->compared);
    rental_init(&fused->rental, rows_of_stage(fused, FUSED_STATE) +
                                    rows_of_stage(fused, FUSED_DIRECTION));
    compiled_init(&fused->stages, fused->program, fused->w);
    return fused;
}

void fused_free(struct fused *fused)
{
    if (!fused)
        return;
    code_close(fused->code);
    compiled_clear(&fused->stages);
    program_free(fused->program);
    free(fused->w);
    free(fused->parameter);
    free(fused->unit);
    free(fused->pivot);
    free(fused->compared);
    free(fused);
}

void fused_start(struct fused *fused, const double *rho)
{
    program_load(fused->program, BLOCK_RHO, rho, fused->w);
    program_run(fused->program, FUSED_RHO, fused->w);
    fused->trusted = fused->solves = false;
}

/* --- compiled ----------------------------------------------------------------------- */

/* Where the program finds its inputs in a column of x. */
static void sources(const struct fused *fused, int *from)
{
    const struct program *program = fused->program;
    for (int k = 0; k < program->inputs; k++) {
        const struct program_input *input = &program->input[k];
        int block = input->block % BLOCKS;
        from[k] = input->index;
        if (block == BLOCK_T)
            from[k] = EMIT_TIME;
        if (block == BLOCK_V)
            from[k] += fused->n;
        if (block == BLOCK_S)
            from[k] += 2 * fused->n;
        for (int j = 0; block == BLOCK_RHO && j < fused->columns; j++)
            if (fused->parameter[j] == input->index)
                from[k] = EMIT_UNIT - j;
    }
}

const char fused_symbol[] = "saltus_motion";

/* All but the multipliers. */
char *fused_text(const struct fused *fused, int lanes)
{
    struct program shown = *fused->program, *const program = &shown;
    int rates = fused->state - fused->n;
    program->outputs = 2 * rates + fused->pivots;
    int *from = memory_new(program->inputs, sizeof *from);
    int *to = memory_new(program->outputs, sizeof *to);
    sources(fused, from);
    for (int k = 0; k < program->outputs; k++)
        to[k] = k < 2 * rates ? fused->n + k % rates : -1 - (k - 2 * rates);
    struct emission emission = {
        .name = fused_symbol, .lanes = lanes, .once = FUSED_STATE,
        .columnwise = FUSED_DIRECTION,
        .state = fused->state, .columns = fused->columns, .copied = fused->n,
        .from = from, .to = to, .values = rates};
    char *text = program_emit(program, &emission, fused->w);
    free(from);
    free(to);
    return text;
}

static void find_code(struct fused *fused, bool made)
{
    char *text = fused_text(fused, 0);
    fused->code = code_open(text, fused_symbol, made);
    if (fused->code) {
        void *address = code_symbol(fused->code);
        memcpy(&fused->function, &address, sizeof address);
    }
    free(text);
}

void fused_use_code(struct fused *fused, enum code_use use)
{
    if (rental_use(&fused->rental, use) && !fused->function)
        find_code(fused, true);
    compiled_use_code(&fused->stages, use);
}

/* --- at a point --------------------------------------------------------------------- */

static int at_pivots(const struct fused *fused)
{
    return 2 * (fused->state - fused->n);
}

static void give(const struct fused *fused, int first, int count, double *out)
{
    const int *output = fused->program->output + first;
    for (int i = 0; i < count; i++)
        out[i] = fused->w[output[i]];
}

static void load_values(struct fused *fused, double t, const double *q, const double *v,
                        const double *s)
{
    program_load_point(fused->program, 0, t, q, v, s, fused->w);
}

static void load_direction(struct fused *fused, const double *q, const double *v,
                           const double *s, int parameter)
{
    const struct program *program = fused->program;
    if (parameter >= 0)
        fused->unit[parameter] = 1;
    program_load_point(program, 1, 0, q, v, s, fused->w);
    program_load(program, TANGENT(BLOCK_RHO), fused->unit, fused->w);
    if (parameter >= 0)
        fused->unit[parameter] = 0;
}

static void interpret(struct fused *fused, double t, const double *x, double *dx)
{
    int n = fused->n, rates = fused->state - n, state = fused->state;
    memcpy(dx, x + n, (size_t)n * sizeof *dx);
    load_values(fused, t, x, x + n, x + 2 * n);
    program_run(fused->program, FUSED_STATE, fused->w);
    give(fused, at_pivots(fused), fused->pivots, fused->pivot);
    give(fused, 0, rates, dx + n);
    for (int j = 0; j < fused->columns; j++) {
        const double *X = x + (j + 1) * state;
        double *dX = dx + (j + 1) * state;
        memcpy(dX, X + n, (size_t)n * sizeof *dX);
        load_direction(fused, X, X + n, X + 2 * n, fused->parameter[j]);
        program_run(fused->program, FUSED_DIRECTION, fused->w);
        give(fused, rates, rates, dX + n);
    }
}

/* And what it has cost is noted. */
static __attribute__((noinline)) void interpret_once(struct fused *fused, double t,
                                                     const double *x, double *dx)
{
    interpret(fused, t, x, dx);
    double rows = rows_of_stage(fused, FUSED_STATE) +
                  rows_of_stage(fused, FUSED_DIRECTION) * fused->columns;
    enum rental_due due = rental_spend(&fused->rental, rows);
    if (due != RENTAL_NOTHING)
        find_code(fused, due == RENTAL_MAKE);
}

void fused_evaluate(struct fused *fused, double t, const double *x, double *dx)
{
    if (fused->function) {
        fused->function(fused->w, t, x, dx, fused->pivot);
        return;
    }
    interpret_once(fused, t, x, dx);
}

/* --- solved at one point ------------------------------------------------------------ */

static int at_multipliers(const struct fused *fused)
{
    return at_pivots(fused) + fused->pivots;
}

static bool all_finite(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += 0 * x[i];
    return sum == 0;
}

bool fused_solve(struct fused *fused, double t, const double *q, const double *v,
                 const double *s, double *a, double *lambda)
{
    if (!fused->trusted || !fused->solves || fused->driven)
        return false;
    load_values(fused, t, q, v, s);
    compiled_run(&fused->stages, FUSED_STATE, fused->w);
    give(fused, at_pivots(fused), fused->pivots, fused->pivot);
    give(fused, 0, fused->n, a);
    give(fused, at_multipliers(fused), fused->m, lambda);
    return !fused_in_doubt(fused) && all_finite(a, fused->n) &&
           all_finite(lambda, fused->m);
}

/* s' and z' come after a, or their derivatives after that of a, from output `first` on */
static void give_rates(const struct fused *fused, int first, double *f_s, double *g)
{
    int ns = fused->ns, nz = fused->state - 2 * fused->n - ns;
    if (f_s)
        give(fused, first + fused->n, ns, f_s);
    if (g)
        give(fused, first + fused->n + ns, nz, g);
}

void fused_rates(const struct fused *fused, double *f_s, double *g)
{
    give_rates(fused, 0, f_s, g);
}

void fused_tangent(struct fused *fused, const double *q, const double *v, const double *s,
                   int parameter, double *da, double *dlambda, double *df_s, double *dg)
{
    int rates = fused->state - fused->n;
    load_direction(fused, q, v, s, parameter);
    compiled_run(&fused->stages, FUSED_DIRECTION, fused->w);
    give(fused, rates, fused->n, da);
    give(fused, at_multipliers(fused) + fused->m, fused->m, dlambda);
    give_rates(fused, rates, df_s, dg);
}

/* --- can it be trusted? ------------------------------------------------------------- */

void fused_compared(struct fused *fused, bool agrees)
{
    fused->trusted = fused->solves = agrees;
    for (int k = 0; k < fused->pivots; k++)
        fused->compared[k] = fabs(fused->pivot[k]);
}

bool fused_in_doubt(const struct fused *fused)
{
    static const double much_smaller = 0.25;
    for (int k = 0; k < fused->pivots; k++)
        if (!(fabs(fused->pivot[k]) >= much_smaller * fused->compared[k]))
            return true;
    return false;
}
