/*
 * stage.h - a step of an approximate motion beside the equations that it should satisfy.
 */
#ifndef SALTUS_STAGE_H
#define SALTUS_STAGE_H

#include "mode_equations.h"
#include "track.h"

/* A step, ready to be looked at. All belongs to others but the work. */
struct stage {
    struct mode_equations *equations;
    struct track *track;
    acb_srcptr rho;             /* [p] parameters of the model */
    const int *parameter;       /* [lanes - 1] those that columns are by */
    arb_t start;                /* time at the start of the step */
    arb_t span;                 /* length that is looked at */
    slong precision;
    int rows;                   /* unknowns + ns + nz: rows of R, s', z' */
    int states;                 /* 2n + ns + nz */

    acb_ptr value;              /* [lanes][width] of the track, at the last box */
    acb_ptr slot;               /* [slots] variables there */
    acb_mat_t tangents;         /* [slots][lanes - 1] columns there */
    acb_ptr residual;           /* [lanes][rows] */
};

void stage_open(struct stage *stage, struct mode_equations *equations,
                struct track *track, acb_srcptr rho, const int *parameter,
                const arb_t start, const arb_t span, slong precision);
void stage_close(struct stage *stage);

/* Loads the values of the track, as track_at (radius NULL) or track_over, into slots and
   tangents. */
void stage_load(struct stage *stage, const acb_t time, const arb_t radius,
                slong precision);

/* The polynomial of the track that component i of the state (q, v, s, z) is. */
int stage_state(const struct stage *stage, int i);

/* Runs the equations at the loaded box and puts what they leave of the track into
   `residual`: R, s' - f_s, z' - g, and the derivatives of these along the columns. */
bool stage_residual(struct stage *stage, bool complex_box, slong precision);

/* Vectors of upper bounds. */
void bounds_zero(mag_ptr bound, int count);
void bounds_copy(mag_ptr to, mag_srcptr from, int count);

#endif
