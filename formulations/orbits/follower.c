/*
 * follower.c - points of a branch, steps to them, and their nodes (follower.h)
 */
#include "orbits/follower.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "orbits/floquet.h"
#include "orbits/least_period.h"
#include "orbits/renode.h"

/* Steps of Newton's method that a step along the branch may take; which of them are too
   short to be taken. */
enum { CORRECTIONS = 8 };
static const double enough = 64 * DBL_EPSILON;

/* --- points ------------------------------------------------------------------------- */

/* The states after the event that ends the period. */
static void take_returns(const struct follower *f, struct branch_point *point)
{
    const struct shooting *s = &f->shooting;
    int most = shooting_count_events(s);
    point->width = s->segment[0].width;
    point->x = memory_new(most * point->width, sizeof *point->x);
    for (int k = 0; k < s->nodes; k++)
        for (int e = 0; e < s->segment[k].run->events; e++) {
            const struct event_record *record = &s->segment[k].run->event[e];
            if (record->event->index != f->last_event)
                continue;
            for (int i = 0; i < point->width; i++)
                point->x[point->returns * point->width + i] =
                    segment_value(&s->segment[k], &record->after, i, -1);
            point->returns++;
        }
}

void follower_take_point(struct follower *f, struct branch_point *point)
{
    const struct shooting *s = &f->shooting;
    *point = (struct branch_point){.rho = follower_parameter(s),
                                   .period = shooting_period(s), .steps = s->steps};
    take_returns(f, point);
    grazing_end_rates(s, f->measure);
    point->rate = grazing_end_least(&f->grazing, f->measure);
    struct floquet floquet;
    floquet_make(s, &floquet);
    point->multipliers = floquet.count;
    point->multiplier = floquet.value;
    point->trivial = floquet.trivial;
    free(floquet.vector);
}

void follower_clear_point(struct branch_point *point)
{
    free(point->x);
    free(point->multiplier);
    free(point->trivial);
    free(point->why);
}

bool follower_add_point(struct follower *f, const struct branch_point *point)
{
    struct branch *branch = f->branch;
    branch->point = memory_grow(branch->point, &branch->room, branch->points + 1,
                                sizeof *branch->point);
    branch->point[branch->points++] = *point;
    return !f->request->told || f->request->told(f->request->context, branch);
}

/* --- a step ------------------------------------------------------------------------- */

enum status follower_solve_at(struct follower *f, double arc, struct diagnosis *diagnosis)
{
    struct shooting *s = &f->shooting;
    memory_copy(s->origin, f->u, s->unknowns, sizeof *f->u);
    memory_copy(s->tangent, f->tangent, s->unknowns, sizeof *f->u);
    s->arc = arc;
    for (int i = 0; i < s->unknowns; i++)
        s->u[i] = f->u[i] + arc * f->tangent[i] * s->size[i];
    enum status status = shooting_solve(s, diagnosis);
    return status == OK ? shooting_check_events(s, f->guess, diagnosis) : status;
}

void follower_accept(struct follower *f, const double *test)
{
    struct shooting *s = &f->shooting;
    grazing_end_rates(s, f->measure);
    grazing_end_note(&f->grazing, f->measure, shooting_count_events(s), s, f->step);
    guard_minima(s, f->measure);
    grazing_end_note(&f->ahead, f->measure, f->orbit.run.model->events, s, f->step);
    memory_copy(f->u, s->u, s->unknowns, sizeof *f->u);
    memory_copy(f->tangent, s->tangent, s->unknowns, sizeof *f->u);
    memory_copy(f->test, test, BRANCH_KINDS, sizeof *test);
}

void follower_begin_along(struct follower *f)
{
    struct shooting *s = &f->shooting;
    int last = s->unknowns - 1;
    memory_copy(f->u, s->u, s->unknowns, sizeof *f->u);
    memset(f->tangent, 0, (size_t)s->unknowns * sizeof *f->tangent);
    for (int k = 0; k < s->nodes; k++)
        for (int c = 0; c < s->segment[k].count; c++)
            f->tangent[s->first[k] + c] =
                f->guess->node[k].along[s->segment[k].component[c]] /
                s->size[s->first[k] + c];
    f->tangent[s->period] = f->guess->along_period / s->size[s->period];
    f->tangent[last] = f->guess->along_rho / s->size[last];
    shooting_normalise(s, f->tangent);
}

/* --- nodes -------------------------------------------------------------------------- */

/* Makes the shooting of the guess, at its parameter. */
static enum status open_shooting(struct follower *f, double rho,
                                 struct diagnosis *diagnosis)
{
    f->value[f->orbit.run.parameter[0]] = rho;
    enum status status = shooting_init(&f->shooting, &f->orbit, f->guess, true,
                                       diagnosis);
    if (status != OK)
        return status;
    int n = f->shooting.unknowns;
    free(f->u);
    f->u = memory_new(2 * n, sizeof *f->u);
    f->tangent = f->u + n;
    f->shooting.enough = enough;
    f->shooting.size[n - 1] = f->high - f->low;
    return OK;
}

enum status follower_take_guess(struct follower *f, struct orbit_guess *guess, double rho,
                                struct diagnosis *diagnosis)
{
    orbit_guess_free(f->guess);
    f->guess = guess;
    shooting_clear(&f->shooting);
    return open_shooting(f, rho, diagnosis);
}

enum status follower_move_nodes(struct follower *f, struct diagnosis *diagnosis)
{
    int turned;
    if (!renode_is_due(&f->shooting))
        return OK;
    struct orbit_guess *moved = memory_new(1, sizeof *moved);
    enum status status = renode(&f->shooting, moved, &turned, diagnosis);
    if (status != OK) {
        orbit_guess_free(moved);
        return status;
    }
    moved->largest = f->guess->largest;
    f->guess->largest = NULL;
    status = follower_take_guess(f, moved, moved->rho, diagnosis);
    if (status != OK)
        return status;
    follower_begin_along(f);
    grazing_end_turn(&f->grazing, turned);
    status = follower_solve_at(f, 0, diagnosis);
    if (status != OK)
        return status;
    shooting_take_tangent(&f->shooting);
    memory_copy(f->u, f->shooting.u, f->shooting.unknowns, sizeof *f->u);
    memory_copy(f->tangent, f->shooting.tangent, f->shooting.unknowns, sizeof *f->u);
    f->test[BRANCH_FOLD] = f->tangent[f->shooting.unknowns - 1];
    f->test[BRANCH_HALVING] = f->branch->doubled > 0 ? least_period_half(&f->shooting)
                                                     : NAN;
    return OK;
}

/* --- a branch ----------------------------------------------------------------------- */

enum status follower_open(struct follower *f, const struct branch_request *request,
                          struct orbit_guess *guess, double rho,
                          struct diagnosis *diagnosis)
{
    const struct run_request *run = &request->orbit.run;
    double from = run->value[run->parameter[0]];
    *f = (struct follower){.request = request, .orbit = request->orbit, .guess = guess,
                           .last_event = guess->event[guess->events - 1]};
    f->value = memory_new(run->model->p, sizeof *f->value);
    memory_copy(f->value, run->value, run->model->p, sizeof *f->value);
    f->orbit.run.value = f->value;
    f->orbit.run.without_costs = true;
    f->orbit.max_steps = CORRECTIONS;
    f->measure = memory_new(guess->events + run->model->events, sizeof *f->measure);
    f->branch = memory_new(1, sizeof *f->branch);
    f->branch->event = run->model->event[f->last_event];
    f->low = fmin(from, request->to);
    f->high = fmax(from, request->to);
    f->longest = request->step > 0 ? request->step : branch_longest_step;
    f->step = f->longest / 4;
    return open_shooting(f, rho, diagnosis);
}

void follower_close(struct follower *f)
{
    shooting_clear(&f->shooting);
    grazing_end_clear(&f->grazing);
    grazing_end_clear(&f->ahead);
    free(f->measure);
    orbit_guess_free(f->guess);
    free(f->u);
    free(f->value);
}
