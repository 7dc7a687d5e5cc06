/*
 * control.c - how large an error is, and what step comes next.
 *
 * Sources: Hairer, Norsett, Wanner 1993 (HNW), II.4; K. Gustafsson, Control theoretic
 * techniques for stepsize selection in explicit Runge-Kutta methods, ACM TOMS 17 (1991).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrator.h"

/* HNW's programs DOPRI5 and DOP853: aim a little below the tolerance, change gently. */
static const double safety = 0.9, shrink_most = 0.2, grow_most = 6;
/* A lucky tiny error must not count for more than this at the next step. */
static const double error_floor = 1e-4;

enum status control_init(struct control *control, double rtol, double atol, int groups,
                         const int *begin)
{
    *control = (struct control){ .rtol = rtol, .atol = atol, .groups = groups };
    if (!(rtol >= 0 && atol >= 0 && rtol + atol > 0 && isfinite(rtol + atol)))
        return BAD_INPUT;
    /* A purely relative tolerance below the rounding error of one step is never met. */
    if (atol <= 0 && rtol < 4*DBL_EPSILON)
        return PRECISION;
    control->begin = malloc(((size_t)groups + 1)*sizeof *control->begin);
    control->amplitude = calloc((size_t)groups + 1, sizeof *control->amplitude);
    control->floor = malloc(((size_t)groups + 1)*sizeof *control->floor);
    if (!control->begin || !control->amplitude || !control->floor) {
        control_clear(control);
        return BAD_INPUT;
    }
    memcpy(control->begin, begin, ((size_t)groups + 1)*sizeof *control->begin);
    for (int g = 0; g < groups; g++)
        control->floor[g] = (struct floor){ .of = -1 };
    return OK;
}

void control_clear(struct control *control)
{
    free(control->begin);
    free(control->amplitude);
    free(control->floor);
    *control = (struct control){ 0 };
}

void control_floor(struct control *control, int group, int of, double share)
{
    control->floor[group] = (struct floor){ .of = of, .share = share };
}

/* Largest magnitude of a group; INFINITY if a component is not finite: fmax drops NAN. */
static double magnitude(const struct control *control, int group, const double *x)
{
    double largest = 0;

    for (int n = control->begin[group]; n < control->begin[group + 1]; n++) {
        if (!isfinite(x[n]))
            return INFINITY;
        largest = fmax(largest, fabs(x[n]));
    }
    return largest;
}

static void remember(struct control *control, const double *x)
{
    for (int g = 0; g < control->groups; g++) {
        double here = magnitude(control, g, x);

        if (isfinite(here))
            control->amplitude[g] = fmax(control->amplitude[g], here);
    }
}

void control_restart(struct control *control, const double *x)
{
    control->last_error = 0;
    control->rejected = false;
    remember(control, x);
}

/* Of a group that goes from x to x_new, and no less than its floors allow. Both ends
   count: a sensitivity that starts at zero has its first amplitude at the end of its first
   step. */
static double amplitude(const struct control *control, int group, const double *x,
                        const double *x_new)
{
    double largest = 0, share = 1;

    for (int g = group; g >= 0; g = control->floor[g].of) {
        double here = fmax(magnitude(control, g, x), magnitude(control, g, x_new));

        largest = fmax(largest, share*fmax(here, control->amplitude[g]));
        share *= control->floor[g].share;
    }
    return largest;
}

double control_error(const struct control *control, const struct integrator *integrator,
                     const double *x, const double *x_new, double *const *err)
{
    double worst = 0;

    for (int g = 0; g < control->groups; g++) {
        double unit = control->rtol*amplitude(control, g, x, x_new) + control->atol;
        double norms[2] = { 0, 0 };

        /* With an infinite state an infinite unit would excuse every error. */
        if (!isfinite(unit))
            return INFINITY;
        for (int e = 0; e < integrator->errors; e++) {
            double largest = magnitude(control, g, err[e]);

            /* 0 of 0 is no error: a group that stays at zero exactly. */
            norms[e] = largest > 0 ? largest/unit : 0;
            if (!isfinite(norms[e]))
                return INFINITY;
        }
        worst = fmax(worst, integrator->combine(norms));
    }
    return worst;
}

/*
 * error ~ h^order for the estimates of every method in the catalogue that keeps the
 * better of its two solutions; for step doubling (gsl-rk4, error ~ h^(order + 1)) the
 * exponent is a little hasty, which costs a rejection now and then, not accuracy. An
 * error that is infinite or not a number shrinks the step as far as is allowed.
 */
static double factor(const struct control *control, const struct integrator *integrator,
                     double error)
{
    double order = integrator->order, beta = 0.2/order;

    if (error <= 0)
        return grow_most;
    /* PI: beta = 0.04 for order 5, as in DOPRI5. Without memory, and at a refusal, I. */
    double change = safety*pow(error, -1/order);
    if (error <= 1 && control->last_error > 0)
        change = safety*pow(error, -(1/order - 0.75*beta))*pow(control->last_error, beta);
    return fmin(grow_most, fmax(shrink_most, change));
}

double control_next(struct control *control, const struct integrator *integrator,
                    double h, double error, const double *x_new)
{
    double next = factor(control, integrator, error);

    if (error <= 1) {
        control->steps++;
        remember(control, x_new);
        /* Right after a refusal the error model has just failed: do not grow on it. */
        if (control->rejected)
            next = fmin(next, 1);
        control->rejected = false;
        control->last_error = fmax(error, error_floor);
    } else {
        control->rejections++;
        control->rejected = true;
    }
    next *= h;
    if (control->h_max > 0 && fabs(next) > control->h_max)
        next = copysign(control->h_max, h);
    return next;
}

/* Largest magnitude of `what` in units of the tolerance. Groups that are zero at x and x1
   do not count: a tiny atol, taken as their size, would dictate a tiny step. */
static double norm(const struct control *control, const double *x, const double *x1,
                   const double *what)
{
    double worst = 0;

    for (int g = 0; g < control->groups; g++) {
        double size = amplitude(control, g, x, x1);

        if (size > 0 && isfinite(size))
            worst = fmax(worst, magnitude(control, g, what)
                                / (control->rtol*size + control->atol));
    }
    return worst;
}

/*
 * HNW II.4: h0 moves x by a hundredth; an Euler step of h0 shows the second derivative;
 * h1 makes the first neglected term, taken as max(d1, d2) h^order, a hundredth of the
 * tolerance. (Their formula mixes units of time: in odd units the first step is off, by
 * no more than the limits below allow, and the next ones mend it.) Groups that start at
 * zero have a unit only after the Euler step.
 */
double control_first(const struct control *control, const struct integrator *integrator,
                     const struct ode *ode, double t, double t_end, const double *x,
                     const double *dx, double *x1, double *dx1)
{
    double span = fabs(t_end - t);
    double most = control->h_max > 0 ? fmin(control->h_max, span) : span;
    double least = fmin(most, fmax(1e-10*span, 16*DBL_EPSILON*fabs(t)));
    double d0 = norm(control, x, x, x), d1 = norm(control, x, x, dx);
    double h0 = d0 > 1e-5 && d1 > 1e-5 ? 0.01*d0/d1 : 1e-6*span;

    h0 = fmin(most, fmax(least, h0));
    if (!(h0 > 0))
        return 0;
    double step = copysign(h0, t_end - t);
    for (int n = 0; n < ode->dim; n++)
        x1[n] = x[n] + step*dx[n];
    /* Outside the domain already: the error control will have to feel its way. */
    if (ode->rhs(ode->context, t + step, x1, dx1) != OK)
        return copysign(fmax(least, 1e-3*h0), step);
    for (int n = 0; n < ode->dim; n++)
        dx1[n] = (dx1[n] - dx[n])/step;
    d1 = norm(control, x, x1, dx);
    double bend = fmax(d1, norm(control, x, x1, dx1));
    double h1 = bend > 1e-15 ? pow(0.01/bend, 1.0/integrator->order) : most;
    return copysign(fmax(least, fmin(most, fmin(100*h0, h1))), step);
}
