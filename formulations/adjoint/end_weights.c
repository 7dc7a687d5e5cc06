/*
 * end_weights.c - the gradient of a terminal cost, by a reverse sweep.
 */
#include "end_weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "adjoint/adjoint_faults.h"
#include "base/memory.h"
#include "formula/diff.h"
#include "gate.h"
#include "program/fault.h"

struct end_weights {
    int cost, n, ns, p;
    int parameters;
    const int *parameter;           /* [parameters] the caller's */
    unsigned faults;                /* set of enum adjoint_fault */
    struct program *program;        /* outputs: w by t, by q, v, s, by the parameters */
    double *w;                      /* work of program */
    double *rates;                  /* [ns + nz] s' and z' */
    struct arena arena;             /* of all arrays */
};

struct end_weights *end_weights_new(const struct model *model, int cost, int parameters,
                                    const int *parameter, unsigned faults)
{
    struct end_weights *weights = memory_new(1, sizeof *weights);
    int n = model->n, ns = model->ns, outputs = 1 + 2 * n + ns + parameters;
    formula w = model->w[cost];
    formula *f = memory_new(outputs, sizeof *f);
    formula *by_rho = memory_new(model->p, sizeof *by_rho);
    *weights = (struct end_weights){.cost = cost, .n = n, .ns = ns, .p = model->p,
                                    .parameters = parameters, .parameter = parameter,
                                    .faults = faults};
    if (!is_zero(w)) {
        gradient(w, BLOCK_T, 1, f);
        gradient(w, BLOCK_Q, n, f + 1);
        gradient(w, BLOCK_V, n, f + 1 + n);
        gradient(w, BLOCK_S, ns, f + 1 + 2 * n);
        gradient(w, BLOCK_RHO, model->p, by_rho);
    }
    for (int j = 0; j < parameters; j++)
        f[1 + 2 * n + ns + j] = by_rho[parameter[j]];
    unsigned char stage[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE, 0, stage);
    weights->program = program_seal_derivatives(model->tape, f, outputs, 0, stage,
                                                "end weights", "");
    weights->w = arena_new(&weights->arena, weights->program->slots, sizeof(double));
    weights->rates = arena_new(&weights->arena, ns + model->nz, sizeof(double));
    program_init(weights->program, weights->w);
    free(by_rho);
    free(f);
    return weights;
}

void end_weights_free(struct end_weights *weights)
{
    if (!weights)
        return;
    program_free(weights->program);
    arena_free(&weights->arena);
    free(weights);
}

static double output(const struct end_weights *weights, int k)
{
    return weights->w[weights->program->output[k]];
}

/* The gate of the derivatives of w: by time, by the state, by the parameters. */
static enum status finite_weights(const struct end_weights *weights,
                                  const struct hybrid *core)
{
    int states = 2 * weights->n + weights->ns;
    for (int k = 0; k < 1 + states + weights->parameters; k++) {
        char name[100] = "time";
        const struct gate gate = {core->t, output(weights, k), name, ""};
        if (isfinite(gate.value))
            continue;
        if (k > states)
            snprintf(name, sizeof name, "%s",
                     core->model->parameter[weights->parameter[k - 1 - states]].name);
        else if (k > 0)
            gate_component(core->model, k - 1, name, sizeof name);
        return gate_refuse(&gate, core->diagnosis, "terminal cost %s",
                           core->model->cost[weights->cost]);
    }
    return OK;
}

enum status end_weights_at(struct end_weights *weights, struct hybrid *core, double *mu,
                           double *G, double *by_time)
{
    int n = weights->n, ns = weights->ns;
    const double *x = core->x;
    struct system *system = core->system;
    enum status status = hybrid_solve(core, core->t, x);
    if (status != OK)
        return status;
    double *f_s = weights->rates, *g = f_s + ns;
    system_rates(system->now, f_s, g);
    program_set_parameters(weights->program, system->rho, weights->w);
    program_load_point(weights->program, 0, core->t, x, x + n, x + 2 * n, weights->w);
    program_run(weights->program, STAGE_STATE, weights->w);
    *by_time = g[weights->cost];
    if (!(weights->faults & ADJOINT_NO_W_T))
        *by_time += output(weights, 0);
    for (int i = 0; i < 2 * n + ns; i++) {
        mu[i] = output(weights, 1 + i);
        *by_time += mu[i] * (i < n ? x[n + i] : i < 2 * n ? system->a[i - n]
                                                          : f_s[i - 2 * n]);
    }
    for (int j = 0; j < weights->parameters; j++)
        G[j] = output(weights, 1 + 2 * n + ns + j);
    return finite_weights(weights, core);
}
