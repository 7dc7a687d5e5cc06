/*
 * ode.c - ordinary differential equations in independent coordinates: Corner, Sandu and
 * Sandu 2019, (1)-(2), sections 4.1 and 5.1, (73)-(75).
 *
 * Without constraints the equations are M a = F. With constraints the state is that of
 * the independent coordinates. Coordinate partitioning (projection/partition.c) gives the
 * dependent ones from Phi = 0 and Phid = 0 wherever the equations are evaluated. The null
 * space of Phi_q (linear/null_space.c) gives the accelerations, and then the multipliers.
 */
#include "formulation.h"
#include "linear/linear.h"
#include "projection/projection.h"

extern const struct formulation formulation_index1;

static struct residual *residual(const struct model *model, const struct mode *mode,
                                 const char *const *value, struct diagnosis *diagnosis)
{
    (void)value;
    return formulation_index1.residual(model, mode, NULL, diagnosis);
}

static const struct linear_method *null_space(const char *const *value,
                                              struct diagnosis *diagnosis)
{
    (void)value;
    (void)diagnosis;
    return &linear_null_space;
}

extern const struct formulation formulation_ode;
const struct formulation formulation_ode = {
    .name = "ode",
    .title = "ordinary differential equations, in independent coordinates",
    .source = "Corner, Sandu, Sandu 2019, (1)-(2), (73)-(75)",
    .kind = ALGEBRAIC,
    .capabilities = TAKES_UNCONSTRAINED | TAKES_CONSTRAINTS | TAKES_VELOCITY_LEVEL |
                    TAKES_CONSTRAINT_CHANGE | KEEPS_CONSTRAINTS,
    .residual = residual,
    .linear = null_space,
    .projection = &projection_partition,
    .reduced = &formulation_index1,
};
