/*
 * unseen.h - what no stage of a step has seen: a pulse or a switch of a sharp term
 * (sharp_terms.h) between the points at which the step evaluates.
 *
 * The estimate of the error knows the equations at these points alone. Interval bounds
 * find the parts of the step on which a term varies although they are short against the
 * stretches between points. There the rates are evaluated. If they change the state by
 * more than the tolerance allows, the step is to end before the place, or to be short
 * enough for its points to see the term; then the estimate decides.
 */
#ifndef SALTUS_UNSEEN_H
#define SALTUS_UNSEEN_H

#include "integrators/control.h"
#include "monitors/sharp_terms.h"

/* A step that its error estimate would accept. */
struct seen_step {
    const struct integrator *integrator;
    const struct control *control;
    const struct ode *ode;
    double t, h;                    /* s */
    double sign;                    /* of the time of the model against that of `ode` */
    const double *x, *dx, *x_new, *dx_new;      /* [dim] its ends */
    /* Sets y [2n + ns] to the state of the model at time t of `ode`, where x is another.
       NULL: x begins with it. */
    void (*state)(void *context, double t, double *y);
    void *context;
};

/* Scratch of unseen_length. */
struct unseen {
    double *x;                      /* [dim] on the step */
    double *rate, *before, *behind; /* [dim] there, a little before and behind */
    double *apart;                  /* [dim] of the rates from the line through these */
    double *y, *y_new;              /* [states] of the model */
};

/* For an ode of `dim` components, of a model with 2n + ns `states`; in `arena`. */
void unseen_init(struct unseen *unseen, struct arena *arena, int dim, int states);
/* The length of the step that should be made: step->h, or less. */
double unseen_length(struct unseen *unseen, struct sharp_terms *terms,
                     const struct seen_step *step);

#endif
