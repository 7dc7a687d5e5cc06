/*
 * elimination_parts.h - the common parts of symbolic elimination.
 *
 *   elimination_order.c   order of pivots, from the pattern of the entries
 *   elimination_schur.c   Schur complement of all coordinates, where M is constant
 *   elimination.c         pivot by pivot, and the choice between the two
 */
#ifndef SALTUS_ELIMINATION_PARTS_H
#define SALTUS_ELIMINATION_PARTS_H

#include "base/arena.h"
#include "explicit/elimination.h"

/* The number of uses of one matrix: for values, and for derivatives side by side. */
enum { SOLVES = 2 };

/*
 * A pivot P is one unknown, or two multipliers at once: successive divisions take the
 * longest in a small system, and two multipliers need one together. With
 * P^-1 = adj(P) / det, where everything but 1/det is known before the division,
 *
 *     A_ij becomes A_ij - (A_iP adj(P) A_Pj) / det.
 *
 * The solutions come later than all pivots, and find P^-1 and its products.
 */
struct pivot {
    int size, unknown[2];
    int count, *other;      /* [count] unknowns left that are coupled with the pivot */
    formula adj[4];         /* [size*size] adj(P), then P^-1 */
    formula inverse;        /* 1/det */
    formula *lower;         /* [count][size] A_iP adj(P), then A_iP P^-1 */
    formula *upper;         /* [count][size] P^-1 A_Pi */
};

/* The Schur complement of all coordinates, where their own matrix M is constant: with its
   inverse W, which is evaluated once, S = D - C W G is left for the multipliers. */
struct schur {
    int coordinates, multipliers;
    int *coordinate, *multiplier;   /* unknowns of each kind */
    struct formula_matrix W, C, G;  /* [n][n], [m][n], [n][m] for n coordinates and m
                                       multipliers */
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

/* All matrices are mirrored: coupled unknowns have places in both triangles. */

/* The limit of products of an elimination at every evaluation: none below SPARSE_FROM
   (klu.h), beyond in proportion to the unknowns. */
double elimination_most(int rows);

/* Finds the cheaper of two orders, order [rows]; returns its cost in products that are
   made at every evaluation, or INFINITY when a pivot is zero by structure or the cost is
   too high. */
double elimination_order(const struct formula_matrix *A, const bool *multiplier,
                         int *order);

/* Is A equal to its transpose, formula by formula? */
bool elimination_symmetric(const struct formula_matrix *A);

/* Sets e->schur and its pivots if the Schur complement takes less time than an order of
   that cost; returns whether it did. */
bool schur_eliminate(struct elimination *e, const struct formula_matrix *A,
                     const bool *multiplier, double cost);
void schur_solve(const struct schur *schur, formula *b);
void schur_free(struct schur *schur);

#endif
