/*
 * adjoint.h - gradients of a cost by any number of parameters from one run forwards and
 * one sweep backwards.
 *
 * With y = (q, v, s), rates f and a cost psi that ends as w(t, y, rho) + z, z' = g:
 *
 *     mu' = -(f_y' mu + g_y' mu_z),   G' = -(f_rho' mu + g_rho' mu_z)      backwards
 *     mu- = S' mu+,   G- = G+ + mu+' P        at an event with Y+ = S Y- + P
 *     psi_rho = mu(t0)' Y(t0) + G(t0)
 *
 * mu' Y + G is constant in time, across events, too. A moving end adds (g + w_t + w_y f)
 * dt_F/drho. Sources: Cao, Li, Petzold, Serban 2003; across events the transpose of the
 * saltation (jump.h), to which each rule of the table comes by itself: S and P are what
 * the rule makes of unit columns.
 *
 * Methods:
 *   adjoint            the adjoint equations, integrated over the dense output of the run
 *                      with a control of their own errors
 *   discrete-adjoint   the transpose of the explicit Runge-Kutta steps of the run, stage
 *                      by stage (Hager 2000; Walther 2007): the gradient of the direct
 *                      method on the same steps, to rounding, whatever the tolerance
 *
 * Threads: an adjoint belongs to one thread at a time.
 */
#ifndef SALTUS_ADJOINT_H
#define SALTUS_ADJOINT_H

#include <stddef.h>

#include "run.h"

struct adjoint_method;

/*
 * Second derivatives are the tangent of the sweep along every parameter:
 *
 *     d/dt mu'_k = -(f_y' mu'_k + (f_y')'_k mu + ..),   events by jump_second.h
 *
 * at the price of the direct method forwards, whose columns are needed, and of as many
 * sweeps backwards as there are parameters.
 */

/* The gradient that is asked for. The caller sets every member. */
struct adjoint_request {
    struct run_request run;     /* model, formulation, parameters differentiated by, ...;
                                   `beside` does not count */
    const struct adjoint_method *method;    /* NULL: the first one */
    int cost;                   /* index of a cost of the model; -1: `component` */
    int component;              /* component of (q, v, s) at the end, at fixed time */
    bool hessian;               /* second derivatives, too; by the first method only */
    bool steps_of_direct;       /* the run forwards is that of the direct method, whose
                                   steps control the errors of derivatives, too, and which
                                   grows with their number: where a motion moves
                                   derivatives by its rounding, as beside a grazing
                                   contact, both methods then have the same ones. Methods
                                   that transpose its steps always take them */
    size_t memory;              /* bytes for checkpoints (events/history.h); 0:
                                   ADJOINT_MEMORY */
};
enum { ADJOINT_MEMORY = 64 << 20 };

/* The weights at an instant with events. */
struct adjoint_instant {
    double t;
    int event, events;          /* the first event in the trajectory, and how many */
    double *mu_before, *mu_after;   /* [2n + ns] before all of them, and after */
    double *G_before, *G_after; /* [parameters] */
};

/* The weights at a sample of the request; mu is NAN at samples to which no step led. */
struct adjoint_sample {
    double t;
    double *mu, *G;             /* [2n + ns] [parameters] */
};

/* A gradient, with the run that it belongs to. */
struct gradient {
    double value;               /* psi, or the component */
    double *by_rho;             /* [parameters] */
    double *hessian;            /* [parameters][parameters] second derivatives; NULL: not
                                   asked for. Each row is a tangent of the sweep, so that
                                   asymmetry shows errors */
    double *mu, *G;             /* [2n + ns] [parameters] at the start */
    int instants;               /* number of instants with events */
    struct adjoint_instant *instant;    /* by time */
    int samples;
    struct adjoint_sample *sample;  /* [samples] by time */
    struct trajectory *trajectory;  /* run forwards; with derivatives if it is that of
                                       the direct method */
    long steps;                 /* backward steps */
    long pullbacks;             /* points at which the equations were pulled back */
    long repeated;              /* forward steps that were made again for want of
                                   memory */
};

struct adjoint;
/* NULL and a diagnosis, as from runner_new(), if the request cannot be run;
   NOT_APPLICABLE also for a method that does not take the integrator. */
struct adjoint *adjoint_new(const struct adjoint_request *request,
                            struct diagnosis *diagnosis);
/* The gradient at parameters value [model->p], NULL: those of the request. OK; each
   status of a run; GRAZING: the condition of an event leaves no digit of its derivative;
   SIMULTANEOUS: the orders of events at one instant have different derivatives. *out is
   NULL on a refusal; else the caller frees it. */
enum status adjoint_run(struct adjoint *adjoint, const double *value,
                        struct gradient **out, struct diagnosis *diagnosis);
/* Tolerances of the runs from now on. */
void adjoint_tolerances(struct adjoint *adjoint, double rtol, double atol);
void adjoint_free(struct adjoint *adjoint);
void gradient_free(struct gradient *gradient);

/* The methods, NULL-terminated. */
extern const struct adjoint_method *const adjoint_methods[];
/* NULL: there is none of this name. */
const struct adjoint_method *adjoint_method_find(const char *name);
const char *adjoint_method_name(const struct adjoint_method *method);

#endif
