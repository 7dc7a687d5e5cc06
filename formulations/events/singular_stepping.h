/*
 * singular_stepping.h - singular configurations on the way: the rank monitor
 * (rank_monitor.c) and the steps across them (singular_stepping.c).
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

/* The least pivot of Phi_q that is not zero on all of the arc; each note sets the
   members up to `violation`. */
struct rank_monitor {
    double t, value;                /* time of the last note; least pivot there, relative
                                       to the first */
    double first;                   /* first pivot there */
    double slope;                   /* rate of `value` between the last two notes */
    double t_singular;              /* time of the zero, ahead or just behind; INFINITY:
                                       not in sight */
    double t_doubt;                 /* time of a value so near to zero that constraints do
                                       not tell branches apart; NAN: none */
    double largest;                 /* largest value on this arc */
    double reach;                   /* change of Phi_q up to which nothing needs noting,
                                       as a matrix (bounded by row_groups.h), rows in
                                       units of size */
    double bend;                    /* largest change of a falling value over a
                                       distance */
    double violation;               /* violation of the constraints, as a distance */
    const struct mode *mode;        /* mode of this arc */
    int rank;                       /* rank on this arc; 0: nothing is followed */
    int grown;                      /* a larger rank seen later on it; 0: none */
    bool places_steps;              /* steps are placed by `t_singular` */
    int modes;
    struct rank_qr *qr;             /* [modes] made at first use, kept for other runs;
                                       NULL: the model has no constraints */
    struct least_singular *least;   /* [modes] for many constraints, made at first use */
    struct row_groups *apart;       /* [modes] rows of Phi_q */
    bool sparse;                    /* the value on this arc is that of `least` */
    double *Phi_q, *unit;           /* entries of Phi_q at the last note; unit of the
                                       column of each over the size of its row */
    double *column;                 /* [n + m] units of the coordinates on this arc, and
                                       of rows (projection/rows.h) */
    double *scaled;                 /* entries of Phi_q in units of the columns */
    double *size;                   /* [m] largest scaled entry of each row on this arc */
    int *all;                       /* [m] 0, 1, 2 .. */
    double *q;                      /* [n] q at the last note */
};

/* Steps beside a singular configuration. */
struct singular_crossing {
    struct rank_monitor margin;
    double begun;                   /* s; start of the arc */
    int slow_steps;                 /* number of crawling steps in a row */
    bool places;                    /* steps are placed */
    bool branches;                  /* the formulation has to stay on one branch */
};

/* --- rank_monitor.c ----------------------------------------------------------------- */

/* Allocates for all modes of the model. The arena outlives the monitor. */
void rank_monitor_init(struct rank_monitor *margin, struct arena *arena,
                       const struct model *model);
/* Renews a copy of the monitor before another run: the last run has left a vector from
   which singular values would be followed. */
void rank_monitor_renew(struct rank_monitor *margin);
void rank_monitor_clear(struct rank_monitor *margin);
/* Starts an arc at x = (q, v, s), where the step monitors are evaluated; `constraints` of
   the mode are evaluated there if the configuration is another one. */
void rank_monitor_restart(struct rank_monitor *margin, double t, const double *x,
                          const struct step_monitors *monitors,
                          struct constraints *constraints);
/* Does the last note still hold at the end of a step? */
bool rank_monitor_holds(const struct rank_monitor *margin, double t,
                        const struct step_monitors *monitors);
/* Notes the margin at the end of a step. */
void rank_monitor_note(struct rank_monitor *margin, double t, const double *q,
                       const struct step_monitors *monitors, double rtol);
/* Is the margin so small that it may be about to be zero? */
bool rank_monitor_is_near(const struct rank_monitor *margin);

/* --- singular_stepping.c ------------------------------------------------------------ */

/* Allocates once for all runs, each of which works on a copy. */
void singular_init(struct singular_crossing *singular, struct hybrid *core);
void singular_clear(struct singular_crossing *singular);
/* Starts an arc at core->x. */
void singular_restart(struct hybrid *core);
/* Notes the rank at the end of a step, where the step monitors are evaluated. RANK_LOSS
   where on that step the motion may have changed to another branch, and where the rank is
   larger than at the start of the arc. */
enum status singular_note(struct hybrid *core);
/* Have singular_note and singular_progress nothing to say of steps within the reach? */
bool singular_is_far(const struct singular_crossing *singular);
/* Turns a refusal of a step beside a singular configuration into RANK_LOSS at the time
   of that configuration, with the refusal in its text; returns other statuses as they
   are. */
enum status singular_refusal(struct hybrid *core, enum status status);
/* RANK_LOSS after a step if steps have become too short to ever reach the singular
   configuration; else OK. */
enum status singular_progress(struct hybrid *core);
/* Is the next step to be placed, with another length than h? Then *h becomes that
   length, at most `most`. */
bool singular_place(const struct hybrid *core, double most, double *h);

#endif
