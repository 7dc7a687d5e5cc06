/*
 * cross_checks.c - which of them a case has, from its model (cross_checks.h)
 */
#include "oracles/cross_checks.h"

#include <stdio.h>
#include <string.h>

#include "oracles/oracle.h"

static const char *const cross_check_names[] = {"closed-form", "twin", "published",
                                                "energy", "balance"};
enum { CROSS_CHECKS = sizeof cross_check_names / sizeof *cross_check_names };

/* Has the case printed numbers of a motion, not of the start alone? */
static bool has_published_motion(const struct model *model)
{
    for (int k = 0; k < model->publisheds; k++)
        if (!model->published[k].disputed &&
            strncmp(model->published[k].quantity, "start.", 6) != 0)
            return true;
    return false;
}

/* Is the energy another formula than T + V, from which M and F follow where there is
   one? */
static bool has_own_energy(const struct model *model)
{
    if (!model->energy.tape)
        return false;
    struct model *branch = model_branch(model);
    bool own = true;
    for (int k = 0; own && k < branch->modes; k++) {
        const struct mode *mode = branch->mode[k];
        formula sum = add(mode->T, mode->V);
        own = is_zero(sum) || !same_formula(sum, branch->energy);
    }
    model_branch_free(branch);
    return own;
}

/* Does the event change anything, by formulas of the case? */
static bool states_reset(const struct model *model, const struct event *event)
{
    bool any = false;
    for (int i = 0; i < model->n; i++)
        any = any || event->q_plus[i].tape || event->v_plus[i].tape;
    for (int k = 0; k < model->ns; k++)
        any = any || event->s_plus[k].tape;
    for (int i = 0; i < event->impulses; i++)
        any = any || !is_zero(event->E[i]);
    return any;
}

struct cross_checks cross_checks_of(const struct model *model, bool twin)
{
    bool moves = false, resets = false, balanced = true;
    int all = (closed_form_of(model->desc) ? CROSS_CHECK_CLOSED_FORM : 0) |
              (model->twin || twin ? CROSS_CHECK_TWIN : 0) |
              (has_published_motion(model) ? CROSS_CHECK_PUBLISHED : 0);
    int energy = has_own_energy(model) ? CROSS_CHECK_ENERGY : 0;
    for (int k = 0; k < model->modes; k++)
        for (int i = 0; i < model->n; i++)
            moves = moves || !is_zero(model->mode[k]->F[i]);
    for (int k = 0; k < model->events; k++)
        if (states_reset(model, model->event[k])) {
            resets = true;
            balanced = balanced && model->event[k]->balances > 0;
        }
    int balance = balanced ? CROSS_CHECK_BALANCE : 0;
    return (struct cross_checks){.force = moves ? all | energy : -1,
                                 .inertia = model->n > 0 ? all | energy : -1,
                                 .reset = resets ? all | balance : -1};
}

void cross_checks_text(int set, char *text, size_t size)
{
    snprintf(text, size, "%s", set < 0 ? "-" : set == 0 ? "nobody" : "");
    for (int k = 0; set > 0 && k < CROSS_CHECKS; k++)
        if (set & 1 << k) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                     cross_check_names[k]);
        }
}
