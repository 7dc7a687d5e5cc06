/*
 * stacked_lu.h - LU factors of a few sparse matrices with the same places and the same
 * pivots, solved beside each other: each step of a solution is one for all of them, in
 * the packs of simd.h. The stages of an implicit method have such matrices
 * (integrators/radau_blocks.c), of a dozen unknowns, where a solution by KLU is half
 * calls and indices.
 */
#ifndef SALTUS_STACKED_LU_H
#define SALTUS_STACKED_LU_H

#include "klu.h"

/* stacked_lu_init sets `lanes`, stacked_lu_factor the rest. A step of a solution is
   x_row = (x_row - sum of its values times x_term)/pivot. */
struct stacked_lu {
    struct sparse K;            /* the places; values of the matrix in hand */
    int count, lanes;           /* matrices; room for so many, in whole packs */
    int chosen;                 /* the choice of pivots that the steps belong to; 0: none
                                   yet */
    int steps;                  /* of a solution, at most 2n */
    int *row, *begin;           /* [2n] unknown of a step; [2n + 1] its terms */
    int *term;                  /* [begin[steps]] their unknowns */
    int *value_from;            /* [begin[steps]] indices of their values in
                                   `extracted` */
    int *pivot_from;            /* [2n] index of a step's pivot there; -1: it is one */
    double *value;              /* [begin[steps]][lanes] */
    double *pivot;              /* [2n][lanes] */
    int *from, *to;             /* [n] component of b, and of x, of an unknown */
    double *of_row, *of_column; /* [n][lanes] their scales, powers of two */
    double *x;                  /* [n][lanes] unknowns */
    double *extracted;          /* values of L, U, and of what is beside the diagonal
                                   blocks, as KLU has them */
    int *places;                /* scratch for their indices */
    struct arena arena;         /* memory of all arrays */
};

/* No matrix yet; `most` can be stacked. Entries are placed in `K` before the first
   factorisation (sparse_place). */
void stacked_lu_init(struct stacked_lu *lu, int n, int most);
void stacked_lu_clear(struct stacked_lu *lu);
/* Factorises `count` matrices, whose entries are value [count][entries of K]. False: one
   is singular (sparse_factor), or there are no pivots that serve all. The call allocates
   where pivots are chosen anew. */
bool stacked_lu_factor(struct stacked_lu *lu, int count, const double *value);
/* x [count][n] becomes A^-1 x for each of the matrices. */
void stacked_lu_solve(const struct stacked_lu *lu, double *x);
/* The largest component of x [count][n], in the units of the columns, which are scaled to
   one. */
double stacked_lu_largest(const struct stacked_lu *lu, const double *x);

#endif
