/*
 * instant.c - simultaneous events: guards that become zero at one time, in every order.
 *
 * For neighbouring parameters one of the guards fires first, and which one depends on the
 * direction. So every order is run through from the state before, each event with its own
 * dt_e/drho; the state after them has one-sided derivatives. If all orders lead to one
 * state, to half of the digits, the derivative exists, and the run goes on.
 */
#include "instant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"

enum { MOST_CHAINED = 10 };

/* --- which guards fire -------------------------------------------------------------- */

struct tied *arc_tied(struct arc *arc, const struct event *event)
{
    for (int i = 0; i < arc->instant.ties; i++)
        if (same_formula(arc->instant.tied[i].event->guard, event->guard))
            return &arc->instant.tied[i];
    return NULL;
}

int arc_firing(const struct arc *arc)
{
    int count = 0;
    for (int i = 0; i < arc->taylor->plan->guards; i++)
        count += arc_leads(arc, i);
    return count;
}

/* Sets arc->guard to the guard of least rank among those that fire; notes ties of
   events that fire together. */
static enum status choose(struct arc *arc)
{
    struct instant *instant = &arc->instant;
    const struct mode_plan *plan = arc->taylor->plan;
    bool together = arc_firing(arc) > 1;
    arc->guard = -1;
    for (int i = 0; i < plan->guards; i++) {
        if (!arc_leads(arc, i))
            continue;
        if (arc->guard < 0 || instant->rank[plan->event[i]->index] <
                                  instant->rank[plan->event[arc->guard]->index])
            arc->guard = i;
        if (!together || arc_tied(arc, plan->event[i]))
            continue;
        if (instant->ties == MOST_TIED)
            return diagnose(arc->run->diagnosis, SIMULTANEOUS, arc_time(arc),
                            "more than %d guards fire together, that of %s among them",
                            MOST_TIED, plan->event[i]->name);
        instant->tied[instant->ties++] = (struct tied){plan->event[i], arc->fires[i],
                                                       false};
        instant->grown = true;
    }
    return OK;
}

/* --- one order ---------------------------------------------------------------------- */

/* Lets events happen in the order of their ranks, from the guards that fire at
   run->next, until no guard fires. */
static enum status follow(struct arc *arc)
{
    struct run *run = arc->run;
    for (int chain = 0; chain < MOST_CHAINED; chain++) {
        enum status status = choose(arc);
        if (status != OK)
            return status;
        const struct event *event = arc->taylor->plan->event[arc->guard];
        struct tied *tied = arc_tied(arc, event);
        if (tied)
            tied->fired = true;
        int events = run->out->events;
        status = arc_fire(arc, !tied);
        if (status != OK || arc->over)
            return status;
        if (run->out->events == events && arc_firing(arc) > 0)
            continue;           /* a guard was passed without an event */
        status = arc_look_again(arc);
        if (status != OK || arc_firing(arc) == 0)
            return status;
        mp_copy(run->next, run->y, arc->taylor->lanes * run->width);
    }
    return diagnose(run->diagnosis, CHAIN_TOO_LONG, arc_time(arc),
                    "more than %d events, the last %s", MOST_CHAINED, arc->cause->name);
}

/* --- outcome of an order ------------------------------------------------------------ */

struct outcome {
    int events;                     /* number of events of the order */
    const struct event **event;     /* [events] in the order in which they happened */
    mpfr_ptr tau;                   /* [events][parameters] dt_e/drho */
    const struct mode *mode;        /* mode after them; NULL: refused */
    mpfr_ptr x;                     /* [columns.count] point after them */
    struct diagnosis refusal;
};

static void outcome_of(const struct run *run, int first, const struct diagnosis *refusal,
                       struct outcome *out)
{
    const struct mp_trajectory *t = run->out;
    int count = t->events - first, p = run->parameters;
    *out = (struct outcome){.events = count, .refusal = *refusal};
    out->event = memory_new(count, sizeof *out->event);
    out->tau = mp_vector_new((size_t)(count * p), run->precision);
    out->x = mp_vector_new((size_t)t->columns.count, run->precision);
    for (int k = 0; k < count; k++) {
        out->event[k] = t->event[first + k].event;
        mp_copy(out->tau + k * p, (mpfr_srcptr)t->event[first + k].tau, p);
    }
    if (refusal->status != OK || count == 0)
        return;
    const struct mp_point *after = &t->event[t->events - 1].after;
    out->mode = after->mode;
    mp_copy(out->x, (mpfr_srcptr)after->x, t->columns.count);
}

static void outcomes_clear(struct outcome *outcome, int count)
{
    for (int k = 0; k < count; k++) {
        free(outcome[k].event);
        mp_vector_free(outcome[k].tau);
        mp_vector_free(outcome[k].x);
    }
}

/* The quantity that differs most between two orders, relative to its scale. */
struct gap {
    char name[100];
    double one, other, size;    /* its two values; log2 of their relative difference */
};

static void note_gap(const struct run *run, struct gap *gap, const char *name,
                     mpfr_srcptr one, mpfr_srcptr other, double scale)
{
    mpfr_sub(run->work, one, other, MPFR_RNDN);
    double size = mp_log2(run->work) - (scale > -INFINITY ? scale : 0);
    if ((mpfr_nan_p(one) && mpfr_nan_p(other)) || !(size > gap->size))
        return;
    *gap = (struct gap){.one = mpfr_get_d(one, MPFR_RNDN),
                        .other = mpfr_get_d(other, MPFR_RNDN), .size = size};
    snprintf(gap->name, sizeof gap->name, "%s", name);
}

/* log2 of the largest number of a group in one block of columns */
static double group_size(const struct columns *columns, const struct outcome *a,
                         enum column_group group, int j)
{
    double size = -INFINITY;
    int first = columns->begin[group] + (j + 1) * columns->width;
    for (int c = first; c < first + columns->begin[group + 1] - columns->begin[group];
         c++)
        if (mpfr_number_p(a->x + c))
            size = fmax(size, mp_log2(a->x + c));
    return size;
}

static void compare_points(const struct run *run, const struct outcome *a,
                           const struct outcome *b, struct gap gap[2])
{
    const struct columns *columns = &run->out->columns;
    int p = run->model->p;
    for (int c = 0; c < columns->count; c++) {
        enum column_group group;
        char name[80];
        int i, j;
        column_parts(columns, c, &group, &i, &j);
        column_name(columns, c, name, sizeof name);
        double scale = fmax(group_size(columns, a, group, j),
                            group_size(columns, b, group, j));
        if (j >= 0)
            scale = fmax(scale, group_size(columns, a, group, -1) -
                                    run_reach(run->rho, run->unit + j * p, p));
        note_gap(run, &gap[j >= 0], name, a->x + c, b->x + c, scale);
    }
}

/* True: both orders have the same events; then *gap is raised by the difference in the
   times of the k-th event of each name. */
static bool compare_times(const struct run *run, const struct outcome *a,
                          const struct outcome *b, struct gap *gap)
{
    int p = run->parameters, found = 0;
    bool *used = memory_new(b->events, sizeof *used);
    for (int k = 0; k < a->events && a->events == b->events; k++) {
        int i = 0;
        while (i < b->events && (used[i] || b->event[i] != a->event[k]))
            i++;
        if (i == b->events)
            break;
        used[i] = true;
        found++;
        for (int j = 0; j < p; j++) {
            char name[100];
            snprintf(name, sizeof name, "dt/d%.40s of %.40s",
                     column_parameter(&run->out->columns, j), a->event[k]->name);
            note_gap(run, gap, name, a->tau + k * p + j, b->tau + i * p + j,
                     fmax(0, fmax(mp_log2(a->tau + k * p + j),
                                  mp_log2(b->tau + i * p + j))));
        }
    }
    free(used);
    return found == a->events && a->events == b->events;
}

static void name_order(const struct outcome *order, char *text, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < order->events && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "",
                                 order->event[k]->name);
}

/* Writes the names of the tied events, like "left and right". */
static void name_ties(const struct instant *instant, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < instant->ties && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " and " : "",
                                 instant->tied[i].event->name);
}

static enum status refuse(const struct arc *arc, const struct outcome *a,
                          const struct outcome *b, const struct gap gap[2])
{
    const struct run *run = arc->run;
    char ties[120], order[80], text[2][120] = {"", ""};
    double t = mpfr_get_d(run->t, MPFR_RNDN);
    name_ties(&arc->instant, ties, sizeof ties);
    for (int k = 0; k < 2; k++)
        if (gap[k].name[0])
            snprintf(text[k], sizeof text[k], "; %.60s is %.6g and %.6g", gap[k].name,
                     gap[k].one, gap[k].other);
    const struct outcome *bad = !a->mode ? a : !b->mode ? b : NULL;
    if (!bad)
        return diagnose(run->diagnosis, SIMULTANEOUS, t,
                        "events %s are together, and their order matters%s%s", ties,
                        text[0], text[1]);
    if (bad->refusal.status == OK)
        return diagnose(run->diagnosis, SIMULTANEOUS, t,
                        "events %s are together, and their order matters: in one of them "
                        "none happens", ties);
    name_order(bad, order, sizeof order);
    return diagnose(run->diagnosis, SIMULTANEOUS, t,
                    "events %s are together, but in the order %s the motion does not go "
                    "on: %s: %.150s", ties, order, status_text(bad->refusal.status),
                    bad->refusal.place);
}

static enum status compare(const struct arc *arc, const struct outcome *outcome,
                           int count)
{
    const struct run *run = arc->run;
    for (int k = 0; k < count; k++) {
        const struct outcome *a = &outcome[0], *b = &outcome[k];
        struct gap gap[2] = {{.size = run->resolution}, {.size = run->resolution}};
        if (a->refusal.status == OK && b->refusal.status == OK && a->events == 0 &&
            b->events == 0)
            continue;
        bool whole = a->mode && b->mode && a->mode == b->mode;
        if (whole) {
            compare_points(run, a, b, gap);
            whole = compare_times(run, a, b, &gap[1]);
        }
        if (!whole || gap[0].name[0] || gap[1].name[0])
            return refuse(arc, a, b, gap);
    }
    return OK;
}

/* --- all orders --------------------------------------------------------------------- */

/* The state of the run before the first order. */
struct before {
    int events, chain;
    struct mode *mode;
    const struct event *cause;
    mpfr_ptr numbers;               /* next [lanes][width], tau [parameters], t */
    struct accumulation accumulation;
    int *fires, *gone;
};

static void keep(const struct arc *arc, struct before *before)
{
    const struct run *run = arc->run;
    int size = arc->taylor->lanes * run->width, p = run->parameters;
    *before = (struct before){.events = run->out->events, .chain = arc->chain,
                              .mode = run->mode, .cause = arc->cause};
    before->numbers = mp_vector_new((size_t)(size + p + 1), run->precision);
    before->fires = memory_new(run->model->events, sizeof *before->fires);
    before->gone = memory_new(run->model->events, sizeof *before->gone);
    memory_copy(before->gone, arc->gone, run->model->events, sizeof *arc->gone);
    mp_copy(before->numbers, run->next, size);
    mp_copy(before->numbers + size, run->tau, p);
    mpfr_set(before->numbers + size + p, run->t, MPFR_RNDN);
    memory_copy(before->fires, arc->fires, run->model->events, sizeof *arc->fires);
    before->accumulation = arc->accumulation;
}

static void restore(struct arc *arc, const struct before *before)
{
    struct run *run = arc->run;
    int size = arc->taylor->lanes * run->width, p = run->parameters;
    run_drop_events(run, before->events);
    run->mode = before->mode;
    arc->taylor = run->taylor[run->mode->index];
    arc->cause = before->cause;
    arc->chain = before->chain;
    mp_copy(run->next, before->numbers, size);
    mp_copy(run->tau, before->numbers + size, p);
    mpfr_set(run->t, before->numbers + size + p, MPFR_RNDN);
    memory_copy(arc->fires, before->fires, run->model->events, sizeof *arc->fires);
    memory_copy(arc->gone, before->gone, run->model->events, sizeof *arc->gone);
    arc->over = false;
    arc->accumulation = before->accumulation;
    for (int i = 0; i < arc->instant.ties; i++)
        arc->instant.tied[i].fired = false;
}

/* Sets the ranks of the tied events by permutation number `number`; other events come
   after them. */
static void set_ranks(struct instant *instant, int number)
{
    int left[MOST_TIED];
    for (int i = 0; i < instant->ties; i++)
        left[i] = i;
    for (int place = 0; place < instant->ties; place++) {
        int count = instant->ties - place, pick = number % count;
        number /= count;
        instant->rank[instant->tied[left[pick]].event->index] = place - MOST_TIED;
        for (int i = pick; i < count - 1; i++)
            left[i] = left[i + 1];
    }
}

static int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* Tries every order, beginning again when a new tie is found on the way. Returns their
   number. */
static int try_orders(struct arc *arc, const struct before *before,
                      struct outcome *outcome)
{
    struct run *run = arc->run;
    struct instant *instant = &arc->instant;
    struct diagnosis *diagnosis = run->diagnosis, own;
    int count = 0;
    run->diagnosis = &own;
    do {
        own = (struct diagnosis){.t = NAN};
        restore(arc, before);
        set_ranks(instant, count);
        instant->grown = false;
        own.status = follow(arc);
        if (instant->grown && instant->ties > 1) {
            outcomes_clear(outcome, count);
            count = 0;
        } else {
            outcome_of(run, before->events, &own, &outcome[count++]);
        }
    } while (count < factorial(instant->ties));
    run->diagnosis = diagnosis;
    return count;
}

enum status arc_orders(struct arc *arc)
{
    struct run *run = arc->run;
    struct before before;
    struct outcome outcome[24];     /* factorial of MOST_TIED */
    keep(arc, &before);
    for (int i = 0; i < run->model->events; i++)
        arc->instant.rank[i] = i;
    int count = try_orders(arc, &before, outcome);
    restore(arc, &before);
    enum status status = compare(arc, outcome, count);
    outcomes_clear(outcome, count);
    if (status == OK) {
        set_ranks(&arc->instant, 0);
        status = follow(arc);
    }
    if (status == OK && run->out->events > before.events)
        run_join_events(run, before.events);
    mp_vector_free(before.numbers);
    free(before.fires);
    free(before.gone);
    arc->instant.ties = 0;
    return status;
}
