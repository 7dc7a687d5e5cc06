/*
 * simultaneous_events.c - simultaneous events: the events at one instant, in every order.
 *
 * One event may set off another; then they follow each other. Two guards may also become
 * zero at the same time for these values of the parameters only. For neighbouring values
 * one of them fires first, and which one depends on the direction: with dt_e/drho = tau_A
 * and tau_B, A is first along +e_j where tau_A,j < tau_B,j. So every order is run through
 * from the state before, each event with its own saltation. The state after an order is a
 * one-sided limit, and its columns are one-sided derivatives. Where all orders agree (two
 * balls that land at the same time far from each other) the derivative exists, and the
 * run goes on; else the run is refused, with the quantity that differs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "events/faults.h"
#include "events/hybrid.h"

enum { MOST_CHAINED = 10 };

void simultaneous_init(struct hybrid *core)
{
    struct simultaneous *simultaneous = &core->simultaneous;
    struct arena *arena = &core->kept;
    int events = core->model->events;
    simultaneous->x = arena_new(arena, core->system->dim, sizeof *simultaneous->x);
    simultaneous->watch = arena_new(arena, events, sizeof *simultaneous->watch);
    simultaneous->rank = arena_new(arena, events, sizeof *simultaneous->rank);
    simultaneous->gone = arena_new(arena, events, sizeof *simultaneous->gone);
    simultaneous->far = arena_new(arena, events, sizeof *simultaneous->far);
}

const struct tied *simultaneous_tied(const struct hybrid *core, const struct event *event)
{
    const struct simultaneous *simultaneous = &core->simultaneous;
    for (int i = 0; i < simultaneous->ties; i++)
        if (same_formula(simultaneous->tied[i].event->guard, event->guard))
            return &simultaneous->tied[i];
    return NULL;
}

/* --- one order ---------------------------------------------------------------------- */

/* Does guard k fire, and no event declared before it shares it? */
static bool leads(const struct hybrid *core, int k)
{
    const struct mode_system *ms = core->system->now;
    for (int i = 0; i < k; i++)
        if (core->guard.fires[i] != 0 && event_shares_guard(ms->event[i], ms->event[k]))
            return false;
    return core->guard.fires[k] != 0;
}

/* *guard is the guard of least rank that fires, -1 if none does. Events that fire
   together are noted as ties, and `grown` is set if one of them is new. */
static enum status choose(struct hybrid *core, int *guard)
{
    struct mode_system *ms = core->system->now;
    struct simultaneous *simultaneous = &core->simultaneous;
    int count = 0;
    *guard = -1;
    for (int k = 0; k < ms->guards; k++) {
        if (!leads(core, k))
            continue;
        count++;
        if (*guard < 0 || simultaneous->rank[ms->event[k]->index] <
                              simultaneous->rank[ms->event[*guard]->index])
            *guard = k;
    }
    for (int k = 0; count > 1 && k < ms->guards; k++) {
        if (!leads(core, k) || simultaneous_tied(core, ms->event[k]))
            continue;
        if (simultaneous->ties == MOST_TIED)
            return diagnose(core->diagnosis, SIMULTANEOUS, core->t,
                            "more than %d guards fire together, guard %s among them; not "
                            "all of their orders are tried", MOST_TIED,
                            ms->event[k]->name);
        simultaneous->tied[simultaneous->ties++] =
            (struct tied){ms->event[k], core->guard.fires[k], false};
        simultaneous->grown = true;
    }
    return OK;
}

/* Evaluates the guards of the mode at core->x, into core->guard.r, and notes which of
   them are on their far sides. */
static enum status look_before(struct hybrid *core)
{
    const struct mode_system *ms = core->system->now;
    enum status status = hybrid_solve(core, core->t, core->x);
    if (status != OK)
        return status;
    hybrid_guards(core, core->t, core->x);
    memset(core->simultaneous.far, 0, (size_t)core->model->events * sizeof(bool));
    for (int k = 0; k < ms->guards; k++)
        core->simultaneous.far[ms->event[k]->index] =
            core->guard.r[k] * (int)ms->event[k]->direction > 0;
    return OK;
}

/* Notes that the motion crosses the guard of this event, which happens or not. The
   crossings noted in a mode that is left are forgotten. */
static void note_gone(struct hybrid *core, const struct event *event, int sign,
                      bool happens)
{
    struct simultaneous *simultaneous = &core->simultaneous;
    bool goes_on = !happens || event->goes_on;
    for (int k = 0; k < core->model->events; k++) {
        if (happens && event->to != event->from)
            simultaneous->gone[k] = 0;
        else if (event_shares_guard(core->model->event[k], event))
            simultaneous->gone[k] = goes_on ? GOES_ON * sign : sign;
    }
    for (int i = 0; i < simultaneous->ties; i++)
        if (same_formula(simultaneous->tied[i].event->guard, event->guard))
            simultaneous->tied[i].fired = true;
}

static bool any_fires(const struct hybrid *core)
{
    bool any = false;
    for (int k = 0; k < core->system->now->guards; k++)
        any = any || core->guard.fires[k] != 0;
    return any;
}

/* Passes a guard no event of which happens, for want of its conditions. */
static enum status pass(struct hybrid *core, int guard)
{
    const struct mode_system *ms = core->system->now;
    const struct event *passed = ms->event[guard];
    enum status status = look_before(core);
    if (status != OK)
        return status;
    core->guard.scale = hybrid_guard_scale(core, guard);
    note_gone(core, passed, core->guard.fires[guard], false);
    for (int k = 0; k < ms->guards; k++)
        if (event_shares_guard(ms->event[k], passed))
            core->guard.fires[k] = 0;
    return any_fires(core) ? OK : hybrid_guard_side(core, passed);
}

/* Makes the event of this guard, and determines the sides of the guards after it. */
static enum status happen(struct hybrid *core, int guard, int chain)
{
    const struct event *event = core->system->now->event[guard];
    enum status status = look_before(core);
    if (status != OK)
        return status;
    struct hit hit = {.guard = guard, .t = core->t,
                      .rate = hybrid_guard_rate(core, guard, core->x)};
    note_gone(core, event, core->guard.fires[guard], true);
    if (chain == 0)
        fault_keep_snapshot(core);
    status = hybrid_event(core, &hit, chain > 0);
    if (chain == 0 && !core->simultaneous.counted)
        status = zeno_note(core, event, status);
    core->simultaneous.counted = true;
    if (status != OK || core->finished)
        return status;
    status = hybrid_guard_side(core, event);
    return status == OK ? differentiable_guards(core) : status;
}

/* Makes events from the guards that fire until no guard does. */
static enum status follow(struct hybrid *core)
{
    int chain = 0;
    while (chain < MOST_CHAINED) {
        int leader, guard;
        if (core->out->events >= core->max_events)
            return zeno_limit(core);
        enum status status = choose(core, &leader);
        guard = leader;
        if (status == OK && guard >= 0)
            status = guard_conditions_take(core, &guard);
        if (status != OK || leader < 0)
            return status;
        status = guard < 0 ? pass(core, leader) : happen(core, guard, chain++);
        if (status != OK || core->finished || !any_fires(core))
            return status;
    }
    return diagnose(core->diagnosis, CHAIN_TOO_LONG, core->t,
                    "more than %d events at one instant", MOST_CHAINED);
}

/* --- all orders --------------------------------------------------------------------- */

static void keep(struct hybrid *core, const int *fires)
{
    struct simultaneous *simultaneous = &core->simultaneous;
    simultaneous->first = core->out->events;
    simultaneous->before = core->system->now;
    simultaneous->ties = 0;
    simultaneous->grown = simultaneous->counted = false;
    memcpy(simultaneous->x, core->x, (size_t)core->system->dim * sizeof *core->x);
    memory_copy(simultaneous->watch, core->guard.watch, core->model->events,
                sizeof *core->guard.watch);
    for (int k = 0; k < core->model->events; k++) {
        simultaneous->rank[k] = k;
        simultaneous->gone[k] = 0;
        simultaneous->watch[k].fires = fires[k];
    }
}

/* Restores the state before, with no event of this instant. */
static void restore(struct hybrid *core)
{
    struct simultaneous *simultaneous = &core->simultaneous;
    while (core->out->events > simultaneous->first)
        trajectory_drop_event(core);
    system_enter(core->system, simultaneous->before);
    core->finished = false;
    memcpy(core->x, simultaneous->x, (size_t)core->system->dim * sizeof *core->x);
    memory_copy(core->guard.watch, simultaneous->watch, core->model->events,
                sizeof *core->guard.watch);
    for (int k = 0; k < core->model->events; k++) {
        core->guard.fires[k] = simultaneous->watch[k].fires;
        simultaneous->gone[k] = 0;
    }
    for (int i = 0; i < simultaneous->ties; i++)
        simultaneous->tied[i].fired = false;
}

/* Ranks the tied events by permutation number `number`; other events come after them. */
static void set_ranks(struct simultaneous *simultaneous, int number)
{
    int left[MOST_TIED], count = simultaneous->ties;
    for (int i = 0; i < count; i++)
        left[i] = i;
    for (int place = 0; place < simultaneous->ties; place++) {
        int pick = number % count;
        number /= count;
        simultaneous->rank[simultaneous->tied[left[pick]].event->index] = place -
                                                                          MOST_TIED;
        memmove(left + pick, left + pick + 1, (size_t)(count - pick - 1) * sizeof *left);
        count--;
    }
}

static int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* Adds every order to `together`, which is empty; a new tie on the way starts all
   over. */
static void try_orders(struct hybrid *core, struct together *together)
{
    struct simultaneous *simultaneous = &core->simultaneous;
    struct diagnosis *diagnosis = core->diagnosis, own;
    core->diagnosis = core->system->diagnosis = &own;
    for (int k = 0; k < factorial(simultaneous->ties); k++) {
        own = (struct diagnosis){.t = core->t};
        restore(core);
        set_ranks(simultaneous, k);
        simultaneous->grown = false;
        own.status = follow(core);
        if (simultaneous->grown) {
            orders_clear(together);
            k = -1;
            continue;
        }
        orders_add(together, core->out, simultaneous->first, &own);
    }
    core->diagnosis = core->system->diagnosis = diagnosis;
}

/* Gives all events of a group the state before all of them and the state after all: no
   state between them belongs to one alone. */
static void join_sides(struct trajectory *out, int first)
{
    int count = out->columns.count;
    struct event_record *last = &out->event[out->events - 1];
    for (int k = first; k < out->events; k++) {
        struct event_record *event = &out->event[k];
        event->before.mode = out->event[first].before.mode;
        event->after.mode = last->after.mode;
        memory_copy(event->before.x, out->event[first].before.x, count, sizeof(double));
        memory_copy(event->after.x, last->after.x, count, sizeof(double));
    }
}

static void name_ties(const struct simultaneous *simultaneous, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < simultaneous->ties && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " and " : "",
                                 simultaneous->tied[i].event->name);
}

static enum status all_orders(struct hybrid *core)
{
    struct trajectory *out = core->out;
    struct together *together = trajectory_together(core);
    try_orders(core, together);
    name_ties(&core->simultaneous, together->names, sizeof together->names);
    bool derivatives = core->rule == jump_rules[0];
    const struct order_scale scale = {
        .tolerance = run_accuracy(core), .size = core->accuracy.size, .rho = out->value};
    enum status status = orders_compare(together, &out->columns, &scale, derivatives,
                                        core->diagnosis);
    restore(core);
    if (status != OK)
        return status;
    set_ranks(&core->simultaneous, 0);
    status = follow(core);
    if (status == OK)
        join_sides(out, core->simultaneous.first);
    return status;
}

enum status simultaneous_events(struct hybrid *core)
{
    keep(core, core->guard.fires);
    enum status status = follow(core);
    bool happened = core->out->events > core->simultaneous.first || status != OK;
    if (core->simultaneous.ties > 1 && happened)
        status = all_orders(core);
    core->simultaneous.ties = 0;
    return status;
}
