/*
 * saltus.h - the library: motions of hybrid mechanisms, and their derivatives by
 * parameters, through all events.
 *
 *     struct saltus_error error;
 *     struct saltus_model *model = saltus_open("five-bar", &error);
 *     struct saltus_solver *solver = saltus_solver_new(model, NULL, &error);
 *     struct saltus_result *result = NULL;
 *     if (solver && saltus_solve(solver, NULL, &result, &error) == SALTUS_OK)
 *         printf("%d events\n", saltus_events(result));
 *     saltus_result_free(result);
 *     saltus_solver_free(solver);
 *     saltus_close(model);
 *
 * A model is a mechanism of the catalogue or a model file in YAML, saltus-model(5). A
 * solver is a model with a formulation and settings, prepared once and run for any values
 * of the parameters. A result is a table: a row for each sample time, and one for each
 * side of each event, with the columns q.x, v.x, s.x, a.x, lambda.i, z.x and the
 * derivatives dq.x/dRHO, ... of all of them.
 *
 * Handles are opaque. Strings belong to the handle that they came from. NULL frees
 * nothing. Every failure is a status and a message in one line with its place; no
 * function prints, reads the locale or ends the process, but for want of memory (status 4
 * of the process).
 *
 * Threads: a model is constant, and any number of threads may use it; a solver and a
 * result belong to one thread at a time. There is no state beside the handles but caches
 * that threads share: compiled equations, and descriptions of opened files.
 *
 * Environment: SALTUS_CODE=never keeps the solver from compiling equations, SALTUS_CACHE
 * is where compiled ones are kept (formulations/README.md).
 */
#ifndef SALTUS_LIBRARY_FACE_H
#define SALTUS_LIBRARY_FACE_H

/* Functions between both words are exported, by the linkage of C. */
#ifndef SALTUS_API_BEGIN
#ifdef __cplusplus
#define SALTUS_API_BEGIN _Pragma("GCC visibility push(default)") extern "C" {
#define SALTUS_API_END } _Pragma("GCC visibility pop")
#else
#define SALTUS_API_BEGIN _Pragma("GCC visibility push(default)")
#define SALTUS_API_END _Pragma("GCC visibility pop")
#endif
#endif

SALTUS_API_BEGIN

/* --- failures ----------------------------------------------------------------------- */

/* Statuses: the motion or a derivative does not exist, was not found, or the request is
   wrong. saltus_status_meaning() has a sentence for each. */
enum saltus_status {
    SALTUS_OK,
    SALTUS_GRAZING, SALTUS_ZENO, SALTUS_SIMULTANEOUS, SALTUS_CONDITION_EDGE,
    SALTUS_EVENT_AT_END, SALTUS_GUARD_VIOLATED, SALTUS_SLIDING, SALTUS_CHAIN_TOO_LONG,
    SALTUS_SINGULAR, SALTUS_NOT_SPD, SALTUS_RANK_LOSS, SALTUS_UNREACHABLE,
    SALTUS_INCONSISTENT, SALTUS_INADMISSIBLE, SALTUS_BRANCH_CUT, SALTUS_POLE,
    SALTUS_DOMAIN_EDGE, SALTUS_NO_CONVERGENCE, SALTUS_NOT_FINITE, SALTUS_STEP_TOO_SMALL,
    SALTUS_TOO_MANY_STEPS, SALTUS_TOO_MANY_EVENTS, SALTUS_NO_ORBIT, SALTUS_PRECISION,
    SALTUS_NO_DIGITS, SALTUS_NOT_APPLICABLE, SALTUS_CRASHED, SALTUS_TIMED_OUT,
    SALTUS_BAD_ANSWER, SALTUS_BAD_INPUT
};

/* A failure. Functions that take one accept NULL. */
struct saltus_error {
    int status;                 /* enum saltus_status */
    double t;                   /* time of the refusal; NAN: it has none */
    char message[480];          /* place, reason and remedy, one line */
};

/* The word of a status, like "grazing". */
const char *saltus_status_text(int status);
/* The meaning of a status in a sentence. */
const char *saltus_status_meaning(int status);
/* The version of the library, like "0.1.0". */
const char *saltus_version(void);

/* --- models ------------------------------------------------------------------------- */

struct saltus_model;

/* Kinds of things that a model has, each with names. */
enum saltus_kind {
    SALTUS_PARAMETERS,          /* rho */
    SALTUS_COORDINATES,         /* q */
    SALTUS_AUXILIARY,           /* s */
    SALTUS_COSTS,               /* z, psi */
    SALTUS_MODES,
    SALTUS_EVENTS
};

/* Opens a mechanism: the name of one of the catalogue, or the path of a model file, which
   has a '/' or a '.' in it. NULL and BAD_INPUT: there is none, or the file is wrong at
   "path:line:column". Close by saltus_close, after its solvers and results. */
struct saltus_model *saltus_open(const char *name_or_path, struct saltus_error *error);
/* Closes a model. */
void saltus_close(struct saltus_model *model);

/* What the mechanism is, in a line. */
const char *saltus_title(const struct saltus_model *model);
/* How many there are of a kind. */
int saltus_count(const struct saltus_model *model, enum saltus_kind kind);
/* The name of one of them; NULL: index is not from 0 to their number. */
const char *saltus_name(const struct saltus_model *model, enum saltus_kind kind,
                        int index);
/* The index of a name; -1: there is none. */
int saltus_index(const struct saltus_model *model, enum saltus_kind kind,
                 const char *name);
/* The unit of a parameter; NULL as for saltus_name. */
const char *saltus_unit(const struct saltus_model *model, int parameter);
/* The meaning of a parameter in a line; NULL as for saltus_name. */
const char *saltus_meaning(const struct saltus_model *model, int parameter);
/* Not 0: the motion is not differentiated by this parameter unless it is asked for. */
int saltus_fixed(const struct saltus_model *model, int parameter);
/* value[p] = the nominal values of all parameters. SALTUS_OK, SALTUS_NOT_FINITE. */
int saltus_nominal(const struct saltus_model *model, double *value,
                   struct saltus_error *error);
/* Begin and end of the motion at the nominal values. */
int saltus_times(const struct saltus_model *model, double *t0, double *t_end,
                 struct saltus_error *error);

/* --- solvers ------------------------------------------------------------------------ */

struct saltus_solver;

/* How a model is solved. All bytes zero: nominal, as is a NULL in its place. What is
   pointed to is copied. */
struct saltus_settings {
    const char *formulation;    /* "ode", "index1", "penalty", ... (saltus show); NULL:
                                   ode without constraints, else index1 */
    const char *const *option;  /* options of the formulation, "alpha=1e6", then NULL;
                                   NULL: all nominal */
    const char *integrator;     /* "automatic", "dop853", "radau", ...; NULL: the
                                   default */
    double rtol;                /* relative tolerance of a step; 0: 1e-10 */
    double atol;                /* absolute tolerance; 0: rtol/1000 */
    const int *parameter;       /* [parameters] indices of those that the motion is
                                   differentiated by; NULL: all that are not fixed, unless
                                   `plain` */
    int parameters;             /* how many */
    int plain;                  /* not 0: no derivatives */
    double t_end;               /* end of the motion; 0: the model's, unless `ends` */
    const double *sample;       /* [samples] times, increasing, after t0; NULL: `samples`
                                   times evenly up to the end, at least one */
    int samples;                /* how many */
    double max_step;            /* longest step; 0: no limit */
    const double *stop;         /* [stops] times at which a step ends, besides those of
                                   the model, in any order: where a force has a pulse */
    int stops;                  /* how many */
    int ends;                   /* not 0: the motion ends at t_end, which may be 0 */
    long max_steps;             /* steps after which a run is refused; 0: 1000000 */
    long max_events;            /* events after which a run is refused; 0: 10000 */
    /* called with the part that is done, 0..1; a result of 0 ends the run, BAD_INPUT;
       NULL: none */
    int (*progress)(void *context, double done);
    void *context;              /* first argument of `progress` */
};

/* Prepares runs of a model. NULL and BAD_INPUT or NOT_APPLICABLE: a name, an option or a
   time is wrong, or the formulation does not take the model; else a status of the
   start. The model must outlive the solver. */
struct saltus_solver *saltus_solver_new(const struct saltus_model *model,
                                        const struct saltus_settings *settings,
                                        struct saltus_error *error);
/* Frees a solver. */
void saltus_solver_free(struct saltus_solver *solver);

struct saltus_result;

/* Runs the motion at parameters value[p] of the model; NULL: nominal. SALTUS_OK, or the
   status of the refusal. *result then holds the part that was reached, NULL if none was;
   free it by saltus_result_free in either case. The same values give the same bits. */
int saltus_solve(struct saltus_solver *solver, const double *value,
                 struct saltus_result **result, struct saltus_error *error);
/* Frees a result. */
void saltus_result_free(struct saltus_result *result);

/* The gradient of a cost by the parameters of the solver from one sweep backwards
   (adjoint equations), at the price of about two runs, however many parameters there are.
   *psi is the cost, gradient[parameters] its derivatives. Its formulation must be an
   explicit method's: SALTUS_NOT_APPLICABLE else; all statuses of a run. */
int saltus_cost_gradient(struct saltus_solver *solver, const double *value, int cost,
                         double *psi, double *gradient, struct saltus_error *error);

/* --- results ------------------------------------------------------------------------ */

/* How many columns a row has. */
int saltus_columns(const struct saltus_result *result);
/* The name of a column, like "dq.x/dL01". */
const char *saltus_column_name(const struct saltus_result *result, int column);
/* The number of a column; -1: there is none of this name. */
int saltus_column_index(const struct saltus_result *result, const char *name);

/* Samples, the start first. A sample at the time of an event is there twice, before and
   after it. */
int saltus_samples(const struct saltus_result *result);
/* The time of a sample. */
double saltus_time(const struct saltus_result *result, int sample);
/* The mode of a sample. */
int saltus_mode(const struct saltus_result *result, int sample);
/* The row [columns] of a sample; multipliers that the mode lacks are NAN. */
const double *saltus_row(const struct saltus_result *result, int sample);

/* How many events the motion has had. They stand by time. */
int saltus_events(const struct saltus_result *result);
/* The index of the event in the model. */
int saltus_event(const struct saltus_result *result, int k);
/* The time of the event. */
double saltus_event_time(const struct saltus_result *result, int k);
/* The derivatives of its time [parameters]. */
const double *saltus_event_slope(const struct saltus_result *result, int k);
/* The row [columns] before the event. */
const double *saltus_event_before(const struct saltus_result *result, int k);
/* The row [columns] after the event. */
const double *saltus_event_after(const struct saltus_result *result, int k);

/* How many parameters the result is differentiated by. */
int saltus_parameters(const struct saltus_result *result);
/* The index in the model of parameter k of the result. */
int saltus_parameter(const struct saltus_result *result, int k);

/* A cost at the end, terminal cost included; NAN of a run that was refused. */
double saltus_cost(const struct saltus_result *result, int cost);
/* The derivatives [parameters] of a cost at the end. */
const double *saltus_cost_slope(const struct saltus_result *result, int cost);

/* The work of a run, and how far it is off. */
struct saltus_statistics {
    long steps;                 /* accepted steps */
    long refused;               /* refused steps */
    long evaluations;           /* right-hand sides */
    double worst_Phi;           /* largest |Phi| at the ends of steps */
    double worst_Phid;          /* largest |Phid| there */
    double digits;              /* digits that the growth of errors leaves of rtol;
                                   INFINITY: not known */
};
/* The work of the run of a result. */
void saltus_statistics(const struct saltus_result *result,
                       struct saltus_statistics *statistics);

SALTUS_API_END

#endif
