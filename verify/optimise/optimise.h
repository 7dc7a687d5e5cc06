/*
 * optimise.h - minimisation of a cost of a case over some of its parameters, through
 * events.
 *
 * With rho_i = start_i + scale_i u_i, scale_i the width of the bounds, or else the size
 * of the start, units do not matter. The norm of the gradient by u, without components
 * that push against an active bound, decides when the minimum is reached. A minimiser
 * (minimiser.h) goes down until it finds no lower cost, which rounding allows down to the
 * square root of the precision alone; from there quasi-Newton steps go on by the gradient
 * (polish.c).
 *
 * A point that is refused, or further from the best point than the size of a parameter,
 * counts as a parabola along the way from the best point, higher than there, whose
 * minimum is at a quarter of the way: a line search shortens its step.
 * Every evaluation is a row; an earlier run's rows are taken instead of evaluations.
 */
#ifndef SALTUS_OPTIMISE_H
#define SALTUS_OPTIMISE_H

#include "optimise/evaluation.h"
#include "optimise/minimiser.h"
#include "sweep/output.h"

/* The caller sets every member; the objects that are pointed to must outlive the
   optimisation. */
struct optimisation_request {
    struct run_request run;     /* its parameters are those that vary; `value` has the
                                   values of the others; without samples and progress */
    int cost;                   /* index in the model */
    const char *method;         /* of the gradient (objective.h) */
    bool maximise;
    const struct algorithm *algorithm;
    const double *start;        /* [n] the first point, in units of the parameters */
    const double *lower, *upper;    /* [n] bounds, infinite where there is none */
    double gradient_tolerance;  /* norm of the gradient at the end, by that at the
                                   start */
    long max_evaluations;
    /* Takes the line of an evaluation that is no row yet; false: it cannot be written.
       NULL: nobody takes them. */
    bool (*write)(void *context, const char *line);
    /* Told after every evaluation; NULL: nobody is told. */
    void (*tell)(void *context, long evaluations);
    void *context;              /* first argument of both */
};

/* Why an optimisation has ended. */
enum stop {
    STOP_NOT_YET,
    STOP_GRADIENT,              /* the norm of the gradient is small enough, and the cost
                                   does not curve downwards */
    STOP_NO_MINIMUM,            /* the norm is small enough, and it does */
    STOP_FLAT,                  /* the norm is small enough, and no second derivative is
                                   above rounding */
    STOP_EVALUATIONS,           /* all evaluations are spent */
    STOP_ROUNDING,              /* no lower point is found */
    STOP_JUMP,                  /* no lower point is found beside other events */
    STOP_REFUSED,               /* no lower point is found beside refused ones */
    STOP_START,                 /* the start is refused */
    STOP_INTERRUPTED,
    STOP_WRITING,               /* a row could not be written */
    STOP_RECORD                 /* the rows are of other points than are asked for */
};

struct optimisation {
    struct optimisation_request request;
    struct evaluation_columns columns;
    struct objective *objective;
    int n;                      /* number of parameters that vary */
    double *scale;              /* [n] unit of u in the unit of the parameter */
    double *lower, *upper;      /* [n] bounds of u */
    int count, room;            /* number of evaluations that are there, and allocated */
    struct evaluation **evaluation; /* [count] in the order of time; rows taken first */
    int asked;                  /* evaluations that this run has asked for, <= count */
    int best;                   /* the answer so far; -1: none */
    int jumps;                  /* evaluations with other events than the best before */
    long refused[STATUSES];     /* evaluations that were refused, by their status */
    int direction;              /* the parameter along which most the cost curves
                                   downwards or is flat; -1: it curves upwards, or it is
                                   not known */
    enum stop stop;
    struct diagnosis diagnosis; /* of the last refusal */
};

/* NULL and a diagnosis, as from runner_new(), if the request cannot be run. */
struct optimisation *optimisation_new(const struct optimisation_request *request,
                                      struct diagnosis *diagnosis);
void optimisation_free(struct optimisation *o);

/* The beginning of its table, malloc'ed (sweep_heading()), and its rows. */
char *optimisation_heading(const struct optimisation *o);
struct output_rows optimisation_rows(struct optimisation *o);

/* Goes from the start to the minimum; sets `stop`. */
void optimisation_run(struct optimisation *o);

/* The norm of the gradient at the answer by that at the start; 0 where the start is a
   minimum. */
double optimisation_norm(const struct optimisation *o);
/* -1, 1: the answer has parameter k at its lower, upper bound; else 0. */
int optimisation_at_bound(const struct optimisation *o, int k);
/* Says in one line why it has ended. */
void optimisation_reason(const struct optimisation *o, char *text, int size);

#endif
