/*
 * guard_exclusion.c - no event happens on a piece of a step: guards as balls without
 * zero, by the mean value theorem too, or that go through zero the wrong way or once
 * only, with both ends on one side.
 */
#include "enclosure_parts.h"
#include "far_side.h"

enum {
    DEPTH = 400,                /* halvings of a piece before it is given up */
    PIECES = 4000               /* and pieces of a step */
};

/* Looks at one piece. */
struct looking {
    struct enclosure *enclosure;
    struct mode_equations *equations;   /* at the box of the piece */
    struct tube *tube;          /* NULL: the ends of the piece are not looked at */
    const struct event *except;
    acb_mat_t along, rates;     /* [slots][1], [ns + nz][1] */
    arb_t from, to;
    bool begins;                /* the arc begins where the piece does */
    slong precision;            /* full on short pieces, on which a rate may be small */
    int pieces;                 /* looked at so far */
    const char *undecided;      /* event whose guard is not decided */
};

static void looking_open(struct looking *l)
{
    acb_mat_init(l->along, l->equations->slots, 1);
    acb_mat_init(l->rates, l->equations->ns + l->equations->nz, 1);
    arb_init(l->from);
    arb_init(l->to);
}

static void looking_close(struct looking *l)
{
    acb_mat_clear(l->along);
    acb_mat_clear(l->rates);
    arb_clear(l->from);
    arb_clear(l->to);
}

/* Loads a piece, or a point (radius NULL), and runs the equations. */
static bool run_at(struct looking *l, const acb_t time, const arb_t radius,
                   slong precision)
{
    struct stage *stage = l->tube->stage;
    tube_load(l->tube, time, radius, precision);
    return mode_equations_run(stage->equations, stage->slot, false, precision);
}

/* 1, -1, 0 for not known. */
static int sign_of(const arb_t x)
{
    return arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : 0;
}

/* A guard at a time of the step; false: not known. */
static bool guard_at(struct looking *l, int guard, const arb_t time, arb_t value)
{
    acb_t t;
    acb_init(t);
    acb_set_arb(t, time);
    bool good = l->tube && run_at(l, t, NULL, l->enclosure->precision);
    if (good)
        arb_set(value, acb_realref(l->equations->guard.value + guard));
    acb_clear(t);
    return good;
}

/* Sign of a guard at a time. */
static int sign_at(struct looking *l, int guard, const arb_t time)
{
    arb_t value;
    arb_init(value);
    int sign = guard_at(l, guard, time, value) ? sign_of(value) : 0;
    arb_clear(value);
    return sign;
}

/* Is a condition of the event false all along the piece? */
static bool never_happens(const struct mode_equations *e, int guard)
{
    for (int i = e->condition[guard]; i < e->condition[guard + 1]; i++)
        if (arb_is_negative(acb_realref(e->conditions.value + i)))
            return true;
    return false;
}

/* How many derivatives of the guard are zero where the piece begins. */
static int contact(const struct looking *l, int guard)
{
    return l->begins ? l->enclosure->contact[l->equations->event[guard]->index]
                     : CONTACT_NONE;
}

/* The rate of a row along the motion. */
static void rate_of(const struct looking *l, const struct ball_rows *rows, int row,
                    arb_t out)
{
    acb_t rate;
    acb_init(rate);
    for (int i = 0; i < l->equations->slots; i++)
        acb_addmul(rate, acb_mat_entry(rows->by, row, i), acb_mat_entry(l->along, i, 0),
                   l->precision);
    arb_set(out, acb_realref(rate));
    acb_clear(rate);
}

/* Its sign; 0: not known. */
static int sign_of_rate(const struct looking *l, const struct ball_rows *rows, int row)
{
    arb_t rate;
    arb_init(rate);
    rate_of(l, rows, row, rate);
    int sign = sign_of(rate);
    arb_clear(rate);
    return sign;
}

/* Is the guard without zero by the mean value theorem: at the middle of the piece, give
   or take half of the piece times its rate there? */
static bool clear_by_rate(struct looking *l, int guard, const arb_t rate)
{
    arb_t middle, half, value;
    mag_t change;
    arb_init(middle);
    arb_init(half);
    arb_init(value);
    mag_init(change);
    arb_sub(half, l->to, l->from, l->enclosure->precision);
    arb_mul_2exp_si(half, half, -1);
    arb_add(middle, l->from, half, l->enclosure->precision);
    arb_mul(half, half, rate, 64);
    arb_get_mag(change, half);
    bool good = guard_at(l, guard, middle, value);
    arb_add_error_mag(value, change);
    good = good && arb_is_nonzero(value);
    arb_clear(middle);
    arb_clear(half);
    arb_clear(value);
    mag_clear(change);
    return good;
}

/* A guard that begins at zero with its rate, or with its first two derivatives: does it
   leave zero to the side from which it is watched? Its next derivative has one sign on
   the piece, hence it does, too. */
static bool leaves_backwards(struct looking *l, int guard)
{
    const struct mode_equations *e = l->equations;
    int sign = contact(l, guard) == CONTACT_SECOND
                   ? sign_of_rate(l, &e->guard_second, guard)
                   : sign_of(acb_realref(e->guard_second.value + guard));
    return sign != 0 && (e->event[guard]->direction == EITHER ||
                         sign != (int)e->event[guard]->direction);
}

/* May the motion go on beyond the guard, to the side to which it came, after an event of
   this guard in this direction? */
static bool goes_on(const struct enclosure *enclosure, const struct event *event)
{
    const struct event *after = enclosure->after;
    return after && after->goes_on && after->to == after->from &&
           after->direction == event->direction && event_shares_guard(after, event);
}

/* The guard is monotone with the sign `rate`. No event: it goes the other way than is
   watched for, or both ends are on one side, or it leaves zero where the arc begins. */
static bool monotone_clear(struct looking *l, int guard, int rate)
{
    const struct event *event = l->equations->event[guard];
    if (event->direction != EITHER && rate != (int)event->direction)
        return true;
    if (contact(l, guard) >= CONTACT_VALUE)
        return event->direction == EITHER || goes_on(l->enclosure, event);
    return sign_at(l, guard, l->from) == rate || sign_at(l, guard, l->to) == -rate;
}

/* Can the event of a guard not happen on the piece? Its tangents along the motion are
   made when they are first needed. */
static bool clear_guard(struct looking *l, int guard, bool *along_known)
{
    struct mode_equations *e = l->equations;
    if (!*along_known) {
        mode_equations_along(e, l->tube->stage->slot, l->along, 0);
        if (!mode_equations_tangents(e, l->along, l->rates, l->precision))
            return false;
        *along_known = true;
    }
    arb_t rate;
    arb_init(rate);
    rate_of(l, &e->guard, guard, rate);
    int sign = sign_of(rate);
    bool clear = sign == 0 && contact(l, guard) >= CONTACT_RATE
                     ? leaves_backwards(l, guard)
                     : (sign != 0 && monotone_clear(l, guard, sign)) ||
                           clear_by_rate(l, guard, rate);
    arb_clear(rate);
    return clear;
}

/* Is the guard without zero, or its event impossible by a condition, or left out? */
static bool plainly_clear(const struct looking *l, int guard)
{
    const struct mode_equations *e = l->equations;
    return arb_is_nonzero(acb_realref(e->guard.value + guard)) ||
           (l->except && event_shares_guard(e->event[guard], l->except)) ||
           never_happens(e, guard);
}

static bool clear_piece(struct looking *l)
{
    struct mode_equations *e = l->equations;
    acb_t centre;
    arb_t half;
    acb_init(centre);
    arb_init(half);
    arb_sub(half, l->to, l->from, l->enclosure->precision);
    arb_mul_2exp_si(half, half, 6);
    l->precision = arb_lt(half, l->tube->stage->span) ? l->enclosure->precision : 64;
    arb_mul_2exp_si(half, half, -7);
    arb_add(acb_realref(centre), l->from, half, l->enclosure->precision);
    arb_get_ubound_arf(arb_midref(half), half, 64);
    mag_zero(arb_radref(half));
    bool good = run_at(l, centre, half, l->precision);
    if (!good)
        l->undecided = "a formula is not defined on the tube";
    for (int g = 0; good && g < e->guards; g++) {
        bool known = false;
        if (plainly_clear(l, g))
            continue;
        good = clear_guard(l, g, &known);
        if (!good)
            l->undecided = e->event[g]->name;
        good = good && run_at(l, centre, half, l->precision);
    }
    acb_clear(centre);
    arb_clear(half);
    return good;
}

static bool clear_between(struct looking *l, const arb_t from, const arb_t to, int depth)
{
    arb_set(l->from, from);
    arb_set(l->to, to);
    l->begins = l->enclosure->arc_begins && arb_is_zero(from);
    if (clear_piece(l))
        return true;
    if (depth == 0 || ++l->pieces > PIECES)
        return false;
    arb_t middle;
    arb_init(middle);
    arb_add(middle, from, to, l->enclosure->precision);
    arb_mul_2exp_si(middle, middle, -1);
    arb_get_mid_arb(middle, middle);
    bool good = clear_between(l, from, middle, depth - 1) &&
                clear_between(l, middle, to, depth - 1);
    arb_clear(middle);
    return good;
}

enum status guard_exclusion(struct enclosure *enclosure, struct tube *tube,
                            const arb_t from, const arb_t to, const struct event *except)
{
    struct mode_equations *e = tube->stage->equations;
    if (e->guards == 0)
        return OK;
    struct looking l = {.enclosure = enclosure, .equations = e, .tube = tube,
                        .except = except};
    looking_open(&l);
    bool good = clear_between(&l, from, to, DEPTH);
    enum status status = OK;
    if (!good)
        status = diagnose(enclosure->diagnosis, PRECISION,
                          enclosure_time(tube->stage->start) + enclosure_time(l.from),
                          "guard %s: its sign is not decided on a piece of %.3g",
                          l.undecided, enclosure_time(l.to) - enclosure_time(l.from));
    looking_close(&l);
    return status;
}

enum status guards_clear_beside(struct enclosure *enclosure,
                                const struct solved_point *point)
{
    struct mode_equations *e = point->equations;
    struct looking l = {.enclosure = enclosure, .equations = e,
                        .precision = enclosure->precision,
                        .begins = enclosure->arc_begins};
    enum status status = OK;
    bool known = true;
    looking_open(&l);
    for (int i = 0; i < e->slots; i++)
        acb_set(acb_mat_entry(l.along, i, 0),
                acb_mat_entry(point->tangents, i, enclosure->p));
    for (int g = 0; status == OK && g < e->guards; g++) {
        /* Cleared by a condition, the guard may turn before the step begins: that it was
           zero tells nothing there. */
        if (plainly_clear(&l, g))
            enclosure->contact[e->event[g]->index] = CONTACT_NONE;
        else if (!clear_guard(&l, g, &known))
            status = diagnose(enclosure->diagnosis, PRECISION,
                              enclosure_time(acb_realref(point->slot)), "guard %s: its "
                              "sign is not decided where the arc begins",
                              e->event[g]->name);
    }
    looking_close(&l);
    return status;
}

/* Is the far side of the guard a place where motions get to, but by the event that takes
   its own guard there? */
static bool is_open(const struct enclosure *enclosure, const struct event *event)
{
    const struct event *after = enclosure->after;
    return event_far_is_open(enclosure->model, event) &&
           !(after && same_formula(after->guard, event->guard));
}

enum status guards_near_side(struct enclosure *enclosure,
                             const struct solved_point *point)
{
    const struct mode_equations *e = point->equations;
    for (int g = 0; g < e->guards; g++) {
        const struct event *event = e->event[g];
        int sign = sign_of(acb_realref(e->guard.value + g));
        double t = enclosure_time(acb_realref(point->slot));
        if (event->direction == EITHER || sign == -(int)event->direction ||
            enclosure->contact[event->index] >= CONTACT_VALUE)
            continue;
        if (sign == 0)
            return diagnose(enclosure->diagnosis, PRECISION, t,
                            "guard %s: its side is not "
                            "decided where the arc begins",
                            event->name);
        if (!enclosure->far[event->index] && !is_open(enclosure, event))
            return diagnose(enclosure->diagnosis, GUARD_VIOLATED, t, "guard %s is beyond "
                            "zero where the arc begins", event->name);
    }
    return OK;
}
