/*
 * solver.c - elimination of independent rows, and the multipliers of least norm; see
 * solver.h.
 */
#include "explicit/solver.h"

#include <stdlib.h>

#include "base/memory.h"

/* --- the rows that count ------------------------------------------------------------ */

/* The place of multiplier k among all unknowns, independent ones first. */
static int place(const struct solver *s, int k)
{
    return s->equations->n + s->equations->constraint[k];
}

/* The unknowns of the elimination: accelerations, independent multipliers. */
static void list_kept(const struct solver *s, int *kept)
{
    int n = s->equations->n;
    for (int i = 0; i < n; i++)
        kept[i] = i;
    for (int k = 0; k < s->independent; k++)
        kept[n + k] = place(s, k);
}

static struct elimination *eliminate(const struct solver *s, struct tape *tape,
                                     const struct formula_matrix *A)
{
    const struct explicit_equations *e = s->equations;
    bool *multiplier = memory_new(A->rows, sizeof *multiplier);
    for (int k = 0; k < A->rows; k++)
        multiplier[k] = s->dependent > 0 ? k >= e->n : e->unknown[k].block != BLOCK_A;
    struct elimination *elimination = elimination_new(tape, A, multiplier);
    free(multiplier);
    return elimination;
}

static struct elimination *eliminate_kept(const struct solver *s, struct tape *tape)
{
    const struct explicit_equations *e = s->equations;
    int size = e->n + s->independent;
    struct formula_matrix A;
    int *kept = memory_new(size, sizeof *kept);
    list_kept(s, kept);
    formula_matrix_part(e->R_u, kept, size, kept, size, &A);
    struct elimination *elimination = eliminate(s, tape, &A);
    formula_matrix_clear(&A);
    free(kept);
    return elimination;
}

/* x [n + independent] = A^-1 (b, b_I) of full b [rows]. */
static void solve_kept(const struct solver *s, const formula *b, formula *x)
{
    int n = s->equations->n;
    memory_copy(x, b, n, sizeof *x);
    for (int k = 0; k < s->independent; k++)
        x[n + k] = b[place(s, k)];
    elimination_solve(s->elimination, x);
}

/* --- dependent rows ----------------------------------------------------------------- */

/* Row d of N from M x + C_I' y = c_d, C_I x = 0: y. */
static void find_N(struct solver *s)
{
    const struct explicit_equations *e = s->equations;
    formula *b = memory_new(e->rows, sizeof *b), *x = memory_new(e->rows, sizeof *x);
    for (int d = 0; d < s->dependent; d++) {
        for (int j = 0; j < e->n; j++)
            b[j] = formula_matrix_at(e->R_u, place(s, s->independent + d), j);
        solve_kept(s, b, x);
        memory_copy(s->N + d * s->independent, x + e->n, s->independent, sizeof *x);
    }
    free(b);
    free(x);
}

static formula N_times(const struct solver *s, int d, const formula *x)
{
    return dot(s->N + d * s->independent, x, s->independent);
}

static formula N_transposed_times(const struct solver *s, int k, const formula *x)
{
    formula sum = {NULL, 0};
    for (int d = 0; d < s->dependent; d++)
        sum = add(sum, mul(s->N[d * s->independent + k], x[d]));
    return sum;
}

static struct elimination *eliminate_K(const struct solver *s, struct tape *tape)
{
    struct formula_matrix K;
    bool *multiplier = memory_new(s->dependent, sizeof *multiplier);
    formula_matrix_init(&K, s->dependent, s->dependent);
    for (int d = 0; d < s->dependent; d++)
        for (int c = 0; c < s->dependent; c++) {
            formula product = N_times(s, d, s->N + c * s->independent);
            if (c == d)
                product = add(integer(tape, 1), product);
            if (!is_zero(product))
                formula_matrix_set(&K, d, c, product);
        }
    struct elimination *elimination = elimination_new(tape, &K, multiplier);
    formula_matrix_clear(&K);
    free(multiplier);
    return elimination;
}

/* b becomes its projection onto the range of R_u, as far as b_I needs it. */
static void project(const struct solver *s, formula *b)
{
    formula *b_I = memory_new(s->independent, sizeof *b_I);
    formula *left = memory_new(s->dependent, sizeof *left);
    for (int k = 0; k < s->independent; k++)
        b_I[k] = b[place(s, k)];
    for (int d = 0; d < s->dependent; d++)
        left[d] = sub(b[place(s, s->independent + d)], N_times(s, d, b_I));
    elimination_solve(s->K, left);
    for (int k = 0; k < s->independent; k++)
        b[place(s, k)] = add(b_I[k], N_transposed_times(s, k, left));
    free(b_I);
    free(left);
}

/* Adds (I + N N')^-1 t [dependent] to lambda_D, and what makes up for it to lambda_I. */
static void add_dependent(const struct solver *s, formula *t, formula *u)
{
    elimination_solve(s->K, t);
    for (int k = 0; k < s->independent; k++)
        u[place(s, k)] = sub(u[place(s, k)], N_transposed_times(s, k, t));
    for (int d = 0; d < s->dependent; d++) {
        formula *lambda = &u[place(s, s->independent + d)];
        *lambda = add(*lambda, t[d]);
    }
}

/* --- the whole ---------------------------------------------------------------------- */

bool solver_init(struct solver *s, struct tape *tape, const struct explicit_equations *e)
{
    *s = (struct solver){.equations = e,
                         .independent = e->m - e->dependent,
                         .dependent = e->dependent};
    if (s->dependent == 0) {
        s->elimination = eliminate(s, tape, e->R_u);
        return s->elimination;
    }
    s->N = arena_new(&s->arena, s->dependent * s->independent, sizeof *s->N);
    s->elimination = eliminate_kept(s, tape);
    if (!s->elimination)
        return false;
    find_N(s);
    s->K = eliminate_K(s, tape);
    return s->K;
}

void solver_clear(struct solver *s)
{
    elimination_free(s->elimination);
    elimination_free(s->K);
    arena_free(&s->arena);
}

void solver_solve(const struct solver *s, formula *b)
{
    if (s->dependent == 0) {
        elimination_solve(s->elimination, b);
        return;
    }
    int n = s->equations->n;
    formula *x = memory_new(n + s->independent, sizeof *x);
    formula *t = memory_new(s->dependent, sizeof *t);
    project(s, b);
    solve_kept(s, b, x);
    memory_copy(b, x, n, sizeof *b);
    for (int k = 0; k < s->independent; k++)
        b[place(s, k)] = x[n + k];
    for (int d = 0; d < s->dependent; d++) {
        b[place(s, s->independent + d)] = (formula){NULL, 0};
        t[d] = N_times(s, d, x + n);
    }
    add_dependent(s, t, b);
    free(x);
    free(t);
}

void solver_pivots(const struct solver *s, formula *pivot)
{
    int rows = s->equations->rows - s->dependent;
    memory_copy(pivot, elimination_pivots(s->elimination), rows, sizeof *pivot);
    if (s->dependent > 0)
        memory_copy(pivot + rows, elimination_pivots(s->K), s->dependent, sizeof *pivot);
}

void solver_kernel(const struct solver *s, const formula *u, formula *x)
{
    const struct explicit_equations *e = s->equations;
    formula *b = memory_new(e->rows, sizeof *b), *all = memory_new(e->rows, sizeof *all);
    for (int k = 0; k < s->independent; k++)
        b[place(s, k)] = u[place(s, k)];
    solve_kept(s, b, all);
    memory_copy(x, all, e->n, sizeof *x);
    free(b);
    free(all);
}

/* lambda = C w stays so: dlambda_D = N dlambda_I + (dC_D - N dC_I) x, where C_I x =
   lambda_I. */
void solver_add_kernel(const struct solver *s, const formula *R_u_dot_x, formula *u_dot)
{
    formula *t = memory_new(s->dependent, sizeof *t);
    for (int d = 0; d < s->dependent; d++) {
        t[d] = R_u_dot_x[place(s, s->independent + d)];
        for (int k = 0; k < s->independent; k++)
            t[d] = sub(t[d], mul(s->N[d * s->independent + k], R_u_dot_x[place(s, k)]));
    }
    add_dependent(s, t, u_dot);
    free(t);
}
