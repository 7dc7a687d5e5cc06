/*
 * bifurcations.c - test functions of a branch and their roots (branch.h)
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "orbits/floquet.h"
#include "orbits/follower.h"
#include "orbits/least_period.h"
#include "orbits/neville.h"

/* --- test functions ----------------------------------------------------------------- */

void bifurcations_test(struct follower *f, const struct branch_point *point, double *test)
{
    struct shooting *s = &f->shooting;
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
    test[BRANCH_HALVING] = f->branch->doubled > 0 ? least_period_half(s) : NAN;
    test[BRANCH_FOLD] = s->tangent[s->unknowns - 1];
    test[BRANCH_DOUBLING] = creal(doubling);
    test[BRANCH_TORUS] = creal(torus);
    test[BRANCH_CROSSING] = creal(crossing);
}

/* The size of a test function, by the magnitudes of its factors. */
static double size_of(enum branch_kind kind, const struct branch_point *point)
{
    double size = 1;
    for (int i = 0; i < point->multipliers; i++) {
        bool own = kind == BRANCH_DOUBLING || kind == BRANCH_CROSSING;
        double mu = point->trivial[i] ? 0 : cabs(point->multiplier[i]);
        size *= own ? 1 + mu : 1;
        for (int j = 0; j < i && kind == BRANCH_TORUS; j++)
            size *= point->trivial[j] ? 1 : 1 + mu * cabs(point->multiplier[j]);
    }
    return size;
}

/* Is a test function rounding at both ends of a step? Where the parameter stays as it is
   along a branch, its part of the tangent is, and a multiplier is 1 all along; where
   areas are kept, products of multipliers are. */
static bool is_rounding(const struct follower *f, enum branch_kind kind,
                        const struct branch_point *point, const double *after)
{
    return fmax(fabs(f->test[kind]), fabs(after[kind])) <=
           shooting_rounding(&f->shooting) * size_of(kind, point);
}

/* Is a sign change of a test function what it is called? A torus has a pair of complex
   multipliers; at a fold a multiplier passes 1, too. */
static bool is_meant(const struct follower *f, enum branch_kind kind,
                     const struct branch_point *point, const double *after)
{
    const double *before = f->test;
    if (!(before[kind] * after[kind] < 0) || is_rounding(f, kind, point, after))
        return false;
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

/* --- roots -------------------------------------------------------------------------- */

/* Points of a polynomial around a root. */
enum { PROBES = NEVILLE_POINTS, NEAR = PROBES / 2 };

/* A test function on a step of the branch, from its values at the ends. */
struct bracket {
    enum branch_kind kind;
    double arc;                 /* of the whole step */
    double a, b, fa, fb;        /* the root is between a and b */
    struct diagnosis why;       /* status OK, or why a point near the root is not there */
};

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
    bifurcations_test(f, point, test);
    *value = test[kind];
    return OK;
}

/* Regula falsi of Illinois, to the last point that could be solved for; true: `point` is
   the root. */
static bool close_in(struct follower *f, struct bracket *in, struct branch_point *point)
{
    double fa = in->fa, fb = in->fb, before = NAN;
    int side = 0;
    for (int k = 0; k < 40; k++) {
        double c = (in->a * fb - in->b * fa) / (fb - fa), fc;
        struct branch_point own;
        enum status status = test_at(f, in->kind, c, &own, &fc, &in->why);
        if (status != OK)
            return false;
        follower_clear_point(point);
        *point = own;
        point->kind = in->kind;
        point->error = fabs(point->rho - before);
        before = point->rho;
        if (fc * in->fb > 0) {
            in->b = c;
            in->fb = fb = fc;
            fa *= side == -1 ? 0.5 : 1;
            side = -1;
        } else {
            in->a = c;
            in->fa = fa = fc;
            fb *= side == 1 ? 0.5 : 1;
            side = 1;
        }
        if (fc == 0 || fabs(in->b - in->a) < 1e-13 * fabs(in->arc) ||
            point->error <= 4 * DBL_EPSILON * fabs(point->rho))
            return true;
    }
    return true;
}

/* Points at multiples of w before and behind c, as many as there are. */
static int probe(struct follower *f, const struct bracket *in, double c, double w,
                 double *arc, double *value, double *rho, double *period)
{
    int count = 0;
    for (int k = -NEAR; k <= NEAR; k++) {
        struct branch_point own;
        struct diagnosis ignored = {.t = NAN};
        double at = c + k * w, fc;
        if (k == 0 || test_at(f, in->kind, at, &own, &fc, &ignored) != OK)
            continue;
        arc[count] = at;
        value[count] = fc;
        rho[count] = own.rho;
        period[count++] = own.period;
        follower_clear_point(&own);
    }
    return count;
}

/* Do the values fall, or rise, all the way from one sign to the other? */
static bool passes_zero(const double *value)
{
    bool passes = value[0] * value[PROBES - 1] < 0;
    for (int k = 1; k < PROBES; k++)
        passes = passes && (value[k] - value[k - 1]) * value[PROBES - 1] > 0;
    return passes;
}

/* The root by polynomials through points around it, where none can be solved for at the
   root itself: two events fall together there, or another branch passes. False: there are
   no such points either. */
static bool interpolate(struct follower *f, struct bracket *in,
                        struct branch_point *point)
{
    double arc[PROBES], value[PROBES], rho[PROBES], period[PROBES], ignored;
    double c = (in->a * in->fb - in->b * in->fa) / (in->fb - in->fa);
    for (double part = 1.0 / 256; part <= 1.0 / 8; part *= 2) {
        int count = probe(f, in, c, part * in->arc, arc, value, rho, period);
        if (count < PROBES || !passes_zero(value))
            continue;
        double root = neville_zero(value, arc, count, &ignored);
        for (int k = 0; k < count; k++) {
            arc[k] -= root;
            in->fa = fabs(value[k]) < fabs(in->fa) ? value[k] : in->fa;
        }
        *point = (struct branch_point){.kind = in->kind};
        point->rho = neville_zero(arc, rho, count, &point->error);
        point->period = neville_zero(arc, period, count, &ignored);
        return true;
    }
    return false;
}

/* The root of the function, or the step that it is on: a sign that changes is told. */
static void locate(struct follower *f, struct bracket *in, double rho_at_end,
                   struct branch_point *point)
{
    *point = (struct branch_point){.kind = BRANCH_REGULAR};
    if (close_in(f, in, point))
        return;
    follower_clear_point(point);
    if (interpolate(f, in, point))
        return;
    *point = (struct branch_point){
        .kind = in->kind, .rho = NAN, .period = NAN, .error = NAN,
        .between = {f->u[f->shooting.unknowns - 1], rho_at_end},
        .why = memory_text(in->why.place, strlen(in->why.place))};
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

/* Has the point come to a motion of half the period, gone round twice? A branch of
   doubled orbits turns there, and has the same orbits beyond. Elsewhere the sign may
   change, but not by zero. */
static bool is_halving(const struct bracket *in, const double *before,
                       const double *after)
{
    static const double part = 0.05;
    double first = fmax(fabs(before[BRANCH_HALVING]), fabs(after[BRANCH_HALVING]));
    return fmin(fabs(in->fa), fabs(in->fb)) < part * first;
}

bool bifurcations_add(struct follower *f, double arc, const struct branch_point *end,
                      const double *test)
{
    bool wanted = true;
    for (int kind = BRANCH_HALVING; kind <= BRANCH_CROSSING && wanted; kind++) {
        struct branch_point point;
        struct bracket in = {.kind = (enum branch_kind)kind, .arc = arc, .b = arc,
                             .fa = f->test[kind], .fb = test[kind],
                             .why = {.t = NAN}};
        if (!is_meant(f, (enum branch_kind)kind, end, test))
            continue;
        locate(f, &in, end->rho, &point);
        if (kind == BRANCH_HALVING && !is_halving(&in, f->test, test)) {
            follower_clear_point(&point);
            continue;
        }
        f->returned = kind == BRANCH_HALVING;
        if (kind == BRANCH_DOUBLING && !f->doubled && point.multipliers > 0 &&
            f->branch->doubled < f->request->doublings)
            f->doubled = doubled_guess(f);
        wanted = follower_add_point(f, &point) && !f->returned;
    }
    return wanted;
}
