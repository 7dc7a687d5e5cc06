/*
 * terminal_cost.c - costs and their derivatives at the end of a run.
 */
#include "events/terminal_cost.h"

#include <stdlib.h>

#include "base/memory.h"
#include "events/hybrid.h"
#include "formula/diff.h"
#include "program/fault.h"
#include "program/stages.h"

/* The terminal costs w(t,q,v,s,rho) [nz] and their derivatives [nz]. */
struct terminal_cost {
    struct program *program;    /* outputs: w, then w' along a direction */
    double *rows;               /* work of `program` */
    double *f_s, *g;            /* [ns] [nz] s' and z' at the end */
    double *dq, *dv, *ds;       /* [n] [n] [ns] a direction along the moving end */
};

struct terminal_cost *terminal_cost_new(struct arena *arena, const struct model *model)
{
        static const bool moves[BLOCKS] = {
        [BLOCK_RHO] = true, [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true,
        [BLOCK_S] = true};
    int n = model->n, ns = model->ns, nz = model->nz;
    if (nz == 0)
        return NULL;
    struct terminal_cost *end = arena_new(arena, 1, sizeof *end);
    formula *f = memory_new(2 * nz, sizeof *f);
    memory_copy(f, model->w, nz, sizeof *f);
    tangent(model->tape, f, nz, moves, 1, f + nz);
    unsigned char stage[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE, 0, stage);
    end->program = program_seal_derivatives(model->tape, f, 2 * nz, nz, stage, "end", "");
    free(f);
    end->rows = arena_new(arena, end->program->slots, sizeof *end->rows);
    program_init(end->program, end->rows);
    end->f_s = arena_new(arena, 2 * n + 2 * ns + nz, sizeof *end->f_s);
    end->g = end->f_s + ns;
    end->dq = end->g + nz;
    end->dv = end->dq + n;
    end->ds = end->dv + n;
    return end;
}

void terminal_cost_free(struct terminal_cost *end)
{
    if (end)
        program_free(end->program);
}

static void load_end(const struct hybrid *core, struct terminal_cost *end)
{
    int n = core->model->n;
    program_set_parameters(end->program, core->system->rho, end->rows);
    program_load_point(end->program, 0, core->t, core->x, core->x + n, core->x + 2 * n,
                       end->rows);
    program_run(end->program, STAGE_STATE, end->rows);
    system_rates(core->system->now, end->f_s, end->g);
}

/* psi_rho = Z + w' along the moving end + g dt_F/drho. The end
   moves when the model says so or a terminal event ends the run. */
static void cost_gradient(struct hybrid *core, struct terminal_cost *end, int j)
{
    const struct model *model = core->model;
    struct system *system = core->system;
    int n = model->n, ns = model->ns, nz = model->nz;
    const double *X = core->x + (j + 1) * system->state;
    double dt = core->finished ? core->out->event[core->out->events - 1].tau[j]
                               : core->span.dt_end[j];
    for (int i = 0; i < n; i++) {
        end->dq[i] = X[i] + core->x[n + i] * dt;
        end->dv[i] = X[n + i] + system->a[i] * dt;
    }
    for (int i = 0; i < ns; i++)
        end->ds[i] = X[2 * n + i] + end->f_s[i] * dt;
    program_seed_parameter(end->program, system->parameter[j], end->rows);
    program_load_point(end->program, 1, dt, end->dq, end->dv, end->ds, end->rows);
    program_run(end->program, STAGE_DIRECTION, end->rows);
    for (int k = 0; k < nz; k++)
        core->out->psi[(j + 1) * nz + k] = X[2 * n + ns + k] + end->g[k] * dt +
                                           end->rows[end->program->output[nz + k]];
}

enum status terminal_cost_costs(struct hybrid *core)
{
    const struct model *model = core->model;
    struct system *system = core->system;
    int n = model->n, z = 2 * n + model->ns;
    if (model->nz == 0)
        return OK;
    enum status status = hybrid_solve(core, core->t, core->x);
    if (status != OK)
        return status;
    status = edges_at(core, &core->edges.end,
                      &(struct edge_point){.t = core->t, .x = core->x}, "");
    if (status != OK)
        return status;
    struct terminal_cost *end = core->terminal_cost;
    load_end(core, end);
    for (int k = 0; k < model->nz; k++)
        core->out->psi[k] = core->x[z + k] + end->rows[end->program->output[k]];
    for (int j = 0; j < system->p; j++)
        cost_gradient(core, end, j);
    return gate_costs(core);
}

void terminal_cost_blame(const struct hybrid *core, int k, char *text, int size)
{
    const struct terminal_cost *end = core->terminal_cost;
    *text = '\0';
    program_blame_output(end->program, core->model->names, k, end->rows, text, size);
}
