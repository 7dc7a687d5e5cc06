/*
 * tube.h - from the defect of an approximate motion to its error: a tube about it that
 * contains the exact motion and its columns.
 *
 * x = (q, v, s, z), e = x - x^ the error of the track. In components, with Jacobians of
 * the rates on a box about the track,
 *
 *     |e_i|' <= sum_k B_ik |e_k| + c_i,   B_ik >= |dx_i'/dx_k|,  B_ii >= dx_i'/dx_i
 *
 * so that |e| stays below the solution of the linear system with equality, whose matrix
 * has no negative entry beside the diagonal (Walter 1970, section 12; Hairer, Norsett,
 * Wanner 1993, section I.10). It needs no weights and no rotation; the digits that it
 * loses are carried. For a column X, X' = A X + b along the exact motion,
 *
 *     |E|' <= B |E| + c_X + |(A(x) - A(x^)) X^ + b(x) - b(x^)|
 *
 * and the last term is at most D/K by Schwarz's lemma, where D bounds the change of A X^
 * + b on a box in the complex plane and K e still lies in it.
 */
#ifndef SALTUS_TUBE_H
#define SALTUS_TUBE_H

#include "stage.h"

enum tube_status {
    TUBE_OK,
    TUBE_NOT_REGULAR,           /* the box is too large: R_u may be singular on it, or a
                                   formula undefined */
    TUBE_TOO_WIDE               /* the error has outgrown the box */
};

struct tube {
    struct stage *stage;
    mag_ptr defect;             /* [lanes][rows] bound_defect of the step */
    mag_ptr radius;             /* [states] the box about the track: q, v, s */
    mag_ptr u_radius;           /* [unknowns] and of a, lambda */
    mag_ptr u_unique;           /* [unknowns] within this of the track a, lambda are the
                                   only ones, on all pieces so far */
    mag_ptr u_error;            /* [unknowns] error of a, lambda, the most so far */
    mag_ptr error;              /* [lanes][states] error of the state and its columns */
    mag_ptr B, c;               /* [states][states], [states] work */
    mag_ptr term, weight;       /* [2 states], [states] work */
};

/* A tube about the track of a stage, with no error and no defect. */
void tube_open(struct tube *tube, struct stage *stage);
void tube_close(struct tube *tube);

/* Chooses the box by the sizes of the track, 2^-shrink of them. */
void tube_choose_box(struct tube *tube, int shrink);

/* Carries `error` from time `from` to time `to` of the step; it then holds all along. On
   failure `error` is as it was. */
enum tube_status tube_cross(struct tube *tube, const arb_t from, const arb_t to);

/* Forgets the pieces that were crossed. */
void tube_rewind(struct tube *tube);
/* Are a, lambda `u`, at the time that was loaded last, those of the motion about the
   track? Where forces depend on them, there may be others. */
bool tube_tells_branch(const struct tube *tube, acb_srcptr u);

/* Loads the slots of the stage with boxes that contain the exact motion over a disk of
   real times about `time` (radius NULL: at it), and the tangents with those of the
   columns. */
void tube_load(const struct tube *tube, const acb_t time, const arb_t radius,
               slong precision);

#endif
