/*
 * simultaneous_orders.h - simultaneous events: the results of each order, and their
 * comparison.
 */
#ifndef SALTUS_SIMULTANEOUS_ORDERS_H
#define SALTUS_SIMULTANEOUS_ORDERS_H

#include "run.h"

/* Frees and drops all orders. */
void orders_clear(struct together *together);
/* Adds an order: the events of `out` from `first` on, or why the order was refused. */
void orders_add(struct together *together, const struct trajectory *out, int first,
                const struct diagnosis *refusal);
/* The scales by which orders of events are compared. */
struct order_scale {
    double tolerance;               /* relative */
    const double *size;             /* [2n + ns] largest magnitudes of q, v, s so far */
    const double *rho;              /* [model->p] values of the parameters */
};

/* Do all orders lead to the same point and the same times? A value is measured by
   itself, a derivative by itself and at least by the value over the parameter's size;
   but no better than rounding leaves them in their group. Without `derivatives` only
   the values must agree. SIMULTANEOUS, with the quantity that differs most; else OK. */
enum status orders_compare(struct together *together, const struct columns *columns,
                           const struct order_scale *scale, bool derivatives,
                           struct diagnosis *diagnosis);

#endif
