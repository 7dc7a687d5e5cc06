/*
 * sweep.h - the state of a sweep backwards, for the methods of adjoint.h.
 */
#ifndef SALTUS_SWEEP_H
#define SALTUS_SWEEP_H

#include "equations/pullback.h"
#include "events/history.h"
#include "events/hybrid.h"

struct sweep {
    struct hybrid *core;            /* the run, which has no columns */
    struct history *history;
    int N;                          /* 2n + ns */
    int parameters;
    const int *parameter;           /* [parameters] index in the model */
    struct pullback **pullback;     /* [modes] made when a mode is met */
    bool *set;                      /* [modes] it has the parameters of the run */
    bool untransposed;              /* ADJOINT_MATRIX_AS_IT_IS (adjoint_faults.h) */
    double *mu, *mu_z, *G;          /* [N] [nz] [parameters] the weights */
    double *by_x, *by_rho;          /* [N] [parameters] scratch: a pullback */
    double *dx;                     /* [state] scratch: rates */
    double t;                       /* s; time of the last pullback */
    long pullbacks, steps;
    struct arena arena;             /* of all arrays */
};

/* Solves the equations of the mode in hand at x, and prepares its pullback there, with
   the statuses of pullback_at. */
enum status sweep_pullback_at(struct sweep *sweep, double t, const double *x);
/* sweep->by_x, by_rho by weights mu at that point; statuses of pullback_weights. */
enum status sweep_pullback(struct sweep *sweep, const double *mu);
/* Makes a forward step again, with dx = x' at its beginning, to core->step.x_new; not
   projected. */
enum status sweep_step(struct sweep *sweep, const struct history_step *step);

/* A way through the steps of an arc. Its file sets every member. */
struct adjoint_method {
    const char *name, *title, *source;
    bool transposes;                /* the steps of the direct method, exactly */
    /* Why it does not take this integrator; NULL: it does. */
    const char *(*refuses)(const struct integrator *integrator);
    /* Work of a sweep. */
    void *(*alloc)(struct sweep *sweep);
    void (*release)(void *work);
    /* Begins an arc at its end. */
    enum status (*begin)(void *work);
    /* Carries the weights from the end of a step to its beginning. `context` of
       history_steps_back is the work. */
    history_visit *visit;
};

extern const struct adjoint_method adjoint_continuous, adjoint_discrete;

#endif
