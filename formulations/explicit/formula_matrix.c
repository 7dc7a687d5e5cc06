/*
 * formula_matrix.c - sparse matrices of formulas, by compressed rows that grow.
 */
#include "explicit/formula_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void formula_matrix_init(struct formula_matrix *A, int rows, int columns)
{
    *A = (struct formula_matrix){.rows = rows, .columns = columns};
    A->row = memory_new(rows, sizeof *A->row);
}

void formula_matrix_clear(struct formula_matrix *A)
{
    for (int i = 0; i < A->rows; i++) {
        free(A->row[i].column);
        free(A->row[i].value);
    }
    free(A->row);
    *A = (struct formula_matrix){0};
}

/* The first entry of a row in this column or after it. */
static int find(const struct formula_row *row, int column)
{
    int low = 0, high = row->count;
    while (low < high) {
        int middle = (low + high)/2;
        if (row->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_there(const struct formula_row *row, int k, int column)
{
    return k < row->count && row->column[k] == column;
}

formula formula_matrix_at(const struct formula_matrix *A, int i, int j)
{
    const struct formula_row *row = &A->row[i];
    int k = find(row, j);
    return is_there(row, k, j) ? row->value[k] : (formula){NULL, 0};
}

void formula_matrix_set(struct formula_matrix *A, int i, int j, formula value)
{
    struct formula_row *row = &A->row[i];
    int k = find(row, j);
    if (!is_there(row, k, j)) {
        size_t after = (size_t)(row->count - k);
        row->count++;
        row->column = memory_grow(row->column, &row->column_room, row->count,
                                  sizeof *row->column);
        row->value = memory_grow(row->value, &row->room, row->count, sizeof *row->value);
        memmove(row->column + k + 1, row->column + k, after*sizeof *row->column);
        memmove(row->value + k + 1, row->value + k, after*sizeof *row->value);
        row->column[k] = j;
    }
    row->value[k] = value;
}

void formula_matrix_mirrored(const struct formula_matrix *A, struct formula_matrix *copy)
{
    formula_matrix_init(copy, A->rows, A->columns);
    for (int i = 0; i < A->rows; i++)
        for (int k = 0; k < A->row[i].count; k++) {
            int j = A->row[i].column[k];
            formula_matrix_set(copy, i, j, A->row[i].value[k]);
            formula_matrix_set(copy, j, i, formula_matrix_at(A, j, i));
        }
}

void formula_matrix_part(const struct formula_matrix *A, const int *row, int rows,
                         const int *column, int columns, struct formula_matrix *part)
{
    int *to = memory_new(A->columns, sizeof *to);   /* 1 + column of the part; 0: none */
    for (int j = 0; j < columns; j++)
        to[column[j]] = 1 + j;
    formula_matrix_init(part, rows, columns);
    for (int i = 0; i < rows; i++) {
        const struct formula_row *from = &A->row[row[i]];
        for (int k = 0; k < from->count; k++)
            if (to[from->column[k]] > 0)
                formula_matrix_set(part, i, to[from->column[k]] - 1, from->value[k]);
    }
    free(to);
}

formula formula_matrix_dot(const struct formula_matrix *A, int i, const formula *x)
{
    const struct formula_row *row = &A->row[i];
    formula total = {NULL, 0};
    for (int k = 0; k < row->count; k++)
        total = add(total, mul(row->value[k], x[row->column[k]]));
    return total;
}
