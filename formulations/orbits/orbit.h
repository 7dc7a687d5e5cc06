/*
 * orbit.h - periodic motions by multiple shooting (Ascher, Mattheij, Russell 1995;
 * Dankowicz, hybrid multiple shooting notes (12)-(24)).
 *
 * Nodes x_1 .. x_K lie between the events of a period, at fixed parts of it. With X_k the
 * motion from node k over its part of the period, events included,
 *
 *     x_{k+1} = X_k(x_k, T, rho),  x_{K+1} = x_1 + d,      f(x_1)' dx_1 = 0
 *
 * is solved by Newton's method for all x_k and the period T, and for d where components
 * advance; the last row fixes the phase of an autonomous motion in each step. Steps are
 * the shortest that solve the linear equations: an orbit may be one of a family. The
 * derivatives of X_k are the sensitivities of a run (run.h), so that its jumps are those
 * of the jump rule. With constraints x_k are the independent components of the state: the
 * others follow from Phi and Phid (model/restart.h).
 *
 * Stability: eigenvalues of the product of all derivatives of X_k by x_k, the monodromy
 * matrix. One of them is 1, in the direction of the motion. Those that are not 0 are the
 * multipliers of the map from any event to itself (Dankowicz (22)-(23)), whose projection
 * has made that one 0.
 */
#ifndef SALTUS_ORBIT_H
#define SALTUS_ORBIT_H

#include <complex.h>

#include "run.h"

/* The orbit that is asked for. The caller sets every member. */
struct orbit_request {
    struct run_request run;     /* model, formulation, tolerances, and parameters that the
                                   orbit is differentiated by; `samples` and `beside` do
                                   not count. The run to t_end, from the start of the
                                   case, is searched for a first guess */
    int events;                 /* length of the signature; 0: as the run repeats last */
    const int *event;           /* [events] indices of events, in the order of a period */
    int drifts;                 /* number of groups of components that advance together,
                                   by some amount a period, like the places of a walker */
    const int *drift;           /* [2n + ns] group of each component, -1: it comes back;
                                   NULL: all come back */
    int max_steps;              /* of Newton's method; 0: ORBIT_MAX_STEPS */
    int samples;                /* states between two nodes to be kept, for a picture */
    bool slopes;                /* derivatives of the multipliers, too: four more orbits
                                   for each parameter */
};
enum { ORBIT_MAX_STEPS = 30 };

/* One step of Newton's method: residual before it, length of it, and the part that was
   taken. Both are largest components by the size of the orbit. */
struct orbit_step { double residual, change, part; };

struct orbit_node {
    const struct mode *mode;
    double t;                   /* the last event of the period is at t = T */
    double *x;                  /* [2n + ns] */
    double *dx;                 /* [parameters][2n + ns], the first node moved across the
                                   motion */
};

/* An event of a period. Derivatives go along with the event, so that they do not depend
   on the phase. */
struct orbit_event {
    const struct event *event;
    double t;                   /* as of a node */
    double rate;                /* transversality */
    double *before, *after;     /* [2n + ns] */
    double *dafter;             /* [parameters][2n + ns] */
};

/* A state on the way. */
struct orbit_sample {
    double t;                   /* as of a node */
    double *x;                  /* [2n + ns] */
};

struct orbit {
    int parameters, width;      /* 2n + ns */
    double period, *dperiod;    /* [parameters]; it is the least one */
    int rounds;                 /* after so many periods the run that was searched comes
                                   back first */
    double *advance;            /* [drifts] of the request, over a period */
    double *size;               /* [width] by which each component is compared: what it is
                                   at most, or a part of what it has been in the run */
    int families;               /* dimension of the family that the orbit is one of; 0:
                                   it is isolated. A latched value that nothing sets, or
                                   a translation, makes one */
    int nodes, events;
    struct orbit_node *node;
    struct orbit_event *event;  /* the signature as it occurred */
    int samples;
    struct orbit_sample *sample;    /* [samples] by time */
    int multipliers;
    double complex *multiplier; /* [multipliers] by falling magnitude */
    bool *trivial;              /* [multipliers] it is 1 along the motion, or along the
                                   family: of those that are equal, as many as there are
                                   such directions */
    double complex *vector;     /* [multipliers][2n + ns] their directions at the first
                                   node */
    double complex *dmultiplier;    /* [parameters][multipliers]; NULL: not asked for;
                                       NAN: an orbit beside this one was not found */
    double *derror;             /* [parameters] their estimated error */
    int steps;
    struct orbit_step *step;    /* [steps] the last one is at rounding */
};

/* Finds the orbit near the last period of the run, with its least period, of which that
   of the run or of the signature may be a multiple. OK, or
     NOT_APPLICABLE   formulas depend on time, which does not repeat: a phase is a state
     NO_ORBIT         the run does not have the events, Newton's method diverges, or what
                      it found has other events
     statuses of runs. *out is NULL then; else the caller frees it. */
enum status orbit_find(const struct orbit_request *request, struct orbit **out,
                       struct diagnosis *diagnosis);
void orbit_free(struct orbit *orbit);

#endif
