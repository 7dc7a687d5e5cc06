/*
 * stacked_lu.c - sparse LU factors by KLU, stacked.
 *
 * KLU has P A' Q = L U + F with diagonal blocks L U and F above them, so that A x = b is
 * (L U + F)' y = c with the components of x and b in other orders. Block after block,
 * U' z = c - F' y goes forward and L' y = z back.
 */
#include "stacked_lu.h"

#include <math.h>

#include "base/largest.h"
#include "base/memory.h"
#include "klu_factors.h"
#include "simd/simd.h"

void stacked_lu_init(struct stacked_lu *lu, int n, int most)
{
    *lu = (struct stacked_lu){.lanes = PACK * simd_packs(most)};
    sparse_init(&lu->K, n);
}

void stacked_lu_clear(struct stacked_lu *lu)
{
    sparse_clear(&lu->K);
    arena_free(&lu->arena);
    *lu = (struct stacked_lu){0};
}

/* --- the steps of a solution -------------------------------------------------------- */

/* A triangular matrix by columns, its values from `first` on in `extracted`. */
struct triangle {
    int *begin, *row, first;
};

/* The factors as klu_extract gives them. */
struct parts {
    struct triangle L, U, F;
    int *block;                 /* [blocks + 1] first columns of the blocks */
};

/* Takes the room for n columns and so many entries off `places`. */
static struct triangle triangle_at(int **places, int n, int entries, int first)
{
    struct triangle triangle = {*places, *places + n + 1, first};
    *places += n + 1 + entries;
    return triangle;
}

static struct parts extract(struct stacked_lu *lu)
{
    struct sparse_factors *f = lu->K.factors;
    const klu_numeric *numeric = f->numeric;
    int n = lu->K.n, lnz = numeric->lnz, unz = numeric->unz, *places = lu->places;
    struct parts p;
    p.L = triangle_at(&places, n, lnz, 0);
    p.U = triangle_at(&places, n, unz, lnz);
    p.F = triangle_at(&places, n, numeric->nzoff, lnz + unz);
    p.block = places;
    klu_extract(f->numeric, f->symbolic, p.L.begin, p.L.row, lu->extracted, p.U.begin,
                p.U.row, lu->extracted + p.U.first, p.F.begin, p.F.row,
                lu->extracted + p.F.first, lu->to, lu->from, NULL, p.block, &f->common);
    return p;
}

static void allocate(struct stacked_lu *lu)
{
    const klu_numeric *numeric = lu->K.factors->numeric;
    int n = lu->K.n, terms = numeric->lnz + numeric->unz + numeric->nzoff;
    struct arena *arena = &lu->arena;
    arena_free(arena);
    lu->value = arena_new(arena, terms * lu->lanes, sizeof *lu->value);
    lu->pivot = arena_new(arena, 2 * n * lu->lanes, sizeof *lu->pivot);
    lu->of_row = arena_new(arena, n * lu->lanes, sizeof *lu->of_row);
    lu->of_column = arena_new(arena, n * lu->lanes, sizeof *lu->of_column);
    lu->x = arena_new(arena, n * lu->lanes, sizeof *lu->x);
    lu->extracted = arena_new(arena, terms, sizeof *lu->extracted);
    lu->row = arena_new(arena, 2 * n, sizeof *lu->row);
    lu->begin = arena_new(arena, 2 * n + 1, sizeof *lu->begin);
    lu->pivot_from = arena_new(arena, 2 * n, sizeof *lu->pivot_from);
    lu->term = arena_new(arena, terms, sizeof *lu->term);
    lu->value_from = arena_new(arena, terms, sizeof *lu->value_from);
    lu->from = arena_new(arena, n, sizeof *lu->from);
    lu->to = arena_new(arena, n, sizeof *lu->to);
    lu->places = arena_new(arena, 4 * (n + 1) + terms, sizeof *lu->places);
    for (int k = 0; k < 2 * n * lu->lanes; k++)
        lu->pivot[k] = 1;       /* of lanes without a matrix */
}

/* Adds the entries of column j off the diagonal to the terms of the step in hand. Returns
   the index of the one on the diagonal in `extracted`; -1: there is none. */
static int add_terms(struct stacked_lu *lu, const struct triangle *from, int j)
{
    int *end = &lu->begin[lu->steps + 1], diagonal = -1;
    for (int e = from->begin[j]; e < from->begin[j + 1]; e++)
        if (from->row[e] == j) {
            diagonal = from->first + e;
        } else {
            lu->term[*end] = from->row[e];
            lu->value_from[(*end)++] = from->first + e;
        }
    return diagonal;
}

static void begin_step(struct stacked_lu *lu, int row)
{
    lu->row[lu->steps] = row;
    lu->pivot_from[lu->steps] = -1;
    lu->begin[lu->steps + 1] = lu->begin[lu->steps];
}

/* Notes the steps of a solution with the pivots that have just been chosen. */
static void note_steps(struct stacked_lu *lu)
{
    allocate(lu);
    struct parts p = extract(lu);
    lu->steps = 0;
    for (int k = 0; k < lu->K.factors->numeric->nblocks; k++) {
        for (int j = p.block[k]; j < p.block[k + 1]; j++) {
            begin_step(lu, j);
            add_terms(lu, &p.F, j);
            lu->pivot_from[lu->steps] = add_terms(lu, &p.U, j);
            lu->steps++;
        }
        for (int j = p.block[k + 1] - 1; j >= p.block[k]; j--) {
            begin_step(lu, j);
            add_terms(lu, &p.L, j);
            lu->steps += lu->begin[lu->steps + 1] > lu->begin[lu->steps];
        }
    }
    lu->chosen = lu->K.factors->chosen;
}

/* --- values ------------------------------------------------------------------------- */

/* Puts the factors in hand into a lane. */
static void put(struct stacked_lu *lu, int lane)
{
    int lanes = lu->lanes;
    extract(lu);
    for (int e = 0; e < lu->begin[lu->steps]; e++)
        lu->value[e * lanes + lane] = lu->extracted[lu->value_from[e]];
    for (int s = 0; s < lu->steps; s++) {
        int from = lu->pivot_from[s];
        if (from >= 0)
            lu->pivot[s * lanes + lane] = lu->extracted[from];
    }
    for (int i = 0; i < lu->K.n; i++) {
        lu->of_row[i * lanes + lane] = 1 / lu->K.row[lu->from[i]];
        lu->of_column[i * lanes + lane] = 1 / lu->K.right[lu->to[i]];
    }
}

enum outcome { STACKED, OTHER_PIVOTS, ONE_SINGULAR };

static enum outcome stack(struct stacked_lu *lu, int count, const double *value)
{
    for (int i = 0; i < count; i++) {
        memory_copy(lu->K.value, value + i * lu->K.count, lu->K.count, sizeof *value);
        if (!sparse_factor(&lu->K))
            return ONE_SINGULAR;
        bool same = lu->chosen == lu->K.factors->chosen;
        if (!same)
            note_steps(lu);
        if (!same && i > 0)
            return OTHER_PIVOTS;
        put(lu, i);
    }
    return STACKED;
}

/* Where a matrix needs other pivots than those before it, these are tried with them:
   stages of one step differ by little. */
bool stacked_lu_factor(struct stacked_lu *lu, int count, const double *value)
{
    lu->count = count;
    enum outcome outcome = stack(lu, count, value);
    if (outcome == OTHER_PIVOTS)
        outcome = stack(lu, count, value);
    return outcome == STACKED;
}

/* --- solutions ---------------------------------------------------------------------- */

INLINE void substitute(const struct stacked_lu *lu)
{
    for (int l = 0; l < lu->count; l += PACK) {
        double *x = lu->x + l;
        const double *value = lu->value + l, *pivot = lu->pivot + l;
        for (int s = 0; s < lu->steps; s++) {
            pack *own = (pack *)(x + lu->row[s] * lu->lanes), left = *own;
            for (int e = lu->begin[s]; e < lu->begin[s + 1]; e++)
                left -= *(const pack *)(value + e * lu->lanes)
                        * *(const pack *)(x + lu->term[e] * lu->lanes);
            if (lu->pivot_from[s] >= 0)
                left /= *(const pack *)(pivot + s * lu->lanes);
            *own = left;
        }
    }
}

SIMD_WIDEST(substitute_in_packs, substitute, (const struct stacked_lu *lu), (lu))

void stacked_lu_solve(const struct stacked_lu *lu, double *x)
{
    int n = lu->K.n, lanes = lu->lanes;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < lu->count; i++)
            lu->x[j * lanes + i] = x[i * n + lu->from[j]] * lu->of_row[j * lanes + i];
    substitute_in_packs(lu);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < lu->count; i++)
            x[i * n + lu->to[j]] = lu->x[j * lanes + i] * lu->of_column[j * lanes + i];
}

double stacked_lu_largest(const struct stacked_lu *lu, const double *x)
{
    int n = lu->K.n;
    double most = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < lu->count; i++)
            most = larger(most, fabs(x[i * n + lu->to[j]])
                                    / lu->of_column[j * lu->lanes + i]);
    return most;
}
