/*
 * descent.h - points and values of an optimisation in its own units, for the methods that
 * go down.
 */
#ifndef SALTUS_DESCENT_H
#define SALTUS_DESCENT_H

#include "optimise/objective.h"
#include "optimise/optimise.h"

/* u [n] of an evaluation. */
void descent_point(const struct optimisation *o, const struct evaluation *e, double *u);
/* The gradient by u [n] of the cost that is minimised: negative for a maximum. */
void descent_gradient(const struct optimisation *o, const struct evaluation *e,
                      double *gradient);
/* Is u_k held, at a bound that the gradient pushes against? */
bool descent_held(const struct optimisation *o, const struct evaluation *e, int k);
/* The cost above that of the start, negative for a maximum. */
double descent_value(const struct optimisation *o, const struct evaluation *e);
/* How much of a cost is noise of the integration. */
double descent_noise(const struct optimisation *o, const struct evaluation *e);

/* The evaluation at u, with its row; one that is there already is not made again. NULL:
   none may be made, and o->stop says why. */
const struct evaluation *descent_evaluate(struct optimisation *o, const double *u);
/* Makes the evaluation the answer if it is lower than the answer so far. */
void descent_prefer(struct optimisation *o, const struct evaluation *e);
/* Has the evaluation, an answer, a gradient that is small enough? */
bool descent_arrived(const struct optimisation *o, const struct evaluation *e);
/* Adds an evaluation, which the optimisation frees, to those that are there. */
void descent_keep(struct optimisation *o, struct evaluation *e);
/* The evaluation nearest to the answer, and so near that it is beside it, that is
   refused, or has other events; NULL: there is none. */
const struct evaluation *descent_beside(const struct optimisation *o, bool refused);
/* The index of an evaluation. */
int descent_index(const struct optimisation *o, const struct evaluation *e);

/* Looks at the second derivatives. Where the gradient is small enough it sets `stop`
   where the cost curves downwards, or is flat, and `direction`; elsewhere it sets `stop`
   where the answer is a minimum but for rounding of its parameters. */
void curvature_check(struct optimisation *o);
/* Quasi-Newton steps by the gradient alone from the answer; sets it, and `stop` where it
   arrives. */
void polish(struct optimisation *o);

#endif
