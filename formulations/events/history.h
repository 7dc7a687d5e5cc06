/*
 * history.h - the course of a run, kept so that it can be gone through backwards: the
 * time of every step, the state at both sides of every event, and states at some steps,
 * checkpoints, from which the steps between them are made again.
 *
 * States take at most the memory that is given. While the run goes on, checkpoints are
 * set at every stride-th step; when half of the memory is full every other one is dropped
 * and the stride doubles. Backwards, the other half and what has been passed serve
 * further checkpoints, set by binomial division (Griewank 1992; Griewank, Walther 2000):
 * with s free checkpoints and at most r repetitions of any step, (s + r)!/(s! r!) steps
 * can be gone through. A run whose states all fit repeats no step at all.
 *
 * Beyond these states a history has 12 bytes for a step and two states for an arc.
 */
#ifndef SALTUS_HISTORY_H
#define SALTUS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* A motion between two events, in one mode. */
struct history_arc {
    int mode;                   /* index in the model */
    double t;                   /* s; its beginning */
    double *x, *x_end;          /* [state] where it begins, and before the event that ends
                                   it, or at the end of the run */
    long first, end;            /* its steps: [first, end) */
    double extended;            /* s; length of the last step, on whose dense output the
                                   event lies; 0: the step was made up to the event */
    int event, events;          /* number of events that end it, and the first of them, in
                                   the trajectory of the run; 0: the end, or a guard that
                                   was passed */
};

struct history {
    int state;                  /* length of a state: q, v, s, z */
    long most;                  /* number of checkpoints that fit into the memory */
    int arcs, arc_room;
    struct history_arc *arc;    /* [arcs] */
    long steps;
    int step_room;
    double *t;                  /* [steps] s; ends of steps */
    int used_room;
    int *used;                  /* [steps] number of the choice of the step */
    int placed_room, placeds;
    long *placed;               /* [placeds] steps placed across a singular configuration
                                   (singular_stepping.c) */
    int choices, choice_room;
    struct history_choice {
        int count, *index;      /* [count] a choice of coordinates (system_choice) */
    } *choice;                  /* [choices] all of them */
    long stride;
    int checkpoints, checkpoint_room;
    struct checkpoint {
        long step;              /* the state is that at the end of this step */
        double *x;              /* [state] */
    } *checkpoint;              /* [checkpoints] by step; later ones keep their memory */
    long repeated;              /* steps made again by history_steps_back to set
                                   checkpoints, or to come to a step */
    double extended;            /* of the arc in hand; set before its end */
    int scratch_room, *scratch; /* a choice, for the caller of history_choice */
    bool implicit;              /* a step has been made by another method, where equations
                                   are stiff */
};

/* An empty history for states of this length, with `bytes` for checkpoints; at least two
   fit. */
void history_init(struct history *history, int state, size_t bytes);
/* Forgets all, for another run, but keeps the memory. */
void history_clear(struct history *history);
void history_free(struct history *history);

/* While a run goes on: an arc begins at t with x [state]; a step ends at t; the arc ends
   before `events` events, whose first is `event`. */
void history_begin_arc(struct history *history, int mode, double t, const double *x);
void history_step(struct history *history, double t, const double *x);
/* Says that the step that ended last had been placed. */
void history_placed(struct history *history);
/* Says with which choice of coordinates, index [count], the step that ended last was
   made. */
void history_choice(struct history *history, const int *index, int count);
void history_end_arc(struct history *history, const double *x, int event, int events);

/* A step of the run, from x [state] at t over h, to be gone through: the step itself, or
   a part of the step `length` by its dense output, where this is longer. */
struct history_step {
    double t, h, length;
    bool placed;                /* across a singular configuration */
    const int *choice;
    const double *x;
};

/* Makes the step again, to x_new [state]. A status other than OK ends the way back. */
typedef enum status history_make(void *context, const struct history_step *step,
                                 double *x_new);
/* Goes through the step. */
typedef enum status history_visit(void *context, const struct history_step *step);

/* Goes through the steps of an arc, the last one first. Arcs are gone through once, the
   last one first: their checkpoints are given up. Status of `make` or `visit`. */
enum status history_steps_back(struct history *history, const struct history_arc *arc,
                               history_make *make, history_visit *visit, void *context);

#endif
