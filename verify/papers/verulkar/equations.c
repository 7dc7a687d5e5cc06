/*
 * equations.c - Verulkar, Sandu, Dopico, Sandu: the printed equations (1)-(8),
 * evaluated at points of a motion of the penalty formulation
 *
 * With B = M a + Phi_q' lambda - F, where the friction in F has multipliers, and
 * c = Phidd + 2 xi omega Phid + omega^2 Phi, lambda* = alpha c, the matrices of the paper
 * are, x = q, v, rho:
 *
 *     M + Phi_q' alpha Phi_q  (2)        C, K + M_q a:  B_x + Phi_q' alpha c_x
 *     L = -F_lambda           (7)
 *
 * All derivatives are made from the formulas of the case. The accelerations are compared
 * with those of the n + m equations, their derivatives by the length of the crank with
 * complex step.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "linear/dense_lu.h"
#include "papers/finding.h"
#include "papers/match.h"
#include "papers/verulkar/parts.h"
#include "papers/verulkar/verulkar.h"

enum { POINTS = 8 };

/* xi = 1, omega = 10 1/s, as printed. */
static const double two_xi_omega = 20, omega_squared = 100;

/* --- the study ---------------------------------------------------------------------- */

enum { SCALAR, MATRIX, RHEONOMIC, SYSTEMS };

static const struct {
    const char *name, *sens, *alpha;
    double t_end;
} choice[SYSTEMS] = {
    [SCALAR] = {"slider-crank-friction", "L_crank", "1000", 0.1},
    [MATRIX] = {"slider-crank-friction", "L_crank",
                "500,1000,2000,500,1000,2000,500,1000,2000,500,"
                "1000,2000,500,1000,2000,500,1000,2000,500,1000", 0.1},
    [RHEONOMIC] = {"cradle", "", "1000", 0.4}};

static enum status open_equations(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct equations *all = *study = memory_new(SYSTEMS, sizeof *all);
    for (int k = 0; k < SYSTEMS; k++)
        if (equations_open(&all[k], choice[k].name, choice[k].sens, choice[k].alpha,
                           choice[k].t_end, POINTS) != OK)
            return paper_run_why(&all[k].run, why, size);
    return OK;
}

static void close_equations(void *study)
{
    struct equations *all = study;
    for (int k = 0; k < SYSTEMS; k++)
        if (all[k].run.model)
            equations_close(&all[k]);
    free(all);
}

/* --- matrices ----------------------------------------------------------------------- */

/* out [rows] -= A x for A [rows*columns] by rows. */
static void subtract(double *out, const double *A, int rows, int columns, const double *x)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            out[i] -= A[i * columns + j] * x[j];
}

/* x [n] becomes matrix^-1 x; NAN if there is none. */
static void solve(const double *matrix, int n, double *x)
{
    struct dense_lu factor;
    dense_lu_init(&factor, n);
    if (dense_lu_matrix(&factor, matrix))
        dense_lu_solve(&factor, x);
    else
        x[0] = NAN;
    dense_lu_clear(&factor);
}

/* --- the equations of motion -------------------------------------------------------- */

/* c of (4), with the terms of (3) in the place of Phidd: there the accelerations are on
   the left. */
static void stabilised(const struct equations *all, bool right_side, double *c)
{
    const double *Phi = part_value(all, PHI), *Phid = part_value(all, PHID),
                 *Phidd = part_value(all, PHIDD), *curved = part_value(all, CURVED),
                 *driven = part_value(all, DRIVEN);
    for (int i = 0; i < all->m; i++)
        c[i] = (right_side ? curved[i] + driven[i] : Phidd[i]) + two_xi_omega * Phid[i] +
               omega_squared * Phi[i];
}

/* Accelerations by (1)-(3), against those of the point. */
static double acceleration_digits(struct equations *all)
{
    int n = all->n;
    double *matrix = memory_new(n * n, sizeof *matrix), *x = memory_new(n, sizeof *x),
           *c = memory_new(all->m, sizeof *c), least = 16;
    for (int k = 0; k <= POINTS; k++) {
        equations_at(all, k, 1);
        equations_mass(all, matrix);
        stabilised(all, true, c);
        memory_copy(x, part_value(all, F_), n, sizeof *x);
        equations_press(all, x, c);
        solve(matrix, n, x);
        least = fmin(least, array_digits(x, all->a, n));
    }
    free(matrix);
    free(x);
    free(c);
    return least;
}

static void attempt_motion(const void *study, const struct printed_formula *row,
                           struct trial *trial)
{
    (void)row;
    struct equations *all = (struct equations *)study;
    double own = acceleration_digits(&all[SCALAR]),
           driven = acceleration_digits(&all[RHEONOMIC]);
    trial->printed = fmin(own, driven);
    trial->corrected = NAN;
    trial_judge(trial, "the n + m equations");
    trial_tell(trial, "Accelerations by the %d x %d system at %d points of %s, %.1f "
               "digits, and of %s, whose constraints contain the time, %.1f.",
               all[SCALAR].n, all[SCALAR].n, POINTS + 1, choice[SCALAR].name, own,
               choice[RHEONOMIC].name, driven);
}

static void attempt_multipliers(const void *study, const struct printed_formula *row,
                                struct trial *trial)
{
    (void)row;
    struct equations *all = (struct equations *)study + MATRIX;
    double *got = memory_new(all->m, sizeof *got), least = 16;
    for (int k = 0; k <= POINTS; k++) {
        equations_at(all, k, 1);
        stabilised(all, false, got);
        for (int i = 0; i < all->m; i++)
            got[i] *= all->alpha[i];
        least = fmin(least, array_digits(got, all->lambda, all->m));
    }
    free(got);
    trial->printed = least;
    trial->corrected = NAN;
    trial_judge(trial, "the n + m equations");
    trial_tell(trial, "Compared is lambda* with a diagonal matrix alpha at %d points of "
               "%s.", POINTS + 1, all->run.model->desc->name);
}

static void attempt_load(const void *study, const struct printed_formula *row,
                         struct trial *trial)
{
    (void)row;
    struct equations *all = (struct equations *)study + SCALAR;
    int n = all->n;
    double *F = memory_new(3 * n, sizeof *F), least = 16, friction = 0;
    for (int k = 0; k <= POINTS; k++) {
        for (int side = 0; side < 3; side++) {
            equations_at(all, k, 1 - side);
            memory_copy(F + side * n, part_value(all, F_), n, sizeof *F);
        }
        for (int i = 0; i < n; i++) {
            F[i] -= F[n + i];
            F[2 * n + i] -= F[n + i];
            friction = fmax(friction, fabs(F[i]));
        }
        least = fmin(least, array_digits(F + 2 * n, F, n));
    }
    free(F);
    trial->printed = least;
    trial->corrected = NAN;
    trial_judge(trial, "the friction of the case");
    trial_tell(trial, "The sign of F: generalised forces of friction, up to %.3g, with "
               "lambda and with -lambda at %d points of %s.", friction, POINTS + 1,
               all->run.model->desc->name);
}

/* --- tangent linear models ---------------------------------------------------------- */

enum version {
    WITH_MULTIPLIERS,           /* (7) */
    CORRECT,                    /* (8) with L alpha */
    ALPHA_LEFT,                 /* (8) with alpha L */
    ACROSS                      /* (8) with Phidd_q where Phidd_v is */
};

/* c_x dx, the change of c with q, v and rho: Phidd_v stands for d Phidd/dv; `across`:
   Phidd_q does. */
static void change_of_c(const struct equations *all, bool across, double *c)
{
    int n = all->n, m = all->m;
    const double *by_rho[] = {part_value(all, PHI_RHO), part_value(all, PHID_RHO),
                              part_value(all, PHIDD_RHO)};
    const double *Phi_q = part_value(all, PHI_Q), *Phid_q = part_value(all, PHID_Q),
                 *Phidd_q = part_value(all, PHIDD_Q),
                 *Phidd_v = across ? Phidd_q : part_value(all, PHIDD_V);
    for (int i = 0; i < m; i++) {
        c[i] = by_rho[2][i] + two_xi_omega * by_rho[1][i] + omega_squared * by_rho[0][i];
        for (int k = i * n, j = 0; j < n; j++, k++)
            c[i] += (Phidd_q[k] + two_xi_omega * Phid_q[k] + omega_squared * Phi_q[k]) *
                        all->by_q[j] +
                    (Phidd_v[k] + two_xi_omega * Phi_q[k]) * all->by_v[j];
    }
}

/* N [n*m]: L alpha, or alpha L with alpha diagonal and its last entry repeated. */
static void weighted_L(const struct equations *all, bool left, double *N)
{
    const double *F_lambda = part_value(all, F_LAMBDA);
    int m = all->m;
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < m; j++)
            N[i * m + j] = -F_lambda[i * m + j] *
                           all->alpha[left ? (i < m ? i : m - 1) : j];
}

/* Sizes at the points, the largest of each. */
struct tangent_sizes {
    double L;                   /* L alpha Phi_q over the matrix of (2) */
    double asymmetry;           /* of the whole matrix, over it */
};

/* matrix [n*n] += N Phi_q. */
static void add_friction(const struct equations *all, const double *N, double *matrix,
                         struct tangent_sizes *sizes)
{
    int n = all->n, m = all->m;
    const double *Phi_q = part_value(all, PHI_Q);
    double whole = largest_size(matrix, n * n), added = 0, skew = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum += N[i * m + k] * Phi_q[k * n + j];
            matrix[i * n + j] += sum;
            added = fmax(added, fabs(sum));
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            skew = fmax(skew, fabs(matrix[i * n + j] - matrix[j * n + i]));
    sizes->L = fmax(sizes->L, added / whole);
    sizes->asymmetry = fmax(sizes->asymmetry, skew / whole);
}

/* The derivative of the accelerations at the point evaluated: x [n]. */
static void solve_tangent(const struct equations *all, enum version version, double *x,
                          struct tangent_sizes *sizes)
{
    int n = all->n, m = all->m;
    double *matrix = memory_new(n * n, sizeof *matrix), *c = memory_new(m, sizeof *c),
           *N = memory_new(n * m, sizeof *N);
    memset(x, 0, (size_t)n * sizeof *x);
    equations_mass(all, matrix);
    subtract(x, part_value(all, B_Q), n, n, all->by_q);
    subtract(x, part_value(all, B_V), n, n, all->by_v);
    subtract(x, part_value(all, B_RHO), n, 1, &(double){1});
    change_of_c(all, false, c);
    equations_press(all, x, c);
    if (version == WITH_MULTIPLIERS) {
        const double *F_lambda = part_value(all, F_LAMBDA);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                x[i] += F_lambda[i * m + j] * all->by_lambda[j];
    } else {
        weighted_L(all, version == ALPHA_LEFT, N);
        change_of_c(all, version == ACROSS, c);
        subtract(x, N, n, m, c);
        add_friction(all, N, matrix, sizes);
    }
    solve(matrix, n, x);
    free(matrix);
    free(c);
    free(N);
}

static double tangent_digits(struct equations *all, enum version version,
                             struct tangent_sizes *sizes)
{
    double *x = memory_new(all->n, sizeof *x), least = 16;
    *sizes = (struct tangent_sizes){0};
    for (int k = 0; k <= POINTS; k++) {
        equations_at(all, k, 1);
        solve_tangent(all, version, x, sizes);
        least = fmin(least, array_digits(x, all->by_a, all->n));
    }
    free(x);
    return least;
}

static void attempt_seven(const void *study, const struct printed_formula *row,
                          struct trial *trial)
{
    (void)row;
    struct equations *all = (struct equations *)study + MATRIX;
    struct tangent_sizes sizes;
    trial->printed = tangent_digits(all, WITH_MULTIPLIERS, &sizes);
    trial->corrected = NAN;
    trial_judge(trial, "complex step");
    trial_tell(trial, "Compared is da/dL_crank, by L = -dQ^Af/dlambda and "
               "dlambda*/dL_crank, at %d points of %s with a diagonal matrix alpha.",
               POINTS + 1, all->run.model->desc->name);
}

static void attempt_scalar(const void *study, const struct printed_formula *row,
                           struct trial *trial)
{
    (void)row;
    struct equations *all = (struct equations *)study + SCALAR;
    struct tangent_sizes sizes;
    trial->printed = tangent_digits(all, ALPHA_LEFT, &sizes);
    trial->corrected = NAN;
    trial_judge(trial, "complex step");
    trial_tell(trial, "Compared is da/dL_crank at %d points of %s, alpha = %s. L alpha "
               "Phi_q is at most %.2g of the matrix (2), and makes it unsymmetric by "
               "%.2g.", POINTS + 1, all->run.model->desc->name, choice[SCALAR].alpha,
               sizes.L, sizes.asymmetry);
}

static void attempt_matrix(const void *study, const struct printed_formula *row,
                           struct trial *trial)
{
    (void)row;
    struct equations *all = (struct equations *)study + MATRIX;
    struct tangent_sizes sizes;
    trial->printed = tangent_digits(all, ALPHA_LEFT, &sizes);
    trial->corrected = tangent_digits(all, CORRECT, &sizes);
    trial_judge(trial, "complex step");
    trial_tell(trial, "Compared is da/dL_crank at %d points of %s with a diagonal matrix "
               "alpha. The matrix alpha is %d x %d and L %d x %d; for the product as "
               "printed alpha was made %d x %d by its last entry.", POINTS + 1,
               all->run.model->desc->name, all->m, all->m, all->n, all->m, all->n,
               all->n);
}

static void attempt_across(const void *study, const struct printed_formula *row,
                           struct trial *trial)
{
    (void)row;
    struct equations *all = (struct equations *)study + SCALAR;
    struct tangent_sizes sizes;
    trial->printed = tangent_digits(all, ACROSS, &sizes);
    trial->corrected = tangent_digits(all, CORRECT, &sizes);
    trial_judge(trial, "complex step");
    trial_tell(trial, "Compared is da/dL_crank at %d points of %s. The text extracted "
               "from the paper has Phidd_q in the coefficients of both q_rho and v_rho: "
               "a dot over q may have been lost there: then the print is the "
               "corrected formula.",
               POINTS + 1, all->run.model->desc->name);
}

static void judge_size(const void *study, const struct claim *claim,
                       struct finding *finding)
{
    (void)claim;
    struct equations *all = (struct equations *)study + SCALAR;
    double digits = acceleration_digits(all);
    finding_holds(finding, digits > 8, all->n);
    finding->digits = digits;
    finding_tell(finding, "The %d equations, solved for the accelerations, replace %d: "
                 "the accelerations agree to %.1f digits.", all->n, all->n + all->m,
                 digits);
}

static const struct claim claims[] = {
    {"Sec. 2", "n ordinary differential equations instead of n + m with multipliers", "",
     "", judge_size, 0},
    {0}};

static const struct printed_formula formulas[] = {
    {"(1), (2), (3)",
     "(M + Phi_q' alpha Phi_q) a = Q + Q^Af - Phi_q' alpha ((Phi_q)' v + (Phi_t)' + "
     "2 xi omega Phid + omega^2 Phi)", "", attempt_motion, 0},
    {"(4)", "lambda* = alpha (Phidd + 2 xi omega Phid + omega^2 Phi)", "",
     attempt_multipliers, 0},
    {"(5)", "F_n = |F| = |-C' A' Phi_r' lambda*|", "", attempt_load, 0},
    {"(6), (7)",
     "M a_rho + C v_rho + (K + M_q a) q_rho + L lambda*_rho = Q_rho - M_rho a", "",
     attempt_seven, 0},
    {"(8), alpha a number", "alpha L Phi_q", "", attempt_scalar, 0},
    {"(8), alpha a matrix", "alpha L Phi_q", "L alpha Phi_q", attempt_matrix, 0},
    {"(8), at v_rho, as extracted", "alpha L (Phidd_q + 2 xi omega Phi_q)",
     "alpha L (Phidd_v + 2 xi omega Phi_q)", attempt_across, 0},
    {0}};

const struct study verulkar_equations = {
    .name = "verulkar, equations", .weight = 1, .open = open_equations,
    .close = close_equations, .claim = claims, .formula = formulas};
