/*
 * outweighed.h - how much heavier than the masses is what a penalty adds to them?
 */
#ifndef SALTUS_OUTWEIGHED_H
#define SALTUS_OUTWEIGHED_H

#include "explicit/formula_matrix.h"
#include "model.h"

/*
 * Of R_u = [M G; C -D] (linear.h) with n rows above: the largest (G D^-1 C)_ii / M_ii,
 * at nominal parameters and the position that is given, or guessed, for the start.
 * Elimination by D adds one to the other, and so many digits of M are lost. 0 where there
 * is no D; INFINITY where a coordinate has no mass, or something is not finite.
 */
double outweighed(const struct model *model, const struct formula_matrix *R_u, int n);

#endif
