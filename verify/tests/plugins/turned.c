/*
 * turned.c - a plug-in of test_plugin.c: a jump rule with a slip in it.
 */
#include "plugin.h"

/* Saltation, with the sign of v+ tau turned round. */
static enum status turn(const struct jump *jump, int parameter,
                        const struct jump_column *before, double tau,
                        struct jump_column *after)
{
    enum status status = saltation_apply(jump, parameter, before, tau, after);
    for (int i = 0; i < jump->model->n; i++)
        after->Q[i] += 2 * jump->after.v[i] * tau;
    return status == OK ? jump_algebraic(jump, parameter, after) : status;
}

static const struct jump_rule turned = {
    .name = "turned", .title = "v+ tau with the wrong sign", .source = "a slip",
    .tau = saltation_tau, .apply = turn,
};

SALTUS_PLUGIN(turned, .jump_rules = (const struct jump_rule *const []){&turned, NULL});
