/*
 * elimination_schur.c - elimination by the Schur complement: S = D - C W G for the
 * multipliers.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "explicit/elimination_parts.h"

static struct schur *schur_new(const struct formula_matrix *A, const bool *multiplier)
{
    int rows = A->rows;
    struct schur *schur = memory_new(1, sizeof *schur);
    schur->coordinate = arena_new(&schur->arena, rows, sizeof *schur->coordinate);
    schur->multiplier = arena_new(&schur->arena, rows, sizeof *schur->multiplier);
    for (int k = 0; k < rows; k++)
        if (multiplier[k])
            schur->multiplier[schur->multipliers++] = k;
        else
            schur->coordinate[schur->coordinates++] = k;
    int n = schur->coordinates, m = schur->multipliers;
    formula_matrix_part(A, schur->multiplier, m, schur->coordinate, n, &schur->C);
    formula_matrix_part(A, schur->coordinate, n, schur->multiplier, m, &schur->G);
    formula_matrix_init(&schur->W, n, n);
    schur->a = arena_new(&schur->arena, n, sizeof *schur->a);
    schur->z = arena_new(&schur->arena, n, sizeof *schur->z);
    schur->b = arena_new(&schur->arena, m, sizeof *schur->b);
    return schur;
}

void schur_free(struct schur *schur)
{
    if (!schur)
        return;
    formula_matrix_clear(&schur->C);
    formula_matrix_clear(&schur->G);
    formula_matrix_clear(&schur->W);
    elimination_free(schur->inner);
    arena_free(&schur->arena);
    free(schur);
}

static bool is_coupled(const struct formula_matrix *A, int i, int k,
                       const struct formula_matrix *mirror)
{
    const struct formula_row *row = &A->row[i];
    return !is_zero(row->value[k]) ||
           !is_zero(formula_matrix_at(mirror, row->column[k], i));
}

/* Marks the coordinates that M connects with k; returns their number. stack: scratch. */
static int connected(const struct formula_matrix *M, int k, int mark, int *component,
                     int *stack)
{
    int height = 0, count = 0;
    component[k] = mark;
    stack[height++] = k;
    while (height > 0) {
        int i = stack[--height];
        count++;
        for (int e = 0; e < M->row[i].count; e++) {
            int j = M->row[i].column[e];
            if (component[j] == 0 && is_coupled(M, i, e, M)) {
                component[j] = mark;
                stack[height++] = j;
            }
        }
    }
    return count;
}

static bool all_steady(const struct formula_matrix *M)
{
    for (int i = 0; i < M->rows; i++)
        for (int k = 0; k < M->row[i].count; k++)
            if (!is_steady(M->row[i].value[k]))
                return false;
    return true;
}

/* The products of S: rows i >= j and their entries in the same component. */
static double complement_cost(const struct schur *schur, const int *component)
{
    int n = schur->coordinates;
    double *once = memory_new(n + 1, sizeof *once), cost = 0;   /* rows so far */
    double *own = memory_new(n + 1, sizeof *own);
    for (int i = 0; i < schur->multipliers; i++) {
        const struct formula_row *row = &schur->C.row[i];
        for (int k = 0; k < row->count; k++)
            if (is_coupled(&schur->C, i, k, &schur->G)) {
                own[component[row->column[k]]]++;
                cost += SOLVES * 2;
            }
        for (int k = 0; k < row->count; k++) {
            int c = component[row->column[k]];
            once[c] += own[c];
            cost += own[c] * once[c];
            own[c] = 0;
        }
    }
    free(once);
    free(own);
    return cost;
}

/* The products of S and the solutions, without those of eliminating S; INFINITY when M is
   not constant. */
static double schur_cost(const struct schur *schur, const struct formula_matrix *M)
{
    int n = schur->coordinates, marks = 0;
    double cost = 0;
    if (!all_steady(M))
        return INFINITY;
    int *component = memory_new(n, sizeof *component);
    int *stack = memory_new(n, sizeof *stack);
    for (int k = 0; k < n; k++)
        if (component[k] == 0) {
            double size = connected(M, k, ++marks, component, stack);
            cost += SOLVES * 2 * size * size;
        }
    cost += complement_cost(schur, component);
    free(component);
    free(stack);
    return cost;
}

/* Ratio of operations that is worth it, since coordinates need not wait for each other.
   Measured: five-bar takes 5 % less time with 5 % more operations, four-bar-3 up to 8 %
   less with 2 % more; four-bar-4 takes 17 % more with 10 % more. */
static const double shorter_chain = 1.07;

/* Finds W, column by column; of a symmetric matrix one triangle is computed. */
static void invert(struct tape *tape, const struct elimination *of_M,
                   struct formula_matrix *W)
{
    int n = W->rows;
    formula *column = memory_new(n, sizeof *column);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            column[i] = i == j ? integer(tape, 1) : (formula){NULL, 0};
        elimination_solve(of_M, column);
        for (int i = of_M->symmetric ? j : 0; i < n; i++) {
            if (is_zero(column[i]))
                continue;
            formula_matrix_set(W, i, j, column[i]);
            if (of_M->symmetric)
                formula_matrix_set(W, j, i, column[i]);
        }
    }
    free(column);
}

/* Puts the sums into a row, from column `begin` on, and clears them. */
static void take_sums(formula *sum, int begin, struct formula_matrix *to, int i)
{
    for (int j = 0; j < to->columns; j++) {
        if (j >= begin && !is_zero(sum[j]))
            formula_matrix_set(to, i, j, sum[j]);
        sum[j] = (formula){NULL, 0};
    }
}

/* WG = W G; sum: scratch. */
static void product(const struct schur *schur, struct formula_matrix *WG, formula *sum)
{
    formula_matrix_init(WG, schur->coordinates, schur->multipliers);
    for (int i = 0; i < schur->coordinates; i++) {
        const struct formula_row *row = &schur->W.row[i];
        for (int k = 0; k < row->count; k++) {
            const struct formula_row *G = &schur->G.row[row->column[k]];
            for (int e = 0; e < G->count; e++) {
                formula *to = &sum[G->column[e]];
                *to = add(*to, mul(row->value[k], G->value[e]));
            }
        }
        take_sums(sum, 0, WG, i);
    }
}

/* S = D - C W G; of a symmetric matrix one triangle is computed. */
static void complement(const struct schur *schur, const struct formula_matrix *A,
                       struct formula_matrix *S)
{
    int m = schur->multipliers;
    bool symmetric = elimination_symmetric(A);
    struct formula_matrix WG;
    formula *sum = memory_new(m, sizeof *sum);
    product(schur, &WG, sum);
    formula_matrix_part(A, schur->multiplier, m, schur->multiplier, m, S);
    for (int i = 0; i < m; i++) {
        const struct formula_row *D = &S->row[i], *C = &schur->C.row[i];
        for (int e = 0; e < D->count; e++)
            sum[D->column[e]] = D->value[e];
        for (int k = 0; k < C->count; k++) {
            const struct formula_row *row = &WG.row[C->column[k]];
            for (int e = 0; e < row->count; e++) {
                int j = row->column[e];
                if (!symmetric || j >= i)
                    sum[j] = sub(sum[j], mul(C->value[k], row->value[e]));
            }
        }
        take_sums(sum, symmetric ? i : 0, S, i);
    }
    for (int i = 0; i < m && symmetric; i++)
        for (int k = 0; k < S->row[i].count; k++)
            if (S->row[i].column[k] > i)
                formula_matrix_set(S, S->row[i].column[k], i, S->row[i].value[k]);
    free(sum);
    formula_matrix_clear(&WG);
}

bool schur_eliminate(struct elimination *e, const struct formula_matrix *A,
                     const bool *multiplier, double cost)
{
    struct schur *schur = schur_new(A, multiplier);
    int n = schur->coordinates, m = schur->multipliers;
    struct formula_matrix M, S;
    formula_matrix_part(A, schur->coordinate, n, schur->coordinate, n, &M);
    bool *none = memory_new(A->rows, sizeof *none);
    bool *all = memory_new(A->rows, sizeof *all);
    for (int k = 0; k < A->rows; k++)
        all[k] = true;
    double own = n > 0 && m > 0 ? schur_cost(schur, &M) : INFINITY;
    bool cheaper = own < shorter_chain * cost && own <= elimination_most(A->rows);
    struct elimination *of_M = cheaper ? elimination_new(e->tape, &M, none) : NULL;
    if (of_M) {
        invert(e->tape, of_M, &schur->W);
        complement(schur, A, &S);
        schur->inner = elimination_new(e->tape, &S, all);
        for (int k = 0; k < n; k++)
            e->diagonal[schur->coordinate[k]] = of_M->diagonal[k];
        for (int k = 0; schur->inner && k < m; k++)
            e->diagonal[schur->multiplier[k]] = schur->inner->diagonal[k];
        formula_matrix_clear(&S);
    }
    elimination_free(of_M);
    free(none);
    free(all);
    formula_matrix_clear(&M);
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
        schur->z[k] = formula_matrix_dot(&schur->W, k, schur->a);
    for (int i = 0; i < m; i++)
        schur->b[i] = sub(b[schur->multiplier[i]],
                          formula_matrix_dot(&schur->C, i, schur->z));
    elimination_solve(schur->inner, schur->b);
    for (int k = 0; k < n; k++)
        schur->a[k] = sub(schur->a[k], formula_matrix_dot(&schur->G, k, schur->b));
    for (int k = 0; k < n; k++)
        b[schur->coordinate[k]] = formula_matrix_dot(&schur->W, k, schur->a);
    for (int i = 0; i < m; i++)
        b[schur->multiplier[i]] = schur->b[i];
}
