/*
 * complex_least_norm.c - multipliers of least norm (complex_least_norm.h).
 */
#include "oracles/complex_least_norm.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "program/complex_step.h"

/* eps in units of the square of the largest entry of G: far above what rounding makes of
   a zero, far below the square of a singular value that counts as something. */
static const double part = 1e-13;

void complex_least_norm_init(struct complex_least_norm *least, int n, int m)
{
    *least = (struct complex_least_norm){.n = n, .m = m};
    least->G = memory_new(2 * (n + m) * m, sizeof *least->G);
    least->D = least->G + n * m;
    least->factored_of = least->D + m * m;
    complex_lu_init(&least->lu, n + m, n + m);
    least->force = memory_new(n, sizeof *least->force);
    least->least = memory_new(m, sizeof *least->least);
    least->step = memory_new(n + m, sizeof *least->step);
}

void complex_least_norm_clear(struct complex_least_norm *least)
{
    free(least->G);
    complex_lu_clear(&least->lu);
    free(least->force);
    free(least->least);
    free(least->step);
}

void complex_largest(const double complex *x, int count, double size[2])
{
    size[0] = size[1] = 0;
    for (int k = 0; k < count; k++) {
        size[0] = larger(size[0], fabs(creal(x[k])));
        size[1] = larger(size[1], fabs(cimag(x[k])));
    }
}

/* Are G and D those that have been factored? */
static bool known(struct complex_least_norm *least)
{
    size_t size = (size_t)((least->n + least->m) * least->m) * sizeof *least->G;
    if (least->factored && memcmp(least->factored_of, least->G, size) == 0)
        return true;
    memcpy(least->factored_of, least->G, size);
    return false;
}

/* Factors in units in which the largest entries of G and of D are 1: otherwise rounding
   errors of G, in units of D, would be taken for multipliers. */
enum status complex_least_norm_factor(struct complex_least_norm *least)
{
    int n = least->n, m = least->m, N = n + m;
    double complex *A = least->lu.A;
    double D[2];
    if (known(least))
        return OK;
    complex_largest(least->G, n * m, least->size);
    complex_largest(least->D, m * m, D);
    least->size[0] = larger(least->size[0], DBL_MIN);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            A[(n + i) * N + n + j] = -least->D[i * m + j] / D[0];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            A[i * N + j] = i == j ? part : 0;
        for (int k = 0; k < m; k++)
            A[i * N + n + k] = A[(n + k) * N + i] = least->G[i * m + k] / least->size[0];
    }
    enum status status = complex_lu_factor(&least->lu, 0);
    least->factored = status == OK;
    return status;
}

struct complex_rest complex_rest_begin(void)
{
    return (struct complex_rest){.before = {INFINITY, INFINITY},
                                 .least = {INFINITY, INFINITY}};
}

bool complex_rest_reached(struct complex_rest *rest, const double change[2],
                          const double size[2])
{
    static const int many = 50;
    for (int k = 0; k < 2; k++) {
        rest->rounds[k] = change[k] < rest->least[k] ? 0 : rest->rounds[k] + 1;
        rest->least[k] = fmin(rest->least[k], change[k]);
        bool idle = rest->rounds[k] >= many && change[k] <= 1e-9 * size[k];
        bool small = change[k] <= 1e-12 * size[k];
        bool rounding = change[k] <= 4 * DBL_EPSILON * size[k];
        bool nothing = change[k] <= 1e-3 * DBL_EPSILON * size[k] + DBL_MIN;
        bool stopped = (small && !(change[k] < rest->before[k])) ||
                       (rounding && !(change[k] < rest->before[k] / 2));
        if (nothing || stopped || idle)
            rest->reached[k] = true;
        rest->before[k] = change[k];
    }
    return rest->reached[0] && rest->reached[1];
}

/* G lambda */
static void forces(const struct complex_least_norm *least, const double complex *lambda,
                   double complex *force)
{
    for (int i = 0; i < least->n; i++) {
        force[i] = 0;
        for (int k = 0; k < least->m; k++)
            force[i] += complex_product(least->G[i * least->m + k], lambda[k]);
    }
}

enum status complex_least_norm_of(struct complex_least_norm *least,
                                  double complex *lambda)
{
    int n = least->n, m = least->m;
    double complex *sum = least->least, *step = least->step;
    struct complex_rest rest = complex_rest_begin();
    double size[2];
    complex_largest(lambda, m, size);
    size[1] = larger(size[1], size[0] * least->size[1] / least->size[0]);
    forces(least, lambda, least->force);
    for (int k = 0; k < m; k++)
        sum[k] = 0;
    for (int round = 0; round < 60; round++) {
        double change[2];
        forces(least, sum, step);
        for (int i = 0; i < n; i++)
            step[i] = (least->force[i] - step[i]) / least->size[0];
        for (int k = 0; k < m; k++)
            step[n + k] = 0;
        complex_lu_solve(&least->lu, step);
        for (int k = 0; k < m; k++)
            sum[k] += step[n + k];
        complex_largest(step + n, m, change);
        if (complex_rest_reached(&rest, change, size)) {
            memory_copy(lambda, sum, m, sizeof *sum);
            return OK;
        }
    }
    return NO_CONVERGENCE;
}
