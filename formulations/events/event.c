/*
 * event.c - one event of a hybrid system: both sides, the reset, the new mode, and the
 * jump of the sensitivities by a rule (jump.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "condition.h"
#include "events/faults.h"
#include "events/hybrid.h"

static void open_sides(struct sides *s, struct arena *arena, const struct model *model,
                       const struct system *system)
{
    int n = model->n, m = model->m, ns = model->ns, nz = model->nz, p = system->p;
    int widest = 0;
    for (int k = 0; k < model->events; k++)
        widest = model->event[k]->w > widest ? model->event[k]->w : widest;
    struct { double **array; int size; } const part[] = {
        {&s->a, n}, {&s->lambda, m}, {&s->f_s, ns}, {&s->g, nz}, {&s->a_plus, n},
        {&s->lambda_plus, m}, {&s->f_s_plus, ns}, {&s->g_plus, nz}, {&s->a_dot, n},
        {&s->lambda_dot, m}, {&s->A, n * p}, {&s->Lambda, m * p}, {&s->A_plus, n * p},
        {&s->Lambda_plus, m * p}, {&s->after, system->dim}, {&s->w, widest}, {&s->tau, p},
        {&s->along, 3 * n + ns + m + widest}, {&s->held[0], 2 * m * (1 + p)},
        {&s->held[1], 2 * m * (1 + p)}, {&s->moving, 7 * n + 3 * m + 3 * ns + 1}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        *part[k].array = arena_new(arena, part[k].size, sizeof(double));
}

void event_allocate(struct hybrid *core)
{
    const struct model *model = core->model;
    open_sides(&core->sides, &core->kept, model, core->system);
    core->reset = arena_new(&core->kept, model->events, sizeof *core->reset);
    for (int k = 0; k < model->events; k++)
        reset_init(&core->reset[k], &core->kept, model, model->event[k],
                   &core->system->mode[model->event[k]->to->index].constraints);
    guard_conditions_init(&core->conditions, &core->kept, model);
}

void event_release(struct hybrid *core)
{
    for (int k = 0; core->reset && k < core->model->events; k++)
        reset_clear(&core->reset[k]);
    guard_conditions_clear(&core->conditions);
}

static enum status solve(struct hybrid *core, struct mode_system *ms, const double *x,
                         double *a, double *lambda)
{
    int n = core->model->n;
    return system_solve(core->system, ms, core->t, x, x + n, x + 2 * n, a, lambda);
}

bool hybrid_takes_unknowns(const struct hybrid *core, const struct event *event)
{
    const struct mode_system *ms = core->system->now;
    return ms->guards_use_unknowns || ms->rates.use_unknowns ||
           core->reset[event->index].uses_unknowns;
}

static void fill(double *x, int count)
{
    for (int i = 0; i < count; i++)
        x[i] = NAN;
}

/* Fills u' and U- of every column on the side before; NAN where nobody takes them. */
static void move_unknowns(struct hybrid *core, struct mode_system *ms, bool taken)
{
    struct system *system = core->system;
    struct sides *s = &core->sides;
    int n = core->model->n, m = core->model->m, p = system->p;
    if (!taken) {
        fill(s->a_dot, n);
        fill(s->lambda_dot, m);
        fill(s->A, n * p);
        fill(s->Lambda, m * p);
        return;
    }
    system_rate_of_unknowns(system, ms, core->x + n, s->f_s, s->a_dot, s->lambda_dot);
    for (int j = 0; j < p; j++) {
        const struct state_direction column = system_column(system, core->x, j);
        system_tangent(system, ms, &column, s->A + j * n, s->Lambda + j * m, NULL, NULL);
    }
}

enum status hybrid_side_before(struct hybrid *core, const struct event *event)
{
    struct mode_system *ms = core->system->now;
    struct sides *s = &core->sides;
    enum status status = solve(core, ms, core->x, s->a, s->lambda);
    if (status != OK)
        return status;
    memcpy(core->system->a, s->a, (size_t)core->model->n * sizeof(double));
    system_rates(ms, s->f_s, s->g);
    move_unknowns(core, ms,
                  !core->request->without_unknowns || hybrid_takes_unknowns(core, event));
    return OK;
}

enum status hybrid_side_after(struct hybrid *core, const struct event *event)
{
    const struct model *model = core->model;
    struct system *system = core->system;
    struct sides *s = &core->sides;
    struct mode_system *to = &system->mode[event->to->index];
    int n = model->n, ns = model->ns;
    const struct reset_values before = {
        .t = core->t, .q = core->x, .v = core->x + n, .s = core->x + 2 * n, .a = s->a,
        .lambda = s->lambda};
    struct reset *reset = &core->reset[event->index];
    const struct edge_point point = {core->t, core->x, s->a, s->lambda, s->w};
    enum status solved = reset_solve(reset, system, &before, s->w);
    enum status status = edges_at(core, &core->edges.event[event->index], &point, "");
    status = status == OK ? solved : status;
    if (status == OK)
        status = differentiable_reset(core, event, -1);
    if (status != OK)
        return status;
    memcpy(s->after, s->w, (size_t)(2 * n + ns) * sizeof(double));
    for (int k = 0; k < model->nz; k++)
        s->after[2 * n + ns + k] = core->x[2 * n + ns + k] + reset_cost(reset, k);
    status = gate_event(core, event);
    if (status != OK)
        return status;
    status = solve(core, to, s->after, s->a_plus, s->lambda_plus);
    system_rates(to, s->f_s_plus, s->g_plus);
    return status;
}

static struct jump_column column_of(const struct hybrid *core, double *X, double *A,
                                    double *Lambda, int j)
{
    int n = core->model->n, ns = core->model->ns, m = core->model->m;
    double *column = X + (j + 1) * core->system->state;
    return (struct jump_column){
        .Q = column, .V = column + n, .S = column + 2 * n, .Z = column + 2 * n + ns,
        .A = A + j * n, .Lambda = Lambda + j * m};
}

/* The rule of the run where the rule applies, the general rule at other events. */
static const struct jump_rule *rule_for(const struct hybrid *core,
                                        const struct event *event)
{
    const char *why;
    if (core->rule->applies && !core->rule->applies(event, &why))
        return jump_rules[0];
    return core->rule;
}

enum status hybrid_jump_columns(struct hybrid *core, const struct jump *jump, double *tau)
{
    struct system *system = core->system;
    struct sides *s = &core->sides;
    const struct jump_rule *rule = jump->rule;
    enum status status = OK;
    for (int j = 0; status == OK && j < system->p; j++) {
        int parameter = system->parameter[j];
        struct jump_column before = column_of(core, core->x, s->A, s->Lambda, j);
        struct jump_column after = column_of(core, s->after, s->A_plus, s->Lambda_plus,
                                             j);
        status = rule->tau(jump, parameter, &before, &tau[j]);
        if (status == OK)
            status = rule->apply(jump, parameter, &before, tau[j], &after);
        if (status == NOT_FINITE)
            return gate_refuse_jump(core, jump->event, j);
        if (status != OK)
            return diagnose(core->diagnosis, status, core->t,
                            "sensitivity jump of event %s, rule %s", jump->event->name,
                            rule->name);
        status = differentiable_reset(core, jump->event, j);
    }
    return status;
}

int hybrid_guard_of(const struct mode_system *ms, const struct event *event)
{
    int k = 0;
    while (ms->event[k] != event)
        k++;
    return k;
}

void hybrid_view_jump(struct hybrid *core, const struct event *event, double rate,
                      struct jump_work *work, struct jump *jump)
{
    const struct sides *s = &core->sides;
    struct system *system = core->system;
    struct mode_system *from = &system->mode[event->from->index];
    int n = core->model->n;
    *work = (struct jump_work){
        .system = system, .from = from, .to = &system->mode[event->to->index],
        .guard = hybrid_guard_of(from, event), .reset = &core->reset[event->index],
        .w = s->w, .scratch = s->along};
    *jump = (struct jump){
        .model = core->model, .event = event, .t = core->t, .rate = rate,
        .rule = rule_for(core, event),
        .before = {event->from, core->x, core->x + n, core->x + 2 * n, s->a, s->lambda,
                   s->f_s, s->g},
        .after = {event->to, s->after, s->after + n, s->after + 2 * n, s->a_plus,
                  s->lambda_plus, s->f_s_plus, s->g_plus},
        .impulse = s->w + 2 * n + core->model->ns,
        .a_dot = s->a_dot, .lambda_dot = s->lambda_dot,
        .keeps_constraints =
            core->request->formulation->capabilities & KEEPS_CONSTRAINTS,
        .without_unknowns = core->request->without_unknowns, .work = work};
}

/* Fills a point from values already at hand. */
static void record_side(const struct hybrid *core, const struct mode *mode,
                        const double *x, const double *a, const double *lambda,
                        const double *A, const double *Lambda, struct run_point *point)
{
    const struct model *model = core->model;
    point->mode = mode;
    point->t = core->t;
    for (int j = -1; j < core->system->p; j++)
        point_column(core, j, x + (j + 1) * core->system->state,
                     j < 0 ? a : A + j * model->n, j < 0 ? lambda : Lambda + j * model->m,
                     point);
}

static void record(struct hybrid *core, const struct event *event, double rate,
                   double magnified)
{
    const struct sides *s = &core->sides;
    struct event_record *kept = trajectory_add_event(core->out, event);
    memcpy(kept->tau, s->tau, (size_t)core->system->p * sizeof *s->tau);
    memcpy(kept->impulse, s->w + 2 * core->model->n + core->model->ns,
           (size_t)event->impulses * sizeof(double));
    kept->rate = rate;
    kept->condition = magnified;
    record_side(core, event->from, core->x, s->a, s->lambda, s->A, s->Lambda,
                &kept->before);
    record_side(core, event->to, s->after, s->a_plus, s->lambda_plus, s->A_plus,
                s->Lambda_plus, &kept->after);
}

/* rdd of a guard before the event: a formula of the state, the unknowns and their rates
   gives rdd, while a guard on the unknowns needs their second derivatives, and takes
   twice its second Taylor coefficient. */
static enum status bend_of(struct hybrid *core, int guard, double *bend)
{
    enum { ORDER = 2 };
    struct guard_rates *rates = &core->system->now->rates;
    const struct sides *s = &core->sides;
    const double *x = core->x, *v = x + core->model->n;
    const struct guard_point here = {core->t, x, v, v + core->model->n, s->a, s->lambda};
    const struct guard_point motion = {1, v, s->a, s->f_s, s->a_dot, s->lambda_dot};
    if (core->system->now->guards_use_unknowns) {
        enum status status = hybrid_guard_series(core, x, ORDER, core->guard.expansion);
        *bend = 2 * core->guard.expansion[guard * (HYBRID_ORDER + 1) + ORDER];
        return status;
    }
    guard_rates_at(rates, &here, core->guard.r);
    guard_rates_along(rates, &motion, core->guard.r);
    *bend = core->guard.r[guard];
    return OK;
}

/* R is the larger of the guard's largest value on the arc that ends here and the sizes of
   the terms that the guard is made of. */
double hybrid_guard_scale(const struct hybrid *core, int k)
{
    return fmax(core->guard.watch[k].scale, guard_spread(core->system->now, k, NULL));
}

/* The condition of the event (condition.h), with R from hybrid_guard_scale; GRAZING where
   no digit of dt_e/drho is left at the tolerance of the run. */
static enum status condition(struct hybrid *core, const struct hit *hit, double *out)
{
    struct mode_system *ms = core->system->now;
    double bend;
    enum status status = bend_of(core, hit->guard, &bend);
    if (status != OK)
        return status;
    system_guards(ms, core->t, core->x, core->sides.a, core->sides.lambda, core->guard.r);
    double R = hybrid_guard_scale(core, hit->guard);
    core->guard.scale = R;
    *out = event_condition(R, hit->rate, bend, core->span.t_end - core->span.t0);
    double known = fmax(core->request->rtol, least_rtol_known);
    if (core->system->p == 0 || *out * known < 1)
        return OK;
    return diagnose(
        core->diagnosis, GRAZING, core->t,
        "guard %s is crossed with rate %.3g: condition %.3g leaves no digit of "
        "dt_e/drho at rtol = %.3g",
        ms->event[hit->guard]->name, hit->rate, *out, core->request->rtol);
}

enum status hybrid_event(struct hybrid *core, const struct hit *hit, bool chained)
{
    struct system *system = core->system;
    struct mode_system *from = system->now;
    const struct event *event = from->event[hit->guard];
    struct mode_system *to = &system->mode[event->to->index];
    bool shared = chained && (core->faults & FAULT_SHARED_SNAPSHOT);

    double magnified;
    if (shared)
        fault_show_snapshot(core);
    enum status status = hybrid_side_before(core, event);
    if (status == OK)
        status = condition(core, hit, &magnified);
    if (status != OK)
        return status;
    status = hybrid_side_after(core, event);
    if (status != OK)
        return status;

    struct jump_work work;
    struct jump jump;
    hybrid_view_jump(core, event, hit->rate, &work, &jump);
    status = hybrid_jump_columns(core, &jump, core->sides.tau);
    if (shared)
        fault_add_change(core);
    if (status == OK)
        status = gate_event_columns(core, event);
    if (status == OK)
        status = differentiable_constraints(core, event);
    if (status == OK) {
        record(core, event, hit->rate, magnified);
        memcpy(core->x, core->sides.after, (size_t)system->dim * sizeof(double));
        system_enter(system, to);
        core->step.ended = false;
        core->finished = event->terminal;
        if (!event->terminal)
            status = edges_at_start(core);
    }
    return status;
}
