/*
 * torn.h - the solution of torn equations (explicit/tearing.h) as formulas; private to
 * explicit_formulas.c.
 */
#ifndef SALTUS_TORN_H
#define SALTUS_TORN_H

#include "base/arena.h"
#include "explicit/solution.h"

/* The tearing variables z of equations without them: all arrays are empty. */
struct torn {
    const struct explicit_equations *equations;
    struct tape *tape;
    int count, ports;           /* tearing variables, ports */
    formula *X;                 /* [count][rows] A^-1 B, column by column */
    formula *y0;                /* [ports] ports at u0 */
    formula *Y;                 /* [ports][count] their derivatives along X */
    formula *z;                 /* [count] the variables solved for */
    formula *port;              /* [ports] ports at z */
    formula *J;                 /* [count][rows] dphi/du at z */
    struct elimination *W;      /* of I + J X at z */
    struct arena arena;
};

void torn_init(struct torn *t, struct tape *tape, const struct explicit_equations *e);
void torn_clear(struct torn *t);

/* Finds X, whatever u0 is; `solver` is that of A. */
void torn_columns(struct torn *t, const struct solver *solver);
/* Gives the iterate [count] of Newton's method after the variables of BLOCK_ITERATED, at
   u0 [rows]. False: the variables cannot be eliminated beforehand. */
bool torn_newton(struct torn *t, const formula *u0, formula *next);
/* Finds ports and W where the variables have been found; u becomes u - X z. False: as
   above. */
bool torn_solve(struct torn *t, formula *u);
/* x [rows] becomes x - X w. */
void torn_subtract(const struct torn *t, const formula *w, formula *x);
/* Finds dphi/du, where `known` has u. */
void torn_gradients(struct torn *t, const struct solution *known);
/* The derivative v = A^-1 (-R') of unknowns at fixed tearing variables becomes
   v - X w, where (I + J X) w = J v. */
void torn_move(const struct torn *t, formula *v);

#endif
