/*
 * step_monitors.c - all monitors of a step in one program, compiled when that pays.
 */
#include "step_monitors.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "emit/emit.h"
#include "formula/diff.h"
#include "formula/domain_edges.h"

const char step_monitors_symbol[] = "saltus_look";

static char *text_of(const void *one);
static char *guard_text_of(const void *one);

/* --- formulas ----------------------------------------------------------------------- */

/* The rate of a variable along the motion, itself a variable. */
static formula seed(void *context, int block, int index)
{
    struct tape *tape = context;
    switch (block) {
    case BLOCK_T:
        return constant(tape, "1");
    case BLOCK_Q: case BLOCK_V: case BLOCK_S:
        return variable(tape, TANGENT(block), index);
    default:
        return (formula){NULL, 0};
    }
}

/* Copies the entries of Phi_q, row after row. */
static void take_entries(const struct mode *mode, int n, formula *out)
{
    const struct entries *at = &mode->Phi_q_entries;
    for (int i = 0; i < mode->m; i++)
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
            out[k] = mode->Phi_q[i * n + at->column[k]];
}

static void compile(struct step_monitors *monitors, struct tape *tape,
                    const struct event *const *event)
{
    const struct mode *mode = monitors->mode;
    int guards = monitors->guards, rows = monitors->rows, m = mode->m;
    int outputs = 2 * rows + 2 * m + mode->Phi_q_entries.count;
    formula *f = memory_new(outputs, sizeof *f);
    for (int k = 0; k < guards; k++)
        f[k] = event[k]->guard;
    for (int k = 0; k < monitors->edges; k++) {
        f[guards + k] = mode->edges->edge[k].zero;
        if (monitors->beside[k] >= 0)
            f[monitors->beside[k]] = mode->edges->edge[k].beside;
    }
    tangent_along(f, rows, seed, tape, f + rows);
    memory_copy(f + 2 * rows, mode->Phi, m, sizeof *f);
    memory_copy(f + 2 * rows + m, mode->Phid, m, sizeof *f);
    take_entries(mode, monitors->n, f + 2 * rows + 2 * m);
    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE, 0, stages);
    for (int b = 0; b < BLOCKS; b++)    /* a state and its rate are given at once */
        if (b != BLOCK_RHO && stages[b] != 0)
            stages[TANGENT(b)] = STAGE_STATE;
    monitors->program = program_seal(tape, f, outputs, stages);
    free(f);
}

static int rows_at_point(const struct step_monitors *monitors)
{
    const int *begin = monitors->program->stage_begin;
    return begin[STAGE_STATE + 1] - begin[STAGE_STATE];
}

/* Numbers the rows: guards, monitors, values beside edges. */
static void count_rows(struct step_monitors *monitors, struct arena *arena)
{
    const struct edges *edges = monitors->mode->edges;
    monitors->edges = edges->of_state;
    monitors->rows = monitors->guards + monitors->edges;
    monitors->beside = arena_new(arena, monitors->edges, sizeof *monitors->beside);
    for (int k = 0; k < monitors->edges; k++)
        monitors->beside[k] = edges->edge[k].beside.tape ? monitors->rows++ : -1;
}

/* The number of rows of the program that r needs. Rows stand in the order of the outputs,
   of which r is the first. */
static int rows_of_guards(const struct step_monitors *monitors)
{
    int begin = monitors->program->stage_begin[STAGE_STATE], end = begin;
    for (int k = 0; k < monitors->rows; k++)
        if (monitors->program->output[k] >= end)
            end = monitors->program->output[k] + 1;
    return end - begin;
}

void step_monitors_init(struct step_monitors *monitors, struct arena *arena,
                        const struct model *model, const struct mode *mode,
                        const struct event *const *event, int guards, int dim)
{
    *monitors = (struct step_monitors){
        .mode = mode, .n = model->n, .ns = model->ns, .dim = dim, .guards = guards};
    count_rows(monitors, arena);
    compile(monitors, model->tape, event);
    monitors->w = arena_new(arena, monitors->program->slots, sizeof *monitors->w);
    program_init(monitors->program, monitors->w);
    monitors->value = arena_new(arena, monitors->program->outputs,
                                sizeof *monitors->value);
    monitors->r = monitors->value;
    monitors->rd = monitors->r + monitors->rows;
    monitors->Phi = monitors->rd + monitors->rows;
    monitors->Phid = monitors->Phi + mode->m;
    monitors->Phi_q = monitors->Phid + mode->m;
    tiered_code_init(&monitors->tiered, step_monitors_symbol, text_of,
                     rows_at_point(monitors), rows_at_point(monitors));
    tiered_code_init(&monitors->tiered_guards, step_monitors_symbol, guard_text_of,
                     rows_of_guards(monitors), rows_of_guards(monitors));
}

void step_monitors_clear(struct step_monitors *monitors)
{
    tiered_code_clear(&monitors->tiered);
    tiered_code_clear(&monitors->tiered_guards);
    program_free(monitors->program);
    *monitors = (struct step_monitors){0};
}

void step_monitors_set(struct step_monitors *monitors, const double *rho)
{
    program_set_parameters(monitors->program, rho, monitors->w);
}

/* --- compiled ----------------------------------------------------------------------- */

/* from [inputs]: the place of each input in a state and its rate. */
static void sources(const struct step_monitors *monitors, int *from)
{
    for (int k = 0; k < monitors->program->inputs; k++) {
        const struct program_input *input = &monitors->program->input[k];
        from[k] = emit_place_of(input, monitors->n) +
                  (input->block < BLOCKS ? 0 : monitors->dim);
    }
}

char *step_monitors_text(const struct step_monitors *monitors, int outputs, int lanes)
{
    struct program shown = *monitors->program, *const program = &shown;
    program->outputs = outputs;
    int *from = memory_new(program->inputs, sizeof *from);
    int *to = memory_new(program->outputs, sizeof *to);
    sources(monitors, from);
    for (int k = 0; k < outputs; k++)
        to[k] = k;
    const struct emission emission = {.name = step_monitors_symbol,
                                      .lanes = lanes,
                                      .widest = code_cache_widest(),
                                      .least_loop = EMIT_LEAST_LOOP,
                                      .once = STAGE_STATE,
                                      .columnwise = STAGE_UNKNOWN,
                                      .from = from,
                                      .to = to,
                                      .values = outputs};
    char *text = program_emit(program, &emission, monitors->w);
    free(from);
    free(to);
    return text;
}

static char *text_of(const void *one)
{
    const struct step_monitors *monitors = one;
    return step_monitors_text(monitors, monitors->program->outputs, 0);
}

static char *guard_text_of(const void *one)
{
    const struct step_monitors *monitors = one;
    return step_monitors_text(monitors, monitors->rows, 0);
}

static step_monitors_function *function_of(const struct tiered_code *tiered)
{
    return (step_monitors_function *)code_cache_function(tiered->code);
}

void step_monitors_use_code(struct step_monitors *monitors, enum code_use use)
{
    if (tiered_code_use(&monitors->tiered, monitors, use))
        monitors->function = function_of(&monitors->tiered);
    if (monitors->rows > 0 && tiered_code_use(&monitors->tiered_guards, monitors, use))
        monitors->guard_function = function_of(&monitors->tiered_guards);
}

/* --- at a point --------------------------------------------------------------------- */

/* Evaluates by the interpreter, and notes the cost. */
static void interpret(struct step_monitors *monitors, double t, const double *x)
{
    const struct program *program = monitors->program;
    int n = monitors->n;
    const double *rate = x + monitors->dim;
    program_load_point(program, 0, t, x, x + n, x + 2 * n, monitors->w);
    program_load_point(program, 1, 1, rate, rate + n, rate + 2 * n, monitors->w);
    program_run(program, STAGE_STATE, monitors->w);
    for (int k = 0; k < program->outputs; k++)
        monitors->value[k] = monitors->w[program->output[k]];
    if (tiered_code_spend(&monitors->tiered, monitors, rows_at_point(monitors)))
        monitors->function = function_of(&monitors->tiered);
}

void step_monitors_at(struct step_monitors *monitors, double t, const double *x)
{
    if (monitors->function)
        monitors->function(monitors->w, t, x, monitors->value, NULL);
    else
        interpret(monitors, t, x);
}

void step_monitors_guards_missed(struct step_monitors *monitors)
{
    if (tiered_code_spend(&monitors->tiered_guards, monitors, rows_of_guards(monitors)))
        monitors->guard_function = function_of(&monitors->tiered_guards);
}
