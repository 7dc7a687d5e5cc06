/*
 * erk_lanes.h - a step of a Runge-Kutta pair for LANES runs at once, each with its own
 * time and length: to the bit what erk_step gives each of them.
 *
 * A run is in a lane from erk_lanes_put on. What its own work space (erk_alloc) needs
 * to know of the last step it fetches from there; and when it makes a step by itself, the
 * run has left the lane.
 */
#ifndef SALTUS_ERK_LANES_H
#define SALTUS_ERK_LANES_H

#include "erk.h"

/* x' of all lanes, arrays as in lanes.h; t [LANES]. */
struct ode_lanes {
    void (*rhs)(void *context, const double *t, const double *x, double *dx);
    void *context;
};

struct erk_lanes;
struct erk_lanes *erk_lanes_new(const struct pair *pair, int dim);
void erk_lanes_free(struct erk_lanes *lanes);

/* The next step of this run starts at (t, x) with dx = f(t, x). */
void erk_lanes_put(struct erk_lanes *lanes, int lane, void *work, double t,
                   const double *x, const double *dx);
/* There is no run in this lane any more. */
void erk_lanes_clear(struct erk_lanes *lanes, int lane);
bool erk_lanes_has(const struct erk_lanes *lanes, const void *work);
/* From t [LANES], where the last step of the lane ended, or began if it is tried again,
   to t + h. What is computed in a lane in which there is no run is nobody's. */
void erk_lanes_step(struct erk_lanes *lanes, const struct ode_lanes *ode, const double *t,
                    const double *h);
/* Solution at the end of the step and, right behind it, its slope: [2][dim][LANES]; error
   vectors, each [dim][LANES]; state i inside it, as `inside` of struct integrator. */
const double *erk_lanes_end(const struct erk_lanes *lanes);
double *const *erk_lanes_errors(const struct erk_lanes *lanes);
const double *erk_lanes_inside(const struct erk_lanes *lanes, int i, double *theta);
/* As `stiffness` of struct integrator, [LANES]; computed when it is asked for first. */
const double *erk_lanes_stiffness(struct erk_lanes *lanes);
/* x, dx [dim] of a lane where the step began; where it has ended; and states inside it
   become known to its work space. */
void erk_lanes_take_start(const struct erk_lanes *lanes, int lane, double *x, double *dx);
void erk_lanes_take_end(const struct erk_lanes *lanes, int lane, double *x, double *dx);
void erk_lanes_take_inside(const struct erk_lanes *lanes, int lane);

#endif
