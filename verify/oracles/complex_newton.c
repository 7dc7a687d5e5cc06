/*
 * complex_newton.c - evaluation and Newton's method in double complex (complex_newton.h).
 */
#include "oracles/complex_newton.h"

#include <math.h>
#include <stdlib.h>

#include "base/largest.h"
#include "base/memory.h"
#include "formula/diff.h"

/* --- values ------------------------------------------------------------------------- */

struct complex_values *complex_values_new(const struct model *model, int impulses)
{
    struct complex_values *values = memory_new(1, sizeof *values);
    int size[BLOCKS] = {
        [BLOCK_T] = 1, [BLOCK_Q] = model->n, [BLOCK_V] = model->n, [BLOCK_S] = model->ns,
        [BLOCK_A] = model->n, [BLOCK_LAMBDA] = model->m, [BLOCK_RHO] = model->p,
        [BLOCK_Q_PLUS] = model->n, [BLOCK_V_PLUS] = model->n, [BLOCK_S_PLUS] = model->ns,
        [BLOCK_IMPULSE] = impulses, [BLOCK_MU] = model->m,
    };
    int total = 0;
    for (int b = 0; b < BLOCKS; b++)
        total += size[b];
    values->memory = memory_new(total, sizeof *values->memory);
    double complex *next = values->memory;
    for (int b = 0; b < BLOCKS; b++) {
        values->size[b] = size[b];
        values->x[b] = next;
        next += size[b];
    }
    return values;
}

void complex_values_free(struct complex_values *values)
{
    if (!values)
        return;
    free(values->memory);
    free(values);
}

/* --- outputs ------------------------------------------------------------------------ */

/* Stages of a program. A row is of the last stage whose variables it depends on. */
enum { ON_RHO = 1, ON_GIVEN, ON_UNKNOWNS };

static void seal(struct complex_outputs *outputs, const struct tape *tape,
                 const formula *f, int count, const bool is_unknown[BLOCKS])
{
    *outputs = (struct complex_outputs){.count = count};
    if (count == 0)
        return;
    for (int b = 0; b < BLOCKS; b++)
        outputs->stage[b] = b == BLOCK_RHO ? ON_RHO
                            : is_unknown[b] ? ON_UNKNOWNS : ON_GIVEN;
    outputs->program = program_seal(tape, f, count, outputs->stage);
    outputs->w = memory_new(outputs->program->slots, sizeof *outputs->w);
    program_init_complex(outputs->program, outputs->w);
}

void complex_outputs_init(struct complex_outputs *outputs, const struct tape *tape,
                          const formula *f, int count)
{
    static const bool none[BLOCKS];
    seal(outputs, tape, f, count, none);
}

void complex_outputs_clear(struct complex_outputs *outputs)
{
    if (outputs->program)
        program_free(outputs->program);
    free(outputs->w);
    *outputs = (struct complex_outputs){0};
}

void complex_outputs_rho(struct complex_outputs *outputs,
                         const struct complex_values *values)
{
    if (!outputs->program)
        return;
    program_load_complex(outputs->program, BLOCK_RHO, values->x[BLOCK_RHO], outputs->w);
    program_run_complex(outputs->program, ON_RHO, outputs->w);
}

void complex_outputs_follow(struct complex_outputs *outputs,
                            const struct complex_values *values, bool again,
                            double complex *out)
{
    const struct program *program = outputs->program;
    int first = again ? ON_UNKNOWNS : ON_GIVEN;
    if (!program)
        return;
    for (int b = 0; b < BLOCKS; b++)
        if (outputs->stage[b] >= first)
            program_load_complex(program, b, values->x[b], outputs->w);
    for (int stage = first; stage <= ON_UNKNOWNS; stage++)
        program_run_complex(program, stage, outputs->w);
    for (int i = 0; i < outputs->count; i++)
        out[i] = outputs->w[program->output[i]];
}

void complex_outputs_eval(struct complex_outputs *outputs,
                          const struct complex_values *values, double complex *out)
{
    complex_outputs_follow(outputs, values, false, out);
}

static bool depends_on_unknowns(const struct complex_outputs *outputs)
{
    const struct program *program = outputs->program;
    return program && program->stage_begin[ON_UNKNOWNS] <
                      program->stage_begin[ON_UNKNOWNS + 1];
}

/* --- equations ---------------------------------------------------------------------- */

/* matrix[i*unknowns + k] = dR_i / d(unknown k) */
static void newton_matrix(const formula *R, int rows, const struct unknown *unknown,
                          int unknowns, const int *size, formula *matrix)
{
    for (int b = 0; b < BLOCKS; b++) {
        bool occurs = false;
        for (int k = 0; k < unknowns; k++)
            occurs = occurs || unknown[k].block == b;
        if (!occurs)
            continue;
        formula *R_b = memory_new(rows * size[b], sizeof *R_b);
        jacobian(R, rows, b, size[b], R_b);
        for (int k = 0; k < unknowns; k++)
            for (int i = 0; i < rows && unknown[k].block == b; i++)
                matrix[i * unknowns + k] = R_b[i * size[b] + unknown[k].index];
        free(R_b);
    }
}

void complex_equations_init(struct complex_equations *equations,
                            const struct model *model, const formula *R, int rows,
                            const struct unknown *unknown, int unknowns)
{
    *equations = (struct complex_equations){.rows = rows, .unknowns = unknowns};
    struct complex_equations *e = equations;
    int size[BLOCKS] = {
        [BLOCK_Q] = model->n, [BLOCK_V] = model->n, [BLOCK_S] = model->ns,
        [BLOCK_A] = model->n, [BLOCK_LAMBDA] = model->m, [BLOCK_Q_PLUS] = model->n,
        [BLOCK_V_PLUS] = model->n, [BLOCK_S_PLUS] = model->ns,
        [BLOCK_IMPULSE] = model_most_impulses(model),
    };
    e->unknown = memory_new(unknowns, sizeof *e->unknown);
    for (int k = 0; k < unknowns; k++)
        e->unknown[k] = unknown[k];
    formula *matrix = memory_new(rows * unknowns, sizeof *matrix);
    newton_matrix(R, rows, unknown, unknowns, size, matrix);
    bool is_unknown[BLOCKS] = {[BLOCK_MU] = true};
    for (int k = 0; k < unknowns; k++)
        is_unknown[unknown[k].block] = true;
    seal(&e->residual, model->tape, R, rows, is_unknown);
    seal(&e->matrix, model->tape, matrix, rows * unknowns, is_unknown);
    free(matrix);
    e->r = memory_new(rows, sizeof *e->r);
    e->A = memory_new(rows * unknowns, sizeof *e->A);
    e->step = memory_new(rows, sizeof *e->step);
    complex_lu_init(&e->lu, rows, unknowns);
}

void complex_equations_clear(struct complex_equations *equations)
{
    complex_outputs_clear(&equations->residual);
    complex_outputs_clear(&equations->matrix);
    free(equations->unknown);
    free(equations->r);
    free(equations->A);
    free(equations->step);
    complex_lu_clear(&equations->lu);
    *equations = (struct complex_equations){0};
}

void complex_equations_rho(struct complex_equations *equations,
                           const struct complex_values *values)
{
    complex_outputs_rho(&equations->residual, values);
    complex_outputs_rho(&equations->matrix, values);
    equations->scale[0] = equations->scale[1] = 0;
}

static enum status factor_evaluated(struct complex_equations *e)
{
    memory_copy(e->lu.A, e->A, e->rows * e->unknowns, sizeof *e->A);
    return complex_lu_factor(&e->lu, complex_lu_rounding);
}

enum status complex_equations_factor(struct complex_equations *e,
                                     const struct complex_values *values, bool again)
{
    if (again && !depends_on_unknowns(&e->matrix))
        return OK;
    complex_outputs_follow(&e->matrix, values, again, e->A);
    return factor_evaluated(e);
}

static double complex *unknown_of(const struct complex_equations *e,
                                  const struct complex_values *values, int k)
{
    return &values->x[e->unknown[k].block][e->unknown[k].index];
}

void complex_equations_step(struct complex_equations *e,
                            const struct complex_values *values, bool again)
{
    complex_outputs_follow(&e->residual, values, again, e->r);
    memory_copy(e->step, e->r, e->rows, sizeof *e->r);
    complex_lu_solve(&e->lu, e->step);
}

bool complex_equations_correct(struct complex_equations *e, struct complex_values *values,
                               double correction[2])
{
    bool finite = true;
    correction[0] = correction[1] = 0;
    for (int k = 0; k < e->unknowns; k++) {
        double complex *u = unknown_of(e, values, k);
        *u -= e->step[k];
        finite = finite && isfinite(creal(*u)) && isfinite(cimag(*u));
        correction[0] = larger(correction[0], fabs(creal(e->step[k])));
        correction[1] = larger(correction[1], fabs(cimag(e->step[k])));
        e->scale[0] = larger(e->scale[0], fabs(creal(*u)));
        e->scale[1] = larger(e->scale[1], fabs(cimag(*u)));
    }
    return finite;
}

/* Sets the unknowns to from - part step, all [unknowns]. */
static void go_part(const struct complex_equations *e,
                    const struct complex_values *values, const double complex *from,
                    const double complex *step, double part)
{
    for (int k = 0; k < e->unknowns; k++)
        *unknown_of(e, values, k) = from[k] - part * step[k];
}

static double step_size(const double complex *step, int count)
{
    double size = 0;
    for (int k = 0; k < count; k++)
        size = fmax(size, isfinite(creal(step[k])) ? fabs(creal(step[k])) : INFINITY);
    return size;
}

/* One step from `from`, where A was factored; *part: that of the step which was taken. */
static bool monotone_step(struct complex_equations *e, struct complex_values *values,
                          const double complex *from, const double complex *step,
                          double *part)
{
    double size = step_size(step, e->unknowns);
    for (*part = 1; *part > 1e-6; *part /= 2) {
        go_part(e, values, from, step, *part);
        complex_equations_step(e, values, false);
        if (step_size(e->step, e->unknowns) <= (1 - *part / 4) * size)
            return true;
    }
    go_part(e, values, from, step, 0);
    return false;
}

bool complex_equations_approach(struct complex_equations *e,
                                struct complex_values *values)
{
    enum { MOST = 200, FULL = 3 };
    double complex *from = memory_new(2 * e->unknowns, sizeof *from);
    double complex *step = from + e->unknowns;
    bool good = true;
    double part = 1;
    for (int k = 0, full = 0; good && full < FULL && k < MOST; k++) {
        good = complex_equations_factor(e, values, false) == OK;
        if (!good)
            break;
        complex_equations_step(e, values, false);
        for (int i = 0; i < e->unknowns; i++) {
            from[i] = *unknown_of(e, values, i);
            step[i] = e->step[i];
        }
        good = monotone_step(e, values, from, step, &part);
        full = part == 1 ? full + 1 : 0;
    }
    free(from);
    return good;
}

bool complex_died_out(const double correction[2], const double before[2],
                      const double scale[2], double eps, bool after_newton)
{
    for (int part = 0; part < 2; part++) {
        double unit = part == 0 ? 1 : eps;
        if (correction[part] <= 1e-15 * scale[part])
            continue;
        bool stalled = after_newton && correction[part] >= 0.25 * before[part];
        /* a derivative is known no better than its value */
        double noise = part == 0 ? 0 : 100 * correction[0];
        bool small = correction[part] <= 1e-7 * scale[part] + (1e-13 + noise) * unit;
        if (!(stalled && small))
            return false;
    }
    return true;
}

void complex_equations_terms(const struct complex_equations *e,
                             const struct complex_values *values, int i, double terms[2])
{
    terms[0] = terms[1] = 0;
    for (int k = 0; k < e->unknowns; k++) {
        double complex a = e->A[i * e->unknowns + k], u = *unknown_of(e, values, k);
        terms[0] += fabs(creal(a) * creal(u));
        terms[1] += fabs(creal(a) * cimag(u)) + fabs(cimag(a) * creal(u));
    }
}

enum status complex_equations_hold(const struct complex_equations *e,
                                   const struct complex_values *values, int row, int rows,
                                   double tolerance, double eps)
{
    static const double least = 1e-10;      /* for rows without terms to compare with */
    bool now = true, then = true;
    for (int i = row; i < row + rows; i++) {
        double terms[2];
        complex_equations_terms(e, values, i, terms);
        now = now && fabs(creal(e->r[i])) <= tolerance * terms[0] + least;
        then = then && fabs(cimag(e->r[i])) <= tolerance * terms[1] + least * eps;
    }
    if (!now)
        return INCONSISTENT;
    return then ? OK : INADMISSIBLE;
}

enum status complex_equations_solve_evaluated(struct complex_equations *equations,
                                              struct complex_values *values, double eps)
{
    static const double consistent = 1e-9;
    struct complex_equations *e = equations;
    double correction[2], before[2] = {INFINITY, INFINITY};
    for (int k = 0; k < 40; k++) {
        /* R is affine in most cases: one factorisation, one correction, one to check */
        enum status status = k == 0       ? factor_evaluated(e)
                             : k % 3 == 0 ? complex_equations_factor(e, values, true)
                                          : OK;
        if (status != OK)
            return status;
        complex_equations_step(e, values, k > 0);
        if (!complex_equations_correct(e, values, correction))
            return NOT_FINITE;
        /* the step before, or two of them, were Newton's from points near by: less than a
           quarter would be left, but for rounding */
        bool after_newton = (k > 3 && k % 3 == 1) || k > 6;
        if (complex_died_out(correction, before, e->scale, eps, after_newton))
            return e->rows == e->unknowns
                ? OK : complex_equations_hold(e, values, 0, e->rows, consistent, eps);
        before[0] = correction[0];
        before[1] = correction[1];
    }
    return NO_CONVERGENCE;
}

enum status complex_equations_solve(struct complex_equations *equations,
                                    struct complex_values *values, double eps)
{
    complex_outputs_eval(&equations->matrix, values, equations->A);
    return complex_equations_solve_evaluated(equations, values, eps);
}
