/*
 * edge_monitors.h - monitors of branch cuts, poles, ends of domains, and domains at a
 * point (cases/formula/domain_edges.h).
 */
#ifndef SALTUS_EDGE_MONITORS_H
#define SALTUS_EDGE_MONITORS_H

#include "base/arena.h"
#include "formula/domain_edges.h"
#include "model.h"
#include "program/stages.h"

/* edge_monitors_init sets every member. */
struct edge_monitors {
    const struct edge *edge;    /* [count] the caller's */
    int count;                  /* number of edges */
    const struct domain *domain;    /* [domains] the caller's */
    int domains;                /* number of domains */
    const struct model *model;
    struct program *program;    /* outputs: zero [count], beside [count], inside
                                   [domains]; NULL: none */
    bool uses_unknowns;         /* the program depends on a or lambda */
    double *w, *error;          /* work array of the program, and error bounds of it */
    struct arena arena;         /* memory of all arrays */
};

/* A point. Parts that no monitor depends on may be NULL. */
struct edge_point {
    double t;
    const double *x;            /* [2n + ns] q, v, s */
    const double *a, *lambda, *w;       /* [n] [m] and, after an event, (q+, v+, s+,
                                           impulse) */
};

/* Takes the edges and domains of `edges`, which outlive the monitors; NULL: none. */
void edge_monitors_init(struct edge_monitors *monitors, const struct model *model,
                        const struct edges *edges);
void edge_monitors_clear(struct edge_monitors *monitors);
/* Sets the parameters rho [model->p]. */
void edge_monitors_set(struct edge_monitors *monitors, const double *rho);
/* Evaluates all monitors at a point. */
void edge_monitors_at(struct edge_monitors *monitors, const struct edge_point *point);

/* The zero of edge k at the point last evaluated. */
static inline double edge_zero(const struct edge_monitors *monitors, int k)
{
    return monitors->w[monitors->program->output[k]];
}
/* The value beside edge k (edges.h) at the point last evaluated. */
static inline double edge_beside(const struct edge_monitors *monitors, int k)
{
    return monitors->w[monitors->program->output[monitors->count + k]];
}

/* Bounds the errors of all zeros and values beside when every component of a block is off
   by `relative` of the largest; parameters are exact. */
void edge_monitors_rounding(struct edge_monitors *monitors, double relative);
/* The error bound of the zero of edge k, after edge_monitors_rounding. */
static inline double edge_zero_error(const struct edge_monitors *monitors, int k)
{
    return monitors->error[monitors->program->output[k]];
}
/* The error bound of the value beside edge k, after edge_monitors_rounding. */
static inline double edge_beside_error(const struct edge_monitors *monitors, int k)
{
    return monitors->error[monitors->program->output[monitors->count + k]];
}

/* True if the value beside edge k is not clearly positive, or there is none. */
bool edge_is_beside(const struct edge_monitors *monitors, int k);
/* How a formula fails at a point. */
struct edge_failure {
    double relative;  /* by how much components of the point are off */
    double t;         /* time, for the diagnosis */
    const char *when; /* follows the place in a message */
    struct diagnosis *diagnosis;
};
/* Refuses the point last evaluated: NOT_FINITE where a formula is outside its domain,
   the status of an edge on which the point may lie. OK: neither. */
enum status edge_monitors_refuse(struct edge_monitors *monitors,
                                 const struct edge_failure *failure);
/* Refuses a formula outside its domain at the point last evaluated, as measured by
   edge_monitors_rounding: NOT_FINITE. OK: none is. */
enum status edge_monitors_outside(const struct edge_monitors *monitors, double t,
                                  const char *when, struct diagnosis *diagnosis);

#endif
