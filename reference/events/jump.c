/*
 * jump.c - saltation: the time derivative tau of an event, and the sensitivities after
 * it.
 *
 *     rd  = dr/dt along the motion before the event (coefficient 1 of the guard's series)
 *     tau = -(r_q Q- + r_v V- + r_s S_s- + r_u U- + r_rho) / rd
 *     dq+ ... from the reset along the moving event;  then back to fixed time:
 *     Q+ = dq+ - v+ tau,  V+ = dv+ - a+ tau,  S+ = ds+ - f_s+ tau,  Z+ = dz+ - g+ tau
 */
#include <math.h>

#include "base/memory.h"
#include "mp_run.h"

static double log2_resolution(const struct run *run, mpfr_srcptr scale)
{
    return run->resolution + fmax(0, mp_log2(scale));
}

/* Sets run->tau for a first event. A chained event happens at the time of the first,
   and its guard must be zero along the moving event for every parameter: dr + rd
   tau = 0. */
static enum status event_time(struct run *run, const struct taylor *before, int guard,
                              bool chained)
{
    const struct event *event = before->plan->event[guard];
    mpfr_srcptr rd = taylor_guard(before, guard) + 1;
    for (int j = 0; j < run->parameters; j++) {
        mpfr_srcptr dr = taylor_guard_along(before, 1 + j, guard);
        if (!chained) {
            mpfr_div(run->tau + j, dr, rd, MPFR_RNDN);
            mpfr_neg(run->tau + j, run->tau + j, MPFR_RNDN);
            continue;
        }
        mpfr_fma(run->work, rd, run->tau + j, dr, MPFR_RNDN);
        if (mp_log2(run->work) > log2_resolution(run, dr))
            return diagnose(run->diagnosis, SIMULTANEOUS, mpfr_get_d(run->t, MPFR_RNDN),
                            "event %s follows another at once, but not when %s changes",
                            event->name,
                            column_parameter(&run->out->columns, j));
    }
    return OK;
}

/* Sets run->y to y+ and its sensitivities at fixed time, from those along the moving
   event, which reset_apply left in run->moving. */
static enum status fixed_time(struct run *run, struct taylor *after)
{
    int n = after->n;
    enum status status = taylor_expand(after, run->t, run->moving, 1, 0, run->diagnosis);
    if (status != OK)
        return status;
    mp_copy(run->y, run->moving, run->width);
    for (int j = 0; j < run->parameters; j++) {
        mpfr_ptr Y = run->y + (j + 1) * run->width;
        mpfr_srcptr d = run->moving + (j + 1) * run->width;
        mpfr_neg(run->work, run->tau + j, MPFR_RNDN);
        for (int i = 0; i < run->width; i++) {
            int s = i - 2 * n, z = s - after->ns;
            mpfr_srcptr rate = i < n ? run->y + n + i
                             : i < 2 * n ? taylor_u(after, 0, i - n)
                             : z < 0 ? taylor_f_s(after, 0, s, 0)
                                     : taylor_g(after, 0, z, 0);
            mpfr_fma(Y + i, rate, run->work, d + i, MPFR_RNDN);
        }
    }
    return OK;
}

/* log2 of the largest of outputs [first, first + count) of `constraint` in a lane */
static double largest(const struct taylor *taylor, int lane, int first, int count)
{
    double size = -INFINITY;
    for (int i = 0; i < count; i++)
        size = fmax(size, mp_log2(mp_series_output(taylor->constraint, lane, first + i)));
    return size;
}

/* Tests if the constraints of the mode entered hold identically in parameter j. If the
   derivatives Y of the state do not allow it, either the event is to blame
   (INCONSISTENT), or there is no such motion (INADMISSIBLE). size: log2 of the state. */
static enum status check_direction(struct run *run, struct taylor *after,
                                   const struct event *event, int j, double size)
{
    int n = after->n, m = after->m, tangent = 2 * m + 1 + 2 * m * n;
    mpfr_srcptr Y = run->y + (j + 1) * run->width;
    mp_series_load(after->constraint, j, TANGENT(BLOCK_T), 0, NULL, 1);
    mp_series_load(after->constraint, j, TANGENT(BLOCK_Q), 0, Y, 1);
    mp_series_load(after->constraint, j, TANGENT(BLOCK_V), 0, Y + n, 1);
    mp_series_load(after->constraint, j, TANGENT(BLOCK_S), 0, Y + 2 * n, 1);
    mp_series_run(after->constraint, j, STAGE_DIRECTION, 0);
    double limit = run->resolution + size + fmax(0, mp_log2_max(Y, 2 * n));
    double off[2] = {largest(after, j, tangent, m), largest(after, j, tangent + m, m)};
    if (fmax(off[0], off[1]) <= limit)
        return OK;
    bool velocity = off[0] <= limit;
    bool inadmissible = after->rank < m && !taylor_admissible(after, 1 + j, velocity);
    return diagnose(run->diagnosis, inadmissible ? INADMISSIBLE : INCONSISTENT,
                    mpfr_get_d(run->t, MPFR_RNDN),
                    "after event %s: the constraints of mode %s do not hold identically "
                    "in %s (off by %.3g)",
                    event->name, event->to->name,
                    column_parameter(&run->out->columns, j),
                    exp2(fmax(off[0], off[1])));
}

/* Tests if the constraints of the mode entered hold after the reset, and identically
   in every parameter (exact motion). */
static enum status check_constraints(struct run *run, struct taylor *after,
                                     const struct event *event)
{
    double Phi, Phid, size = fmax(0, mp_log2_max(run->y, 2 * after->n));
    enum status status = OK;
    taylor_invariants(after, run->t, run->y, &Phi, &Phid, run->work);
    if (after->m > 0 && largest(after, 0, 0, 2 * after->m) > run->resolution + size)
        return diagnose(run->diagnosis, INCONSISTENT, mpfr_get_d(run->t, MPFR_RNDN),
                        "after event %s: |Phi| = %.3g, |Phid| = %.3g in mode %s",
                        event->name, Phi, Phid, event->to->name);
    for (int j = 0; status == OK && after->m > 0 && j < run->parameters; j++)
        status = check_direction(run, after, event, j, size);
    return status;
}

static void keep_rates(struct run *run, const struct taylor *taylor, bool after)
{
    if (!run->keep_rates)
        return;
    int width = run->out->columns.width, last = run->out->events - 1;
    run->rates = memory_grow(run->rates, &run->rates_room, last + 1, sizeof *run->rates);
    if (!after)
        run->rates[last] = mp_vector_new(4 * (size_t)width, run->precision);
    mp_trajectory_rates(run->out, taylor, run->rates[last] + (after ? width : 0),
                        run->rates[last] + (after ? 3 : 2) * width);
}

/* The last record may be one that was begun when the event was refused. */
void run_drop_events(struct run *run, int first)
{
    while (run->out->events > first) {
        mp_trajectory_drop_event(run->out);
        if (run->keep_rates)
            mp_vector_free(run->rates[run->out->events]);
    }
}

void run_join_events(struct run *run, int first)
{
    struct mp_trajectory *out = run->out;
    const struct mp_event *begin = &out->event[first],
                          *end = &out->event[out->events - 1];
    int count = out->columns.count, width = out->columns.width;
    for (int e = first; e < out->events; e++) {
        struct mp_event *event = &out->event[e];
        event->together = e > first;
        event->before.mode = begin->before.mode;
        event->after.mode = end->after.mode;
        mp_copy((mpfr_ptr)event->before.x, (mpfr_srcptr)begin->before.x, count);
        mp_copy((mpfr_ptr)event->after.x, (mpfr_srcptr)end->after.x, count);
        if (!run->keep_rates)
            continue;
        for (int k = 0; k < 4; k++)
            mp_copy(run->rates[e] + k * width,
                    run->rates[k % 2 == 0 ? first : out->events - 1] + k * width, width);
    }
}

enum status run_jump(struct run *run, const struct approach *approach)
{
    struct taylor *before = run->taylor[run->mode->index];
    int guard = approach->guard, order = run->keep_rates ? 2 : 1;
    const struct event *event = before->plan->event[guard];
    double t = mpfr_get_d(run->t, MPFR_RNDN);
    enum status status = taylor_expand(before, run->t, run->next, before->lanes, 2,
                                       run->diagnosis);
    if (status != OK)
        return status;
    mpfr_srcptr rd = taylor_guard(before, guard) + 1;
    if (!approach->chained && !(mp_log2(rd) > run->resolution + approach->rate_scale))
        return diagnose(run->diagnosis, GRAZING, t,
                        "event %s: the guard changes at a rate "
                        "of %.3g only",
                        event->name, mpfr_get_d(rd, MPFR_RNDN));
    status = event_time(run, before, guard, approach->chained);
    if (status != OK)
        return status;
    struct mp_event *record = mp_trajectory_event(run->out, &run->events_room);
    record->event = event;
    run_condition(run, approach, &record->rate, &record->condition);
    mp_copy((mpfr_ptr)record->tau, run->tau, run->parameters);
    mp_trajectory_record(run->out, before, &record->before);
    keep_rates(run, before, false);

    struct taylor *after = run->taylor[event->to->index];
    status = reset_apply(run->reset[event->index], before, run->tau, run->moving,
                         run->diagnosis);
    enum status edges = run_event_edges(run, event, before, run->moving);
    status = edges != OK ? edges : status;
    for (int j = 0; status == OK && j < run->parameters; j++)
        status = run_gate_number(run, run->tau + j, 1 + j, "the time of event ",
                                 event->name);
    if (status == OK)
        status = run_gate_state(run, run->moving, "", " after an event");
    if (status == OK && run->plan->exact)
        run->out->worst_balance = fmax(run->out->worst_balance,
                                       reset_imbalance(run->reset[event->index]));
    if (status == OK)
        status = fixed_time(run, after);
    if (status == OK && run->plan->exact)
        status = check_constraints(run, after, event);
    if (status == OK)
        status = taylor_expand(after, run->t, run->y, after->lanes, order,
                               run->diagnosis);
    if (status != OK)
        return status;
    run->mode = event->to;
    mp_trajectory_record(run->out, after, &record->after);
    keep_rates(run, after, true);
    return OK;
}
