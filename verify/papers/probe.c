/*
 * probe.c - formulas at a point of a trajectory, by complex step (probe.h)
 */
#include "papers/probe.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The square of the step vanishes beside any number. */
static const double eps = 1e-40;

static int largest_block(const struct model *model)
{
    const int size[] = {model->p, model->n, model->ns, model->m, 1};
    int largest = 0;
    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        largest = size[k] > largest ? size[k] : largest;
    return largest;
}

void probe_init(struct probe *probe, const struct model *model, const double *rho,
                const formula *f, int count)
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    *probe = (struct probe){.program = program_seal(model->tape, f, count, stage),
                            .units = largest_block(model)};
    probe->x = memory_new(probe->program->slots, sizeof *probe->x);
    probe->w = memory_new(probe->program->slots, sizeof *probe->w);
    probe->unit = memory_new(probe->units, sizeof *probe->unit);
    probe->value[BLOCK_RHO] = rho;
    program_init(probe->program, probe->x);
    program_init_complex(probe->program, probe->w);
}

void probe_clear(struct probe *probe)
{
    program_free(probe->program);
    free(probe->x);
    free(probe->w);
    free(probe->unit);
}

/* --- where, and along what ---------------------------------------------------------- */

static const struct { enum block block; enum column_group group; } moving[] = {
    {BLOCK_Q, GROUP_Q}, {BLOCK_V, GROUP_V}, {BLOCK_S, GROUP_S}, {BLOCK_A, GROUP_A},
    {BLOCK_LAMBDA, GROUP_LAMBDA}};
enum { MOVING = sizeof moving / sizeof *moving };

void probe_at(struct probe *probe, const struct columns *columns,
              const struct run_point *point)
{
    probe->value[BLOCK_T] = &point->t;
    for (int k = 0; k < MOVING; k++)
        probe->value[moving[k].block] = point->x + columns->begin[moving[k].group];
    probe_still(probe);
}

void probe_by(struct probe *probe, const struct columns *columns,
              const struct run_point *point, int j)
{
    probe_by_parameter(probe, columns, j);
    for (int k = 0; k < MOVING; k++)
        probe->along[moving[k].block] =
            point->x + column(columns, moving[k].group, 0, j);
}

void probe_by_parameter(struct probe *probe, const struct columns *columns, int j)
{
    probe_by_one(probe, BLOCK_RHO, columns->parameter[j]);
}

void probe_by_one(struct probe *probe, int block, int i)
{
    probe_still(probe);
    memset(probe->unit, 0, (size_t)probe->units * sizeof *probe->unit);
    probe->unit[i] = 1;
    probe->along[block] = probe->unit;
}

void probe_by_time(struct probe *probe)
{
    static const double one = 1;
    probe_still(probe);
    probe->along[BLOCK_T] = &one;
    probe->along[BLOCK_Q] = probe->value[BLOCK_V];
    probe->along[BLOCK_V] = probe->value[BLOCK_A];
}

void probe_only(struct probe *probe, int block)
{
    const double *kept = probe->along[block];
    probe_still(probe);
    probe->along[block] = kept;
}

void probe_still(struct probe *probe)
{
    memset(probe->along, 0, sizeof probe->along);
}

/* --- evaluation --------------------------------------------------------------------- */

static double input_of(const struct program_input *input,
                       const double *const *block_values)
{
    const double *x = block_values[input->block];
    if (!x)
        slip("probe: a formula has a block that is not set");
    return x[input->index];
}

static void evaluate_values(struct probe *probe, double *value)
{
    const struct program *program = probe->program;
    for (int i = 0; i < program->inputs; i++)
        probe->x[program->input[i].slot] = input_of(&program->input[i], probe->value);
    program_run(program, 1, probe->x);
    for (int i = 0; i < program->outputs; i++)
        value[i] = probe->x[program->output[i]];
}

static void evaluate_derivatives(struct probe *probe, double *value, double *derivative)
{
    const struct program *program = probe->program;
    for (int i = 0; i < program->inputs; i++) {
        const struct program_input *input = &program->input[i];
        const double *dx = probe->along[input->block];
        probe->w[input->slot] = __builtin_complex(
            input_of(input, probe->value), dx ? eps * dx[input->index] : 0);
    }
    program_run_complex(program, 1, probe->w);
    for (int i = 0; i < program->outputs; i++) {
        double complex y = probe->w[program->output[i]];
        if (value)
            value[i] = creal(y);
        derivative[i] = cimag(y) / eps;
    }
}

void probe_evaluate(struct probe *probe, double *value, double *derivative)
{
    if (derivative)
        evaluate_derivatives(probe, value, derivative);
    else
        evaluate_values(probe, value);
}
