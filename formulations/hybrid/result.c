/*
 * result.c - what a run leaves behind.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "hybrid/hybrid.h"

struct trajectory *result_new(const struct hybrid *core)
{
    const struct run_request *request = core->request;
    struct trajectory *out = memory_new(1, sizeof *out);
    out->parameter = memory_new(request->parameters, sizeof *out->parameter);
    memory_copy(out->parameter, request->parameter, request->parameters,
                sizeof *out->parameter);
    out->value = memory_new(request->model->p, sizeof *out->value);
    memcpy(out->value, core->system->rho, (size_t)request->model->p * sizeof *out->value);
    if (request->without_costs) {   /* the runner's model ends with it */
        out->model = memory_new(1, sizeof *out->model);
        *out->model = *request->model;
    }
    columns_init(&out->columns, out->model ? out->model : request->model,
                 request->parameters, out->parameter);
    out->psi = memory_new(request->model->nz * (1 + request->parameters), sizeof(double));
    return out;
}

static void clear_record(struct event_record *record)
{
    free(record->tau);
}

void trajectory_free(struct trajectory *trajectory)
{
    if (!trajectory)
        return;
    for (int k = 0; k < trajectory->samples; k++)
        free(trajectory->sample[k].x);
    for (int k = 0; k < trajectory->events; k++)
        clear_record(&trajectory->event[k]);
    for (int k = 0; k < trajectory->togethers; k++) {
        together_clear(&trajectory->together[k]);
        free(trajectory->together[k].order);
    }
    free(trajectory->model);
    free(trajectory->together);
    free(trajectory->sample);
    free(trajectory->event);
    free(trajectory->psi);
    free(trajectory->parameter);
    free(trajectory->value);
    free(trajectory);
}

/* The unknowns of a DAE at the end of a step are its own: they have the order of the
   method in that index. Elsewhere (start, after an event) they are those of the reduced
   equations, as solved before this is called. j = -1: values, else derivatives. */
static void observe(const struct hybrid *core, int j, double *a, double *lambda)
{
    if (core->request->formulation->kind == DAE && core->stepped)
        stage_equations_observe(core->system,
                                core->integrator->unknowns(core->method, j + 1), a,
                                lambda);
}

void point_column(const struct hybrid *core, int j, const double *X, const double *a,
                  const double *lambda, struct run_point *point)
{
    const struct columns *columns = &core->out->columns;
    const struct model *model = core->model;
    int n = model->n, ns = model->ns;
    double *row = point->x + (j + 1) * columns->width;
    memcpy(row + columns->begin[GROUP_Q], X, (size_t)(2 * n + ns) * sizeof *row);
    memcpy(row + columns->begin[GROUP_A], a, (size_t)n * sizeof *row);
    memcpy(row + columns->begin[GROUP_Z], X + 2 * n + ns,
           (size_t)model->nz * sizeof *row);
    for (int i = 0; i < model->m; i++)
        row[columns->begin[GROUP_LAMBDA] + i] = i < point->mode->m ? lambda[i] : NAN;
}

enum status point_fill(struct hybrid *core, double t, const double *x,
                       struct run_point *point)
{
    struct system *system = core->system;
    struct mode_system *ms = system->now;
    int n = core->model->n;
    enum status status = hybrid_solve(core, t, x);
    if (status != OK)
        return status;
    point->mode = ms->mode;
    point->t = t;
    for (int j = -1; j < system->p; j++) {
        const double *X = x + (j + 1) * system->state;
        double *a = j < 0 ? system->a : system->a_dot;
        double *lambda = j < 0 ? system->lambda : system->lambda_dot;
        if (j >= 0) {
            const struct state_direction direction = {
                .q = X, .v = X + n, .s = X + 2 * n, .parameter = system->parameter[j]};
            system_tangent(system, ms, &direction, a, lambda, NULL, NULL);
        }
        observe(core, j, a, lambda);
        point_column(core, j, X, a, lambda, point);
    }
    return OK;
}

static enum status append_sample(struct hybrid *core, double t, const double *x)
{
    struct trajectory *out = core->out;
    struct run_point *point = &out->sample[out->samples];
    point->x = memory_new(out->columns.count, sizeof *point->x);
    enum status status = point_fill(core, t, x, point);
    if (status == OK)
        out->samples++;
    else
        free(point->x);
    return status;
}

enum status result_sample(struct hybrid *core)
{
    return append_sample(core, core->t, core->x);
}

enum status result_sample_on_step(struct hybrid *core, double t)
{
    double theta = (t - core->passed) / (core->t - core->passed);
    enum status status = core->integrator->prepare(core->method, &core->ode);
    if (status != OK)
        return status;
    core->integrator->dense(core->method, theta, 0, core->ode.dim, core->trial);
    status = system_project(core->system, t, core->trial);
    return status == OK ? append_sample(core, t, core->trial) : status;
}

void result_sample_before(struct hybrid *core)
{
    struct trajectory *out = core->out;
    int first = out->events - 1;
    while (first > 0 && out->event[first - 1].after.t == out->event[first].before.t)
        first--;
    struct run_point *point = &out->sample[out->samples++];
    *point = out->event[first].before;
    point->x = memory_new(out->columns.count, sizeof *point->x);
    memcpy(point->x, out->event[first].before.x,
           (size_t)out->columns.count * sizeof *point->x);
}

struct event_record *result_event(struct hybrid *core, const struct event *event)
{
    struct trajectory *out = core->out;
    out->event = memory_grow(out->event, &out->event_room, out->events + 1,
                             sizeof *out->event);
    struct event_record *record = &out->event[out->events++];
    *record = (struct event_record){.event = event};
    int p = out->columns.p, count = out->columns.count;
    record->tau = memory_new(p + event->impulses + 2 * count, sizeof *record->tau);
    record->impulse = record->tau + p;
    record->before.x = record->impulse + event->impulses;
    record->after.x = record->before.x + count;
    return record;
}

void result_drop_event(struct hybrid *core)
{
    clear_record(&core->out->event[--core->out->events]);
}

struct together *result_together(struct hybrid *core)
{
    struct trajectory *out = core->out;
    out->together = memory_grow(out->together, &out->together_room, out->togethers + 1,
                                sizeof *out->together);
    struct together *together = &out->together[out->togethers++];
    *together = (struct together){.t = core->t};
    return together;
}
