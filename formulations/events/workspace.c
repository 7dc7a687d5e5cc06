/*
 * workspace.c - the workspace of the runs of one request; see workspace.h.
 */
#include "events/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The most rows of the step monitors (step_monitors.h) in a mode, with all guards. */
static int most_watched(const struct hybrid *core)
{
    int most = 0;
    for (int k = 0; k < core->model->modes; k++) {
        const struct step_monitors *monitors = &core->system->mode[k].monitors;
        int more = monitors->rows - monitors->guards;
        most = more > most ? more : most;
    }
    return core->model->events + most;
}

static double *numbers(struct arena *arena, int count)
{
    return arena_new(arena, count, sizeof(double));
}

/* Allocates a state and, right behind it, its rate. */
static void open_state(struct hybrid *core, double **x, double **dx)
{
    int dim = core->system->dim;
    *x = numbers(&core->arena, 2 * dim);
    *dx = *x + dim;
}

static void open_step(struct hybrid *core)
{
    struct step *step = &core->step;
    int dim = core->system->dim;
    open_state(core, &core->x, &core->dx);
    open_state(core, &step->x_new, &step->dx_new);
    open_state(core, &step->trial, &step->trial_dx);
    for (int e = 0; e < 2; e++)
        step->err[e] = numbers(&core->arena, dim);
    unseen_init(&core->unseen, &core->arena, dim,
                2 * core->model->n + core->model->ns);
    step->left_with = numbers(&core->arena, core->model->modes);
    core->snapshot = numbers(&core->arena, dim);
    core->span.dt0 = numbers(&core->arena, core->system->p);
    core->span.dt_end = numbers(&core->arena, core->system->p);
    core->span.stop = numbers(&core->arena, core->model->stops);
    core->course.stop_at = numbers(&core->arena,
                                   core->model->stops + core->request->stops);
}

static void open_guards(struct hybrid *core)
{
    struct guards *guard = &core->guard;
    struct arena *arena = &core->arena;
    int events = core->model->events, watched = most_watched(core);
    guard->watch = arena_new(arena, watched, sizeof *guard->watch);
    guard->fires = arena_new(arena, events, sizeof *guard->fires);
    guard->root = numbers(arena, events);
    guard->value = numbers(arena, events * (BERNSTEIN_POINTS + BERNSTEIN_CHECKS));
    guard->r = numbers(arena, 2 * watched);
    guard->size = numbers(arena, 2 * core->model->n + core->model->ns);
    guard->expansion = numbers(arena, events * (HYBRID_ORDER + 1));
    guard->disturbed = numbers(arena, events * (HYBRID_ORDER + 1));
    bernstein_init(&guard->bernstein);
    guard_series_init(core);
}

static void open_accuracy(struct hybrid *core)
{
    int components = 2 * core->model->n + core->model->ns;
    core->accuracy.size = numbers(&core->arena, components);
    core->accuracy.slip = numbers(&core->arena, core->system->dim);
    core->accuracy.beside = numbers(&core->arena, components);
    core->growth.early = numbers(&core->arena, components);
}

static void *open_method(const struct hybrid *core)
{
    const struct integrator *integrator = core->integrator;
    void *method = integrator->alloc_implicit
                       ? integrator->alloc_implicit(&core->system->implicit)
                   : integrator->alloc_series
                       ? integrator->alloc_series(core->system->dim)
                       : integrator->alloc(core->system->dim);
    if (!method)
        memory_exhausted();
    return method;
}

void workspace_allocate(struct hybrid *core)
{
    const struct model *model = core->model;
    open_step(core);
    open_guards(core);
    open_accuracy(core);
    core->group = arena_new(&core->kept, 2 * model->n + model->ns + model->nz + 1,
                            sizeof *core->group);
    core->subsystems = model_groups(model, core->group);
    if (core->integrator->restart)
        core->method = open_method(core);
    simultaneous_init(core);
    singular_init(&core->singular, core);
    edge_watch_init(&core->edges, &core->kept, model);
    event_allocate(core);
    core->terminal_cost = terminal_cost_new(&core->kept, model);
}

void workspace_release(struct hybrid *core)
{
    if (core->method)
        core->integrator->release(core->method);
    singular_clear(&core->singular);
    edge_watch_clear(&core->edges);
    event_release(core);
    terminal_cost_free(core->terminal_cost);
    guard_series_clear(core);
    arena_free(&core->arena);
    arena_free(&core->kept);
}

void workspace_renew(struct hybrid *core)
{
    arena_zero(&core->arena);
    if (core->method)
        core->integrator->restart(core->method);
    else
        core->method = open_method(core);
    rank_monitor_renew(&core->singular.margin);
}
