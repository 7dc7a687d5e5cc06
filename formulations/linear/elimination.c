/*
 * elimination.c - pivot by pivot.
 */
#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"
#include "linear/elimination_parts.h"

/* --- the matrix --------------------------------------------------------------------- */

bool elimination_symmetric(const formula *A, int rows)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < i; j++)
            if (!same_formula(A[i * rows + j], A[j * rows + i]))
                return false;
    return true;
}

static formula entry_of(const formula *A, int rows, int i, int j)
{
    return A[i * rows + j];
}

static bool coupled(const formula *A, int rows, int i, int j)
{
    return !is_zero(entry_of(A, rows, i, j)) || !is_zero(entry_of(A, rows, j, i));
}

static void note_others(struct pivot *pivot, const formula *A, int rows, const bool *done)
{
    pivot->other = memory_new(rows, sizeof *pivot->other);
    for (int j = 0; j < rows; j++)
        if (!done[j] && (coupled(A, rows, pivot->unknown[0], j) ||
                         (pivot->size == 2 && coupled(A, rows, pivot->unknown[1], j))))
            pivot->other[pivot->count++] = j;
    int entries = pivot->count * pivot->size;
    pivot->lower = memory_new(entries, sizeof *pivot->lower);
    pivot->upper = memory_new(entries, sizeof *pivot->upper);
}

/* adj(P) and 1/det; the diagonal of D has P, and the determinant by P of two. False when
   that is zero. */
static bool invert_pivot(struct elimination *e, struct pivot *pivot, const formula *A)
{
    int rows = e->rows, k = pivot->unknown[0], l = pivot->unknown[1];
    formula one = integer(e->tape, 1), det = entry_of(A, rows, k, k);
    e->diagonal[k] = det;
    pivot->adj[0] = one;
    if (pivot->size == 2) {
        formula a = det, b = entry_of(A, rows, k, l), c = entry_of(A, rows, l, k);
        formula d = entry_of(A, rows, l, l);
        det = sub(mul(a, d), mul(b, c));
        e->diagonal[l] = det;
        pivot->adj[0] = d;
        pivot->adj[1] = negate(b);
        pivot->adj[2] = negate(c);
        pivot->adj[3] = a;
    }
    if (is_zero(det))           /* terms that cancel, which its pattern does not show */
        return false;
    pivot->inverse = quotient(one, det);
    return true;
}

static void couple(struct pivot *pivot, const formula *A, int rows)
{
    int size = pivot->size;
    for (int l = 0; l < pivot->count; l++)
        for (int o = 0; o < size; o++) {
            formula lower = {NULL, 0}, upper = {NULL, 0};
            for (int k = 0; k < size; k++) {
                formula to = entry_of(A, rows, pivot->other[l], pivot->unknown[k]);
                formula from = entry_of(A, rows, pivot->unknown[k], pivot->other[l]);
                lower = add(lower, mul(to, pivot->adj[k * size + o]));
                upper = add(upper, mul(pivot->adj[o * size + k], from));
            }
            pivot->lower[l * size + o] = lower;
            pivot->upper[l * size + o] = mul(upper, pivot->inverse);
        }
}

/* With the determinant, for what is solved for. */
static void scale_pivot(struct pivot *pivot)
{
    for (int k = 0; k < pivot->size * pivot->size; k++)
        pivot->adj[k] = mul(pivot->adj[k], pivot->inverse);
    for (int k = 0; k < pivot->size * pivot->count; k++)
        pivot->lower[k] = mul(pivot->lower[k], pivot->inverse);
}

/* A_ij for what is left; of a symmetric matrix one triangle, the other is the same. */
static bool factor_pivot(struct elimination *e, struct pivot *pivot, formula *A)
{
    int rows = e->rows, size = pivot->size;
    if (!invert_pivot(e, pivot, A))
        return false;
    couple(pivot, A, rows);
    for (int l = 0; l < pivot->count; l++)
        for (int o = e->symmetric ? l : 0; o < pivot->count; o++) {
            int i = pivot->other[l], j = pivot->other[o];
            formula change = {NULL, 0};
            for (int k = 0; k < size; k++)
                change = add(change, mul(pivot->lower[l * size + k],
                                         entry_of(A, rows, pivot->unknown[k], j)));
            formula *entry = &A[i * rows + j];
            *entry = sub(*entry, mul(change, pivot->inverse));
            if (e->symmetric)
                A[j * rows + i] = *entry;
        }
    scale_pivot(pivot);
    return true;
}

/* Two at once: multipliers that follow each other and are coupled by what moves. */
static bool is_pair(const formula *A, int rows, const bool *multiplier, const int *order,
                    int step)
{
    if (step + 1 >= rows)
        return false;
    int k = order[step], l = order[step + 1];
    return multiplier[k] && multiplier[l] && coupled(A, rows, k, l) &&
           !is_steady(entry_of(A, rows, k, k)) && !is_steady(entry_of(A, rows, l, l));
}

static bool eliminate_in_order(struct elimination *e, const formula *A,
                               const bool *multiplier, const int *order)
{
    int rows = e->rows;
    e->symmetric = elimination_symmetric(A, rows);
    e->pivot = memory_new(rows, sizeof *e->pivot);
    formula *left = memory_new(rows * rows, sizeof *left);
    bool *done = memory_new(rows, sizeof *done);
    memory_copy(left, A, rows * rows, sizeof *left);
    bool regular = true;
    for (int step = 0; step < rows && regular; step += e->pivot[e->pivots++].size) {
        struct pivot *pivot = &e->pivot[e->pivots];
        pivot->size = is_pair(left, rows, multiplier, order, step) ? 2 : 1;
        for (int k = 0; k < pivot->size; k++) {
            pivot->unknown[k] = order[step + k];
            done[pivot->unknown[k]] = true;
        }
        note_others(pivot, left, rows, done);
        regular = factor_pivot(e, pivot, left);
    }
    free(done);
    free(left);
    return regular;
}

/* --- the whole ---------------------------------------------------------------------- */

struct elimination *elimination_new(struct tape *tape, const formula *A, int rows,
                                    const bool *multiplier)
{
    int *order = memory_new(rows, sizeof *order);
    struct elimination *e = memory_new(1, sizeof *e);
    *e = (struct elimination){.tape = tape, .rows = rows};
    e->diagonal = memory_new(rows, sizeof *e->diagonal);
    double cost = elimination_order(A, rows, multiplier, order);
    bool found = schur_eliminate(e, A, multiplier, cost) ||
                 (isfinite(cost) && eliminate_in_order(e, A, multiplier, order));
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
    for (int step = 0; step < e->pivots; step++) {
        free(e->pivot[step].other);
        free(e->pivot[step].lower);
        free(e->pivot[step].upper);
    }
    schur_free(e->schur);
    free(e->pivot);
    free(e->diagonal);
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
