/*
 * second_order.h - mixed second derivatives of formulas along two directions, in double:
 * the coefficient of e1 e2 of f at x + A e1 + B e2 + C e1 e2 (hyper-dual numbers; Fike,
 * Alonso 2011), as a program.
 */
#ifndef SALTUS_SECOND_ORDER_H
#define SALTUS_SECOND_ORDER_H

#include "base/arena.h"
#include "model.h"
#include "program/stages.h"

/* A point, or a direction at it. NULL parts are zero, or not there. */
struct second_point {
    double t;
    const double *q, *v, *s, *a, *lambda;       /* [n] [n] [ns] [n] [m of the model] */
    const double *q_plus, *v_plus, *s_plus, *impulse;   /* after an event */
    int parameter;                  /* drho = 1 of a direction; -1: none */
};

struct second_order {
    struct program *program;        /* NULL: not made yet */
    double *w;                      /* work of program */
    bool set;                       /* w has the parameters of the run */
};

/* Compiles the second derivatives of f [count] on a branch of the model; `what` and `of`
   name them for faults (program/fault.h). */
void second_order_init(struct second_order *second, struct arena *arena,
                       const struct model *model, const formula *f, int count,
                       const char *what, const char *of);
void second_order_clear(struct second_order *second);
/* Loads a point, at parameters rho [model->p] if they are not loaded. */
void second_order_at(struct second_order *second, const double *rho,
                     const struct second_point *point);
/* out [count]: the second derivatives along A and B with C, whose parameter is -1. */
void second_order_along(struct second_order *second, const struct second_point *A,
                        const struct second_point *B, const struct second_point *C,
                        double *out);

#endif
