/*
 * erk.h - explicit Runge-Kutta pairs with a continuous extension, from a table of rows.
 *
 * A method is a .def file of rows (STAGE, ERROR, DENSE), a file that makes functions of
 * these rows (erk_rows.h), and a struct pair of the functions. The step itself is here.
 *
 * Rows of the work space are padded with zeros to whole packs of four numbers, so that a
 * combination of slopes is a loop over packs without a rest. A pack is one register on
 * processors that have AVX2, two elsewhere: the operations and their order are the same.
 * Registers of AVX-512 serve lanes alone. Between right-hand sides in narrower registers
 * they cost more than they gain, as they shut one of the two ports that both need.
 */
#ifndef SALTUS_ERK_H
#define SALTUS_ERK_H

#include "integrator.h"
#include "simd/simd.h"

/* Room for slopes, for terms of the dense output and for error vectors of any method. */
enum { ERK_SLOPES = 26, ERK_TERMS = 10, ERK_ERRORS = 2 };

/* A row: y = x + h sum a_j k_j, or h sum a_j k_j (errors, dense output), of `packs`
   packs; h [LANES], one step size a lane, or the same in all of them. */
typedef void erk_row(int packs, const double *h, const double *restrict x,
                     double *const *restrict k, double *restrict y);

/* The rows of a method in one instruction set. Entries that the method lacks are NULL. */
struct erk_rows {
    erk_row *stage[ERK_SLOPES]; /* [1..] stages; the end of the step is one of them */
    erk_row *error[ERK_ERRORS]; /* error vectors */
    erk_row *dense[ERK_TERMS];  /* [4..] coefficients of the dense output */
};

/* A Runge-Kutta pair. The method's file sets every member. */
struct pair {
    int end;                        /* stage that is the solution: k = f(t + h, x_new) */
    int slopes;                     /* number of stages; those after `end` serve the dense
                                       output */
    int terms;                      /* coefficients of the dense output, c_0 to c_3
                                       included */
    int errors;                     /* number of error vectors */
    int inner[STATES_INSIDE];       /* stages whose states are `inside`, or 0 */
    const double *node;             /* [slopes] c_i */
    const struct erk_rows *plain, *avx2, *avx512; /* rows by instruction set; the wide
                                                     ones are NULL if this is not
                                                     x86-64 */
};

/* The widest rows that the processor has, for one run or for lanes. */
const struct erk_rows *erk_choose_rows(const struct pair *pair, bool lanes);

/* The coefficients of the pair: a[i * ERK_SLOPES + j] of stage i < slopes; those of stage
   `end` are the weights of the solution. a [ERK_SLOPES * ERK_SLOPES] */
void erk_coefficients(const struct pair *pair, double *a);
/* The weights b [slopes] of the dense output at theta: x + h sum_j b_j k_j. */
void erk_dense_weights(const struct pair *pair, double theta, double *b);

/* The functions of struct integrator for a pair; `work` is that of erk_alloc. */
void *erk_alloc(const struct pair *pair, int dim);
void erk_release(void *work);
void erk_restart(void *work);
enum status erk_step(void *work, const struct ode *ode, double t, double h,
                     const double *x, const double *dx, double *x_new, double *dx_new,
                     double *const *err);
enum status erk_prepare(void *work, const struct ode *ode);
void erk_dense(const void *work, double theta, int first, int count, double *x);
const double *erk_inside(const void *work, int i, double *theta);
/* |h lambda| from the last two evaluations of a step, both at its end (Hairer, Wanner
   1996, IV.2, (2.1) to (2.3)): the stage before the end must have node 1. */
double erk_stiffness(const void *work);

/* The functions above that the struct integrator of every pair has. */
#define ERK_METHODS \
    .release = erk_release, .restart = erk_restart, .step = erk_step, \
    .prepare = erk_prepare, .dense = erk_dense, .inside = erk_inside

#endif
