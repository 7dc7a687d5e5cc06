/*
 * trajectory.c - the trajectory of a run: points, samples, events.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "events/hybrid.h"

/* The size of a DAE method's a and lambda, with their derivatives, at one point. */
static size_t stage_numbers(const struct model *model, int p)
{
    return (size_t)(model->n + model->m) * (size_t)(1 + p);
}

/* Allocates in one block everything whose size is known beforehand: a trajectory is still
   kept when the next run begins, so its memory is never at hand again. */
struct trajectory *trajectory_blank(const struct run_request *request,
                                    const double *value)
{
    const struct model *model = request->model;
    int p = request->parameters, costs = model->nz * (1 + p);
    struct columns columns;
    columns_init(&columns, model, p, request->parameter);
    size_t points = 2 * (size_t)request->samples + 2;
    size_t of_point = (size_t)columns.count +
                      (request->formulation->kind == DAE ? stage_numbers(model, p) : 0);
    size_t numbers = (size_t)(costs + model->p) +
                     ((size_t)request->samples + 1) * of_point;
    size_t models = request->without_costs ? 1 : 0;     /* the runner's copy ends first */

    struct trajectory *out =
        memory_new(1, sizeof *out + numbers * sizeof *out->psi +
                          points * sizeof *out->sample + models * sizeof *model +
                          (size_t)p * sizeof *out->parameter);
    out->growth = (struct error_growth){.digits = INFINITY, .worn_at = INFINITY,
                                        .none_at = INFINITY,
                                  .parameter = -1};
    out->psi = (double *)(out + 1);
    out->value = value ? out->psi + costs : NULL;
    out->room = out->psi + costs + model->p;
    out->sample = (struct run_point *)(out->psi + numbers);
    struct model *own = (struct model *)(out->sample + points);
    out->parameter = (int *)(own + models);
    if (models > 0)
        *own = *model;
    memory_copy(out->parameter, request->parameter, p, sizeof *out->parameter);
    if (value)
        memory_copy(out->value, value, model->p, sizeof *out->value);
    columns_init(&out->columns, models > 0 ? own : model, p, out->parameter);
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
    for (int k = 0; k < trajectory->events; k++)
        clear_record(&trajectory->event[k]);
    for (int k = 0; k < trajectory->togethers; k++) {
        orders_clear(&trajectory->together[k]);
        free(trajectory->together[k].order);
    }
    free(trajectory->together);
    free(trajectory->event);
    free(trajectory);
}

void point_column(const struct hybrid *core, int j, const double *X, const double *a,
                  const double *lambda, struct run_point *point)
{
    const struct columns *columns = &core->out->columns;
    const struct model *model = core->model;
    int n = model->n, ns = model->ns;
    bool known = !core->request->without_unknowns;
    double *row = point->x + (j + 1) * columns->width;
    memcpy(row + columns->begin[GROUP_Q], X, (size_t)(2 * n + ns) * sizeof *row);
    memcpy(row + columns->begin[GROUP_Z], X + 2 * n + ns,
           (size_t)model->nz * sizeof *row);
    for (int i = 0; i < n; i++)
        row[columns->begin[GROUP_A] + i] = known ? a[i] : NAN;
    for (int i = 0; i < model->m; i++)
        row[columns->begin[GROUP_LAMBDA] + i] =
            known && i < point->mode->m ? lambda[i] : NAN;
}

/* Finds the derivatives of a and lambda by parameter j at the point last solved; with
   j = -1 both are there already. */
static void find_unknowns(struct hybrid *core, int j, const double *x, double *a,
                          double *lambda)
{
    struct system *system = core->system;
    if (j >= 0) {
        const struct state_direction column = system_column(system, x, j);
        system_tangent(system, system->now, &column, a, lambda, NULL, NULL);
    }
}

enum status point_fill(struct hybrid *core, double t, const double *x,
                       struct run_point *point)
{
    struct system *system = core->system;
    bool unknowns = !core->request->without_unknowns;
    enum status status = unknowns ? hybrid_solve(core, t, x) : OK;
    if (status != OK)
        return status;
    point->mode = system->now->mode;
    point->t = t;
    for (int j = -1; j < system->p; j++) {
        const double *X = x + (j + 1) * system->state;
        double *a = j < 0 ? system->a : system->a_dot;
        double *lambda = j < 0 ? system->lambda : system->lambda_dot;
        if (unknowns)
            find_unknowns(core, j, x, a, lambda);
        point_column(core, j, X, a, lambda, point);
    }
    return OK;
}

static enum status append_sample(struct hybrid *core, double t, const double *x)
{
    struct trajectory *out = core->out;
    struct run_point *point = &out->sample[out->samples];
    point->x = out->room;
    enum status status = point_fill(core, t, x, point);
    if (status == OK)
        status = gate_point(core, point);
    if (status == OK) {
        out->samples++;
        out->room += out->columns.count;
    }
    return status;
}

/* Records the unknowns of a DAE at the end of a step, as its method has them: they have
   the order of the method in that index, and stand beside those that solve the equations
   there. Inside a step the method has none. */
static void observe_stage(struct hybrid *core)
{
    const struct system *system = core->system;
    const struct model *model = core->model;
    struct trajectory *out = core->out;
    int width = model->n + model->m;
    if (core->request->formulation->kind != DAE || !core->step.ended ||
        core->request->without_unknowns)
        return;
    double *stage = out->sample[out->samples - 1].stage = out->room;
    out->room += stage_numbers(model, system->p);
    for (int j = 0; j <= system->p; j++, stage += width) {
        for (int i = 0; i < width; i++)
            stage[i] = NAN;
        stage_equations_observe(system, core->integrator->unknowns(core->method, j),
                                stage, stage + model->n);
    }
}

enum status trajectory_sample(struct hybrid *core)
{
    enum status status = append_sample(core, core->t, core->x);
    if (status == OK)
        observe_stage(core);
    return status;
}

enum status trajectory_sample_on_step(struct hybrid *core, double t)
{
    double theta = (t - core->course.passed) / (core->t - core->course.passed);
    enum status status = core->integrator->prepare(core->method, &core->ode);
    if (status != OK)
        return status;
    core->integrator->dense(core->method, theta, 0, core->ode.dim, core->step.trial);
    status = system_project(core->system, t, core->step.trial);
    return status == OK ? append_sample(core, t, core->step.trial) : status;
}

void trajectory_sample_before(struct hybrid *core)
{
    struct trajectory *out = core->out;
    int first = out->events - 1;
    while (first > 0 && out->event[first - 1].after.t == out->event[first].before.t)
        first--;
    out->sample[out->samples++] = out->event[first].before;
}

struct event_record *trajectory_add_event(struct trajectory *out,
                                          const struct event *event)
{
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

static void settle_point(struct run_point *point, const struct model *model)
{
    if (point->mode)
        point->mode = model->mode[point->mode->index];
}

void trajectory_settle(struct trajectory *out, const struct model *model)
{
    for (int k = 0; k < out->samples; k++)
        settle_point(&out->sample[k], model);
    for (int k = 0; k < out->events; k++) {
        struct event_record *record = &out->event[k];
        record->event = model->event[record->event->index];
        settle_point(&record->before, model);
        settle_point(&record->after, model);
    }
    for (int k = 0; k < out->togethers; k++)
        for (int i = 0; i < out->together[k].orders; i++) {
            struct order_tried *order = &out->together[k].order[i];
            for (int e = 0; e < order->events; e++)
                order->event[e] = model->event[order->event[e]->index];
            settle_point(&order->after, model);
        }
}

void trajectory_drop_event(struct hybrid *core)
{
    clear_record(&core->out->event[--core->out->events]);
}

struct together *trajectory_together(struct hybrid *core)
{
    struct trajectory *out = core->out;
    out->together = memory_grow(out->together, &out->together_room, out->togethers + 1,
                                sizeof *out->together);
    struct together *together = &out->together[out->togethers++];
    *together = (struct together){.t = core->t};
    return together;
}
