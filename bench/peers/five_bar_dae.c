/*
 * five_bar_dae.c - residual, tangents and Jacobian of the DAE by hand.
 */
#include "peers/five_bar_dae.h"

#include <math.h>
#include <string.h>

#include "peers/five_bar.h"
#include "peers/five_bar_data.h"

enum { BARS = 4, XY = 2, COORDINATES = POINTS*XY };

static const double mass[POINTS][POINTS] = {
    {M_A, M_B, 0}, {M_B, M_C, M_B}, {0, M_B, M_A}
};
static const double weight[POINTS] = {WEIGHT1, WEIGHT2, WEIGHT1};
static const double length2[BARS] = {OUTER, INNER, INNER, OUTER};
static const double natural[DAE_PARAMETERS] = {L01, L02};

/* --- parts -------------------------------------------------------------------------- */

static double inner(const double *a, const double *b)
{
    return a[0]*b[0] + a[1]*b[1];
}

/* bar = C x, from points to bars. */
static void to_bars(const double *x, double bar[BARS][XY])
{
    for (int i = 0; i < XY; i++) {
        bar[0][i] = x[i];
        bar[1][i] = x[2 + i] - x[i];
        bar[2][i] = x[4 + i] - x[2 + i];
        bar[3][i] = x[4 + i];
    }
}

static void vectors(const double *q, double e[BARS][XY])
{
    to_bars(q, e);
    e[0][0] -= A_X;
    e[3][0] -= B_X;
}

/* residual += C' (e mu), from bars to points. */
static void pull(double e[BARS][XY], const double *mu, double *residual)
{
    for (int i = 0; i < XY; i++) {
        residual[i] += e[0][i]*mu[0] - e[1][i]*mu[1];
        residual[2 + i] += e[1][i]*mu[1] - e[2][i]*mu[2];
        residual[4 + i] += e[2][i]*mu[2] + e[3][i]*mu[3];
    }
}

static void accelerate(const double *vd, double *residual)
{
    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < XY; i++)
            residual[2*k + i] = mass[k][0]*vd[i] + mass[k][1]*vd[2 + i] +
                                mass[k][2]*vd[4 + i];
}

/* Spring j pulls point j with -s d. */
struct spring { double d[XY], length, s; };

static struct spring spring_of(const double *q, int j)
{
    struct spring spring = {.d = {q[2*j] - B_X, q[2*j + 1]}};
    spring.length = sqrt(inner(spring.d, spring.d));
    spring.s = STIFFNESS*(1 - natural[j]/spring.length);
    return spring;
}

/* --- the residual ------------------------------------------------------------------- */

void five_bar_residual(const double *y, const double *yd, double *residual)
{
    const double *mu = y + DAE_MU, *v = y + DAE_V;
    double e[BARS][XY], w[BARS][XY], a[BARS][XY], *force = residual + DAE_V;
    vectors(y, e);
    to_bars(v, w);
    to_bars(yd + DAE_V, a);
    for (int i = 0; i < COORDINATES; i++)
        residual[i] = yd[i] - v[i];
    accelerate(yd + DAE_V, force);
    pull(e, mu, force);
    for (int k = 0; k < POINTS; k++)
        force[2*k + 1] -= weight[k];
    for (int j = 0; j < DAE_PARAMETERS; j++) {
        struct spring spring = spring_of(y, j);
        for (int i = 0; i < XY; i++)
            force[2*j + i] += spring.s*spring.d[i];
    }
    for (int k = 0; k < BARS; k++)
        residual[DAE_MU + k] = inner(e[k], a[k]) + inner(w[k], w[k]) +
                               K_D*inner(e[k], w[k]) +
                               K_P/2*(inner(e[k], e[k]) - length2[k]) - mu[k]/(4*ALPHA);
}

/* The rows of the bars, differentiated; de are the derivatives of e. */
static void constraint_tangents(const double *y, const double *yd, const double *s,
                                const double *sd, double de[BARS][XY], double *rows)
{
    double e[BARS][XY], w[BARS][XY], a[BARS][XY], dw[BARS][XY], da[BARS][XY];
    vectors(y, e);
    to_bars(y + DAE_V, w);
    to_bars(yd + DAE_V, a);
    to_bars(s + DAE_V, dw);
    to_bars(sd + DAE_V, da);
    for (int k = 0; k < BARS; k++)
        rows[k] = inner(de[k], a[k]) + inner(e[k], da[k]) + 2*inner(w[k], dw[k]) +
                  K_D*(inner(de[k], w[k]) + inner(e[k], dw[k])) + K_P*inner(e[k], de[k]) -
                  s[DAE_MU + k]/(4*ALPHA);
}

void five_bar_residual_tangent(const double *y, const double *yd, const double *s,
                               const double *sd, int j, double *residual)
{
    double e[BARS][XY], de[BARS][XY], *force = residual + DAE_V;
    vectors(y, e);
    to_bars(s, de);
    for (int i = 0; i < COORDINATES; i++)
        residual[i] = sd[i] - s[DAE_V + i];
    accelerate(sd + DAE_V, force);
    pull(e, s + DAE_MU, force);
    pull(de, y + DAE_MU, force);
    for (int k = 0; k < DAE_PARAMETERS; k++) {
        struct spring spring = spring_of(y, k);
        double along = natural[k]/spring.length*inner(spring.d, s + 2*k)/spring.length;
        double ds = STIFFNESS/spring.length*(along - (k == j));
        for (int i = 0; i < XY; i++)
            force[2*k + i] += ds*spring.d[i] + spring.s*s[2*k + i];
    }
    constraint_tangents(y, yd, s, sd, de, residual + DAE_MU);
}

/* --- from and to the state ---------------------------------------------------------- */

/* The multipliers of two bars that pull a point: a x + b z = -force. */
static void two_bars(const double *a, const double *b, const double *force, double *x,
                     double *z)
{
    double determinant = a[0]*b[1] - a[1]*b[0];
    *x = (b[0]*force[1] - b[1]*force[0])/determinant;
    *z = (a[1]*force[0] - a[0]*force[1])/determinant;
}

/* The multipliers that balance the forces left over at the outer points. */
static void balance(const double *q, const double *force, double *mu)
{
    double e[BARS][XY], back[XY];
    vectors(q, e);
    back[0] = -e[1][0];
    back[1] = -e[1][1];
    two_bars(e[0], back, force, &mu[0], &mu[1]);
    two_bars(e[2], e[3], force + 4, &mu[2], &mu[3]);
}

/* x = the derivatives by parameter j out of lanes x, y by L01 and x, y by L02 of each
   point. */
static void from_lanes(const double *lanes, int j, double *x)
{
    for (int i = 0; i < COORDINATES; i++)
        x[i] = lanes[i/2*4 + 2*j + i%2];
}

/* Copies the derivatives by parameter j into the lanes. */
static void to_lanes(const double *x, int j, double *lanes)
{
    for (int i = 0; i < COORDINATES; i++)
        lanes[i/2*4 + 2*j + i%2] = x[i];
}

void five_bar_consistent(const double *q, const double *Q, const double *v,
                         const double *V, double *y, double *yd,
                         double *s[DAE_PARAMETERS], double *sd[DAE_PARAMETERS])
{
    double a[FIVE_BAR_VALUES], A[4*POINTS], residual[DAE_UNKNOWNS];
    five_bar_accelerations(q, Q, v, V, a, A);
    memset(yd, 0, DAE_UNKNOWNS*sizeof *yd);
    memset(y, 0, DAE_UNKNOWNS*sizeof *y);
    memcpy(y, q, COORDINATES*sizeof *y);
    memcpy(y + DAE_V, v, COORDINATES*sizeof *y);
    memcpy(yd, v, COORDINATES*sizeof *yd);
    memcpy(yd + DAE_V, a, COORDINATES*sizeof *yd);
    five_bar_residual(y, yd, residual);
    balance(y, residual + DAE_V, y + DAE_MU);
    for (int j = 0; j < DAE_PARAMETERS; j++) {
        memset(s[j], 0, DAE_UNKNOWNS*sizeof *y);
        memset(sd[j], 0, DAE_UNKNOWNS*sizeof *y);
        from_lanes(Q, j, s[j]);
        from_lanes(V, j, s[j] + DAE_V);
        from_lanes(V, j, sd[j]);
        from_lanes(A, j, sd[j] + DAE_V);
        five_bar_residual_tangent(y, yd, s[j], sd[j], j, residual);
        balance(y, residual + DAE_V, s[j] + DAE_MU);
    }
}

void five_bar_state(const double *y, double *s[DAE_PARAMETERS], double *q, double *Q,
                    double *v, double *V)
{
    memset(q, 0, FIVE_BAR_VALUES*sizeof *q);
    memset(v, 0, FIVE_BAR_VALUES*sizeof *v);
    memcpy(q, y, COORDINATES*sizeof *q);
    memcpy(v, y + DAE_V, COORDINATES*sizeof *v);
    for (int j = 0; j < DAE_PARAMETERS; j++) {
        to_lanes(s[j], j, Q);
        to_lanes(s[j] + DAE_V, j, V);
    }
}
