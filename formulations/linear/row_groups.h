/*
 * row_groups.h - a bound of the norm of a matrix A of which hardly any entry is there.
 *
 * Rows without a column in common are orthogonal: a matrix of such rows is as long as the
 * longest of them. All rows are divided into parts P of such rows, and so is |A x|^2:
 *
 *     |A|^2 <= sum_P max_(i in P) |a_i|^2 <= sum_i |a_i|^2.
 *
 * Of a chain of bodies there are two parts, however long it is.
 */
#ifndef SALTUS_ROW_GROUPS_H
#define SALTUS_ROW_GROUPS_H

#include "base/arena.h"
#include "model.h"

struct row_groups {
    int parts;
    int *begin;                 /* [parts + 1] part p: row[begin[p]]..row[begin[p + 1]] */
    int *row;                   /* [rows] */
    struct arena arena;         /* of all arrays */
};

/* The entries are those of a matrix [rows][columns]. */
void row_groups_init(struct row_groups *apart, int rows, int columns,
                     const struct entries *at);
void row_groups_clear(struct row_groups *apart);

#endif
