/*
 * consistent_level.h - consistent initial conditions, level by level: coordinates from
 * Phi = 0, then velocities from Phid = 0, then the derivatives of both (Corner, Sandu,
 * Sandu 2019, (86)-(87)); or, where the case has start rows, all of the state in one
 * level (start_rows.h).
 *
 * The start leaves as many components open as the constraints have rank. Redundant
 * constraints have more rows: as many independent rows are solved, and the others must
 * hold, too.
 */
#ifndef SALTUS_CONSISTENT_LEVEL_H
#define SALTUS_CONSISTENT_LEVEL_H

#include "base/arena.h"
#include "base/status.h"
#include "monitors/constraints.h"
#include "start_jacobian.h"
#include "start_rows.h"

/* A state at the start, or a direction: derivatives along the moving start. v follows q,
   and s follows v, in one array. */
struct start_point { double t, *q, *v, *s; };

/* consistent_level_init sets all members but unit, size and the scratch. */
struct consistent_level {
    bool velocity;                  /* Phid = 0 in v; else Phi = 0 in q */
    struct start_rows *joint;       /* Phi = Phid = Gamma = 0 in (q, v, s); else NULL */
    struct constraints *constraints;
    struct start_matrix matrix;     /* Phi_q, Phid_v, or that of `joint` */
    int value, slope;               /* first outputs of its program: of rows, and of their
                                       derivatives along a direction */
    int rows, *row;                 /* [rows] constraints, or joint rows, of this level */
    int open, *index;               /* [open] components that are not given */
    struct start_jacobian *equations; /* rows in the open components; NULL: rows < open */
    bool shared;                    /* `equations` belong to the level below */
    double *unit;                   /* [columns + rows] of components and rows
                                       (linear/units.h) */
    double *size;                   /* [rows] largest entry of a row of the matrix, in
                                       these units */
    double *first_size;             /* [rows] `size` at the guess */
    bool slow;                      /* Newton's method came to its end by steps that fell
                                       by a constant factor: the solution is a multiple
                                       root */
    double *residual, *step, *trial;    /* [rows] [open] [columns] scratch */
};

/* Components of given [n] without a formula are open, if there are constraints at all.
   The arrays are in `arena`, which the caller frees after the level. `below` is the level
   of coordinates, solved before, for the level of velocities: if the same components are
   open, both share one matrix. NULL: none. */
void consistent_level_init(struct consistent_level *level, struct arena *arena,
                           struct constraints *constraints, bool velocity,
                           const formula *given, const struct consistent_level *below);
/* The only level of a start with rows of its own: given [2n + ns] of (q, v, s); joint
   outlives the level. */
void consistent_level_join(struct consistent_level *level, struct arena *arena,
                           struct constraints *constraints, struct start_rows *joint,
                           const formula *given);
void consistent_level_clear(struct consistent_level *level);
/* Evaluates the constraints, and joint rows, at a point, or along a direction and a
   parameter. */
void consistent_level_at(struct consistent_level *level, const struct start_point *point);
void consistent_level_along(struct consistent_level *level,
                            const struct start_point *direction, int parameter);

/* Solves for the open components of the point, from the guess that the point holds, and
   checks all rows. The level has been evaluated there, and is at the solution
   afterwards. OK;
     BAD_INPUT     more or fewer components are open than the constraints have rank
     RANK_LOSS     the open components are not determined, or are a multiple root
     UNREACHABLE   from the guess none is found
     INCONSISTENT  rows contradict the given components, or each other (velocities) */
enum status consistent_level_solve(struct consistent_level *level,
                                   struct start_point *point,
                                   struct diagnosis *diagnosis);
/* Solves for the derivatives of the open components by a parameter. `direction` holds the
   given derivatives, and zero for the open ones, which are filled in. The point has been
   solved; the level was evaluated there and along the direction last, and is so
   afterwards. OK;
     INCONSISTENT  the given components contradict a row when the parameter changes
     INADMISSIBLE  rows that are redundant for these values of the parameters are not for
                   others: Phi_q Q = -Phi_rho has no solution */
enum status consistent_level_tangent(struct consistent_level *level,
                                     const struct start_point *point,
                                     struct start_point *direction, int parameter,
                                     struct diagnosis *diagnosis);

/* Solves for the open components dx [columns] of a further linear equation of the level,
   with these residuals [m of the mode, or joint rows] for open components of zero. */
void consistent_level_further(struct consistent_level *level, const double *residual,
                              double *dx);

#endif
