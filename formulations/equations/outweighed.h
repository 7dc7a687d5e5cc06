/*
 * outweighed.h - the ratio of a penalty's stiffness to the masses.
 */
#ifndef SALTUS_OUTWEIGHED_H
#define SALTUS_OUTWEIGHED_H

#include "explicit/formula_matrix.h"
#include "model.h"

/*
 * Returns the largest (G D^-1 C)_ii / M_ii of R_u = [M G; C -D] (linear.h) with n rows
 * above, at nominal parameters and the position that is given, or guessed, for the start.
 * Elimination by D adds one to the other, and loses so many digits of M. 0 where there is
 * no D; INFINITY where a coordinate has no mass, or an entry is not finite.
 */
double outweighed(const struct model *model, const struct formula_matrix *R_u, int n);

#endif
