/*
 * guard_conditions.c - transitions with conditions: the event of a guard that happens is
 * the first declared one whose conditions hold just before it.
 *
 * A condition that is zero there, to half of the digits, is refused: it holds for some
 * neighbouring parameters only.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/diff.h"
#include "instant.h"

bool arc_leads(const struct arc *arc, int guard)
{
    const struct event **event = arc->taylor->plan->event;
    for (int i = 0; i < guard; i++)
        if (arc->fires[i] != 0 && event_shares_guard(event[i], event[guard]))
            return false;
    return arc->fires[guard] != 0;
}

void arc_note_gone(struct arc *arc, const struct event *event, int sign, bool happens)
{
    const struct model *model = arc->run->model;
    bool goes_on = !happens || event->goes_on;
    for (int k = 0; k < model->events; k++) {
        if (happens && event->to != event->from)
            arc->gone[k] = 0;
        else if (event_shares_guard(model->event[k], event))
            arc->gone[k] = goes_on ? GOES_ON * sign : sign;
    }
}

/* A guard that fires, or is zero to rounding, is on neither side: rounding sets its
   sign. */
enum status arc_note_far(struct arc *arc)
{
    struct run *run = arc->run;
    struct taylor *taylor = run->taylor[run->mode->index];
    const struct mode_plan *plan = taylor->plan;
    enum status status = taylor_expand(taylor, run->t, run->next, 1, 0, run->diagnosis);
    memset(arc->far, 0, (size_t)run->model->events * sizeof *arc->far);
    for (int i = 0; status == OK && i < plan->guards; i++) {
        mpfr_srcptr guard = taylor_guard(taylor, i);
        double least = arc->scale[i] - (run->digits - 10) * MP_BITS_PER_DIGIT;
        arc->far[plan->event[i]->index] =
            arc->fires[i] == 0 && mp_log2(guard) > least &&
            mpfr_sgn(guard) * (int)plan->event[i]->direction > 0;
    }
    return status;
}

bool arc_was_far(const struct arc *arc, const struct event *event)
{
    const struct model *model = arc->run->model;
    for (int k = 0; k < model->events; k++)
        if (arc->far[k] && model->event[k]->direction == event->direction &&
            same_formula(model->event[k]->guard, event->guard))
            return true;
    return false;
}

bool arc_goes_on(const struct arc *arc, const struct event *event, int sign)
{
    int gone = arc->gone[event->index];
    return sign * gone > 0 && abs(gone) == GOES_ON;
}

/* A series of order 0 with the values of the conditions at the point where the mode
   has been expanded. */
static struct mp_series *conditions_at(const struct run *run, const struct taylor *taylor,
                                       const struct program *program)
{
    struct mp_series *series = mp_series_new(program, 0, run->precision, 1,
                                             PROGRAM_STAGES);
    mp_series_load(series, 0, BLOCK_RHO, 0, run->rho, 1);
    mp_series_run(series, 0, STAGE_RHO, 0);
    taylor_load_solved(taylor, series);
    return series;
}

/* *does: the event happens at the point of `taylor`. CONDITION_EDGE: no condition
   fails for sure, but one is zero. */
static enum status holds(struct run *run, const struct taylor *taylor,
                         const struct event *event, bool *does)
{
    const struct program *program = run->plan->event[event->index].condition;
    int zero = -1;
    *does = true;
    if (event->conditions == 0)
        return OK;
    enum status status = run_condition_edges(run, event, taylor);
    if (status != OK)
        return status;
    struct mp_series *series = conditions_at(run, taylor, program);
    for (int i = 0; status == OK && i < event->conditions; i++) {
        mpfr_srcptr value = mp_series_output(series, 0, i);
        status = run_gate_number(run, value, 0, "a condition of event ", event->name);
        double scale = run_spread(run, taylor, program, event->conditions + i);
        if (mp_log2(value) <= run->resolution + log2(scale))
            zero = i;
        else if (mpfr_sgn(value) < 0)
            *does = false;
    }
    mp_series_free(series);
    if (status != OK || !*does || zero < 0)
        return status;
    char text[120];
    formula_print(event->condition[zero], run->model->names, text, sizeof text);
    return diagnose(run->diagnosis, CONDITION_EDGE, mpfr_get_d(run->t, MPFR_RNDN),
                    "event %s: its condition %s > 0 is zero when its guard is",
                    event->name, text);
}

enum status arc_choose(struct arc *arc, int *guard)
{
    struct run *run = arc->run;
    struct taylor *taylor = run->taylor[run->mode->index];
    const struct mode_plan *plan = taylor->plan;
    const struct event *leader = plan->event[*guard];
    bool does = leader->conditions == 0;
    if (does)
        return OK;
    enum status status = taylor_expand(taylor, run->t, run->next, 1, 0, run->diagnosis);
    for (int i = *guard; status == OK && i < plan->guards; i++) {
        if (arc->fires[i] == 0 || !event_shares_guard(leader, plan->event[i]))
            continue;
        status = holds(run, taylor, plan->event[i], &does);
        if (status == OK && does) {
            *guard = i;
            return OK;
        }
    }
    *guard = -1;
    return status;
}
