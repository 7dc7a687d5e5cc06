/*
 * overdetermined.h - A x = b with more equations than unknowns, by selection of
 * independent rows: as many independent equations as there are unknowns are solved, and
 * the caller checks whether the others hold.
 */
#ifndef SALTUS_OVERDETERMINED_H
#define SALTUS_OVERDETERMINED_H

#include "base/arena.h"
#include "dense_lu.h"
#include "row_selection.h"

/* The functions below set all members but A and keeps. */
struct overdetermined {
    int equations, unknowns;
    double *A;                  /* [equations * unknowns] by rows, set by the caller */
    struct row_selection choice; /* choice.row[0 .. unknowns-1]: the equations solved */
    struct dense_lu factor;     /* factors of these equations */
    double *block, *b;          /* [unknowns^2] their matrix, [unknowns] right side */
    bool regular;               /* `block` has been factorised and is regular */
    bool keeps;                 /* the choice of equations stays; set by the caller */
    struct arena arena;         /* memory of all arrays */
};

/* equations >= unknowns; the first equations are chosen. */
void overdetermined_init(struct overdetermined *system, int equations, int unknowns);
void overdetermined_clear(struct overdetermined *system);
/* Chooses equations, unless the choice is kept, and factorises their matrix; size
   [equations] as of row_selection_rows. With as many equations as unknowns all are taken.
   False: there are not enough independent equations. */
bool overdetermined_factor(struct overdetermined *system, const double *size);
/* b [equations] gives x [unknowns]; both may be the same array. */
void overdetermined_solve(const struct overdetermined *system, const double *b,
                          double *x);
/* The smallest pivot relative to the size [equations] of its equation. */
double overdetermined_least_pivot(const struct overdetermined *system,
                                  const double *size);

#endif
