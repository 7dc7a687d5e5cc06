/*
 * control.h - step-size control of one-step methods: PI control (Gustafsson 1991) of
 * errors in groups.
 *
 * Components are judged in groups that share a unit (all q, all v, all of dq/drho_j,
 * ...): the error of a group is max |err_i| over rtol * amplitude + atol, where the
 * amplitude is the largest magnitude the group has had so far. The error of a
 * step is the worst group's. Sensitivities are groups like any other: leaving them out
 * of the error control is a known fault. A group that is zero, or zero but for rounding,
 * has no amplitude of its own that means anything: control_floor gives it another's.
 */
#ifndef SALTUS_CONTROL_H
#define SALTUS_CONTROL_H

#include "base/arena.h"
#include "integrators/integrator.h"

struct control {
    double rtol, atol;
    double h_max;               /* 0: none */
    int order;                  /* that a method has been told to have; 0: its own */
    int groups;
    int *begin;                 /* [groups + 1] components of group g:
                                   begin[g]..begin[g+1]; some empty groups follow */
    double *amplitude;          /* [groups] */
    double *size;               /* [groups] the same with the end of the step in hand, */
    double *level;              /* [groups] or as much as its floor asks for */
    double *error[2];           /* [groups] scratch: the largest parts of vectors */
    struct floor {
        int of;
        double share;           /* 0: none */
    } *floor;                   /* [groups] */
    double last_error;          /* PI memory; 0 after a restart */
    double last_log;            /* its logarithm */
    bool rejected;              /* the last try was refused: no growth */
    long steps, rejections;
    struct arena arena;         /* of all arrays */
};

/* begin [groups + 1]. BAD_INPUT: tolerances that are negative, not finite or both zero;
   PRECISION: no absolute one, and a relative one below what rounding leaves of a step. */
enum status control_init(struct control *control, double rtol, double atol, int groups,
                         const int *begin);
void control_clear(struct control *control);
/*
 * From now on the amplitude of `group` counts as no less than `share` (in units of the
 * group over those of `of`) times that of group `of` < `group`, whose own floor counts,
 * too.
 */
void control_floor(struct control *control, int group, int of, double share);
/* After a start or an event: the PI memory is void; amplitudes stay. */
void control_restart(struct control *control, const double *x);
/* Error of a step to x_new (<= 1: accepted) from where the last one ended, or from x of
   control_restart; changes only what is in hand. NAN counts as infinite. */
double control_error(const struct control *control, const struct integrator *integrator,
                     const double *x_new, double *const *err);
/* Error of one group from the norms [2] of its error vectors. */
double control_combined(const struct integrator *integrator, const double *norm);
/* Next step size from the error of this one; updates the memory, counters and, when
   accepted, the amplitudes by x_new; NULL: it is as control_error has just seen it. PI
   control: Gustafsson 1991; Hairer, Norsett, Wanner 1993 II.4. */
double control_next(struct control *control, const struct integrator *integrator,
                    double h, double error, const double *x_new);
/* The step after the first of an arc, h, which has been accepted: from its error as
   integrator->errors_of_first has it. */
double control_second(struct control *control, const struct integrator *integrator,
                      double h, double error);
/* A first step size for a direction of integration t -> t_end (HNW II.4, "hinit"). Uses
   one evaluation and work arrays x1, dx1 of dimension dim. */
double control_first(const struct control *control, const struct integrator *integrator,
                     const struct ode *ode, double t, double t_end, const double *x,
                     const double *dx, double *x1, double *dx1);

#endif
