/*
 * constants.c - the values of formulas without variables, and at the start of a run.
 */
#include "constants.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "gate.h"
#include "program/stages.h"
#include "run.h"

enum status constant_values(const struct model *model, const formula *f, int count,
                            const char *what, double *value, struct diagnosis *diagnosis)
{
    unsigned char stage[BLOCK_LIMIT];
    for (int b = 0; b < BLOCK_LIMIT; b++)
        stage[b] = 1;
    struct program *program = program_seal(model->tape, f, count, stage);
    double *w = memory_new(program->slots, sizeof *w);
    enum status status = OK;
    char blame[300];

    program_init(program, w);
    if (program->inputs > 0)
        status = diagnose(diagnosis, BAD_INPUT, NAN, "%s must not depend on a variable",
                          what);
    for (int i = 0; i < count; i++) {
        value[i] = w[program->output[i]];
        if (status == OK && !isfinite(value[i]) &&
            program_blame_output(program, model->names, i, w, blame, sizeof blame))
            status = diagnose(diagnosis, NOT_FINITE, NAN, "%s: %s", what, blame);
    }
    free(w);
    program_free(program);
    return status;
}

enum status model_nominal_values(const struct model *model, double *value,
                                 struct diagnosis *diagnosis)
{
    formula *f = memory_new(model->p, sizeof *f);
    for (int j = 0; j < model->p; j++)
        f[j] = model->parameter[j].nominal;
    enum status status = constant_values(model, f, model->p, "nominal values", value,
                                         diagnosis);
    free(f);
    return status;
}

/* Refuses output k, a time, that is not finite. */
static enum status finite_time(const struct model *model, const struct program *program,
                               const double *w, int k, const char *what,
                               struct diagnosis *diagnosis)
{
    char reason[200] = "";
    const struct gate gate = {NAN, w[program->output[k]], NULL, reason};
    if (isfinite(gate.value))
        return OK;
    program_blame_output(program, model->names, k, w, reason, sizeof reason);
    return gate_refuse(&gate, diagnosis, "%s", what);
}

enum status model_times(const struct model *model, const double *value, double *t0,
                        double *t_end, struct diagnosis *diagnosis)
{
    unsigned char stage[BLOCK_LIMIT];
    program_stages(0, 0, stage);
    const formula f[2] = {model->t0, model->t_end};
    struct program *program = program_seal(model->tape, f, 2, stage);
    double *w = memory_new(program->slots, sizeof *w);
    program_init(program, w);
    program_set_parameters(program, value, w);
    *t0 = w[program->output[0]];
    *t_end = w[program->output[1]];
    enum status status = finite_time(model, program, w, 0, "the time of the start",
                                     diagnosis);
    if (status == OK)
        status = finite_time(model, program, w, 1, "the end", diagnosis);
    free(w);
    program_free(program);
    return status;
}

/* Values of formulas at parameters rho [p] and y = (t, q, s) [1 + n + ns]. */
static void values_at(const struct model *model, const formula *f, int count,
                      const double *rho, const double *y, double *value)
{
    unsigned char stage[BLOCK_LIMIT];
    program_stages(~0u, 0, stage);
    struct program *program = program_seal(model->tape, f, count, stage);
    double *w = memory_new(program->slots, sizeof *w);
    program_init(program, w);
    program_set_parameters(program, rho, w);
    program_load(program, BLOCK_T, y, w);
    program_load(program, BLOCK_Q, y + 1, w);
    program_load(program, BLOCK_S, y + 1 + model->n, w);
    program_run(program, STAGE_STATE, w);
    for (int i = 0; i < count; i++)
        value[i] = w[program->output[i]];
    free(w);
    program_free(program);
}

void values_at_start(const struct model *model, const formula *f, int count,
                     double *value)
{
    struct diagnosis ignored;
    int n = model->n, ns = model->ns, size = 1 + n + ns;
    formula *start = memory_new(size, sizeof *start);
    double *y = memory_new(size, sizeof *y), *nothing = memory_new(size, sizeof *nothing);
    double *rho = memory_new(model->p, sizeof *rho);
    start[0] = model->t0;
    for (int i = 0; i < n; i++)
        start[1 + i] = model->q0[i].tape ? model->q0[i] : model->q_guess[i];
    for (int i = 0; i < ns; i++)
        start[1 + n + i] = model->s0[i].tape ? model->s0[i] : model->s_guess[i];
    model_nominal_values(model, rho, &ignored);
    values_at(model, start, size, rho, nothing, y);
    values_at(model, f, count, rho, y, value);
    free(start);
    free(y);
    free(nothing);
    free(rho);
}
