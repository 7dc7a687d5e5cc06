/*
 * orbit_segments.h - the segments of a period: runs from node to node, by cases that
 * begin there (model/restart.h), with derivatives by either route.
 */
#ifndef SALTUS_ORBIT_SEGMENTS_H
#define SALTUS_ORBIT_SEGMENTS_H

#include "events/mp_run.h"
#include "restart.h"

/* One segment. Its runs are differentiated by the independent components of its node,
   the time of its start, and the parameters of the request, in this order. */
struct orbit_segment_plan {
    struct restart restart;
    struct model *model;        /* of the restart */
    int count, *component;      /* [count] independent components of (q, v, s) */
    int *parameter;             /* [count + 1 + parameters] of the runs */
};
struct orbit_segment_run {
    const char **value;         /* [model->p] decimal text */
    char **text;                /* [count + 1] texts of the independent components and of
                                   the length */
    struct mp_trajectory *run;  /* the last run; its only sample is the end */
};

/* How the derivatives of segments are made. */
enum orbit_route { ORBIT_VARIATIONAL, ORBIT_DIFFERENCES };

struct orbit_segments {
    const struct mp_orbit_request *asked;
    int nodes, width, parameters;
    struct orbit_segment_plan *plan;    /* [nodes] */
    struct orbit_segment_run *own;      /* [nodes] */
    bool borrowed;              /* the plans belong to others */
    mpfr_ptr part;              /* [nodes] lengths as parts of the period; 1 in all */
    long runs;                  /* runs made */
};

/* Makes the segments. BAD_INPUT, and statuses of model_new(). To be cleared in any
   case. */
enum status orbit_segments_open(struct orbit_segments *segments,
                                const struct mp_orbit_request *asked,
                                struct diagnosis *diagnosis);
/* The same segments for runs of their own, differentiated by so many of the first
   parameters of the request, and with the parameters of the model that have a text in
   value [p of the request's model], NULL for none, at that value. Texts and the other
   segments outlive them. */
void orbit_segments_borrow(struct orbit_segments *segments,
                           const struct orbit_segments *from, int parameters,
                           const char *const *value);
void orbit_segments_clear(struct orbit_segments *segments);

/* Runs segment k from independent components z [count] over its part of the period.
   Statuses of runs; NO_ORBIT: an event ends the motion before, or the end is in another
   mode than the next node; NOT_APPLICABLE: formulas depend on time. */
enum status orbit_segment_make(struct orbit_segments *segments, int k, int digits,
                               mpfr_srcptr z, mpfr_srcptr period, enum orbit_route route,
                               int threads, struct diagnosis *diagnosis);
/* The request of the last run of segment k, at so many digits. */
struct reference_request orbit_segment_request(const struct orbit_segments *segments,
                                               int k, int digits, int threads);

/* The end of the last run of segment k. */
static inline const struct mp_point *orbit_segment_end(const struct orbit_segments *s,
                                                       int k)
{
    return &s->own[k].run->sample[0];
}
/* Component i of (q, v, s) at a point of the last run of segment k, or its derivative by
   column j of the run. */
static inline mpfr_srcptr orbit_segment_value(const struct orbit_segments *s, int k,
                                              const struct mp_point *point, int i, int j)
{
    return point->x[column(&s->own[k].run->columns, GROUP_Q, 0, j) + i];
}
/* The column of a start that is later: minus the rate of an autonomous motion. */
static inline int orbit_segment_start(const struct orbit_segments *s, int k)
{
    return s->plan[k].count;
}
/* The node after segment k. */
static inline int orbit_next(const struct orbit_segments *s, int k)
{
    return k + 1 < s->nodes ? k + 1 : 0;
}

/* A number as decimal text that identifies it; to be freed. */
char *orbit_number_text(mpfr_srcptr x);

#endif
