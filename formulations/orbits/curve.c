/*
 * curve.c - branches at one value of a second parameter after the other (curve.h)
 */
#include "orbits/curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "orbits/orbit_guess.h"

/* Values between two of those asked for are tried where an orbit is not found from the
   one before: halves of the step, this often. */
enum { HALVINGS = 6 };

/* A curve while it is followed. */
struct curve_follower {
    const struct curve_request *request;
    struct branch_request branch;   /* at the value now */
    double *value;                  /* [model->p] parameters now */
    struct orbit_guess *guess;      /* of the first orbit of the next branch */
    struct curve *curve;
};

static bool is_meant(const struct curve_request *request,
                     const struct branch_point *point)
{
    return point->kind != BRANCH_REGULAR &&
           (request->kind == BRANCH_REGULAR || point->kind == request->kind);
}

/* A branch ends at the bifurcation. */
static bool told(void *context, const struct branch *branch)
{
    const struct curve_follower *f = context;
    const struct branch_request *asked = &f->request->branch;
    bool wanted = !asked->told || asked->told(asked->context, branch);
    return wanted && !is_meant(f->request, &branch->point[branch->points - 1]);
}

static enum status add_point(struct curve_follower *f, const struct branch *branch,
                             double second, struct diagnosis *diagnosis)
{
    const struct branch_point *last = &branch->point[branch->points - 1];
    struct curve *curve = f->curve;
    if (!is_meant(f->request, last))
        return branch->end == BRANCH_STUCK
                   ? diagnose(diagnosis, branch->why.status, branch->why.t, "%s",
                              branch->why.place)
                   : diagnose(diagnosis, NO_ORBIT, NAN, "the branch has no such "
                              "bifurcation between %.10g and %.10g",
                              branch->point[0].rho, last->rho);
    curve->point = memory_grow(curve->point, &curve->room, curve->points + 1,
                               sizeof *curve->point);
    curve->point[curve->points++] = (struct curve_point){
        last->kind, last->rho, second, last->period, last->error};
    return OK;
}

/* Follows the branch at this value of the second parameter; its first orbit is the guess
   of the next one. `kept`: its bifurcation is a point of the curve. */
static enum status at_value(struct curve_follower *f, double second, bool kept,
                            struct diagnosis *diagnosis)
{
    struct branch *branch = NULL;
    struct orbit_guess *guess = f->guess;
    f->value[f->request->second] = second;
    if (guess)
        f->guess = orbit_guess_copy(guess, &f->branch.orbit);
    enum status status = guess ? branch_follow_from(&f->branch, guess, &branch, diagnosis)
                               : branch_follow(&f->branch, &branch, diagnosis);
    if (status != OK)
        return status;
    orbit_guess_free(f->guess);
    f->guess = branch->start;
    branch->start = NULL;
    if (kept)
        status = add_point(f, branch, second, diagnosis);
    branch_free(branch);
    return status;
}

/* Carries the orbit on from one value to another, by shorter steps where it must. */
static enum status carry_on(struct curve_follower *f, double from, double to,
                            struct diagnosis *diagnosis)
{
    double step = to - from, least = fabs(step) / (1 << HALVINGS);
    for (;;) {
        bool last = fabs(to - from) <= fabs(step) * (1 + 1e-9);
        double next = last ? to : from + step;
        enum status status = at_value(f, next, last, diagnosis);
        if (status == OK && last)
            return OK;
        if (status == OK) {
            from = next;
            continue;
        }
        step /= 2;
        if (fabs(step) < least)
            return status;
    }
}

enum status curve_follow(const struct curve_request *request, struct curve **out,
                         struct diagnosis *diagnosis)
{
    const struct run_request *run = &request->branch.orbit.run;
    struct curve_follower f = {.request = request, .branch = request->branch};
    f.value = memory_new(run->model->p, sizeof *f.value);
    memory_copy(f.value, run->value, run->model->p, sizeof *f.value);
    f.branch.orbit.run.value = f.value;
    f.branch.doublings = 0;
    f.branch.told = told;
    f.branch.context = &f;
    f.curve = memory_new(1, sizeof *f.curve);
    f.curve->why = (struct diagnosis){.status = OK, .t = NAN};
    double begin = f.value[request->second], before = begin;
    enum status status = at_value(&f, begin, true, diagnosis);
    *out = status == OK ? f.curve : NULL;
    for (int k = 1; status == OK && k < request->points; k++) {
        double next = begin + (request->second_to - begin) * k / (request->points - 1);
        status = carry_on(&f, before, next, &f.curve->why);
        before = next;
    }
    orbit_guess_free(f.guess);
    free(f.value);
    if (*out)
        return OK;
    curve_free(f.curve);
    return status;
}

void curve_free(struct curve *curve)
{
    if (!curve)
        return;
    free(curve->point);
    free(curve);
}
