/*
 * segment.h - a segment of multiple shooting: the motion from a node over a part of the
 * period, with derivatives by the node and by parameters.
 */
#ifndef SALTUS_SEGMENT_H
#define SALTUS_SEGMENT_H

#include "orbits/orbit.h"
#include "restart.h"

struct runner;
struct program;

/* segment_init sets every member; segment_run those of the last run. */
struct orbit_segment {
    struct restart restart;
    struct model *model;        /* of the restart */
    struct runner *runner;
    int width;                  /* 2n + ns */
    bool *open;                 /* [2n] components that the constraints determine */
    bool *crossed;              /* [events] guards that are beyond zero at the node */
    int count, *component;      /* [count] independent components of (q, v, s) */
    int parameters;             /* those of the request, whose columns come after those of
                                   the independent components */
    int *parameter;             /* [count + parameters] of the run */
    double *value;              /* [model->p] */
    struct program **rates;     /* [modes] f_s; NULL: there are no auxiliary states */
    double **w;                 /* [modes] work arrays of them */
    struct trajectory *run;     /* the last run */
    double *rate;               /* [width] of the state at its end */
};

/* Makes the segment that begins near x [2n + ns] in a mode of the request's model, which
   outlives it. Statuses of runner_new. */
enum status segment_init(struct orbit_segment *segment,
                         const struct orbit_request *request, int mode, const double *x,
                         struct diagnosis *diagnosis);
void segment_clear(struct orbit_segment *segment);
/* Runs from independent components z [count] over `length`. Statuses of a run;
   NO_ORBIT: an event ends the motion before. */
enum status segment_run(struct orbit_segment *segment, const double *z, double length,
                        struct diagnosis *diagnosis);
/* The start, or end, of the last run. */
static inline const struct run_point *segment_point(const struct orbit_segment *segment,
                                                    bool end)
{
    return &segment->run->sample[end ? segment->run->samples - 1 : 0];
}
/* Component i of (q, v, s) at a point of the last run, or its derivative by column j. */
double segment_value(const struct orbit_segment *segment, const struct run_point *point,
                     int i, int j);
/* rate [width]: d(q, v, s)/dt at a point of the last run. */
void segment_rates(const struct orbit_segment *segment, const struct run_point *point,
                   double *rate);
/* Sets open [2n]: the components of (q, v) that the constraints of a mode determine near
   x, as segment_init() chooses them. */
void segment_open(const struct orbit_request *request, int mode, const double *x,
                  bool *open);

#endif
