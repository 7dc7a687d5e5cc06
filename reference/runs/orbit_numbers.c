/*
 * orbit_numbers.c - period, events and nodes of a periodic motion with their derivatives
 * (orbit_numbers.h)
 *
 * A number along the orbit is moved by the node that its segment begins with, by the
 * parameter itself, and by its own time: an event goes with its instant, a node with its
 * part of the period.
 */
#include "orbit_numbers.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* --- shape -------------------------------------------------------------------------- */

int mp_orbit_place(const struct mp_orbit *orbit, enum mp_orbit_part part, int k, int i,
                   int j)
{
    int time = 1 + orbit->drifts, node = time + orbit->events * (1 + orbit->width);
    const int first[MP_ORBIT_PARTS] = {
        [MP_ORBIT_PERIOD] = 0,
        [MP_ORBIT_ADVANCE] = 1 + k,
        [MP_ORBIT_TIME] = time + k * (1 + orbit->width),
        [MP_ORBIT_AFTER] = time + k * (1 + orbit->width) + 1,
        [MP_ORBIT_NODE] = node + k * orbit->width,
        [MP_ORBIT_MULTIPLIER] = node + orbit->nodes * orbit->width + 2 * k};
    return (1 + j) * orbit->count + first[part] + i;
}

static int count_events(const struct orbit_equations *e)
{
    int events = 0;
    for (int k = 0; k < e->segments.nodes; k++)
        events += e->segments.own[k].run->events;
    return events;
}

static int event_index(const struct orbit_equations *e, int number)
{
    int k = 0;
    while (number >= e->segments.own[k].run->events)
        number -= e->segments.own[k++].run->events;
    return e->segments.own[k].run->event[number].event->index;
}

void orbit_numbers_shape(const struct orbit_equations *e, struct mp_orbit *orbit)
{
    const struct mp_orbit_request *asked = e->segments.asked;
    int width = e->segments.width;
    orbit->parameters = e->segments.parameters;
    orbit->width = width;
    orbit->drifts = asked->drifts;
    orbit->drift = asked->drifts ? memory_new(width, sizeof *orbit->drift) : NULL;
    for (int i = 0; i < width && orbit->drift; i++)
        orbit->drift[i] = orbit_drift(asked, i);
    orbit->nodes = e->segments.nodes;
    orbit->mode = memory_new(orbit->nodes, sizeof *orbit->mode);
    for (int k = 0; k < orbit->nodes; k++)
        orbit->mode[k] = asked->node[k].mode;
    orbit->events = count_events(e);
    orbit->event = memory_new(orbit->events, sizeof *orbit->event);
    for (int k = 0; k < orbit->events; k++)
        orbit->event[k] = event_index(e, k);
}

void orbit_numbers_room(struct mp_orbit *orbit, mpfr_prec_t precision)
{
    orbit->count = mp_orbit_place(orbit, MP_ORBIT_MULTIPLIER, orbit->multipliers, 0, -1);
    int all = (1 + orbit->parameters) * orbit->count;
    orbit->x = mp_vector_new((size_t)all, precision);
    orbit->agreed_on = memory_new(all, sizeof *orbit->agreed_on);
}

void orbit_numbers_free(struct mp_orbit *orbit)
{
    if (!orbit)
        return;
    free(orbit->drift);
    free(orbit->mode);
    free(orbit->event);
    free(orbit->agreed_on);
    mp_vector_free(orbit->x);
    free(orbit);
}

bool orbit_numbers_same_events(const struct orbit_equations *e,
                               const struct mp_orbit *orbit)
{
    bool same = count_events(e) == orbit->events;
    for (int k = 0; same && k < orbit->events; k++)
        same = event_index(e, k) == orbit->event[k];
    return same;
}

/* --- rounds ------------------------------------------------------------------------- */

/* Digits on which the states after event m and the one `apart` events later agree, what a
   group advances in a round taken off. */
static double state_agrees(const struct mp_orbit *o, int m, int apart, mpfr_ptr work)
{
    double digits = INFINITY;
    mpfr_ptr size = work, later = work + 1;
    for (int i = 0; i < o->width; i++) {
        int group = o->drift ? o->drift[i] : -1;
        mpfr_set_zero(size, 1);
        for (int k = 0; k < o->events; k++) {
            mpfr_srcptr x = o->x + mp_orbit_place(o, MP_ORBIT_AFTER, k, i, -1);
            if (mpfr_cmpabs(x, size) > 0)
                mpfr_abs(size, x, MPFR_RNDN);
        }
        mpfr_set_zero(later, 1);
        if (group >= 0)
            mpfr_mul_si(later, o->x + mp_orbit_place(o, MP_ORBIT_ADVANCE, group, 0, -1),
                        -apart, MPFR_RNDN);
        mpfr_div_si(later, later, o->events, MPFR_RNDN);
        mpfr_add(later, later, o->x + mp_orbit_place(o, MP_ORBIT_AFTER, m + apart, i, -1),
                 MPFR_RNDN);
        mpfr_srcptr now = o->x + mp_orbit_place(o, MP_ORBIT_AFTER, m, i, -1);
        digits = fmin(digits, mp_digits(later, now, size));
    }
    return digits;
}

int mp_orbit_rounds(const struct mp_orbit *o, double agree, double *digits)
{
    mpfr_ptr work = mp_vector_new(2, mpfr_get_prec(o->x));
    int rounds = 1;
    *digits = -1;
    for (int k = o->events; k > 1 && rounds == 1; k--) {
        int apart = o->events / k, m = 0;
        double own = INFINITY;
        while (o->events % k == 0 && m + apart < o->events &&
               o->event[m] == o->event[m + apart])
            own = fmin(own, state_agrees(o, m++, apart, work));
        if (o->events % k != 0 || m + apart < o->events)
            continue;
        rounds = own >= agree ? k : 1;
        *digits = fmax(*digits, rounds > 1 ? -1 : own);
    }
    mp_vector_free(work);
    return rounds;
}

/* --- one lane ----------------------------------------------------------------------- */

/* The values with a step of Newton's method (j = -1), or a derivative. */
struct lane {
    const struct orbit_equations *e;
    const struct mp_orbit *orbit;
    int j;
    mpfr_ptr du;                /* [unknowns] of the orbit */
    mpfr_ptr x;                 /* of all lanes */
    mpfr_ptr period, begin, last, work;     /* [1]; begin: time since node 1 */
};

static mpfr_ptr place(const struct lane *l, enum mp_orbit_part part, int k, int i)
{
    return l->x + mp_orbit_place(l->orbit, part, k, i, l->j);
}

/* out += sum over the independent components c of node k of column[c] dz_c */
static void add_node(const struct lane *l, int k, const mpfr_t *column, int stride,
                     mpfr_ptr out)
{
    mpfr_srcptr dz = l->du + l->e->first[k];
    for (int c = 0; c < l->e->segments.plan[k].count; c++) {
        mpfr_mul(l->work, column[c * stride], dz + c, MPFR_RNDN);
        mpfr_add(out, out, l->work, MPFR_RNDN);
    }
}

/* Component i of (q, v, s) at a point of segment k, at the time of the point. */
static void component(const struct lane *l, int k, const struct mp_point *point, int i,
                      mpfr_ptr out)
{
    const struct orbit_segments *s = &l->e->segments;
    const struct columns *columns = &s->own[k].run->columns;
    int own = l->j < 0 ? -1 : orbit_segment_start(s, k) + 1 + l->j;
    mpfr_set(out, orbit_segment_value(s, k, point, i, own), MPFR_RNDN);
    add_node(l, k, (const mpfr_t *)point->x + column(columns, GROUP_Q, 0, 0) + i,
             columns->width, out);
}

/* out -= (derivative by a later start) x: it moves with a time by x */
static void move(const struct lane *l, int k, const struct mp_point *point, int i,
                 mpfr_srcptr x, mpfr_ptr out)
{
    const struct orbit_segments *s = &l->e->segments;
    mpfr_mul(l->work, orbit_segment_value(s, k, point, i, orbit_segment_start(s, k)), x,
             MPFR_RNDN);
    mpfr_sub(out, out, l->work, MPFR_RNDN);
}

/* The time of an event since its node, and by how much it has moved, into shift. */
static void event_time(const struct lane *l, int k, const struct mp_event *event,
                       mpfr_ptr time, mpfr_ptr shift)
{
    int own = orbit_segment_start(&l->e->segments, k) + 1 + l->j;
    mpfr_set_zero(shift, 1);
    if (l->j >= 0)
        mpfr_set(shift, event->tau[own], MPFR_RNDN);
    add_node(l, k, (const mpfr_t *)event->tau, 1, shift);
    mpfr_set(time, shift, MPFR_RNDN);
    if (l->j < 0)
        mpfr_add(time, time, event->before.t, MPFR_RNDN);
}

static void fill_events(const struct lane *l, int k, int *number, mpfr_ptr shift)
{
    const struct mp_trajectory *run = l->e->segments.own[k].run;
    for (int m = 0; m < run->events; m++, (*number)++) {
        const struct mp_event *event = &run->event[m];
        mpfr_ptr time = place(l, MP_ORBIT_TIME, *number, 0);
        event_time(l, k, event, time, shift);
        mpfr_add(time, time, l->begin, MPFR_RNDN);
        mpfr_set(l->last, time, MPFR_RNDN);
        for (int i = 0; i < l->orbit->width; i++) {
            mpfr_ptr after = place(l, MP_ORBIT_AFTER, *number, i);
            component(l, k, &event->after, i, after);
            move(l, k, &event->after, i, shift, after);
        }
    }
}

/* The node at the end of segment k; `shift`: what the length of the segment moves by. */
static void fill_node(const struct lane *l, int k, mpfr_ptr shift)
{
    const struct orbit_segments *s = &l->e->segments;
    const struct mp_point *end = orbit_segment_end(s, k);
    int next = orbit_next(s, k);
    mpfr_mul(shift, s->part + k, l->du + l->e->period, MPFR_RNDN);
    for (int i = 0; i < l->orbit->width; i++) {
        mpfr_ptr node = place(l, MP_ORBIT_NODE, next, i);
        int group = next == 0 ? orbit_drift(s->asked, i) : -1;
        component(l, k, end, i, node);
        move(l, k, end, i, shift, node);
        if (group >= 0)
            mpfr_sub(node, node, place(l, MP_ORBIT_ADVANCE, group, 0), MPFR_RNDN);
    }
}

static void fill_unknowns(const struct lane *l)
{
    const struct orbit_equations *e = l->e;
    for (int g = 0; g <= l->orbit->drifts; g++) {
        mpfr_ptr x = g ? place(l, MP_ORBIT_ADVANCE, g - 1, 0)
                       : place(l, MP_ORBIT_PERIOD, 0, 0);
        mpfr_set(x, l->du + e->period + g, MPFR_RNDN);
        if (l->j < 0)
            mpfr_add(x, x, e->u + e->period + g, MPFR_RNDN);
    }
    mpfr_set(l->period, place(l, MP_ORBIT_PERIOD, 0, 0), MPFR_RNDN);
}

static void fill_lane(const struct lane *l, mpfr_ptr shift)
{
    const struct orbit_segments *s = &l->e->segments;
    int number = 0;
    fill_unknowns(l);
    mpfr_set_zero(l->begin, 1);
    mpfr_set_zero(l->last, 1);
    for (int k = 0; k < s->nodes; k++) {
        fill_events(l, k, &number, shift);
        fill_node(l, k, shift);
        mpfr_mul(l->work, s->part + k, l->period, MPFR_RNDN);
        mpfr_add(l->begin, l->begin, l->work, MPFR_RNDN);
    }
    mpfr_sub(shift, l->period, l->last, MPFR_RNDN);
    for (int k = 0; k < number; k++) {  /* the last event is at the period */
        mpfr_ptr time = place(l, MP_ORBIT_TIME, k, 0);
        mpfr_add(time, time, shift, MPFR_RNDN);
    }
}

void orbit_numbers_fill(const struct orbit_equations *e, const struct mp_orbit *orbit,
                        mpfr_ptr x)
{
    mpfr_ptr work = mp_vector_new((size_t)(e->unknowns + 5), e->precision);
    struct lane l = {.e = e, .orbit = orbit, .x = x, .du = work + 5, .period = work,
                     .begin = work + 1, .last = work + 2, .work = work + 3};
    for (l.j = -1; l.j < e->segments.parameters; l.j++) {
        if (l.j < 0)
            orbit_equations_step(e, NULL, l.du);
        else
            orbit_equations_by_parameter(e, l.j, l.du);
        fill_lane(&l, work + 4);
    }
    mp_vector_free(work);
}
