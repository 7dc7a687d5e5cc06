/*
 * run.h - integrate a hybrid model with its sensitivities, in double.
 *
 * One immutable request, one result. Any formulation with any integrator and any jump
 * rule runs through the one event core of hybrid/.
 *
 * Threads: run_once(), runner_new() and batch_new() may be called from any number of
 * threads at once, with requests of one model, too: the model is only read. Formulas that
 * a run makes are on a branch of the model that is the run's own. A runner, a batch and a
 * trajectory belong to one thread at a time. Plug-ins are added before the first run;
 * from then on the tables of formulations, integrators and jump rules are constant.
 * `progress` is called by the thread that runs.
 */
#ifndef SALTUS_RUN_H
#define SALTUS_RUN_H

#include "base/api.h"
#include "codegen/code_use.h"
#include "columns.h"
#include "formulation.h"
#include "integrators/integrator.h"
#include "model.h"

SALTUS_API_BEGIN

struct jump_rule;

struct run_request {
    const struct model *model;
    const struct formulation *formulation;
    const char *const *option;          /* values in the order of formulation->options;
                                           NULL, or one that is NULL: nominal */
    const struct integrator *integrator;    /* NULL: integrator_default() */
    const struct jump_rule *rule;       /* NULL: saltation */
    double rtol, atol;
    int parameters;                     /* differentiated: indices in the model */
    const int *parameter;
    const double *value;                /* [model->p], or NULL: nominal */
    double t_end;                       /* NAN: the model's */
    int samples;                        /* times in (t0, t_end], increasing */
    const double *sample;
    bool without_costs;                 /* z is left out: nobody asks for costs */
    bool without_unknowns;              /* nobody asks for a, lambda and their
                                           derivatives: they are NAN in every point */
    bool beside;                        /* one of many beside each other (batch_new):
                                           equations are arranged for vectors of runs,
                                           results differ in the last digits */
    enum code_use code;                 /* SALTUS_CODE=auto, never, always decides where
                                           it is CODE_AUTO */
    long max_steps, max_events;         /* 0: 1e6 and 1e4 */
    /* told now and then how far along it is (0..1); false stops (status BAD_INPUT) */
    bool (*progress)(void *context, double done);
    void *progress_context;
};

/* The values of SALTUS_CODE, in the order of enum code_use; another one is no value:
   whoever has a user tells him. NULL-terminated. */
extern const char *const run_code_names[];

/* A point of a trajectory: all columns of columns.h; multipliers the mode does not have
   are NAN. */
struct run_point {
    const struct mode *mode;
    double t;
    double *x;                          /* [columns.count]; a and lambda solve the
                                           equations at (t, q, v, s) */
    double *stage;                      /* of a DAE, at a sample that a step led to: a
                                           [n], lambda [m] as the method has them itself,
                                           then their derivatives by each parameter; else
                                           NULL */
};

struct event_record {
    const struct event *event;
    double *tau;                        /* [parameters] dt_e/drho; in one block with the
                                           numbers below */
    struct run_point before, after;     /* one-sided values at t_e */
    double *impulse;                    /* [event->impulses] */
    double rate;                        /* rd, transversality */
    double condition;                   /* of t_e and dt_e/drho, condition.h; of a chained
                                           event that of its own guard */
    double growth;                      /* of errors, from the start up to after the
                                           events of this instant (struct error_growth);
                                           0: not known */
};

/* One order of events that fall together, run through from the state before them. */
struct order_tried {
    int events;
    const struct event **event;         /* [events] in this order */
    double *tau;                        /* [events][parameters] dt_e/drho of each */
    struct run_point after;             /* after all of them: with the derivatives on the
                                           side on which they come in this order. x NULL:
                                           the motion does not go on */
    struct diagnosis refusal;           /* then why; else status OK */
};

/* Guards that became zero at one time, though not identically in the parameters. */
struct together {
    double t;
    char names[120];                    /* "left and right" */
    bool agree;                         /* all orders lead to the same: the run went on */
    int orders, room;
    struct order_tried *order;          /* the first: as declared */
};

/*
 * By how much errors have grown since the start: relative ones of the parameters in q, v
 * and s, the largest so far, which those of the run follow. It is noted at events and
 * samples, from the second on, by sensitivities: without any it is not known. Errors of
 * the run are taken to be as large as its tolerance allows; they may be less. A run in
 * which not even rounding leaves a digit is refused, NO_DIGITS.
 */
struct error_growth {
    double factor;                      /* at least 1; 0: not known */
    double digits;                      /* left at rtol, or in double: -log10(rtol
                                           factor); INFINITY: not known */
    double worn_at, none_at;            /* when they became fewer than 2, and none;
                                           INFINITY: they did not */
    int parameter;                      /* then: in the model, by which it grew most */
};

/* One block, but for events. */
struct trajectory {
    struct columns columns;             /* their model is the request's, or without costs
                                           a copy of its own */
    int *parameter;
    double *value;                      /* [model->p] parameters of the run, or NULL */
    int samples, events, event_room;
    struct run_point *sample;           /* sample[0] is the start; a sample at the time of
                                           an event is there twice: the x of the first is
                                           that of the event, before */
    double *room;                       /* for the x, of a DAE also the stage, of the
                                           samples that come */
    struct event_record *event;         /* of events that fall together, in declared
                                           order; `before` and `after` of each are those
                                           of all of them */
    int togethers, together_room;
    struct together *together;          /* on a refusal SIMULTANEOUS the last one says
                                           what each order leads to */
    double *psi;                        /* [nz * (1 + p)] z + w, and gradients */
    long steps, rejections, evaluations;
    long implicit_steps;                /* of an arc that was found to be stiff, by the
                                           method that goes on there (integrator.h) */
    double worst_Phi, worst_Phid;       /* largest |Phi|, |Phid| at step ends */
    struct error_growth growth;
};

/* The first of the list that takes this kind of equations: explicit for ALGEBRAIC
   ones. */
const struct integrator *integrator_default(const struct formulation *formulation);
/* The one that a run begins with which asks for `wanted`, or for none, NULL. */
const struct integrator *integrator_chosen(const struct formulation *formulation,
                                           const struct integrator *wanted);

/* On refusal: the status, diagnosis with time and place, and *out holds what was reached
   (NULL if nothing was). */
enum status run_once(const struct run_request *request, struct trajectory **out,
                     struct diagnosis *diagnosis);
/* Room for what such a run leaves, nothing in it yet but which columns there are and
   `value` [model->p], which may be NULL; and for another event of it, all zero. */
struct trajectory *trajectory_blank(const struct run_request *request,
                                    const double *value);
struct event_record *trajectory_add_event(struct trajectory *trajectory,
                                          const struct event *event);
void trajectory_free(struct trajectory *trajectory);

/*
 * The same request for many values of the parameters: what does not depend on them is
 * made once. What `request` points to must last as long. NULL and a diagnosis as from
 * run_once().
 */
struct runner;
struct runner *runner_new(const struct run_request *request, struct diagnosis *diagnosis);
/* As run_once(), with parameters `value` [model->p]. The same to the bit, whatever was
   run before. */
enum status runner_run(struct runner *runner, const double *value,
                       struct trajectory **out, struct diagnosis *diagnosis);
/* Other tolerances from the next run on. */
void runner_tolerances(struct runner *runner, double rtol, double atol);
void runner_free(struct runner *runner);

/*
 * Many runs of one request, several of them beside each other: where steps of an explicit
 * Runge-Kutta pair are made in the same mode, by compiled equations, they are made in
 * lanes of vectors. Every run is that of runner_run, to the bit, whatever the others do.
 * `lanes`: at most so many; 0: SALTUS_LANES, or as many as there are. 1: one after the
 * other.
 */
struct batch_run {
    const double *value;                /* [model->p] */
    const double *sample;               /* [request->samples], or NULL: as in the
                                           request */
    enum status status;
    struct trajectory *trajectory;      /* as from run_once() */
    struct diagnosis diagnosis;
};

struct batch;
struct batch *batch_new(const struct run_request *request, int lanes);
void batch_run(struct batch *batch, struct batch_run *run, int count);
/* How many steps have been made in lanes. */
long batch_steps_in_lanes(const struct batch *batch);
void batch_free(struct batch *batch);

/* Nominal values in double; [model->p]. NOT_FINITE names the parameter. */
enum status model_nominal_values(const struct model *model, double *value,
                                 struct diagnosis *diagnosis);
/* t0 and t_end at given parameter values. */
enum status model_times(const struct model *model, const double *value, double *t0,
                        double *t_end, struct diagnosis *diagnosis);

SALTUS_API_END

#endif
