/*
 * guard_rates.h - how fast guards change along the motion, and how that changes.
 *
 * rd = r_t + r_q v + r_v a + r_s s', as a formula of (t, q, v, s, a, lambda), of guards
 * that do not depend on a and lambda, whose rates are not formulas.
 */
#ifndef SALTUS_GUARD_RATES_H
#define SALTUS_GUARD_RATES_H

#include "base/arena.h"
#include "codegen/tier_up.h"
#include "model.h"
#include "program/stages.h"

struct guard_rates {
    int guards;
    bool use_unknowns;          /* those of guards on v, or where s' has them */
    struct program *program;    /* outputs: rd [guards], its derivative [guards] */
    double *w;
    struct tiered_program code;
};

/* A point with its unknowns, or a direction there; s or lambda may be empty. */
struct guard_point {
    double t;
    const double *q, *v, *s, *a, *lambda;
};

/* Of the guards `event[]` of a mode; `arena` has the arrays. */
void guard_rates_init(struct guard_rates *rates, struct arena *arena,
                      const struct model *model, const struct mode *mode,
                      const struct event *const *event, int guards);
void guard_rates_clear(struct guard_rates *rates);
/* rho [model->p] */
void guard_rates_set(struct guard_rates *rates, const double *rho);

/* rd [guards] */
void guard_rates_at(struct guard_rates *rates, const struct guard_point *point,
                    double *rd);
/* Its derivative [guards] along a direction, at the point last evaluated. */
void guard_rates_along(struct guard_rates *rates, const struct guard_point *direction,
                       double *rd_dot);

#endif
