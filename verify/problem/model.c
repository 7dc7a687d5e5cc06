/*
 * model.c - modes, events and definitions of a problem.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "formula/read.h"
#include "problem/writer.h"

cJSON *own_string(char *text)
{
    cJSON *item = cJSON_CreateString(text);
    free(text);
    return item;
}

static cJSON *formula_item(const struct writer *writer, formula f)
{
    return own_string(texts_of(&writer->text, f));
}

cJSON *writer_formulas(const struct writer *writer, const formula *f, int count)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++)
        cJSON_AddItemToArray(list, formula_item(writer, f[i]));
    return list;
}

static cJSON *pair(const char *name, cJSON *value)
{
    cJSON *item = cJSON_CreateArray();
    cJSON_AddItemToArray(item, cJSON_CreateString(name));
    cJSON_AddItemToArray(item, value);
    return item;
}

static const char *direction_text(enum direction direction)
{
    return direction == FALLING ? "falling" : direction == RISING ? "rising" : "either";
}

/* --- which formulas will be written ------------------------------------------------- */

static formula without_a(void *context, int block, int index)
{
    const struct { const struct model *model; const struct mode *mode; } *at = context;
    switch (block) {
    case BLOCK_T: return integer(at->model->tape, 1);
    case BLOCK_Q: return variable(at->model->tape, BLOCK_V, index);
    case BLOCK_S: return at->mode->f_s[index];
    default: return (formula){NULL, 0};
    }
}

/* gamma of Phidd = Phid_v a + gamma: the change of Phid along the motion without Phid_v
   a. */
static formula *gamma_of(const struct model *model, const struct mode *mode)
{
    formula *gamma = memory_new(mode->m, sizeof *gamma);
    struct { const struct model *model; const struct mode *mode; } at = {model, mode};
    tangent_along(mode->Phid, mode->m, without_a, &at, gamma);
    return gamma;
}

static void add_mode_formulas(struct writer *writer, const struct mode *mode)
{
    const struct model *model = writer->model;
    struct formula_texts *text = &writer->text;
    for (int i = 0; i < model->n; i++)
        texts_add(text, mode->M[i], model->n);
    texts_add(text, mode->F, model->n);
    texts_add(text, mode->Phi, mode->m);
    texts_add(text, mode->Phid, mode->m);
    texts_add(text, mode->Phi_q, mode->m * model->n);
    texts_add(text, mode->Phid_v, mode->m * model->n);
    texts_add(text, writer->gamma[mode->index], mode->m);
    texts_add(text, mode->f_s, model->ns);
    texts_add(text, mode->g, model->nz);
    texts_add(text, &mode->power, 1);
}

void writer_open(struct writer *writer, const struct problem *problem)
{
    struct model *model = model_branch(problem->model);
    model->names = names_copy(model->names);
    *writer = (struct writer){.problem = problem, .model = model,
                              .root = cJSON_CreateObject()};
    texts_init(&writer->text, model);
    writer->gamma = memory_new(model->modes, sizeof *writer->gamma);
    for (int k = 0; k < model->modes; k++) {
        writer->gamma[k] = gamma_of(model, model->mode[k]);
        add_mode_formulas(writer, model->mode[k]);
    }
    for (int k = 0; k < model->events; k++) {
        const struct event *event = model->event[k];
        texts_add(&writer->text, &event->guard, 1);
        texts_add(&writer->text, event->condition, event->conditions);
        texts_add(&writer->text, event->q_plus, model->n);
        texts_add(&writer->text, event->v_plus, model->n);
        texts_add(&writer->text, event->s_plus, model->ns);
        texts_add(&writer->text, event->J, event->w);
        texts_add(&writer->text, event->Psi, event->impulses);
        texts_add(&writer->text, event->E, event->impulses);
        texts_add(&writer->text, event->cost, model->nz);
    }
    texts_add(&writer->text, model->w, model->nz);
    texts_add(&writer->text, &model->t0, 1);
    texts_add(&writer->text, &model->t_end, 1);
    const formula *const start[] = {model->q0, model->v0, model->q_guess, model->v_guess};
    for (size_t k = 0; k < sizeof start / sizeof *start; k++)
        texts_add(&writer->text, start[k], model->n);
    texts_add(&writer->text, model->s0, model->ns);
    texts_add(&writer->text, model->s_guess, model->ns);
    texts_add(&writer->text, model->Gamma, model->start_rows);
    texts_add(&writer->text, model->stop, model->stops);
    texts_add(&writer->text, &model->energy, 1);
    texts_define(&writer->text, TEXT_LIMIT, false);
}

void writer_close(struct writer *writer)
{
    for (int k = 0; k < writer->model->modes; k++)
        free(writer->gamma[k]);
    free(writer->gamma);
    texts_clear(&writer->text);
    names_free(writer->model->names);
    model_branch_free(writer->model);
    cJSON_Delete(writer->root);
}

/* --- modes, events, definitions ----------------------------------------------------- */

static void add_definitions(struct writer *writer)
{
    cJSON *list = cJSON_AddArrayToObject(writer->root, "definitions");
    for (int k = 0; k < writer->text.definitions; k++) {
        char *body;
        const char *name = texts_definition(&writer->text, k, &body);
        cJSON_AddItemToArray(list, pair(name, own_string(body)));
    }
}

static cJSON *mode_item(const struct writer *writer, const struct mode *mode)
{
    int n = writer->model->n, m = mode->m, ns = writer->model->ns;
    cJSON *item = cJSON_CreateObject(), *M, *Phi_q, *Phid_v, *levels;
    cJSON_AddStringToObject(item, "name", mode->name);
    M = cJSON_AddArrayToObject(item, "M");
    for (int i = 0; i < n; i++)
        cJSON_AddItemToArray(M, writer_formulas(writer, mode->M[i], n));
    cJSON_AddItemToObject(item, "F", writer_formulas(writer, mode->F, n));
    cJSON_AddItemToObject(item, "Phi", writer_formulas(writer, mode->Phi, m));
    cJSON_AddItemToObject(item, "Phid", writer_formulas(writer, mode->Phid, m));
    Phi_q = cJSON_AddArrayToObject(item, "Phi_q");
    for (int i = 0; i < m; i++)
        cJSON_AddItemToArray(Phi_q, writer_formulas(writer, mode->Phi_q + i * n, n));
    Phid_v = cJSON_AddArrayToObject(item, "Phid_v");
    for (int i = 0; i < m; i++)
        cJSON_AddItemToArray(Phid_v, writer_formulas(writer, mode->Phid_v + i * n, n));
    cJSON_AddItemToObject(item, "gamma",
                          writer_formulas(writer, writer->gamma[mode->index], m));
    levels = cJSON_AddArrayToObject(item, "velocity_level");
    for (int i = 0; i < m; i++)
        cJSON_AddItemToArray(levels, cJSON_CreateBool(mode->velocity_level[i]));
    cJSON_AddItemToObject(item, "f_s", writer_formulas(writer, mode->f_s, ns));
    cJSON_AddItemToObject(item, "g", writer_formulas(writer, mode->g, writer->model->nz));
    if (mode->power.tape)
        cJSON_AddItemToObject(item, "power", formula_item(writer, mode->power));
    return item;
}

/* Adds [x_plus, right side] for every value that is given, or kept. */
static void add_explicit(const struct writer *writer, cJSON *list, const formula *given,
                         int plus, int block, int count)
{
    const struct model *model = writer->model;
    for (int i = 0; i < count; i++) {
        cJSON *right = given[i].tape
            ? formula_item(writer, given[i])
            : cJSON_CreateString(texts_variable(model, block, i));
        cJSON_AddItemToArray(list, pair(texts_variable(model, plus, i), right));
    }
}

/* Adds the equations J = 0 of model.h for velocities that are no explicit function. */
static void add_implicit(const struct writer *writer, cJSON *reset,
                         const struct event *event)
{
    const struct model *model = writer->model;
    int given = 0, n = model->n, rows = n + event->impulses;
    cJSON *unknowns = cJSON_AddArrayToObject(reset, "unknowns");
    for (int i = 0; i < n; i++)
        if (event->velocity == VELOCITY_CONSTRAINED && event->v_plus[i].tape)
            given++;
        else
            cJSON_AddItemToArray(
                unknowns, cJSON_CreateString(texts_variable(model, BLOCK_V_PLUS, i)));
    for (int k = 0; k < event->impulses; k++)
        cJSON_AddItemToArray(unknowns,
                             cJSON_CreateString(texts_variable(model, BLOCK_IMPULSE, k)));
    cJSON_AddItemToObject(reset, "zero",
                          writer_formulas(writer, event->J + n + given, rows - given));
}

static cJSON *reset_item(const struct writer *writer, const struct event *event)
{
    const struct model *model = writer->model;
    cJSON *reset = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(reset, "explicit");
    add_explicit(writer, list, event->q_plus, BLOCK_Q_PLUS, BLOCK_Q, model->n);
    if (event->velocity == VELOCITY_EXPLICIT)
        add_explicit(writer, list, event->v_plus, BLOCK_V_PLUS, BLOCK_V, model->n);
    for (int i = 0; event->velocity == VELOCITY_CONSTRAINED && i < model->n; i++)
        if (event->v_plus[i].tape)
            cJSON_AddItemToArray(list, pair(texts_variable(model, BLOCK_V_PLUS, i),
                                            formula_item(writer, event->v_plus[i])));
    add_explicit(writer, list, event->s_plus, BLOCK_S_PLUS, BLOCK_S, model->ns);
    if (event->velocity != VELOCITY_EXPLICIT)
        add_implicit(writer, reset, event);
    return reset;
}

/* The contact rows that the equations of the reset were made of. */
static void add_impulses(const struct writer *writer, cJSON *item,
                         const struct event *event)
{
    cJSON *list = cJSON_AddArrayToObject(item, "impulses");
    for (int k = 0; k < event->impulses; k++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(list, row);
        cJSON_AddItemToObject(row, "Psi", formula_item(writer, event->Psi[k]));
        cJSON_AddItemToObject(row, "E", formula_item(writer, event->E[k]));
        cJSON_AddBoolToObject(row, "velocity_level", event->Psi_velocity_level[k]);
    }
}

static cJSON *event_item(const struct writer *writer, const struct event *event)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", event->name);
    cJSON_AddStringToObject(item, "from", event->from->name);
    cJSON_AddStringToObject(item, "to", event->to->name);
    cJSON_AddItemToObject(item, "guard", formula_item(writer, event->guard));
    cJSON_AddStringToObject(item, "direction", direction_text(event->direction));
    if (event->conditions > 0)
        cJSON_AddItemToObject(item, "conditions",
                              writer_formulas(writer, event->condition,
                                              event->conditions));
    cJSON_AddBoolToObject(item, "terminal", event->terminal);
    cJSON_AddStringToObject(item, "velocity", reset_velocity_text[event->velocity]);
    if (event->velocity == VELOCITY_IMPULSIVE)
        add_impulses(writer, item, event);
    cJSON_AddItemToObject(item, "reset", reset_item(writer, event));
    cJSON_AddItemToObject(item, "cost",
                          writer_formulas(writer, event->cost, writer->model->nz));
    return item;
}

/* Adds the formulas that are set, by their names. */
static void add_set(const struct writer *writer, cJSON *object, int block,
                    const formula *f, int count)
{
    for (int i = 0; i < count; i++)
        if (f[i].tape)
            cJSON_AddItemToObject(object, texts_variable(writer->model, block, i),
                                  formula_item(writer, f[i]));
}

/* The start as it is stated; `start` has its values. */
static void add_initial(const struct writer *writer)
{
    const struct model *model = writer->model;
    cJSON *initial = cJSON_AddObjectToObject(writer->root, "initial");
    cJSON_AddItemToObject(initial, "t", formula_item(writer, model->t0));
    cJSON_AddStringToObject(initial, "mode", model->start->name);
    cJSON *state = cJSON_AddObjectToObject(initial, "state");
    add_set(writer, state, BLOCK_Q, model->q0, model->n);
    add_set(writer, state, BLOCK_V, model->v0, model->n);
    add_set(writer, state, BLOCK_S, model->s0, model->ns);
    cJSON *guess = cJSON_AddObjectToObject(initial, "guess");
    add_set(writer, guess, BLOCK_Q, model->q_guess, model->n);
    add_set(writer, guess, BLOCK_V, model->v_guess, model->n);
    add_set(writer, guess, BLOCK_S, model->s_guess, model->ns);
    if (model->start_rows > 0)
        cJSON_AddItemToObject(initial, "rows",
                              writer_formulas(writer, model->Gamma, model->start_rows));
}

void writer_add_model(struct writer *writer)
{
    const struct model *model = writer->model;
    add_definitions(writer);
    cJSON *modes = cJSON_AddArrayToObject(writer->root, "modes");
    for (int k = 0; k < model->modes; k++)
        cJSON_AddItemToArray(modes, mode_item(writer, model->mode[k]));
    cJSON *events = cJSON_AddArrayToObject(writer->root, "events");
    for (int k = 0; k < model->events; k++)
        cJSON_AddItemToArray(events, event_item(writer, model->event[k]));
    add_initial(writer);
    cJSON_AddItemToObject(writer->root, "end", formula_item(writer, model->t_end));
    if (model->stops > 0)
        cJSON_AddItemToObject(writer->root, "stops",
                              writer_formulas(writer, model->stop, model->stops));
    if (model->energy.tape)
        cJSON_AddItemToObject(writer->root, "energy",
                              formula_item(writer, model->energy));
}
