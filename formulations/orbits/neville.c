/*
 * neville.c - Neville's scheme (neville.h)
 */
#include "orbits/neville.h"

#include <math.h>

#include "base/memory.h"

double neville_zero(const double *x, const double *y, int count, double *error)
{
    double p[NEVILLE_POINTS], without_last = NAN, without_first = NAN;
    memory_copy(p, y, count, sizeof *p);
    for (int order = 1; order < count; order++) {
        without_last = p[0];
        without_first = p[1];
        for (int i = 0; i + order < count; i++)
            p[i] = (x[i + order] * p[i] - x[i] * p[i + 1]) / (x[i + order] - x[i]);
    }
    *error = fmax(fabs(p[0] - without_first), fabs(p[0] - without_last));
    return p[0];
}
