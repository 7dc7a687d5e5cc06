/*
 * passage.c - an event in balls: its time by the interval Newton operator on the guard
 * along the motion, the reset, and the jump of the columns, straight from
 *
 *     rd  = r_t + r_q v- + r_v a- + r_s f_s- + r_u u'-
 *     tau = -(r_q Q- + r_v V- + r_s S- + r_u U- + r_rho)/rd
 *     dx  = X- + x'- tau,   J_w dw + J_x dx + J_t tau + J_rho = 0,   X+ = dw - x'+ tau
 */
#include "enclosure_parts.h"

#include <stdlib.h>

#include "base/memory.h"

struct passing {
    struct enclosure *enclosure;
    struct tube *tube;
    const struct event *event;
    int guard;                  /* its number in the mode */
    struct mode_equations *before_equations;
    struct solved_point before, after;
    struct reset_balls *reset;
    acb_t t_e, rate;            /* time of the event; rd */
    acb_ptr state;              /* [lanes][states] before */
    acb_mat_t moving;           /* [slots of the reset][p] tangents along the event */
};

static enum status undecided(const struct passing *passing, const char *what)
{
    return diagnose(passing->enclosure->diagnosis, PRECISION,
                    enclosure_time(passing->tube->stage->start) +
                        enclosure_time(passing->tube->stage->span),
                    "event %s: %s", passing->event->name, what);
}

/* The state and its columns at a time of the step, or over a disk of times. */
static bool load_state(struct passing *passing, const acb_t time, const arb_t radius)
{
    struct enclosure *enclosure = passing->enclosure;
    struct stage *stage = passing->tube->stage;
    const struct mode_equations *e = passing->before_equations;
    acb_t t;
    acb_init(t);
    state_at(enclosure, passing->tube, time, radius, passing->state, t);
    bool good = enclosure_solve(enclosure, &passing->before, t, passing->state,
                                stage->slot + e->a) &&
                tube_tells_branch(passing->tube, passing->before.slot + e->a);
    acb_clear(t);
    return good;
}

/* r along a column: tangents of the point times derivatives of the guard. */
static void guard_along(const struct passing *passing, int column, acb_t rate)
{
    const struct mode_equations *e = passing->before_equations;
    acb_zero(rate);
    for (int i = 0; i < e->slots; i++)
        acb_addmul(rate, acb_mat_entry(e->guard.by, passing->guard, i),
                   acb_mat_entry(passing->before.tangents, i, column),
                   passing->enclosure->precision);
}

/* The root about `near`: the guard has a rate of one sign over the margin, and the step
   from its value at `near` stays within. */
static enum status find_root(struct passing *passing, const arb_t near,
                             const arb_t margin, acb_t root)
{
    slong precision = passing->enclosure->precision;
    acb_t time, r;
    arb_t size;
    acb_init(time);
    acb_init(r);
    arb_init(size);
    acb_set_arb(time, near);
    enum status status = OK;
    if (!load_state(passing, time, margin))
        status = undecided(passing,
                           "the equations of motion are not shown to be regular");
    if (status == OK) {
        guard_along(passing, passing->enclosure->p, passing->rate);
        arb_srcptr rate = acb_realref(passing->rate);
        bool falls = arb_is_negative(rate), rises = arb_is_positive(rate);
        if (!falls && !rises)
            status = undecided(passing,
                               "the sign of the guard's rate is not decided: the "
                               "motion may graze it");
        else if (passing->event->direction != EITHER &&
                 passing->event->direction != (rises ? RISING : FALLING))
            status = undecided(passing, "the guard is crossed against its direction");
    }
    if (status == OK && !load_state(passing, time, NULL))
        status = undecided(passing,
                           "the equations of motion are not shown to be regular");
    if (status == OK) {
        acb_div(r, passing->before_equations->guard.value + passing->guard, passing->rate,
                precision);
        arb_abs(size, acb_realref(r));
        if (!arb_lt(size, margin))
            status = undecided(passing, "its root is not shown to lie at the approximate "
                               "one");
        acb_sub(root, time, r, precision);
    }
    acb_clear(time);
    acb_clear(r);
    arb_clear(size);
    return status;
}

/* The first declared event of the guard whose conditions hold is this one. */
static enum status check_conditions(struct passing *passing)
{
    const struct mode_equations *e = passing->before_equations;
    for (int g = 0; g <= passing->guard; g++) {
        if (!event_shares_guard(e->event[g], passing->event))
            continue;
        bool holds = true, fails = false;
        for (int i = e->condition[g]; i < e->condition[g + 1]; i++) {
            arb_srcptr x = acb_realref(e->conditions.value + i);
            holds = holds && arb_is_positive(x);
            fails = fails || arb_is_negative(x);
        }
        if (g == passing->guard ? !holds : !fails)
            return undecided(passing, "its conditions are not decided");
    }
    return OK;
}

static void set_tau(struct passing *passing)
{
    struct enclosure *enclosure = passing->enclosure;
    guard_along(passing, enclosure->p, passing->rate);
    for (int j = 0; j < enclosure->p; j++) {
        guard_along(passing, j, enclosure->tau + j);
        acb_div(enclosure->tau + j, enclosure->tau + j, passing->rate,
                enclosure->precision);
        acb_neg(enclosure->tau + j, enclosure->tau + j);
    }
}

/* The slot of the reset that a slot of the mode is; -1: a multiplier of independent
   constraints, on which no formula depends. */
static int slot_of_reset(const struct passing *passing, int slot)
{
    const struct mode_equations *e = passing->before_equations;
    if (slot >= e->rho)
        return passing->reset->rho + slot - e->rho;
    return slot < e->lambda || e->multipliers == e->m ? slot : -1;
}

/* Tangents along the moving event are columns + tau times the motion. */
static void load_reset(struct passing *passing, acb_ptr slot)
{
    const struct enclosure *enclosure = passing->enclosure;
    acb_mat_zero(passing->moving);
    for (int i = 0; i < passing->before_equations->slots; i++) {
        int to = slot_of_reset(passing, i);
        if (to < 0)
            continue;
        acb_set(slot + to, passing->before.slot + i);
        for (int j = 0; j < enclosure->p; j++) {
            acb_ptr d = acb_mat_entry(passing->moving, to, j);
            acb_mul(d, acb_mat_entry(passing->before.tangents, i, enclosure->p),
                    enclosure->tau + j, enclosure->precision);
            acb_add(d, d, acb_mat_entry(passing->before.tangents, i, j),
                    enclosure->precision);
        }
    }
}

/* z+ = z + cost; its derivative along the moving event, Z + g tau + that of the cost. */
static void carry_costs(struct passing *passing, acb_ptr next)
{
    const struct enclosure *enclosure = passing->enclosure;
    const struct reset_balls *r = passing->reset;
    int first = enclosure->states - r->nz;
    slong precision = enclosure->precision;
    acb_mat_t costs;
    acb_mat_init(costs, r->nz, enclosure->p);
    acb_mat_mul(costs, r->costs.by, passing->moving, precision);
    for (int i = 0; i < r->nz; i++) {
        acb_add(next + first + i, passing->state + first + i, r->costs.value + i,
                precision);
        for (int j = 0; j < enclosure->p; j++) {
            int k = (1 + j) * enclosure->states + first + i;
            acb_mul(next + k, passing->before.rate + first + i, enclosure->tau + j,
                    precision);
            acb_add(next + k, next + k, passing->state + k, precision);
            acb_add(next + k, next + k, acb_mat_entry(costs, i, j), precision);
        }
    }
    acb_mat_clear(costs);
}

/* The state after the event, and its columns at fixed time. */
static enum status apply_reset(struct passing *passing)
{
    struct enclosure *enclosure = passing->enclosure;
    struct reset_balls *r = passing->reset;
    slong precision = enclosure->precision;
    int states = enclosure->states, moving = states - r->nz;
    acb_ptr slot = _acb_vec_init(r->slots), next = enclosure->state;
    enum status status = OK;
    load_reset(passing, slot);
    if (!reset_balls_solve(r, slot, precision) ||
        !reset_balls_tangents(r, passing->moving, precision))
        status = undecided(passing, "its reset is not shown to have a unique solution");
    if (status == OK) {
        _acb_vec_set(next, slot + r->after, moving);
        for (int j = 0; j < enclosure->p; j++)
            for (int i = 0; i < moving; i++)
                acb_set(next + (1 + j) * states + i,
                        acb_mat_entry(passing->moving, r->after + i, j));
        carry_costs(passing, next);
        if (!enclosure_solve(enclosure, &passing->after, passing->t_e, next,
                             enclosure->u))
            status = undecided(passing, "the equations of motion after it are not shown "
                               "to be regular");
    }
    for (int j = 0; status == OK && j < enclosure->p; j++)
        for (int i = 0; i < states; i++)
            acb_submul(next + (1 + j) * states + i, passing->after.rate + i,
                       enclosure->tau + j, precision);
    if (status == OK &&
        !enclosure_solve(enclosure, &passing->after, passing->t_e, next, enclosure->u))
        status = undecided(passing, "the columns after it");
    if (status == OK && !constraints_hold(enclosure, &passing->after))
        status = diagnose(enclosure->diagnosis, INCONSISTENT,
                          enclosure_time(acb_realref(passing->t_e)),
                          "event %s: Phi or Phid "
                          "of mode %s, or a derivative of these, is not zero after it",
                          passing->event->name, passing->event->to->name);
    if (status == OK)
        status = guards_near_side(enclosure, &passing->after);
    _acb_vec_set(enclosure->u, passing->after.slot + passing->after.equations->a,
                 passing->after.equations->unknowns);
    _acb_vec_clear(slot, r->slots);
    return status;
}

static enum status record(struct passing *passing)
{
    struct enclosure *enclosure = passing->enclosure;
    struct enclosed_motion *out = enclosure->out;
    out->event = memory_grow(out->event, &out->event_room, out->events + 1,
                             sizeof *out->event);
    struct enclosed_event *event = &out->event[out->events];
    enclosed_event_open(event, &out->columns);
    event->event = passing->event;
    for (int j = 0; j < enclosure->p; j++)
        arb_set(event->tau + j, acb_realref(enclosure->tau + j));
    out->events++;
    enum status status = enclosure_record(enclosure, &event->before, &passing->before,
                                          passing->t_e, passing->state);
    return status == OK ? enclosure_record(enclosure, &event->after, &passing->after,
                                           passing->t_e, enclosure->state) : status;
}

static struct reset_balls *reset_of(struct enclosure *enclosure,
                                    const struct event *event)
{
    struct reset_balls **reset = &enclosure->reset[event->index];
    if (*reset == NULL)
        *reset = reset_balls_new(enclosure->model, event);
    return *reset;
}

/* Guards beyond zero before the event, in their direction, may be so after it. */
static void note_far(struct passing *passing)
{
    struct enclosure *enclosure = passing->enclosure;
    const struct mode_equations *e = passing->before_equations;
    for (int k = 0; k < enclosure->model->events; k++) {
        const struct event *event = enclosure->model->event[k];
        enclosure->far[k] = false;
        for (int g = 0; g < e->guards; g++) {
            arb_srcptr r = acb_realref(e->guard.value + g);
            bool beyond = e->event[g]->direction == RISING ? arb_is_positive(r)
                        : e->event[g]->direction == FALLING && arb_is_negative(r);
            if (beyond && !event_shares_guard(e->event[g], passing->event) &&
                e->event[g]->direction == event->direction &&
                same_formula(e->event[g]->guard, event->guard))
                enclosure->far[k] = true;
        }
    }
}

static enum status pass(struct passing *passing, const arb_t near, const arb_t margin)
{
    struct enclosure *enclosure = passing->enclosure;
    acb_t root;
    acb_init(root);
    enum status status = find_root(passing, near, margin, root);
    if (status == OK && !load_state(passing, root, NULL))
        status = undecided(passing,
                           "the equations of motion are not shown to be regular");
    if (status == OK) {
        acb_set_arb(passing->t_e, passing->tube->stage->start);
        acb_add(passing->t_e, passing->t_e, root, enclosure->precision);
        set_tau(passing);
        status = check_conditions(passing);
    }
    if (status == OK &&
        !arb_lt(acb_realref(passing->t_e), acb_realref(enclosure->t_end)))
        status = undecided(passing, "it is not shown to happen before the end");
    if (status == OK) {
        contact_after(enclosure, passing->event);
        note_far(passing);
        status = apply_reset(passing);
    }
    if (status == OK)
        status = record(passing);
    acb_clear(root);
    return status;
}

enum status passage(struct enclosure *enclosure, struct tube *tube,
                    const struct event *event, const arb_t near, const arb_t margin)
{
    struct mode_equations *e = tube->stage->equations;
    struct passing passing = {.enclosure = enclosure,
                              .tube = tube,
                              .event = event,
                              .guard = mode_equations_guard(e, event),
                              .before_equations = e,
                              .reset = reset_of(enclosure, event)};
    if (passing.guard < 0)
        return undecided(&passing, "it does not leave the mode of the motion");
    if (passing.reset == NULL)
        return diagnose(enclosure->diagnosis, NOT_APPLICABLE,
                        enclosure_time(tube->stage->start),
                        "event %s: constraints of its "
                        "reset depend on others, which no ball can show",
                        event->name);
    solved_point_open(&passing.before, e, enclosure->p);
    solved_point_open(&passing.after, enclosure_equations(enclosure, event->to),
                      enclosure->p);
    acb_init(passing.t_e);
    acb_init(passing.rate);
    passing.state = _acb_vec_init(enclosure->lanes * enclosure->states);
    acb_mat_init(passing.moving, passing.reset->slots, enclosure->p);
    enum status status = pass(&passing, near, margin);
    acb_set(enclosure->t_e, passing.t_e);
    solved_point_close(&passing.before);
    solved_point_close(&passing.after);
    acb_clear(passing.t_e);
    acb_clear(passing.rate);
    _acb_vec_clear(passing.state, enclosure->lanes * enclosure->states);
    acb_mat_clear(passing.moving);
    return status;
}
