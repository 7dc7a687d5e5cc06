/*
 * native_record.c - all native cases (not those of elements) in one table, and one
 * evaluation of one of them.
 */
#include "oracles/native/native_record.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#undef CASE
#define CASE_OF_ELEMENTS(id)
#define DRAFT_OF_ELEMENTS(id)
#define DRAFT(id) CASE(id)
#define CASE(id) extern const struct native_case native_##id;
#include "mechanisms/catalogue.def"
#undef CASE

static const struct native_case *const table[] = {
#define CASE(id) &native_##id,
#include "mechanisms/catalogue.def"
#undef CASE
#undef CASE_OF_ELEMENTS
};

const struct native_case *native_case_find(const char *name)
{
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k]->name, name) == 0)
            return table[k];
    return NULL;
}

struct model *native_record(const struct native_case *of, quad_complex *const *value)
{
    struct model *model = memory_new(1, sizeof *model);
    model->desc = of;
    for (int b = 0; b < NATIVE_BLOCKS && value; b++)
        model->value[b] = value[b];
    model->start = native_mode(model, "");
    model->named = false;               /* the first model_mode() of the case names it */
    of->record(model);
    return model;
}

static void free_mode(const struct model *model, struct mode *mode)
{
    for (int i = 0; mode->M && i < model->n; i++)
        free(mode->M[i]);
    free(mode->M);
    free(mode->F);
    free(mode->Phi);
    free(mode->f_s);
    free(mode->g);
    free(mode);
}

static void free_event(struct event *event)
{
    free(event->q_plus);
    free(event->v_plus);
    free(event->s_plus);
    free(event->cost);
    free(event);
}

void native_free(struct model *model)
{
    for (int k = 0; k < model->modes; k++)
        free_mode(model, model->mode[k]);
    for (int k = 0; k < model->events; k++)
        free_event(model->event[k]);
    free(model->mode);
    free(model->event);
    free(model->q0);
    free(model->q_guess);
    free(model->v0);
    free(model->v_guess);
    free(model->s0);
    free(model->s_guess);
    free(model->w);
    free(model);
}
