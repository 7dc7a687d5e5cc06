/*
 * overdetermined.h - A x = b with more equations than unknowns that agree: as many
 * independent ones as there are unknowns are solved; whether the others hold is for the
 * caller to see.
 */
#ifndef SALTUS_OVERDETERMINED_H
#define SALTUS_OVERDETERMINED_H

#include "base/arena.h"
#include "dense_lu.h"
#include "row_selection.h"

struct overdetermined {
    int equations, unknowns;
    double *A;                  /* [equations * unknowns] by rows, the caller's to fill */
    struct row_selection choice; /* choice.row[0 .. unknowns-1]: the equations solved */
    struct dense_lu factor;     /* of these */
    double *block, *b;          /* their matrix, their right side */
    bool regular;               /* `block` has been factorised, and could be */
    bool keeps;                 /* the choice stays as it is; the caller's to set */
    struct arena arena;         /* of all arrays */
};

/* equations >= unknowns */
void overdetermined_init(struct overdetermined *system, int equations, int unknowns);
void overdetermined_clear(struct overdetermined *system);
/* Chooses, unless the choice is kept, and factors; size as in row_selection_rows. false:
   not enough independent equations. Where there are as many as unknowns, all are
   taken. */
bool overdetermined_factor(struct overdetermined *system, const double *size);
/* b [equations] -> x [unknowns]; they may be the same array. */
void overdetermined_solve(const struct overdetermined *system, const double *b,
                          double *x);
/* The smallest pivot against the size [equations] of its equation. */
double overdetermined_least_pivot(const struct overdetermined *system,
                                  const double *size);

#endif
