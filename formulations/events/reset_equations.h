/*
 * reset_equations.h - the linear equations J_w x = b of a reset, in two parts.
 *
 * Most rows give one component of w: q+ = q-, v+ = h(...). Their rows of J_w are unit
 * vectors at any state. So these components are known at once, and their contribution to
 * the other rows is a product. Only the remaining matrix (of a rebound, for velocities
 * that follow from constraints) is factorised, and only when an entry has changed, which
 * is not the case where Newton's method finds nothing left to do.
 *
 * Dependent rows of Psi are left out, and say instead that their impulses stay as they
 * are (reset.h).
 */
#ifndef SALTUS_RESET_EQUATIONS_H
#define SALTUS_RESET_EQUATIONS_H

#include "base/status.h"
#include "events/least_impulse.h"
#include "linear/overdetermined.h"
#include "model.h"
#include "program/program.h"

struct reset_equations {
    const struct event *event;
    int n;
    const double *w_rows;           /* work of the reset's program */
    const int *slot;                /* [event->rows * event->w] slots of J_w in w_rows */
    int *given_by;                  /* [event->w] the row that alone gives a component, or
                                       -1 */
    int givens;
    struct reset_given {
        int component, row;
    } *given;                       /* [givens] components that one row gives */
    int rows, *row;                 /* the other rows of J */
    int unknowns, *component;       /* the other components */
    int *place;                     /* [event->rows] place of a row among the others */
    int *column;                    /* [event->w] place of a component among the others */
    struct overdetermined rest;     /* matrix of the other rows and components */
    int entries, products, *end;    /* [rows] products of a row are before end[row] */
    struct reset_entry {
        int row, column, slot;      /* row and column of `rest`; of products column is the
                                       component */
    } *entry, *product;             /* structural nonzeros of `rest`, and of its
                                       products */
    double *value;                  /* [entries] values with which `rest` was
                                       factorised */
    bool factorised;                /* `rest` has factors */
    double least_pivot;             /* smallest pivot of `rest` */
    struct least_impulse least;
    double *size, *b;               /* [rows] scratch */
};

/* Divides J_w, which is the outputs from J_w on in `program`. The work w_rows has been
   initialised. The arena outlives the equations. */
void reset_equations_init(struct reset_equations *equations, struct arena *arena,
                          const struct model *model, const struct event *event,
                          const struct program *program, int J_w, const double *w_rows);
void reset_equations_clear(struct reset_equations *equations);
/* Factorises J_w as it stands in the work. SINGULAR; RANK_LOSS when it is doubtful
   whether a row of Psi is dependent. */
enum status reset_equations_factor(struct reset_equations *equations);
/* Solves b [event->rows] -> x [event->w]; b of a dependent row of Psi is its impulse. */
void reset_equations_solve(struct reset_equations *equations, const double *b, double *x);
/* Lists the rows of J that are not solved: row [event->rows]; returns their number. */
int reset_equations_spares(const struct reset_equations *equations, int *row);

/* The number of dependent rows of Psi. */
int reset_equations_dependent(const struct reset_equations *equations);
/* The row of J that the k-th dependent row of Psi is. */
int reset_equations_dependent_row(const struct reset_equations *equations, int k);

#endif
