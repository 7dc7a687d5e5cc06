/*
 * guard_roots.c - root isolation of all guards on an accepted step, by Bernstein
 * polynomials (bernstein_roots.h).
 *
 * The dense output of the step gives the state at the nodes; guards on accelerations or
 * multipliers are evaluated by solving there. A guard may vary faster than the motion
 * (sin(40 t) on a free particle, whose steps are as long as allowed): so the interpolant
 * is tested against further values of the guard, and the step is looked through in
 * pieces, which are halved as long as the test fails. Interval arithmetic
 * (guard_bounds.h) shows a spike between all points, and makes pieces shorter, too, down
 * to 1/256 of a step.
 */
#include <float.h>
#include <math.h>

#include "base/largest.h"
#include "events/faults.h"
#include "events/hybrid.h"

/* A guard for which a step is halved more often varies too fast to be followed. */
enum { NODES = BERNSTEIN_POINTS, CHECKS = BERNSTEIN_CHECKS, MOST_HALVINGS = 32768 };

/* A piece of a part of the step, which is `part` of the step and h long: theta in
   [begin, begin + width] of that part. */
struct piece {
    double h, part, begin, width;
};

/* The shortest piece, as a part of the step. */
static const double narrowest = 0x1p-30;

/* --- values ------------------------------------------------------------------------- */

/* Evaluates the guards into core->guard.r; NOT_FINITE if one of them is not finite. */
static enum status guards_on(struct hybrid *core, const struct piece *piece, double local)
{
    struct mode_system *ms = core->system->now;
    double theta = piece->begin + local * piece->width, t = core->t + theta * piece->h;
    theta *= piece->part;
    const double *x = core->step.x_new;
    if (theta < 1) {
        core->integrator->dense(core->method, theta, ms->seen_first, ms->seen,
                                core->step.trial + ms->seen_first);
        x = core->step.trial;
    }
    if (ms->guards_use_unknowns) {
        enum status status = hybrid_solve(core, t, x);
        if (status != OK)
            return status;
    }
    hybrid_guards(core, t, x);
    for (int k = 0; k < ms->guards; k++)
        if (!isfinite(core->guard.r[k]))
            return diagnose(core->diagnosis, NOT_FINITE, t, "guard %s is %g",
                            ms->event[k]->name, core->guard.r[k]);
    return OK;
}

/* The values of guard k on a piece: NODES at the nodes, then CHECKS. */
static double *values(const struct hybrid *core, int k)
{
    return core->guard.value + k * (NODES + CHECKS);
}

/* The value at the start of a piece is the one at the end of the piece before. */
static enum status sample(struct hybrid *core, const struct piece *piece)
{
    const struct bernstein *bernstein = &core->guard.bernstein;
    int guards = core->system->now->guards;
    for (int k = 0; k < guards; k++) {
        struct watch *watch = &core->guard.watch[k];
        values(core, k)[0] = piece->begin > 0 ? watch->end : watch->value;
        watch->low = watch->high = values(core, k)[0];
    }
    for (int i = 1; i < NODES + CHECKS; i++) {
        double local = i < NODES ? bernstein->node[i] : bernstein->check[i - NODES];
        enum status status = guards_on(core, piece, local);
        if (status != OK)
            return status;
        for (int k = 0; k < guards; k++) {
            struct watch *watch = &core->guard.watch[k];
            values(core, k)[i] = core->guard.r[k];
            watch->low = smaller(watch->low, core->guard.r[k]);
            watch->high = larger(watch->high, core->guard.r[k]);
        }
    }
    return OK;
}

/* --- what samples do not show ------------------------------------------------------- */

/* The box of the states at some points of a piece, widened for the states between
   them. */
static void box_of_piece(struct hybrid *core, const struct piece *piece)
{
    enum { POINTS = 5 };
    struct state_box *box = &core->system->now->bounds.of.box;
    int dim = 2 * core->model->n + core->model->ns;
    state_box_begin(box);
    for (int i = 0; i < POINTS; i++) {
        double theta = piece->begin + i * piece->width / (POINTS - 1);
        double part = theta * piece->part;
        const double *x = part < 1 ? core->step.trial : core->step.x_new;
        if (part < 1)
            core->integrator->dense(core->method, part, 0, dim, core->step.trial);
        state_box_add(box, core->t + theta * piece->h, x);
    }
    state_box_widen(box, 0.1);
}

/* The first fast guard to which interval arithmetic leaves a zero on the piece and much
   more room than its samples take: a spike may lie between them. -1 stands for none. */
static int hidden(struct hybrid *core, const struct piece *piece)
{
    /* Bounds take the terms of a guard for independent even where they cancel: on a piece
       so short samples are believed. */
    static const double much_more = 8, short_enough = 1.0 / 256;
    struct guard_bounds *bounds = &core->system->now->bounds;
    if (bounds->count == 0 || piece->width <= short_enough)
        return -1;
    box_of_piece(core, piece);
    formula_bounds_evaluate(&bounds->of);
    for (int i = 0; i < bounds->count; i++) {
        const struct watch *watch = &core->guard.watch[bounds->guard[i]];
        struct bounds own = formula_bounds_of(&bounds->of, i);
        double sampled = watch->high - watch->low;
        if (!bounds_exclude_zero(own) && !(own.high - own.low <= much_more * sampled))
            return bounds->guard[i];
    }
    return -1;
}

/* A root at the start of the step, which an event has left there, is divided out. */
static void deflate(const struct hybrid *core, int k, const struct piece *piece)
{
    const struct bernstein *bernstein = &core->guard.bernstein;
    const struct watch *watch = &core->guard.watch[k];
    double *value = values(core, k);
    if (watch->power == 0 || piece->begin > 0)
        return;
    value[0] = watch->leading * pow(piece->width * piece->h, watch->power);
    for (int i = 1; i < NODES + CHECKS; i++) {
        double local = i < NODES ? bernstein->node[i] : bernstein->check[i - NODES];
        value[i] /= pow(local, watch->power);
    }
}

/*
 * The dense output need not begin with the slope of the motion: that of a collocation
 * method meets the equations at its nodes only, and its error at the start may be more
 * than an interpolant is allowed. Then a guard with a root there, divided by that root,
 * starts with the limit of its other values, unless the limit has another sign.
 */
static void start_as_extended(const struct hybrid *core)
{
    for (int k = 0; k < core->system->now->guards; k++) {
        double *value = values(core, k);
        double limit = bernstein_limit(&core->guard.bernstein, value);
        if (core->guard.watch[k].power > 0 && limit * value[0] > 0)
            value[0] = limit;
    }
}

/* The rounding of a value of guard k on a piece. Dividing out a root magnifies
   rounding, and the value (and rate) that the guard had at that root although it
   counted as zero. */
static double noise(const struct hybrid *core, int k, const struct piece *piece)
{
    const struct watch *watch = &core->guard.watch[k];
    double size = guard_rounding * guard_spread(core->system->now, k, NULL);
    double first = core->guard.bernstein.node[1];
    if (watch->power == 0 || piece->begin > 0)
        return size;
    if (watch->power > 1)
        size += fabs(watch->rate) * first * piece->width * piece->h;
    return (size + fabs(watch->value)) / pow(first, watch->power);
}

/* The size to which the defect of an interpolant is relative: the median of the guard's
   magnitudes, for a huge value at one end of the piece says nothing about the rest. */
static double middle_size(const double *value)
{
    double size[NODES];
    for (int i = 0; i < NODES; i++) {
        int at = i;
        for (; at > 0 && size[at - 1] > fabs(value[i]); at--)
            size[at] = size[at - 1];
        size[at] = fabs(value[i]);
    }
    return size[NODES / 2];
}

/* The bound serves pieces so short that the guard is small on all of a piece, though the
   states at the ends of the step are not. */
double hybrid_guard_noise(const struct hybrid *core, int k)
{
    int n = core->model->n, dim = 2 * n + core->model->ns;
    const double *const ends[BLOCKS] = {[BLOCK_Q] = core->guard.size,
                                        [BLOCK_V] = core->guard.size + n,
                                        [BLOCK_S] = core->guard.size + 2 * n};
    for (int i = 0; i < dim; i++)
        core->guard.size[i] = fmax(fabs(core->x[i]), fabs(core->step.x_new[i]));
    return extension_rounding * guard_spread(core->system->now, k, ends);
}

/* The first guard whose interpolant fails the test; -1 stands for none. */
static int unresolved(const struct hybrid *core, const struct piece *piece)
{
    for (int k = 0; k < core->system->now->guards; k++) {
        const double *value = values(core, k);
        double defect = bernstein_defect(&core->guard.bernstein, value, value + NODES);
        if (defect > guard_resolved * middle_size(value) &&
            defect > noise(core, k, piece) &&
            defect > hybrid_guard_noise(core, k))
            return k;
    }
    return -1;
}

/* The first guard whose interpolant fails the test with either value at the start. */
static int unresolved_at_all(const struct hybrid *core, const struct piece *piece)
{
    int bad = unresolved(core, piece);
    if (bad < 0 || piece->begin > 0)
        return bad;
    start_as_extended(core);
    return unresolved(core, piece);
}

/* --- roots -------------------------------------------------------------------------- */

/* A value of exactly zero at the end counts as crossed: the next piece starts there. */
static double end_value(double end, double start, int direction)
{
    if (end != 0)
        return end;
    return direction ? direction * DBL_MIN : copysign(DBL_MIN, -start);
}

/* The place where a guard without a root comes so close to zero and back that rounding
   decides whether the guard is touched; NAN stands for none. A guard that close at an end
   is left to the pieces before and after. */
static double near_touch(const struct hybrid *core, int k, const struct piece *piece,
                         bool *touching)
{
    static const double low = 0.05;     /* a parabola's value at nodes beside its
                                           vertex */
    const double *value = values(core, k);
    double shifted[NODES], least = INFINITY;
    if (core->guard.watch[k].power > 0 && piece->begin == 0)
        return NAN;
    for (int i = 0; i < NODES; i++)
        least = fmin(least, fabs(value[i]));
    if (least > low * largest(value, NODES))
        return NAN;
    double shift = copysign(noise(core, k, piece), -value[0]);
    for (int i = 0; i < NODES; i++)
        shifted[i] = value[i] + shift;
    if (shifted[0] * value[0] <= 0 || shifted[NODES - 1] * value[0] <= 0)
        return NAN;
    double local = bernstein_first(&core->guard.bernstein, shifted, 0, touching);
    *touching = !isnan(local);
    return local;
}

/* Isolates roots of every guard on a piece, into core->guard.root; *first is the guard
   that crosses first. GRAZING when a guard is touched before; a guard that is touched
   after the first crossing may never be reached. */
static enum status isolate(struct hybrid *core, const struct piece *piece, int *first)
{
    struct mode_system *ms = core->system->now;
    double *root = core->guard.root;
    int touched = -1;
    for (int k = 0; k < ms->guards; k++) {
        double *value = values(core, k);
        int direction = ms->event[k]->direction;
        bool touching;
        core->guard.watch[k].end = value[NODES - 1];      /* theta^power is 1 there */
        value[NODES - 1] = end_value(value[NODES - 1], value[0], direction);
        double local = bernstein_first(&core->guard.bernstein, value, direction,
                                       &touching);
        if (isnan(local))
            local = near_touch(core, k, piece, &touching);
        else if (fault_unseen(core, direction, value[0]))
            local = NAN;
        root[k] = (piece->begin + local * piece->width) * piece->part;
        int *earliest = touching ? &touched : first;
        if (!isnan(local) && (*earliest < 0 || root[k] < root[*earliest]))
            *earliest = k;
    }
    if (touched < 0 || (*first >= 0 && root[*first] < root[touched]))
        return OK;
    double theta = root[touched] / piece->part;
    int beside = bernstein_beside(&core->guard.bernstein, values(core, touched),
                                  (theta - piece->begin) / piece->width);
    return diagnose(core->diagnosis, GRAZING, core->t + theta * piece->h,
                    "guard %s is %s", ms->event[touched]->name,
                    beside > 0 ? "touched without being crossed"
                               : "zero with rate zero, so that its time has no "
                                 "derivative; if it is crossed there, a guard of the "
                                 "same sign with a simple zero has one");
}

/* Raises the scales of the guards by the values up to the root of each guard. */
static void note_scales(struct hybrid *core, const struct piece *piece)
{
    const double *node = core->guard.bernstein.node;
    for (int k = 0; k < core->system->now->guards; k++) {
        struct watch *watch = &core->guard.watch[k];
        int power = piece->begin > 0 ? 0 : watch->power;
        double root = core->guard.root[k] / piece->part;
        double until = isnan(root) ? 1 : (root - piece->begin) / piece->width;
        for (int i = 0; i < NODES && node[i] <= until; i++)
            watch->scale = fmax(watch->scale,
                                fabs(values(core, k)[i]) * pow(node[i], power));
    }
}

static enum status too_fast(struct hybrid *core, const struct piece *piece, int k)
{
    return diagnose(core->diagnosis, NO_CONVERGENCE, core->t + piece->begin * piece->h,
                    "guard %s varies too fast, or is too noisy, for its roots to be "
                    "isolated: not even on %.3g of the step",
                    core->system->now->event[k]->name, piece->width * piece->h);
}

enum status hybrid_guard_roots(struct hybrid *core, double h, double part, int *first)
{
    struct mode_system *ms = core->system->now;
    struct piece piece = {.h = h * part, .part = part, .width = 1};
    *first = core->guard.sure;
    if (*first >= 0 && !fault_unseen(core, ms->event[*first]->direction,
                                     core->guard.watch[*first].value))
        return OK;
    enum status status = core->integrator->prepare(core->method, &core->ode);
    int halvings = 0;
    *first = -1;
    for (int k = 0; k < ms->guards; k++)
        core->guard.watch[k].largest = fabs(core->guard.watch[k].value);
    while (status == OK && piece.begin < 1 && *first < 0) {
        status = sample(core, &piece);
        if (status != OK)
            return status;
        for (int k = 0; k < ms->guards; k++) {
            double *value = values(core, k), size = largest(value, NODES);
            core->guard.watch[k].largest = fmax(core->guard.watch[k].largest, size);
            deflate(core, k, &piece);
        }
        int bad = hidden(core, &piece);
        if (bad < 0)
            bad = unresolved_at_all(core, &piece);
        if (bad >= 0 && (piece.width <= narrowest || ++halvings > MOST_HALVINGS))
            return too_fast(core, &piece, bad);
        if (bad >= 0) {
            piece.width /= 2;
            continue;
        }
        status = isolate(core, &piece, first);
        note_scales(core, &piece);
        piece.begin += piece.width;
        /* The next piece is twice as long where a piece of that length may begin: all
           pieces are halves of halves. */
        if (fmod(piece.begin, 2 * piece.width) == 0 && piece.begin < 1)
            piece.width *= 2;
    }
    return status;
}
