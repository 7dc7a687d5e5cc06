/*
 * norms.h - maximum norms of vectors by groups of components, for control.c.
 */
#ifndef SALTUS_NORMS_H
#define SALTUS_NORMS_H

#include "integrators/control.h"

/* The square of the error a^2 / sqrt(a^2 + b^2), which raises the order (HNW II.10), from
   first = a^2 and other = b^2 of the norms of two error vectors. Arguments are numbers or
   vectors of numbers. The form takes one division and no square root. A `first` of zero,
   by underflow, too, must be handled by the caller: the ratio is 0/0 there. */
#define ERROR_SQUARE(first, other) ((first)*((first)/((first) + (other))))

/* Largest factor by which the size of a group may exceed its amplitude in a level
   (error_kernel.h). */
enum { NORMS_GROWTH = 1000 };

/* size [groups] = the largest |x| of each group; INFINITY if a component is not
   finite. */
void norms_sizes(const struct control *control, const double *x, double *size);
/* Sets control->size to the larger of |x_new| and the amplitude, and control->level. */
void norms_levels(const struct control *control, const double *x_new);
/* norms_levels, and the largest error of a group as in control_combined, for an
   integrator without `combine`; INFINITY where a number is not finite. */
double norms_worst(const struct control *control, int errors, double second,
                   const double *x_new, double *const *err);

#endif
