/*
 * closed_impact_orbit.c - a periodic motion with one impact by superposition
 * (closed_impact_orbit.h)
 *
 * Between two impacts x is a steady oscillation P and a free one, which has the same
 * value a = q_c - P at both. With the free motion E over a period all speeds are linear
 * in a, and P^2 + (P'/w)^2 = R^2 is a quadratic equation for a.
 */
#include "orbits/closed_impact_orbit.h"

#include <math.h>

typedef double complex number;

/* The quadratic equation (q_c - a)^2 + (steady a/w)^2 = R^2. */
struct superposition {
    number q_c, e, w, period;
    number speed, steady;       /* u/a of the speed u of the impact, and P'/a */
    number x, y;                /* stiffness and damping of the steady oscillation */
    number R;                   /* its amplitude */
    number f;                   /* coefficient of a^2 */
};

static number at(const struct model *model, const number *rho, const char *name)
{
    return rho[model_parameter_index(model, name)];
}

static struct superposition superpose(const struct model *model, const number *rho)
{
    struct superposition s = {.q_c = at(model, rho, "q_c"), .e = at(model, rho, "e"),
                              .w = at(model, rho, "w")};
    number k = at(model, rho, "k"), c = at(model, rho, "c"), m = at(model, rho, "m");
    number T = s.period = 2 * M_PI / s.w, d = c / (2 * m), n = csqrt(k / m - d*d);
    number C = cexp(-d * T) * ccos(n * T), S = cexp(-d * T) * csin(n * T) / n;
    number E11 = C + d * S, E12 = S, E21 = -k / m * S, E22 = C - d * S;
    number before = E21 + E22 * (1 - E11) / E12, after = (1 - E11) / E12;
    s.speed = (before - after) / (1 + s.e);
    s.steady = s.speed - before;
    s.x = k - m * s.w*s.w;
    s.y = c * s.w;
    s.R = at(model, rho, "A") / csqrt(s.x*s.x + s.y*s.y);
    s.f = 1 + s.steady * s.steady / (s.w*s.w);
    return s;
}

/* The angle of (x, y) from -pi to pi, but for pi itself. */
static number angle_of(number x, number y)
{
    number r = csqrt(x*x + y*y);
    if (creal(x) >= 0)
        return 2 * catan(y / (r + x));
    return (creal(y) >= 0 ? M_PI : -M_PI) - 2 * catan(y / (r - x));
}

void closed_impact_orbit(const struct model *model, const number *rho, double speed,
                         number state[3], number *period)
{
    const struct superposition s = superpose(model, rho);
    number root = csqrt(s.q_c*s.q_c - s.f * (s.q_c*s.q_c - s.R*s.R));
    number a = (s.q_c - root) / s.f, other = (s.q_c + root) / s.f;
    if (fabs(creal(s.speed * other) - speed) < fabs(creal(s.speed * a) - speed))
        a = other;
    number phase = angle_of(s.q_c - a, -s.steady * a / s.w) + angle_of(s.x, s.y);
    state[0] = s.q_c;
    state[1] = -s.e * s.speed * a;
    state[2] = phase + 2 * M_PI * (creal(phase) < 0) -
               2 * M_PI * (creal(phase) > 2 * M_PI);
    *period = s.period;
}

/* The superposition at real parameters. */
static struct superposition superpose_real(const struct model *model, const double *rho)
{
    number value[64];
    for (int j = 0; j < model->p && j < 64; j++)
        value[j] = rho[j];
    return superpose(model, value);
}

double closed_impact_amplitude(const struct model *model, const double *rho, double speed)
{
    const struct superposition s = superpose_real(model, rho);
    number a = speed / s.speed, P = s.q_c - a, rate = s.steady * a / s.w;
    return creal(csqrt((P*P + rate*rate) * (s.x*s.x + s.y*s.y)));
}

double closed_impact_fold(const struct model *model, const double *rho)
{
    const struct superposition s = superpose_real(model, rho);
    return creal(s.q_c * csqrt((1 - 1 / s.f) * (s.x*s.x + s.y*s.y)));
}

double closed_impact_grazing(const struct model *model, const double *rho)
{
    const struct superposition s = superpose_real(model, rho);
    return creal(s.q_c * csqrt(s.x*s.x + s.y*s.y));
}
