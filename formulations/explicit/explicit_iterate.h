/*
 * explicit_iterate.h - the iterations inside a right-hand side, Newton's method for
 * tearing variables (explicit/tearing.h) and the augmented Lagrange iteration
 * (explicit/augmented.h); private to explicit_rhs.c.
 */
#ifndef SALTUS_EXPLICIT_ITERATE_H
#define SALTUS_EXPLICIT_ITERATE_H

#include "explicit/explicit_rhs.h"

/* Finds what is iterated, if anything is, at the state whose rows have been run, and runs
   the rows of the solution. False: the iteration does not converge. */
bool explicit_iterate(struct explicit_rhs *explicit_rhs);
/* Finds its derivatives along a direction, whose rows have been run, and runs the rows of
   theirs; false as above. */
bool explicit_iterate_direction(struct explicit_rhs *explicit_rhs);

#endif
