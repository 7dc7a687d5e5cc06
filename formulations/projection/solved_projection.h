/*
 * solved_projection.h - a projection onto the constraints solved beforehand: one
 * straight-line program from a state and its derivatives to the steps that put them onto
 * the constraints.
 *
 * At each level, positions or velocities, a step solves a linear system with the matrix C
 * of the constraints. With dependent coordinates (partition.c) it is
 *
 *     C_dep dx_dep = -r,
 *
 * and in the metric of M (mass_orthogonal.c), for a position that has come from q0 by
 * steps whose multipliers add up to mu,
 *
 *     [ M  C' ] [ dx  ]     [ M (q - q0) + C' mu ]
 *     [ C  0  ] [ dmu ] = - [ r                  ].
 *
 * The elimination is unrolled (explicit/elimination.h). Its pivots are static: where one
 * has become small, where a step is not finite, or where steps do not become short, the
 * program gives up, and the projection solves by itself with pivots, from the state that
 * was there before. Steps are corrections of what is there, so that rounding of a
 * solution counts against the distance to the constraints only.
 */
#ifndef SALTUS_SOLVED_PROJECTION_H
#define SALTUS_SOLVED_PROJECTION_H

#include "base/arena.h"
#include "codegen/tier_up.h"
#include "monitors/constraints.h"

/* The rows that restrict positions, or velocities, and the coordinates that a step
   moves. */
struct projected_level {
    int rows;
    const int *row;             /* [rows] indices among the rows of the constraints, each
                                   with the coordinate in `moved` that is its pivot */
    int moves;                  /* number of coordinates moved */
    const int *moved;           /* [moves] these coordinates: `rows` dependent ones, or
                                   all n in the metric of M */
};

/* First outputs of a level: the steps of values and of columns, unknown by unknown, the
   residuals of values, the entries of the rows of C one after the other, pivots. */
struct projected_outputs {
    int step, residual, column, entry, pivot;
};

struct solved_projection {
    struct constraints *constraints;    /* the owner's */
    int n, levels;              /* coordinates; levels with matrices of their own */
    bool by_mass;               /* in the metric of M */
    struct projected_level level[2];    /* positions, velocities */
    int entries[2], *count[2], *column[2];  /* of the rows of C of a level: all entries;
                                   [rows] those of each row; [entries] their columns */
    struct projected_outputs at[2];
    struct program *program;
    struct tiered_program code;
    double *w;                  /* work of the program */
    const double *rho;          /* parameters in w, as they were after so many settings */
    long settings;
    int pivots;
    double *first, *least;      /* [pivots] magnitudes where the choice was made; those
                                   below which they are in doubt */
    double *x0;                 /* [n] scratch: where an iteration began */
    double *moved;              /* [n + rows] d = q - q0, and mu */
    double *size, *largest;     /* [m] scratch: sizes of rows, their largest entries */
    struct arena arena;         /* of all arrays, those of the levels, too */
};

/* Makes the program for positions and velocities. NULL: no order of pivots can be chosen
   beforehand, or the system is large (SPARSE_FROM, klu.h). */
struct solved_projection *solved_projection_new(struct constraints *constraints,
                                                bool by_mass,
                                                const struct projected_level level[2]);
void solved_projection_free(struct solved_projection *p);
/* Is this the program of these levels? */
bool solved_projection_is_of(const struct solved_projection *p,
                             const struct projected_level level[2]);
/* Begins an arc: notes the pivots at this state. False: with dependent coordinates, a
   pivot is small against its row. */
bool solved_projection_restart(struct solved_projection *p, double t, const double *q,
                               const double *v, const double *s);
/* Notes the pivots at the state last projected, unless one of them has become much
   smaller than it was at the restart. */
void solved_projection_review(struct solved_projection *p);
/* Projects q [n] and v [n]. False: q and v are as they were, and the program is not to be
   trusted here. */
bool solved_projection_state(struct solved_projection *p, double t, double *q, double *v,
                             const double *s);
/* Projects Q [n] and V [n] of one column at the state last projected. */
void solved_projection_column(struct solved_projection *p, int parameter, double *Q,
                              double *V, const double *S);

/* --- projection_formulas.c ---------------------------------------------------------- */

/* Seals the program and sets `at` and `pivots`; false as in solved_projection_new. */
bool projection_formulas(struct solved_projection *p);

#endif
