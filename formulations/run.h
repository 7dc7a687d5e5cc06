/*
 * run.h - integrate a hybrid model with its sensitivities, in double.
 *
 * One immutable request gives one result. Any formulation, any integrator and any jump
 * rule run through the one event core of events/.
 *
 * Threads: any number of threads may call run_once(), runner_new() and batch_new() at
 * once, with requests of one model, too, because a run only reads the model. A run writes
 * its formulas on a branch of the model, which is its own. A runner, a batch and a
 * trajectory belong to one thread at a time. Plug-ins are added before the first run;
 * from then on the tables of formulations, integrators and jump rules are constant. The
 * thread that runs calls `progress`.
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

/* The limits of a run whose request has none. */
enum { RUN_MAX_STEPS = 1000000, RUN_MAX_EVENTS = 10000 };

/* The caller sets every member. */
struct run_request {
    const struct model *model;
    const struct formulation *formulation;
    const char *const *option;          /* texts in the order of formulation->options;
                                           NULL, or a text that is NULL: nominal */
    const struct integrator *integrator;    /* NULL: integrator_default() */
    const struct jump_rule *rule;       /* NULL: saltation */
    double rtol, atol;                  /* relative and absolute tolerance of a step */
    int parameters;                     /* number of parameters differentiated by */
    const int *parameter;               /* [parameters] their indices in the model */
    const double *value;                /* [model->p] parameters; NULL: nominal */
    double t_end;                       /* end of the run; NAN: the model's */
    int samples;                        /* number of sample times */
    const double *sample;               /* [samples] times in (t0, t_end], increasing */
    bool without_costs;                 /* the costs z are not integrated */
    bool without_unknowns;              /* a, lambda and their derivatives are NAN in
                                           every point */
    bool beside;                        /* the run is one of a batch (batch_new): its
                                           equations are arranged for vectors of runs, and
                                           its results differ in the last digits */
    enum code_use code;                 /* when equations are compiled; CODE_AUTO: the
                                           environment's SALTUS_CODE decides, if set */
    double max_step;                    /* s; the longest step; 0: no limit */
    int stops;                          /* number of times at which a step ends, besides
                                           those of the model */
    const double *stop;                 /* [stops] such times, in any order; one outside
                                           the run does not count */
    long max_steps;                     /* steps, refused ones included, after which the
                                           run is refused, TOO_MANY_STEPS; 0:
                                           RUN_MAX_STEPS */
    long max_events;                    /* events after which the run is refused,
                                           TOO_MANY_EVENTS or ZENO; 0: RUN_MAX_EVENTS */
    /* Callback with the part of the run that is done, 0..1; NULL: none. A result of false
       ends the run with BAD_INPUT. */
    bool (*progress)(void *context, double done);
    void *progress_context;             /* first argument of `progress` */
};

/* The values of SALTUS_CODE, in the order of enum code_use, NULL-terminated. Runs ignore
   any other value, so a program with a user should report such a value. */
extern const char *const run_code_names[];

/* A point of a trajectory. The run sets every member. */
struct run_point {
    const struct mode *mode;
    double t;
    double *x;                          /* [columns.count] the columns of columns.h; a and
                                           lambda solve the equations at (t, q, v, s);
                                           multipliers that the mode lacks are NAN */
    double *stage;                      /* a [n] and lambda [m] as the method of a DAE has
                                           them, then their derivatives by each parameter;
                                           NULL unless a step of a DAE ended here */
};

/* An event of a trajectory. The run sets every member. */
struct event_record {
    const struct event *event;
    double *tau;                        /* [parameters] dt_e/drho; owns the memory of all
                                           numbers of the record */
    struct run_point before, after;     /* one-sided values at t_e */
    double *impulse;                    /* [event->impulses] */
    double rate;                        /* rd, transversality */
    double condition;                   /* condition of t_e and dt_e/drho (condition.h);
                                           for a chained event, of its own guard */
    double growth;                      /* error_growth.factor after all events of this
                                           instant; 0: not known */
};

/* One order of simultaneous events, run through from the state before them. */
struct order_tried {
    int events;                         /* number of events */
    const struct event **event;         /* [events] in this order */
    double *tau;                        /* [events][parameters] dt_e/drho of each */
    struct run_point after;             /* point after all of them, with the one-sided
                                           derivatives that belong to this order; x NULL:
                                           the motion does not go on */
    struct diagnosis refusal;           /* reason why not; status OK if it goes on */
};

/* Simultaneous events: guards that became zero at one time, though not identically in the
   parameters. */
struct together {
    double t;
    char names[120];                    /* events as a text: "left and right" */
    bool agree;                         /* all orders give one result: the run goes on */
    int orders, room;                   /* number of orders, and allocated */
    struct order_tried *order;          /* [orders] the declared order first */
};

/*
 * Growth of errors since the start. The growth is that of relative errors of the
 * parameters in q, v and s, relative to the largest these have been so far, and errors of
 * the run grow like these. Sensitivities give the growth at events and samples, from the
 * second one on; a run without sensitivities does not know its growth. Errors of the run
 * are taken to be as large as its tolerance allows, and may be smaller. A run is refused
 * with NO_DIGITS when rounding errors alone leave no digit, and go on growing.
 */
struct error_growth {
    double factor;                      /* growth, at least 1; 0: not known */
    double digits;                      /* decimal digits left: -log10(max(rtol, eps)
                                           factor); INFINITY: not known */
    double worn_at, none_at;            /* times from which on fewer than 2 digits, and
                                           none, are left; INFINITY: more are left */
    int parameter;                      /* index in the model of the parameter that grew
                                           most at worn_at; -1: none */
};

/* A result, one block of memory but for events. The run sets every member. */
struct trajectory {
    struct columns columns;             /* layout of x; without costs, of a copy of the
                                           model that the trajectory holds */
    int *parameter;                     /* [parameters] copied from the request */
    double *value;                      /* [model->p] parameters of the run, or NULL */
    int samples, events, event_room;    /* numbers of samples, events; room for events */
    struct run_point *sample;           /* sample[0] is the start. A sample at the time of
                                           an event is there twice; the x of the first one
                                           is event[].before.x */
    double *room;                       /* memory not yet used for x and stage of samples
                                           to come */
    struct event_record *event;         /* simultaneous events stand in declared order;
                                           `before` and `after` of each are those of the
                                           whole instant */
    int togethers, together_room;       /* number of `together`, and allocated */
    struct together *together;          /* on a refusal SIMULTANEOUS the last one holds
                                           the result of each order */
    double *psi;                        /* [nz * (1 + p)] costs z + w, and gradients */
    long steps, rejections, evaluations;    /* accepted and refused steps; right-hand
                                               sides */
    long compiled;                      /* evaluations by generated code alone; those of
                                           runs in lanes are not counted */
    long implicit_steps;                /* steps of the implicit method on arcs found to
                                           be stiff (integrator.h) */
    double worst_Phi, worst_Phid;       /* largest |Phi|, |Phid| at step ends */
    struct error_growth growth;         /* at the last event or sample */
};

/* The first integrator of the list that takes this kind of equations: an explicit one for
   ALGEBRAIC equations, an implicit one for a DAE. */
const struct integrator *integrator_default(const struct formulation *formulation);
/* The integrator that a run begins with if its request names `wanted`: that of the DAE
   (wanted->stiff) for a DAE, the default for NULL, else `wanted`. */
const struct integrator *integrator_chosen(const struct formulation *formulation,
                                           const struct integrator *wanted);

/* Runs a request. OK, or the status of the refusal (status.def); the diagnosis, which may
   be NULL, then has time and place. *out holds the part that was reached, NULL if none
   was; the caller frees the trajectory. */
enum status run_once(const struct run_request *request, struct trajectory **out,
                     struct diagnosis *diagnosis);
/* A trajectory with room for the result of such a run, empty but for its columns and
   `value` [model->p], which may be NULL. */
struct trajectory *trajectory_blank(const struct run_request *request,
                                    const double *value);
/* Adds a record of an event, all numbers zero; earlier records may change places. */
struct event_record *trajectory_add_event(struct trajectory *trajectory,
                                          const struct event *event);
/* Frees a trajectory and its events; NULL is allowed. */
void trajectory_free(struct trajectory *trajectory);

/*
 * A request that is run for many values of the parameters. A runner makes everything that
 * does not depend on these values once. The objects that `request` points to must outlive
 * the runner.
 */
struct runner;
/* NULL and a diagnosis, as from run_once(), if the request cannot be run. */
struct runner *runner_new(const struct run_request *request, struct diagnosis *diagnosis);
/* run_once() with parameters `value` [model->p]; NULL: the request's. The result is
   the same to the bit, whatever the runner has run before. */
enum status runner_run(struct runner *runner, const double *value,
                       struct trajectory **out, struct diagnosis *diagnosis);
/* Sets the tolerances of the runs that follow. */
void runner_tolerances(struct runner *runner, double rtol, double atol);
void runner_free(struct runner *runner);

/*
 * Many runs of one request, up to 8 of them beside each other in SIMD lanes. Runs share
 * lanes where they make steps of an explicit Runge-Kutta pair in one mode, by compiled
 * equations. Every run is that of runner_run, to the bit, whatever the others do.
 */
struct batch_run {
    const double *value;                /* [model->p] set by the caller */
    const double *sample;               /* [request->samples] set by the caller; NULL:
                                           those of the request */
    enum status status;                 /* set by batch_run, like the rest */
    struct trajectory *trajectory;      /* result as of run_once(); the caller frees it */
    struct diagnosis diagnosis;
};

struct batch;
/* `lanes`: at most so many are used; 0: SALTUS_LANES, or all there are; 1: one run after
   the other. */
struct batch *batch_new(const struct run_request *request, int lanes);
/* Makes the runs run[count]. */
void batch_run(struct batch *batch, struct batch_run *run, int count);
/* The number of steps made in lanes so far. */
long batch_steps_in_lanes(const struct batch *batch);
void batch_free(struct batch *batch);

/* Nominal values of the parameters in double, [model->p]. OK; NOT_FINITE names the
   parameter, BAD_INPUT a value that depends on a variable. */
enum status model_nominal_values(const struct model *model, double *value,
                                 struct diagnosis *diagnosis);
/* t0 and t_end at parameters `value` [model->p]. OK, NOT_FINITE. */
enum status model_times(const struct model *model, const double *value, double *t0,
                        double *t_end, struct diagnosis *diagnosis);

SALTUS_API_END

#endif
