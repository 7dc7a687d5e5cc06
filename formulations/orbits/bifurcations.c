/*
 * bifurcations.c - test functions of a branch and their roots (branch.h)
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "orbits/floquet.h"
#include "orbits/follower.h"

/* --- test functions ----------------------------------------------------------------- */

void bifurcations_test(const struct shooting *s, const struct branch_point *point,
                       double *test)
{
    double complex doubling = 1, torus = 1, crossing = 1;
    for (int i = 0; i < point->multipliers; i++) {
        if (point->trivial[i])
            continue;
        doubling *= 1 + point->multiplier[i];
        crossing *= 1 - point->multiplier[i];
        for (int j = 0; j < i; j++)
            if (!point->trivial[j])
                torus *= 1 - point->multiplier[i] * point->multiplier[j];
    }
    test[BRANCH_FOLD] = s->tangent[s->unknowns - 1];
    test[BRANCH_DOUBLING] = creal(doubling);
    test[BRANCH_TORUS] = creal(torus);
    test[BRANCH_CROSSING] = creal(crossing);
}

/* Is a sign change of a test function what it is called? A torus has a pair of complex
   multipliers; at a fold a multiplier passes 1, too. */
static bool is_meant(enum branch_kind kind, const struct branch_point *point,
                     const double *before, const double *after)
{
    if (kind == BRANCH_CROSSING)
        return before[BRANCH_FOLD] * after[BRANCH_FOLD] > 0;
    double nearest = INFINITY;
    bool pair = false;
    for (int i = 0; i < point->multipliers && kind == BRANCH_TORUS; i++) {
        double off = fabs(cabs(point->multiplier[i]) - 1);
        if (!point->trivial[i] && off < nearest) {
            nearest = off;
            pair = cimag(point->multiplier[i]) != 0;
        }
    }
    return kind != BRANCH_TORUS || pair;
}

/* --- bifurcations ------------------------------------------------------------------- */

/* The value of a test function at this arc, with the point there. */
static enum status test_at(struct follower *f, enum branch_kind kind, double arc,
                           struct branch_point *point, double *value,
                           struct diagnosis *diagnosis)
{
    double test[BRANCH_KINDS];
    enum status status = follower_solve_at(f, arc, diagnosis);
    if (status != OK)
        return status;
    shooting_take_tangent(&f->shooting);
    follower_take_point(f, point);
    bifurcations_test(&f->shooting, point, test);
    *value = test[kind];
    return OK;
}

/* The root of a test function between arcs 0 and `arc`, where it has these values, by the
   regula falsi of Illinois. False: a solution failed. */
static bool locate(struct follower *f, enum branch_kind kind, double arc, double first,
                   double last, struct branch_point *point)
{
    struct diagnosis ignored = {.t = NAN};
    double a = 0, b = arc, fa = first, fb = last, before = NAN;
    int side = 0;
    for (int k = 0; k < 40; k++) {
        double c = (a * fb - b * fa) / (fb - fa), fc;
        if (k > 0)
            follower_clear_point(point);
        if (test_at(f, kind, c, point, &fc, &ignored) != OK) {
            *point = (struct branch_point){.kind = BRANCH_REGULAR};
            return false;
        }
        point->kind = kind;
        point->error = fabs(point->rho - before);
        before = point->rho;
        if (fc == 0 || fabs(b - a) < 1e-13 * fabs(arc) ||
            point->error <= 4 * DBL_EPSILON * fabs(point->rho))
            return true;
        if (fc * fb > 0) {
            b = c;
            fb = fc;
            fa *= side == -1 ? 0.5 : 1;
            side = -1;
        } else {
            a = c;
            fa = fc;
            fb *= side == 1 ? 0.5 : 1;
            side = 1;
        }
    }
    return true;
}

/* A guess of twice the period: both halves are the orbit, from which other orbits lie one
   way and the other along the vector of the multiplier -1. */
static struct orbit_guess *doubled_guess(const struct follower *f)
{
    const struct shooting *s = &f->shooting;
    double **vector = floquet_directions(s, -1);
    struct orbit_guess *guess = shooting_guess(s, f->guess, 2);
    for (int k = 0; k < guess->nodes; k++) {
        const struct orbit_segment *segment = &s->segment[k % s->nodes];
        double *along = memory_new(segment->width, sizeof *along);
        for (int c = 0; c < segment->count; c++)
            along[segment->component[c]] = (k < s->nodes ? 1 : -1) *
                                           vector[k % s->nodes][c];
        guess->node[k].along = along;
    }
    for (int k = 0; k < s->nodes; k++)
        free(vector[k]);
    free(vector);
    return guess;
}

bool bifurcations_add(struct follower *f, double arc, const struct branch_point *end,
                      const double *test)
{
    bool wanted = true;
    for (int kind = BRANCH_FOLD; kind <= BRANCH_CROSSING && wanted; kind++) {
        struct branch_point point = {.kind = BRANCH_REGULAR};
        if (!(f->test[kind] * test[kind] < 0) ||
            !is_meant((enum branch_kind)kind, end, f->test, test) ||
            !locate(f, (enum branch_kind)kind, arc, f->test[kind], test[kind], &point))
            continue;
        if (kind == BRANCH_DOUBLING && !f->doubled && f->branch->doubled <
                                                          f->request->doublings)
            f->doubled = doubled_guess(f);
        wanted = follower_add_point(f, &point);
    }
    return wanted;
}
