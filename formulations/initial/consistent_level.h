/*
 * consistent_level.h - what a start leaves open, level by level: coordinates from Phi =
 * 0, then velocities from Phid = 0, then the derivatives of both.
 *
 * As many are left open as the constraints have rank. Rows may be more, if they are
 * redundant: as many independent ones are solved, and the others must hold, too.
 */
#ifndef SALTUS_CONSISTENT_LEVEL_H
#define SALTUS_CONSISTENT_LEVEL_H

#include "base/arena.h"
#include "base/status.h"
#include "monitors/constraints.h"
#include "start_jacobian.h"

/* A state at the start; direction: derivatives along the moving start. */
struct start_point { double t, *q, *v, *s; };

struct consistent_level {
    bool velocity;                  /* Phid = 0 in v; else Phi = 0 in q */
    struct constraints *constraints;
    const struct constraint_matrix *matrix;     /* Phid_v; else Phi_q */
    int rows, *row;                 /* which constraints there are at this level */
    int open, *index;               /* which components are not given */
    struct start_jacobian *equations; /* of the open components; NULL: rows < open */
    bool shared;                    /* with the level below */
    double *unit;                   /* [n + rows] of components and rows
                                       (linear/units.h) */
    double *size;                   /* [rows] largest entry of a row of the matrix, in
                                       these */
    double *residual, *step, *trial;    /* [rows] [open] [n] */
};

/* given [n]: components without a formula are open, if there are constraints at all.
   The arrays are those of `arena`, which the caller frees after the level.
   `below`: the level of coordinates, for that of velocities, whose equations have the
   same matrix if the same components are open; it is solved before. NULL: none. */
void consistent_level_init(struct consistent_level *level, struct arena *arena,
                           struct constraints *constraints, bool velocity,
                           const formula *given, const struct consistent_level *below);
void consistent_level_clear(struct consistent_level *level);

/* Open components of the point from what it holds (a guess), where the constraints have
   been evaluated, and stay so; checks all rows.
     BAD_INPUT     more or fewer are open than the constraints have rank
     RANK_LOSS     the open components are not determined
     UNREACHABLE   no configuration near the guess
     INCONSISTENT  rows contradict what is given, or each other (velocities) */
enum status consistent_level_solve(struct consistent_level *level,
                                   struct start_point *point,
                                   struct diagnosis *diagnosis);
/* Their derivatives by a parameter, into `direction`, which holds the given ones and zero
   for the open ones; at a point that has been solved, where the constraints were
   evaluated last, and along the direction, too; they stay so.
     INCONSISTENT  what is given contradicts a row when the parameter changes
     INADMISSIBLE  rows that are redundant for these values of the parameters are not for
                   others: Phi_q Q = -Phi_rho has no solution at all */
enum status consistent_level_tangent(struct consistent_level *level,
                                     const struct start_point *point,
                                     struct start_point *direction, int parameter,
                                     struct diagnosis *diagnosis);

#endif
