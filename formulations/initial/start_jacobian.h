/*
 * start_jacobian.h - the equations of what a start leaves open: rows of Phi_q, or of
 * Phid_v, in the columns that are open.
 *
 * Dense, with a choice among rows that are more than the open components; or, of many
 * components and as many rows, sparse, where there is nothing to choose.
 */
#ifndef SALTUS_START_JACOBIAN_H
#define SALTUS_START_JACOBIAN_H

#include "base/arena.h"
#include "linear/klu.h"
#include "linear/overdetermined.h"
#include "monitors/constraints.h"

struct start_jacobian {
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

/* row, index and the arena, which has the entries, are the caller's, and outlive it;
   open <= rows. */
void start_jacobian_init(struct start_jacobian *equations, struct arena *arena,
                         const struct constraints *constraints,
                         const struct constraint_matrix *matrix, int rows, const int *row,
                         int open, const int *index);
void start_jacobian_clear(struct start_jacobian *equations);
/* Factorises where the constraints were evaluated last. unit [n]: of the components;
   size [rows]: the largest entry of each row of the matrix in these. false: the open
   components are not determined. */
bool start_jacobian_factor(struct start_jacobian *equations, const double *unit,
                           const double *size);
/* Rows that have been chosen stay so, or are chosen anew. */
void start_jacobian_keep(struct start_jacobian *equations, bool keep);
/* b [rows] -> x [open] */
void start_jacobian_solve(const struct start_jacobian *equations, const double *b,
                          const double *unit, double *x);
/* The smallest pivot against the size of its row. */
double start_jacobian_least_pivot(const struct start_jacobian *equations,
                                  const double *size);
/* Which of the rows is the k-th that is solved, k < open. */
static inline int start_jacobian_row(const struct start_jacobian *equations, int k)
{
    return equations->sparse ? k : equations->dense.choice.row[k];
}

#endif
