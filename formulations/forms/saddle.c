/*
 * saddle.c - index1, Baumgarte stabilisation, penalty, modified Lagrange and augmented
 * Lagrangian as one saddle point with three symmetric positive definite matrices,
 *
 *     M a + Phi_q' lambda - F                                  = 0
 *     Phidd + K_D Phid + K_P Phi - alpha^-1 (lambda - mu)      = 0
 *
 * index1: (54) of Corner, Sandu and Sandu 2019. penalty (mu = 0): exactly (64) there,
 * with the paper's lambda* (64d) as an unknown, so that the system stays well conditioned
 * when alpha is large. Option solve=normal eliminates lambda, which gives the n x n form
 * that the paper solves. baumgarte: (16)-(21), modified-lagrange: (30)-(31) of
 * Mukharlyamov and Deressa 2014. augmented (Bayo, Ledesma 1996) repeats the penalty step
 * with the multipliers of the step before as mu until both agree: then the constraints
 * hold exactly and alpha only sets the rate of convergence.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formulation.h"
#include "linear/linear.h"
#include "projection/projection.h"
#include "spd.h"

/* Matrices of formulas [m*m]; entries never set are zero. */
struct matrices {
    formula *inverse_alpha, *K_D, *K_P;
    bool iterated;                  /* mu is not zero (struct residual, model.h) */
};

/* inverse [m*m] = A^-1 by Gauss-Jordan elimination on constant formulas, exact in every
   arithmetic; destroys A. The pivots stand on the diagonal, since A is positive
   definite. */
static void invert(struct tape *tape, formula *A, int m, formula *inverse)
{
    for (int i = 0; i < m; i++)
        inverse[i * m + i] = integer(tape, 1);
    for (int k = 0; k < m; k++) {
        formula pivot = A[k * m + k];
        for (int j = 0; j < m; j++) {
            A[k * m + j] = quotient(A[k * m + j], pivot);
            inverse[k * m + j] = quotient(inverse[k * m + j], pivot);
        }
        for (int i = 0; i < m; i++) {
            formula factor = A[i * m + k];
            if (i == k || is_zero(factor))
                continue;
            for (int j = 0; j < m; j++) {
                A[i * m + j] = sub(A[i * m + j], mul(factor, A[k * m + j]));
                inverse[i * m + j] = sub(inverse[i * m + j],
                                         mul(factor, inverse[k * m + j]));
            }
        }
    }
}

/* sum_j matrix[i][j] x[j] */
static formula times(const formula *matrix, int m, int i, const formula *x)
{
    return dot(matrix + i * m, x, m);
}

static struct residual *saddle(const struct model *model, const struct mode *mode,
                               const struct matrices *with)
{
    int n = model->n, m = mode->m;
    struct residual *residual = residual_new(ALGEBRAIC, n + m);
    formula *lambda = memory_new(m, sizeof *lambda);
    formula *position = memory_new(m, sizeof *position);

    for (int i = 0; i < m; i++) {
        lambda[i] = variable(model->tape, BLOCK_LAMBDA, i);
        if (!mode->velocity_level[i])   /* nonholonomic rows have no Phi, and no K_P */
            position[i] = mode->Phi[i];
    }
    residual_balance(model, mode, residual);
    /* The penalty resists lambda, or in an iterated residual only its change. */
    residual->iterated = with->iterated;
    for (int i = 0; i < m && with->iterated; i++)
        lambda[i] = sub(lambda[i], variable(model->tape, BLOCK_MU, i));
    for (int i = 0; i < m; i++) {
        formula row = mode->Phidd[i];
        row = add(row, times(with->K_D, m, i, mode->Phid));
        row = add(row, times(with->K_P, m, i, position));
        row = sub(row, times(with->inverse_alpha, m, i, lambda));
        residual->R[n + i] = row;
    }
    free(lambda);
    free(position);
    return residual;
}

/* The diagonal entry i of Phi_q diag(M)^-1 Phi_q'. */
static formula natural_size(const struct model *model, const struct mode *mode, int i)
{
    formula size = {NULL, 0};
    const struct entries *at = &mode->Phi_q_entries;
    for (int k = at->begin[i]; k < at->begin[i + 1]; k++) {
        int j = at->column[k];
        formula entry = mode->Phi_q[i * model->n + j], mass = mode->M[j][j];
        if (!is_zero(entry) && !is_zero(mass))
            size = add(size, quotient(power(entry, 2), mass));
    }
    return size;
}

/* The harmonic mean of the diagonal of Phi_q diag(M)^-1 Phi_q'. At 1/alpha of this size
   penalty and inertia weigh the same in the rows that need the largest alpha; the other
   rows converge faster. An iterated residual takes alpha in these units. One alpha serves
   all rows: with redundant constraints the iteration ends at the multipliers that are
   least in the norm of alpha^-1, without them its result does not depend on alpha. */
static formula natural_inverse_alpha(const struct model *model, const struct mode *mode)
{
    formula one = integer(model->tape, 1), inverse = {NULL, 0};
    int count = 0;
    for (int i = 0; i < mode->m; i++) {
        formula size = natural_size(model, mode, i);
        if (is_zero(size))
            continue;
        inverse = add(inverse, quotient(one, size));
        count++;
    }
    return count == 0 ? one : quotient(integer(model->tape, count), inverse);
}

/* --- options read into the matrices ------------------------------------------------- */

static struct matrices matrices_new(int m)
{
    return (struct matrices){.inverse_alpha = memory_new(m * m, sizeof(formula)),
                             .K_D = memory_new(m * m, sizeof(formula)),
                             .K_P = memory_new(m * m, sizeof(formula))};
}

static struct residual *finish(const struct model *model, const struct mode *mode,
                               struct matrices *with, enum status status)
{
    struct residual *residual = status == OK ? saddle(model, mode, with) : NULL;
    free(with->inverse_alpha);
    free(with->K_D);
    free(with->K_P);
    return residual;
}

/* An option as a matrix, which must be SPD. */
static enum status spd_option(const struct model *model, const char *name,
                              const char *text, int m, formula *matrix,
                              struct diagnosis *diagnosis)
{
    enum status status = option_matrix(model, name, text, m, matrix, diagnosis);
    if (status == OK)
        status = require_spd(model, name, text, matrix, m, diagnosis);
    return status;
}

static enum status inverse_option(const struct model *model, const char *name,
                                  const char *text, int m, formula *inverse,
                                  struct diagnosis *diagnosis)
{
    formula *matrix = memory_new(m * m, sizeof *matrix);
    enum status status = spd_option(model, name, text, m, matrix, diagnosis);
    if (status == OK)
        invert(model->tape, matrix, m, inverse);
    free(matrix);
    return status;
}

static struct residual *index1(const struct model *model, const struct mode *mode,
                               const char *const *value, struct diagnosis *diagnosis)
{
    (void)value;
    (void)diagnosis;
    struct matrices with = matrices_new(mode->m);
    return finish(model, mode, &with, OK);
}

static struct residual *baumgarte(const struct model *model, const struct mode *mode,
                                  const char *const *value, struct diagnosis *diagnosis)
{
    struct matrices with = matrices_new(mode->m);
    enum status status = spd_option(model, "kd", value[0], mode->m, with.K_D, diagnosis);
    if (status == OK)
        status = spd_option(model, "kp", value[1], mode->m, with.K_P, diagnosis);
    return finish(model, mode, &with, status);
}

static struct residual *modified_lagrange(const struct model *model,
                                          const struct mode *mode,
                                          const char *const *value,
                                          struct diagnosis *diagnosis)
{
    struct matrices with = matrices_new(mode->m);
    enum status status = inverse_option(model, "alpha", value[0], mode->m,
                                        with.inverse_alpha, diagnosis);
    if (status == OK)
        status = spd_option(model, "kd", value[1], mode->m, with.K_D, diagnosis);
    if (status == OK)
        status = spd_option(model, "kp", value[2], mode->m, with.K_P, diagnosis);
    return finish(model, mode, &with, status);
}

/* K_D = 2 xi omega I, K_P = omega^2 I; xi and omega are single numbers. */
static enum status critical(const struct model *model, int m, const char *xi_text,
                            const char *omega_text, struct matrices *with,
                            struct diagnosis *diagnosis)
{
    formula xi, omega;
    enum status status = spd_option(model, "xi", xi_text, 1, &xi, diagnosis);
    if (status == OK)
        status = spd_option(model, "omega", omega_text, 1, &omega, diagnosis);
    for (int i = 0; status == OK && i < m; i++) {
        with->K_D[i * m + i] = mul(integer(model->tape, 2), mul(xi, omega));
        with->K_P[i * m + i] = power(omega, 2);
    }
    return status;
}

static struct residual *penalty(const struct model *model, const struct mode *mode,
                                const char *const *value, struct diagnosis *diagnosis)
{
    int m = mode->m;
    struct matrices with = matrices_new(m);
    enum status status = inverse_option(model, "alpha", value[0], m, with.inverse_alpha,
                                        diagnosis);
    if (status == OK)
        status = critical(model, m, value[1], value[2], &with, diagnosis);
    return finish(model, mode, &with, status);
}

static struct residual *augmented(const struct model *model, const struct mode *mode,
                                  const char *const *value, struct diagnosis *diagnosis)
{
    int m = mode->m;
    formula alpha, inverse = {NULL, 0};
    struct matrices with = matrices_new(m);
    with.iterated = true;
    enum status status = spd_option(model, "alpha", value[0], 1, &alpha, diagnosis);
    if (status == OK && m > 0)
        inverse = quotient(natural_inverse_alpha(model, mode), alpha);
    for (int i = 0; i < m; i++)
        with.inverse_alpha[i * m + i] = inverse;
    if (status == OK)
        status = critical(model, m, value[1], value[2], &with, diagnosis);
    return finish(model, mode, &with, status);
}

/* --- linear solvers ----------------------------------------------------------------- */

/* The method that the value of an option names; else NULL and BAD_INPUT. */
static const struct linear_method *choose(const char *option, const char *value,
                                          const char *const name[2],
                                          const struct linear_method *const method[2],
                                          struct diagnosis *diagnosis)
{
    for (int k = 0; k < 2; k++)
        if (strcmp(value, name[k]) == 0)
            return method[k];
    diagnose(diagnosis, BAD_INPUT, NAN, "option %s=%s; it is %s or %s", option, value,
             name[0], name[1]);
    return NULL;
}

/* Redundant constraints: the multipliers of least norm, or a refusal. */
static const struct linear_method *redundant(const char *value,
                                             struct diagnosis *diagnosis)
{
    static const char *const name[2] = {"minimum-norm", "refuse"};
    static const struct linear_method *const method[2] = {&linear_minimum_norm,
                                                          &linear_lu};
    return choose("redundant", value, name, method, diagnosis);
}

/* The saddle point itself, or the n x n normal form with lambda eliminated. */
static const struct linear_method *solve(const char *value, struct diagnosis *diagnosis)
{
    static const char *const name[2] = {"saddle", "normal"};
    static const struct linear_method *const method[2] = {&linear_lu, &linear_normal};
    return choose("solve", value, name, method, diagnosis);
}

static const struct linear_method *index1_linear(const char *const *value,
                                                 struct diagnosis *diagnosis)
{
    return value ? redundant(value[0], diagnosis) : &linear_lu;
}

static const struct linear_method *baumgarte_linear(const char *const *value,
                                                    struct diagnosis *diagnosis)
{
    return redundant(value[2], diagnosis);
}

static const struct linear_method *penalty_linear(const char *const *value,
                                                  struct diagnosis *diagnosis)
{
    return solve(value[3], diagnosis);
}

/* --- the tables --------------------------------------------------------------------- */

#define MATRIX ": a number, m numbers (diagonal) or m*m by rows; @FILE reads them"

static const struct formulation_option index1_options[] = {
    {"redundant", "refuse", "dependent constraints: refuse, or minimum-norm multipliers"},
    {NULL, NULL, NULL},
};

static const struct formulation_option baumgarte_options[] = {
    {"kd", "20", "damping matrix K_D, 1/s" MATRIX},
    {"kp", "100", "stiffness matrix K_P, 1/s^2"},
    {"redundant", "minimum-norm", "dependent constraints: minimum-norm multipliers, or "
                                  "refuse"},
    {NULL, NULL, NULL},
};

static const struct formulation_option penalty_options[] = {
    {"alpha", "1e5", "penalty factor" MATRIX},
    {"xi", "1", "damping ratio"},
    {"omega", "10", "natural frequency, 1/s"},
    {"solve", "saddle", "saddle: multipliers as unknowns; normal: the n x n form"},
    {NULL, NULL, NULL},
};

static const struct formulation_option modified_lagrange_options[] = {
    {"alpha", "1e5", "penalty matrix" MATRIX},
    {"kd", "25", "damping matrix K_D, 1/s"},
    {"kp", "100", "stiffness matrix K_P, 1/s^2"},
    {"solve", "saddle", "saddle: multipliers as unknowns; normal: the n x n form"},
    {NULL, NULL, NULL},
};

static const struct formulation_option augmented_options[] = {
    {"alpha", "1e3", "penalty factor, against Phi_q diag(M)^-1 Phi_q': sets the pace"},
    {"xi", "1", "damping ratio"},
    {"omega", "10", "natural frequency, 1/s"},
    {NULL, NULL, NULL},
};

enum { TAKES_ALL = TAKES_CONSTRAINTS | TAKES_VELOCITY_LEVEL | TAKES_CONSTRAINT_CHANGE };

extern const struct formulation formulation_index1, formulation_baumgarte,
    formulation_penalty, formulation_modified_lagrange, formulation_augmented;

const struct formulation formulation_index1 = {
    .name = "index1",
    .title = "index-1 DAE: accelerations and multipliers from Phidd = 0",
    .source = "Corner, Sandu, Sandu 2019, (54)",
    .kind = ALGEBRAIC,
    .capabilities = TAKES_ALL | KEEPS_CONSTRAINTS | DRIFTS_OFF,
    .options = index1_options,
    .residual = index1,
    .linear = index1_linear,
};

const struct formulation formulation_baumgarte = {
    .name = "baumgarte",
    .title = "Baumgarte stabilisation with matrices K_D, K_P; A^+ where it is needed",
    .source = "Mukharlyamov, Deressa 2014, (16)-(21)",
    .kind = ALGEBRAIC,
    .capabilities = TAKES_ALL | KEEPS_CONSTRAINTS,
    .options = baumgarte_options,
    .residual = baumgarte,
    .linear = baumgarte_linear,
};

const struct formulation formulation_penalty = {
    .name = "penalty",
    .title = "penalty formulation, multipliers lambda* as unknowns",
    .source = "Corner, Sandu, Sandu 2019, (64)",
    .kind = ALGEBRAIC,
    .capabilities = TAKES_ALL,
    .options = penalty_options,
    .residual = penalty,
    .linear = penalty_linear,
};

const struct formulation formulation_modified_lagrange = {
    .name = "modified-lagrange",
    .title = "modified Lagrange equations with matrices alpha, K_D, K_P",
    .source = "Mukharlyamov, Deressa 2014, (30)-(31)",
    .kind = ALGEBRAIC,
    .capabilities = TAKES_ALL,
    .options = modified_lagrange_options,
    .residual = modified_lagrange,
    .linear = penalty_linear,
};

const struct formulation formulation_augmented = {
    .name = "augmented",
    .title = "augmented Lagrangian, iterated, with mass-orthogonal projections",
    .source = "Bayo, Ledesma 1996",
    .kind = ALGEBRAIC,
    .capabilities = TAKES_ALL | KEEPS_CONSTRAINTS,
    .options = augmented_options,
    .residual = augmented,
    .projection = &projection_mass_orthogonal,
};
