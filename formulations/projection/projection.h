/*
 * projection.h - projections of a state onto Phi = 0 and Phid = 0, and of its
 * sensitivities onto the linearised constraints, as a table.
 */
#ifndef SALTUS_PROJECTION_H
#define SALTUS_PROJECTION_H

#include <stdbool.h>

#include "base/api.h"
#include "base/status.h"

struct constraints;         /* of a mode, at a point; private (monitors/constraints.h) */

SALTUS_API_BEGIN

/* A projection. Its file sets every member. */
struct projection {
    const char *name, *title, *source;
    bool every_evaluation;  /* the projection is applied wherever the right-hand side is
                               evaluated, since beside the constraints, near a singular
                               configuration, the right-hand side is another one; false:
                               after each step */
    /* Work space for a mode; `constraints` outlives it. No later call allocates. */
    void *(*alloc)(struct constraints *constraints);
    void (*release)(void *work);
    /* Puts the work space into the state in which alloc left it, for another run. NULL:
       another run needs a new work space. */
    void (*renew)(void *work);
    /* Prepares for an arc that starts at this state (a choice of coordinates). OK;
       RANK_LOSS, SINGULAR (M is not positive definite on ker Phi_q), NOT_FINITE. */
    enum status (*restart)(void *work, double t, const double *q, const double *v,
                           const double *s);
    /* Projects q [n] and v [n] onto the constraints. OK; NO_CONVERGENCE, RANK_LOSS,
       SINGULAR, NOT_FINITE leave q and v without meaning. */
    enum status (*state)(void *work, double t, double *q, double *v, const double *s);
    /* Projects Q [n] and V [n] of one column onto Phi_q Q + Phi_s S + Phi_rho = 0 and the
       derivative of Phid = 0, at the state last projected. */
    void (*column)(void *work, int parameter, double *Q, double *V, const double *S);
    /* Chooses anew if the choice has become bad (re-partition), after an accepted step to
       this state, which is the one last projected. NULL: there is no choice. */
    void (*review)(void *work, double t, const double *q, const double *v,
                   const double *s);
    /* The choice in hand in so many numbers, which any work space of the mode
       understands; returns how many, with index NULL, too. NULL: there is no choice. */
    int (*choice)(const void *work, int *index);
    /* Makes that choice again, at a state on the constraints; statuses of restart. */
    enum status (*choose)(void *work, const int *index, double t, const double *q,
                          const double *v, const double *s);
};

extern const struct projection projection_partition;    /* dependent from independent */
extern const struct projection projection_mass_orthogonal;      /* Bayo, Ledesma 1996 */

SALTUS_API_END

#endif
