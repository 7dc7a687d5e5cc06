/*
 * faults.c - fault injection: the faulty parts of the event core (faults.h).
 */
#include "events/faults.h"

#include <string.h>

#include "events/hybrid.h"

enum status fault_interpolate(struct hybrid *core, double h, double t)
{
    int state = core->system->state, dim = core->system->dim;
    struct step *step = &core->step;
    enum status status = hybrid_step_to(core, h, step->x_new, step->dx_new);
    double u = (t - core->t) / h, w = 1 - u;
    for (int i = state; status == OK && i < dim; i++)
        step->trial[i] = w * w * (1 + 2 * u) * core->x[i] +
                         u * u * (3 - 2 * u) * step->x_new[i] +
                         h * u * w * (w * core->dx[i] - u * step->dx_new[i]);
    return status;
}

static size_t columns_size(const struct hybrid *core)
{
    return (size_t)(core->system->dim - core->system->state) * sizeof(double);
}

void fault_keep_snapshot(struct hybrid *core)
{
    memcpy(core->snapshot, core->x + core->system->state, columns_size(core));
}

/* Exchanges the columns of core->x and the columns of the snapshot. */
void fault_show_snapshot(struct hybrid *core)
{
    double *X = core->x + core->system->state;
    for (int i = 0; i < core->system->dim - core->system->state; i++) {
        double now = X[i];
        X[i] = core->snapshot[i];
        core->snapshot[i] = now;
    }
}

void fault_add_change(struct hybrid *core)
{
    double *after = core->sides.after + core->system->state;
    const double *X = core->x + core->system->state;
    for (int i = 0; i < core->system->dim - core->system->state; i++)
        after[i] += core->snapshot[i] - X[i];
    memcpy(core->snapshot, X, columns_size(core));
}

void fault_jump_again(struct hybrid *core)
{
    const struct columns *columns = &core->out->columns;
    const struct event_record *last = &core->out->event[core->out->events - 1];
    const struct model *model = core->model;
    const struct { enum column_group group; int size; } part[] = {
        {GROUP_Q, model->n}, {GROUP_V, model->n}, {GROUP_S, model->ns},
        {GROUP_Z, model->nz}};
    for (int j = 0; j < core->system->p; j++) {
        double *X = core->x + (j + 1) * core->system->state;
        for (size_t k = 0; k < sizeof part / sizeof *part; k++)
            for (int i = 0; i < part[k].size; i++) {
                int c = column(columns, part[k].group, i, j);
                *X++ += last->after.x[c] - last->before.x[c];
            }
    }
}

bool fault_unseen(const struct hybrid *core, int direction, double r)
{
    return (core->faults & FAULT_ONE_DIRECTION) && direction == EITHER && r > 0;
}
