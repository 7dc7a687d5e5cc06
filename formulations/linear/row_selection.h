/*
 * row_selection.h - independent rows of a matrix, by QR with column pivoting of the
 * transpose (linear/rank.h, which defines zero pivots). Each next row is the one farthest
 * from the span of those chosen before. Rows and columns are scaled to one first, so that
 * units do not matter.
 */
#ifndef SALTUS_ROW_SELECTION_H
#define SALTUS_ROW_SELECTION_H

#include "base/arena.h"
#include "linear/rank.h"

/* row_selection_rows sets rank, decided and row. */
struct row_selection {
    int rows, columns;
    int rank;           /* number of rows chosen by the last call */
    bool decided;       /* no pivot is between rank_zero and rank_full */
    int *row;           /* [rows] the chosen rows [rank], then the others; both ascend */
    struct rank_qr qr;  /* QR of the transpose */
    double *scaled;     /* [rows * columns] scratch */
    bool *chosen;       /* [rows] scratch */
    struct arena arena; /* memory of all arrays */
};

/* Room for selections among the rows of matrices [rows * columns]. */
void row_selection_init(struct row_selection *independent, int rows, int columns);
void row_selection_clear(struct row_selection *independent);
/* Chooses among the rows of A [rows * columns]; returns the rank. size [rows]: divisors
   of the rows; NULL: their largest entries. */
int row_selection_rows(struct row_selection *independent, const double *A,
                       const double *size);

/* True if A x = b [rows] has a solution: b leaves the rank of A as it is. */
bool row_selection_solvable(const double *A, const double *b, int rows, int columns);

#endif
