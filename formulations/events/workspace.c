#include "events/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The most rows that are looked at in a mode (step_monitors.h), beside the guards. */
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

/* Gives each array its part of a block; NULL: none yet. Returns how long the block is. */
static int lay_out(struct hybrid *core, double *block)
{
    const struct model *model = core->model;
    int dim = core->system->dim, p = core->system->p, events = model->events, used = 0;
    int n = model->n, ns = model->ns, watched = most_watched(core);
    struct { double **array; int size; } const part[] = {
        {&core->x, 2 * dim}, {&core->x_new, 2 * dim}, {&core->trial, 2 * dim},
        {&core->err[0], dim}, {&core->err[1], dim}, {&core->snapshot, dim},
        {&core->size, 2 * n + ns}, {&core->step_size, 2 * n + ns},
        {&core->slip, dim},
        {&core->span.dt0, p}, {&core->span.dt_end, p}, {&core->step_in, model->modes},
        {&core->r, 2 * watched}, {&core->root, events},
        {&core->guard_values, events * (BERNSTEIN_POINTS + BERNSTEIN_CHECKS)},
        {&core->expansion, events * (HYBRID_ORDER + 1)},
        {&core->disturbed, events * (HYBRID_ORDER + 1)}, {&core->beside, 2 * n + ns},
        {&core->moving, 7 * n + 3 * model->m + 3 * ns + 1},
        {&core->early, 2 * n + ns}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        *part[k].array = block ? block + used : NULL;
        used += part[k].size + 1;
    }
    if (block) {
        core->dx = core->x + dim;
        core->dx_new = core->x_new + dim;
        core->trial_dx = core->trial + dim;
    }
    return used;
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
    int events = model->events;
    core->numbers = lay_out(core, NULL);
    core->block = memory_new(core->numbers, sizeof *core->block);
    lay_out(core, core->block);
    core->watch = memory_new(most_watched(core), sizeof *core->watch);
    core->fires = memory_new(events, sizeof *core->fires);
    core->group = memory_new(2 * model->n + model->ns + model->nz + 1,
                             sizeof *core->group);
    core->subsystems = model_groups(model, core->group);
    if (core->integrator->restart)
        core->method = open_method(core);
    simultaneous_init(&core->simultaneous, core->model, core->system->dim);
    singular_init(&core->singular, core);
}

void workspace_release(struct hybrid *core)
{
    free(core->block);
    free(core->watch);
    free(core->fires);
    free(core->group);
    if (core->method)
        core->integrator->release(core->method);
    simultaneous_clear(&core->simultaneous);
    singular_clear(&core->singular);
}

void workspace_renew(struct hybrid *core)
{
    const struct integrator *integrator = core->integrator;
    int events = core->model->events;
    memset(core->block, 0, (size_t)core->numbers * sizeof *core->block);
    memset(core->watch, 0, (size_t)most_watched(core) * sizeof *core->watch);
    memset(core->fires, 0, (size_t)events * sizeof *core->fires);
    if (core->method)
        integrator->restart(core->method);
    else
        core->method = open_method(core);
    rank_monitor_renew(&core->singular.margin);
}
