/*
 * reset_balls.h - the reset of an event in balls: J(w; t, q, v, s, a, lambda, rho) = 0
 * in w = (q+, v+, s+, impulse), from the values of what the case gives for it, and
 * M, Phi, f_s of the modes.
 */
#ifndef SALTUS_RESET_BALLS_H
#define SALTUS_RESET_BALLS_H

#include "ball_rows.h"

/* Slots: t, q, v, s, a, lambda of the mode left, rho; then q+, v+, s+, impulse. */
struct reset_balls {
    const struct model *model;
    const struct event *event;
    int n, ns, nz, p, impulses;
    int q, v, s, a, lambda, rho, after, slots;  /* first slots; `after` is that of q+ */
    int unknowns, *unknown;                     /* 2n + ns + impulses: their slots */
    int velocity_rows;                          /* rows of J for v+ and impulses */
    struct jets *before_jets, *after_jets;
    int given_q, given_v, given_s, E, cost, Psi_before, M_before;   /* first outputs */
    int Psi_after, M_after, Phi_after;
    struct ball_rows J;                              /* [unknowns] */
    struct ball_rows costs;                          /* [nz] */
};

/* NULL: the reset has more rows than unknowns, since constraints depend on others. */
struct reset_balls *reset_balls_new(const struct model *model,
                                            const struct event *event);
void reset_balls_free(struct reset_balls *reset);

/* Evaluates J and costs at a box of the slots. */
bool reset_balls_run(struct reset_balls *reset, acb_srcptr slot, slong precision);

/* Encloses w for all values of the slots before it, by Newton's method from w = (q, v, s,
   0) and the interval Newton operator (ball_rows.h). False: not shown to exist. */
bool reset_balls_solve(struct reset_balls *reset, acb_ptr slot, slong precision);

/* Completes tangents [slots][columns] by those of w at the last box. */
bool reset_balls_tangents(struct reset_balls *reset, acb_mat_t tangents,
                              slong precision);

#endif
