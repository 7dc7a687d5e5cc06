/*
 * restart.h - a case that begins in the midst of the motion of another one: in any of its
 * modes, at a time and from a state that are parameters of their own.
 *
 * Runs of such a model are arcs of the motion, differentiable by where they begin: the
 * segments of multiple shooting.
 */
#ifndef SALTUS_RESTART_H
#define SALTUS_RESTART_H

#include "model.h"

/* The caller sets every member but desc and first, and calls restart_settle; the model of
   .desc is made by model_new() as that of any case, and the restart outlives it. */
struct restart {
    struct case_desc desc;      /* first member: a model's desc is its restart */
    const struct case_desc *of;
    int mode;                   /* index of the mode in which it begins */
    const bool *q_open, *v_open;    /* [n] components that follow from Phi = 0 near the
                                       parameters, and from Phid = 0 */
    const bool *crossed;        /* [events] guards beyond which it may begin; NULL:
                                   none */
    int first;                  /* first of the further parameters; set by model_new() */
};

/* The further parameters, numbered from `first` on: the time of the start, the length of
   the run, then q [n], v [n], s [ns]. */
enum restart_parameter { RESTART_T0, RESTART_LENGTH, RESTART_STATE };

/* crossed [events]: the guards of one direction that are beyond zero at x [2n + ns]; a
   motion that is there must have crossed them. Guards that depend on accelerations or
   multipliers are taken to be. */
void restart_crossed(const struct model *model, const double *rho, const double *x,
                     bool *crossed);
/* Sets the description, once the restart is where it stays. */
void restart_settle(struct restart *restart);

#endif
