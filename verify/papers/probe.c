/*
 * probe.c - formulas at a point of a trajectory, by complex step (probe.h)
 */
#include "papers/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The square of the step vanishes beside any number. */
static const double eps = 1e-40;

void probe_init(struct probe *probe, const struct model *model, const double *rho,
                const formula *f, int count)
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    *probe = (struct probe){.program = program_seal(model->tape, f, count, stage)};
    probe->w = memory_new(probe->program->slots, sizeof *probe->w);
    probe->unit = memory_new(model->p + 1, sizeof *probe->unit);
    probe->value[BLOCK_RHO] = rho;
    program_init_complex(probe->program, probe->w);
}

void probe_clear(struct probe *probe)
{
    program_free(probe->program);
    free(probe->w);
    free(probe->unit);
}

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
    probe_still(probe);
    memset(probe->unit, 0, (size_t)columns->model->p * sizeof *probe->unit);
    probe->unit[columns->parameter[j]] = 1;
    probe->along[BLOCK_RHO] = probe->unit;
}

void probe_still(struct probe *probe)
{
    memset(probe->along, 0, sizeof probe->along);
}

void probe_evaluate(struct probe *probe, double *value, double *derivative)
{
    const struct program *program = probe->program;
    for (int i = 0; i < program->inputs; i++) {
        const struct program_input *input = &program->input[i];
        const double *x = probe->value[input->block], *dx = probe->along[input->block];
        if (!x)
            slip("probe: a formula has a block that is not set");
        probe->w[input->slot] = __builtin_complex(
            x[input->index], dx ? eps * dx[input->index] : 0);
    }
    program_run_complex(program, 1, probe->w);
    for (int i = 0; i < program->outputs; i++) {
        double complex y = probe->w[program->output[i]];
        if (value)
            value[i] = creal(y);
        if (derivative)
            derivative[i] = cimag(y) / eps;
    }
}

/* --- agreement ---------------------------------------------------------------------- */

void match_add(struct match *match, const double *got, const double *want, int count)
{
    for (int i = 0; i < count; i++) {
        if (isnan(want[i]))
            continue;
        double error = isnan(got[i]) ? INFINITY : fabs(got[i] - want[i]);
        match->error = fmax(match->error, error);
        match->size = fmax(match->size, fabs(want[i]));
    }
}

double match_digits(const struct match *match)
{
    double digits = -log10(match->error / fmax(match->size, 1e-3));
    return fmin(fmax(digits, 0), 16);
}
