/*
 * peer.h - explicit two-step peer methods: every stage adds to the state at the start of
 * the step slopes of the step before and those of its own that are there already,
 *
 *     y_i = x + h (sum_j a_ij(r) g_j + sum_(j < i) a_ij k_j),    i = 1..s
 *
 * k_i = f(t + c_i h, y_i), g_j what k_j was in the step before, r the ratio of both
 * steps. The last stage is the end. All states have the same order, so that they and
 * their slopes make a continuous extension without further evaluations.
 *
 * A step without one before, or more than `growth` times as long, is made by a method of
 * one step. Should the next one continue it, slopes are those of its extension.
 *
 * Source: Weiner, Biermann, Schmitt, Podhaisky, Comput. Math. Appl. 55 (2008) 609-619.
 */
#ifndef SALTUS_PEER_H
#define SALTUS_PEER_H

#include "erk.h"
#include "integrator.h"
#include "previous_slopes.h"

/* Rows of `pair` (STAGE, ERROR, DENSE) are on these: the slope at the start, k_1.., sums
   over the slopes of the step before, the mean slope x_new - x over h. */
enum { PEER_STAGES = PAST, PEER_PAST = 1 + PEER_STAGES, PEER_MEAN = PEER_PAST + PAST,
       PEER_SLOPES };
/* After a start rows may be on so many of its slopes and of those evaluated for it. */
enum { PEER_START_SLOPES = ERK_SLOPES + PAST };

struct peer {
    const struct pair *pair;
    const slope_table *past;
    double growth;
    const struct integrator *start;     /* the method of one step, a pair. STAGE rows
                                           after that of the end are on its slopes; SLOPE
                                           rows, on those of both, are x' where stages 1,
                                           2, .. would be */
    int start_last, start_more;         /* the last of its slopes; how many such stages */
};

void *peer_alloc(const struct peer *peer, int dim);
void peer_release(void *work);
void peer_restart(void *work);
void peer_interrupt(void *work);
/* As in struct integrator. */
enum status peer_step(void *work, const struct ode *ode, double t, double h,
                      const double *x, const double *dx, double *x_new, double *dx_new,
                      double *const *err);
enum status peer_errors_of_first(void *work, const struct ode *ode, double *const *err);
enum status peer_prepare(void *work, const struct ode *ode);
void peer_dense(const void *work, double theta, int first, int count, double *x);
const double *peer_inside(const void *work, int i, double *theta);

#endif
