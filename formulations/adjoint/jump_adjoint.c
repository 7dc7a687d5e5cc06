/*
 * jump_adjoint.c - the transpose of a jump rule, by unit columns.
 */
#include "jump_adjoint.h"

#include <stdlib.h>
#include <string.h>

#include "adjoint/adjoint_faults.h"
#include "base/memory.h"

struct jump_adjoint {
    int n, ns, nz, m, N, parameters;
    const int *parameter;
    unsigned faults;                /* set of enum adjoint_fault */
    double *A, *Lambda;             /* [columns][n] [columns][m] U- of unit columns */
    double *before, *after;         /* [N + nz + n + m] a column on each side */
    struct arena arena;             /* of all arrays */
};

struct jump_adjoint *jump_adjoint_new(const struct model *model, int parameters,
                                      const int *parameter, unsigned faults)
{
    struct jump_adjoint *work = memory_new(1, sizeof *work);
    int N = 2 * model->n + model->ns, columns = N + parameters;
    int each = N + model->nz + model->n + model->m;
    *work = (struct jump_adjoint){.n = model->n, .ns = model->ns, .nz = model->nz,
                                  .m = model->m, .N = N, .parameters = parameters,
                                  .parameter = parameter, .faults = faults};
    work->A = arena_new(&work->arena, columns * model->n, sizeof *work->A);
    work->Lambda = arena_new(&work->arena, columns * model->m, sizeof *work->Lambda);
    work->before = arena_new(&work->arena, each, sizeof *work->before);
    work->after = arena_new(&work->arena, each, sizeof *work->after);
    return work;
}

void jump_adjoint_free(struct jump_adjoint *work)
{
    if (!work)
        return;
    arena_free(&work->arena);
    free(work);
}

/* The parameter of unit column c: -1 for a unit of Y-. */
static int parameter_of(const struct jump_adjoint *work, int c)
{
    return c < work->N ? -1 : work->parameter[c - work->N];
}

/* Unit column c on the side before, in work->before; A and Lambda are its own. */
static struct jump_column unit_column(struct jump_adjoint *work, int c)
{
    int n = work->n;
    double *Y = work->before;
    memset(Y, 0, (size_t)(work->N + work->nz) * sizeof *Y);
    if (c < work->N)
        Y[c] = 1;
    return (struct jump_column){.Q = Y, .V = Y + n, .S = Y + 2 * n, .Z = Y + work->N,
                                .A = work->A + c * n,
                                .Lambda = work->Lambda + c * work->m};
}

static struct jump_column column_after(struct jump_adjoint *work)
{
    int n = work->n, state = work->N + work->nz;
    double *Y = work->after;
    return (struct jump_column){.Q = Y, .V = Y + n, .S = Y + 2 * n, .Z = Y + work->N,
                                .A = Y + state, .Lambda = Y + state + n};
}

/* U- of every unit column, where somebody takes it. */
static void move_unknowns(struct jump_adjoint *work, struct hybrid *core,
                          const struct event *event)
{
    struct system *system = core->system;
    if (!hybrid_takes_unknowns(core, event))
        return;
    for (int c = 0; c < work->N + work->parameters; c++) {
        struct jump_column unit = unit_column(work, c);
        const struct state_direction column = {
            .q = unit.Q, .v = unit.V, .s = unit.S, .parameter = parameter_of(work, c)};
        system_tangent(system, system->now, &column, unit.A, unit.Lambda, NULL, NULL);
    }
}

enum status jump_adjoint_rate(struct hybrid *core, const struct event *event,
                              double *rate)
{
    enum status status = hybrid_solve(core, core->t, core->x);
    if (status != OK)
        return status;
    hybrid_guards(core, core->t, core->x);
    *rate = hybrid_guard_rate(core, hybrid_guard_of(core->system->now, event), core->x);
    return OK;
}

/* Shows the sides of an event to the rule as ADJOINT_WRONG_SIDE and
   ADJOINT_NO_EVENT_COST have it. */
static void view_with_faults(unsigned faults, struct jump_work *services,
                             struct jump *jump)
{
    services->costless = faults & ADJOINT_NO_EVENT_COST;
    if (!(faults & ADJOINT_WRONG_SIDE))
        return;
    jump->before.v = jump->after.v;
    jump->before.a = jump->after.a;
    jump->before.f_s = jump->after.f_s;
    jump->before.g = jump->after.g;
}

/* Column c on the side after, in work->after, and its dt_e. */
static enum status jump_column(struct jump_adjoint *work, const struct jump *jump, int c,
                               double *tau)
{
    struct jump_column before = unit_column(work, c), after = column_after(work);
    int parameter = parameter_of(work, c);
    enum status status = jump->rule->tau(jump, parameter, &before, tau);
    return status == OK ? jump->rule->apply(jump, parameter, &before, *tau, &after)
                        : status;
}

/* ADJOINT_JUMP_AS_IT_IS: adds what weight c gives to all others. */
static void spread_weight(const struct jump_adjoint *work, double weight, double *mu)
{
    for (int i = 0; i < work->N; i++)
        mu[i] += work->after[i] * weight;
}

/* The weight of that column. */
static double weigh(const struct jump_adjoint *work, const struct jump_weights *weights,
                    double tau)
{
    double weight = weights->by_time * tau;
    for (int i = 0; i < work->N; i++)
        weight += weights->mu[i] * work->after[i];
    for (int k = 0; weights->mu_z && k < work->nz; k++)
        weight += weights->mu_z[k] * work->after[work->N + k];
    return weight;
}

static enum status pass(struct hybrid *core, const struct event *event, double rate)
{
    struct jump_work services;
    struct jump jump;
    hybrid_view_jump(core, event, rate, &services, &jump);
    enum status status = hybrid_jump_columns(core, &jump, core->sides.tau);
    if (status != OK)
        return status;
    memory_copy(core->x, core->sides.after, core->system->dim, sizeof *core->x);
    system_enter(core->system, &core->system->mode[event->to->index]);
    return OK;
}

enum status jump_adjoint_pass(struct hybrid *core, const struct event *event)
{
    double rate;
    enum status status = jump_adjoint_rate(core, event, &rate);
    if (status == OK)
        status = hybrid_side_before(core, event);
    if (status == OK)
        status = hybrid_side_after(core, event);
    return status == OK ? pass(core, event, rate) : status;
}

enum status jump_adjoint_apply(struct jump_adjoint *work, struct hybrid *core,
                               const struct event *event, struct jump_weights *weights,
                               int count)
{
    struct jump_work services;
    struct jump jump;
    double rate, tau;
    enum status status = jump_adjoint_rate(core, event, &rate);
    if (status == OK)
        status = hybrid_side_before(core, event);
    if (status != OK)
        return status;
    move_unknowns(work, core, event);
    status = hybrid_side_after(core, event);
    hybrid_view_jump(core, event, rate, &services, &jump);
    view_with_faults(work->faults, &services, &jump);
    bool as_it_is = work->faults & ADJOINT_JUMP_AS_IT_IS;
    double *mu = memory_new(count * work->N, sizeof *mu);
    for (int c = 0; c < work->N + work->parameters && status == OK; c++) {
        status = jump_column(work, &jump, c, &tau);
        for (int k = 0; k < count; k++) {
            double weight = weigh(work, &weights[k], tau);
            if (c < work->N && as_it_is)
                spread_weight(work, weights[k].mu[c], mu + k * work->N);
            else if (c < work->N)
                mu[k * work->N + c] = weight;
            else if (!(work->faults & ADJOINT_NO_SHARE))
                weights[k].G[c - work->N] += weight;
        }
    }
    for (int k = 0; k < count && status == OK; k++)
        memory_copy(weights[k].mu, mu + k * work->N, work->N, sizeof *mu);
    free(mu);
    if (status != OK)
        return diagnose(core->diagnosis, status, core->t, "adjoint jump of event %s",
                        event->name);
    return OK;
}
