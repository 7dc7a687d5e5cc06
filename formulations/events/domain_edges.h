/*
 * domain_edges.h - branch cuts, poles and ends of domains along a run; see
 * domain_edges.c.
 */
#ifndef SALTUS_EVENTS_DOMAIN_EDGES_H
#define SALTUS_EVENTS_DOMAIN_EDGES_H

#include "base/arena.h"
#include "monitors/edge_monitors.h"

struct hybrid;

struct edge_watch {
    int events;
    struct edge_monitors *event;    /* [events] monitors of their resets and costs */
    struct edge_monitors *condition;    /* [events] monitors of their conditions */
    struct edge_monitors end;       /* monitors of terminal costs */
    struct edge_monitors steady;    /* monitors that depend on parameters only */
    double *value;                  /* values of the mode's monitors at the points of a
                                       piece, then of the formulas beside the monitors */
    double *last;                   /* monitors with unknowns where the step begins; set
                                       by edges_begin_step */
    bool clear;                     /* cubic bounds exclude roots of monitors of the state
                                       on the step; set by hybrid_clear */
    int met;                        /* monitor of the mode whose edge the accepted step
                                       meets, -1: none; set by edges_on_step */
    double theta;                   /* place of that edge, as a part of the step */
};

/* Compiles the monitors of resets, costs and parameters. The arena outlives the watch. */
void edge_watch_init(struct edge_watch *watch, struct arena *arena,
                     const struct model *model);
/* Frees the monitors; the arrays belong to the arena. */
void edge_watch_clear(struct edge_watch *watch);

/* The functions below return OK or the status of the edge that is met. */

/* Sets the parameters of a run, and refuses edges that depend on parameters only. */
enum status edges_steady(struct hybrid *core);
/* Refuses an edge at a point: `monitors` are those of an event or of the end, the time is
   core->t, and `when` follows the place in a message. */
enum status edges_at(struct hybrid *core, struct edge_monitors *monitors,
                     const struct edge_point *point, const char *when);
/* Refuses an edge at core->x, where an arc begins. */
enum status edges_at_start(struct hybrid *core);
/* Notes the monitors at core->x, where the next step begins; the step monitors
   (step_monitors.h) have been evaluated there. */
void edges_begin_step(struct hybrid *core);
/* Looks through the accepted step h, unless the step is clear of edges: sets met and
   theta. A status of the equations inside the step is returned, too. */
enum status edges_on_step(struct hybrid *core, double h);
/* Refuses the edge `met` on the step h. */
enum status edges_refuse(struct hybrid *core, double h);
/* The status of a run that cannot go on with `status`: the status of an edge just ahead,
   if one is the reason, else `status`. */
enum status edges_refusal(struct hybrid *core, enum status status);

#endif
