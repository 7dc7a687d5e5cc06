/*
 * complex_edges.h - branch cuts, poles and ends of domains of a complex-step trajectory.
 *
 * Shared with the judged run: which monitors there are (cases/formula/edges.h). Their
 * roots are found here by sampling the real parts, as events are (complex_event.c).
 */
#ifndef SALTUS_COMPLEX_EDGES_H
#define SALTUS_COMPLEX_EDGES_H

#include "oracles/complex_newton.h"

struct complex_run;

struct complex_edges {
    const struct edge *edge;        /* [count] */
    int count;
    bool of_motion;                 /* some take accelerations or multipliers */
    struct complex_outputs outputs; /* zero [count], beside [count] */
    double complex *value;          /* [2 count] at one point */
    double *off;                    /* [2 count] how far off that may be */
    double *table;                  /* [samples of a step][count] of zero, then as many of
                                       what is beside */
    double *scale;                  /* [count] the largest |zero| so far */
};

/* Of edges [count], the first `of_state` of which take no accelerations or
   multipliers. */
void complex_edges_init(struct complex_edges *edges, const struct tape *tape,
                        const struct edge *edge, int count, int of_state);
void complex_edges_clear(struct complex_edges *edges);

/* At what run->values hold, off by `relative` of the largest of each block. */
enum status complex_edges_at(struct complex_run *run, struct complex_edges *edges,
                             double relative, const char *when);
/* An arc begins at run->t, run->x. */
enum status complex_edges_start(struct complex_run *run);
/* On the step h just accepted: *left is how long from its start to the first edge,
   INFINITY: none is met. */
enum status complex_edges_search(struct complex_run *run, double h, double *left,
                                 int *met);
/* At time t. */
enum status complex_edges_refuse(struct complex_run *run, int met, double t);
/* A run that cannot go on just before an edge ends there: `status`, or that of the edge.
   The state is lost. */
enum status complex_edges_refusal(struct complex_run *run, enum status status);

#endif
