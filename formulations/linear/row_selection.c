/*
 * row_selection.c - independent rows by QR with column pivoting of the transpose.
 */
#include "row_selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "dense_lu.h"

void row_selection_init(struct row_selection *independent, int rows, int columns)
{
    *independent = (struct row_selection){.rows = rows, .columns = columns};
    struct arena *arena = &independent->arena;
    independent->row = arena_new(arena, rows, sizeof *independent->row);
    independent->scaled = arena_new(arena, rows * columns, sizeof *independent->scaled);
    independent->chosen = arena_new(arena, rows, sizeof *independent->chosen);
    rank_qr_init(&independent->qr, columns, rows);
}

void row_selection_clear(struct row_selection *independent)
{
    if (!independent->row)
        return;
    rank_qr_clear(&independent->qr);
    arena_free(&independent->arena);
    *independent = (struct row_selection){0};
}

/* Divides rows by their sizes; rank_qr scales the columns. A column that is rounding in
   every row becomes zero, since scaling would make it large. */
static void scale(struct row_selection *independent, const double *A, const double *size)
{
    int rows = independent->rows, columns = independent->columns;
    double *scaled = independent->scaled;
    for (int i = 0; i < rows; i++) {
        double own = size ? size[i] : largest(A + i * columns, columns);
        for (int j = 0; j < columns; j++)
            scaled[i * columns + j] = own > 0 ? A[i * columns + j] / own : 0;
    }
    for (int j = 0; j < columns; j++) {
        bool rounding = true;
        for (int i = 0; i < rows; i++)
            rounding = rounding && fabs(scaled[i * columns + j]) <= factor_rounding;
        for (int i = 0; i < rows && rounding; i++)
            scaled[i * columns + j] = 0;
    }
}

int row_selection_rows(struct row_selection *independent, const double *A,
                       const double *size)
{
    int rows = independent->rows, columns = independent->columns, next = 0;
    struct rank_qr *qr = &independent->qr;
    scale(independent, A, size);
    rank_qr_factor(qr, independent->scaled, 1, columns);
    independent->rank = qr->rank;
    independent->decided = qr->decided;
    memset(independent->chosen, 0, (size_t)rows * sizeof *independent->chosen);
    for (int k = 0; k < qr->rank; k++)
        independent->chosen[gsl_permutation_get(qr->column, (size_t)k)] = true;
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < rows; i++)
            if (independent->chosen[i] == (part == 0))
                independent->row[next++] = i;
    return independent->rank;
}

/* The unit in which b is as large as the rows of A. */
static double unit_of(const double *A, const double *b, int rows, int columns)
{
    double most = 0;
    for (int i = 0; i < rows; i++) {
        double own = largest(A + i * columns, columns);
        if (own > 0)
            most = fmax(most, fabs(b[i]) / own);
    }
    return most > 0 ? most : 1;
}

bool row_selection_solvable(const double *A, const double *b, int rows, int columns)
{
    struct row_selection without, with;
    double *augmented = memory_new(rows * (columns + 1), sizeof *augmented);
    double unit = unit_of(A, b, rows, columns);
    for (int i = 0; i < rows; i++) {
        double *row = augmented + i * (columns + 1);
        memory_copy(row, A + i * columns, columns, sizeof *row);
        row[columns] = b[i] / unit;
    }
    row_selection_init(&without, rows, columns);
    row_selection_init(&with, rows, columns + 1);
    bool solvable = row_selection_rows(&with, augmented, NULL) ==
                    row_selection_rows(&without, A, NULL);
    row_selection_clear(&without);
    row_selection_clear(&with);
    free(augmented);
    return solvable;
}
