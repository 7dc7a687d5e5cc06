/*
 * start_jacobian.h - Jacobian of the open components of a start: rows of Phi_q, or of
 * Phid_v, in the columns of these components.
 *
 * The matrix is dense, with a selection among rows if there are more than open
 * components. For many components and as many rows the matrix is sparse; there is no
 * selection then.
 */
#ifndef SALTUS_START_JACOBIAN_H
#define SALTUS_START_JACOBIAN_H

#include "base/arena.h"
#include "linear/klu.h"
#include "linear/overdetermined.h"
#include "monitors/constraints.h"

/* start_jacobian_init sets every member. */
struct start_jacobian {
    int rows, open;                 /* numbers of equations and of open components */
    const int *row, *index;         /* [rows] rows, [open] columns of the whole matrix */
    const struct constraints *constraints;
    const struct constraint_matrix *matrix_of;  /* the whole matrix */
    bool sparse;                    /* `matrix` is used, else `dense` */
    struct overdetermined dense;
    struct sparse matrix;
    int entries;                    /* number of `entry` */
    struct open_entry {
        int from, placed;           /* index in the whole matrix, and in the equations */
    } *entry;
};

/* row, index and the arena, which has the entries, are the caller's, and outlive the
   equations; open <= rows. */
void start_jacobian_init(struct start_jacobian *equations, struct arena *arena,
                         const struct constraints *constraints,
                         const struct constraint_matrix *matrix, int rows, const int *row,
                         int open, const int *index);
void start_jacobian_clear(struct start_jacobian *equations);
/* Factorises at the point where the constraints were evaluated last. unit [n]: units of
   the components; size [rows]: largest entries of the rows in these units. False: the
   open components are not determined. */
bool start_jacobian_factor(struct start_jacobian *equations, const double *unit,
                           const double *size);
/* Keeps the selection of rows in further factorisations, or not. */
void start_jacobian_keep(struct start_jacobian *equations, bool keep);
/* Solves for x [open] with right-hand side b [rows]. */
void start_jacobian_solve(const struct start_jacobian *equations, const double *b,
                          const double *unit, double *x);
/* The smallest pivot relative to the size of its row. */
double start_jacobian_least_pivot(const struct start_jacobian *equations,
                                  const double *size);
/* The index among `rows` of the k-th equation that is solved, k < open. */
static inline int start_jacobian_row(const struct start_jacobian *equations, int k)
{
    return equations->sparse ? k : equations->dense.choice.row[k];
}

#endif
