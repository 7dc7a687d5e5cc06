#include "step_monitors.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "emit/emit.h"
#include "formula/diff.h"

enum { AT_RHO = 1, AT_POINT, NOTHING };

const char look_symbol[] = "saltus_look";

static char *text_of(const void *one);
static char *guard_text_of(const void *one);

static const unsigned char stages[BLOCK_LIMIT] = {
    [BLOCK_RHO] = AT_RHO,
    [BLOCK_T] = AT_POINT, [BLOCK_Q] = AT_POINT, [BLOCK_V] = AT_POINT,
    [BLOCK_S] = AT_POINT,
    [TANGENT(BLOCK_Q)] = AT_POINT, [TANGENT(BLOCK_V)] = AT_POINT,
    [TANGENT(BLOCK_S)] = AT_POINT,
};

/* --- formulas ----------------------------------------------------------------------- */

/* What moves along the motion. */
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

/* The entries of Phi_q, row after row. */
static void take_entries(const struct mode *mode, int n, formula *out)
{
    const struct entries *at = &mode->Phi_q_entries;
    for (int i = 0; i < mode->m; i++)
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
            out[k] = mode->Phi_q[i * n + at->column[k]];
}

static void compile(struct look *look, struct tape *tape,
                    const struct event *const *event)
{
    const struct mode *mode = look->mode;
    int guards = look->guards, rows = look->rows, m = mode->m;
    int outputs = 2 * rows + 2 * m + mode->Phi_q_entries.count;
    formula *f = memory_new(outputs, sizeof *f);
    for (int k = 0; k < guards; k++)
        f[k] = event[k]->guard;
    for (int k = 0; k < look->edges; k++) {
        f[guards + k] = mode->edges.edge[k].zero;
        if (look->beside[k] >= 0)
            f[look->beside[k]] = mode->edges.edge[k].beside;
    }
    tangent_along(f, rows, seed, tape, f + rows);
    memory_copy(f + 2 * rows, mode->Phi, m, sizeof *f);
    memory_copy(f + 2 * rows + m, mode->Phid, m, sizeof *f);
    take_entries(mode, look->n, f + 2 * rows + 2 * m);
    look->program = program_seal(tape, f, outputs, stages);
    free(f);
}

static int rows_at_point(const struct look *look)
{
    const int *begin = look->program->stage_begin;
    return begin[AT_POINT + 1] - begin[AT_POINT];
}

/* Which rows there are: guards, monitors, what is beside these. */
static void count_rows(struct look *look)
{
    const struct edges *edges = &look->mode->edges;
    look->edges = edges->of_state;
    look->rows = look->guards + look->edges;
    look->beside = memory_new(look->edges, sizeof *look->beside);
    for (int k = 0; k < look->edges; k++)
        look->beside[k] = edges->edge[k].beside.tape ? look->rows++ : -1;
}

/* Rows stand in the order of the outputs, of which guards are the first. */
static int rows_of_guards(const struct look *look)
{
    int begin = look->program->stage_begin[AT_POINT], end = begin;
    for (int k = 0; k < look->rows; k++)
        if (look->program->output[k] >= end)
            end = look->program->output[k] + 1;
    return end - begin;
}

void look_init(struct look *look, const struct model *model, const struct mode *mode,
               const struct event *const *event, int guards, int dim)
{
    *look = (struct look){.mode = mode, .n = model->n, .ns = model->ns, .dim = dim,
                          .guards = guards};
    count_rows(look);
    compile(look, model->tape, event);
    look->w = memory_new(look->program->slots, sizeof *look->w);
    program_init(look->program, look->w);
    look->value = memory_new(look->program->outputs, sizeof *look->value);
    look->r = look->value;
    look->rd = look->r + look->rows;
    look->Phi = look->rd + look->rows;
    look->Phid = look->Phi + mode->m;
    look->Phi_q = look->Phid + mode->m;
    rented_init(&look->rented, look_symbol, text_of, rows_at_point(look),
                rows_at_point(look));
    rented_init(&look->rented_guards, look_symbol, guard_text_of, rows_of_guards(look),
                rows_of_guards(look));
}

void look_clear(struct look *look)
{
    rented_clear(&look->rented);
    rented_clear(&look->rented_guards);
    program_free(look->program);
    free(look->w);
    free(look->value);
    free(look->beside);
    *look = (struct look){0};
}

void look_set(struct look *look, const double *rho)
{
    program_load(look->program, BLOCK_RHO, rho, look->w);
    program_run(look->program, AT_RHO, look->w);
}

/* --- compiled ----------------------------------------------------------------------- */

/* Where the program finds its inputs. */
static void sources(const struct look *look, int *from)
{
    for (int k = 0; k < look->program->inputs; k++) {
        const struct program_input *input = &look->program->input[k];
        from[k] = emit_place_of(input, look->n) + (input->block < BLOCKS ? 0 : look->dim);
    }
}

char *look_text(const struct look *look, int outputs, int lanes)
{
    struct program shown = *look->program, *const program = &shown;
    program->outputs = outputs;
    int *from = memory_new(program->inputs, sizeof *from);
    int *to = memory_new(program->outputs, sizeof *to);
    sources(look, from);
    for (int k = 0; k < outputs; k++)
        to[k] = k;
    const struct emission emission = {
        .name = look_symbol, .lanes = lanes, .widest = code_widest(),
        .least_loop = EMIT_LEAST_LOOP, .once = AT_POINT, .columnwise = NOTHING,
        .from = from, .to = to, .values = outputs};
    char *text = program_emit(program, &emission, look->w);
    free(from);
    free(to);
    return text;
}

static char *text_of(const void *one)
{
    const struct look *look = one;
    return look_text(look, look->program->outputs, 0);
}

static char *guard_text_of(const void *one)
{
    const struct look *look = one;
    return look_text(look, look->rows, 0);
}

static look_function *function_of(const struct rented *rented)
{
    return (look_function *)code_function(rented->code);
}

void look_use_code(struct look *look, enum code_use use)
{
    if (rented_use(&look->rented, look, use))
        look->function = function_of(&look->rented);
    if (look->rows > 0 && rented_use(&look->rented_guards, look, use))
        look->guard_function = function_of(&look->rented_guards);
}

/* --- at a point --------------------------------------------------------------------- */

/* And what it has cost is noted. */
static void interpret(struct look *look, double t, const double *x)
{
    const struct program *program = look->program;
    int n = look->n;
    const double *rate = x + look->dim;
    program_load_point(program, 0, t, x, x + n, x + 2 * n, look->w);
    program_load_point(program, 1, 1, rate, rate + n, rate + 2 * n, look->w);
    program_run(program, AT_POINT, look->w);
    for (int k = 0; k < program->outputs; k++)
        look->value[k] = look->w[program->output[k]];
    if (rented_spend(&look->rented, look, rows_at_point(look)))
        look->function = function_of(&look->rented);
}

void look_at(struct look *look, double t, const double *x)
{
    if (look->function)
        look->function(look->w, t, x, look->value, NULL);
    else
        interpret(look, t, x);
}

void look_guards_missed(struct look *look)
{
    if (rented_spend(&look->rented_guards, look, rows_of_guards(look)))
        look->guard_function = function_of(&look->rented_guards);
}
