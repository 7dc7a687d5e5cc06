/*
 * enclosure.h - balls that contain the exact motion of a hybrid mechanism, the
 * derivatives by its parameters, its events and their jumps.
 *
 * An approximate motion is handed over step by step, with its events; what is proved are
 * the distances of the exact motion from it. Nothing of it is taken on trust: steps may
 * come from anywhere. Of the case only values are used: M, F, Phi, f_s, g, guards,
 * conditions, resets, costs, start and end. F and M of a case that is stated by energies
 * are those that cases/elements/lagrange.c makes of them.
 *
 *     start    the interval Newton operator on Phi = 0, Phid = 0, Gamma = 0
 *     a step   defect of the approximate motion (defect.h), tube about it (tube.h)
 *     guards   no other event of the mode happens (guard_exclusion.c)
 *     event    interval Newton on the guard along the motion; reset and saltation in
 *              balls (passage.c)
 */
#ifndef SALTUS_ENCLOSURE_H
#define SALTUS_ENCLOSURE_H

#include "columns.h"
#include "track.h"

/* All columns at one time, enclosed. Columns that the mode has not are zero. */
struct enclosed_point {
    const struct mode *mode;
    arb_t t;
    arb_ptr x;                  /* [columns.count] */
};
struct enclosed_event {
    const struct event *event;
    arb_ptr tau;                /* [p] */
    struct enclosed_point before, after;
};
struct enclosed_motion {
    struct columns columns;
    int *parameter;             /* [columns.p] */
    int samples, sample_room;   /* number; room for as many */
    int events, event_room;
    struct enclosed_point *sample;
    struct enclosed_event *event;
    arb_ptr rho;                /* [model->p] parameters */
    arb_ptr psi;                /* [nz (1 + p)] costs, then their derivatives */
    long steps;
    int assumed;                /* constraints that depend on others, as far as balls
                                   tell: that they do is a premise (dependent.c) */
};
/* A motion with room for samples and events, all zero. */
struct enclosed_motion *enclosed_motion_new(const struct model *model, int parameters,
                                            const int *parameter, int samples,
                                            int events);
void enclosed_motion_free(struct enclosed_motion *motion);

/* A motion to enclose. Numbers are decimal text, as in struct reference_request. */
struct enclosure_request {
    const struct model *model;
    int parameters;
    const int *parameter;       /* [parameters] */
    const char *const *value;   /* [model->p] or NULL; NULL entries are nominal */
    int samples;
    const char *const *sample;  /* [samples] */
    const char *t_end;          /* NULL: the end that the model states */
    int digits;                 /* of the approximate motion */
};

struct enclosure;

/* BAD_INPUT: a text is no number; NOT_APPLICABLE: balls cannot decide the case. */
enum status enclosure_new(const struct enclosure_request *request,
                          struct enclosure **out, struct diagnosis *diagnosis);
void enclosure_free(struct enclosure *enclosure);

/*
 * Begins in the midst of a motion instead of at its start: at a point of it, whose
 * columns are `columns` (those of the parameters of the request are among them), and
 * after an event there (NULL: none). Samples up to the point are left out.
 */
void enclosure_begin_at(struct enclosure *enclosure, const struct columns *columns,
                        const struct enclosed_point *point, const struct event *after);
/* Is there no configuration where the start looks for one: has Phi no zero with every
   coordinate that is not given within reach max(1, |guess|) of its guess? If all of q and
   v are given, Phi and Phid may not be zero there. *boxes: so many were looked at. False:
   not shown (start_exclusion.c). */
enum { START_REACH = 4 };       /* the reach that refusals are shown for */
bool enclosure_start_excluded(const struct enclosure_request *request, double reach,
                              long *boxes);

/* What has been enclosed so far. */
const struct enclosed_motion *enclosure_so_far(const struct enclosure *enclosure);

/* The next step of the approximate motion, which ends where the next one begins. The
   candidate becomes the enclosure's. The first one contains the time of the start. */
enum status enclosure_step(struct enclosure *enclosure, struct candidate *candidate,
                           struct diagnosis *diagnosis);
/* An event happens at the end of the last step. `near` [n + m]: about a, lambda after it,
   which tell the branch if forces depend on these; NULL: zero. */
enum status enclosure_event(struct enclosure *enclosure, const struct event *event,
                            arb_srcptr near, struct diagnosis *diagnosis);
/* The approximate motion is complete. *out is the caller's.
   All of them: PRECISION: the error has outgrown what can be enclosed, or a sign is not
   decided: more digits may tell; SINGULAR: the equations of motion are not shown to be
   regular; NOT_APPLICABLE. The diagnosis has time and reason. */
enum status enclosure_finish(struct enclosure *enclosure, struct enclosed_motion **out,
                             struct diagnosis *diagnosis);

/* A number in double, for messages. */
double enclosure_time(const arb_t t);
/* Lower bound of log2 |x| on the ball, to 1e-6; -INFINITY: it contains zero. */
double enclosure_log2(const arb_t x);

#endif
