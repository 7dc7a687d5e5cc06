/*
 * rk87.c - the Runge-Kutta pair RK8(7)13M of Prince and Dormand (1981) with dense output
 * of order 7. rk87.def has the coefficients and their source.
 *
 * The estimate is the difference of solutions of order 8 and 7: an error of h^8.
 */
#include "erk.h"
#include "methods.h"

#define ROWS "rk87.def"
#include "erk_rows.h"

/* States of stages 6 and 9 have an error of order h^4 with constants below 1e-5. */
static const struct pair pair = {
    .end = 13, .slopes = 17, .terms = 8, .errors = 1, .inner = { 6, 9 }, .node = nodes,
    .plain = &plain_rows, WIDE_ROWS,
};

static void *alloc(int dim)
{
    return erk_alloc(&pair, dim);
}

const struct integrator integrator_rk87 = {
    .name = "rk87",
    .title = "Runge-Kutta 8(7)13M of Prince and Dormand, extension of order 7",
    .source = "Prince, Dormand 1981; the extension: rk87.def",
    .order = 8,
    .errors = 1,
    .evaluations = 13,
    .node = nodes,
    .nodes = 14,
    .alloc = alloc,
    ERK_METHODS,
    .dense_order = 7,
    .pair = &pair,
};
