/*
 * singular_stepping.h - singular configurations on the way: how near they are
 * (rank_monitor.c), and what is done about them (singular_stepping.c).
 */
#ifndef SALTUS_SINGULAR_STEPPING_H
#define SALTUS_SINGULAR_STEPPING_H

#include "integrators/integrator.h"
#include "linear/least_singular.h"
#include "linear/rank.h"
#include "linear/row_groups.h"
#include "monitors/constraints.h"
#include "monitors/step_monitors.h"

struct hybrid;

/* The least pivot of Phi_q that is not zero on all of the arc. */
struct rank_monitor {
    double t, value;                /* when it was last looked at; over the first pivot */
    double first;                   /* which that was there */
    double slope;                   /* its rate since it was looked at before */
    double t_singular;              /* when it is zero, ahead or just behind; INFINITY:
                                       not in sight */
    double t_doubt;                 /* where it came so near to zero that constraints do
                                       not tell branches apart; NAN: nowhere */
    double largest;                 /* on this arc */
    double reach; /* rank_monitor_note has nothing to note up to this change
                                       of Phi_q, as a matrix (no more than row_groups.h
                                       has), rows in units of size */
    double bend;                    /* its largest change over a distance, falling */
    double violation;               /* of the constraints, as a distance */
    const struct mode *mode;        /* of this arc */
    int rank;                       /* in it; 0: there is nothing to follow */
    bool places_steps;              /* steps are placed by it: the last slope counts */
    int modes;
    struct rank_qr *qr;             /* [modes] made at first use, kept for other runs; or
                                       NULL: there are no constraints */
    struct least_singular *least;   /* [modes] of many constraints, made at first use */
    struct row_groups *apart;       /* [modes] rows of Phi_q */
    bool sparse;                    /* the value on this arc is that of `least` */
    double *Phi_q, *unit;           /* its entries there; unit of the column of each over
                                       the size of its row */
    double *column;                 /* [n + m] units of the coordinates on this arc, and
                                       of rows (projection/rows.h) */
    double *scaled;                 /* its entries there, in these */
    double *size;                   /* [m] largest of those of its rows on this arc */
    int *all;                       /* [m] 0, 1, 2 .. */
    double *q;                      /* [n] there */
};

/* Steps beside a singular configuration. */
struct singular_crossing {
    struct rank_monitor margin;
    double begun;                   /* when the arc has */
    int slow_steps;                 /* one after the other */
    const struct integrator *integrator;
    double middle;                  /* of its widest gap, as a part of a step; 0: steps
                                       are not placed */
    bool branches;                  /* the formulation is to stay on one of them */
};

/* --- rank_monitor.c ----------------------------------------------------------------- */

/* The arena outlives the monitor. */
void rank_monitor_init(struct rank_monitor *margin, const struct model *model,
                       struct arena *arena);
/* Before another run, of a copy that rank_monitor_init has made: the singular values are
   followed from a vector that the last run has left. */
void rank_monitor_renew(struct rank_monitor *margin);
void rank_monitor_clear(struct rank_monitor *margin);
/* A new arc begins at x = (q, v, s), where it has been looked at; `constraints` of its
   mode are evaluated there if it is another configuration. */
void rank_monitor_restart(struct rank_monitor *margin, double t, const double *x,
                          const struct step_monitors *monitors,
                          struct constraints *constraints);
/* A step has ended there: does what was noted last still hold? Else it is noted. */
bool rank_monitor_holds(const struct rank_monitor *margin, double t,
                        const struct step_monitors *monitors);
void rank_monitor_note(struct rank_monitor *margin, double t, const double *q,
                       const struct step_monitors *monitors, double rtol);
/* Is it so small that it may be about to be zero? */
bool rank_monitor_is_near(const struct rank_monitor *margin);

/* --- singular_stepping.c ------------------------------------------------------------ */

/* Once for all runs, each of which works on a copy; before each rank_monitor_renew. */
void singular_init(struct singular_crossing *singular, struct hybrid *core);
void singular_clear(struct singular_crossing *singular);
/* A new arc begins at core->x; a step has ended there, which has been looked at.
   RANK_LOSS where on that step the motion may have changed to another branch. */
void singular_restart(struct hybrid *core);
enum status singular_note(struct hybrid *core);
/* Have singular_note and singular_progress nothing to say of steps within its reach? */
bool singular_is_far(const struct singular_crossing *singular);
/* A refusal of a step beside a singular configuration becomes RANK_LOSS at the time of
   that, which says how it was met; others stay as they are. */
enum status singular_refusal(struct hybrid *core, enum status status);
/* After a step: the same where steps have become too short to ever get there, else OK. */
enum status singular_progress(struct hybrid *core);
/* Where steps are placed: is the one from t to be another than h? Then *h becomes that
   one, at most `most`. */
bool singular_place(const struct singular_crossing *singular, double t, double most,
                    double *h);

#endif
