/*
 * judged_rules.c - the functions of the rules of judged_rules.def.
 */
#include "faults/judged_rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "faults/terms.h"

/* --- where a rule differs from saltation -------------------------------------------- */

static bool has_impulse(const struct event *event, const char **why)
{
    *why = "the event has no impulses";
    return event->velocity == VELOCITY_IMPULSIVE;
}

static bool has_multipliers(const struct event *event, const char **why)
{
    *why = "there are no multipliers on both sides";
    return event->from->m > 0 && event->to->m == event->from->m;
}

static bool has_dependent(const struct event *event, const char **why)
{
    *why = "no velocities follow from the constraints";
    return event->velocity == VELOCITY_CONSTRAINED;
}

/* --- the jump ----------------------------------------------------------------------- */

/* (91): Q+ and V- enter without a- tau and a+ tau, time terms without tau. */
static enum status printed_91_apply(const struct jump *jump, int parameter,
                                    const struct jump_column *before, double tau,
                                    struct jump_column *after)
{
    int n = jump->model->n;
    double *dw = memory_new(jump->event->w, sizeof *dw);
    enum status status = saltation_apply(jump, parameter, before, tau, after);
    const struct jump_direction printed = {
        .t = 1, .q = after->Q, .v = before->V, .s = before->S, .parameter = parameter};
    if (status == OK)
        status = jump_reset(jump, &printed, dw);
    memcpy(after->V, dw + n, (size_t)n * sizeof *dw);
    free(dw);
    return status == OK ? jump_algebraic(jump, parameter, after) : status;
}

static enum status dependent_kept_apply(const struct jump *jump, int parameter,
                                        const struct jump_column *before, double tau,
                                        struct jump_column *after)
{
    enum status status = saltation_apply(jump, parameter, before, tau, after);
    for (int i = 0; i < jump->model->n; i++)
        if (!jump->event->v_plus[i].tape) {
            after->Q[i] = before->Q[i];
            after->V[i] = before->V[i];
        }
    return status == OK ? jump_algebraic(jump, parameter, after) : status;
}

/* --- the table ---------------------------------------------------------------------- */

#define JUDGED(id, name_, title_, source_, applies_, tau_, apply_) \
    static const struct jump_rule rule_##id = { \
        .name = name_, .title = title_, .source = source_, \
        .applies = applies_, .tau = tau_, .apply = apply_};
#define MIXED(id, name_, title_, source_, applies_, ...) \
    static const struct term_rule mixed_##id = { \
        .rule = {.name = name_, .title = title_, .source = source_, \
                 .applies = applies_, .tau = terms_tau, .apply = terms_apply}, \
        .change = {__VA_ARGS__}};
#include "faults/judged_rules.def"
#undef JUDGED
#undef MIXED

const struct jump_rule *const judged_rules[] = {
#define JUDGED(id, ...) &rule_##id,
#define MIXED(id, ...) &mixed_##id.rule,
#include "faults/judged_rules.def"
#undef JUDGED
#undef MIXED
    NULL
};
