/*
 * complex_model.h - a model under one formulation, ready for a complex-step run.
 *
 * Shared with the judged run: the recorded formulas M, F, Phi, guards and resets, and the
 * way in which the formulation puts its residual together, values only. Not shared:
 * derivatives of the constraints and the equations of resets, which come from the second
 * differentiation (reference/equations/derive.h); derivative rows (but for Newton
 * matrices), the linearisation of the start, reset differentiation.
 */
#ifndef SALTUS_COMPLEX_MODEL_H
#define SALTUS_COMPLEX_MODEL_H

#include "base/arena.h"
#include "formula/domain_edges.h"
#include "monitors/sharp_terms.h"
#include "oracles/complex_domain_edges.h"
#include "oracles/complex_saddle.h"
#include "run.h"

struct complex_mode {
    struct complex_saddle motion;       /* equations R(u) = 0 of the motion */
    struct complex_outputs rates;       /* f_s, then g */
    struct complex_outputs guards;      /* guards of the events that leave this mode */
    int events;
    const struct event **event;         /* events in the order of `guards` */
    bool guards_use_motion;             /* some guard reads a or lambda */
    struct complex_edges edges;
    struct sharp_terms sharp;           /* terms of M, F, Phi, f_s, g that may vary within
                                           less than a step */
    struct arena arena;                 /* of `sharp` */
};

struct complex_event {
    bool impulsive;
    struct complex_saddle impulse;      /* equations J(w) = 0 of a reset with impulses */
    struct complex_equations reset;     /* equations J(w) = 0 of a reset without */
    struct complex_outputs cost;
    struct complex_edges edges, condition_edges;    /* edges of the reset and its costs,
                                                       and of the conditions */
    struct complex_outputs conditions;
};

struct complex_model {
    const struct model *model;
    struct model *branch;               /* a branch of the model, with the formulas of the
                                           programs here */
    struct complex_mode *mode;          /* [model->modes] */
    struct complex_event *event;        /* [model->events] */
    struct complex_outputs times;       /* t0, t_end */
    struct complex_outputs stops;       /* [model->stops] */
    struct complex_outputs given;       /* q0, v0, s0, then guesses of q, v, s; zero where
                                           they are not set */
    struct complex_equations position, velocity;    /* Phi = 0, Phid = 0 at the start */
    struct complex_equations joint;     /* both with start rows, where there are some */
    struct complex_outputs terminal;    /* terminal costs w */
    struct complex_edges start_edges, end_edges, steady_edges;
    int *group, subsystems;             /* subsystems, by model_groups() */
};

/* Opens a model. The motion of a DAE is run by its reduced formulation. */
enum status complex_model_new(const struct run_request *request,
                              struct complex_model **out, struct diagnosis *diagnosis);
void complex_model_free(struct complex_model *complex_model);

/* Evaluates everything that depends on values->x[BLOCK_RHO] alone. */
void complex_model_rho(struct complex_model *complex_model,
                       const struct complex_values *values);

/* Sets values->x[BLOCK_T] to t0, q, v, s to what is given at t0, and to guesses; and
   t_end. */
void complex_model_given(struct complex_model *complex_model,
                         struct complex_values *values, double complex *t_end);
/* Makes these q, v, s the consistent state at t0. NOT_FINITE: an equation has no value
   there. */
enum status complex_model_start(struct complex_model *complex_model,
                                struct complex_values *values, double eps,
                                struct diagnosis *diagnosis);

/* Solves for accelerations and multipliers of a mode from t, q, v, s. */
enum status complex_model_motion(struct complex_model *complex_model, int mode,
                                 struct complex_values *values, double eps);

/* Solves for w = (q+, v+, s+, impulse) from the values before; cost [nz]: what the event
   adds to z. */
enum status complex_model_reset(struct complex_model *complex_model, int event,
                                struct complex_values *values, double eps,
                                double complex *cost);

#endif
