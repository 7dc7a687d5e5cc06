/*
 * radau_matrix.c - the Jacobian of the stage equations of Radau IIA,
 * 0 = R(t_i, Y_i, W_i), as a sparse matrix.
 *
 * Y_i is linear in W, so N = dR/dW has the blocks
 *
 *     N_ij = delta_ij R_w(i) + sum over l of R_y(i)_l ((h A)^links(l))_ij e_root(l)'.
 *
 * In index 3 the rows of Phi contain a only with h^2. KLU scales rows, then columns, so
 * that the matrix that is factorised has a limit as h -> 0 (linear/klu.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "radau.h"

/* --- the places of its entries ------------------------------------------------------ */

/* The unknowns of one stage in a row of R: by R_w, by R_y through the chains. */
struct reached {
    bool *by_w, *by_y;          /* [k] */
};

static void reach(struct reached *reached, const struct implicit_equations *equations,
                  const struct chains *chains, int row)
{
    const struct entries *at_w = equations->at_w, *at_y = equations->at_y;
    size_t size = (size_t)equations->unknowns * sizeof *reached->by_w;
    memset(reached->by_w, 0, size);
    memset(reached->by_y, 0, size);
    for (int e = at_w->begin[row]; e < at_w->begin[row + 1]; e++)
        reached->by_w[at_w->column[e]] = true;
    for (int e = at_y->begin[row]; e < at_y->begin[row + 1]; e++)
        reached->by_y[chains->root[at_y->column[e]]] = true;
}

/* Places the entries of row `row` of stage i; place [stages][k] has their
   indices. */
static void place_row(struct stage_matrix *matrix, const struct reached *reached, int k,
                      int i, int row, int *place)
{
    for (int j = 0; j < matrix->stages; j++)
        for (int c = 0; c < k; c++)
            if (reached->by_y[c] || (j == i && reached->by_w[c]))
                place[j * k + c] = sparse_place(&matrix->N, i * k + row, j * k + c);
}

/* Notes which entries of N those of R_w and R_y in this row belong to. */
static void note_sources(struct stage_matrix *matrix,
                         const struct implicit_equations *equations,
                         const struct chains *chains, int i, int row, const int *place)
{
    const struct entries *at_w = equations->at_w, *at_y = equations->at_y;
    int s = matrix->stages, k = equations->unknowns;
    for (int e = at_w->begin[row]; e < at_w->begin[row + 1]; e++)
        matrix->from_w[i * at_w->count + e] = place[i * k + at_w->column[e]];
    for (int e = at_y->begin[row]; e < at_y->begin[row + 1]; e++)
        for (int j = 0; j < s; j++)
            matrix->from_y[(i * at_y->count + e) * s + j] =
                place[j * k + chains->root[at_y->column[e]]];
}

/* Lays N out. */
static void stage_matrix_init(struct stage_matrix *matrix, int stages,
                              const struct implicit_equations *equations,
                              const struct chains *chains)
{
    const struct entries *at_w = equations->at_w, *at_y = equations->at_y;
    int k = equations->unknowns, s = stages;
    *matrix = (struct stage_matrix){.stages = s};
    matrix->from_w = arena_new(&matrix->arena, s * at_w->count, sizeof(int));
    matrix->from_y = arena_new(&matrix->arena, s * s * at_y->count, sizeof(int));
    sparse_init(&matrix->N, s * k);
    struct reached reached = {memory_new(k, sizeof(bool)), memory_new(k, sizeof(bool))};
    int *place = memory_new(s * k, sizeof *place);
    for (int i = 0; i < s; i++)
        for (int row = 0; row < k; row++) {
            reach(&reached, equations, chains, row);
            place_row(matrix, &reached, k, i, row, place);
            note_sources(matrix, equations, chains, i, row, place);
        }
    free(reached.by_w);
    free(reached.by_y);
    free(place);
}

void stage_matrix_clear(struct stage_matrix *matrix)
{
    if (matrix->stages > 0)
        sparse_clear(&matrix->N);
    arena_free(&matrix->arena);
    *matrix = (struct stage_matrix){0};
}

/* --- its values --------------------------------------------------------------------- */

static void clear_block_row(struct stage_matrix *matrix, int k, int i)
{
    struct sparse *N = &matrix->N;
    int begin = N->begin[i * k], end = N->begin[(i + 1) * k];
    memset(N->value + begin, 0, (size_t)(end - begin) * sizeof *N->value);
}

static void assemble(struct radau *work, int i)
{
    struct stage_matrix *matrix = &work->matrix;
    const struct jacobians *jacobians = &work->jacobians;
    const struct entries *at_w = jacobians->at_w, *at_y = jacobians->at_y;
    const struct chains *chains = &work->chains;
    int s = matrix->stages;
    const double *R_w = jacobians->R_w + i * at_w->count;
    const double *R_y = jacobians->R_y + i * at_y->count;
    const int *from_w = matrix->from_w + i * at_w->count;
    const int *from_y = matrix->from_y + i * at_y->count * s;
    double *value = matrix->N.value;
    clear_block_row(matrix, work->k, i);
    for (int e = 0; e < at_w->count; e++)
        value[from_w[e]] += R_w[e];
    for (int e = 0; e < at_y->count; e++) {
        const double *coupling = chains->coupling[chains->links[at_y->column[e]]][i];
        for (int j = 0; j < s; j++)
            value[from_y[e * s + j]] += coupling[j] * R_y[e];
    }
}

bool stage_matrix_factor(struct radau *work)
{
    struct stage_matrix *matrix = &work->matrix;
    int s = work->tableau->stages;
    if (matrix->stages != s) {
        stage_matrix_clear(matrix);
        stage_matrix_init(matrix, s, work->equations, &work->chains);
    }
    for (int i = 0; i < s; i++)
        assemble(work, i);
    return sparse_factor(&matrix->N);
}
