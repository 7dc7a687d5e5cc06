/*
 * states.c - the conditions of Runge-Kutta methods for weights that integrate to a node.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993, II.6.
 */
#include <math.h>

#include "states.h"
#include "weights.h"

void conditions_on(arb_mat_t C, const arb_mat_t A, int order, const int *slope, int count)
{
    int stages = slope[count - 1] + 1, rows = first_tree[order + 1];
    arb_mat_t phi;

    arb_mat_init(phi, rows, stages);
    weights_at_stages(phi, A, stages, order);
    arb_mat_init(C, rows, count);
    for (int k = 0; k < rows; k++)
        for (int j = 0; j < count; j++)
            arb_set(AT(C, k, j), AT(phi, k, slope[j]));
    arb_mat_clear(phi);
}

void put_row(arb_mat_t m, int row, const arb_mat_t x, const int *slope, int count)
{
    for (int j = 0; j < count; j++)
        if (fabs(as_double(AT(x, j, 0))) > 1e-40)
            arb_set(AT(m, row, slope[j]), AT(x, j, 0));
}

int put_state(arb_mat_t A, int row, const arb_t node, int order, const int *slope,
              int count, double tolerance)
{
    int rows = first_tree[order + 1], rank;
    arb_mat_t C, d, x;

    conditions_on(C, A, order, slope, count);
    arb_mat_init(d, rows, 1);
    arb_mat_init(x, count, 1);
    for (int k = 0; k < rows; k++) {
        arb_pow_ui(AT(d, k, 0), node, (ulong)trees[k].vertices, BITS);
        arb_div_si(AT(d, k, 0), AT(d, k, 0), trees[k].gamma, BITS);
    }
    rank = least_norm(x, C, d, tolerance);
    put_row(A, row, x, slope, count);
    arb_mat_clear(C);
    arb_mat_clear(d);
    arb_mat_clear(x);
    return count - rank;
}
