/*
 * lyapunov.c - the function of Lyapunov (18) of Mukharlyamov, Deressa 2014, and its rate
 * (19)
 */
#include "papers/mukharlyamov/trials.h"

#include <complex.h>
#include <math.h>

#include "papers/match.h"

static const double K_D[2][2] = {{20, 3}, {3, 10}}, K_P[2][2] = {{100, -7}, {-7, 25}};
static const double epsilon = 0.5;

static double complex form(const double complex *a, const double K[2][2],
                           const double complex *b)
{
    double complex sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            sum += a[i] * K[i][j] * b[j];
    return sum;
}

static double complex product(const double complex *a, const double complex *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

/* (18) in its first form, x = Theta, y = Theta'. */
static double complex lyapunov(const double complex *x, const double complex *y)
{
    return (form(x, K_P, x) + epsilon * form(x, K_D, x) + 2 * epsilon * product(x, y) +
            product(y, y)) / 2;
}

static double complex lyapunov_second(const double complex *x, const double complex *y)
{
    const double complex sum[2] = {y[0] + epsilon * x[0], y[1] + epsilon * x[1]};
    return product(sum, sum) / 2 + (form(x, K_P, x) + epsilon * form(x, K_D, x) -
                                    epsilon * epsilon * product(x, x)) / 2;
}

/* Its rate along (17), by complex step. */
static double lyapunov_rate(const double complex *x, const double complex *y)
{
    const double complex step = 1e-30 * _Complex_I;
    double complex a[2], b[2];
    for (int i = 0; i < 2; i++) {
        double complex rate = 0;
        for (int j = 0; j < 2; j++)
            rate -= K_D[i][j] * y[j] + K_P[i][j] * x[j];
        a[i] = x[i] + step * y[i];
        b[i] = y[i] + step * rate;
    }
    return cimag(lyapunov(a, b)) / 1e-30;
}

/* Subject 18: both forms; 19: the rate. */
void lyapunov_try(const void *study, const struct printed_formula *row,
                  struct trial *trial)
{
    (void)study;
    trial->printed = 16;
    for (int k = 0; k < STATES; k++) {
        struct arm_point point = trial_state(k);
        const double complex x[2] = {point.q[0], point.q[1]};
        const double complex y[2] = {point.v[0], point.v[1]};
        double got = creal(lyapunov_second(x, y)), want = creal(lyapunov(x, y));
        if (row->subject == 19) {
            got = -creal(epsilon * form(x, K_P, x) + form(y, K_D, y) -
                         epsilon * product(y, y));
            want = lyapunov_rate(x, y);
        }
        trial->printed = fmin(trial->printed, number_digits(got, want));
    }
    trial->corrected = trial->printed;
    trial_judge(trial, row->subject == 19
             ? "complex step in (18) along (17)" : "its other form");
    trial_tell(trial, "At %d states, with full symmetric K_D and K_P, epsilon = %g%s.",
               STATES, epsilon, row->subject == 19 ? "; the first vector lacks its "
                                                     "transpose" : "");
}
