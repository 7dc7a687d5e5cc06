/*
 * kepler.h - problems with known solutions for the tests of the integrators.
 *
 * Kepler's has a closed form and is nonlinear; its right-hand side counts calls and fails
 * when told to. Scaled copies of the orbit make more components and groups.
 */
#ifndef SALTUS_KEPLER_H
#define SALTUS_KEPLER_H

#include <math.h>

#include "integrators/control.h"

struct kepler {
    int copies;                 /* state: copies of (x, y, vx, vy), copy i by scale^i */
    double scale;
    long calls, fail_at;        /* the call number fail_at returns `with` */
    enum status with;
};

static inline enum status kepler_rhs(void *context, double t, const double *x, double *dx)
{
    struct kepler *kepler = context;
    double scale = 1;

    (void)t;
    if (++kepler->calls == kepler->fail_at)
        return kepler->with;
    for (int i = 0; i < kepler->copies; i++, x += 4, dx += 4, scale *= kepler->scale) {
        double r = hypot(x[0], x[1])/scale;

        dx[0] = x[2];
        dx[1] = x[3];
        dx[2] = -x[0]/(r*r*r);
        dx[3] = -x[1]/(r*r*r);
    }
    return OK;
}

/* The exact state at time t after the pericentre of an ellipse with half axis 1. */
static inline void kepler_exact(double e, double t, double *x)
{
    double b = sqrt(1 - e*e), u = t;

    for (int i = 0; i < 50; i++)
        u -= (u - e*sin(u) - t)/(1 - e*cos(u));
    double rate = 1/(1 - e*cos(u));
    x[0] = cos(u) - e;
    x[1] = b*sin(u);
    x[2] = -sin(u)*rate;
    x[3] = b*cos(u)*rate;
}

static inline double distance(int dim, const double *x, const double *y)
{
    double worst = 0;

    for (int i = 0; i < dim; i++)
        worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

/* x' = i x for a complex x stored as two reals. */
static inline enum status rotation_rhs(void *context, double t, const double *x,
                                       double *dx)
{
    (void)context, (void)t;
    dx[0] = -x[1];
    dx[1] = x[0];
    return OK;
}

#endif
