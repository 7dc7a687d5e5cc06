/*
 * control.c - step-size control: the error of a step and the size of the next one.
 *
 * Sources: Hairer, Norsett, Wanner 1993 (HNW), II.4; K. Gustafsson, Control theoretic
 * techniques for stepsize selection in explicit Runge-Kutta methods, ACM TOMS 17 (1991).
 */
#include <float.h>
#include <math.h>

#include "base/exchange.h"
#include "base/largest.h"
#include "base/memory.h"
#include "norms.h"
#include "simd/simd.h"

/* Limits as in the programs DOPRI5 and DOP853 of HNW: the aim is a little below the
   tolerance, the size changes gently. */
static const double safety = 0.9, shrink_most = 0.2, grow_most = 6;
/* beta of PI control times the order; in DOPRI5 0.04 times 5. */
static const double memory = 0.2;
/* Least error that counts in PI control at the next step: an error may have been smaller
   by luck, or because the step was short for another reason. */
static const double error_floor = 0.02;

enum status control_init(struct control *control, double rtol, double atol, int groups,
                         const int *begin)
{
    *control = (struct control){ .rtol = rtol, .atol = atol, .groups = groups };
    if (!(rtol >= 0 && atol >= 0 && rtol + atol > 0 && isfinite(rtol + atol)))
        return BAD_INPUT;
    /* No step meets a purely relative tolerance below its rounding error. */
    if (atol <= 0 && rtol < 4*DBL_EPSILON)
        return PRECISION;
    int room = simd_packs(groups) * PACK; /* norms.c goes through whole packs */
    struct arena *arena = &control->arena;

    control->amplitude = arena_new(arena, room, sizeof *control->amplitude);
    control->size = arena_new(arena, room, sizeof *control->size);
    control->level = arena_new(arena, room, sizeof *control->level);
    for (int e = 0; e < 2; e++)
        control->error[e] = arena_new(arena, room, sizeof *control->error[e]);
    control->floor = arena_new(arena, room, sizeof *control->floor);
    control->begin = arena_new(arena, room + 1, sizeof *control->begin);
    for (int g = 0; g <= room; g++)
        control->begin[g] = begin[g < groups ? g : groups];
    return OK;
}

void control_clear(struct control *control)
{
    arena_free(&control->arena);
    *control = (struct control){ 0 };
}

void control_floor(struct control *control, int group, int of, double share)
{
    if (of >= group)
        slip("the floor of group %d is group %d", group, of);
    control->floor[group] = (struct floor){ .of = of, .share = share };
}

static void remember(struct control *control, const double *x)
{
    norms_sizes(control, x, control->size);
    for (int g = 0; g < control->groups; g++)
        if (control->size[g] < INFINITY)
            control->amplitude[g] = larger(control->amplitude[g], control->size[g]);
}

/* Amplitudes become the sizes that control_error has found at the end of the step. */
static void grow(struct control *control)
{
    exchange(&control->amplitude, &control->size);
}

void control_restart(struct control *control, const double *x)
{
    control->last_error = 0;
    control->rejected = false;
    remember(control, x);
}

double control_combined(const struct integrator *integrator, const double *norm)
{
    if (integrator->combine)
        return integrator->combine(norm);
    double other = integrator->second*norm[1], square = norm[0]*norm[0];
    return square > 0 ? sqrt(ERROR_SQUARE(square, other*other)) : 0;
}

/* The norm of group g in units of its tolerance. A group that stays at zero exactly has
   no error, even if its tolerance is zero. */
static double norm_of(const struct control *control, int g, double size)
{
    return size > 0 ? size/(control->rtol*control->level[g] + control->atol) : 0;
}

/* The worst error for an integrator with `combine`; levels are known. */
static double other_error(const struct control *control,
                          const struct integrator *integrator, double *const *err)
{
    double *const *size = control->error, worst = 0;

    for (int e = 0; e < integrator->errors; e++)
        norms_sizes(control, err[e], size[e]);
    for (int g = 0; g < control->groups; g++) {
        const double norm[2] = { norm_of(control, g, size[0][g]),
                                 norm_of(control, g, size[1][g]) };

        worst = larger(worst, control_combined(integrator, norm));
    }
    return worst;
}

double control_error(const struct control *control, const struct integrator *integrator,
                     const double *x_new, double *const *err)
{
    double worst = norms_worst(control, integrator->errors, integrator->second, x_new,
                               err);

    return integrator->combine && worst < INFINITY ? other_error(control, integrator, err)
                                                   : worst;
}

static int order_of(const struct control *control, const struct integrator *integrator)
{
    return control->order > 0 ? control->order : integrator->order;
}

/*
 * The factor of the step size, with error ~ h^order. This holds for the estimates of
 * every method of the catalogue that keeps the better of its two solutions. For step
 * doubling (gsl-rk4, error ~ h^(order + 1)) the exponent is a little hasty, which costs a
 * rejection now and then, not accuracy. An error that is infinite or not a number shrinks
 * the step as far as is allowed.
 */
static double factor(const struct control *control, const struct integrator *integrator,
                     double error, double log_error)
{
    double order = order_of(control, integrator), exponent = 1/order;
    double beta = (integrator->memory > 0 ? integrator->memory : memory)/order;
    bool first = !(control->last_error > 0);

    if (error <= 0)
        return grow_most;
    if (!(error < INFINITY))
        return shrink_most;
    /* Control is PI, but I where there is no error before, and at a refusal. */
    double change = -exponent*log_error;
    if (error <= 1 && !first)
        change = beta*control->last_log - (exponent - 0.75*beta)*log_error;
    return smaller(grow_most, larger(shrink_most, safety*exp(change)));
}

static void note_error(struct control *control, double error, double log_error)
{
    control->last_error = larger(error, error_floor);
    control->last_log = error > error_floor ? log_error : log(error_floor);
}

/* h times `change`, at most h_max. */
static double times(const struct control *control, double h, double change)
{
    double next = change*h;
    bool beyond = control->h_max > 0 && fabs(next) > control->h_max;

    return beyond ? copysign(control->h_max, h) : next;
}

double control_next(struct control *control, const struct integrator *integrator,
                    double h, double error, const double *x_new)
{
    double log_error = error > 0 ? log(error) : 0;
    double next = factor(control, integrator, error, log_error);

    if (error <= 1) {
        control->steps++;
        if (x_new)
            remember(control, x_new);
        else
            grow(control);
        /* The error model has just failed at a refusal: no growth right after. */
        if (control->rejected)
            next = smaller(next, 1);
        control->rejected = false;
        note_error(control, error, log_error);
    } else {
        control->rejections++;
        control->rejected = true;
    }
    return times(control, h, next);
}

/* The largest magnitude of `what` in units of the tolerance at the levels last taken.
   Groups that are zero there do not count: their size would be a tiny atol, which would
   dictate a tiny step. */
static double norm(const struct control *control, const double *what)
{
    double worst = 0;

    norms_sizes(control, what, control->error[0]);
    for (int g = 0; g < control->groups; g++) {
        if (control->level[g] > 0 && isfinite(control->level[g]))
            worst = fmax(worst, norm_of(control, g, control->error[0][g]));
    }
    return worst;
}

/*
 * HNW II.4, "hinit": h0 moves x by a hundredth; an Euler step of h0 shows the second
 * derivative; h1 makes the first neglected term, taken as max(d1, d2) h^order, a
 * hundredth of the tolerance. The formula mixes units of time: in odd units the first
 * step is off, by no more than the limits below allow, and the next steps mend this.
 * Groups that start at zero have a unit only after the Euler step, and make h0 very
 * short: h1 is trusted up to 1e6 h0, where HNW stop at 100 h0 and the first steps grow
 * one after the other.
 */
double control_first(const struct control *control, const struct integrator *integrator,
                     const struct ode *ode, double t, double t_end, const double *x,
                     const double *dx, double *x1, double *dx1)
{
    static const double trust = 1e6;
    double span = fabs(t_end - t);
    double most = control->h_max > 0 ? fmin(control->h_max, span) : span;
    double least = fmin(most, fmax(1e-10*span, 16*DBL_EPSILON*fabs(t)));
    norms_levels(control, x);
    double d0 = norm(control, x), d1 = norm(control, dx);
    double h0 = d0 > 1e-5 && d1 > 1e-5 ? 0.01*d0/d1 : 1e-6*span;

    h0 = fmin(most, fmax(least, h0));
    if (!(h0 > 0))
        return 0;
    double step = copysign(h0, t_end - t);
    for (int n = 0; n < ode->dim; n++)
        x1[n] = x[n] + step*dx[n];
    /* The Euler step is outside the domain already: error control must find the size. */
    if (ode->rhs(ode->context, t + step, x1, dx1) != OK)
        return copysign(fmax(least, 1e-3*h0), step);
    for (int n = 0; n < ode->dim; n++)
        dx1[n] = (dx1[n] - dx[n])/step;
    norms_levels(control, x1);
    double bend = fmax(norm(control, dx), norm(control, dx1));
    double h1 = bend > 1e-15 ? pow(0.01/bend, 1.0/order_of(control, integrator)) : most;
    return copysign(fmax(least, fmin(most, fmin(trust*h0, h1))), step);
}
