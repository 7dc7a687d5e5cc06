/*
 * judged_rules.c - what the rules of judged_rules.def do differently.
 */
#include "judged_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"

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

/* --- dt_e/drho ---------------------------------------------------------------------- */

static enum status no_tau(const struct jump *jump, int parameter,
                          const struct jump_column *before, double *tau)
{
    (void)jump;
    (void)parameter;
    (void)before;
    *tau = 0;
    return OK;
}

static enum status printed_33_tau(const struct jump *jump, int parameter,
                                  const struct jump_column *before, double *tau)
{
    (void)parameter;
    const struct jump_direction along_Q = {.q = before->Q, .parameter = -1};
    const struct jump_direction along_v = {.q = jump->before.v, .parameter = -1};
    *tau = -jump_guard(jump, &along_Q) / jump_guard(jump, &along_v);
    return OK;
}

static enum status no_r_rho_tau(const struct jump *jump, int parameter,
                                const struct jump_column *before, double *tau)
{
    (void)parameter;
    return saltation_tau(jump, -1, before, tau);
}

static enum status no_r_t_tau(const struct jump *jump, int parameter,
                              const struct jump_column *before, double *tau)
{
    const struct jump_direction time = {.t = 1, .parameter = -1};
    enum status status = saltation_tau(jump, parameter, before, tau);
    *tau *= jump->rate / (jump->rate - jump_guard(jump, &time));
    return status;
}

static enum status no_r_v_tau(const struct jump *jump, int parameter,
                              const struct jump_column *before, double *tau)
{
    const struct jump_direction column = {
        .q = before->Q, .s = before->S, .a = before->A, .lambda = before->Lambda,
        .parameter = parameter};
    *tau = -jump_guard(jump, &column) / jump->rate;
    return OK;
}

/* --- the jump ----------------------------------------------------------------------- */

/* Saltation with another view of the event: other values before or after, or the explicit
   parameter of the reset left out. The equations after the event are never touched. */
static enum status twisted(const struct jump *view, const struct jump *jump,
                           int reset_parameter, int parameter,
                           const struct jump_column *before, double tau,
                           struct jump_column *after)
{
    enum status status = saltation_apply(view, reset_parameter, before, tau, after);
    return status == OK ? jump_algebraic(jump, parameter, after) : status;
}

static enum status wrong_side_apply(const struct jump *jump, int parameter,
                                    const struct jump_column *before, double tau,
                                    struct jump_column *after)
{
    struct jump view = *jump;
    view.before.v = jump->after.v;
    view.before.a = jump->after.a;
    view.before.f_s = jump->after.f_s;
    return twisted(&view, jump, parameter, parameter, before, tau, after);
}

static enum status no_J_rho_apply(const struct jump *jump, int parameter,
                                  const struct jump_column *before, double tau,
                                  struct jump_column *after)
{
    return twisted(jump, jump, -1, parameter, before, tau, after);
}

static enum status a_plus_before_apply(const struct jump *jump, int parameter,
                                       const struct jump_column *before, double tau,
                                       struct jump_column *after)
{
    struct jump view = *jump;
    view.before.a = jump->after.a;
    return twisted(&view, jump, parameter, parameter, before, tau, after);
}

static enum status a_minus_after_apply(const struct jump *jump, int parameter,
                                       const struct jump_column *before, double tau,
                                       struct jump_column *after)
{
    struct jump view = *jump;
    view.after.a = jump->before.a;
    return twisted(&view, jump, parameter, parameter, before, tau, after);
}

static enum status no_Z_jump_apply(const struct jump *jump, int parameter,
                                   const struct jump_column *before, double tau,
                                   struct jump_column *after)
{
    enum status status = saltation_apply(jump, parameter, before, tau, after);
    memcpy(after->Z, before->Z, (size_t)jump->model->nz * sizeof *after->Z);
    return status;
}

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

/* (94), (95): Lambda+ = Lambda- + (what the equations after the event give). */
static enum status printed_94_apply(const struct jump *jump, int parameter,
                                    const struct jump_column *before, double tau,
                                    struct jump_column *after)
{
    enum status status = saltation_apply(jump, parameter, before, tau, after);
    for (int i = 0; i < jump->event->to->m; i++)
        after->Lambda[i] += before->Lambda[i];
    return status;
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
#include "judged_rules.def"
#undef JUDGED

const struct jump_rule *const judged_rules[] = {
#define JUDGED(id, ...) &rule_##id,
#include "judged_rules.def"
#undef JUDGED
    NULL
};
