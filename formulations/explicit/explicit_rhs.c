/*
 * explicit_rhs.c - the program of symbolically solved equations of motion, interpreted or
 * compiled; see explicit_rhs.h.
 */
#include "explicit_rhs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "emit/emit.h"
#include "explicit/explicit_iterate.h"
#include "explicit_formulas.h"
#include "linear/klu.h"

static int at_pivots(const struct explicit_rhs *explicit_rhs)
{
    return 2 * (explicit_rhs->state - explicit_rhs->n);
}

static int rows_of_stage(const struct explicit_rhs *explicit_rhs, int stage)
{
    const int *begin = explicit_rhs->program->stage_begin;
    return begin[stage + 1] - begin[stage];
}

static int rows_that_move(const struct explicit_rhs *explicit_rhs)
{
    return rows_of_stage(explicit_rhs, STAGE_STATE) +
           rows_of_stage(explicit_rhs, STAGE_DIRECTION);
}

/* --- as text ------------------------------------------------------------------------ */

/* Finds the place of each input of the program in a column of x. */
static void sources(const struct explicit_rhs *explicit_rhs, int *from)
{
    const struct program *program = explicit_rhs->program;
    for (int k = 0; k < program->inputs; k++) {
        const struct program_input *input = &program->input[k];
        bool parameter = input->block % BLOCKS == BLOCK_RHO;
        from[k] = emit_place_of(input, explicit_rhs->n);
        for (int j = 0; parameter && j < explicit_rhs->columns; j++)
            if (explicit_rhs->parameter[j] == input->index)
                from[k] = EMIT_UNIT - j;
    }
}

const char explicit_rhs_symbol[] = "saltus_motion";

/* The program as C, without the multipliers. */
struct text {
    struct program program;
    struct emission emission;
    int *from, *to;
    struct arena arena;         /* of both */
};

static void text_init(struct text *text, const struct explicit_rhs *explicit_rhs,
                      int lanes)
{
    int rates = explicit_rhs->state - explicit_rhs->n;
    text->program = *explicit_rhs->program;
    text->arena = (struct arena){0};
    text->program.outputs = 2 * rates + explicit_rhs->pivots;
    text->from = arena_new(&text->arena, text->program.inputs, sizeof *text->from);
    text->to = arena_new(&text->arena, text->program.outputs, sizeof *text->to);
    sources(explicit_rhs, text->from);
    for (int k = 0; k < text->program.outputs; k++)
        text->to[k] = k < 2 * rates ? explicit_rhs->n + k % rates : -1 - (k - 2 * rates);
    text->emission = (struct emission){.name = explicit_rhs_symbol,
                                       .lanes = lanes,
                                       .widest = code_cache_widest(),
                                       .least_loop = EMIT_LEAST_LOOP,
                                       .once = STAGE_STATE,
                                       .columnwise = STAGE_DIRECTION,
                                       .state = explicit_rhs->state,
                                       .columns = explicit_rhs->columns,
                                       .copied = explicit_rhs->n,
                                       .from = text->from,
                                       .to = text->to,
                                       .values = rates};
}

static void text_clear(struct text *text)
{
    arena_free(&text->arena);
}

char *explicit_rhs_text(const struct explicit_rhs *explicit_rhs, int lanes)
{
    struct text text;
    text_init(&text, explicit_rhs, lanes);
    char *written = program_emit(&text.program, &text.emission, explicit_rhs->w);
    text_clear(&text);
    return written;
}

static char *text_of(const void *explicit_rhs)
{
    return explicit_rhs_text(explicit_rhs, 0);
}

static int rows_of_text(const struct explicit_rhs *explicit_rhs)
{
    if (explicit_rhs->iterates)
        return program_emitted_stages(explicit_rhs->program, EMIT_LEAST_LOOP);
    struct text text;
    text_init(&text, explicit_rhs, 0);
    int rows = program_emitted_rows(&text.program, &text.emission);
    text_clear(&text);
    return rows;
}

/* --- made --------------------------------------------------------------------------- */

/* Counts moving pivots: pivots of parameters alone stay as they were when compared. */
static void count_pivots(struct explicit_rhs *explicit_rhs, int all)
{
    const int *stage = explicit_rhs->program->output_stage + at_pivots(explicit_rhs);
    while (explicit_rhs->pivots < all && stage[explicit_rhs->pivots] > STAGE_RHO)
        explicit_rhs->pivots++;
}

static struct explicit_rhs *explicit_rhs_of(struct program *program,
                                            const struct explicit_equations *e)
{
    struct explicit_rhs *explicit_rhs = memory_new(1, sizeof *explicit_rhs);
    *explicit_rhs = (struct explicit_rhs){.n = e->n,
                                          .m = e->m,
                                          .ns = e->ns,
                                          .state = 2 * e->n + e->ns + e->nz,
                                          .columns = e->columns,
                                          .program = program,
                                          .found = true,
                                          .torn = e->tearing->count,
                                          .mu = e->iterated ? e->m : 0,
                                          .dependent = e->dependent,
                                          .driven = program_uses(program, BLOCK_T)};
    explicit_rhs->iterates = explicit_rhs->torn + explicit_rhs->mu > 0;
    count_pivots(explicit_rhs, e->rows + e->tearing->count);
    struct arena *arena = &explicit_rhs->arena;
    explicit_rhs->w = arena_new(arena, program->slots, sizeof *explicit_rhs->w);
    program_init(program, explicit_rhs->w);
    explicit_rhs->parameter = arena_new(arena, e->columns,
                                        sizeof *explicit_rhs->parameter);
    memory_copy(explicit_rhs->parameter, e->parameter, e->columns,
                sizeof *explicit_rhs->parameter);
    int iterated = explicit_rhs->torn + explicit_rhs->mu;
    explicit_rhs->z = arena_new(arena, 2 * iterated, sizeof *explicit_rhs->z);
    explicit_rhs->unit = arena_new(arena, explicit_rhs->mu, sizeof *explicit_rhs->unit);
    int pivots = e->rows + explicit_rhs->torn;
    explicit_rhs->pivot = arena_new(arena, pivots, sizeof *explicit_rhs->pivot);
    explicit_rhs->least = arena_new(arena, pivots, sizeof *explicit_rhs->least);
    tiered_program_init(&explicit_rhs->stages, program, explicit_rhs->w);
    explicit_rhs->text_rows = rows_of_text(explicit_rhs);
    tiered_code_init(&explicit_rhs->tiered, explicit_rhs_symbol, text_of,
                     rows_that_move(explicit_rhs), explicit_rhs->text_rows);
    return explicit_rhs;
}

/* The longest text, which is compiled in some four seconds. Chains and rows of linkages
   have 3000 to 6000 rows of text, however long they are. */
enum { MOST_TEXT = 20000 };

struct explicit_rhs *explicit_rhs_new(struct tape *tape,
                                      const struct explicit_equations *e)
{
    struct program *program = explicit_formulas(tape, e);
    if (!program)
        return NULL;
    struct explicit_rhs *explicit_rhs = explicit_rhs_of(program, e);
    if (e->rows < SPARSE_FROM || explicit_rhs->text_rows <= MOST_TEXT)
        return explicit_rhs;
    explicit_rhs_free(explicit_rhs);
    return NULL;
}

void explicit_rhs_tier_up(const struct explicit_rhs *explicit_rhs,
                          struct tier_up *tier_up)
{
    tier_up_init(tier_up, rows_that_move(explicit_rhs), explicit_rhs->text_rows);
}

void explicit_rhs_free(struct explicit_rhs *explicit_rhs)
{
    if (!explicit_rhs)
        return;
    tiered_code_clear(&explicit_rhs->tiered);
    tiered_program_clear(&explicit_rhs->stages);
    program_free(explicit_rhs->program);
    arena_free(&explicit_rhs->arena);
    free(explicit_rhs);
}

void explicit_rhs_start(struct explicit_rhs *explicit_rhs, const double *rho)
{
    program_set_parameters(explicit_rhs->program, rho, explicit_rhs->w);
    explicit_rhs->trusted = explicit_rhs->solves = false;
}

/* --- compiled ----------------------------------------------------------------------- */

static void take_function(struct explicit_rhs *explicit_rhs)
{
    explicit_rhs->function = (explicit_rhs_function *)code_cache_function(
        explicit_rhs->tiered.code);
}

void explicit_rhs_use_code(struct explicit_rhs *explicit_rhs, enum code_use use)
{
    explicit_rhs->use = use;
    if (!explicit_rhs->iterates &&
        tiered_code_use(&explicit_rhs->tiered, explicit_rhs, use))
        take_function(explicit_rhs);
    tiered_program_use_code(&explicit_rhs->stages, use);
}

/* --- at a point --------------------------------------------------------------------- */

static void give(const struct explicit_rhs *explicit_rhs, int first, int count,
                 double *out)
{
    const int *output = explicit_rhs->program->output + first;
    for (int i = 0; i < count; i++)
        out[i] = explicit_rhs->w[output[i]];
}

static void load_values(struct explicit_rhs *explicit_rhs, double t, const double *q,
                        const double *v, const double *s)
{
    tiered_program_load_point(&explicit_rhs->stages, 0, t, q, v, s, explicit_rhs->w);
}

static void load_direction(struct explicit_rhs *explicit_rhs, const double *q,
                           const double *v, const double *s, int parameter)
{
    tiered_program_load_point(&explicit_rhs->stages, 1, 0, q, v, s, explicit_rhs->w);
    program_seed_parameter(explicit_rhs->program, parameter, explicit_rhs->w);
}

static void give_values(struct explicit_rhs *explicit_rhs, const double *x, double *dx)
{
    int n = explicit_rhs->n;
    memcpy(dx, x + n, (size_t)n * sizeof *dx);
    give(explicit_rhs, at_pivots(explicit_rhs), explicit_rhs->pivots,
         explicit_rhs->pivot);
    give(explicit_rhs, 0, explicit_rhs->state - n, dx + n);
}

static void load_column(struct explicit_rhs *explicit_rhs, int j, const double *x)
{
    int n = explicit_rhs->n;
    const double *X = x + (j + 1) * explicit_rhs->state;
    load_direction(explicit_rhs, X, X + n, X + 2 * n, explicit_rhs->parameter[j]);
}

static void give_column(const struct explicit_rhs *explicit_rhs, int j, const double *x,
                        double *dx)
{
    int n = explicit_rhs->n, rates = explicit_rhs->state - n;
    const double *X = x + (j + 1) * explicit_rhs->state;
    double *dX = dx + (j + 1) * explicit_rhs->state;
    memcpy(dX, X + n, (size_t)n * sizeof *dX);
    give(explicit_rhs, rates, rates, dX + n);
}

static void give_nothing(struct explicit_rhs *explicit_rhs, double *dx)
{
    int dim = (1 + explicit_rhs->columns) * explicit_rhs->state;
    for (int i = 0; i < dim; i++)
        dx[i] = NAN;
    for (int k = 0; k < explicit_rhs->pivots; k++)
        explicit_rhs->pivot[k] = NAN;
}

/* Runs a stage of x'. Without an iteration compiled code of x' is one function, which
   counts the rows for itself. */
static void run_stage(struct explicit_rhs *explicit_rhs, int stage)
{
    if (explicit_rhs->iterates)
        tiered_program_run(&explicit_rhs->stages, stage, explicit_rhs->w);
    else
        program_run(explicit_rhs->program, stage, explicit_rhs->w);
}

/* Counts the cost of an evaluation towards compiling that function. */
static void count_rows(struct explicit_rhs *explicit_rhs)
{
    double rows = rows_of_stage(explicit_rhs, STAGE_STATE) +
                  rows_of_stage(explicit_rhs, STAGE_DIRECTION) * explicit_rhs->columns;
    if (!explicit_rhs->iterates &&
        tiered_code_spend(&explicit_rhs->tiered, explicit_rhs, rows))
        take_function(explicit_rhs);
}

void explicit_rhs_interpret(struct explicit_rhs *explicit_rhs, double t, const double *x,
                            double *dx)
{
    int n = explicit_rhs->n;
    load_values(explicit_rhs, t, x, x + n, x + 2 * n);
    run_stage(explicit_rhs, STAGE_STATE);
    explicit_rhs->found = explicit_iterate(explicit_rhs);
    if (explicit_rhs->found)
        give_values(explicit_rhs, x, dx);
    for (int j = 0; j < explicit_rhs->columns && explicit_rhs->found; j++) {
        load_column(explicit_rhs, j, x);
        run_stage(explicit_rhs, STAGE_DIRECTION);
        explicit_rhs->found = explicit_iterate_direction(explicit_rhs);
        give_column(explicit_rhs, j, x, dx);
    }
    if (!explicit_rhs->found)
        give_nothing(explicit_rhs, dx);
    count_rows(explicit_rhs);
}

/* --- solved at one point ------------------------------------------------------------ */

static int at_multipliers(const struct explicit_rhs *explicit_rhs)
{
    return explicit_rhs->program->outputs - 2 * explicit_rhs->m - explicit_rhs->torn -
           2 * explicit_rhs->mu;
}

bool explicit_rhs_solve(struct explicit_rhs *explicit_rhs, double t, const double *q,
                        const double *v, const double *s, double *a, double *lambda)
{
    if (!explicit_rhs->trusted || !explicit_rhs->solves || explicit_rhs->driven)
        return false;
    load_values(explicit_rhs, t, q, v, s);
    tiered_program_run(&explicit_rhs->stages, STAGE_STATE, explicit_rhs->w);
    if (!explicit_iterate(explicit_rhs))
        return false;
    give(explicit_rhs, at_pivots(explicit_rhs), explicit_rhs->pivots,
         explicit_rhs->pivot);
    give(explicit_rhs, 0, explicit_rhs->n, a);
    give(explicit_rhs, at_multipliers(explicit_rhs), explicit_rhs->m, lambda);
    return !explicit_rhs_in_doubt(explicit_rhs) && all_finite(a, explicit_rhs->n) &&
           all_finite(lambda, explicit_rhs->m);
}

/* Gives s' and z', which come after a, or their derivatives, from output `first` on. */
static void give_rates(const struct explicit_rhs *explicit_rhs, int first, double *f_s,
                       double *g)
{
    int ns = explicit_rhs->ns, nz = explicit_rhs->state - 2 * explicit_rhs->n - ns;
    if (f_s)
        give(explicit_rhs, first + explicit_rhs->n, ns, f_s);
    if (g)
        give(explicit_rhs, first + explicit_rhs->n + ns, nz, g);
}

void explicit_rhs_rates(const struct explicit_rhs *explicit_rhs, double *f_s, double *g)
{
    give_rates(explicit_rhs, 0, f_s, g);
}

void explicit_rhs_tangent(struct explicit_rhs *explicit_rhs, const double *q,
                          const double *v, const double *s, int parameter, double *da,
                          double *dlambda, double *df_s, double *dg)
{
    int rates = explicit_rhs->state - explicit_rhs->n;
    load_direction(explicit_rhs, q, v, s, parameter);
    tiered_program_run(&explicit_rhs->stages, STAGE_DIRECTION, explicit_rhs->w);
    bool found = explicit_iterate_direction(explicit_rhs);
    give(explicit_rhs, rates, explicit_rhs->n, da);
    give(explicit_rhs, at_multipliers(explicit_rhs) + explicit_rhs->m, explicit_rhs->m,
         dlambda);
    give_rates(explicit_rhs, rates, df_s, dg);
    for (int i = 0; i < explicit_rhs->n && !found; i++)
        da[i] = NAN;
    for (int i = 0; i < explicit_rhs->m && !found; i++)
        dlambda[i] = NAN;
}

/* --- can it be trusted? ------------------------------------------------------------- */

void explicit_rhs_units(struct explicit_rhs *explicit_rhs, const double *unit)
{
    memory_copy(explicit_rhs->unit, unit, explicit_rhs->mu, sizeof *unit);
}

void explicit_rhs_compared(struct explicit_rhs *explicit_rhs, bool agrees)
{
    static const double much_smaller = 0.25;
    explicit_rhs->trusted = explicit_rhs->solves = agrees;
    for (int k = 0; k < explicit_rhs->pivots; k++)
        explicit_rhs->least[k] = much_smaller * fabs(explicit_rhs->pivot[k]);
}

/* Is a pivot smaller than this part of the magnitude from which on it is in doubt? */
static bool is_less(const struct explicit_rhs *explicit_rhs, double part)
{
    for (int k = 0; k < explicit_rhs->pivots; k++)
        if (!(fabs(explicit_rhs->pivot[k]) >= part * explicit_rhs->least[k]))
            return true;
    return false;
}

bool explicit_rhs_in_doubt(const struct explicit_rhs *explicit_rhs)
{
    return is_less(explicit_rhs, 1);
}

bool explicit_rhs_is_lost(const struct explicit_rhs *explicit_rhs)
{
    static const double part = 0.1;
    return is_less(explicit_rhs, part);
}
