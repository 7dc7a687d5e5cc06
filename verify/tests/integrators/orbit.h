/*
 * orbit.h - an orbit of Kepler's by the two-step method, step by step by hand.
 */
#ifndef SALTUS_ORBIT_H
#define SALTUS_ORBIT_H

#include <criterion/criterion.h>

#include "kepler.h"

/* Evaluations of a step, of a start, and for the slopes that it would have had. */
enum { S = 8, START_EVALUATIONS = 13, LOOKING_BACK = 7 };

static const double eccentricity = 0.4, begin = 0.5;

/* A run by hand. */
struct orbit {
    const struct integrator *method;
    struct kepler kepler;
    struct ode ode;
    void *work;
    double t, x[4], dx[4], err[2][4];
};

static inline void orbit_init_at(struct orbit *orbit, double t)
{
    *orbit = (struct orbit){ .method = integrator_find("peer8"), .t = t,
                             .kepler = { .copies = 1, .scale = 1 } };
    orbit->ode = (struct ode){ .dim = 4, .rhs = kepler_rhs, .context = &orbit->kepler };
    orbit->work = orbit->method->alloc(4);
    kepler_exact(eccentricity, t, orbit->x);
    kepler_rhs(&orbit->kepler, t, orbit->x, orbit->dx);
}

static inline void orbit_init(struct orbit *orbit)
{
    orbit_init_at(orbit, begin);
}

/* To x and dx [4]; returns what it took. */
static inline long try(struct orbit *orbit, double h, double *x, double *dx)
{
    long calls = orbit->kepler.calls;
    double *const err[2] = { orbit->err[0], orbit->err[1] };

    cr_assert_eq(orbit->method->step(orbit->work, &orbit->ode, orbit->t, h, orbit->x,
                                     orbit->dx, x, dx, err), OK);
    return orbit->kepler.calls - calls;
}

static inline long go(struct orbit *orbit, double h)
{
    long calls = try(orbit, h, orbit->x, orbit->dx);

    orbit->t += h;
    return calls;
}

static inline double orbit_error(const struct orbit *orbit)
{
    double exact[4];

    kepler_exact(eccentricity, orbit->t, exact);
    return distance(4, orbit->x, exact);
}

static inline void orbit_end(struct orbit *orbit)
{
    orbit->method->release(orbit->work);
}

#endif
