/*
 * largest.h - the maximum norm of a vector. Components that are not numbers do not count;
 * all_finite() tells whether all components are finite.
 */
#ifndef SALTUS_LARGEST_H
#define SALTUS_LARGEST_H

#include <math.h>
#include <stdbool.h>

/* The larger of a and b; if one is not a number, the other. This is fmax without a call,
   and without a branch. */
static inline double larger(double a, double b)
{
    double most = b > a ? b : a;
    return a != a ? b : most;
}

/* The smaller of a and b; if one is not a number, the other. */
static inline double smaller(double a, double b)
{
    double least = b < a ? b : a;
    return a != a ? b : least;
}

/* The largest |x_i| of x [count]; 0 if there is none. */
static inline double largest(const double *x, int count)
{
    double size = 0;            /* never NAN, which `larger` would have to ask */
    for (int i = 0; i < count; i++)
        size = fabs(x[i]) > size ? fabs(x[i]) : size;
    return size;
}

/* True if all components of x [count] are finite. */
static inline bool all_finite(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += 0 * x[i];
    return sum == 0;
}

#endif
