/*
 * guard_rates.h - rates of guards along the motion, and derivatives of these rates.
 *
 * rd = r_t + r_q v + r_v a + r_s s', as a formula of (t, q, v, s, a, lambda). The guards
 * do not depend on a and lambda, whose rates are not formulas.
 */
#ifndef SALTUS_GUARD_RATES_H
#define SALTUS_GUARD_RATES_H

#include "base/arena.h"
#include "codegen/tier_up.h"
#include "model.h"
#include "program/stages.h"

/* guard_rates_init sets every member. */
struct guard_rates {
    int guards;                 /* number of guards */
    bool use_unknowns;          /* some rd depend on a or lambda: of guards on v, or by
                                   s' */
    struct program *program;    /* outputs: rd [guards], its derivative [guards] */
    double *w;                  /* work array of the program */
    struct tiered_program code; /* the program, compiled when that pays */
};

/* A point with its unknowns, or a direction there; [n] [n] [ns] [n] [m]. */
struct guard_point {
    double t;
    const double *q, *v, *s, *a, *lambda;
};

/* Takes the guards `event` [guards] of a mode. The arrays are in `arena`. */
void guard_rates_init(struct guard_rates *rates, struct arena *arena,
                      const struct model *model, const struct mode *mode,
                      const struct event *const *event, int guards);
void guard_rates_clear(struct guard_rates *rates);
/* Sets the parameters rho [model->p]. */
void guard_rates_set(struct guard_rates *rates, const double *rho);

/* rd [guards] at a point. */
void guard_rates_at(struct guard_rates *rates, const struct guard_point *point,
                    double *rd);
/* rd_dot [guards], the derivative of rd along a direction at the point last evaluated. */
void guard_rates_along(struct guard_rates *rates, const struct guard_point *direction,
                       double *rd_dot);

#endif
