/*
 * start_jacobian.h - the equations of what a start leaves open: rows of Phi_q, or of
 * Phid_v, in the columns that are open.
 *
 * Dense, with a choice among rows that are more than the open components; or, of many
 * components and as many rows, sparse, where there is nothing to choose.
 */
#ifndef SALTUS_START_OPEN_H
#define SALTUS_START_OPEN_H

#include "linear/klu.h"
#include "linear/overdetermined.h"
#include "monitors/constraints.h"

struct open_equations {
    int rows, open;
    const int *row, *index;         /* [rows] of the matrix, [open] columns of it */
    const struct constraints *constraints;
    const struct constraint_matrix *matrix_of;
    bool sparse;
    struct overdetermined dense;
    struct sparse matrix;
    int entries;
    struct open_entry {
        int from, placed;           /* entry of the matrix, and of these equations */
    } *entry;
};

/* row and index are the caller's, and outlive it; open <= rows. */
void open_equations_init(struct open_equations *equations,
                         const struct constraints *constraints,
                         const struct constraint_matrix *matrix, int rows,
                         const int *row, int open, const int *index);
void open_equations_clear(struct open_equations *equations);
/* Factorises where the constraints were evaluated last. unit [n]: of the components;
   size [rows]: the largest entry of each row of the matrix in these. false: the open
   components are not determined. */
bool open_equations_factor(struct open_equations *equations, const double *unit,
                           const double *size);
/* Rows that have been chosen stay so, or are chosen anew. */
void open_equations_keep(struct open_equations *equations, bool keep);
/* b [rows] -> x [open] */
void open_equations_solve(const struct open_equations *equations, const double *b,
                          const double *unit, double *x);
/* The smallest pivot against the size of its row. */
double open_equations_least_pivot(const struct open_equations *equations,
                                  const double *size);
/* Which of the rows is the k-th that is solved, k < open. */
static inline int open_equations_row(const struct open_equations *equations, int k)
{
    return equations->sparse ? k : equations->dense.choice.row[k];
}

#endif
