/*
 * simultaneous_orders.h - events that fall together: what each of their orders leads to,
 * and whether that is the same.
 */
#ifndef SALTUS_SIMULTANEOUS_ORDERS_H
#define SALTUS_SIMULTANEOUS_ORDERS_H

#include "run.h"

void orders_clear(struct together *together);
/* One more order: the events of `out` from `first` on; or why it was refused. */
void orders_add(struct together *together, const struct trajectory *out, int first,
                const struct diagnosis *refusal);
/* What orders of events are compared by: a relative tolerance, and how large each
   component of the state has been. */
struct order_scale {
    double tolerance;
    const double *size;             /* [2n + ns] of q, v, s */
    const double *rho;              /* [model->p] */
};

/* Do all orders lead to the same point and the same times? A value is measured by itself,
   a derivative by itself and at least by the value over max(1, |rho|); but no better than
   rounding leaves them in their group. Without `derivatives` only the values must agree.
   SIMULTANEOUS: the quantity that differs most. */
enum status orders_compare(struct together *together, const struct columns *columns,
                           const struct order_scale *scale, bool derivatives,
                           struct diagnosis *diagnosis);

#endif
