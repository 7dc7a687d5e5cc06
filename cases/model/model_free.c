/*
 * model_free.c - frees all that a model holds.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "model_internal.h"

static void free_names(char **name, int count)
{
    for (int i = 0; i < count; i++)
        free(name[i]);
    free(name);
}

static void free_mode(struct mode *mode)
{
    formula *const written[] = {mode->F, mode->Phi, mode->f_s, mode->g};
    for (size_t k = 0; k < sizeof written / sizeof *written; k++)
        margin_free(written[k]);
    formula *const completed[] = {mode->Phid, mode->Phidd, mode->Phi_q,
                                  mode->lambda_force};
    for (size_t k = 0; k < sizeof completed / sizeof *completed; k++)
        free(completed[k]);
    margin_square_free(mode->M);
    free(mode->M_entries.begin);
    free(mode->M_entries.column);
    if (mode->Phid_v != mode->Phi_q) {
        free(mode->Phid_v);
        free(mode->Phid_v_entries.begin);
        free(mode->Phid_v_entries.column);
    }
    free(mode->Phi_q_entries.begin);
    free(mode->Phi_q_entries.column);
    margin_flags_free(mode->velocity_level);
    free(mode->load);
    free(mode->name);
    free(mode);
}

static void free_event(struct event *event)
{
    formula *const array[] = {event->q_plus, event->v_plus, event->s_plus, event->cost,
                              event->Psi, event->E};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        margin_free(array[k]);
    margin_flags_free(event->Psi_velocity_level);
    free(event->J);
    for (int k = 0; k < event->balances; k++)
        free(event->balance[k].name);
    free(event->balance);
    free(event->condition);
    free(event->name);
    free(event);
}

static void free_extras(struct model *model)
{
    for (int k = 0; k < model->publisheds; k++) {
        struct published *published = &model->published[k];
        free(published->quantity);
        free(published->value);
        free(published->source);
        free(published->disputed);
    }
    for (int k = 0; k < model->equalities; k++)
        free(model->equality[k].name);
    free(model->segment);
    free(model->published);
    free(model->equality);
    free(model->twin);
}

void model_free(struct model *model)
{
    if (!model)
        return;
    model_free_edges(model);
    for (int k = 0; k < model->modes; k++)
        free_mode(model->mode[k]);
    for (int k = 0; k < model->events; k++)
        free_event(model->event[k]);
    for (int j = 0; j < model->p; j++) {
        free(model->parameter[j].name);
        free(model->parameter[j].unit);
        free(model->parameter[j].meaning);
    }
    free_names(model->coordinate, model->n);
    free_names(model->auxiliary, model->ns);
    free_names(model->cost, model->nz);
    free_names(model->twin_coordinate, model->twin_n);
    free_extras(model);
    formula *const array[] = {model->q0, model->q_guess, model->v0, model->v_guess,
                              model->s0, model->s_guess, model->w};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        margin_free(array[k]);
    free(model->Gamma);
    free(model->stop);
    free(model->recording->written);
    free(model->recording);
    free(model->parameter);
    free(model->mode);
    free(model->event);
    names_free(model->names);
    tape_free(model->tape);
    free(model);
}
