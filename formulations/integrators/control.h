/*
 * control.h - step-size control of one-step methods: PI control (Gustafsson 1991; Hairer,
 * Norsett, Wanner 1993, HNW, II.4) of errors in groups.
 *
 * A group holds components of one unit (all q, all v, all of dq/drho_j, ...). The error
 * of a group is max |err_i| over rtol * amplitude + atol, where the amplitude is the
 * largest magnitude the group has had so far. The error of a step is the error of the
 * worst group. Sensitivities are groups like any other: leaving them out of the error
 * control is a known fault. A group that is zero, or zero but for rounding, has no
 * amplitude of its own that means anything: control_floor gives the group another's.
 */
#ifndef SALTUS_CONTROL_H
#define SALTUS_CONTROL_H

#include "base/arena.h"
#include "integrators/integrator.h"

/* control_init sets rtol to begin; steps set the rest. */
struct control {
    double rtol, atol;
    double h_max;               /* largest |step|, set by the caller; 0: no limit */
    int order;                  /* power of h in errors, of `aim` or `error_order` of the
                                   method, set by the caller; 0: the order in its
                                   table */
    int groups;                 /* number of groups */
    int *begin;                 /* [groups + 1] components of group g:
                                   begin[g]..begin[g+1]; some empty groups follow */
    double *amplitude;          /* [groups] largest magnitude at ends of accepted steps */
    double *size;               /* [groups] the amplitude if the step in hand is
                                   accepted */
    double *level;              /* [groups] scale of rtol: size, or the floor if larger */
    double *error[2];           /* [groups] scratch: the largest parts of vectors */
    struct floor {
        int of;                 /* group whose level is the floor */
        double share;           /* factor of that level; 0: no floor */
    } *floor;                   /* [groups] set by control_floor */
    double last_error;          /* error of the step before; 0 after a restart */
    double last_log;            /* logarithm of last_error */
    bool rejected;              /* the last try was refused: the step may not grow */
    long steps, rejections;     /* numbers of accepted and refused steps */
    struct arena arena;         /* memory of all arrays */
};

/* Copies begin [groups + 1]. OK; BAD_INPUT: tolerances are negative, not finite or both
   zero; PRECISION: atol is zero and rtol is below the rounding of a step. */
enum status control_init(struct control *control, double rtol, double atol, int groups,
                         const int *begin);
void control_clear(struct control *control);
/*
 * From now on the level of `group` is at least `share` (in units of the group over those
 * of `of`) times the level of group `of` < `group`, which includes the floor of `of`.
 */
void control_floor(struct control *control, int group, int of, double share);
/* Voids the PI memory after a start or an event at x; amplitudes stay. */
void control_restart(struct control *control, const double *x);
/* Error of a step to x_new [dim] with err [errors][dim]; at most 1: accepted. Sets size,
   level and the scratch arrays only. INFINITY where a number is not finite. */
double control_error(const struct control *control, const struct integrator *integrator,
                     const double *x_new, double *const *err);
/* Error of one group from the norms [2] of its error vectors. */
double control_combined(const struct integrator *integrator, const double *norm);
/* Next step size after a step h with this error. Updates the memory, the counters and,
   if the step is accepted, the amplitudes by x_new [dim]; NULL: the x_new that
   control_error has just seen. */
double control_next(struct control *control, const struct integrator *integrator,
                    double h, double error, const double *x_new);
/* A first step size for integration from t to t_end (HNW II.4, "hinit"); 0: there is no
   way to go. Takes one evaluation, and work arrays x1, dx1 [dim]. */
double control_first(const struct control *control, const struct integrator *integrator,
                     const struct ode *ode, double t, double t_end, const double *x,
                     const double *dx, double *x1, double *dx1);

#endif
