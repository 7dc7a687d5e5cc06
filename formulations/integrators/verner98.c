/*
 * verner98.c - the efficient Runge-Kutta pair 9(8) of Verner (2010) with dense output of
 * order 9. verner98.def has the coefficients and their source.
 *
 * The estimate is the difference of solutions of order 9 and 8: an error of h^9. It has a
 * tenth at least of what any one stage sees of the error (test_what_stages_see.c), and
 * nodes are nowhere further apart than a quarter of a step.
 */
#include "erk.h"
#include "methods.h"

/* On slopes instead of differences the rounding of the part that all slopes have in
   common would be several times as large: coefficients of both signs are large. */
#define ROWS "verner98.def"
#define ON_DIFFERENCES
#include "erk_rows.h"

/* States of stages 10 and 11 have an error of order h^6. */
static const struct pair pair = {
    .end = 16, .slopes = 26, .terms = 10, .errors = 1, .inner = { 10, 11 },
    .node = nodes, .plain = &plain_rows, WIDE_ROWS,
};

static void *alloc(int dim)
{
    return erk_alloc(&pair, dim);
}

#define METHOD                                                                          \
    .order = 9, .errors = 1, .evaluations = 16, .node = nodes, .nodes = 17,             \
    .alloc = alloc, ERK_METHODS, .dense_order = 9, .solves_inside = true, .pair = &pair

const struct integrator integrator_verner98 = {
    .name = "verner98",
    .title = "Runge-Kutta 9(8) of Verner, efficient, extension of order 9",
    .source = "Verner 2010: verner98.def",
    METHOD,
};

/*
 * The default method: verner98, which takes the fewest evaluations over the catalogue at
 * 1e-9 and 1e-12, as many as others at 1e-6, and whose published extension has the order
 * of its steps (bench/README.md); radau for a DAE, and from where equations are found to
 * be stiff up to the next event.
 */
const struct integrator integrator_automatic = {
    .name = "automatic",
    .title = "verner98; radau for a DAE, and where equations turn out to be stiff",
    .source = "Verner 2010; Hairer, Wanner 1996, IV.2",
    METHOD,
    .stiff = &integrator_radau,
    .stiffness = erk_stiffness,
    .stable = 4.47,
};
