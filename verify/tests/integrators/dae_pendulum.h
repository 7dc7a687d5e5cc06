/*
 * dae_pendulum.h - a pendulum of unit mass in natural coordinates, posed with index 1, 2,
 * 3 and as stabilised index 2 (Gear, Gupta, Leimkuhler 1985), with rho = (l, g); and its
 * motion from the angle, in long double.
 */
#ifndef SALTUS_DAE_PENDULUM_H
#define SALTUS_DAE_PENDULUM_H

#include "dae.h"

/* y = (q, v), w = (a, lambda): M a + Phi_q' lambda = F, Phi = (|q|^2 - l^2)/2. Two
   quadratures: of x^2, and of lambda. */
enum { PENDULUM_D = 4, PENDULUM_Z = 2, PENDULUM_STATE = PENDULUM_D + PENDULUM_Z };

static const int pendulum_rate[] = { 2, 3, -1, -2 };
static const int pendulum_ggl_rate[] = { -1, -2, -3, -4 };
static const int lost_none[] = { 0, 0, 0, 0 }, lost_in_v[] = { 0, 0, 1, 1 };

static inline void pendulum_forces(const number *y, const number *a, number lambda,
                                   number g, number *R, number *z)
{
    R[0] = a[0] + y[0]*lambda;
    R[1] = a[1] + y[1]*lambda + g;
    z[0] = y[0]*y[0];
    z[1] = lambda;
}

static inline void pendulum_index3(double t, const number *y, const number *w,
                                   const number *rho, number *R, number *z)
{
    (void)t;
    pendulum_forces(y, w, w[2], rho[1], R, z);
    R[2] = (y[0]*y[0] + y[1]*y[1] - rho[0]*rho[0])/2;
}

static inline void pendulum_index2(double t, const number *y, const number *w,
                                   const number *rho, number *R, number *z)
{
    (void)t;
    pendulum_forces(y, w, w[2], rho[1], R, z);
    R[2] = y[0]*y[2] + y[1]*y[3];
}

static inline void pendulum_index1(double t, const number *y, const number *w,
                                   const number *rho, number *R, number *z)
{
    (void)t;
    pendulum_forces(y, w, w[2], rho[1], R, z);
    R[2] = y[0]*w[0] + y[1]*w[1] + y[2]*y[2] + y[3]*y[3];
}

/* w = (q', a, lambda, mu) */
static inline void pendulum_ggl(double t, const number *y, const number *w,
                                const number *rho, number *R, number *z)
{
    (void)t;
    pendulum_forces(y, w + 2, w[4], rho[1], R, z);
    R[2] = y[0]*y[2] + y[1]*y[3];
    R[3] = w[0] - y[2] + y[0]*w[5];
    R[4] = w[1] - y[3] + y[1]*w[5];
    R[5] = (y[0]*y[0] + y[1]*y[1] - rho[0]*rho[0])/2;
}

static inline void pendulum_motion(double t, const number *y, const number *rho,
                                   number *w)
{
    number lambda = (y[2]*y[2] + y[3]*y[3] - rho[1]*y[1])/(y[0]*y[0] + y[1]*y[1]);

    (void)t;
    w[0] = -y[0]*lambda;
    w[1] = -y[1]*lambda - rho[1];
    w[2] = lambda;
}

static inline void pendulum_ggl_motion(double t, const number *y, const number *rho,
                                       number *w)
{
    pendulum_motion(t, y, rho, w + 2);
    w[0] = y[2];
    w[1] = y[3];
    w[5] = 0;
}

enum { INDEX1, INDEX2, INDEX3, GGL, PENDULUMS };

static const struct dae_problem pendulum[PENDULUMS] = {
#define PENDULUM(title, its_unknowns, its_rate, its_lost, its_residual, its_motion)     \
    { .name = title, .d = PENDULUM_D, .coordinates = 2, .quadratures = PENDULUM_Z,      \
      .unknowns = its_unknowns, .rate = its_rate, .lost = its_lost,                     \
      .residual = its_residual, .motion = its_motion }
    [INDEX1] = PENDULUM("index 1", 3, pendulum_rate, lost_none, pendulum_index1,
                        pendulum_motion),
    [INDEX2] = PENDULUM("index 2", 3, pendulum_rate, lost_none, pendulum_index2,
                        pendulum_motion),
    [INDEX3] = PENDULUM("index 3", 3, pendulum_rate, lost_in_v, pendulum_index3,
                        pendulum_motion),
    [GGL] = PENDULUM("ggl", 6, pendulum_ggl_rate, lost_none, pendulum_ggl,
                     pendulum_ggl_motion),
#undef PENDULUM
};

static const int index_of_lambda[PENDULUMS] = { 2, 2, 2, 4 };
static const double pendulum_rho[DAE_COLUMNS] = { 1.25, 9.5 };
static const double pendulum_angle = 1.1, pendulum_speed = 0.7;

/* q, v at the start, with derivatives: only l matters. */
static inline void pendulum_start(const double *rho, double *x)
{
    double s = sin(pendulum_angle), c = cos(pendulum_angle);
    double direction[] = { s, -c, pendulum_speed*c, pendulum_speed*s };

    memset(x, 0, sizeof(double)*PENDULUM_STATE*(1 + DAE_COLUMNS));
    for (int i = 0; i < PENDULUM_D; i++) {
        x[i] = rho[0]*direction[i];
        x[PENDULUM_STATE + i] = direction[i];
    }
}

/* theta, its speed, the quadratures, and their derivatives by l and g: columns of 4. */
enum { ANGLE_DIM = 4*(1 + DAE_COLUMNS) };

static inline void angle_rhs(long double l, long double g, const long double *u,
                             long double *du)
{
    long double s = sinl(u[0]), c = cosl(u[0]), omega = u[1];

    du[0] = omega;
    du[1] = -g/l*s;
    du[2] = l*l*s*s;
    du[3] = omega*omega + g/l*c;
    for (int j = 1; j <= DAE_COLUMNS; j++) {
        long double l_j = j == 1, g_j = j == 2, ratio_j = g_j/l - g/(l*l)*l_j;
        long double theta_j = u[4*j], omega_j = u[4*j + 1];

        du[4*j] = omega_j;
        du[4*j + 1] = -g/l*c*theta_j - s*ratio_j;
        du[4*j + 2] = 2*l*l_j*s*s + 2*l*l*s*c*theta_j;
        du[4*j + 3] = 2*omega*omega_j - g/l*s*theta_j + c*ratio_j;
    }
}

/* x and lambda [column] at time T from the angle: RK4 in long double, to about 1e-17. */
static inline void pendulum_exact(double T, double x[1 + DAE_COLUMNS][PENDULUM_STATE],
                                  double *lambda)
{
    enum { STEPS = 20000 };
    static const long double node[4] = { 0, 0.5L, 0.5L, 1 };
    long double l = pendulum_rho[0], g = pendulum_rho[1], h = (long double)T/STEPS;
    long double u[ANGLE_DIM] = { pendulum_angle, pendulum_speed }, at[ANGLE_DIM];
    long double k[4][ANGLE_DIM];

    for (int n = 0; n < STEPS; n++) {
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < ANGLE_DIM; i++)
                at[i] = u[i] + (s ? node[s]*h*k[s - 1][i] : 0);
            angle_rhs(l, g, at, k[s]);
        }
        for (int i = 0; i < ANGLE_DIM; i++)
            u[i] += h/6*(k[0][i] + 2*k[1][i] + 2*k[2][i] + k[3][i]);
    }
    angle_rhs(l, g, u, k[0]);
    long double s = sinl(u[0]), c = cosl(u[0]), omega = u[1];
    for (int j = 0; j <= DAE_COLUMNS; j++) {
        long double l_j = j == 1, theta_j = u[4*j], omega_j = u[4*j + 1];
        long double q_j[2] = { l_j*s + l*c*theta_j, -l_j*c + l*s*theta_j };
        long double v_j[2] = { l_j*c*omega + l*(c*omega_j - s*omega*theta_j),
                               l_j*s*omega + l*(s*omega_j + c*omega*theta_j) };

        x[j][0] = (double)(j ? q_j[0] : l*s);
        x[j][1] = (double)(j ? q_j[1] : -l*c);
        x[j][2] = (double)(j ? v_j[0] : l*c*omega);
        x[j][3] = (double)(j ? v_j[1] : l*s*omega);
        x[j][4] = (double)u[4*j + 2];
        x[j][5] = (double)u[4*j + 3];
        lambda[j] = (double)k[0][4*j + 3];
    }
}

#endif
