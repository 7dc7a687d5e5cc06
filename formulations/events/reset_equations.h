/*
 * reset_equations.h - J_w x = b of a reset, in two parts.
 *
 * Most rows say what one component of w is: q+ = q-, v+ = h(...). Their rows of J_w are
 * unit vectors, whatever the state is. So these components are known at once, and what
 * they contribute to the other rows is a product; only the rest (of a rebound the
 * velocities that follow from constraints) is factorised, and only when it has changed,
 * which it has not where Newton's method finds nothing left to do.
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
    const double *w_rows;           /* work of the reset's program, */
    const int *slot;                /* [event->rows * event->w] where it holds J_w */
    int *given_by;                  /* [event->w] the row that alone gives a component, or
                                       -1 */
    int givens;
    struct reset_given {
        int component, row;
    } *given;                       /* [givens] the same, one by one */
    int rows, *row;                 /* the other rows of J, */
    int unknowns, *component;       /* and the other components */
    int *place;                     /* [event->rows] where a row is among the others, */
    int *column;                    /* [event->w] and a component */
    struct overdetermined rest;     /* theirs */
    int entries, products, *end;    /* [rows] products of a row are before end[row] */
    struct reset_entry {
        int row, column, slot;      /* row and column of `rest`; of products column is the
                                       component */
    } *entry, *product;             /* what is not zero by structure */
    double *value;                  /* [entries] with which `rest` was factorised */
    bool factorised;
    double least_pivot;             /* the smallest of its pivots */
    struct least_impulse least;
    double *size, *b;               /* [rows] scratch */
};

/* J_w: the first of its outputs in `program`, whose work w_rows has been initialised. The
   arena outlives the equations. */
void reset_equations_init(struct reset_equations *equations, const struct model *model,
                          const struct event *event, const struct program *program,
                          int J_w, const double *w_rows, struct arena *arena);
void reset_equations_clear(struct reset_equations *equations);
/* J_w as it stands in the work. SINGULAR; RANK_LOSS when it is doubtful whether a row of
   Psi is dependent. */
enum status reset_equations_factor(struct reset_equations *equations);
/* b [event->rows] -> x [event->w]; b of a dependent row of Psi is its impulse. */
void reset_equations_solve(struct reset_equations *equations, const double *b, double *x);
/* The rows of J that are not solved: row [event->rows]; returns how many. */
int reset_equations_spares(const struct reset_equations *equations, int *row);

/* Dependent rows of Psi: how many, and where in J the k-th is. */
int reset_equations_dependent(const struct reset_equations *equations);
int reset_equations_dependent_row(const struct reset_equations *equations, int k);

#endif
