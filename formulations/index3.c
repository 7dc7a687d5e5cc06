/*
 * index3.c - the constraints as they are, a true DAE, for an implicit integrator.
 *
 * index3  Corner, Sandu and Sandu 2019, (52), with the sign of lambda of mathematics.md:
 *             q' = v     M a + Phi_q' lambda - F = 0     Phi = 0
 *         Phid = 0 and Phidd = 0 hold as well as the method makes them.
 * ggl     Gear, Gupta and Leimkuhler 1985: both constraints are kept, which takes further
 *         multipliers mu, zero up to the error of the method; index 2:
 *             q' = v - Phi_q' mu     M a + Phi_q' lambda - F = 0     Phi = 0     Phid = 0
 */
#include <stdlib.h>

#include "formula/memory.h"
#include "formula/substitute.h"
#include "formulation.h"
#include "project/projection.h"

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

/* Phi_q' mu from Phi_q' lambda */
static void force_of_mu(const struct model *model, const struct mode *mode, formula *out)
{
    int to[BLOCK_LIMIT];
    for (int b = 0; b < BLOCK_LIMIT; b++)
        to[b] = b == BLOCK_LAMBDA ? BLOCK_MU : b;
    rename_blocks(model->tape, mode->lambda_force, model->n, to, out);
}

static struct residual *ggl(const struct model *model, const struct mode *mode,
                            const char *const *value, struct diagnosis *diagnosis)
{
    (void)value;
    (void)diagnosis;
    int n = model->n, m = mode->m, row = n + m;
    struct residual *residual = residual_new(DAE, 2 * n + 2 * m);
    formula *force = memory_new(n, sizeof *force);
    residual_balance(model, mode, residual);
    memory_copy(residual->R + n, mode->Phid, m, sizeof *residual->R);
    force_of_mu(model, mode, force);
    for (int i = 0; i < n; i++, row++) {
        formula qd = variable(model->tape, BLOCK_QD, i);
        formula v = variable(model->tape, BLOCK_V, i);
        residual->R[row] = sub(add(qd, force[i]), v);
        residual->unknown[row] = (struct unknown){BLOCK_QD, i};
    }
    for (int i = 0; i < m; i++, row++) {
        residual->R[row] = mode->Phi[i];
        residual->unknown[row] = (struct unknown){BLOCK_MU, i};
    }
    free(force);
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
    .source = "Gear, Gupta, Leimkuhler 1985",
    .kind = DAE,
    .index = 2,
    .capabilities = TAKES_CONSTRAINTS | TAKES_CONSTRAINT_CHANGE | KEEPS_CONSTRAINTS,
    .residual = ggl,
    .projection = &projection_mass_orthogonal,
    .reduced = &formulation_index1,
};
