/*
 * saltation.c - jumps of sensitivities: the general rule (Rozenvasser 1967; Hiskens, Pai
 * 2000) and the theorems of Corner, Sandu and Sandu 2019.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/plugged.h"
#include "events/jump_services.h"

/* --- saltation ---------------------------------------------------------------------- */

enum status saltation_tau(const struct jump *jump, int parameter,
                          const struct jump_column *before, double *tau)
{
    const struct jump_direction column = {
        .q = before->Q, .v = before->V, .s = before->S, .a = before->A,
        .lambda = before->Lambda, .parameter = parameter};
    *tau = -jump_guard(jump, &column) / jump->rate;
    return OK;
}

/* The rule differentiates along the moving event, then returns to fixed time. */
enum status saltation_apply(const struct jump *jump, int parameter,
                            const struct jump_column *before, double tau,
                            struct jump_column *after)
{
    const struct model *model = jump->model;
    const struct jump_side *minus = &jump->before, *plus = &jump->after;
    int n = model->n, ns = model->ns, m = minus->mode->m;
    double *dq = jump->work->scratch, *dv = dq + n, *ds = dv + n, *da = ds + ns;
    double *dlambda = da + n, *dw = dlambda + m;

    for (int i = 0; i < n; i++) {
        dq[i] = before->Q[i] + minus->v[i] * tau;
        dv[i] = before->V[i] + minus->a[i] * tau;
        da[i] = before->A[i] + jump->a_dot[i] * tau;
    }
    for (int k = 0; k < ns; k++)
        ds[k] = before->S[k] + minus->f_s[k] * tau;
    for (int k = 0; k < m; k++)
        dlambda[k] = before->Lambda[k] + jump->lambda_dot[k] * tau;
    const struct jump_direction moving = {
        .t = tau, .q = dq, .v = dv, .s = ds, .a = da, .lambda = dlambda,
        .parameter = parameter};
    enum status status = jump_reset(jump, &moving, dw);

    for (int i = 0; i < n; i++) {
        after->Q[i] = dw[i] - plus->v[i] * tau;
        after->V[i] = dw[n + i] - plus->a[i] * tau;
    }
    for (int k = 0; k < ns; k++)
        after->S[k] = dw[2 * n + k] - plus->f_s[k] * tau;
    for (int k = 0; k < model->nz; k++)
        after->Z[k] = before->Z[k] - (plus->g[k] - minus->g[k]) * tau +
                      jump_cost(jump, k, &moving, dw);
    return status == OK ? jump_algebraic(jump, parameter, after) : status;
}

extern const struct jump_rule jump_rule_saltation, jump_rule_corner_dof,
    jump_rule_corner_impulse;

const struct jump_rule jump_rule_saltation = {
    .name = "saltation",
    .title = "general reset, differentiated along the moving event",
    .source = "Rozenvasser 1967; Hiskens, Pai 2000; any reset J = 0",
    .tau = saltation_tau,
    .apply = saltation_apply,
};

/* --- corner-dof: Theorems 6 and 7, (88) and (90) ------------------------------------ */

static bool dof_applies(const struct event *event, const char **why)
{
    *why = "the event does not give velocities of independent coordinates only";
    return event->velocity == VELOCITY_CONSTRAINED;
}

/* Independent coordinates jump by (88a) and (90a), dependent ones follow from the
   constraints after the event, (88b) and (90c). The reset rows of the independent
   velocities give the derivative of h along the moving event. */
static enum status dof_apply(const struct jump *jump, int parameter,
                             const struct jump_column *before, double tau,
                             struct jump_column *after)
{
    int n = jump->model->n;
    enum status status = saltation_apply(jump, parameter, before, tau, after);
    if (status != OK)
        return status;
    bool *dof = memory_new(n, sizeof *dof);
    for (int i = 0; i < n; i++) {
        dof[i] = jump->event->v_plus[i].tape != NULL;
        if (dof[i])
            after->Q[i] = before->Q[i] - (jump->after.v[i] - jump->before.v[i]) * tau;
    }
    status = jump_dependent(jump, parameter, dof, after);
    free(dof);
    return status == OK ? jump_algebraic(jump, parameter, after) : status;
}

const struct jump_rule jump_rule_corner_dof = {
    .name = "corner-dof",
    .title = "independent coordinates jump, dependent ones from the constraints",
    .source = "Corner, Sandu, Sandu 2019, Theorems 6-7, (88), (90)",
    .applies = dof_applies,
    .tau = saltation_tau,
    .apply = dof_apply,
};

/* --- corner-impulse: (91)-(93), corrected ------------------------------------------- */

static bool impulse_applies(const struct event *event, const char **why)
{
    *why = "the event has no impulses";
    return event->velocity == VELOCITY_IMPULSIVE;
}

/* Q jumps by (89), V by the impulsive system (82), linearised along the moving event:
   with a- tau before and a+ tau after, which (91)-(93) leave out. */
static enum status impulse_apply(const struct jump *jump, int parameter,
                                 const struct jump_column *before, double tau,
                                 struct jump_column *after)
{
    int n = jump->model->n;
    enum status status = saltation_apply(jump, parameter, before, tau, after);
    for (int i = 0; i < n; i++)
        after->Q[i] = before->Q[i] - (jump->after.v[i] - jump->before.v[i]) * tau;
    return status == OK ? jump_algebraic(jump, parameter, after) : status;
}

const struct jump_rule jump_rule_corner_impulse = {
    .name = "corner-impulse",
    .title = "impulsive constraint forces, with the acceleration terms",
    .source = "Corner, Sandu, Sandu 2019, (82), (91)-(93) corrected",
    .applies = impulse_applies,
    .tau = saltation_tau,
    .apply = impulse_apply,
};

/* --- the table ---------------------------------------------------------------------- */

enum {
#define JUMP_RULE(id) OWN_##id,
#include "events/jump_rules.def"
#undef JUMP_RULE
    OWN
};

const struct jump_rule *jump_rules[OWN + PLUGGED_ROOM + 1] = {
#define JUMP_RULE(id) &jump_rule_##id,
#include "events/jump_rules.def"
#undef JUMP_RULE
};

const struct jump_rule *jump_rule_find(const char *name)
{
    for (int k = 0; jump_rules[k]; k++)
        if (strcmp(jump_rules[k]->name, name) == 0)
            return jump_rules[k];
    return NULL;
}
