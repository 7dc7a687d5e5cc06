/*
 * run_exact.c - the first formulation of the exact family that takes the case
 * (run_exact.h)
 */
#include "motion/run_exact.h"

#include <math.h>

#include "motion/reference_motion.h"
#include "plugins/registry.h"

static enum status run_with(const struct formulation *formulation,
                            const struct run_request *like, struct trajectory **out,
                            struct diagnosis *diagnosis)
{
    struct run_request request = *like;
    const char *option[MAX_OPTIONS];
    options_nominal(formulation, option);
    request.formulation = formulation;
    request.option = option;
    request.integrator = NULL;
    return run_once(&request, out, diagnosis);
}

enum status run_exact(const struct run_request *like, struct trajectory **out,
                      struct diagnosis *diagnosis)
{
    const struct formulation *first = formulation_default(like->model);
    enum status status = run_with(first, like, out, diagnosis);
    for (int k = 0; formulations[k] && status == RANK_LOSS; k++) {
        const struct formulation *other = formulations[k];
        struct trajectory *trajectory = NULL;
        struct diagnosis own = {.t = NAN};
        if (other == first || other->kind != ALGEBRAIC || registry_owner(other) ||
            !(other->capabilities & KEEPS_CONSTRAINTS) ||
            !formulation_applies(other, like->model, NULL))
            continue;
        enum status its = run_with(other, like, &trajectory, &own);
        if (its == RANK_LOSS) {
            trajectory_free(trajectory);
            continue;
        }
        trajectory_free(*out);
        *out = trajectory;
        status = its;
        if (diagnosis && its != OK)
            *diagnosis = own;
    }
    return status;
}
