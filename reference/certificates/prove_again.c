/*
 * prove_again.c - one arc of a stored proof, proved once more: from one of its points to
 * the next, with one derivative.
 *
 * The run in MPFR goes from the start; the enclosure joins it at the point. The balls at
 * the end of the arc are compared with the stored ones: each contains the exact number,
 * so that they meet, and they are about as wide.
 */
#include <math.h>

#include "enclosure/enclosure.h"
#include "proof.h"
#include "step_as_candidate.h"

/* Digits that new balls should have, or those of the proof if it has fewer, and digits
   by which they may be wider: an arc has other steps. */
static const double most = 30, slack = 6;

/* A point from which an arc leads to the next one. */
struct departure {
    const struct enclosed_point *point;     /* NULL: the start */
    const struct event *after;
    int samples, events;                    /* that are behind */
};

struct again {
    const struct proof *proof;
    struct departure from;
    int parameter;              /* column of the proof; -1: none */
    struct enclosure *enclosure;
    int events;                 /* of the run so far */
    bool joined, done;
    bool over;                  /* the arc ends in a terminal event */
    enum status found;          /* at the end of the arc */
    struct diagnosis *diagnosis;
};

/* --- points of a proof in order of time
   ------------------------------------------------- */

/* Which point of the proof comes next: true, a sample. */
static bool sample_is_next(const struct enclosed_motion *motion, int samples, int events)
{
    return samples < motion->samples &&
           (events == motion->events ||
            arb_lt(motion->sample[samples].t, motion->event[events].before.t));
}

/* Departure number `arc`, counted modulo all; no arc leads on from the last point. */
static struct departure choose(const struct enclosed_motion *motion, unsigned long arc)
{
    int samples = 0, events = 0;
    int points = motion->samples + motion->events;
    struct departure from = {0};
    for (int k = points > 0 ? (int)(arc % (unsigned long)points) : 0; k > 0; k--) {
        bool sample_next = sample_is_next(motion, samples, events);
        from.point = sample_next ? &motion->sample[samples]
                                 : &motion->event[events].after;
        from.after = sample_next ? NULL : motion->event[events].event;
        if (sample_next)
            samples++;
        else
            events++;
    }
    from.samples = samples;
    from.events = events;
    return from;
}

/* --- comparison
   ------------------------------------------------------------------------- */

static double log2_radius(const arb_t x)
{
    return mag_is_zero(arb_radref(x)) ? -INFINITY : mag_get_d_log2_approx(arb_radref(x));
}

/* `size`: log2 of the largest number of the kind; what is zero throughout has none. */
static bool meets(struct again *again, const char *place, const char *name,
                  const arb_t anew, const arb_t stored, double size)
{
    double narrow = fmax(log2_radius(stored), size - MP_BITS_PER_DIGIT *
                         fmin(most, again->proof->digits));
    double wider = size > -INFINITY
                 ? (log2_radius(anew) - narrow) * MP_DIGITS_PER_BIT : 0;
    if (!arb_overlaps(anew, stored))
        diagnose(again->diagnosis, BAD_ANSWER,
                 arf_get_d(arb_midref(stored), ARF_RND_NEAR),
                 "%s: %s, proved anew, is another than the proof has", place, name);
    else if (wider > slack)
        diagnose(again->diagnosis, PRECISION, NAN,
                 "%s: %s, proved anew, is known to %.0f "
                 "digits less",
                 place, name, wider);
    else
        return true;
    return false;
}

/* The largest number of the group of a column, by the same parameter. */
static double size_of_kind(const struct columns *all, const struct enclosed_point *point,
                           enum column_group group, int j)
{
    double size = -INFINITY;
    for (int i = 0; i < all->begin[group + 1] - all->begin[group]; i++) {
        int c = column(all, group, i, j);
        if (column_present(all, c, point->mode))
            size = fmax(size, enclosure_log2(point->x + c));
    }
    return size;
}

static bool point_meets(struct again *again, const char *place,
                        const struct columns *columns, const struct enclosed_point *anew,
                        const struct enclosed_point *stored)
{
    const struct columns *all = &again->proof->motion->columns;
    char name[200];
    bool good = true;
    for (int c = 0; good && c < columns->count; c++) {
        enum column_group group;
        int i, j;
        if (!column_present(columns, c, stored->mode))
            continue;
        column_parts(columns, c, &group, &i, &j);
        int by = j < 0 ? -1 : again->parameter;
        int other = column(all, group, i, by);
        column_name(all, other, name, sizeof name);
        good = meets(again, place, name, anew->x + c, stored->x + other,
                     size_of_kind(all, stored, group, by));
    }
    return good;
}

static enum status differs(struct again *again, const char *place, const char *what)
{
    return diagnose(again->diagnosis, BAD_ANSWER, NAN,
                    "%s: proved anew it has another %s than the proof", place, what);
}

static enum status compare_sample(struct again *again, const struct enclosed_motion *anew)
{
    const struct enclosed_motion *stored = again->proof->motion;
    char place[60];
    int i = again->from.samples;
    snprintf(place, sizeof place, "sample %d", i + 1);
    if (!sample_is_next(stored, i, again->from.events))
        return differs(again, place, "number");
    if (anew->sample[0].mode != stored->sample[i].mode)
        return differs(again, place, "mode");
    if (!arb_overlaps(anew->sample[0].t, stored->sample[i].t))
        return differs(again, place, "time");
    bool good = point_meets(again, place, &anew->columns, &anew->sample[0],
                            &stored->sample[i]);
    return good ? OK : again->diagnosis->status;
}

static enum status compare_event(struct again *again, const struct enclosed_motion *anew)
{
    const struct enclosed_motion *proved = again->proof->motion;
    const struct enclosed_event *event = &anew->event[0];
    char place[60];
    int i = again->from.events;
    snprintf(place, sizeof place, "event %d", i + 1);
    if (i >= proved->events || sample_is_next(proved, again->from.samples, i))
        return differs(again, place, "number");
    const struct enclosed_event *stored = &proved->event[i];
    if (event->event != stored->event)
        return differs(again, place, "name");
    if (event->before.mode != stored->before.mode ||
        event->after.mode != stored->after.mode)
        return differs(again, place, "mode");
    double t = enclosure_log2(stored->before.t);
    bool good = meets(again, place, "its time", event->before.t, stored->before.t, t);
    if (good && again->parameter >= 0)
        good = meets(again, place, "the derivative of its time", event->tau,
                     stored->tau + again->parameter, t);
    good = good && point_meets(again, place, &anew->columns, &event->before,
                               &stored->before) &&
           point_meets(again, place, &anew->columns, &event->after, &stored->after);
    return good ? OK : again->diagnosis->status;
}

static enum status compare_end(struct again *again, const struct enclosed_motion *anew)
{
    int nz = anew->columns.model->nz;
    arb_srcptr psi = again->proof->motion->psi;
    bool good = true;
    for (int i = 0; good && i < nz * (1 + anew->columns.p); i++) {
        arb_srcptr stored = psi + (i < nz ? i : nz * (1 + again->parameter) + i - nz);
        good = meets(again, "the end", "psi", anew->psi + i, stored,
                     enclosure_log2(stored));
    }
    return good ? OK : again->diagnosis->status;
}

/* Is the next point of the proof behind? Then the arc is done. */
static enum status look(struct again *again)
{
    const struct enclosed_motion *anew = enclosure_so_far(again->enclosure);
    again->done = anew->samples > 0 || anew->events > 0;
    if (again->done)
        again->found = anew->samples > 0 ? compare_sample(again, anew)
                                         : compare_event(again, anew);
    return again->found;
}

/* --- the run
   ---------------------------------------------------------------------------- */

/* Begins within a step that contains the time of the departure, if this is one: the step
   is taken from there. */
static bool joins(struct again *again, struct candidate *c)
{
    const struct enclosed_point *point = again->from.point;
    const struct enclosed_motion *motion = again->proof->motion;
    arb_t offset;
    if (again->events < again->from.events)
        return false;
    if (point == NULL)
        return true;
    arb_init(offset);
    arb_sub(offset, point->t, c->t, mp_precision(again->proof->carried) + 64);
    /* An event is the end of one step and the start of the next, which is meant. */
    if (again->from.after)
        arb_zero(offset);
    bool within = !arb_is_negative(offset) && arb_lt(offset, c->length);
    if (within) {
        arb_get_mid_arb(offset, offset);
        candidate_shift(c, motion->columns.model, offset,
                        mp_precision(again->proof->carried) + 64);
        enclosure_begin_at(again->enclosure, &motion->columns, point, again->from.after);
    }
    arb_clear(offset);
    return within;
}

static enum status on_step(void *context, const struct taylor *taylor, mpfr_srcptr t,
                           mpfr_srcptr length, struct diagnosis *diagnosis)
{
    struct again *again = context;
    if (again->done)
        return OK;
    struct candidate *c = step_as_candidate(again->proof->motion->columns.model, taylor,
                                            t, length);
    again->joined = again->joined || joins(again, c);
    if (!again->joined) {
        candidate_free(c);
        return OK;
    }
    enum status status = enclosure_step(again->enclosure, c, diagnosis);
    return status == OK ? look(again) : status;
}

static enum status on_event(void *context, const struct mp_event *event,
                            struct diagnosis *diagnosis)
{
    struct again *again = context;
    const struct model *model = again->proof->motion->columns.model;
    if (again->done)
        return OK;
    again->events++;
    if (!again->joined)
        return OK;
    enum status status = event_of_run(again->enclosure, model, event, diagnosis);
    return status == OK ? look(again) : status;
}

/* A run whose arc is done need not go on. */
static bool on_progress(void *context, double done)
{
    const struct again *again = context;
    (void)done;
    return !again->done || again->over;
}

static enum status follow(struct again *again, const struct reference_request *asked)
{
    struct reference_request request = *asked;
    const struct mp_observer observer = {.context = again, .step = on_step,
                                         .event = on_event};
    struct mp_trajectory *trajectory = NULL;
    struct enclosed_motion *anew = NULL;
    request.observer = &observer;
    request.progress = on_progress;
    request.progress_context = again;
    enum status status = reference_run(&request, &trajectory, again->diagnosis);
    mp_trajectory_free(trajectory);
    if (again->done && (again->found != OK || !again->over))
        return again->found;
    if (status == OK)
        status = enclosure_finish(again->enclosure, &anew, again->diagnosis);
    if (status == OK && !again->done && anew->samples > 0)
        status = compare_sample(again, anew);
    if (status == OK)
        status = compare_end(again, anew);
    enclosed_motion_free(anew);
    return status;
}

enum status prove_again(const struct proof *proof, const struct reference_request *motion,
                        unsigned long arc, unsigned long parameter,
                        struct diagnosis *diagnosis)
{
    const struct columns *columns = &proof->motion->columns;
    struct again again = {
        .proof = proof, .from = choose(proof->motion, arc), .diagnosis = diagnosis,
        .parameter = columns->p > 0 ? (int)(parameter % (unsigned long)columns->p) : -1};
    struct reference_request request = *motion;
    request.digits = proof->carried;
    request.parameters = columns->p > 0 ? 1 : 0;
    request.parameter = columns->parameter + (again.parameter < 0 ? 0 : again.parameter);
    const struct enclosure_request enclosed = {
        .model = request.model, .parameters = request.parameters,
        .parameter = request.parameter, .value = request.value,
        .samples = request.samples, .sample = request.sample, .t_end = request.t_end,
        .digits = request.digits};
    enum status status = enclosure_new(&enclosed, &again.enclosure, diagnosis);
    if (status == OK)
        status = follow(&again, &request);
    enclosure_free(again.enclosure);
    return status;
}
