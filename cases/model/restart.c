/*
 * restart.c - another start for the formulas of a case (restart.h)
 */
#include "restart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model_internal.h"
#include "program/program.h"

/* Appends a parameter that no formula of the case knows; returns its variable. */
static formula add_parameter(struct model *model, const char *prefix, const char *name)
{
    int j = model->p++;
    struct parameter *all = memory_new(model->p, sizeof *all);
    memory_copy(all, model->parameter, j, sizeof *all);
    free(model->parameter);
    model->parameter = all;
    char full[160];
    snprintf(full, sizeof full, "%s%.120s", prefix, name);
    all[j] = (struct parameter){
        .name = memory_text(full, strlen(full)), .unit = memory_text("1", 1),
        .meaning = memory_text("start", 5), .nominal = integer(model->tape, 0)};
    return variable(model->tape, BLOCK_RHO, j);
}

/* Replaces what the case gives of a start by parameters. */
static void add_state(struct model *model, const struct restart *restart)
{
    model->start_rows = 0;
    for (int i = 0; i < model->n; i++) {
        formula q = add_parameter(model, "start.", model->coordinate[i]);
        model->q0[i] = restart->q_open[i] ? (formula){NULL, 0} : q;
        model->q_guess[i] = restart->q_open[i] ? q : (formula){NULL, 0};
    }
    for (int i = 0; i < model->n; i++) {
        formula v = add_parameter(model, "start.v", model->coordinate[i]);
        model->v0[i] = restart->v_open[i] ? (formula){NULL, 0} : v;
        model->v_guess[i] = (formula){NULL, 0};
    }
    for (int k = 0; k < model->ns; k++) {
        model->s0[k] = add_parameter(model, "start.", model->auxiliary[k]);
        model->s_guess[k] = (formula){NULL, 0};
    }
}

static void record(struct model *model)
{
    struct restart *restart = (struct restart *)model->desc;
    model->desc = restart->of;
    restart->of->record(model);
    model->desc = &restart->desc;
    if (restart->mode >= model->modes)
        return;                     /* the case is malformed, and will be refused */
    restart->first = model->p;
    for (int k = 0; k < model->events; k++)
        model->event[k]->crossed = restart->crossed && restart->crossed[k];
    model->start = model->mode[restart->mode];
    model->t0 = add_parameter(model, "start.", "time");
    model->t_end = add(model->t0, add_parameter(model, "", "length"));
    add_state(model, restart);
}

static bool is_crossed(const struct model *model, const struct event *event,
                       const double *rho, const double *x)
{
    unsigned char stage[BLOCK_LIMIT];
    const double t = 0;
    double r = 0;
    memset(stage, 1, sizeof stage);
    struct program *program = program_seal(model->tape, &event->guard, 1, stage);
    bool known = !program_uses(program, BLOCK_A) && !program_uses(program, BLOCK_LAMBDA);
    double *w = memory_new(program->slots, sizeof *w);
    program_init(program, w);
    program_load(program, BLOCK_RHO, rho, w);
    program_load(program, BLOCK_T, &t, w);
    program_load(program, BLOCK_Q, x, w);
    program_load(program, BLOCK_V, x + model->n, w);
    program_load(program, BLOCK_S, x + 2 * model->n, w);
    if (known) {
        program_run(program, 1, w);
        r = w[program->output[0]];
    }
    program_free(program);
    free(w);
    return !known || r * (int)event->direction > 0;
}

void restart_crossed(const struct model *model, const double *rho, const double *x,
                     bool *crossed)
{
    for (int k = 0; k < model->events; k++)
        crossed[k] = is_crossed(model, model->event[k], rho, x);
}

void restart_settle(struct restart *restart)
{
    restart->desc = *restart->of;
    restart->desc.record = record;
}
