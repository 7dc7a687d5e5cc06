/*
 * enclosure_samples.c - the exact state at sample times, each on its side of an event.
 */
#include "enclosure_parts.h"

void state_at(const struct enclosure *enclosure, struct tube *tube, const acb_t time,
              const arb_t radius, acb_ptr state, acb_t t)
{
    struct stage *stage = tube->stage;
    tube_load(tube, time, radius, enclosure->precision);
    for (int lane = 0; lane < enclosure->lanes; lane++)
        for (int i = 0; i < enclosure->states; i++)
            acb_set(state + lane * enclosure->states + i,
                    stage->value + lane * stage->track->width + stage_state(stage, i));
    acb_set(t, stage->slot);
}

/* Records a sample at a time of the step. */
static enum status sample_at(struct enclosure *enclosure, struct tube *tube,
                             const acb_t time)
{
    struct solved_point point;
    acb_t t;
    acb_ptr state = _acb_vec_init(enclosure->lanes * enclosure->states);
    acb_init(t);
    const struct mode_equations *e = tube->stage->equations;
    solved_point_open(&point, tube->stage->equations, enclosure->p);
    state_at(enclosure, tube, time, NULL, state, t);
    enum status status = OK;
    if (enclosure_solve(enclosure, &point, t, state, tube->stage->slot + e->a) &&
        tube_tells_branch(tube, point.slot + e->a))
        status = enclosure_record(enclosure,
                                  &enclosure->out->sample[enclosure->out->samples++],
                                  &point, t, state);
    else
        status = diagnose(enclosure->diagnosis, SINGULAR, enclosure_time(acb_realref(t)),
                          "the equations of motion are not shown to be regular");
    solved_point_close(&point);
    _acb_vec_clear(state, enclosure->lanes * enclosure->states);
    acb_clear(t);
    return status;
}

/* Records a sample whose time is that of the start of the step, or just about: the state
   there is carried to it. After an event it is not known to be on this side. */
static enum status sample_beside(struct enclosure *enclosure, struct tube *tube,
                                 const arb_t sample)
{
    struct mode_equations *e = tube->stage->equations;
    double t = enclosure_time(sample);
    if (enclosure->arc_begins && enclosure->after)
        return diagnose(enclosure->diagnosis, PRECISION, t, "a sample is not shown to be "
                        "on one side of event %s", enclosure->after->name);
    struct solved_point point;
    int count = enclosure->lanes * enclosure->states;
    acb_t from, to;
    acb_ptr state = _acb_vec_init(count), u = _acb_vec_init(e->unknowns);
    acb_init(from);
    acb_init(to);
    solved_point_open(&point, e, enclosure->p);
    _acb_vec_set(state, enclosure->state, count);
    _acb_vec_set(u, enclosure->u, e->unknowns);
    acb_set_arb(from, tube->stage->start);
    acb_set_arb(to, sample);
    enum status status = enclosure_transport(enclosure, e->mode, from, to, state);
    if (status == OK && enclosure_solve(enclosure, &point, to, state, enclosure->u))
        status = enclosure_record(enclosure,
                                  &enclosure->out->sample[enclosure->out->samples++],
                                  &point, to, state);
    else if (status == OK)
        status = diagnose(enclosure->diagnosis, SINGULAR, t,
                          "the equations of motion are "
                          "not shown to be regular");
    _acb_vec_set(enclosure->u, u, e->unknowns);
    solved_point_close(&point);
    _acb_vec_clear(state, count);
    _acb_vec_clear(u, e->unknowns);
    acb_clear(from);
    acb_clear(to);
    return status;
}

/* Does the next sample lie in the range? *undecided: perhaps. time: on the step. */
static bool sample_is_next(const struct enclosure *enclosure, const struct tube *tube,
                           const struct sample_range *range, arb_t time, bool *undecided)
{
    *undecided = false;
    if (enclosure->sampled == enclosure->samples)
        return false;
    arb_srcptr sample = enclosure->sample + enclosure->sampled;
    arb_sub(time, sample, tube->stage->start, enclosure->precision);
    if (range->event) {
        *undecided = arb_overlaps(sample, range->event);
        return arb_lt(sample, range->event);
    }
    return arb_lt(time, range->before);
}

enum status take_samples(struct enclosure *enclosure, struct tube *tube,
                         const struct sample_range *range)
{
    acb_t time;
    bool undecided;
    enum status status = OK;
    acb_init(time);
    while (status == OK &&
           sample_is_next(enclosure, tube, range, acb_realref(time), &undecided)) {
        arb_srcptr sample = enclosure->sample + enclosure->sampled++;
        if (arb_is_nonnegative(acb_realref(time)))
            status = sample_at(enclosure, tube, time);
        else if (arb_contains_zero(acb_realref(time)))
            status = sample_beside(enclosure, tube, sample);
        else
            status = diagnose(enclosure->diagnosis, PRECISION, enclosure_time(sample),
                              "a sample lies before the step that should have it");
    }
    if (status == OK && undecided)
        status = diagnose(enclosure->diagnosis, PRECISION, enclosure_time(range->event),
                          "a sample is not shown to be on one side of the event");
    acb_clear(time);
    return status;
}
