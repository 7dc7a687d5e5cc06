/*
 * elimination.c - symbolic Gaussian elimination, pivot by pivot; see elimination.h.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "explicit/elimination_parts.h"
#include "optimise/equal.h"

/* --- the matrix --------------------------------------------------------------------- */

bool elimination_symmetric(const struct formula_matrix *A)
{
    for (int i = 0; i < A->rows; i++)
        for (int k = 0; k < A->row[i].count; k++)
            if (!same_formula(A->row[i].value[k],
                              formula_matrix_at(A, A->row[i].column[k], i)))
                return false;
    return true;
}

/* Makes A_ij and A_ji one formula where they are equal, but written in two ways, as when
   they come from Phi and from Phidd: then one triangle is enough. */
static void make_symmetric(struct tape *tape, struct formula_matrix *A)
{
    struct equal equal = {.tape = tape};
    for (int i = 0; i < A->rows; i++)
        for (int k = 0; k < A->row[i].count; k++) {
            int j = A->row[i].column[k];
            formula value = A->row[i].value[k];
            if (j > i && equal_formulas(&equal, value, formula_matrix_at(A, j, i)))
                formula_matrix_set(A, j, i, value);
        }
    equal_clear(&equal);
}

bool elimination_is_symmetric(struct tape *tape, const struct formula_matrix *A)
{
    struct formula_matrix copy;
    formula_matrix_mirrored(A, &copy);
    make_symmetric(tape, &copy);
    bool symmetric = elimination_symmetric(&copy);
    formula_matrix_clear(&copy);
    return symmetric;
}

static formula entry_of(const struct formula_matrix *A, int i, int j)
{
    return formula_matrix_at(A, i, j);
}

static bool coupled(const struct formula_matrix *A, int i, int j)
{
    return !is_zero(entry_of(A, i, j)) || !is_zero(entry_of(A, j, i));
}

/* Lists the unknowns left that are coupled with one of the pivot, in their order. */
static void note_others(struct elimination *e, struct pivot *pivot,
                        const struct formula_matrix *A, const bool *done)
{
    const struct formula_row *row[2] = {&A->row[pivot->unknown[0]],
                                        &A->row[pivot->unknown[pivot->size - 1]]};
    int at[2] = {0, pivot->size == 2 ? 0 : row[1]->count};
    pivot->other = arena_new(&e->arena, row[0]->count + row[1]->count,
                             sizeof *pivot->other);
    while (at[0] < row[0]->count || at[1] < row[1]->count) {
        int j = INT_MAX;
        for (int k = 0; k < 2; k++)
            if (at[k] < row[k]->count && row[k]->column[at[k]] < j)
                j = row[k]->column[at[k]];
        for (int k = 0; k < 2; k++)
            at[k] += at[k] < row[k]->count && row[k]->column[at[k]] == j;
        if (!done[j] && (coupled(A, pivot->unknown[0], j) ||
                         (pivot->size == 2 && coupled(A, pivot->unknown[1], j))))
            pivot->other[pivot->count++] = j;
    }
    int entries = pivot->count * pivot->size;
    pivot->lower = arena_new(&e->arena, entries, sizeof *pivot->lower);
    pivot->upper = arena_new(&e->arena, entries, sizeof *pivot->upper);
}

/* Finds adj(P) and 1/det; D has P on the diagonal, and the determinant for a P of two.
   False is returned when that is zero. */
static bool invert_pivot(struct elimination *e, struct pivot *pivot,
                         const struct formula_matrix *A)
{
    int k = pivot->unknown[0], l = pivot->unknown[1];
    formula one = integer(e->tape, 1), det = entry_of(A, k, k);
    e->diagonal[k] = det;
    pivot->adj[0] = one;
    if (pivot->size == 2) {
        formula a = det, b = entry_of(A, k, l), c = entry_of(A, l, k);
        formula d = entry_of(A, l, l);
        det = sub(mul(a, d), mul(b, c));
        e->diagonal[l] = det;
        pivot->adj[0] = d;
        pivot->adj[1] = negate(b);
        pivot->adj[2] = negate(c);
        pivot->adj[3] = a;
    }
    if (is_zero(det))           /* terms may cancel, which the pattern does not show */
        return false;
    pivot->inverse = quotient(one, det);
    return true;
}

static void couple(struct pivot *pivot, const struct formula_matrix *A)
{
    int size = pivot->size;
    for (int l = 0; l < pivot->count; l++)
        for (int o = 0; o < size; o++) {
            formula lower = {NULL, 0}, upper = {NULL, 0};
            for (int k = 0; k < size; k++) {
                formula to = entry_of(A, pivot->other[l], pivot->unknown[k]);
                formula from = entry_of(A, pivot->unknown[k], pivot->other[l]);
                lower = add(lower, mul(to, pivot->adj[k * size + o]));
                upper = add(upper, mul(pivot->adj[o * size + k], from));
            }
            pivot->lower[l * size + o] = lower;
            pivot->upper[l * size + o] = mul(upper, pivot->inverse);
        }
}

/* Multiplies by 1/det, for the solutions. */
static void scale_pivot(struct pivot *pivot)
{
    for (int k = 0; k < pivot->size * pivot->size; k++)
        pivot->adj[k] = mul(pivot->adj[k], pivot->inverse);
    for (int k = 0; k < pivot->size * pivot->count; k++)
        pivot->lower[k] = mul(pivot->lower[k], pivot->inverse);
}

/* Updates A_ij of the unknowns left; for a symmetric matrix one triangle is computed. */
static bool factor_pivot(struct elimination *e, struct pivot *pivot,
                         struct formula_matrix *A)
{
    int size = pivot->size;
    if (!invert_pivot(e, pivot, A))
        return false;
    couple(pivot, A);
    for (int l = 0; l < pivot->count; l++)
        for (int o = e->symmetric ? l : 0; o < pivot->count; o++) {
            int i = pivot->other[l], j = pivot->other[o];
            formula change = {NULL, 0};
            for (int k = 0; k < size; k++)
                change = add(change, mul(pivot->lower[l * size + k],
                                         entry_of(A, pivot->unknown[k], j)));
            formula entry = sub(entry_of(A, i, j), mul(change, pivot->inverse));
            formula_matrix_set(A, i, j, entry);
            if (e->symmetric)
                formula_matrix_set(A, j, i, entry);
        }
    scale_pivot(pivot);
    return true;
}

/* Do two multipliers follow each other, coupled by moving entries, to be one pivot? */
static bool is_pair(const struct formula_matrix *A, const bool *multiplier,
                    const int *order, int step)
{
    if (step + 1 >= A->rows)
        return false;
    int k = order[step], l = order[step + 1];
    return multiplier[k] && multiplier[l] && coupled(A, k, l) &&
           !is_steady(entry_of(A, k, k)) && !is_steady(entry_of(A, l, l));
}

/* Eliminates in this order; the unknowns left take the place of A. */
static bool eliminate_in_order(struct elimination *e, struct formula_matrix *left,
                               const bool *multiplier, const int *order)
{
    int rows = e->rows;
    e->symmetric = elimination_symmetric(left);
    e->pivot = arena_new(&e->arena, rows, sizeof *e->pivot);
    bool *done = memory_new(rows, sizeof *done);
    bool regular = true;
    for (int step = 0; step < rows && regular; step += e->pivot[e->pivots++].size) {
        struct pivot *pivot = &e->pivot[e->pivots];
        pivot->size = is_pair(left, multiplier, order, step) ? 2 : 1;
        for (int k = 0; k < pivot->size; k++) {
            pivot->unknown[k] = order[step + k];
            done[pivot->unknown[k]] = true;
        }
        note_others(e, pivot, left, done);
        regular = factor_pivot(e, pivot, left);
    }
    free(done);
    return regular;
}

/* --- the whole ---------------------------------------------------------------------- */

struct elimination *elimination_new(struct tape *tape, const struct formula_matrix *A,
                                    const bool *multiplier)
{
    int rows = A->rows;
    struct formula_matrix left;
    int *order = memory_new(rows, sizeof *order);
    struct elimination *e = memory_new(1, sizeof *e);
    *e = (struct elimination){.tape = tape, .rows = rows};
    e->diagonal = arena_new(&e->arena, rows, sizeof *e->diagonal);
    formula_matrix_mirrored(A, &left);
    make_symmetric(tape, &left);
    double cost = elimination_order(&left, multiplier, order);
    bool found = schur_eliminate(e, &left, multiplier, cost) ||
                 (isfinite(cost) && eliminate_in_order(e, &left, multiplier, order));
    formula_matrix_clear(&left);
    free(order);
    if (found)
        return e;
    elimination_free(e);
    return NULL;
}

void elimination_free(struct elimination *e)
{
    if (!e)
        return;
    schur_free(e->schur);
    arena_free(&e->arena);
    free(e);
}

static void solve_in_order(const struct elimination *e, formula *b)
{
    for (int step = 0; step < e->pivots; step++) {
        const struct pivot *pivot = &e->pivot[step];
        for (int l = 0; l < pivot->count; l++) {
            formula change = {NULL, 0}, *other = &b[pivot->other[l]];
            for (int k = 0; k < pivot->size; k++)
                change = add(change, mul(pivot->lower[l * pivot->size + k],
                                         b[pivot->unknown[k]]));
            *other = sub(*other, change);
        }
    }
    for (int step = e->pivots - 1; step >= 0; step--) {
        const struct pivot *pivot = &e->pivot[step];
        formula x[2] = {{NULL, 0}, {NULL, 0}};
        for (int o = 0; o < pivot->size; o++) {
            for (int k = 0; k < pivot->size; k++)
                x[o] = add(x[o], mul(pivot->adj[o * pivot->size + k],
                                     b[pivot->unknown[k]]));
            for (int l = 0; l < pivot->count; l++)
                x[o] = sub(x[o], mul(pivot->upper[l * pivot->size + o],
                                     b[pivot->other[l]]));
        }
        for (int o = 0; o < pivot->size; o++)
            b[pivot->unknown[o]] = x[o];
    }
}

void elimination_solve(const struct elimination *e, formula *b)
{
    if (e->schur)
        schur_solve(e->schur, b);
    else
        solve_in_order(e, b);
}

const formula *elimination_pivots(const struct elimination *e)
{
    return e->diagonal;
}
