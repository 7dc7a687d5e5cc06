/*
 * states.h - states on some slopes of a step, by the conditions of an order.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993, II.6.
 */
#ifndef SALTUS_ORIGINS_STATES_H
#define SALTUS_ORIGINS_STATES_H

#include "linear.h"

/* C [trees][count], made here: weights of all trees of up to `order` vertices at these
   slopes, which are in ascending order, of the method with rows A. */
void conditions_on(arb_mat_t C, const arb_mat_t A, int order, const int *slope,
                   int count);

/* Entries `slope` of a row of m from x [count][1]. What is below 1e-40 stays zero. */
void put_row(arb_mat_t m, int row, const arb_mat_t x, const int *slope, int count);

/* A row of A: the state of this order at a node, with weights of least norm on these
   slopes, which satisfy all conditions to the tolerance. Returns how many are free. */
int put_state(arb_mat_t A, int row, const arb_t node, int order, const int *slope,
              int count, double tolerance);

#endif
