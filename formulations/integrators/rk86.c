/*
 * rk86.c - explicit Runge-Kutta method of order 8 with estimates of orders 6 and 5 and
 * dense output of order 8. rk86.def has the coefficients and their source.
 *
 * A step takes as many evaluations as one of rk87, and errors at the same step are
 * several times smaller. Dense output is dearer, eight evaluations to three, but gives
 * the state at an event, too. Errors of the dense output are up to eight times those of
 * the end, at 0.7 of a step.
 */
#include "erk.h"
#include "methods.h"

/* Coefficients of stages are up to 52 and those of the dense output up to 1500. On slopes
   instead of differences the rounding errors of the part that all slopes have in common
   would be eight times as large; differences cost 6 % of the time where a right-hand side
   is as cheap as on workload W (bench/). */
#define ROWS "rk86.def"
#define ON_DIFFERENCES
#include "erk_rows.h"

/* States of stages 5 and 6 have an error of order h^4 with constants below 1e-5. */
static const struct pair pair = {
    .end = 13, .slopes = 22, .terms = 9, .errors = 2, .inner = { 5, 6 }, .node = nodes,
    .plain = &plain_rows, WIDE_ROWS,
};

static void *alloc(int dim)
{
    return erk_alloc(&pair, dim);
}

/* Errors of order h^7, times their ratio to h^6, make the whole of order h^8 (HNW II.10).
   The ratio varies from step to step, so that a control that remembers more is
   steadier. */
#define METHOD                                                                          \
    .order = 8, .errors = 2, .evaluations = 13, .node = nodes, .nodes = 14,             \
    .alloc = alloc, ERK_METHODS, .second = 1, .memory = 0.3, .dense_order = 8,          \
    .solves_inside = true, .pair = &pair

const struct integrator integrator_rk86 = {
    .name = "rk86",
    .title = "Runge-Kutta 8(6,5) in 13 stages, extension of order 8",
    .source = "rk86.def",
    METHOD,
};

/*
 * The default method: rk86, which takes fewest evaluations of the one-step methods here;
 * radau for a DAE, and from where equations are found to be stiff up to the next event.
 */
const struct integrator integrator_automatic = {
    .name = "automatic",
    .title = "rk86; radau for a DAE, and where equations turn out to be stiff",
    .source = "rk86.def; Hairer, Wanner 1996, IV.2",
    METHOD,
    .stiff = &integrator_radau,
    .stiffness = erk_stiffness,
    .stable = 6.6,
};
