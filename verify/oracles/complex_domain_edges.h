/*
 * complex_domain_edges.h - branch cuts, poles and ends of domains of a complex-step
 * trajectory.
 *
 * The monitors (cases/formula/domain_edges.h) are shared with the judged run. Their
 * roots are found here by sampling the real parts, as events are (complex_event.c).
 */
#ifndef SALTUS_COMPLEX_DOMAIN_EDGES_H
#define SALTUS_COMPLEX_DOMAIN_EDGES_H

#include "oracles/complex_newton.h"

struct complex_run;

struct complex_edges {
    const struct edge *edge;        /* [count] edges of the mode */
    int count;
    const struct domain *domain;    /* [domains] domains of the mode */
    int domains;
    bool of_motion;                 /* some take accelerations or multipliers */
    struct complex_outputs outputs; /* zero [count], beside [count], inside [domains] */
    double complex *value;          /* [2 count + domains] values at one point */
    double *off;                    /* [2 count + domains] by how much each value may be
                                       off */
    double *table;                  /* [samples of a step][count] of zero, then as many of
                                       beside */
    double *scale;                  /* [count] largest |zero| so far */
};

/* Opens the edges and domains of `source`. */
void complex_edges_init(struct complex_edges *edges, const struct tape *tape,
                        const struct edges *source);
void complex_edges_clear(struct complex_edges *edges);

/* Are the edges kept at run->values, which are off by `relative` of the largest of each
   block? NOT_FINITE: a formula is outside its domain, or has no derivative. */
enum status complex_edges_at(struct complex_run *run, struct complex_edges *edges,
                             double relative, const char *when);
/* Tests the domains alone at run->values, where accelerations and multipliers need not be
   known. OK or NOT_FINITE. */
enum status complex_domains_at(struct complex_run *run, struct complex_edges *edges,
                               const char *when);
/* Begins an arc at run->t, run->x. */
enum status complex_edges_start(struct complex_run *run);
/* Searches the step h just accepted: *left is the time from its start to the first edge,
   INFINITY: none is met. */
enum status complex_edges_search(struct complex_run *run, double h, double *left,
                                 int *met);
/* Refuses the run at time t for the edge that is met. */
enum status complex_edges_refuse(struct complex_run *run, int met, double t);
/* A run that cannot go on just before an edge ends there: `status`, or that of the edge.
   The state is lost. */
enum status complex_edges_refusal(struct complex_run *run, enum status status);

#endif
