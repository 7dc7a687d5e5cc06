/*
 * elimination_schur.c - all coordinates at once: S = D - C W G for the multipliers.
 */
#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"
#include "linear/elimination_parts.h"

/* Entries of A between the unknowns of two lists. */
static formula *part_of(const formula *A, int rows, const int *row, int count,
                        const int *column, int columns)
{
    formula *part = memory_new(count * columns, sizeof *part);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < columns; j++)
            part[i * columns + j] = A[row[i] * rows + column[j]];
    return part;
}

static struct schur *schur_new(const formula *A, int rows, const bool *multiplier)
{
    struct schur *schur = memory_new(1, sizeof *schur);
    schur->coordinate = memory_new(rows, sizeof *schur->coordinate);
    schur->multiplier = memory_new(rows, sizeof *schur->multiplier);
    for (int k = 0; k < rows; k++)
        if (multiplier[k])
            schur->multiplier[schur->multipliers++] = k;
        else
            schur->coordinate[schur->coordinates++] = k;
    int n = schur->coordinates, m = schur->multipliers;
    schur->C = part_of(A, rows, schur->multiplier, m, schur->coordinate, n);
    schur->G = part_of(A, rows, schur->coordinate, n, schur->multiplier, m);
    schur->W = memory_new(n * n, sizeof *schur->W);
    schur->a = memory_new(n, sizeof *schur->a);
    schur->z = memory_new(n, sizeof *schur->z);
    schur->b = memory_new(m, sizeof *schur->b);
    return schur;
}

void schur_free(struct schur *schur)
{
    if (!schur)
        return;
    free(schur->coordinate);
    free(schur->multiplier);
    free(schur->C);
    free(schur->G);
    free(schur->W);
    free(schur->a);
    free(schur->z);
    free(schur->b);
    elimination_free(schur->inner);
    free(schur);
}

/* Marks the coordinates that M connects with k; returns how many. */
static int connected(const formula *M, int n, int k, int mark, int *component)
{
    int *stack = memory_new(n, sizeof *stack), height = 0, count = 0;
    component[k] = mark;
    stack[height++] = k;
    while (height > 0) {
        int i = stack[--height];
        count++;
        for (int j = 0; j < n; j++)
            if (component[j] == 0 && !(is_zero(M[i * n + j]) && is_zero(M[j * n + i]))) {
                component[j] = mark;
                stack[height++] = j;
            }
    }
    free(stack);
    return count;
}

/* Products that S and the solutions take, without those of S itself; INFINITY when M is
   not constant. */
static double schur_cost(const struct schur *schur, const formula *M)
{
    int n = schur->coordinates, m = schur->multipliers, marks = 0;
    double cost = 0;
    for (int k = 0; k < n * n; k++)
        if (!is_steady(M[k]))
            return INFINITY;
    int *component = memory_new(n, sizeof *component);
    int *entries = memory_new((n + 1) * m, sizeof *entries);   /* of a row by component */
    for (int k = 0; k < n; k++)
        if (component[k] == 0) {
            double size = connected(M, n, k, ++marks, component);
            cost += SOLVES * 2 * size * size;
        }
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++)
            if (!is_zero(schur->C[i * n + k]) || !is_zero(schur->G[k * m + i])) {
                entries[i * (n + 1) + component[k]]++;
                cost += SOLVES * 2;
            }
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            for (int c = 1; c <= marks; c++)
                cost += entries[i * (n + 1) + c] * entries[j * (n + 1) + c];
    free(component);
    free(entries);
    return cost;
}

/* So many more operations are worth it that coordinates need not wait for each other.
   Measured: with 5 % more five-bar takes 5 % less time, with 2 % more four-bar-3 up to
   8 % less; with 10 % more four-bar-4 takes 17 % more. */
static const double shorter_chain = 1.07;

/* W, column by column. */
static void invert(struct tape *tape, const struct elimination *of_M, int n, formula *W)
{
    formula *column = memory_new(n, sizeof *column);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            column[i] = i == j ? integer(tape, 1) : (formula){NULL, 0};
        elimination_solve(of_M, column);
        for (int i = 0; i < n; i++)
            W[i * n + j] = column[i];
    }
    free(column);
}

/* S = D - C W G; of a symmetric matrix one triangle. */
static void complement(const struct schur *schur, const formula *A, int rows,
                       bool symmetric, formula *S)
{
    int n = schur->coordinates, m = schur->multipliers;
    formula *WG = memory_new(n * m, sizeof *WG);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++)
                WG[i * m + j] = add(WG[i * m + j],
                                    mul(schur->W[i * n + k], schur->G[k * m + j]));
    for (int i = 0; i < m; i++)
        for (int j = symmetric ? i : 0; j < m; j++) {
            formula sum = A[schur->multiplier[i] * rows + schur->multiplier[j]];
            for (int k = 0; k < n; k++)
                sum = sub(sum, mul(schur->C[i * n + k], WG[k * m + j]));
            S[i * m + j] = sum;
            if (symmetric)
                S[j * m + i] = sum;
        }
    free(WG);
}

bool schur_eliminate(struct elimination *e, const formula *A, const bool *multiplier,
                     double cost)
{
    struct schur *schur = schur_new(A, e->rows, multiplier);
    int n = schur->coordinates, m = schur->multipliers, rows = e->rows;
    formula *M = part_of(A, rows, schur->coordinate, n, schur->coordinate, n);
    bool *none = memory_new(rows, sizeof *none), *all = memory_new(rows, sizeof *all);
    for (int k = 0; k < rows; k++)
        all[k] = true;
    bool cheaper = n > 0 && m > 0 && schur_cost(schur, M) < shorter_chain * cost;
    struct elimination *of_M = cheaper ? elimination_new(e->tape, M, n, none) : NULL;
    if (of_M) {
        formula *S = memory_new(m * m, sizeof *S);
        invert(e->tape, of_M, n, schur->W);
        complement(schur, A, rows, elimination_symmetric(A, rows), S);
        schur->inner = elimination_new(e->tape, S, m, all);
        for (int k = 0; k < n; k++)
            e->diagonal[schur->coordinate[k]] = of_M->diagonal[k];
        for (int k = 0; schur->inner && k < m; k++)
            e->diagonal[schur->multiplier[k]] = schur->inner->diagonal[k];
        free(S);
    }
    elimination_free(of_M);
    free(none);
    free(all);
    free(M);
    if (schur->inner)
        e->schur = schur;
    else
        schur_free(schur);
    return e->schur != NULL;
}

void schur_solve(const struct schur *schur, formula *b)
{
    int n = schur->coordinates, m = schur->multipliers;
    for (int k = 0; k < n; k++)
        schur->a[k] = b[schur->coordinate[k]];
    for (int k = 0; k < n; k++)
        schur->z[k] = dot(schur->W + k * n, schur->a, n);
    for (int i = 0; i < m; i++)
        schur->b[i] = sub(b[schur->multiplier[i]],
                          dot(schur->C + i * n, schur->z, n));
    elimination_solve(schur->inner, schur->b);
    for (int k = 0; k < n; k++)
        schur->a[k] = sub(schur->a[k], dot(schur->G + k * m, schur->b, m));
    for (int k = 0; k < n; k++)
        b[schur->coordinate[k]] = dot(schur->W + k * n, schur->a, n);
    for (int i = 0; i < m; i++)
        b[schur->multiplier[i]] = schur->b[i];
}
