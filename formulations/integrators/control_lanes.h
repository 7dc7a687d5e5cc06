/*
 * control_lanes.h - how large the error of a step is, of LANES runs at once: to the bit
 * what control_error gives each of them. What comes of it, control_next decides for each.
 *
 * The runs are of the same request. Arrays are [..][LANES].
 */
#ifndef SALTUS_CONTROL_LANES_H
#define SALTUS_CONTROL_LANES_H

#include "base/arena.h"
#include "integrators/control.h"

struct control_lanes {
    int groups;
    int *begin;                     /* as in struct control */
    double rtol, atol;
    int *of;                        /* [groups] whose size is the floor of each, in the
                                       lanes that have one; -1: in none */
    double *share;                  /* [groups][LANES] of that size; 0: not in this
                                       lane */
    double *amplitude, *size, *level;   /* [groups][LANES] as in struct control */
    double *norm[2];                /* [groups][LANES] of its error vectors */
    struct arena arena;             /* of all arrays */
};

/* Like that of any of the runs. */
struct control_lanes *control_lanes_new(const struct control *like);
void control_lanes_free(struct control_lanes *lanes);
/* From now on this run is in the lane; what it has there now. */
void control_lanes_put(struct control_lanes *lanes, int lane, const struct control *run);
void control_lanes_enter(struct control_lanes *lanes, int lane,
                         const struct control *run);
/* As control_error and its steps have left it. */
void control_lanes_leave(const struct control_lanes *lanes, int lane,
                         struct control *run);
/* As control_error; x_new and each of err [dim][LANES], error [LANES] */
void control_lanes_error(struct control_lanes *lanes, const struct integrator *integrator,
                         const double *x_new, double *const *err, double *error);
/* These steps [LANES] have been accepted, others not. */
void control_lanes_accept(struct control_lanes *lanes, const double *accepted);

#endif
