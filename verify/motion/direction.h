/*
 * direction.h - a direction in the space of parameters in which every derivative counts.
 *
 * One derivative along w shows a wrong number in any of the columns that make it up:
 * d/d(w) = sum_j w_j d/drho_j. Weights are of the size of the parameters, so that they
 * are relative changes, and none of them is small.
 */
#ifndef SALTUS_DIRECTION_H
#define SALTUS_DIRECTION_H

#include "model.h"

/* Weights are the same in every run. */
enum { DIRECTION_SEED = 1 };

struct parameter_direction {
    int parameters;
    char **w;                   /* [parameters] decimal text */
};

/* Sets w to +-u_j size_j with u_j from 1/2 to 1 and size_j = |rho_j|, or 1 where rho_j is
   zero. NOT_FINITE: a nominal value is not a number. */
enum status direction_random(const struct model *model, int parameters,
                             const int *parameter, struct parameter_direction *direction,
                             struct diagnosis *diagnosis);
/* Sets w to one parameter alone: w_k = 1, the others 0. */
void direction_unit(int parameters, int k, struct parameter_direction *direction);
void direction_clear(struct parameter_direction *direction);

#endif
