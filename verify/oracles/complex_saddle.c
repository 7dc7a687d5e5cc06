/*
 * complex_saddle.c - multipliers, and the accelerations or velocities that they act on,
 * in double complex (complex_saddle.h).
 */
#include "oracles/complex_saddle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "formula/diff.h"

/* Columns are dependent when elimination leaves less than this of one. Positions that
   satisfy the constraints to ten digits leave less; independent rows near a singular
   position leave more, or no digits are to be had there. */
static const double nothing_left = 1e-8;

/* eps in units of (C M^-1 C')_kk: far above the rounding of a zero, far below the square
   of a singular value that counts. */
static const double proximal_part = 1e-11;

/* --- construction ------------------------------------------------------------------- */

/* Do the constraint rows contain multipliers? */
static bool depend_on_multipliers(const struct residual *residual, int m)
{
    int first = residual->rows - m;
    if (m == 0)
        return false;
    formula *D = memory_new(m * m, sizeof *D);
    bool depend = false;
    jacobian(residual->R + first, m, residual->unknown[first].block, m, D);
    for (int k = 0; k < m * m; k++)
        depend = depend || !is_zero(D[k]);
    free(D);
    return depend;
}

void complex_saddle_init(struct complex_saddle *saddle, const struct model *model,
                         const struct residual *residual, int m, bool minimum_norm)
{
    int N = residual->rows, n = model->n;
    *saddle = (struct complex_saddle){.n = n, .m = m, .N = N,
                                      .iterated = residual->iterated,
                                      .minimum_norm = minimum_norm};
    saddle->resisted = depend_on_multipliers(residual, m);
    complex_equations_init(&saddle->equations, model, residual->R, N, residual->unknown,
                           N);
    complex_lu_init(&saddle->rank, n, m);
    complex_lu_init(&saddle->proximal, N, N);
    saddle->proximal_to = memory_new(N * N, sizeof *saddle->proximal_to);
    complex_least_norm_init(&saddle->least, n, m);
    saddle->lambda = memory_new(m, sizeof *saddle->lambda);
}

void complex_saddle_clear(struct complex_saddle *saddle)
{
    complex_equations_clear(&saddle->equations);
    complex_lu_clear(&saddle->rank);
    complex_lu_clear(&saddle->proximal);
    free(saddle->proximal_to);
    complex_least_norm_clear(&saddle->least);
    free(saddle->lambda);
}

/* --- the matrix at a point ---------------------------------------------------------- */

/* The place of multiplier k among the unknowns, and of its constraint among the rows. */
static int place(const struct complex_saddle *saddle, int k)
{
    return saddle->N - saddle->m + k;
}

/* The entry of R_u evaluated last. */
static double complex entry(const struct complex_saddle *saddle, int i, int j)
{
    return saddle->equations.A[i * saddle->N + j];
}

static double complex C(const struct complex_saddle *saddle, int k, int j)
{
    return entry(saddle, place(saddle, k), j);
}

static double complex G(const struct complex_saddle *saddle, int i, int k)
{
    return entry(saddle, i, place(saddle, k));
}

/* lambda [m], or the impulses */
static double complex *multipliers(const struct complex_saddle *saddle,
                                   const struct complex_values *values)
{
    return values->x[saddle->equations.unknown[place(saddle, 0)].block];
}

/* The unit of coordinate j by its mass: metres and micrometres must not matter. */
static double unit(const struct complex_saddle *saddle, int j)
{
    double M = fabs(creal(entry(saddle, j, j)));
    return M > 0 ? 1 / sqrt(M) : 1;
}

/* The rank of C', or of G. */
static int rank_of(struct complex_saddle *saddle, bool of_G)
{
    int n = saddle->n, m = saddle->m;
    for (int j = 0; j < n; j++) {
        double own = unit(saddle, j);
        for (int k = 0; k < m; k++)
            saddle->rank.A[j * m + k] = own * (of_G ? G(saddle, j, k) : C(saddle, k, j));
    }
    return complex_lu_rank(&saddle->rank, nothing_left);
}

static bool dependent(struct complex_saddle *saddle)
{
    return rank_of(saddle, false) < saddle->m;
}

void complex_saddle_constraints(struct complex_saddle *saddle,
                                const struct complex_values *values, double *Phi_q)
{
    int n = saddle->n;
    complex_outputs_eval(&saddle->equations.matrix, values, saddle->equations.A);
    for (int j = 0; j < n; j++) {
        double own = unit(saddle, j);
        for (int k = 0; k < saddle->m; k++)
            Phi_q[k*n + j] = own * creal(C(saddle, k, j));
    }
}

bool complex_saddle_regular(struct complex_saddle *saddle)
{
    return saddle->m > 0 && (!saddle->resisted || saddle->iterated) && !dependent(saddle);
}

static bool finite_matrix(const struct complex_saddle *saddle)
{
    for (int k = 0; k < saddle->N * saddle->N; k++)
        if (!isfinite(creal(saddle->equations.A[k])))
            return false;
    return true;
}

/* (C M^-1 C')_kk as if M were diagonal, or 1. */
static double mobility(const struct complex_saddle *saddle, int k)
{
    double sum = 0, heaviest = 0;
    for (int j = 0; j < saddle->n; j++)
        heaviest = larger(heaviest, fabs(creal(entry(saddle, j, j))));
    for (int j = 0; j < saddle->n && heaviest > 0; j++) {
        double own = creal(C(saddle, k, j)), M = fabs(creal(entry(saddle, j, j)));
        sum += own * own / (M > 0 ? M : heaviest);
    }
    return sum > 0 ? sum : 1;
}

/* Factors R_u with -eps I. SINGULAR also: friction depends on undetermined multipliers.
   Without friction R_u stays as it is while lambda changes, and so do its factors. */
static enum status factor_proximal(struct complex_saddle *saddle)
{
    int N = saddle->N;
    const double complex *R_u = saddle->equations.A;
    size_t size = (size_t)(N * N) * sizeof *R_u;
    if (saddle->factored && memcmp(saddle->proximal_to, R_u, size) == 0)
        return OK;
    memcpy(saddle->proximal_to, R_u, size);
    memcpy(saddle->proximal.A, R_u, size);
    for (int k = 0; k < saddle->m; k++)
        saddle->proximal.A[place(saddle, k) * (N + 1)] -= proximal_part *
                                                          mobility(saddle, k);
    saddle->factored = rank_of(saddle, true) <= rank_of(saddle, false) &&
                       complex_lu_factor(&saddle->proximal, complex_lu_rounding) == OK;
    return saddle->factored ? OK : SINGULAR;
}

/* Makes saddle->lambda that of least norm with these forces, in units of the masses, and
   in units of D if there is one. */
static enum status least_norm(struct complex_saddle *saddle)
{
    int n = saddle->n, m = saddle->m;
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++)
            saddle->least.G[i * m + k] = unit(saddle, i) * G(saddle, i, k);
        for (int j = 0; j < m; j++)
            saddle->least.D[k * m + j] =
                saddle->resisted ? -entry(saddle, place(saddle, k), place(saddle, j))
                                 : k == j;
    }
    enum status status = complex_least_norm_factor(&saddle->least);
    return status == OK ? complex_least_norm_of(&saddle->least, saddle->lambda) : status;
}

/* --- dependent constraints ---------------------------------------------------------- */

/* Computes the proximal step from `values` into equations.step, its lambda that of least
   norm. `again`: only the unknowns have changed since the step before. */
static enum status proximal_step(struct complex_saddle *saddle,
                                 const struct complex_values *values, bool again)
{
    struct complex_equations *e = &saddle->equations;
    const double complex *lambda = multipliers(saddle, values);
    double complex *step = e->step + place(saddle, 0);
    complex_outputs_follow(&e->matrix, values, again, e->A);
    complex_outputs_follow(&e->residual, values, again, e->r);
    enum status status = factor_proximal(saddle);
    if (status != OK)
        return status;
    memory_copy(e->step, e->r, saddle->N, sizeof *e->r);
    complex_lu_solve(&saddle->proximal, e->step);
    for (int k = 0; k < saddle->m; k++)
        saddle->lambda[k] = lambda[k] - step[k];
    status = least_norm(saddle);
    for (int k = 0; k < saddle->m; k++)
        step[k] = lambda[k] - saddle->lambda[k];
    return status;
}

static enum status solve_dependent(struct complex_saddle *saddle,
                                   struct complex_values *values, double eps)
{
    /* above the contradiction that violated positions and velocities leave in dependent
       rows */
    static const double consistent = 1e-6;
    struct complex_equations *e = &saddle->equations;
    double correction[2], before[2] = {INFINITY, INFINITY};
    for (int k = 0; k < 40; k++) {
        enum status status = proximal_step(saddle, values, k > 0);
        if (status != OK)
            return status;
        if (!complex_equations_correct(e, values, correction))
            return NOT_FINITE;
        if (complex_died_out(correction, before, e->scale, eps, k > 0))
            return complex_equations_hold(e, values, place(saddle, 0), saddle->m,
                                          consistent, eps);
        memory_copy(before, correction, 2, sizeof *before);
    }
    return NO_CONVERGENCE;
}

/* --- resisted multipliers ----------------------------------------------------------- */

/* Would the constraint rows, with the multipliers of least norm, be off by no more than
   rounding errors? */
static bool is_rounding(const struct complex_saddle *saddle,
                        const struct complex_values *values)
{
    static const double rounding = 64 * DBL_EPSILON;
    const double complex *lambda = multipliers(saddle, values);
    for (int k = 0; k < saddle->m; k++) {
        double complex off = 0;
        double terms[2];
        for (int j = 0; j < saddle->m; j++)
            off += entry(saddle, place(saddle, k), place(saddle, j)) *
                   (lambda[j] - saddle->lambda[j]);
        complex_equations_terms(&saddle->equations, values, place(saddle, k), terms);
        if (fabs(creal(off)) > rounding * terms[0] ||
            fabs(cimag(off)) > rounding * terms[1])
            return false;
    }
    return true;
}

/* G = C', to rounding */
static bool frictionless(const struct complex_saddle *saddle)
{
    double size = 0, difference = 0;
    for (int k = 0; k < saddle->m; k++)
        for (int j = 0; j < saddle->n; j++) {
            size = larger(size, fabs(creal(C(saddle, k, j))));
            difference = larger(difference,
                                fabs(creal(G(saddle, j, k) - C(saddle, k, j))));
        }
    return difference <= 1e-12 * size;
}

/* Makes lambda of dependent constraints D^-1 C z. These multipliers are resisted by D
   alone, and 1/D magnifies errors in rows that should agree; if the rows do agree, lambda
   has that form. An iteration leaves nothing else in the end, only errors, which every
   round adds to. A penalty motion violates constraints: rows that depend on others where
   these hold are nearly dependent there, no z is found, and lambda stays as the equations
   give it. */
static enum status take_out_errors(struct complex_saddle *saddle,
                                   struct complex_values *values)
{
    double complex *lambda = multipliers(saddle, values);
    memory_copy(saddle->lambda, lambda, saddle->m, sizeof *lambda);
    enum status status = least_norm(saddle);
    if (status == NO_CONVERGENCE && !saddle->iterated)
        return OK;
    bool errors = (saddle->iterated && frictionless(saddle)) ||
                  is_rounding(saddle, values);
    if (status == OK && errors)
        memory_copy(lambda, saddle->lambda, saddle->m, sizeof *lambda);
    return status;
}

/* --- iterated residuals ------------------------------------------------------------- */

/* Sets the largest multipliers that would balance the present forces, or make up for the
   accelerations in a row: anything small against them is rounding. */
static void size_of_multipliers(const struct complex_saddle *saddle,
                                const struct complex_values *values, double size[2])
{
    double force[2] = {0, 0}, terms[2];
    size[0] = size[1] = 0;
    for (int i = 0; i < saddle->n; i++) {
        complex_equations_terms(&saddle->equations, values, i, terms);
        for (int part = 0; part < 2; part++)
            force[part] = larger(force[part], terms[part]);
    }
    for (int k = 0; k < saddle->m; k++) {
        double column = 0, row = mobility(saddle, k);
        for (int i = 0; i < saddle->n; i++)
            column = larger(column, fabs(creal(G(saddle, i, k))));
        complex_equations_terms(&saddle->equations, values, place(saddle, k), terms);
        for (int part = 0; part < 2; part++) {
            double balance = column > 0 ? force[part] / column : 0;
            size[part] = larger(size[part], larger(balance, terms[part] / row));
        }
    }
}

/* One round of the iteration: one correction of all unknowns, with mu the lambda before.
   What rounding leaves of it, or friction that depends on lambda, the next round
   corrects. */
static enum status round_of_iteration(struct complex_saddle *saddle,
                                      struct complex_values *values, int round)
{
    struct complex_equations *e = &saddle->equations;
    enum status status = round % 3 == 0
        ? complex_equations_factor(e, values, round > 0) : OK;
    double correction[2];
    if (status != OK)
        return status;
    complex_equations_step(e, values, round > 0);
    return complex_equations_correct(e, values, correction) ? OK : NOT_FINITE;
}

/* Iterates from mu = 0, so that nothing but rho decides which multipliers dependent
   constraints have; until neither part moves, so that imaginary parts are the derivative
   of the whole iteration. */
static enum status solve_iterated(struct complex_saddle *saddle,
                                  struct complex_values *values)
{
    enum { MOST_ROUNDS = 400 };
    static const int settled = 3;       /* rounds after which sizes hardly change */
    int m = saddle->m;
    double complex *lambda = values->x[BLOCK_LAMBDA], *mu = values->x[BLOCK_MU];
    double change[2], size[2];
    struct complex_rest rest = complex_rest_begin();
    bool depend = false;
    for (int k = 0; k < m; k++)
        mu[k] = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        enum status status = round_of_iteration(saddle, values, round);
        if (round == 0)
            depend = status == OK && dependent(saddle);
        if (depend && status == OK)
            status = take_out_errors(saddle, values);
        if (status != OK)
            return status;
        for (int k = 0; k < m; k++)
            mu[k] = lambda[k] - mu[k];
        complex_largest(mu, m, change);
        memory_copy(mu, lambda, m, sizeof *mu);
        if (round < settled)
            size_of_multipliers(saddle, values, size);
        if (complex_rest_reached(&rest, change, size))
            return OK;
    }
    return NO_CONVERGENCE;
}

enum status complex_saddle_solve(struct complex_saddle *saddle,
                                 struct complex_values *values, double eps)
{
    struct complex_equations *e = &saddle->equations;
    if (saddle->m > 0 && saddle->iterated)
        return solve_iterated(saddle, values);
    complex_outputs_eval(&e->matrix, values, e->A);
    if (saddle->m > 0 && !saddle->resisted) {
        if (!finite_matrix(saddle))
            return NOT_FINITE;
        if (dependent(saddle))
            return saddle->minimum_norm ? solve_dependent(saddle, values, eps)
                                        : RANK_LOSS;
    }
    enum status status = complex_equations_solve_evaluated(e, values, eps);
    return status == OK && saddle->resisted && dependent(saddle)
        ? take_out_errors(saddle, values) : status;
}
