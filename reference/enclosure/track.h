/*
 * track.h - an approximate motion on a step, as polynomials of time, with its columns.
 *
 * The polynomials may come from anywhere: nothing is taken on trust (defect.h, tube.h). A
 * candidate gives the state at the start of the step and polynomials of all rates; q, v,
 * s, z of the track are integrals of these, so that q' = v and v' = a hold for it
 * exactly.
 */
#ifndef SALTUS_TRACK_H
#define SALTUS_TRACK_H

#include <acb.h>

#include "model.h"

/* A step of an approximate motion. Lane 0 are values, lane 1 + j derivatives by parameter
   j of the request. */
struct candidate {
    const struct mode *mode;
    int lanes, order;
    int multipliers;            /* m of the mode, or those of independent constraints
                                   alone (dependent.c) */
    arb_t t;                    /* exact start */
    arb_t length;               /* exact length, at which an event may be */
    arb_ptr state;              /* [lanes][2n + ns + nz] (q, v, s, z) at the start */
    arb_ptr rate;               /* [lanes][n + multipliers + ns + nz][order + 1] series of
                                   (a, lambda, s', z') in time from the start */
    slong states, rates;        /* lengths of both */
};
struct candidate *candidate_new(const struct model *model, const struct mode *mode,
                                int multipliers, int lanes, int order);
void candidate_free(struct candidate *candidate);
/* The rest of a step from t + offset on, about that time. */
void candidate_shift(struct candidate *candidate, const struct model *model,
                     const arb_t offset, slong precision);

/* Polynomials of a step. A lane has them for q, v, s, a, lambda, in the order of the
   slots of mode_equations.h, then for z, s', z'. */
struct track {
    int lanes, width, length;   /* polynomials of a lane; coefficients of each */
    int n, m, ns, nz;
    int z, s_rate, z_rate;      /* first polynomial of these */
    arb_ptr coefficient;        /* [lanes][width][length] */
    arb_ptr slope;              /* [lanes][width][length - 1] upper bounds of the
                                   coefficients of the derivative */
    arb_ptr power;              /* [2][length] work */
};

struct track *track_new(const struct candidate *candidate, const struct model *model,
                        slong precision);
void track_free(struct track *track);

/* Values [lanes][width] at a time, real or complex. */
void track_at(struct track *track, const acb_t time, acb_ptr value, slong precision);
/* Values over a disk about `time`, by the mean value. */
void track_over(struct track *track, const acb_t time, const arb_t radius, acb_ptr value,
                slong precision);

/* log2 of the distance from the start up to which no term of a polynomial of lane 0 grows
   beyond 2^bits times the largest term of its kind on a step of 2^h. INFINITY: none
   does. */
double track_reach(const struct track *track, double h, double bits);

#endif
