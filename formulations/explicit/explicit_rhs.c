#include "explicit_rhs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "emit/emit.h"
#include "explicit_formulas.h"
#include "linear/klu.h"

static int at_pivots(const struct fused *fused)
{
    return 2 * (fused->state - fused->n);
}

static int rows_of_stage(const struct fused *fused, int stage)
{
    const int *begin = fused->program->stage_begin;
    return begin[stage + 1] - begin[stage];
}

static int rows_that_move(const struct fused *fused)
{
    return rows_of_stage(fused, FUSED_STATE) + rows_of_stage(fused, FUSED_DIRECTION);
}

/* --- as text ------------------------------------------------------------------------ */

/* Where the program finds its inputs in a column of x. */
static void sources(const struct fused *fused, int *from)
{
    const struct program *program = fused->program;
    for (int k = 0; k < program->inputs; k++) {
        const struct program_input *input = &program->input[k];
        bool parameter = input->block % BLOCKS == BLOCK_RHO;
        from[k] = emit_place_of(input, fused->n);
        for (int j = 0; parameter && j < fused->columns; j++)
            if (fused->parameter[j] == input->index)
                from[k] = EMIT_UNIT - j;
    }
}

const char fused_symbol[] = "saltus_motion";

/* The program as C: all but the multipliers. */
struct text {
    struct program program;
    struct emission emission;
    int *from, *to;
};

static void text_init(struct text *text, const struct fused *fused, int lanes)
{
    int rates = fused->state - fused->n;
    text->program = *fused->program;
    text->program.outputs = 2 * rates + fused->pivots;
    text->from = memory_new(text->program.inputs, sizeof *text->from);
    text->to = memory_new(text->program.outputs, sizeof *text->to);
    sources(fused, text->from);
    for (int k = 0; k < text->program.outputs; k++)
        text->to[k] = k < 2 * rates ? fused->n + k % rates : -1 - (k - 2 * rates);
    text->emission = (struct emission){
        .name = fused_symbol, .lanes = lanes, .widest = code_widest(),
        .least_loop = EMIT_LEAST_LOOP, .once = FUSED_STATE, .columnwise = FUSED_DIRECTION,
        .state = fused->state, .columns = fused->columns, .copied = fused->n,
        .from = text->from, .to = text->to, .values = rates};
}

static void text_clear(struct text *text)
{
    free(text->from);
    free(text->to);
}

char *fused_text(const struct fused *fused, int lanes)
{
    struct text text;
    text_init(&text, fused, lanes);
    char *written = program_emit(&text.program, &text.emission, fused->w);
    text_clear(&text);
    return written;
}

static char *text_of(const void *fused)
{
    return fused_text(fused, 0);
}

static int rows_of_text(const struct fused *fused)
{
    struct text text;
    text_init(&text, fused, 0);
    int rows = program_emitted_rows(&text.program, &text.emission);
    text_clear(&text);
    return rows;
}

/* --- made --------------------------------------------------------------------------- */

/* Those that move: what depends on parameters alone is as it was when it was compared. */
static void count_pivots(struct fused *fused, int all)
{
    const int *stage = fused->program->output_stage + at_pivots(fused);
    while (fused->pivots < all && stage[fused->pivots] > FUSED_RHO)
        fused->pivots++;
}

static struct fused *fused_of(struct program *program, const struct fused_equations *e)
{
    struct fused *fused = memory_new(1, sizeof *fused);
    *fused = (struct fused){
        .n = e->n, .m = e->m, .ns = e->ns, .state = 2 * e->n + e->ns + e->nz,
        .columns = e->columns, .program = program,
        .driven = program_uses(program, BLOCK_T)};
    count_pivots(fused, e->rows);
    fused->w = memory_new(program->slots, sizeof *fused->w);
    program_init(program, fused->w);
    fused->parameter = memory_new(e->columns, sizeof *fused->parameter);
    memory_copy(fused->parameter, e->parameter, e->columns, sizeof *fused->parameter);
    fused->unit = memory_new(e->parameters, sizeof *fused->unit);
    fused->pivot = memory_new(e->rows, sizeof *fused->pivot);
    fused->least = memory_new(e->rows, sizeof *fused->least);
    compiled_init(&fused->stages, program, fused->w);
    fused->text_rows = rows_of_text(fused);
    rented_init(&fused->rented, fused_symbol, text_of, rows_that_move(fused),
                fused->text_rows);
    return fused;
}

/* What is compiled in some four seconds. Chains and rows of linkages have 3000 to 6000
   rows of text, however long they are. */
enum { MOST_TEXT = 20000 };

struct fused *fused_new(struct tape *tape, const struct fused_equations *e)
{
    struct program *program = fused_formulas(tape, e);
    if (!program)
        return NULL;
    struct fused *fused = fused_of(program, e);
    if (e->rows < SPARSE_FROM || fused->text_rows <= MOST_TEXT)
        return fused;
    fused_free(fused);
    return NULL;
}

void fused_rental(const struct fused *fused, struct rental *rental)
{
    rental_init(rental, rows_that_move(fused), fused->text_rows);
}

void fused_free(struct fused *fused)
{
    if (!fused)
        return;
    rented_clear(&fused->rented);
    compiled_clear(&fused->stages);
    program_free(fused->program);
    free(fused->w);
    free(fused->parameter);
    free(fused->unit);
    free(fused->pivot);
    free(fused->least);
    free(fused);
}

void fused_start(struct fused *fused, const double *rho)
{
    program_load(fused->program, BLOCK_RHO, rho, fused->w);
    program_run(fused->program, FUSED_RHO, fused->w);
    fused->trusted = fused->solves = false;
}

/* --- compiled ----------------------------------------------------------------------- */

static void take_function(struct fused *fused)
{
    fused->function = (fused_function *)code_function(fused->rented.code);
}

void fused_use_code(struct fused *fused, enum code_use use)
{
    fused->use = use;
    if (rented_use(&fused->rented, fused, use))
        take_function(fused);
    compiled_use_code(&fused->stages, use);
}

/* --- at a point --------------------------------------------------------------------- */

static void give(const struct fused *fused, int first, int count, double *out)
{
    const int *output = fused->program->output + first;
    for (int i = 0; i < count; i++)
        out[i] = fused->w[output[i]];
}

static void load_values(struct fused *fused, double t, const double *q, const double *v,
                        const double *s)
{
    compiled_load_point(&fused->stages, 0, t, q, v, s, fused->w);
}

static void load_direction(struct fused *fused, const double *q, const double *v,
                           const double *s, int parameter)
{
    const struct program *program = fused->program;
    if (parameter >= 0)
        fused->unit[parameter] = 1;
    compiled_load_point(&fused->stages, 1, 0, q, v, s, fused->w);
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
void fused_interpret(struct fused *fused, double t, const double *x, double *dx)
{
    interpret(fused, t, x, dx);
    double rows = rows_of_stage(fused, FUSED_STATE) +
                  rows_of_stage(fused, FUSED_DIRECTION) * fused->columns;
    if (rented_spend(&fused->rented, fused, rows))
        take_function(fused);
}

/* --- solved at one point ------------------------------------------------------------ */

static int at_multipliers(const struct fused *fused)
{
    return fused->program->outputs - 2 * fused->m;
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
    static const double much_smaller = 0.25;
    fused->trusted = fused->solves = agrees;
    for (int k = 0; k < fused->pivots; k++)
        fused->least[k] = much_smaller * fabs(fused->pivot[k]);
}

bool fused_in_doubt(const struct fused *fused)
{
    for (int k = 0; k < fused->pivots; k++)
        if (!(fabs(fused->pivot[k]) >= fused->least[k]))
            return true;
    return false;
}
