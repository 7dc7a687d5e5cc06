/*
 * arcs.c - integration of a hybrid system: Taylor steps, event location and transitions,
 * from the start to the end.
 *
 * Each step expands the motion, asks every guard for its first root on the step, and goes
 * to the earliest. At the start of an arc:
 *   - a guard that is zero is deflated; its side is the sign of its first nonzero
 *     coefficient. On the near side the root does not count. On the far side it is
 *     sliding, if the guard is the one that fired; else its event follows at once
 *     (a chain).
 *   - a guard on its far side is refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic/tolerances.h"
#include "base/memory.h"
#include "instant.h"

enum { CHAIN_LIMIT = 10, STEP_LIMIT = 1000000 };

/* --- samples ------------------------------------------------------------------------ */

/* Records the samples on [t, t + step), and at the end of time the end, too. Their
   states are taken from the series first; then the series is no longer needed, and
   each point is solved anew. */
static enum status sample(struct arc *arc, bool at_end)
{
    struct run *run = arc->run;
    struct taylor *taylor = arc->taylor, *at = run->taylor[run->mode->index];
    int first = run->sampled, size = taylor->lanes * taylor->width;
    mpfr_ptr until = run->work + 1, since = run->work + 2;
    if (at_end)
        mpfr_set(until, run->t_end, MPFR_RNDN);
    else
        mpfr_add(until, run->t, arc->step, MPFR_RNDN);
    for (; run->sampled < run->out->samples; run->sampled++) {
        int past = mpfr_cmp(run->sample + run->sampled, until);
        if (past > 0 || (past == 0 && !at_end))
            break;
        mpfr_sub(since, run->sample + run->sampled, run->t, MPFR_RNDN);
        taylor_at(taylor, since, run->stash + (ptrdiff_t)(run->sampled - first) * size);
    }
    taylor_guess(at, taylor);
    for (int i = first; i < run->sampled; i++) {
        enum status status = taylor_expand(at, run->sample + i,
                                           run->stash + (ptrdiff_t)(i - first) * size,
                                           at->lanes, 0, run->diagnosis);
        if (status != OK)
            return status;
        mp_trajectory_record(run->out, at, &run->out->sample[i]);
    }
    return OK;
}

/* A sample at the start has the state before what happens there at once. */
static void sample_start(struct arc *arc)
{
    struct run *run = arc->run;
    if (arc->cause == NULL && run->sampled == 0 && run->out->samples > 0 &&
        mpfr_equal_p(run->sample, run->t))
        mp_trajectory_record(run->out, arc->taylor, &run->out->sample[run->sampled++]);
}

/* Refuses a sample time that falls on the event at run->t, unless that is an end where
   the model lets events happen. */
static enum status sample_apart(const struct arc *arc)
{
    struct run *run = arc->run;
    if (run->model->at_ends == AT_ENDS_HAPPEN &&
        (arc_same_time(arc, run->t, run->t0) || arc_same_time(arc, run->t, run->t_end)))
        return OK;
    for (int i = run->sampled - 1; i <= run->sampled; i++)
        if (i >= 0 && i < run->out->samples &&
            arc_same_time(arc, run->sample + i, run->t))
            return diagnose(run->diagnosis, EVENT_AT_END, arc_time(arc),
                            "event %s falls on a sample time",
                            arc->taylor->plan->event[arc->guard]->name);
    return OK;
}

/* --- invariants --------------------------------------------------------------------- */

static void invariants(struct arc *arc)
{
    struct run *run = arc->run;
    struct mp_trajectory *out = run->out;
    if (!run->plan->exact)
        return;
    double Phi, Phid;
    taylor_invariants(arc->taylor, run->t, run->y, &Phi, &Phid, arc->energy);
    out->worst_Phi = fmax(out->worst_Phi, Phi);
    out->worst_Phid = fmax(out->worst_Phid, Phid);
    if (run->model->energy.tape == NULL || arc->taylor->plan->mode->power.tape)
        return;
    if (arc->first)
        mpfr_set(arc->energy_start, arc->energy, MPFR_RNDN);
    arc->energy_size = fmax(arc->energy_size, fabs(mpfr_get_d(arc->energy, MPFR_RNDN)));
    mpfr_sub(arc->energy, arc->energy, arc->energy_start, MPFR_RNDN);
    double change = fabs(mpfr_get_d(arc->energy, MPFR_RNDN));
    if (change > 0)
        out->worst_energy = fmax(out->worst_energy, change / arc->energy_size);
}

/* --- a step ------------------------------------------------------------------------- */

/* Refuses a change of rank within an arc: constraints that become dependent, or cease
   to be, make another mechanism. The configuration is singular here, or at the start
   of the arc. */
static enum status check_rank(struct arc *arc, const struct taylor *taylor)
{
    struct run *run = arc->run;
    if (arc->first) {
        arc->rank = taylor->rank;
        mpfr_set(arc->since, run->t, MPFR_RNDN);
    }
    if (taylor->rank == arc->rank)
        return OK;
    bool here = taylor->rank < arc->rank;
    if (!here)
        mpfr_set(run->t, arc->since, MPFR_RNDN);
    return diagnose(run->diagnosis, RANK_LOSS, arc_time(arc),
                    "mode %s: of the %d constraints %d are independent, but %d %s",
                    taylor->plan->mode->name, taylor->m,
                    here ? taylor->rank : arc->rank, here ? arc->rank : taylor->rank,
                    here ? "earlier on this arc" : "right after");
}

/* Raises the amplitudes [lanes * TAYLOR_GROUPS] of derivatives to those of the values
   over the parameter's, by which certificates measure them. A derivative that is zero in
   truth (by a mass, of a motion that is led) is rounding, and measured by itself it would
   be all error. */
static void raise_amplitudes(const struct run *run, double *amplitude)
{
    for (int j = 0; j < run->parameters; j++) {
        double *along = amplitude + (1 + j) * TAYLOR_GROUPS;
        for (int i = 0; i < TAYLOR_GROUPS; i++)
            along[i] = fmax(along[i], amplitude[i] - run->reach[j]);
    }
}

/* Chooses the workspace of the step, and returns the state at its start. With care,
   the state has twice the digits and is projected onto the constraints to as many. */
static mpfr_srcptr prepare(struct arc *arc)
{
    struct run *run = arc->run;
    struct taylor *before = arc->taylor;
    arc->taylor = arc->careful ? run_careful(run) : run->taylor[run->mode->index];
    if (arc->taylor != before)
        taylor_guess(arc->taylor, before);
    if (!arc->careful)
        return run->y;
    int size = before->lanes * before->width;
    mp_copy(run->careful_y, run->y, size);
    taylor_project(arc->taylor, run->t, run->careful_y);
    mp_copy(run->y, run->careful_y, size);
    raise_amplitudes(run, run->amplitude);
    return run->careful_y;
}

/* Expands the series at the current point; arc->carry becomes log2 of the step that it
   allows, at most `left`. */
static enum status expand(struct arc *arc, double left)
{
    struct run *run = arc->run;
    mpfr_srcptr y = prepare(arc);
    struct taylor *taylor = arc->taylor;
    double tolerance = -(run->digits + 5) * MP_BITS_PER_DIGIT;
    taylor->scalable = taylor->scalable || arc->first;
    enum status status = taylor_expand(taylor, run->t, y, taylor->lanes, taylor->order,
                                       run->diagnosis);
    if (status != OK)
        return status;
    arc->carry = taylor_step(taylor, taylor->lanes, tolerance, left, run->amplitude);
    return check_rank(arc, taylor);
}

/* Refuses a run whose steps, taken with care, have shrunk to 10^(-digits/4) of the
   longest: it leads to a singular point. If the constraints become dependent there,
   either the motion does not go on beyond, or it does but not for neighbouring
   parameters. */
static enum status check_collapse(struct arc *arc)
{
    struct run *run = arc->run;
    struct taylor *taylor = arc->taylor;
    if (!arc->careful || arc->carry > arc->longest + run->resolution / 2 ||
        taylor_dependence(taylor) > run->resolution / 4)
        return OK;
    double tolerance = -(run->digits + 5) * MP_BITS_PER_DIGIT;
    int lane = 0;           /* lane that cuts the step short */
    while (lane + 1 < taylor->lanes &&
           taylor_step(taylor, lane + 1, tolerance, arc->longest, run->amplitude) >
               arc->carry + carry_rounding)
        lane++;
    taylor_pole(taylor, lane, run->work);
    mpfr_sub(run->work + 1, run->work, run->t, MPFR_RNDN);
    bool passes = taylor_last_term(taylor, 0, mp_log2(run->work + 1)) < run->resolution;
    mpfr_set(run->t, run->work, MPFR_RNDN);
    const char *mode = taylor->plan->mode->name;
    if (passes)
        return diagnose(run->diagnosis, INADMISSIBLE, arc_time(arc),
                        "mode %s: the constraints become dependent, and cannot follow %s "
                        "beyond", mode, taylor_parameter(taylor, lane));
    return diagnose(run->diagnosis, RANK_LOSS, arc_time(arc),
                    "mode %s: the constraints become dependent, and the motion does not "
                    "go on beyond", mode);
}

/* Near a configuration in which constraints become dependent, errors of the
   constraints and of high coefficients grow and cut steps short, or multipliers are
   infinite there and do not decay. Then the step is expanded again with care, which
   makes both kinds of errors as small as can be; a motion that goes on beyond is so
   carried across. */
static enum status expand_with_care(struct arc *arc, double left)
{
    double before = arc->first ? -INFINITY : arc->carry;
    arc->careful = arc->careful && !arc->first;
    enum status status = expand(arc, left);
    if (status != OK)
        return status;
    arc->longest = arc->first ? arc->carry : fmax(arc->longest, arc->carry);
    if (arc->taylor->plan->dependent.program == NULL)
        return OK;          /* the mode has no constraints, or the motion does not hold
                               them exactly */
    bool shrinks = (arc->carry < before - 1 && arc->carry < left - carry_rounding) ||
                   arc->carry < arc->longest + arc->run->resolution / 4;
    bool trouble = shrinks || !taylor_decays(arc->taylor, arc->carry);
    bool again = trouble && !arc->careful;
    arc->careful = trouble;
    if (again)
        status = expand(arc, left);
    return status == OK ? check_collapse(arc) : status;
}

/* log2 of the step, at most 2^arc->h, at whose end the defect is of the size of the last
   terms. Steps are made shorter as long as that makes the defect smaller: near a singular
   configuration it is rounding; with care, it is not looked at. */
static double small_defect(struct arc *arc, double tolerance)
{
    enum { SLACK = 20, PASSES = 40, FALL = 4 };     /* bits; steps; bits */
    struct run *run = arc->run;
    double h = arc->h, before = INFINITY;
    memcpy(run->raised, run->amplitude,
           (size_t)(arc->taylor->lanes * TAYLOR_GROUPS) * sizeof *run->raised);
    raise_amplitudes(run, run->raised);
    for (int pass = 0; !arc->careful && pass < PASSES; pass++) {
        double defect = taylor_defect(arc->taylor, run_end(run), h, run->raised,
                                      run->end_y);
        if (defect <= tolerance + SLACK)
            return h;
        if (isnan(defect) || defect > before - FALL)
            return fmin(h + 0.5, arc->h);
        before = defect;
        h -= 0.5;
    }
    return arc->h;
}

static enum status choose_step(struct arc *arc, bool *at_end)
{
    struct run *run = arc->run;
    mpfr_sub(arc->left, run->t_end, run->t, MPFR_RNDN);
    double left = mp_log2(arc->left);
    double shorter = run->request->strict ? 0.69424191363061738 : 0;    /* log2 of the
                                                                           golden ratio */
    enum status status = expand_with_care(arc, left + shorter);
    if (status == OK)
        status = arc_finite(arc);
    if (status != OK)
        return status;
    double tolerance = -(run->digits + 5) * MP_BITS_PER_DIGIT;
    arc->h = taylor_guard_step(arc->taylor, tolerance, arc->carry);
    arc->h = taylor_bounded_step(arc->taylor, run->reach, tolerance, arc->h);
    arc->h = small_defect(arc, tolerance) - shorter;
    if (arc->h < arc_instant(arc) && arc->h < left)
        return diagnose(run->diagnosis, STEP_TOO_SMALL, arc_time(arc), "a step of %.3g",
                        exp2(arc->h));
    if (++run->out->steps > STEP_LIMIT)
        return diagnose(run->diagnosis, TOO_MANY_STEPS, arc_time(arc), "%d steps",
                        STEP_LIMIT);
    mp_exp2(arc->step, arc->h);
    *at_end = arc->h >= left - 1e-9;
    if (*at_end)
        mpfr_set(arc->step, arc->left, MPFR_RNDN);
    return OK;
}

/* Begins an arc at run->t, run->next without an event. */
static enum status go_on(struct arc *arc)
{
    struct run *run = arc->run;
    arc->first = true;
    arc->taylor = run->taylor[run->mode->index];
    mp_copy(run->y, run->next, arc->taylor->lanes * arc->taylor->width);
    return arc_note_far(arc);
}

/* Passes the guard: no event of it has conditions that hold. */
static enum status pass(struct arc *arc, int guard)
{
    const struct mode_plan *plan = arc->taylor->plan;
    const struct event *event = plan->event[guard];
    arc_note_gone(arc, event, arc->fires[guard], false);
    for (int i = 0; i < plan->guards; i++)
        if (event_shares_guard(plan->event[i], event))
            arc->fires[i] = 0;
    arc->cause = event;
    return go_on(arc);
}

enum status arc_fire(struct arc *arc, bool chained)
{
    struct run *run = arc->run;
    int leader = arc->guard;
    enum status status = arc_choose(arc, &arc->guard);
    if (status == OK && arc->guard < 0)
        return pass(arc, leader);
    if (status == OK)
        status = arc_note_far(arc);
    if (status != OK)
        return status;
    const struct event *event = arc->taylor->plan->event[arc->guard];
    const struct mp_observer *observer = arc->run->request->observer;
    arc_note_gone(arc, event, arc->fires[leader], true);
    status = sample_apart(arc);
    const struct approach approach = {
        .guard = arc->guard, .chained = chained,
        .rate_scale = arc->scale[arc->guard] - arc->h,
        .largest = chained ? -INFINITY : arc->largest[arc->guard]};
    if (status == OK)
        status = run_jump(run, &approach);
    if (status == OK && observer)
        status = observer->event(observer->context,
                                 &run->out->event[run->out->events - 1], run->diagnosis);
    arc->cause = event;
    if (status == OK && !event->terminal && !chained)
        status = arc_accumulation(arc);
    arc->over = event->terminal;
    arc->first = true;
    arc->taylor = run->taylor[run->mode->index];
    return status;
}

/* Lets an event follow another at the same instant. */
static enum status fire_at_once(struct arc *arc)
{
    struct run *run = arc->run;
    if (++arc->chain > CHAIN_LIMIT)
        return diagnose(run->diagnosis, CHAIN_TOO_LONG, arc_time(arc),
                        "more than %d events, the last %s", CHAIN_LIMIT,
                        arc->cause->name);
    mp_copy(run->next, run->y, arc->taylor->lanes * arc->taylor->width);
    return arc_firing(arc) > 1 ? arc_orders(arc) : arc_fire(arc, true);
}

enum status arc_look_again(struct arc *arc)
{
    bool at_end;
    enum status status = choose_step(arc, &at_end);
    if (status != OK)
        return status;
    arc->guard = -1;
    arc_scales(arc);
    return arc_look(arc);
}

static enum status report(const struct arc *arc)
{
    const struct run *run = arc->run;
    if (run->request->progress == NULL)
        return OK;
    double t0 = mpfr_get_d(run->t0, MPFR_RNDN), end = mpfr_get_d(run->t_end, MPFR_RNDN);
    double done = end > t0 ? (arc_time(arc) - t0) / (end - t0) : 1;
    if (run->request->progress(run->request->progress_context, done))
        return OK;
    return diagnose(run->diagnosis, NO_CONVERGENCE, arc_time(arc), "stopped on request");
}

/* After an event on the end of the run, an arc is left that is as long as times cannot be
   told apart. */
static void before_end(struct arc *arc)
{
    mp_exp2(arc->left, arc_instant(arc));
    mpfr_sub(arc->run->t, arc->run->t_end, arc->left, MPFR_RNDN);
}

/* Goes to the end of the step, and lets the events there happen; *done as in step. */
static enum status advance(struct arc *arc, bool at_end, bool *done)
{
    struct run *run = arc->run;
    struct taylor *taylor = arc->taylor;
    const struct mp_observer *observer = run->request->observer;
    bool event = arc->guard >= 0;
    if (event)
        mpfr_set(arc->step, arc->first_root, MPFR_RNDN);
    at_end = at_end && !event;
    arc_note_largest(arc);
    arc->chain = 0;
    arc->first = false;
    taylor_at(taylor, arc->step, run->next);
    enum status status = OK;
    if (observer)
        status = observer->step(observer->context, taylor, run->t, arc->step,
                                run->diagnosis);
    if (status == OK)
        status = sample(arc, at_end);
    if (at_end)
        mpfr_set(run->t, run->t_end, MPFR_RNDN);
    else
        mpfr_add(run->t, run->t, arc->step, MPFR_RNDN);
    if (status != OK)
        return status;
    *done = at_end;
    if (event) {
        memset(arc->gone, 0, (size_t)run->model->events * sizeof *arc->gone);
        if (!arc_drop_backwards(arc))
            status = go_on(arc);
        else
            status = arc_firing(arc) > 1 ? arc_orders(arc) : arc_fire(arc, false);
        *done = status == OK && arc->over;
        if (arc_same_time(arc, run->t, run->t_end))
            before_end(arc);
        return status;
    }
    mp_copy(run->y, run->next, taylor->lanes * taylor->width);
    return report(arc);
}

/* Makes one step. *done: the run has come to its end, by time or by a terminal event. */
static enum status step(struct arc *arc, bool *done)
{
    bool at_end = false;
    invariants(arc);
    enum status status = choose_step(arc, &at_end);
    if (status != OK)
        return status;
    arc->guard = -1;
    arc_scales(arc);
    if (arc->first)
        status = arc_look(arc);
    if (status == OK && arc->guard >= 0) {
        sample_start(arc);
        status = fire_at_once(arc);
        *done = status == OK && arc->over;
        return status;
    }
    if (status == OK)
        status = arc_edges(arc, &at_end);
    /* What happens at the end of the run has happened. */
    bool after_end = arc->first && arc_same_time(arc, arc->run->t, arc->run->t_end);
    if (status == OK && !after_end)
        status = arc_search(arc);
    if (status == OK && arc->run->request->strict)
        status = arc_compare_guards(arc);
    return status == OK ? advance(arc, at_end, done) : status;
}

enum status run_arcs(struct run *run)
{
    mpfr_ptr numbers = mp_vector_new(8 + (size_t)run->model->events, run->precision);
    struct arc arc = {
        .run = run, .taylor = run->taylor[run->mode->index], .first = true, .guard = -1,
        .deflate = memory_new(run->model->events, sizeof *arc.deflate),
        .scale = memory_new(run->model->events, sizeof *arc.scale),
        .largest = memory_new(run->model->events, sizeof *arc.largest),
        .step = numbers, .reach = numbers + 1, .root = numbers + 2,
        .first_root = numbers + 3, .left = numbers + 4, .energy = numbers + 5,
        .energy_start = numbers + 6,
        .since = numbers + 7, .roots = numbers + 8,
        .fires = memory_new(run->model->events, sizeof *arc.fires),
        .gone = memory_new(run->model->events, sizeof *arc.gone),
        .far = memory_new(run->model->events, sizeof *arc.far),
        .instant.rank = memory_new(run->model->events, sizeof *arc.instant.rank),
    };
    bool done = false;
    enum status status = OK;
    while (status == OK && !done)
        status = step(&arc, &done);
    if (status != OK)
        status = arc_edges_refusal(&arc, status);
    if (status == OK)
        invariants(&arc);
    if (status == OK)
        status = run_psi(run, arc.over);
    if (status == OK && !arc.over)
        status = check_rank(&arc, run->taylor[run->mode->index]);
    free(arc.deflate);
    free(arc.fires);
    free(arc.gone);
    free(arc.far);
    free(arc.instant.rank);
    free(arc.scale);
    free(arc.largest);
    mp_vector_free(numbers);
    return status;
}
