/*
 * norms.h - the parts of vectors by groups, for control.c.
 */
#ifndef SALTUS_NORMS_H
#define SALTUS_NORMS_H

#include "integrators/control.h"

/* The square of an error, from those of the norms of two error vectors of a group: that
   of the first times its ratio to the hypotenuse of both, which raises the order (HNW
   II.10). Numbers, or vectors of them: one division, and no root but of the largest. An
   error whose square underflows is none: there the ratio is 0/0. */
#define ERROR_SQUARE(first, other) ((first)*((first)/((first) + (other))))

/* A step to more than so many times what a group has come to is not taken for what the
   group is about. */
enum { NORMS_GROWTH = 1000 };

/* The largest |x| of each group; not finite: INFINITY. size [groups] */
void norms_sizes(const struct control *control, const double *x, double *size);
/* Sets control->size to that of x_new, or to the amplitude if that is more, and level. */
void norms_levels(const struct control *control, const double *x_new);
/* Besides: the largest error of the groups, as control_combined has it of an integrator
   that combines errors with `second`; INFINITY where anything is not finite. */
double norms_worst(const struct control *control, int errors, double second,
                   const double *x_new, double *const *err);

#endif
