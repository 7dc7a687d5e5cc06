/*
 * sweep.c - the work that the methods of an adjoint share: pullbacks of the mode in hand,
 * the way back over a projection, and a forward step made again; see sweep.h.
 */
#include "adjoint/sweep.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

void sweep_init(struct sweep *sweep, struct hybrid *core,
                const struct adjoint_request *request, const int *parameter)
{
    const struct model *model = request->run.model;
    struct arena *arena = &sweep->arena;
    int N = 2 * model->n + model->ns, p = request->run.parameters;
    sweep->core = core;
    sweep->N = N;
    sweep->parameters = p;
    sweep->parameter = parameter;
    sweep->pullback = arena_new(arena, model->modes, sizeof *sweep->pullback);
    sweep->set = arena_new(arena, model->modes, sizeof *sweep->set);
    sweep->mu = arena_new(arena, N, sizeof *sweep->mu);
    sweep->mu_z = arena_new(arena, model->nz, sizeof *sweep->mu_z);
    sweep->G = arena_new(arena, p, sizeof *sweep->G);
    sweep->by_x = arena_new(arena, N, sizeof *sweep->by_x);
    sweep->by_rho = arena_new(arena, p, sizeof *sweep->by_rho);
    sweep->unit = arena_new(arena, N + model->nz, sizeof *sweep->unit);
    sweep->own = arena_new(arena, N, sizeof *sweep->own);
    int columns = request->hessian ? 1 + p : 1;
    sweep->dx = arena_new(arena, (N + model->nz) * columns, sizeof *sweep->dx);
    sweep->directions = request->hessian ? p : 0;
    sweep->mu_dot = arena_new(arena, sweep->directions * N, sizeof *sweep->mu_dot);
    sweep->G_dot = arena_new(arena, sweep->directions * p, sizeof *sweep->G_dot);
}

void sweep_clear(struct sweep *sweep, const struct model *model)
{
    for (int k = 0; k < model->modes; k++)
        pullback_free(sweep->pullback[k]);
    arena_free(&sweep->arena);
}

static struct pullback *pullback_in_hand(struct sweep *sweep)
{
    struct system *system = sweep->core->system;
    struct mode_system *ms = system->now;
    int k = ms->mode->index;
    if (!sweep->pullback[k]) {
        sweep->pullback[k] = pullback_new(system, ms, sweep->parameters,
                                          sweep->parameter);
        pullback_use_code(sweep->pullback[k], system->use);
        if (sweep->untransposed)
            pullback_leave_untransposed(sweep->pullback[k]);
    }
    if (!sweep->set[k])
        pullback_set(sweep->pullback[k], system->rho);
    if (!sweep->set[k] && sweep->directions > 0)
        pullback_pivots(sweep->pullback[k]);
    sweep->set[k] = true;
    return sweep->pullback[k];
}

void sweep_restart(struct sweep *sweep)
{
    if (sweep->directions == 0)
        pullback_restart(pullback_in_hand(sweep));
}

enum status sweep_pullback_at(struct sweep *sweep, double t, const double *x)
{
    sweep->pullbacks++;
    sweep->t = t;
    return pullback_at(pullback_in_hand(sweep), sweep->core->system, t, x);
}

enum status sweep_pullback(struct sweep *sweep, const double *mu)
{
    struct hybrid *core = sweep->core;
    enum status status = pullback_weights(pullback_in_hand(sweep), mu, sweep->mu_z,
                                          sweep->by_x, sweep->by_rho);
    if (status == OK)
        return OK;
    return diagnose(core->diagnosis, status, sweep->t, "weights in mode %s",
                    core->system->now->mode->name);
}

enum status sweep_pullback_along(struct sweep *sweep, int k, const double *Y,
                                 const double *mu_dot, double *by_x_dot,
                                 double *by_rho_dot)
{
    struct system *system = sweep->core->system;
    enum status status = pullback_along(pullback_in_hand(sweep), system, Y,
                                        sweep->parameter[k], mu_dot, by_x_dot,
                                        by_rho_dot);
    if (status == NOT_APPLICABLE)
        return diagnose(sweep->core->diagnosis, status, NAN,
                        "second derivatives where multipliers are redundant or iterated");
    return status;
}

/* The weight of a unit column, or with unit -1 of the column of a parameter, after the
   projection. */
static double projected(struct sweep *sweep, int unit, int parameter, const double *mu)
{
    const struct system *system = sweep->core->system;
    int n = system->model->n, N = sweep->N;
    double *Y = sweep->unit, weight = 0;
    memset(Y, 0, (size_t)N * sizeof *Y);
    if (unit >= 0)
        Y[unit] = 1;
    system->formulation->projection->column(system->now->projecting, parameter, Y, Y + n,
                                            Y + 2 * n);
    for (int i = 0; i < N; i++)
        weight += mu[i] * Y[i];
    return weight;
}

/* A projection is linear in a column, and unit columns show its transpose. */
enum status sweep_project_back(struct sweep *sweep, double t, double *x, const double *mu,
                               double *back)
{
    enum status status = system_project(sweep->core->system, t, x);
    if (status != OK)
        return status;
    memory_copy(sweep->own, mu, sweep->N, sizeof *mu);
    for (int i = 0; i < sweep->N; i++)
        back[i] = projected(sweep, i, -1, sweep->own);
    for (int j = 0; j < sweep->parameters; j++)
        sweep->G[j] += projected(sweep, -1, sweep->parameter[j], sweep->own);
    return OK;
}

enum status sweep_step(struct sweep *sweep, const struct history_step *step)
{
    struct hybrid *core = sweep->core;
    core->ode.goes_on = false;
    enum status status = system_rhs(core->system, step->t, step->x, sweep->dx);
    if (status == OK)
        status = core->integrator->step(core->method, &core->ode, step->t, step->h,
                                        step->x, sweep->dx, core->step.x_new,
                                        core->step.dx_new, core->step.err);
    return status;
}
