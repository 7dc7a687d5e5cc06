/*
 * implicit.c - fully implicit DAE F(x', x, t, rho) = 0, x = (q, v, s, lambda): Pan, Ding
 * and Wang 2004, (1).
 *
 * No equation is solved for a rate. An implicit integrator takes the equations as they
 * stand,
 *
 *     q' - v = 0     M v' + Phi_q' lambda - F = 0     s' - f_s = 0     Phidd = 0
 *
 * The start and the end may be implicit, too, as in (2) and (3) of that paper: the start
 * solves Phi = 0 and Phid = 0 from a guess, the end is a terminal event.
 */
#include "base/memory.h"
#include "formulation.h"

extern const struct formulation formulation_index1, formulation_implicit;

static struct residual *residual(const struct model *model, const struct mode *mode,
                                 const char *const *value, struct diagnosis *diagnosis)
{
    (void)value;
    struct residual *motion =
        formulation_index1.residual(model, mode, NULL, diagnosis);
    int n = model->n, rows = motion->rows;
    struct residual *residual = residual_new(DAE, n + rows);
    memory_copy(residual->R, motion->R, rows, sizeof *motion->R);
    memory_copy(residual->unknown, motion->unknown, rows, sizeof *motion->unknown);
    residual_free(motion);
    for (int i = 0; i < n; i++) {
        residual->R[rows + i] = sub(variable(model->tape, BLOCK_QD, i),
                                    variable(model->tape, BLOCK_V, i));
        residual->unknown[rows + i] = (struct unknown){BLOCK_QD, i};
    }
    return residual;
}

const struct formulation formulation_implicit = {
    .name = "implicit",
    .title = "F(x', x, t, rho) = 0 as it stands, no rate solved for",
    .source = "Pan, Ding, Wang 2004, (1)",
    .kind = DAE,
    .index = 1,
    .capabilities = TAKES_CONSTRAINTS | TAKES_UNCONSTRAINED | TAKES_VELOCITY_LEVEL |
                    TAKES_CONSTRAINT_CHANGE | KEEPS_CONSTRAINTS,
    .residual = residual,
    .reduced = &formulation_index1,
};
