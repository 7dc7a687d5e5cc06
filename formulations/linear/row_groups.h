/*
 * row_groups.h - a bound of the norm of a sparse matrix A, by groups of orthogonal rows.
 *
 * Rows without a column in common are orthogonal: the norm of a matrix of such rows is
 * the length of the longest. All rows are divided into parts P of such rows, and |A x|^2
 * is the sum over the parts:
 *
 *     |A|^2 <= sum_P max_(i in P) |a_i|^2 <= sum_i |a_i|^2.
 *
 * A chain of bodies has two parts, however long the chain is.
 */
#ifndef SALTUS_ROW_GROUPS_H
#define SALTUS_ROW_GROUPS_H

#include "base/arena.h"
#include "model.h"

/* row_groups_init sets every member. */
struct row_groups {
    int parts;                  /* number of parts */
    int *begin;                 /* [parts + 1] part p: row[begin[p]]..row[begin[p + 1]] */
    int *row;                   /* [rows] rows, part after part */
    struct arena arena;         /* memory of all arrays */
};

/* Divides the rows of a matrix [rows][columns] with these entries. */
void row_groups_init(struct row_groups *apart, int rows, int columns,
                     const struct entries *at);
void row_groups_clear(struct row_groups *apart);

#endif
