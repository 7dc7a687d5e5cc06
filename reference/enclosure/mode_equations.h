/*
 * mode_equations.h - the equations of motion of a mode in balls, from values of M, F,
 * Phi, f_s, g and guards alone.
 *
 *     R = ( M a + Phi_q' lambda - F,  Phidd ) = 0,      s' = f_s,  z' = g
 *
 * Of constraints that depend on others, a choice of independent ones moves the mechanism
 * (dependent.c), with as many multipliers; and of all multipliers, those of least norm
 * are
 *
 *     lambda = Phi_q w,  w = Phi_q' mu,  mu zero for the others.
 *
 * Phi_q, Phid and Phidd are parts of Phi along coordinates and along the motion (jets.h);
 * they are not those of the model.
 */
#ifndef SALTUS_MODE_EQUATIONS_H
#define SALTUS_MODE_EQUATIONS_H

#include "ball_rows.h"

/* Slots of variables: t, q, v, s, a, lambda, rho. Those of z, which no formula depends
   on, are none. */
struct mode_equations {
    const struct model *model;
    const struct mode *mode;
    int n, m, ns, nz, p;
    int rank, *row;                         /* independent constraints; all m */
    int multipliers;                        /* lambda: m, or `rank` of these rows alone */
    bool least_norm;                        /* w, mu are unknowns, too */
    int q, v, s, a, lambda, w, mu, rho, slots;      /* first slots; t is slot 0 */
    int unknowns, *unknown;                 /* slots a .. rho - 1 */
    bool iterated;                          /* R may be other than linear in lambda, a */
    struct jets *jets;
    struct jets *condition_jets;            /* of the conditions; NULL: there are none */
    int guards;
    const struct event **event;             /* [guards] events that leave the mode */
    int *condition;                         /* [guards + 1] first condition of each */

    /* at the last box */
    struct ball_rows R;                     /* [unknowns] */
    struct ball_rows f;                     /* [ns + nz] f_s, then g */
    struct ball_rows guard;                 /* [guards] */
    struct ball_rows guard_second;          /* [guards] halves of second derivatives along
                                               the motion, of guards that are constraints
                                               of another mode; else zero */
    struct ball_rows conditions;            /* values alone are of use; indeterminate
                                               where a condition has no value */
    struct ball_rows Phi, Phid, Phidd;      /* [m]; of a row at velocity level Phi and
                                               Phid are the row */
    int M_entry, *M_row, *M_column;         /* entries of M: number, places */
    int F_output, f_output, Phi_output, guard_output;
};

struct mode_equations *mode_equations_new(const struct model *model,
                                          const struct mode *mode);
/* Those by independent constraints row [rank] alone, with their multipliers, on which no
   formula may depend; and those with all multipliers, of least norm. */
struct mode_equations *mode_equations_independent(const struct model *model,
                                                  const struct mode *mode, int rank,
                                                  const int *row);
struct mode_equations *mode_equations_least_norm(const struct model *model,
                                                 const struct mode *mode, int rank,
                                                 const int *row);
void mode_equations_free(struct mode_equations *equations);

/* The number of the guard of an event; -1: the event does not leave the mode. */
int mode_equations_guard(const struct mode_equations *equations,
                         const struct event *event);

/* Evaluates everything at a box of the slots. False as jets_run. */
bool mode_equations_run(struct mode_equations *equations, acb_srcptr slot,
                        bool complex_box, slong precision);

/* Encloses u = (a, lambda), given in `slot` by any guess, for all values of the other
   slots in their boxes, and runs the equations there. False: not shown to exist and to be
   one. */
bool mode_equations_solve(struct mode_equations *equations, acb_ptr slot,
                          slong precision);

/* Completes tangents [slots][columns] at the box of the last run: rows of a and lambda
   from the others. rates [ns + nz][columns]: those of f_s, g. False: R_u is not shown to
   be regular. */
bool mode_equations_tangents(struct mode_equations *equations, acb_mat_t tangents,
                             acb_mat_t rates, slong precision);

/* The tangent of time along the motion into a column: t 1, q v, v a, s f_s; others 0. */
void mode_equations_along(const struct mode_equations *equations, acb_srcptr slot,
                          acb_mat_t tangents, int column);

/* Is one formula the other, or its opposite (a - b, b - a; a, -a), by their texts? */
bool same_up_to_sign(formula a, formula b);

/* A program for values of further formulas in the slots of a mode. */
struct jets *mode_equations_formulas(const struct mode_equations *equations,
                                     const formula *f, int count);

#endif
