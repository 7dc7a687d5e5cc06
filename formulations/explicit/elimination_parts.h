/*
 * elimination_parts.h - what the files of elimination share.
 *
 *   elimination_order.c   in which order, from where the entries are
 *   elimination_schur.c   all coordinates at once, where M is constant
 *   elimination.c         pivot by pivot, and which of the two
 */
#ifndef SALTUS_ELIMINATION_PARTS_H
#define SALTUS_ELIMINATION_PARTS_H

#include "base/arena.h"
#include "explicit/elimination.h"

/* How often one matrix is used: for values, and for derivatives side by side. */
enum { SOLVES = 2 };

/*
 * A pivot P is one unknown, or two multipliers at once: one division after the other is
 * what takes the longest in a small system, and two need one together. With
 * P^-1 = adj(P) / det, where everything but 1/det is known before it,
 *
 *     A_ij becomes A_ij - (A_iP adj(P) A_Pj) / det.
 *
 * What is solved for comes later than all of them, and finds P^-1 and its products.
 */
struct pivot {
    int size, unknown[2];
    int count, *other;      /* [count] what comes after it, and is coupled with it */
    formula adj[4];         /* [size*size] adj(P), then P^-1 */
    formula inverse;        /* 1/det */
    formula *lower;         /* [count][size] A_iP adj(P), then A_iP P^-1 */
    formula *upper;         /* [count][size] P^-1 A_Pi */
};

/* The coordinates at once, where what they have among themselves, M, is constant: with
   its inverse W, which is evaluated once, S = D - C W G is left for the multipliers. */
struct schur {
    int coordinates, multipliers;
    int *coordinate, *multiplier;   /* which unknowns they are */
    struct formula_matrix W, C, G;  /* coordinates^2, multipliers * coordinates, across */
    struct elimination *inner;      /* of S */
    formula *b;             /* [multipliers] scratch */
    formula *a, *z;         /* [coordinates] scratch */
    struct arena arena;     /* of all arrays */
};

struct elimination {
    struct tape *tape;
    int rows, pivots;
    bool symmetric;
    struct pivot *pivot;    /* [pivots] in order */
    formula *diagonal;      /* [rows] D, unknown by unknown */
    struct schur *schur;    /* or NULL */
    struct arena arena;     /* of all arrays, those of the pivots, too */
};

/* All matrices are mirrored: what is coupled has a place in both triangles. */

/* The products that an elimination may take at every evaluation: no limit below
   SPARSE_FROM (klu.h), beyond it what is in proportion to the unknowns. */
double elimination_most(int rows);

/* The cheaper of two orders, into `order` [rows]; its cost in products that are made at
   every evaluation, or INFINITY when a pivot is zero by structure. */
double elimination_order(const struct formula_matrix *A, const bool *multiplier,
                         int *order);

bool elimination_symmetric(const struct formula_matrix *A);

/* If all coordinates at once take less time than an order of that cost: e->schur and its
   pivots. */
bool schur_eliminate(struct elimination *e, const struct formula_matrix *A,
                     const bool *multiplier, double cost);
void schur_solve(const struct schur *schur, formula *b);
void schur_free(struct schur *schur);

#endif
