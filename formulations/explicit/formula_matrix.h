/*
 * formula_matrix.h - sparse matrices of formulas: rows of entries in the order of their
 * columns.
 */
#ifndef SALTUS_FORMULA_MATRIX_H
#define SALTUS_FORMULA_MATRIX_H

#include "formula/formula.h"

struct formula_row {
    int count, room, column_room;
    int *column;            /* [count] ascending */
    formula *value;         /* [count] formulas, which may be zero */
};

struct formula_matrix {
    int rows, columns;
    struct formula_row *row;    /* [rows] */
};

void formula_matrix_init(struct formula_matrix *A, int rows, int columns);
void formula_matrix_clear(struct formula_matrix *A);
/* Returns A_ij, zero where no entry is. */
formula formula_matrix_at(const struct formula_matrix *A, int i, int j);
/* Places an entry, or replaces it. */
void formula_matrix_set(struct formula_matrix *A, int i, int j, formula value);
/* Copies a square A, with a place (j, i) for every place (i, j). */
void formula_matrix_mirrored(const struct formula_matrix *A, struct formula_matrix *copy);
/* Copies the entries between the rows and the columns of two lists, in their order. */
void formula_matrix_part(const struct formula_matrix *A, const int *row, int rows,
                         const int *column, int columns, struct formula_matrix *part);
/* Returns row i of A times x [columns]. */
formula formula_matrix_dot(const struct formula_matrix *A, int i, const formula *x);

#endif
