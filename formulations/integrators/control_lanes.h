/*
 * control_lanes.h - step-size control in SIMD lanes: the errors of LANES steps at once,
 * to the bit as control_error gives each of them. control_next decides for each run
 * alone.
 *
 * The runs are of one request.
 */
#ifndef SALTUS_CONTROL_LANES_H
#define SALTUS_CONTROL_LANES_H

#include "base/arena.h"
#include "integrators/control.h"

/* The control of LANES runs; the functions below set every member. */
struct control_lanes {
    int groups;                     /* number of groups */
    int *begin;                     /* [groups + 1] components of a group (struct
                                       control) */
    double rtol, atol;
    int *of;                        /* [groups] group whose level is the floor, in lanes
                                       that have a floor; -1: no lane has */
    double *share;                  /* [groups][LANES] factor of that level; 0: no floor
                                       in this lane */
    double *amplitude, *size, *level;   /* [groups][LANES] of struct control */
    double *norm[2];                /* [groups][LANES] norms of error vectors */
    struct arena arena;             /* memory of all arrays */
};

/* `like`: the control of any of the runs. */
struct control_lanes *control_lanes_new(const struct control *like);
void control_lanes_free(struct control_lanes *lanes);
/* Puts a run with its floors into the lane. */
void control_lanes_put(struct control_lanes *lanes, int lane, const struct control *run);
/* Copies the amplitudes of the run into the lane. */
void control_lanes_enter(struct control_lanes *lanes, int lane,
                         const struct control *run);
/* Copies amplitude and size back to the control of the run. */
void control_lanes_leave(const struct control_lanes *lanes, int lane,
                         struct control *run);
/* error [LANES] as of control_error; x_new and each of err [dim][LANES]. */
void control_lanes_error(struct control_lanes *lanes, const struct integrator *integrator,
                         const double *x_new, double *const *err, double *error);
/* Amplitudes grow in lanes whose step has been accepted (not 0). */
void control_lanes_accept(struct control_lanes *lanes, const double *accepted);

#endif
