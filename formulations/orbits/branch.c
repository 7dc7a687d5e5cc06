/*
 * branch.c - a branch from its first point to its end (branch.h)
 */
#include "orbits/branch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "orbits/autonomous.h"
#include "orbits/follower.h"
#include "orbits/least_period.h"
#include "orbits/orbit_guess.h"

const char *const branch_kind_text[] = {"", "period-halving", "fold", "period-doubling",
                                        "torus", "crossing", "grazing", NULL};

const double branch_longest_step = 0.05;
/* The shortest step, by the longest. */
static const double least_step = 1e-7;
/* Cosine of the largest turn of the tangent in a step. */
static const double least_cosine = 0.9;
/* After a step with so few of Newton's, the last of which is not taken, the next may be
   longer. */
enum { FEW = 5 };

/* --- steps -------------------------------------------------------------------------- */

static double cosine(const struct follower *f)
{
    double sum = 0;
    for (int i = 0; i < f->shooting.unknowns; i++)
        sum += f->shooting.tangent[i] * f->tangent[i];
    return sum;
}

/* Takes one step, shorter until it succeeds. OK, or the status of the shortest one. */
static enum status take_step(struct follower *f, struct branch_point *point, double *test,
                             struct diagnosis *diagnosis)
{
    for (;;) {
        enum status status = follower_solve_at(f, f->step, diagnosis);
        if (status == OK) {
            shooting_take_tangent(&f->shooting);
            if (cosine(f) >= least_cosine || f->step <= 1e-3 * f->longest) {
                follower_take_point(f, point);
                bifurcations_test(f, point, test);
                return OK;
            }
        }
        f->step /= 2;
        if (f->step < least_step * f->longest)
            return status == OK ? diagnose(diagnosis, NO_ORBIT, NAN, "the branch turns "
                                           "within the shortest step") : status;
    }
}

/* Ends the branch at the end of the range, which the last step has passed. */
static void end_at_range(struct follower *f, double rho)
{
    struct diagnosis ignored = {.t = NAN};
    struct shooting *s = &f->shooting;
    struct branch_point point;
    memset(f->tangent, 0, (size_t)s->unknowns * sizeof *f->tangent);
    f->tangent[s->unknowns - 1] = 1;
    f->branch->end = BRANCH_AT_RANGE;
    double arc = (rho - f->u[s->unknowns - 1]) / s->size[s->unknowns - 1];
    if (follower_solve_at(f, arc, &ignored) != OK)
        return;
    follower_take_point(f, &point);
    follower_add_point(f, &point);
}

/* Has the branch come to where an event grazes, of the orbit or of those that it does not
   have? Adds the point that is extrapolated. */
static bool end_at_grazing(struct follower *f, bool ahead)
{
    struct branch_point point = {.kind = BRANCH_GRAZING, .period = NAN};
    const struct grazing_end *end = ahead ? &f->ahead : &f->grazing;
    if (!grazing_end_extrapolate(end, &point.rho, &point.period, &point.error))
        return false;
    f->branch->end = BRANCH_AT_GRAZING;
    f->branch->ahead = ahead ? f->orbit.run.model->event[end->grazing] : NULL;
    follower_add_point(f, &point);
    return true;
}

/* Follows the branch from the last point. */
static void follow(struct follower *f)
{
    struct branch *branch = f->branch;
    int most = f->request->points > 0 ? f->request->points : BRANCH_POINTS;
    bool wanted = true;
    while (wanted && branch->points < most) {
        struct branch_point point;
        double test[BRANCH_KINDS] = {0};
        f->step = fmin(f->step, grazing_end_step(&f->grazing, f->longest));
        f->step = fmin(f->step, grazing_end_step(&f->ahead, f->longest));
        if (take_step(f, &point, test, &branch->why) != OK) {
            if (!end_at_grazing(f, false) && !end_at_grazing(f, true))
                branch->end = BRANCH_STUCK;
            return;
        }
        double rounding = shooting_rounding(&f->shooting) * (f->high - f->low);
        if (point.rho < f->low - rounding || point.rho > f->high + rounding) {
            follower_clear_point(&point);
            end_at_range(f, point.rho < f->low ? f->low : f->high);
            return;
        }
        double *u = memory_new(2 * f->shooting.unknowns, sizeof *u);
        int n = f->shooting.unknowns, steps = f->shooting.steps;
        memory_copy(u, f->shooting.u, n, sizeof *u);
        memory_copy(u + n, f->shooting.tangent, n, sizeof *u);
        wanted = bifurcations_add(f, f->step, &point, test) &&
                 follower_add_point(f, &point);
        memory_copy(f->shooting.u, u, n, sizeof *u);
        memory_copy(f->shooting.tangent, u + n, n, sizeof *u);
        free(u);
        if (shooting_evaluate(&f->shooting, f->shooting.u, &branch->why) != OK) {
            branch->end = BRANCH_STUCK;
            return;
        }
        follower_accept(f, test);
        if (grazing_end_is_there(&f->grazing) && end_at_grazing(f, false))
            return;
        if (grazing_end_is_there(&f->ahead) && end_at_grazing(f, true))
            return;
        if (steps <= FEW)
            f->step = fmin(1.5 * f->step, f->longest);
        if (follower_move_nodes(f, &branch->why) != OK) {
            branch->end = BRANCH_STUCK;
            return;
        }
    }
    branch->end = f->returned ? BRANCH_AT_HALVING : BRANCH_FULL;
}

static enum status solve_first(struct follower *f, struct diagnosis *diagnosis)
{
    enum status status = shooting_solve(&f->shooting, diagnosis);
    return status == OK ? shooting_check_events(&f->shooting, f->guess, diagnosis)
                        : status;
}

/* The first point, at the parameter of the request, and the tangent there towards the
   other end of the range. */
static enum status begin(struct follower *f, struct diagnosis *diagnosis)
{
    struct shooting *s = &f->shooting;
    struct branch_point point;
    double test[BRANCH_KINDS] = {0};
    enum status status = solve_first(f, diagnosis);
    if (status == OK)
        status = least_period_rounds(s, &f->branch->rounds, diagnosis);
    if (status == OK && f->branch->rounds > 1) {
        struct orbit_guess *one = least_period_guess(s, f->guess, f->branch->rounds);
        status = follower_take_guess(f, one, follower_parameter(s), diagnosis);
        if (status == OK)
            status = solve_first(f, diagnosis);
    }
    if (status != OK)
        return status;
    shooting_first_tangent(s);
    double ahead = f->request->to - follower_parameter(s);
    double turn = s->tangent[s->unknowns - 1] * ahead < 0 ? -1 : 1;
    for (int i = 0; i < s->unknowns; i++)
        s->tangent[i] *= turn;
    follower_take_point(f, &point);
    bifurcations_test(f, &point, test);
    follower_accept(f, test);
    follower_add_point(f, &point);
    f->branch->start = shooting_guess(s, f->guess, 1);
    return OK;
}

/* The branch that leaves at a period doubling, and those after it. Takes the guess. */
static struct branch *follow_doubled(const struct branch_request *request,
                                     struct orbit_guess *guess, int doubled)
{
    struct follower f;
    struct diagnosis why = {.t = NAN};
    enum status status = follower_open(&f, request, guess, guess->rho, &why);
    f.branch->doubled = doubled;
    if (status == OK) {
        follower_begin_along(&f);
        f.step = f.longest / 8;
        follow(&f);
    } else {
        f.branch->end = BRANCH_STUCK;
        f.branch->why = why;
    }
    if (f.doubled)
        f.branch->next = follow_doubled(request, f.doubled, doubled + 1);
    follower_close(&f);
    return f.branch;
}

enum status branch_follow(const struct branch_request *request, struct branch **out,
                          struct diagnosis *diagnosis)
{
    struct orbit_request asked = request->orbit;
    struct orbit_guess *guess = memory_new(1, sizeof *guess);
    *out = NULL;
    asked.run.without_costs = true;
    enum status status = autonomous_check(request->orbit.run.model, diagnosis);
    if (status == OK)
        status = orbit_guess_make(&asked, guess, diagnosis);
    if (status == OK)
        return branch_follow_from(request, guess, out, diagnosis);
    orbit_guess_free(guess);
    return status;
}

enum status branch_follow_from(const struct branch_request *request,
                               struct orbit_guess *guess, struct branch **out,
                               struct diagnosis *diagnosis)
{
    struct follower f;
    const struct run_request *run = &request->orbit.run;
    *out = NULL;
    enum status status = follower_open(&f, request, guess, run->value[run->parameter[0]],
                                       diagnosis);
    if (status == OK)
        status = begin(&f, diagnosis);
    if (status == OK)
        follow(&f);
    if (status == OK && f.doubled)
        f.branch->next = follow_doubled(request, f.doubled, 1);
    follower_close(&f);
    if (status == OK)
        *out = f.branch;
    else
        branch_free(f.branch);
    return status;
}

void branch_free(struct branch *branch)
{
    if (!branch)
        return;
    for (int k = 0; k < branch->points; k++)
        follower_clear_point(&branch->point[k]);
    branch_free(branch->next);
    orbit_guess_free(branch->start);
    free(branch->point);
    free(branch);
}
