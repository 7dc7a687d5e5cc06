/*
 * ball_rows.h - equations in balls: values of rows and their derivatives by every
 * variable, and verified solution of linear systems.
 */
#ifndef SALTUS_BALL_ROWS_H
#define SALTUS_BALL_ROWS_H

#include <acb_mat.h>

#include "jets.h"

/* Rows of equations, or of functions, at a box. */
struct ball_rows {
    int rows, slots;
    acb_ptr value;              /* [rows] */
    acb_mat_t by;               /* [rows][slots] derivatives */
};

void ball_rows_init(struct ball_rows *rows, int count, int slots);
void ball_rows_clear(struct ball_rows *rows);
void ball_rows_zero(struct ball_rows *rows);

/* row i += factor * part, with derivatives. */
void ball_rows_add(struct ball_rows *rows, int i, struct jet_part_view part, slong factor,
              slong precision);
/* row i += factor * variable of a slot. */
void ball_rows_add_variable(struct ball_rows *rows, int i, acb_srcptr slot, int variable,
                            slong factor, slong precision);
/* row i += factor * part * variable of a slot, with derivatives. */
void ball_rows_add_product(struct ball_rows *rows, int i, struct jet_part_view part,
                           acb_srcptr slot, int variable, slong factor, slong precision);

/* Do the rows, and their derivatives along the first columns of the tangents, contain
   zero? */
bool ball_rows_hold(const struct ball_rows *rows, const acb_mat_t tangents, slong columns,
                    slong precision);

/* X = A^-1 B in balls; all real or all complex. X may be B. False: A is not shown to be
   regular. */
bool balls_solve(acb_mat_t X, const acb_mat_t A, const acb_mat_t B, slong precision);

/* A square system: rows that vanish, and the slots that are solved for. */
struct balls_system {
    const struct ball_rows *rows;    /* set by `run` */
    const int *unknown;         /* [rows->rows] slots of the unknowns */
    bool linear;                /* rows are linear in the unknowns */
    void *context;
    bool (*run)(void *context, acb_srcptr slot, slong precision);   /* false: undefined
                                   somewhere on the box */
};
/* Encloses the unknowns, given in `slot` by any guess, for all values of the other slots
   in their boxes, and runs the system there: Newton's method on middles, then the
   interval Newton operator (Krawczyk 1969; Neumaier 1990, chapter 5) on a box that is
   made wider until it maps into itself. A linear system needs one step and no guess.
   False: no solution is shown to exist and to be the only one nearby. */
bool balls_newton(const struct balls_system *system, acb_ptr slot, slong precision);
/* Completes tangents [slots][columns] by those of the unknowns, from rows at the last
   box. False: the matrix is not shown to be regular. */
bool balls_tangents(const struct balls_system *system, acb_mat_t tangents,
                    slong precision);

/* Chooses independent rows of a matrix, at most `most`, by elimination with complete
   pivoting in double: a choice, which a proof shows to be right or not. `column`
   [columns]: those that count. row [most]: numbers of the rows. Returns how many there
   are. */
int balls_choose_rows(const acb_mat_t by, const int *column, int columns, int most,
                      int *row);

/* A part [rows] x [columns] of a matrix, copied. */
void balls_part(acb_mat_t to, const acb_mat_t from, int row, int column);

#endif
