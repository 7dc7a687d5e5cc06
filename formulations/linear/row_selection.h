/*
 * row_selection.h - which rows of a matrix are independent, by QR with column pivoting of
 * the transpose (linear/rank.h, which says what counts as zero): each next row is the one
 * farthest from those chosen before. Rows and columns are scaled to one first, so that
 * units do not matter.
 */
#ifndef SALTUS_INDEPENDENT_H
#define SALTUS_INDEPENDENT_H

#include "linear/rank.h"

struct independent {
    int rows, columns;
    int rank;
    bool decided;       /* no pivot is so small that nothing can be said */
    int *row;           /* [rows] the chosen ones [rank], then the others; both ascend */
    struct rank_qr qr;  /* of the transpose */
    double *scaled;     /* [rows * columns] */
    bool *chosen;       /* [rows] */
};

void independent_init(struct independent *independent, int rows, int columns);
void independent_clear(struct independent *independent);
/* Chooses among the rows of A [rows * columns]; returns the rank. size [rows]: what each
   row is divided by; NULL: its largest entry. */
int independent_rows(struct independent *independent, const double *A,
                     const double *size);

/* Has A x = b [rows] a solution: does b leave the rank as it is? */
bool independent_solvable(const double *A, const double *b, int rows, int columns);

#endif
