/*
 * start_jacobian.h - Jacobian of the open components of a start: rows of Phi_q, of
 * Phid_v, or of both with those of the case, in the columns of these components.
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
#include "model.h"
#include "program/program.h"

/* A matrix whose entries are outputs of a program. */
struct start_matrix {
    const struct program *program;
    const double *w;                /* its work array, evaluated by the owner */
    const struct entries *at;       /* places of the entries */
    int columns, first;             /* number of columns; output of the first entry */
};
/* Entry k, in the order of the entries. */
static inline double start_matrix_entry(const struct start_matrix *matrix, int k)
{
    return matrix->w[matrix->program->output[matrix->first + k]];
}

/* start_jacobian_init sets every member. */
struct start_jacobian {
    int rows, open;                 /* numbers of equations and of open components */
    const int *row, *index;         /* [rows] rows, [open] columns of the whole matrix */
    struct start_matrix whole;
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
                         const struct start_matrix *whole, int rows, const int *row,
                         int open, const int *index);
void start_jacobian_clear(struct start_jacobian *equations);
/* Factorises at the point where the program was evaluated last. unit [columns]: units of
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
