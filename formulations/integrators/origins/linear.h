/*
 * linear.h - linear algebra of the generators, on balls of Arb (Johansson, IEEE Trans.
 * Comput. 66 (2017) 1281-1292) with BITS bits.
 *
 * Rounding is far below what the generators print. A quantity below 1e-40 is taken for
 * zero: none that is not zero comes near to that.
 */
#ifndef SALTUS_ORIGINS_LINEAR_H
#define SALTUS_ORIGINS_LINEAR_H

#include <arb_mat.h>

enum { BITS = 256 };

#define AT(matrix, i, j) arb_mat_entry(matrix, i, j)

/* Ends the program with a message when `holds` is zero. */
void require(int holds, const char *message);

/* The midpoint of x as a double. */
double as_double(const arb_t x);

/* The largest magnitude in a matrix, of midpoints. */
double largest(const arb_mat_t m);

/* Takes midpoints: bounds of the errors of m are forgotten. */
void forget_errors(arb_mat_t m);

/*
 * row: the indices of rows of C that all others depend on, by complete pivoting; at most
 * `most` of them. Returns how many, the rank of C if it is not more than that.
 */
int independent_rows(int *row, const arb_mat_t C, int most);

/* x [columns][1]: of all x with C x = d the one of least norm. Rows of C are
   independent. */
void least_norm_of_independent(arb_mat_t x, const arb_mat_t C, const arb_mat_t d);

/* The same where rows of C may depend on others; d [rows][1]. Returns the rank of C. Ends
   the program where no x solves all rows to the tolerance. */
int least_norm(arb_mat_t x, const arb_mat_t C, const arb_mat_t d, double tolerance);

/* T [columns][columns - rows]: a basis of the vectors v with C v = 0. Rows of C are
   independent. */
void kernel(arb_mat_t T, const arb_mat_t C);

/* v [columns][1]: a vector with C v = 0, where rows of C may depend on others. Ends the
   program unless all such vectors are multiples of one. */
void only_kernel(arb_mat_t v, const arb_mat_t C);

/* part [count][columns of m]: some rows of m. */
void take_rows(arb_mat_t part, const arb_mat_t m, const int *row, int count);

#endif
