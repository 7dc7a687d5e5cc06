/*
 * previous_slopes.h - sums over the slopes of the step before, with coefficients that
 * depend on the ratio of both steps: loops over whole packs in the widest instruction set
 * there is.
 */
#ifndef SALTUS_PREVIOUS_SLOPES_H
#define SALTUS_PREVIOUS_SLOPES_H

#include <stdbool.h>

enum { PAST = 8 };              /* slopes of a step, and stages of the next */

/* Coefficients of stage i and slope j as polynomials of r - 1, r the ratio of the steps:
   that of its power m. */
typedef double slope_table[PAST][PAST][PAST];

struct slope_loops {
    /* a [i][j] = sum_m table[m][i][j] excess^m */
    void (*coefficients)(const slope_table table, double excess, double a[PAST][PAST]);
    /* sum[i] = sum_j a[i][j] old[j], of so many packs */
    void (*sums)(int packs, double a[PAST][PAST], double *const *old, double *const *sum);
};

/* `widest` false: those that need nothing of the processor, with the same results. */
const struct slope_loops *slope_loops(bool widest);

#endif
