/* enclosure_step.c - steps, events and the end of an enclosure; see enclosure.h. */
#include "enclosure_parts.h"

#include <math.h>
#include <stdlib.h>

#include "defect.h"

/* --- a step ------------------------------------------------------------------------- */

/* The error at the start of the step: the distance of the exact state from the track. */
static void begin_error(const struct enclosure *enclosure, struct tube *tube)
{
    struct stage *stage = tube->stage;
    acb_t start, distance;
    acb_init(start);
    acb_init(distance);
    stage_load(stage, start, NULL, enclosure->precision);
    for (int lane = 0; lane < enclosure->lanes; lane++)
        for (int i = 0; i < enclosure->states; i++) {
            int k = lane * enclosure->states + i;
            acb_sub(distance, enclosure->state + k,
                    stage->value + lane * stage->track->width + stage_state(stage, i),
                    enclosure->precision);
            acb_get_mag(tube->error + k, distance);
        }
    acb_clear(start);
    acb_clear(distance);
}

/* Crosses the span in pieces of about `pieces` parts, which are halved where the box is
   too large. */
static enum tube_status cross_pieces(struct tube *tube, int pieces)
{
    enum { HALVINGS = 8 };
    struct stage *stage = tube->stage;
    arb_t from, to, length;
    arb_init(from);
    arb_init(to);
    arb_init(length);
    arb_div_ui(length, stage->span, (ulong)pieces, 64);
    arb_get_mid_arb(length, length);
    enum tube_status status = TUBE_OK;
    int halvings = 0;
    while (arb_lt(from, stage->span)) {
        arb_add(to, from, length, stage->precision);
        arb_get_mid_arb(to, to);
        if (!arb_lt(to, stage->span))
            arb_set(to, stage->span);
        status = tube_cross(tube, from, to);
        if (status == TUBE_OK) {
            arb_set(from, to);
        } else if (status == TUBE_NOT_REGULAR && halvings++ < HALVINGS) {
            arb_mul_2exp_si(length, length, -1);
        } else {
            break;
        }
    }
    arb_clear(from);
    arb_clear(to);
    arb_clear(length);
    return status;
}

/* Crosses the step with a box about the track that shrinks until it does. */
static enum status cross_step(struct enclosure *enclosure, struct tube *tube)
{
    static const int shrink[] = {24, 34, 64};
    enum { PIECES = 16, SHRINKS = sizeof shrink / sizeof *shrink };
    const struct stage *stage = tube->stage;
    int count = enclosure->lanes * enclosure->states;
    mag_ptr error = _mag_vec_init(count);
    enum tube_status status = TUBE_NOT_REGULAR;
    bounds_copy(error, tube->error, count);
    for (int k = 0; status != TUBE_OK && k < SHRINKS; k++) {
        tube_choose_box(tube, shrink[k]);
        bounds_copy(tube->error, error, count);
        tube_rewind(tube);
        status = cross_pieces(tube, PIECES);
        if (status == TUBE_TOO_WIDE)
            break;
    }
    _mag_vec_clear(error, count);
    double t = enclosure_time(stage->start);
    if (status == TUBE_TOO_WIDE)
        return diagnose(enclosure->diagnosis, PRECISION, t, "the error has outgrown the "
                        "tube");
    if (status != TUBE_OK)
        return diagnose(enclosure->diagnosis, SINGULAR, t, "mode %s: the equations of "
                        "motion are not shown to be regular about the motion",
                        stage->equations->mode->name);
    return OK;
}

/* --- a pending step
   --------------------------------------------------------------------- */

/* A step with all that belongs to it. */
struct crossing {
    struct track *track;
    struct stage stage;
    struct tube tube;
};

/* Are a, lambda where the step begins those of the tube? */
static bool begins_on_branch(const struct enclosure *enclosure, struct tube *tube)
{
    acb_t start;
    acb_init(start);
    stage_load(tube->stage, start, NULL, enclosure->precision);
    bool good = tube_tells_branch(tube, enclosure->u);
    acb_clear(start);
    return good;
}

static enum status crossing_open(struct enclosure *enclosure, struct crossing *crossing,
                                 const arb_t span)
{
    struct candidate *c = enclosure->pending;
    struct mode_equations *e = enclosure_equations(enclosure, c->mode);
    *crossing = (struct crossing){.track = NULL};
    if (!arb_is_positive(span))
        return diagnose(enclosure->diagnosis, PRECISION, enclosure_time(c->t),
                        "a step has no length: steps do not follow one another");
    crossing->track = track_new(c, enclosure->model, enclosure->precision);
    stage_open(&crossing->stage, e, crossing->track, enclosure->rho, enclosure->parameter,
               c->t, span, enclosure->precision);
    tube_open(&crossing->tube, &crossing->stage);
    double bits = 3.33 * enclosure->digits + 28;
    enclosure->out->steps++;
    if (!defect_bound(&crossing->stage, bits, crossing->tube.defect))
        return diagnose(enclosure->diagnosis, SINGULAR, enclosure_time(c->t), "mode %s: "
                        "formulas are not shown to be analytic about the motion",
                        c->mode->name);
    begin_error(enclosure, &crossing->tube);
    enum status status = cross_step(enclosure, &crossing->tube);
    if (status == OK && !begins_on_branch(enclosure, &crossing->tube))
        status = diagnose(enclosure->diagnosis, PRECISION, enclosure_time(c->t),
                          "mode %s: "
                          "the approximate motion is not shown to be on the branch of a "
                          "and lambda that the motion is on",
                          c->mode->name);
    return status;
}

static void crossing_close(struct crossing *crossing)
{
    if (crossing->track == NULL)
        return;
    tube_close(&crossing->tube);
    stage_close(&crossing->stage);
    track_free(crossing->track);
}

/* Carries the state from the time at which an arc begins, known in a ball, to the start
   of its first step. */
static enum status carry_to(struct enclosure *enclosure, const struct candidate *first,
                            const acb_t from)
{
    acb_t to;
    acb_init(to);
    acb_set_arb(to, first->t);
    enclosure->arc_begins = true;
    enum status status = enclosure_transport(enclosure, first->mode, from, to,
                                             enclosure->state);
    acb_clear(to);
    return status;
}

static enum status begin(struct enclosure *enclosure, const struct candidate *first)
{
    enum status status = enclosure_start(enclosure, first);
    enclosure->started = true;
    return status == OK ? carry_to(enclosure, first, enclosure->t0) : status;
}

/* Crosses the pending step up to the start of the next one. */
static enum status go_on(struct enclosure *enclosure, const arb_t next)
{
    struct crossing crossing;
    arb_t span, zero;
    acb_t time, t;
    arb_init(span);
    arb_init(zero);
    acb_init(time);
    acb_init(t);
    arb_sub(span, next, enclosure->pending->t, enclosure->precision);
    enum status status = crossing_open(enclosure, &crossing, span);
    if (status == OK)
        status = guard_exclusion(enclosure, &crossing.tube, zero, span, NULL);
    if (status == OK)
        status = take_samples(enclosure, &crossing.tube,
                              &(struct sample_range){.before = span});
    if (status == OK) {
        const struct mode_equations *e = crossing.stage.equations;
        acb_set_arb(time, span);
        state_at(enclosure, &crossing.tube, time, NULL, enclosure->state, t);
        _acb_vec_set(enclosure->u, crossing.stage.slot + e->a, e->unknowns);
    }
    enclosure->arc_begins = false;
    crossing_close(&crossing);
    arb_clear(span);
    arb_clear(zero);
    acb_clear(time);
    acb_clear(t);
    return status;
}

static void set_pending(struct enclosure *enclosure, struct candidate *candidate)
{
    candidate_free(enclosure->pending);
    enclosure->pending = candidate;
}

enum status enclosure_step(struct enclosure *enclosure, struct candidate *candidate,
                           struct diagnosis *diagnosis)
{
    enum status status = OK;
    enclosure->diagnosis = diagnosis;
    if (candidate->lanes != enclosure->lanes ||
        candidate->multipliers != candidate->mode->m)
        status = diagnose(diagnosis, BAD_ANSWER, enclosure_time(candidate->t),
                          "a step has %d columns and %d multipliers, not %d and %d",
                          candidate->lanes - 1, candidate->multipliers, enclosure->p,
                          candidate->mode->m);
    else if (candidate->mode != enclosure->mode || enclosure->over)
        status = diagnose(diagnosis, BAD_ANSWER, enclosure_time(candidate->t), "the "
                          "approximate motion is in mode %s, the motion in mode %s%s",
                          candidate->mode->name, enclosure->mode->name,
                          enclosure->over ? " and over" : "");
    else
        status = choose_independent(enclosure, &candidate);
    if (status != OK) {
        candidate_free(candidate);
        return status;
    }
    if (!enclosure->started)
        status = begin(enclosure, candidate);
    else if (enclosure->pending)
        status = go_on(enclosure, candidate->t);
    else
        status = carry_to(enclosure, candidate, enclosure->t_e);
    set_pending(enclosure, candidate);
    return status;
}

/* A margin about the end of a step of this length from a time: so many bits of the time
   there, and within the step. */
static void choose_margin(const arb_t start, const arb_t length, double bits,
                          arb_t margin)
{
    arb_t part;
    arb_init(part);
    arb_abs(margin, start);
    arb_add(margin, margin, length, 64);
    arb_mul_2exp_si(margin, margin, -(long)bits);
    arb_mul_2exp_si(part, length, -2);
    arb_min(margin, margin, part, 64);
    arb_get_mid_arb(margin, margin);
    arb_clear(part);
}

/* --- an event
   ---------------------------------------------------------------------------- */

/* Crosses the step to the event, shows that it is the first, and passes it. */
static enum status cross_to_event(struct enclosure *enclosure, struct crossing *crossing,
                                  const struct event *event, const arb_t margin)
{
    const struct candidate *c = enclosure->pending;
    arb_t zero, before, after;
    arb_init(zero);
    arb_init(before);
    arb_init(after);
    arb_sub(before, c->length, margin, enclosure->precision);
    arb_add(after, c->length, margin, enclosure->precision);
    enum status status = guard_exclusion(enclosure, &crossing->tube, zero, before, NULL);
    if (status == OK)
        status = take_samples(enclosure, &crossing->tube,
                              &(struct sample_range){.before = before});
    enclosure->arc_begins = false;
    if (status == OK)
        status = guard_exclusion(enclosure, &crossing->tube, before, after, event);
    if (status == OK)
        status = passage(enclosure, &crossing->tube, event, c->length, margin);
    if (status == OK)
        status = take_samples(enclosure, &crossing->tube,
                              &(struct sample_range){
                                  .event = acb_realref(enclosure->t_e)});
    arb_clear(zero);
    arb_clear(before);
    arb_clear(after);
    return status;
}

enum status enclosure_event(struct enclosure *enclosure, const struct event *event,
                            arb_srcptr near, struct diagnosis *diagnosis)
{
    struct crossing crossing;
    arb_t margin, span;
    enclosure->diagnosis = diagnosis;
    if (enclosure->pending == NULL)
        return diagnose(diagnosis, NOT_APPLICABLE, enclosure_time(
                            acb_realref(enclosure->t_e)), "event %s follows another at "
                        "once, which no ball can show", event->name);
    if (!arb_is_positive(enclosure->pending->length))
        return diagnose(diagnosis, PRECISION, enclosure_time(enclosure->pending->t),
                        "event %s: there is no step to it", event->name);
    arb_init(margin);
    arb_init(span);
    /* The root is looked for within a third of the digits. */
    choose_margin(enclosure->pending->t, enclosure->pending->length,
                  1.1 * enclosure->digits, margin);
    arb_add(span, enclosure->pending->length, margin, enclosure->precision);
    enum status status = crossing_open(enclosure, &crossing, span);
    for (int i = 0; i < enclosure->model->n + event->to->m; i++)
        if (near)
            acb_set_arb(enclosure->u + i, near + i);
        else
            acb_zero(enclosure->u + i);
    if (status == OK)
        status = cross_to_event(enclosure, &crossing, event, margin);
    crossing_close(&crossing);
    set_pending(enclosure, NULL);
    enclosure->after = event;
    enclosure->mode = event->to;
    enclosure->over = event->terminal;
    arb_clear(margin);
    arb_clear(span);
    return status;
}

/* --- the end
   ----------------------------------------------------------------------------- */

static struct jets *end_costs(struct enclosure *enclosure, struct mode_equations *e)
{
    struct jets **jets = &enclosure->end_costs[e->mode->index];
    if (*jets == NULL)
        *jets = mode_equations_formulas(e, enclosure->model->w, enclosure->model->nz);
    return *jets;
}

/* psi = z + w at the end t, whose derivatives are dt [p]; along the moving end dx = X +
   x' dt. `tube`, loaded at the end, tells the branch; NULL: enclosure->u does. */
static enum status set_psi(struct enclosure *enclosure, struct mode_equations *e,
                           const struct tube *tube, const acb_t t, acb_srcptr dt)
{
    int nz = e->nz, z = enclosure->states - nz;
    slong precision = enclosure->precision;
    struct solved_point point;
    solved_point_open(&point, e, enclosure->p);
    struct jets *w = end_costs(enclosure, e);
    bool good = enclosure_solve(enclosure, &point, t, enclosure->state, enclosure->u) &&
                (tube == NULL || tube_tells_branch(tube, point.slot + e->a)) &&
                jets_run(w, point.slot, false, precision);
    acb_t x, d;
    acb_init(x);
    acb_init(d);
    for (int i = 0; good && i < nz; i++) {
        struct jet_part_view view = jets_output(w, i, PART_VALUE, 0);
        acb_set(x, enclosure->state + z + i);
        if (view.value)
            acb_add(x, x, view.value, precision);
        arb_set(enclosure->out->psi + i, acb_realref(x));
        for (int j = 0; j < enclosure->p; j++) {
            acb_mul(x, point.rate + z + i, dt + j, precision);
            acb_add(x, x, enclosure->state + (1 + j) * enclosure->states + z + i,
                    precision);
            for (int k = 0; k < view.slots; k++) {
                acb_mul(d, acb_mat_entry(point.tangents, view.slot[k], enclosure->p),
                        dt + j, precision);
                acb_add(d, d, acb_mat_entry(point.tangents, view.slot[k], j), precision);
                acb_addmul(x, view.by + k, d, precision);
            }
            arb_set(enclosure->out->psi + (1 + j) * nz + i, acb_realref(x));
        }
    }
    acb_clear(x);
    acb_clear(d);
    solved_point_close(&point);
    return good ? OK : diagnose(enclosure->diagnosis, SINGULAR,
                                enclosure_time(acb_realref(t)), "the end");
}

/* A sample that is the end may be written a last digit beyond it: the tube goes on so
   far. */
static enum status cross_to_end(struct enclosure *enclosure)
{
    struct crossing crossing;
    arb_t span, beyond, zero;
    acb_t time, t;
    arb_init(span);
    arb_init(beyond);
    arb_init(zero);
    acb_init(time);
    acb_init(t);
    arb_sub(span, acb_realref(enclosure->t_end), enclosure->pending->t,
            enclosure->precision);
    choose_margin(enclosure->pending->t, span, 1.6 * enclosure->digits, beyond);
    arb_add(beyond, beyond, span, enclosure->precision);
    acb_set_arb(time, span);
    enum status status = crossing_open(enclosure, &crossing, beyond);
    if (status == OK)
        status = guard_exclusion(enclosure, &crossing.tube, zero, span, NULL);
    if (status == OK)
        status = take_samples(enclosure, &crossing.tube,
                              &(struct sample_range){.before = beyond});
    if (status == OK) {
        const struct mode_equations *e = crossing.stage.equations;
        state_at(enclosure, &crossing.tube, time, NULL, enclosure->state, t);
        _acb_vec_set(enclosure->u, crossing.stage.slot + e->a, e->unknowns);
        status = set_psi(enclosure, crossing.stage.equations, &crossing.tube,
                         enclosure->t_end, enclosure->dt_end);
    }
    if (status == OK)
        status = dependent_hold(enclosure, enclosure->mode, enclosure->t_end,
                                enclosure->state);
    crossing_close(&crossing);
    arb_clear(span);
    arb_clear(beyond);
    arb_clear(zero);
    acb_clear(time);
    acb_clear(t);
    return status;
}

enum status enclosure_finish(struct enclosure *enclosure, struct enclosed_motion **out,
                             struct diagnosis *diagnosis)
{
    enclosure->diagnosis = diagnosis;
    enum status status = OK;
    if (enclosure->over)
        status = set_psi(enclosure, enclosure_equations(enclosure, enclosure->after->to),
                         NULL, enclosure->t_e, enclosure->tau);
    else if (enclosure->pending)
        status = cross_to_end(enclosure);
    else
        status = diagnose(diagnosis, NOT_APPLICABLE, NAN, "there is no step to the end");
    if (status == OK) {
        *out = enclosure->out;
        enclosure->out = NULL;
    }
    return status;
}
