/*
 * display.c - numbers that the displays of Mukharlyamov, Deressa 2014,
 * example 1 should have
 */
#include "papers/mukharlyamov/trials.h"

#include <math.h>
#include <string.h>

double trial_digits(double error, double size)
{
    return error == 0 ? 16 : fmin(16, -log10(error / size));
}

/* States (t, q, v, a) at which displays are tried. */
struct arm_point trial_state(int k)
{
    static const double table[STATES][7] = {
        {0.2, 1.4, 3.5, 0.36, -0.87, 1.1, -0.7},
        {0.9, 0.3, -1.2, 2.1, 0.4, -0.5, 3.2},
        {1.7, -2.2, 0.8, -1.3, 1.9, 0.6, 0.9},
        {3.1, 2.6, 2.4, 0.7, 2.8, -2.3, -1.4}};
    const double *x = table[k];
    return (struct arm_point){.t = x[0], .q = {x[1], x[2]}, .v = {x[3], x[4]},
                              .a = {x[5], x[6]}};
}

double display_digits(struct arm_sheet *sheet, int first, int count,
                             judge_display *judge)
{
    double least = 16, want[4];
    double complex value[ARM_COSTS];
    for (int k = 0; k < STATES; k++) {
        struct arm_point point = trial_state(k);
        double size = 0;
        judge(sheet, &point, want);
        arm_values(sheet, &point, value);
        for (int i = 0; i < count; i++)
            size = fmax(size, fabs(want[i]));
        for (int i = 0; i < count; i++) {
            double error = fabs(creal(value[first + i]) - want[i]);
            least = fmin(least, trial_digits(error, size));
        }
    }
    return least;
}

void want_rate(struct arm_sheet *sheet, const struct arm_point *point,
               double *want)
{
    double rate[ARM_COSTS];
    arm_rates(sheet, point, rate);
    memcpy(want, rate + THETA, 2 * sizeof *want);
}

void want_second_rate(struct arm_sheet *sheet, const struct arm_point *point,
                      double *want)
{
    double rate[ARM_COSTS];
    arm_rates(sheet, point, rate);
    memcpy(want, rate + THETAD, 2 * sizeof *want);
}

/* Derivatives by q_j of a cost, by complex step. */
static double by_q(struct arm_sheet *sheet, const struct arm_point *point, int cost,
                   int j)
{
    double complex value[ARM_COSTS];
    struct arm_point moved = *point;
    moved.q[j] += 1e-30 * _Complex_I;
    arm_values(sheet, &moved, value);
    return cimag(value[cost]) / 1e-30;
}

void want_jacobian(struct arm_sheet *sheet, const struct arm_point *point,
                   double *want)
{
    for (int k = 0; k < 4; k++)
        want[k] = by_q(sheet, point, THETA + k / 2, k % 2);
}

/* Theta'' + K_D Theta' + K_P Theta, the gains of case 1. */
void want_stabilised(struct arm_sheet *sheet, const struct arm_point *point,
                     double *want)
{
    static const double K_D[] = {20, 10}, K_P[] = {100, 25};
    double rate[ARM_COSTS];
    double complex value[ARM_COSTS];
    arm_rates(sheet, point, rate);
    arm_values(sheet, point, value);
    for (int i = 0; i < 2; i++)
        want[i] = rate[THETAD + i] + K_D[i] * rate[THETA + i] +
                  K_P[i] * creal(value[THETA + i]);
}

/* Xi is what of it has no accelerations, negative. */
void want_Xi(struct arm_sheet *sheet, const struct arm_point *point, double *want)
{
    struct arm_point still = *point;
    still.a[0] = still.a[1] = 0;
    want_stabilised(sheet, &still, want);
    want[0] = -want[0];
    want[1] = -want[1];
}

/* T of a velocity, q complex. */
static double complex kinetic(struct arm_sheet *sheet, const struct arm_point *point,
                              double v1, double v2)
{
    double complex value[ARM_COSTS];
    struct arm_point moved = *point;
    moved.v[0] = v1;
    moved.v[1] = v2;
    arm_values(sheet, &moved, value);
    return value[KINETIC];
}

/* M11, M12, M22 from T, a quadratic form in the velocities. */
static void complex_mass(struct arm_sheet *sheet, const struct arm_point *point,
                         double complex *M)
{
    M[0] = 2 * kinetic(sheet, point, 1, 0);
    M[2] = 2 * kinetic(sheet, point, 0, 1);
    M[1] = kinetic(sheet, point, 1, 1) - (M[0] + M[2]) / 2;
}

void want_M(struct arm_sheet *sheet, const struct arm_point *point, double *want)
{
    double complex M[3];
    complex_mass(sheet, point, M);
    for (int k = 0; k < 3; k++)
        want[k] = creal(M[k]);
}

/* Lagrange's equations without accelerations: Q = T_q - V_q - M' v, M' along v. */
void want_Q(struct arm_sheet *sheet, const struct arm_point *point, double *want)
{
    struct arm_point moved = *point;
    double complex M[3];
    for (int i = 0; i < 2; i++)
        moved.q[i] += 1e-30 * _Complex_I * point->v[i];
    complex_mass(sheet, &moved, M);
    for (int i = 0; i < 2; i++)
        want[i] = by_q(sheet, point, KINETIC, i) - by_q(sheet, point, POTENTIAL, i) -
                  (cimag(M[i]) * creal(point->v[0]) +
                   cimag(M[i + 1]) * creal(point->v[1])) / 1e-30;
}
