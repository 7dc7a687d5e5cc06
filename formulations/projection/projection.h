/*
 * projection.h - ways of putting a state back onto Phi = 0 and Phid = 0, and its
 * sensitivities onto the linearised constraints, as a table.
 */
#ifndef SALTUS_PROJECTION_H
#define SALTUS_PROJECTION_H

#include <stdbool.h>

#include "base/api.h"
#include "base/status.h"

struct constraints;         /* of a mode, at a point; private (monitors/constraints.h) */

SALTUS_API_BEGIN

struct projection {
    const char *name, *title, *source;
    /* Applied wherever the right-hand side is evaluated, too, so that it is nowhere asked
       beside the constraints, where near a singular configuration it is another one. Else
       after each step. */
    bool every_evaluation;
    /* Work space for a mode; `constraints` outlives it. No later call allocates. */
    void *(*alloc)(struct constraints *constraints);
    void (*release)(void *work);
    /* An arc starts at this state: choose what has to be chosen. RANK_LOSS, SINGULAR (M
       is not positive definite on ker Phi_q), NOT_FINITE. */
    enum status (*restart)(void *work, double t, const double *q, const double *v,
                           const double *s);
    /* q [n] and v [n] onto the constraints. NO_CONVERGENCE, RANK_LOSS, SINGULAR,
       NOT_FINITE; then q and v mean nothing. */
    enum status (*state)(void *work, double t, double *q, double *v, const double *s);
    /* Q [n] and V [n] of one column onto Phi_q Q + Phi_s S + Phi_rho = 0 and the
       derivative of Phid = 0, at the state last projected. */
    void (*column)(void *work, int parameter, double *Q, double *V, const double *S);
    /* After an accepted step, at the state last projected: choose anew if the choice has
       become bad (re-partition). May be NULL. */
    void (*review)(void *work);
};

extern const struct projection projection_partition;    /* dependent from independent */
extern const struct projection projection_mass_orthogonal;      /* Bayo, Ledesma 1996 */

SALTUS_API_END

#endif
