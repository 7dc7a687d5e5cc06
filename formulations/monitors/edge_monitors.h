/*
 * edge_monitors.h - values of monitors of edges at a point
 * (cases/formula/domain_edges.h).
 */
#ifndef SALTUS_EDGE_MONITORS_H
#define SALTUS_EDGE_MONITORS_H

#include "base/arena.h"
#include "formula/domain_edges.h"
#include "model.h"
#include "program/stages.h"

struct edge_monitors {
    const struct edge *edge;    /* [count] */
    int count;
    const struct model *model;
    struct program *program;    /* outputs: zero [count], beside [count]; NULL: none */
    double *w, *error;          /* its work, and how far off that may be */
    struct arena arena;         /* of all arrays */
};

/* A point; parts that no monitor asks for may be NULL. `w`: what is after an event,
   (q+, v+, s+, impulse). */
struct edge_point {
    double t;
    const double *x;            /* [2n + ns] q, v, s */
    const double *a, *lambda, *w;
};

void edge_monitors_init(struct edge_monitors *monitors, const struct model *model,
                        const struct edge *edge, int count);
void edge_monitors_clear(struct edge_monitors *monitors);
/* rho [model->p] */
void edge_monitors_set(struct edge_monitors *monitors, const double *rho);
void edge_monitors_at(struct edge_monitors *monitors, const struct edge_point *point);

/* At the point last evaluated. */
static inline double edge_zero(const struct edge_monitors *monitors, int k)
{
    return monitors->w[monitors->program->output[k]];
}
static inline double edge_beside(const struct edge_monitors *monitors, int k)
{
    return monitors->w[monitors->program->output[monitors->count + k]];
}

/* How far off zero and beside are there when every component of a block is by `relative`
   of the largest: after this, edge_error. */
void edge_monitors_rounding(struct edge_monitors *monitors, double relative);
static inline double edge_zero_error(const struct edge_monitors *monitors, int k)
{
    return monitors->error[monitors->program->output[k]];
}
static inline double edge_beside_error(const struct edge_monitors *monitors, int k)
{
    return monitors->error[monitors->program->output[monitors->count + k]];
}

/* Is what is beside edge k not clearly positive? */
bool edge_is_beside(const struct edge_monitors *monitors, int k);
/* The first edge that the point last evaluated cannot be told from, being off by
   `relative`; -1: none. */
int edge_monitors_met(struct edge_monitors *monitors, double relative);

#endif
