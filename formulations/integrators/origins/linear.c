/*
 * linear.c - elimination with complete pivoting, least norms, kernels.
 *
 * Source: Golub, Van Loan, Matrix Computations, 2013, 3.4.8, 5.6.2.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linear.h"

static const double zero = 1e-40;

void require(int holds, const char *message)
{
    if (holds)
        return;
    fprintf(stderr, "error: %s\n", message);
    exit(1);
}

double as_double(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

double largest(const arb_mat_t m)
{
    double most = 0;

    for (slong i = 0; i < arb_mat_nrows(m); i++)
        for (slong j = 0; j < arb_mat_ncols(m); j++)
            most = fmax(most, fabs(as_double(AT(m, i, j))));
    return most;
}

void forget_errors(arb_mat_t m)
{
    arb_mat_get_mid(m, m);
}

/*
 * Gauss and Jordan's elimination with complete pivoting, of at most `most` rows. Rows of
 * C are swapped, and so are their indices in row; column gives the order in which columns
 * begin with a unit matrix. Returns the number of pivots.
 */
static int reduce(arb_mat_t C, int *row, int *column, int most)
{
    int rows = (int)arb_mat_nrows(C), columns = (int)arb_mat_ncols(C), rank;
    arb_t factor;

    arb_init(factor);
    for (int i = 0; i < rows; i++)
        row[i] = i;
    for (int j = 0; j < columns; j++)
        column[j] = j;
    for (rank = 0; rank < rows && rank < columns && rank < most; rank++) {
        double best = 0;
        int from = rank, at = rank;

        for (int i = rank; i < rows; i++)
            for (int j = rank; j < columns; j++) {
                double x = fabs(as_double(AT(C, i, column[j])));

                if (x > best) {
                    best = x;
                    from = i;
                    at = j;
                }
            }
        if (best < zero)
            break;
        int pivot = column[at], moved = row[from];

        column[at] = column[rank];
        column[rank] = pivot;
        row[from] = row[rank];
        row[rank] = moved;
        arb_mat_swap_rows(C, NULL, rank, from);
        arb_inv(factor, AT(C, rank, pivot), BITS);
        for (int j = 0; j < columns; j++)
            arb_mul(AT(C, rank, j), AT(C, rank, j), factor, BITS);
        arb_one(AT(C, rank, pivot));
        for (int i = 0; i < rows; i++) {
            if (i == rank || arb_is_zero(AT(C, i, pivot)))
                continue;
            arb_set(factor, AT(C, i, pivot));
            for (int j = 0; j < columns; j++)
                arb_submul(AT(C, i, j), factor, AT(C, rank, j), BITS);
            arb_zero(AT(C, i, pivot));
        }
    }
    arb_clear(factor);
    return rank;
}

static int *indices(slong count)
{
    int *index = malloc((size_t)count * sizeof *index);

    require(index != NULL, "no memory");
    return index;
}

int independent_rows(int *row, const arb_mat_t C, int most)
{
    int *column = indices(arb_mat_ncols(C)), *all = indices(arb_mat_nrows(C)), rank;
    arb_mat_t R;

    arb_mat_init(R, arb_mat_nrows(C), arb_mat_ncols(C));
    arb_mat_get_mid(R, C);
    rank = reduce(R, all, column, most);
    memcpy(row, all, (size_t)rank * sizeof *row);
    arb_mat_clear(R);
    free(column);
    free(all);
    return rank;
}

void kernel(arb_mat_t T, const arb_mat_t C)
{
    int rows = (int)arb_mat_nrows(C), columns = (int)arb_mat_ncols(C);
    int *column = indices(columns), *row = indices(rows);
    arb_mat_t R;

    arb_mat_init(R, rows, columns);
    arb_mat_get_mid(R, C);
    require(reduce(R, row, column, rows) == rows, "rows that depend on others");
    arb_mat_zero(T);
    for (int k = rows; k < columns; k++) {
        for (int i = 0; i < rows; i++)
            arb_neg(AT(T, column[i], k - rows), AT(R, i, column[k]));
        arb_one(AT(T, column[k], k - rows));
    }
    forget_errors(T);
    arb_mat_clear(R);
    free(column);
    free(row);
}

void take_rows(arb_mat_t part, const arb_mat_t m, const int *row, int count)
{
    for (int i = 0; i < count; i++)
        for (slong j = 0; j < arb_mat_ncols(m); j++)
            arb_get_mid_arb(AT(part, i, j), AT(m, row[i], j));
}

void least_norm_of_independent(arb_mat_t x, const arb_mat_t C, const arb_mat_t d)
{
    slong rows = arb_mat_nrows(C);
    arb_mat_t T, G, y;

    arb_mat_init(T, arb_mat_ncols(C), rows);
    arb_mat_init(G, rows, rows);
    arb_mat_init(y, rows, 1);
    arb_mat_transpose(T, C);
    arb_mat_mul(G, C, T, BITS);
    forget_errors(G);
    require(arb_mat_solve(y, G, d, BITS), "a singular system");
    forget_errors(y);
    arb_mat_mul(x, T, y, BITS);
    forget_errors(x);
    arb_mat_clear(T);
    arb_mat_clear(G);
    arb_mat_clear(y);
}

int least_norm(arb_mat_t x, const arb_mat_t C, const arb_mat_t d, double tolerance)
{
    slong rows = arb_mat_nrows(C), columns = arb_mat_ncols(C);
    int *row = indices(rows), rank = independent_rows(row, C, (int)columns);
    arb_mat_t part, right, left;

    arb_mat_init(part, rank, columns);
    arb_mat_init(right, rank, 1);
    arb_mat_init(left, rows, 1);
    take_rows(part, C, row, rank);
    take_rows(right, d, row, rank);
    least_norm_of_independent(x, part, right);
    arb_mat_mul(left, C, x, BITS);
    arb_mat_sub(left, left, d, BITS);
    require(largest(left) < tolerance, "conditions that contradict each other");
    arb_mat_clear(part);
    arb_mat_clear(right);
    arb_mat_clear(left);
    free(row);
    return rank;
}

void only_kernel(arb_mat_t v, const arb_mat_t C)
{
    int columns = (int)arb_mat_ncols(C), *row = indices(arb_mat_nrows(C));
    arb_mat_t part;

    require(independent_rows(row, C, columns) == columns - 1, "none or several vectors");
    arb_mat_init(part, columns - 1, columns);
    take_rows(part, C, row, columns - 1);
    kernel(v, part);
    arb_mat_clear(part);
    free(row);
}
