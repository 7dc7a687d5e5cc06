/*
 * largest.h - the size of a vector: its largest magnitude. What is not a number does not
 * count.
 */
#ifndef SALTUS_LARGEST_H
#define SALTUS_LARGEST_H

#include <math.h>

static inline double largest(const double *x, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fabs(x[i]));
    return size;
}

#endif
