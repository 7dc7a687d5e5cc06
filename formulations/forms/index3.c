/*
 * index3.c - constrained equations of motion as a DAE of index 3, and stabilised of index
 * 2 (Gear, Gupta, Leimkuhler 1985), for an implicit integrator.
 *
 * index3  Corner, Sandu and Sandu 2019, (52), with the sign of lambda of mathematics.md:
 *             q' = v     M a + Phi_q' lambda - F = 0     Phi = 0
 *         Phid = 0 and Phidd = 0 hold up to the error of the method.
 * ggl     Gear, Gupta and Leimkuhler 1985: both constraints are kept, which takes further
 *         multipliers mu, zero up to the error of the method; index 2:
 *             D (q' - v) + Phi_q' mu = 0     M a + Phi_q' lambda - F = 0
 *             Phi = 0                        Phid = 0
 *         D = 1 in the paper. With D = 1 the units of the coordinates decide in which
 *         direction mu moves q, and a micrometre beside a kilometre has no digits left.
 *         Here D is the diagonal of M at the start, rounded to powers of two. D must be
 *         constant: D = M would multiply the derivatives of M by q' - v, which has the
 *         rounding eps |q|/h, and small derivatives by a mass would lose all digits.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "constants.h"
#include "formula/diff.h"
#include "formula/substitute.h"
#include "formulation.h"
#include "projection/projection.h"

static struct residual *index3(const struct model *model, const struct mode *mode,
                               const char *const *value, struct diagnosis *diagnosis)
{
    (void)value;
    (void)diagnosis;
    int n = model->n, m = mode->m;
    struct residual *residual = residual_new(DAE, n + m);
    residual_balance(model, mode, residual);
    memory_copy(residual->R + n, mode->Phi, m, sizeof *residual->R);
    return residual;
}

/* Phi_q' mu [n]: mode->lambda_force is Phi_q' lambda, and mu takes the place of
   lambda. */
static void force_of_mu(const struct model *model, const struct mode *mode, formula *out)
{
    int to[BLOCK_LIMIT];
    for (int b = 0; b < BLOCK_LIMIT; b++)
        to[b] = b == BLOCK_LAMBDA ? BLOCK_MU : b;
    rename_blocks(model->tape, mode->lambda_force, model->n, to, out);
}

/* A power of two near x; 1 if x is not positive or not finite. */
static double rounded(double x)
{
    return x > 0 && isfinite(x) ? scalbn(1, ilogb(x)) : 1;
}

/* M_jj [n], then Phi_q [m][n], at the start; the caller frees the array. */
static double *start_values(const struct model *model, const struct mode *mode)
{
    int n = model->n, count = n + mode->m * n;
    formula *f = memory_new(count, sizeof *f);
    double *value = memory_new(count, sizeof *value);
    for (int j = 0; j < n; j++)
        f[j] = mode->M[j][j];
    for (int i = 0; i < mode->m; i++)
        gradient(mode->Phi[i], BLOCK_Q, n, f + n + i * n);
    values_at_start(model, f, count, value);
    free(f);
    return value;
}

/* The length of a row of Phi_q with coordinates measured in units of 1/sqrt(M_jj). */
static double weighted_length(const double *mass, const double *row, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        if (mass[j] > 0)
            sum += row[j] * row[j] / mass[j];
    return sqrt(sum);
}

/* weight [n] = 1/D_jj. A coordinate without a mass of its own gets the mass with which
   its largest entry, in rows of Phi_q scaled to length one, has that length, too. */
static void choose_weights(const struct model *model, const struct mode *mode,
                           double *weight)
{
    int n = model->n;
    double *mass = start_values(model, mode), *Phi_q = mass + n;
    for (int j = 0; j < n; j++) {
        double most = 0;
        for (int i = 0; i < mode->m && !(mass[j] > 0); i++) {
            double length = weighted_length(mass, Phi_q + i * n, n);
            if (length > 0)
                most = fmax(most, fabs(Phi_q[i * n + j]) / length);
        }
        weight[j] = rounded(mass[j] > 0 ? 1 / mass[j] : 1 / (most * most));
    }
    free(mass);
}

/* x, a power of two, as an exact decimal constant. */
static formula power_of_two(struct tape *tape, double x)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", x);
    return constant(tape, text);
}

static struct residual *ggl(const struct model *model, const struct mode *mode,
                            const char *const *value, struct diagnosis *diagnosis)
{
    (void)value;
    (void)diagnosis;
    int n = model->n, m = mode->m, row = n + m;
    struct residual *residual = residual_new(DAE, 2 * n + 2 * m);
    formula *force = memory_new(n, sizeof *force);
    double *weight = memory_new(n, sizeof *weight);
    choose_weights(model, mode, weight);
    residual_balance(model, mode, residual);
    memory_copy(residual->R + n, mode->Phid, m, sizeof *residual->R);
    force_of_mu(model, mode, force);
    for (int i = 0; i < n; i++, row++) {
        formula qd = variable(model->tape, BLOCK_QD, i);
        formula v = variable(model->tape, BLOCK_V, i);
        formula inverse = power_of_two(model->tape, weight[i]);
        residual->R[row] = sub(add(qd, mul(inverse, force[i])), v);
        residual->unknown[row] = (struct unknown){BLOCK_QD, i};
    }
    for (int i = 0; i < m; i++, row++) {
        residual->R[row] = mode->Phi[i];
        residual->unknown[row] = (struct unknown){BLOCK_MU, i};
    }
    free(force);
    free(weight);
    return residual;
}

extern const struct formulation formulation_index1, formulation_index3, formulation_ggl;

const struct formulation formulation_index3 = {
    .name = "index3",
    .title = "index-3 DAE: the position constraints alone",
    .source = "Corner, Sandu, Sandu 2019, (52); Hairer, Lubich, Roche 1989",
    .kind = DAE,
    .index = 3,
    .capabilities = TAKES_CONSTRAINTS | TAKES_CONSTRAINT_CHANGE | KEEPS_CONSTRAINTS,
    .residual = index3,
    .projection = &projection_mass_orthogonal,
    .reduced = &formulation_index1,
};

const struct formulation formulation_ggl = {
    .name = "ggl",
    .title = "stabilised index-2 DAE: position and velocity constraints",
    .source = "Gear, Gupta, Leimkuhler 1985, weighted by masses",
    .kind = DAE,
    .index = 2,
    .capabilities = TAKES_CONSTRAINTS | TAKES_CONSTRAINT_CHANGE | KEEPS_CONSTRAINTS,
    .residual = ggl,
    .projection = &projection_mass_orthogonal,
    .reduced = &formulation_index1,
};
