/*
 * largest.h - the size of a vector: its largest magnitude. What is not a number does not
 * count; whether there is such a component, or an infinite one, is asked apart.
 */
#ifndef SALTUS_LARGEST_H
#define SALTUS_LARGEST_H

#include <math.h>
#include <stdbool.h>

/* The larger one: fmax, without a call, and without a branch on which it is. */
static inline double larger(double a, double b)
{
    double most = b > a ? b : a;
    return a != a ? b : most;
}

/* The smaller one, as fmin. */
static inline double smaller(double a, double b)
{
    double least = b < a ? b : a;
    return a != a ? b : least;
}

static inline double largest(const double *x, int count)
{
    double size = 0;            /* never NAN: `larger` without its last question */
    for (int i = 0; i < count; i++)
        size = fabs(x[i]) > size ? fabs(x[i]) : size;
    return size;
}

static inline bool all_finite(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += 0 * x[i];
    return sum == 0;
}

#endif
