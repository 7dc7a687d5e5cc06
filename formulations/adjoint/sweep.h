/*
 * sweep.h - the state of a sweep backwards, for the methods of adjoint.h.
 */
#ifndef SALTUS_SWEEP_H
#define SALTUS_SWEEP_H

#include "adjoint/adjoint.h"
#include "equations/pullback.h"
#include "events/history.h"
#include "events/hybrid.h"

struct sweep {
    struct hybrid *core;            /* the run; without columns unless `directions` */
    int N;                          /* 2n + ns */
    int parameters;
    const int *parameter;           /* [parameters] index in the model */
    struct pullback **pullback;     /* [modes] made when a mode is met */
    bool *set;                      /* [modes] it has the parameters of the run */
    bool untransposed;              /* ADJOINT_MATRIX_AS_IT_IS (adjoint_faults.h) */
    double *mu, *mu_z, *G;          /* [N] [nz] [parameters] the weights */
    int directions;                 /* `parameters` for second derivatives, else 0 */
    double *mu_dot, *G_dot;         /* [directions][N] [directions][parameters] their
                                       derivatives by each parameter */
    double *by_x, *by_rho;          /* [N] [parameters] scratch: a pullback */
    double *unit, *own;             /* [N + nz] [N] scratch: a column, weights */
    double *dx;                     /* [dim of the core] scratch: rates */
    double t;                       /* s; time of the last pullback */
    long pullbacks, steps;
    struct arena arena;             /* of all arrays */
};

/* The weights and scratch of a sweep back over runs of `core`, with derivatives of the
   weights where the request asks for second ones; `parameter` [parameters] holds indices
   in the model. */
void sweep_init(struct sweep *sweep, struct hybrid *core,
                const struct adjoint_request *request, const int *parameter);
void sweep_clear(struct sweep *sweep, const struct model *model);
/* A step begins: pullback_restart, where a program is used, which is not so with
   `directions`. */
void sweep_restart(struct sweep *sweep);
/* Solves the equations of the mode in hand at x, and prepares its pullback there, with
   the statuses of pullback_at. */
enum status sweep_pullback_at(struct sweep *sweep, double t, const double *x);
/* sweep->by_x, by_rho by weights mu at that point; statuses of pullback_weights. */
enum status sweep_pullback(struct sweep *sweep, const double *mu);
/* Derivatives of these by parameter k, where the state moves by Y [N] and the weights by
   mu_dot [N]; statuses of pullback_along. */
enum status sweep_pullback_along(struct sweep *sweep, int k, const double *Y,
                                 const double *mu_dot, double *by_x_dot,
                                 double *by_rho_dot);
/* Carries weights mu [N] back over the projection of the formulation at x [dim of the
   core], which is projected: back [N] weighs what mu weighs after the projection, and G
   grows. mu and back may be one. Statuses of system_project. */
enum status sweep_project_back(struct sweep *sweep, double t, double *x, const double *mu,
                               double *back);
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
