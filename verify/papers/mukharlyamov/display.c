/*
 * display.c - numbers that the displays of Mukharlyamov, Deressa 2014,
 * example 1 should have
 */
#include "papers/mukharlyamov/trials.h"

#include <math.h>
#include <string.h>

#include "papers/match.h"

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
    double least = 16, want[4], value[ARM_COSTS];
    for (int k = 0; k < STATES; k++) {
        struct arm_point point = trial_state(k);
        judge(sheet, &point, want);
        arm_values(sheet, &point, value);
        least = fmin(least, array_digits(value + first, want, count));
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

/* The derivative of a cost by q_j. */
static double by_q(struct arm_sheet *sheet, const struct arm_point *point, int cost,
                   int j)
{
    const double dq[2] = {j == 0, j == 1};
    double derivative[ARM_COSTS];
    arm_along(sheet, point, dq, NULL, derivative);
    return derivative[cost];
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
    double rate[ARM_COSTS], value[ARM_COSTS];
    arm_rates(sheet, point, rate);
    arm_values(sheet, point, value);
    for (int i = 0; i < 2; i++)
        want[i] = rate[THETAD + i] + K_D[i] * rate[THETA + i] +
                  K_P[i] * value[THETA + i];
}

/* Xi is minus the part of it without accelerations. */
void want_Xi(struct arm_sheet *sheet, const struct arm_point *point, double *want)
{
    struct arm_point still = *point;
    still.a[0] = still.a[1] = 0;
    want_stabilised(sheet, &still, want);
    want[0] = -want[0];
    want[1] = -want[1];
}

/* M11, M12, M22 from T, a quadratic form in the velocities, and their change with q along
   dq. */
static void mass_of_energy(struct arm_sheet *sheet, const struct arm_point *point,
                           const double dq[2], double M[3], double change[3])
{
    static const double velocity[3][2] = {{1, 0}, {1, 1}, {0, 1}};
    double T[3], Td[3], value[ARM_COSTS], derivative[ARM_COSTS];
    for (int k = 0; k < 3; k++) {
        struct arm_point moved = *point;
        memcpy(moved.v, velocity[k], sizeof moved.v);
        arm_along(sheet, &moved, dq, value, derivative);
        T[k] = value[KINETIC];
        Td[k] = derivative[KINETIC];
    }
    for (int k = 0; k < 3; k += 2) {
        M[k] = 2 * T[k];
        change[k] = 2 * Td[k];
    }
    M[1] = T[1] - (M[0] + M[2]) / 2;
    change[1] = Td[1] - (change[0] + change[2]) / 2;
}

void want_M(struct arm_sheet *sheet, const struct arm_point *point, double *want)
{
    static const double none[2];
    double change[3];
    mass_of_energy(sheet, point, none, want, change);
}

/* Lagrange's equations without accelerations: Q = T_q - V_q - M' v, M' along v. */
void want_Q(struct arm_sheet *sheet, const struct arm_point *point, double *want)
{
    double M[3], change[3];
    mass_of_energy(sheet, point, point->v, M, change);
    for (int i = 0; i < 2; i++)
        want[i] = by_q(sheet, point, KINETIC, i) - by_q(sheet, point, POTENTIAL, i) -
                  (change[i] * point->v[0] + change[i + 1] * point->v[1]);
}
