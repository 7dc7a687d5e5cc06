/*
 * erk.h - explicit Runge-Kutta pairs with a continuous extension, from a table of rows.
 *
 * A method is a .def file of rows (STAGE, ERROR, DENSE) and a file that makes functions
 * of them (erk_rows.h) and a struct pair of these. What a step does with them is here.
 *
 * Rows of the work space are padded with zeros to whole packs of four numbers, so that a
 * combination of slopes is a loop over packs without a rest. On processors that have
 * AVX2 a pack is one register, elsewhere two: the same operations in the same order.
 * (Those of AVX-512 serve lanes alone: between right-hand sides in narrower registers
 * they cost more than they gain, as they shut one of the two ports that both need.)
 */
#ifndef SALTUS_ERK_H
#define SALTUS_ERK_H

#include "integrator.h"
#include "simd/simd.h"

enum { ERK_SLOPES = 22, ERK_TERMS = 9, ERK_ERRORS = 2 };

/* y = x + h sum a_j k_j, or without x (errors, coefficients), of so many packs; h [LANES]
   of the lanes, or the same in all of them. */
typedef void erk_row(int packs, const double *h, const double *restrict x,
                     double *const *restrict k, double *restrict y);

/* The rows of a method in one instruction set. */
struct erk_rows {
    erk_row *stage[ERK_SLOPES]; /* 1, 2, ..., the end of the step among them */
    erk_row *error[ERK_ERRORS];
    erk_row *dense[ERK_TERMS];  /* 4, 5, ... */
};

struct pair {
    int end;                        /* the stage that is the solution,
                                       k = f(t + h, x_new) */
    int slopes;                     /* those after the end serve the extension */
    int terms;                      /* of the extension, c_0 to c_3 among them */
    int errors;
    int inner[STATES_INSIDE];       /* stages for `inside`, or 0 */
    const double *node;             /* [slopes] */
    const struct erk_rows *plain, *avx2, *avx512; /* the wide ones: NULL if
                                                       this is not x86-64 */
};

/* The widest that serve one run, or lanes. */
const struct erk_rows *erk_choose_rows(const struct pair *pair, bool lanes);

void *erk_alloc(const struct pair *pair, int dim);
void erk_release(void *work);
void erk_restart(void *work);
/* As in struct integrator. */
enum status erk_step(void *work, const struct ode *ode, double t, double h,
                     const double *x, const double *dx, double *x_new, double *dx_new,
                     double *const *err);
enum status erk_prepare(void *work, const struct ode *ode);
void erk_dense(const void *work, double theta, int first, int count, double *x);
const double *erk_inside(const void *work, int i, double *theta);
/* |h lambda| by the last two evaluations of a step, both at its end (Hairer, Wanner 1996,
   IV.2, (2.1) to (2.3)): the last stage before it must have node 1. */
double erk_stiffness(const void *work);

/* What the struct integrator of every pair has of these. */
#define ERK_METHODS \
    .release = erk_release, .restart = erk_restart, .step = erk_step, \
    .prepare = erk_prepare, .dense = erk_dense, .inside = erk_inside

#endif
