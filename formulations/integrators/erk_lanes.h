/*
 * erk_lanes.h - a step of a Runge-Kutta pair in SIMD lanes: LANES runs at once, each with
 * its own time and step size, to the bit as erk_step makes each of them.
 *
 * A run is in a lane from erk_lanes_put on. Its own work space (erk_alloc) fetches parts
 * of the last step from the lane when it needs them. A step that the run makes by itself
 * takes the run out of its lane.
 */
#ifndef SALTUS_ERK_LANES_H
#define SALTUS_ERK_LANES_H

#include "erk.h"

/* dx = x' of all lanes at t [LANES], x [dim][LANES]. The batch sets both members. */
struct ode_lanes {
    void (*rhs)(void *context, const double *t, const double *x, double *dx);
    void *context;
};

struct erk_lanes;
/* Empty lanes for states of `dim` components. */
struct erk_lanes *erk_lanes_new(const struct pair *pair, int dim);
/* Takes all runs out of their lanes, and frees these. */
void erk_lanes_free(struct erk_lanes *lanes);

/* Puts a run with this work space into a lane; its next step starts at (t, x) with
   dx = f(t, x), both [dim]. */
void erk_lanes_put(struct erk_lanes *lanes, int lane, void *work, double t,
                   const double *x, const double *dx);
/* Takes the run, if any, out of a lane. */
void erk_lanes_clear(struct erk_lanes *lanes, int lane);
/* True if the run is in a lane of these. */
bool erk_lanes_has(const struct erk_lanes *lanes, const void *work);
/* One step of all lanes from t [LANES] to t + h [LANES]. The time t of a lane is the end
   of its last step, or its start if that step is tried again. Results of lanes without a
   run have no meaning. */
void erk_lanes_step(struct erk_lanes *lanes, const struct ode_lanes *ode, const double *t,
                    const double *h);
/* Solution at the end of the step and, right behind it, its slope: [2][dim][LANES]. */
const double *erk_lanes_end(const struct erk_lanes *lanes);
/* Error vectors of the step, each [dim][LANES]. */
double *const *erk_lanes_errors(const struct erk_lanes *lanes);
/* State i [dim][LANES] inside the step, and its theta (`inside` of struct integrator). */
const double *erk_lanes_inside(const struct erk_lanes *lanes, int i, double *theta);
/* `stiffness` of struct integrator [LANES], computed at the first call after a step. */
const double *erk_lanes_stiffness(struct erk_lanes *lanes);
/* x, dx [dim] of a lane at the start of the step. */
void erk_lanes_take_start(const struct erk_lanes *lanes, int lane, double *x, double *dx);
/* x, dx [dim] of a lane at the end of the step. */
void erk_lanes_take_end(const struct erk_lanes *lanes, int lane, double *x, double *dx);
/* Copies the states inside the step to the work space of the run in the lane. */
void erk_lanes_take_inside(const struct erk_lanes *lanes, int lane);

#endif
