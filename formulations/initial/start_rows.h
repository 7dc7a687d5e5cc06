/*
 * start_rows.h - the equations of a start that has rows of its own: Phi = 0, Phid = 0 and
 * Gamma = 0 together, in all components of (q, v, s) (Pan, Ding, Wang 2004 (2), (9)).
 */
#ifndef SALTUS_START_ROWS_H
#define SALTUS_START_ROWS_H

#include "monitors/constraints.h"

/* start_rows_init sets every member. */
struct start_rows {
    const struct model *model;
    int positions, m;               /* rows of Phi at position level; of Phid */
    int rows, columns;              /* all rows; 2n + ns */
    formula *row;                   /* [rows] Phi, Phid, Gamma */
    struct entries at;              /* places of the entries of their matrix */
    struct program *program;        /* outputs: rows, their derivatives along a direction,
                                       entries of the matrix by (q, v, s) */
    double *w;                      /* work array of the program */
    struct arena arena;             /* memory of `row` and w */
};

/* The rows of a model at the start; the model outlives them. */
void start_rows_init(struct start_rows *rows, const struct model *model);
void start_rows_clear(struct start_rows *rows);
/* Sets the parameters rho [model->p]. */
void start_rows_set(struct start_rows *rows, const double *rho);
/* Evaluates the rows and their matrix at a point. */
void start_rows_at(struct start_rows *rows, double t, const double *q, const double *v,
                   const double *s);
/* Evaluates the derivatives of the rows at the point, along (dt, dq, dv, ds) and
   drho_parameter = 1. */
void start_rows_along(struct start_rows *rows, double dt, const double *dq,
                      const double *dv, const double *ds, int parameter);
/* unit [columns + rows]: units at the point last evaluated, as those of the levels of
   Phi and Phid (projection/rows.h): a velocity has the unit of its coordinate. `masses`
   were evaluated there. value [columns] is scratch. */
void start_rows_units(const struct start_rows *rows, const struct constraints *masses,
                      double *value, double *unit);
/* Row i in words, for a refusal: "constraint 2, x*x + y*y - l*l". */
void start_rows_text(const struct start_rows *rows, int i, char *text, int size);

#endif
