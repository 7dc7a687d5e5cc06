/*
 * outweighed.c - (G D^-1 C)_ii / M_ii at the start (outweighed.h).
 */
#include "outweighed.h"

#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"
#include "formula/program.h"
#include "run.h"

/* (G D^-1 C)_ii, of a D that is diagonal or nearly so. */
static formula added_by_penalty(const struct formula_matrix *R_u, int n, int i)
{
    formula sum = {NULL, 0};
    for (int k = n; k < R_u->rows; k++) {
        formula D = negate(formula_matrix_at(R_u, k, k));
        formula along = mul(formula_matrix_at(R_u, i, k), formula_matrix_at(R_u, k, i));
        if (!is_zero(D) && !is_zero(along))
            sum = add(sum, quotient(along, D));
    }
    return sum;
}

static bool has_penalty(const struct formula_matrix *R_u, int n)
{
    for (int k = n; k < R_u->rows; k++)
        if (!is_zero(formula_matrix_at(R_u, k, k)))
            return true;
    return false;
}

/* The values of formulas of (t, q, rho) at the start; v, s and unknowns are zero. */
static void at_start(const struct model *model, const formula *f, int count,
                     double *value)
{
    unsigned char stage[BLOCK_LIMIT];
    struct diagnosis ignored;
    int n = model->n;
    formula *start = memory_new(n + 1, sizeof *start);
    double *q = memory_new(n + 1, sizeof *q), *rho = memory_new(model->p, sizeof *rho);
    for (int b = 0; b < BLOCK_LIMIT; b++)
        stage[b] = 1;
    for (int i = 0; i < n; i++)
        start[i] = model->q0[i].tape ? model->q0[i] : model->q_guess[i];
    start[n] = model->t0;
    nominal_values(model, rho, &ignored);
    const struct { const formula *f; int count; double *value; } part[] = {
        {start, n + 1, q}, {f, count, value}};
    for (int k = 0; k < 2; k++) {
        struct program *program = program_seal(model->tape, part[k].f, part[k].count,
                                               stage);
        double *w = memory_new(program->slots, sizeof *w);
        program_init(program, w);
        program_load(program, BLOCK_RHO, rho, w);
        program_load(program, BLOCK_Q, q, w);
        program_load(program, BLOCK_T, &q[n], w);
        program_run(program, 1, w);
        for (int i = 0; i < part[k].count; i++)
            part[k].value[i] = w[program->output[i]];
        free(w);
        program_free(program);
    }
    free(start);
    free(q);
    free(rho);
}

double outweighed(const struct model *model, const struct formula_matrix *R_u, int n)
{
    if (!has_penalty(R_u, n))
        return 0;
    formula *f = memory_new(2 * n, sizeof *f);
    double *value = memory_new(2 * n, sizeof *value), most = 0;
    for (int i = 0; i < n; i++) {
        f[i] = added_by_penalty(R_u, n, i);
        f[n + i] = formula_matrix_at(R_u, i, i);
    }
    at_start(model, f, 2 * n, value);
    for (int i = 0; i < n; i++) {
        double ratio = fabs(value[i]) > 0 ? fabs(value[i] / value[n + i]) : 0;
        most = isfinite(ratio) ? fmax(most, ratio) : INFINITY;
    }
    free(f);
    free(value);
    return most;
}
