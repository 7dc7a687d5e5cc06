/*
 * adjoint_parts.h - an adjoint in the making, for the rooms of this folder: its run
 * forwards (adjoint.c), and the way back from the end (ends.c) over instants of events
 * (instants.c) and arcs between them (arcs.c).
 */
#ifndef SALTUS_ADJOINT_PARTS_H
#define SALTUS_ADJOINT_PARTS_H

#include "adjoint/end_weights.h"
#include "adjoint/jump_adjoint.h"
#include "adjoint/jump_second.h"
#include "adjoint/sweep.h"

struct adjoint {
    struct adjoint_request request;
    unsigned faults;                /* set of enum adjoint_fault */
    int *parameter;                 /* [parameters] */
    struct run_request plain, direct;   /* the run without columns, and with all */
    struct runner *runner;          /* of `plain` */
    struct runner *columns;         /* of `direct`: for its start, or for its steps */
    struct history history;
    struct hybrid core;             /* of `plain`, for the way back */
    struct trajectory *out;         /* run forwards */
    bool finished;                  /* by a terminal event */
    struct sweep sweep;
    struct jump_adjoint *jump;
    struct jump_second *second;     /* NULL: no second derivatives are asked for */
    double *Y0_second, *d2t_end;    /* [p][p][state] [p][p] second derivatives of the
                                       start, and of t_end */
    double *mu_second, *G_second;   /* [p][N] [p][p] scratch: of an event */
    struct end_weights *end;        /* NULL: a component is asked for */
    double *Y0;                     /* [state * (1 + parameters)] the start */
    double *mu, *G;                 /* [N] [parameters] scratch: another order */
    struct gradient *gradient;      /* in the making */
};

/* The weights at the end of the run, where the core stands; *by_time is that of
   dt_F/drho. Statuses of end_weights_at and jump_second_end. */
enum status adjoint_end_back(struct adjoint *adjoint, const struct span *start,
                             double *by_time);
/* Carries the weights back over all events that end an arc, the last of the run if it
   `ends` with them, and keeps them in *kept, whose arrays are made. Statuses of
   jump_adjoint_apply and jump_second_apply; SIMULTANEOUS where the gradient depends on
   the order of events. */
enum status adjoint_instant_back(struct adjoint *adjoint, const struct history_arc *arc,
                                 bool ends, double by_time,
                                 struct adjoint_instant *kept);
/* Carries the weights back over the steps of an arc by the method's `work`; statuses of
   the equations, of projections and of the method, BAD_INPUT: interrupted. */
enum status adjoint_arc_back(struct adjoint *adjoint, const struct history_arc *arc,
                             void *work);
/* by_rho [parameters] = mu' Y + G at the start; dt_end of the model counts where no event
   ended the run. */
void adjoint_start_back(const struct adjoint *adjoint, const struct span *start,
                        double by_time, double *by_rho);
/* hessian [parameters][parameters]: (mu' Y + G)'_k at the start. */
void adjoint_start_second_back(const struct adjoint *adjoint, double *hessian);

#endif
