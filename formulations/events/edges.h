/*
 * edges.h - branch cuts, poles and ends of domains along a run, see edges.c.
 */
#ifndef SALTUS_EVENTS_EDGES_H
#define SALTUS_EVENTS_EDGES_H

#include "base/arena.h"
#include "monitors/edge_monitors.h"

struct hybrid;

struct edge_watch {
    int events;
    struct edge_monitors *event;    /* [events] of their resets and costs */
    struct edge_monitors end;       /* of terminal costs */
    struct edge_monitors steady;    /* of what depends on parameters only */
    double *value;                  /* monitors of a mode at the nodes of a piece, then
                                       what is beside them */
    double *last;                   /* those with unknowns, where the step begins */
    bool clear;                     /* the step is clear of those of the state, see
                                       guard_exclusion.c */
    int met;                        /* monitor of the mode whose edge is met on the step
                                       accepted last; -1: none; */
    double theta;                   /* and where, as a part of that step */
};

/* The arena outlives the watch. */
void edge_watch_init(struct edge_watch *watch, const struct model *model,
                     struct arena *arena);
void edge_watch_clear(struct edge_watch *watch);

/* All of these refuse with the status of an edge. */

/* A run begins: what depends on its parameters only. */
enum status edges_steady(struct hybrid *core);
/* The monitors of an event or of the end, at core->t; `when` follows the place in a
   message. */
enum status edges_at(struct hybrid *core, struct edge_monitors *monitors,
                     const struct edge_point *point, const char *when);
/* An arc begins at core->x. */
enum status edges_at_start(struct hybrid *core);
/* The next step begins at core->x, where it has been looked at (step_monitors.h). */
void edges_begin_step(struct hybrid *core);
/* Looks through the step h that has just been accepted, unless it is clear: sets met and
   theta. What the equations say inside the step is returned. */
enum status edges_on_step(struct hybrid *core, double h);
/* The edge met there. */
enum status edges_refuse(struct hybrid *core, double h);
/* A run that cannot go on just before an edge ends there: `status`, or that of the
   edge. */
enum status edges_refusal(struct hybrid *core, enum status status);

#endif
