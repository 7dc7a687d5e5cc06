/*
 * instant.c - the events at one instant.
 *
 * One event may set off another; then they follow each other. Two guards may also become
 * zero at the same time for these values of the parameters only. For neighbouring values
 * one of them fires first, and which one depends on the direction: with dt_e/drho = tau_A
 * and tau_B, A is first along +e_j where tau_A,j < tau_B,j. So every order is run through
 * from the state before, each event with its own saltation. What is after them is a
 * one-sided limit, and its columns are one-sided derivatives. Where all orders agree (two
 * balls that land at the same time far from each other) the derivative exists, and the
 * run goes on; else it is refused, with what was found.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "hybrid/faults.h"

enum { MOST_CHAINED = 10 };

void instant_init(struct instant *instant, const struct model *model, int dim)
{
    *instant = (struct instant){0};
    instant->x = memory_new(dim + 1, sizeof *instant->x);
    instant->watch = memory_new(model->events, sizeof *instant->watch);
    instant->rank = memory_new(model->events, sizeof *instant->rank);
}

void instant_clear(struct instant *instant)
{
    free(instant->x);
    free(instant->watch);
    free(instant->rank);
}

const struct tied *instant_tied(const struct hybrid *core, const struct event *event)
{
    const struct instant *instant = &core->instant;
    for (int i = 0; i < instant->ties; i++)
        if (same_formula(instant->tied[i].event->guard, event->guard))
            return &instant->tied[i];
    return NULL;
}

/* --- one order ---------------------------------------------------------------------- */

/* Of the guards that fire, that of the least rank; the events that fire together are
   noted, and `grown` if one of them is new. */
static enum status choose(struct hybrid *core, int *guard)
{
    struct mode_system *ms = core->system->now;
    struct instant *instant = &core->instant;
    int count = 0;
    *guard = -1;
    for (int k = 0; k < ms->guards; k++) {
        if (core->fires[k] == 0)
            continue;
        count++;
        if (*guard < 0 || instant->rank[ms->event[k]->index] <
                              instant->rank[ms->event[*guard]->index])
            *guard = k;
    }
    for (int k = 0; count > 1 && k < ms->guards; k++) {
        if (core->fires[k] == 0 || instant_tied(core, ms->event[k]))
            continue;
        if (instant->ties == MOST_TIED)
            return diagnose(core->diagnosis, SIMULTANEOUS, core->t,
                            "more than %d guards fire together, guard %s among them; not "
                            "all of their orders are tried", MOST_TIED,
                            ms->event[k]->name);
        instant->tied[instant->ties++] = (struct tied){ms->event[k], core->fires[k],
                                                       false};
        instant->grown = true;
    }
    return OK;
}

static void note_fired(struct hybrid *core, const struct event *event)
{
    for (int i = 0; i < core->instant.ties; i++)
        if (same_formula(core->instant.tied[i].event->guard, event->guard))
            core->instant.tied[i].fired = true;
}

/* From the guards that fire to where none does. */
static enum status follow(struct hybrid *core)
{
    for (int chain = 0; chain < MOST_CHAINED; chain++) {
        struct mode_system *ms = core->system->now;
        int guard;
        if (core->out->events >= core->max_events)
            return zeno_limit(core);
        enum status status = choose(core, &guard);
        if (status == OK && guard >= 0)
            status = hybrid_solve(core, core->t, core->x);
        if (status != OK || guard < 0)
            return status;
        hybrid_guards(core, core->t, core->x);
        struct hit hit = {.guard = guard, .t = core->t,
                          .rate = hybrid_guard_rate(core, guard, core->x)};
        const struct event *event = ms->event[guard];
        note_fired(core, event);
        if (chain == 0)
            fault_keep_snapshot(core);
        status = hybrid_event(core, &hit, chain > 0);
        if (status == OK && chain == 0 && !core->instant.counted)
            status = zeno_note(core, core->t);
        core->instant.counted = true;
        if (status != OK || core->finished)
            return status;
        status = hybrid_onset(core, event);
        if (status == OK)
            status = agree_guards(core);
        if (status != OK)
            return status;
        bool more = false;
        for (int k = 0; k < core->system->now->guards; k++)
            more = more || core->fires[k] != 0;
        if (!more)
            return OK;
    }
    return diagnose(core->diagnosis, CHAIN_TOO_LONG, core->t,
                    "more than %d events at one instant", MOST_CHAINED);
}

/* --- all orders --------------------------------------------------------------------- */

static void keep(struct hybrid *core, const int *fires)
{
    struct instant *instant = &core->instant;
    instant->first = core->out->events;
    instant->before = core->system->now;
    instant->ties = 0;
    instant->grown = instant->counted = false;
    memcpy(instant->x, core->x, (size_t)core->system->dim * sizeof *core->x);
    memory_copy(instant->watch, core->watch, core->model->events, sizeof *core->watch);
    for (int k = 0; k < core->model->events; k++) {
        instant->rank[k] = k;
        instant->watch[k].fires = fires[k];
    }
}

/* The state before, and no event of this instant. */
static void restore(struct hybrid *core)
{
    struct instant *instant = &core->instant;
    while (core->out->events > instant->first)
        result_drop_event(core);
    system_enter(core->system, instant->before);
    core->finished = false;
    memcpy(core->x, instant->x, (size_t)core->system->dim * sizeof *core->x);
    memory_copy(core->watch, instant->watch, core->model->events, sizeof *core->watch);
    for (int k = 0; k < core->model->events; k++)
        core->fires[k] = instant->watch[k].fires;
    for (int i = 0; i < instant->ties; i++)
        instant->tied[i].fired = false;
}

/* Ranks of the tied events by permutation number `number`; the others after them. */
static void set_ranks(struct instant *instant, int number)
{
    int left[MOST_TIED], count = instant->ties;
    for (int i = 0; i < count; i++)
        left[i] = i;
    for (int place = 0; place < instant->ties; place++) {
        int pick = number % count;
        number /= count;
        instant->rank[instant->tied[left[pick]].event->index] = place - MOST_TIED;
        memmove(left + pick, left + pick + 1, (size_t)(count - pick - 1) * sizeof *left);
        count--;
    }
}

static int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* Every order into `together`, which has none yet. A new tie on the way: all again. */
static void try_orders(struct hybrid *core, struct together *together)
{
    struct instant *instant = &core->instant;
    struct diagnosis *diagnosis = core->diagnosis, own;
    core->diagnosis = core->system->diagnosis = &own;
    for (int k = 0; k < factorial(instant->ties); k++) {
        own = (struct diagnosis){.t = core->t};
        restore(core);
        set_ranks(instant, k);
        instant->grown = false;
        own.status = follow(core);
        if (instant->grown) {
            together_clear(together);
            k = -1;
            continue;
        }
        together_add(together, core->out, instant->first, &own);
    }
    core->diagnosis = core->system->diagnosis = diagnosis;
}

/* No event of a group has a state of its own between the others': each has what is before
   all of them and after all of them. */
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

static void name_ties(const struct instant *instant, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < instant->ties && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " and " : "",
                                 instant->tied[i].event->name);
}

static enum status all_orders(struct hybrid *core)
{
    struct trajectory *out = core->out;
    struct together *together = result_together(core);
    try_orders(core, together);
    name_ties(&core->instant, together->names, sizeof together->names);
    bool derivatives = core->rule == jump_rules[0];
    enum status status = together_compare(together, &out->columns, out->value,
                                          derivatives, uncertainty(core),
                                          core->diagnosis);
    restore(core);
    if (status != OK)
        return status;
    set_ranks(&core->instant, 0);
    status = follow(core);
    if (status == OK)
        join_sides(out, core->instant.first);
    return status;
}

enum status instant_events(struct hybrid *core)
{
    keep(core, core->fires);
    enum status status = follow(core);
    if (core->instant.ties > 1)
        status = all_orders(core);
    core->instant.ties = 0;
    return status;
}
