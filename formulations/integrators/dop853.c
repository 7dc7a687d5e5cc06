/*
 * dop853.c - the Runge-Kutta method 8(5,3) of Dormand and Prince with dense output of
 * order 7. dop853.def has the coefficients and their source.
 */
#include "erk.h"
#include "methods.h"

/* Coefficients of stages are up to 43: on slopes instead of differences the rounding of
   the part that all slopes have in common would grow by them. */
#define ROWS "dop853.def"
#define ON_DIFFERENCES
#include "erk_rows.h"

/* States of stages 7 and 9 have an error of order h^6. */
static const struct pair pair = {
    .end = 12, .slopes = 16, .terms = 8, .errors = 2, .inner = { 7, 9 }, .node = nodes,
    .plain = &plain_rows, WIDE_ROWS,
};

static void *alloc(int dim)
{
    return erk_alloc(&pair, dim);
}

/* Errors of orders 5 and 3 make the whole of order h^8 (HNW II.10), here group by group.
   A ratio of two errors varies more from step to step than one error: with 0.3
   remembered, not 0.2, the same error of the solution takes 2 % fewer evaluations on
   average over cases. */
const struct integrator integrator_dop853 = {
    .name = "dop853",
    .title = "Runge-Kutta 8(5,3) of Dormand and Prince, extension of order 7",
    .source = "Hairer, Norsett, Wanner 1993, II.5-II.6, II.10",
    .order = 8,
    .errors = 2,
    .evaluations = 12,
    .node = nodes,
    .nodes = 13,
    .alloc = alloc,
    ERK_METHODS,
    .second = 0.1,
    .memory = 0.3,
    .dense_order = 7,
    .pair = &pair,
};
