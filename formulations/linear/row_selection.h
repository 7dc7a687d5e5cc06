/*
 * row_selection.h - which rows of a matrix are independent, by QR with column pivoting of
 * the transpose (linear/rank.h, which says what counts as zero): each next row is the one
 * farthest from those chosen before. Rows and columns are scaled to one first, so that
 * units do not matter.
 */
#ifndef SALTUS_ROW_SELECTION_H
#define SALTUS_ROW_SELECTION_H

#include "base/arena.h"
#include "linear/rank.h"

struct row_selection {
    int rows, columns;
    int rank;
    bool decided;       /* no pivot is so small that nothing can be said */
    int *row;           /* [rows] the chosen ones [rank], then the others; both ascend */
    struct rank_qr qr;  /* of the transpose */
    double *scaled;     /* [rows * columns] */
    bool *chosen;       /* [rows] */
    struct arena arena; /* of all arrays */
};

void row_selection_init(struct row_selection *independent, int rows, int columns);
void row_selection_clear(struct row_selection *independent);
/* Chooses among the rows of A [rows * columns]; returns the rank. size [rows]: what each
   row is divided by; NULL: its largest entry. */
int row_selection_rows(struct row_selection *independent, const double *A,
                       const double *size);

/* Has A x = b [rows] a solution: does b leave the rank as it is? */
bool row_selection_solvable(const double *A, const double *b, int rows, int columns);

#endif
