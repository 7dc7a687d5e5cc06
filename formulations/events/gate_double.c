/*
 * gate_double.c - the gate of numbers of a run in double (gate_double.h).
 */
#include "events/gate_double.h"

#include <math.h>

#include "base/largest.h"
#include "events/hybrid.h"
#include "gate.h"

/* The name of the parameter of column j; NULL: the values, j < 0. */
static const char *parameter_of(const struct hybrid *core, int j)
{
    return j < 0 ? NULL : core->model->parameter[core->system->parameter[j]].name;
}

/* The number to name, of `values` values and derivatives behind them, `count` in all: a
   value; else an infinite derivative, which others that are no numbers come from (zero
   times infinity); -1: all are finite. */
static int number_to_name(const double *x, int values, int count)
{
    if (all_finite(x, count))
        return -1;
    for (int k = 0; k < values; k++)
        if (!isfinite(x[k]))
            return k;
    for (int k = values; k < count; k++)
        if (isinf(x[k]))
            return k;
    int k = values;
    while (!isnan(x[k]))
        k++;
    return k;
}

/* Tests a state x [count], without its columns or with them. `what` stands before the
   name of a component, `after` and `of` behind it. */
static enum status test_state(struct hybrid *core, const double *x, int count,
                              const char *what, const char *after, const char *of)
{
    const struct system *system = core->system;
    int k = number_to_name(x, system->state, count);
    if (k < 0)
        return OK;
    char name[100];
    gate_component(core->model, k % system->state, name, sizeof name);
    const struct gate gate = {core->t, x[k], parameter_of(core, k / system->state - 1),
                              ""};
    return gate_refuse(&gate, core->diagnosis, "%s%s%s%s", what, name, after, of);
}

enum status gate_start(struct hybrid *core)
{
    const struct span *span = &core->span;
    const struct {
        const char *name;
        double value;
    } time[] = {{"the time of the start", span->t0}, {"the end", span->t_end}};
    core->t = span->t0;
    for (int k = 0; k < 2; k++) {
        const struct gate gate = {NAN, time[k].value, NULL, ""};
        if (!isfinite(time[k].value))
            return gate_refuse(&gate, core->diagnosis, "%s", time[k].name);
    }
    for (int j = 0; j < core->system->p; j++) {
        const struct gate gate = {span->t0, span->dt_end[j], parameter_of(core, j), ""};
        if (!isfinite(span->dt_end[j]))
            return gate_refuse(&gate, core->diagnosis, "the end");
    }
    return test_state(core, core->x, core->system->dim, "start of ", "", "");
}

enum status gate_rates(struct hybrid *core)
{
    return test_state(core, core->dx, core->system->dim, "the rate of ", " in mode ",
                      core->system->now->mode->name);
}

enum status gate_event(struct hybrid *core, const struct event *event)
{
    struct reset *reset = &core->reset[event->index];
    for (int k = 0; k < core->model->nz; k++) {
        char reason[200] = "";
        const struct gate gate = {core->t, reset_cost(reset, k), NULL, reason};
        if (isfinite(gate.value))
            continue;
        reset_cost_blame(reset, k, reason, sizeof reason);
        return gate_refuse(&gate, core->diagnosis, "cost %s of event %s",
                           core->model->cost[k], event->name);
    }
    return test_state(core, core->sides.after, core->system->state, "", " after event ",
                      event->name);
}

enum status gate_event_columns(struct hybrid *core, const struct event *event)
{
    for (int j = 0; j < core->system->p; j++) {
        const struct gate gate = {core->t, core->sides.tau[j], parameter_of(core, j), ""};
        if (!isfinite(gate.value))
            return gate_refuse(&gate, core->diagnosis, "the time of event %s",
                               event->name);
    }
    return test_state(core, core->sides.after, core->system->dim, "", " after event ",
                      event->name);
}

enum status gate_refuse_jump(struct hybrid *core, const struct event *event, int j)
{
    const struct gate gate = {core->t, NAN, parameter_of(core, j), ""};
    if (core->request->rule)
        return gate_refuse(&gate, core->diagnosis, "the sensitivity jump of event %s, "
                           "rule %s,", event->name, core->request->rule->name);
    return gate_refuse(&gate, core->diagnosis, "the reset of event %s", event->name);
}

enum status gate_point(struct hybrid *core, const struct run_point *point)
{
    const struct columns *columns = &core->out->columns;
    for (int c = 0; c < columns->count; c++) {
        enum column_group group;
        int i, j;
        if (isfinite(point->x[c]))
            continue;
        column_parts(columns, c, &group, &i, &j);
        if (core->request->without_unknowns ||
            (group == GROUP_LAMBDA && i >= point->mode->m))
            continue;
        char name[100];
        column_name(columns, c % columns->width, name, sizeof name);
        const struct gate gate = {point->t, point->x[c], parameter_of(core, j), ""};
        return gate_refuse(&gate, core->diagnosis, "%s in mode %s", name,
                           point->mode->name);
    }
    return OK;
}

enum status gate_costs(struct hybrid *core)
{
    int nz = core->model->nz;
    int k = number_to_name(core->out->psi, nz, nz * (1 + core->system->p));
    char reason[200] = "";
    if (k < 0)
        return OK;
    if (k < nz)
        terminal_cost_blame(core, k, reason, sizeof reason);
    const struct gate gate = {core->t, core->out->psi[k], parameter_of(core, k / nz - 1),
                              reason};
    return gate_refuse(&gate, core->diagnosis, "terminal cost %s",
                       core->model->cost[k % nz]);
}
