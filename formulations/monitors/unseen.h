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
};

/* Scratch of unseen_length [dim]: a state on the step, the rates there, a little before
   and behind, and how far the rates are from the line between. */
struct unseen {
    double *x, *rate, *before, *behind, *apart;
};

/* For an ode of `dim` components; in `arena`. */
void unseen_init(struct unseen *unseen, struct arena *arena, int dim);
/* The length of the step that should be made: step->h, or less. */
double unseen_length(struct unseen *unseen, struct sharp_terms *terms,
                     const struct seen_step *step);

#endif
