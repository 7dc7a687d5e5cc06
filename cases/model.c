/*
 * model.c - the words of case.h: recording a model as formulas.
 *
 * A case that declares things in the wrong order, or twice, is a programming error and
 * aborts; a formula that cannot be read is kept as the first error, and model_new (see
 * model_complete.c) refuses the model with it.
 */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "model_internal.h"

_Noreturn void model_misuse(const struct model *model, const char *what)
{
    slip("case %s: %s", model->desc->name, what);
}

static char *copy_text(const char *text)
{
    return memory_text(text, strlen(text));
}

int model_split_names(const char *names, char ***list)
{
    int count = 0, room = 0;
    char *copy = copy_text(names);
    char **out = NULL;
    for (char *rest = copy, *part; (part = strtok_r(rest, ", \t\n", &rest));) {
        out = memory_grow(out, &room, count + 1, sizeof *out);
        out[count++] = copy_text(part);
    }
    free(copy);
    *list = out;
    return count;
}

void model_bind(struct model *model, const char *prefix, const char *name,
                const char *suffix, int block, int index)
{
    char full[160];
    snprintf(full, sizeof full, "%s%s%s", prefix, name, suffix);
    if (!names_bind(model->names, full, variable(model->tape, block, index)))
        model_misuse(model, "a name is declared twice, or is no name");
}

static formula *formulas(int count)
{
    return memory_new(count + SPARE_ROWS, sizeof(formula));
}

/* --- modes -------------------------------------------------------------------------- */

static struct mode *new_mode(struct model *model, const char *name)
{
    model->mode = memory_grow(model->mode, &model->mode_room, model->modes + 1,
                              sizeof *model->mode);
    struct mode *mode = memory_new(1, sizeof *mode);
    mode->name = copy_text(name);
    mode->index = model->modes;
    mode->Phi = memory_grow(NULL, &mode->Phi_room, WRITTEN_ROWS, sizeof(formula));
    mode->velocity_level = memory_new(mode->Phi_room, sizeof(bool));
    model->mode[model->modes++] = mode;
    return mode;
}

/* Arrays of a mode appear as soon as their length is known. The rows of M are parts of
   one array, of which a large mechanism never touches most. */
static void size_mode(const struct model *model, struct mode *mode)
{
    int room = model->row_room;
    if (model->coordinate && !mode->M) {
        formula *rows = memory_new(room * room, sizeof *rows);
        mode->M = memory_new(room, sizeof *mode->M);
        for (int i = 0; i < room; i++)
            mode->M[i] = rows + i * room;
        mode->F = formulas(room);
    }
    if (model->auxiliary && !mode->f_s)
        mode->f_s = formulas(model->ns);
    if (model->cost && !mode->g)
        mode->g = formulas(model->nz);
}

/* Modes that were written before a declaration get the arrays, too. */
static void move_pen(struct model *model, struct mode *mode)
{
    for (int k = 0; k < model->modes; k++)
        size_mode(model, model->mode[k]);
    model->pen = mode;
    model->M = mode->M;
    model->F = mode->F;
    model->Phi = mode->Phi;
    model->f_s = mode->f_s;
    model->g = mode->g;
}

struct mode *model_mode(struct model *model, const char *name)
{
    struct mode *mode;
    if (model->modes == 1 && model->mode[0]->name[0] == '\0') {
        mode = model->mode[0];
        free(mode->name);
        mode->name = copy_text(name);
    } else {
        mode = new_mode(model, name);
    }
    move_pen(model, mode);
    return mode;
}

int model_constraint(struct model *model, formula Phi)
{
    struct mode *mode = model->pen;
    int i = 0;
    while (i < mode->Phi_room && mode->Phi[i].tape)
        i++;
    if (i == mode->Phi_room) {
        int room = mode->Phi_room;
        mode->Phi = memory_grow(mode->Phi, &mode->Phi_room, i + 1, sizeof(formula));
        mode->velocity_level = memory_grow(mode->velocity_level, &room, mode->Phi_room,
                                           sizeof(bool));
        model->Phi = mode->Phi;
    }
    mode->Phi[i] = Phi;
    return i;
}

struct model *model_blank(const struct case_desc *desc)
{
    struct model *model = memory_new(1, sizeof *model);
    model->desc = desc;
    model->tape = tape_new();
    model->names = names_new();
    model->start = new_mode(model, "");
    move_pen(model, model->start);
    return model;
}

/* --- declarations ------------------------------------------------------------------- */

/* The arrays of an event are made with the event. */
static void before_events(const struct model *model)
{
    if (model->events > 0)
        model_misuse(model,
                     "COORDINATES, AUXILIARY and COSTS come before the first event");
}

/* Arrays of coordinates for `count` of them, or for twice as many as before, so that a
   mechanism of many bodies is not made anew with each. They are still empty. */
static void grow_coordinates(struct model *model, int count)
{
    if (count <= model->row_room)
        return;
    for (int k = 0; k < model->modes; k++) {
        struct mode *mode = model->mode[k];
        if (mode->M)
            free(mode->M[0]);
        free(mode->M);
        free(mode->F);
        mode->M = NULL;
        mode->F = NULL;
    }
    free(model->q0);
    free(model->q_guess);
    free(model->v0);
    model->row_room = count > 2 * model->row_room ? count : 2 * model->row_room;
    model->q0 = formulas(model->row_room);
    model->q_guess = formulas(model->row_room);
    model->v0 = formulas(model->row_room);
}

static void check_empty(const struct model *model, const formula *f)
{
    for (int i = 0; f && i < model->n; i++)
        if (f[i].tape)
            model_misuse(model, "COORDINATES after a formula that needs their number");
}

void model_coordinates(struct model *model, const char *names)
{
    before_events(model);
    check_empty(model, model->q0);
    check_empty(model, model->q_guess);
    check_empty(model, model->v0);
    for (int k = 0; k < model->modes; k++)
        check_empty(model, model->mode[k]->F);

    char **name;
    int first = model->n, more = model_split_names(names, &name);
    model->coordinate = memory_grow(model->coordinate, &model->coordinate_room,
                                    first + more, sizeof *model->coordinate);
    model->n += more;
    for (int i = first; i < model->n; i++) {
        model->coordinate[i] = name[i - first];
        model_bind(model, "", model->coordinate[i], "", BLOCK_Q, i);
        model_bind(model, "v", model->coordinate[i], "", BLOCK_V, i);
        model_bind(model, "a", model->coordinate[i], "", BLOCK_A, i);
        model_bind(model, "", model->coordinate[i], "_plus", BLOCK_Q_PLUS, i);
        model_bind(model, "v", model->coordinate[i], "_plus", BLOCK_V_PLUS, i);
    }
    free(name);
    grow_coordinates(model, model->n);
    move_pen(model, model->pen);
}

void model_parameters(struct model *model, const char *names)
{
    if (model->parameter)
        model_misuse(model, "PARAMETERS twice");
    char **name;
    model->p = model_split_names(names, &name);
    model->parameter = memory_new(model->p, sizeof *model->parameter);
    for (int j = 0; j < model->p; j++) {
        model->parameter[j].name = name[j];
        model_bind(model, "", name[j], "", BLOCK_RHO, j);
    }
    free(name);
}

void model_auxiliary(struct model *model, const char *names)
{
    if (model->auxiliary)
        model_misuse(model, "AUXILIARY twice");
    before_events(model);
    model->ns = model_split_names(names, &model->auxiliary);
    for (int k = 0; k < model->ns; k++) {
        model_bind(model, "", model->auxiliary[k], "", BLOCK_S, k);
        model_bind(model, "", model->auxiliary[k], "_plus", BLOCK_S_PLUS, k);
    }
    model->s0 = formulas(model->ns);
    move_pen(model, model->pen);
}

void model_costs(struct model *model, const char *names)
{
    if (model->cost)
        model_misuse(model, "COSTS twice");
    before_events(model);
    model->nz = model_split_names(names, &model->cost);
    model->w = formulas(model->nz);
    move_pen(model, model->pen);
}

static void bind_all(struct model *model, const char *names, int block)
{
    char **name;
    int count = model_split_names(names, &name);
    for (int i = 0; i < count; i++) {
        model_bind(model, "", name[i], "", block, i);
        free(name[i]);
    }
    free(name);
}

void model_multipliers(struct model *model, const char *names)
{
    bind_all(model, names, BLOCK_LAMBDA);
}

void model_impulses(struct model *model, const char *names)
{
    bind_all(model, names, BLOCK_IMPULSE);
}

void model_time(struct model *model, const char *name)
{
    model_bind(model, "", name, "", BLOCK_T, 0);
}

/* --- formulas ----------------------------------------------------------------------- */

formula model_read(struct model *model, const char *text, const char *file, int line)
{
    struct read_error error = {.set = false};
    formula value = formula_read(model->tape, model->names, text, &error);
    if (error.set && !model->error.set) {
        model->error = error;
        snprintf(model->error_place, sizeof model->error_place, "%s:%d", file, line);
    }
    return value;
}

void model_define(struct model *model, const char *name, const char *text,
                  const char *file, int line)
{
    formula value = model_read(model, text, file, line);
    if (!value.tape)
        value = integer(model->tape, 0);
    if (!names_bind(model->names, name, value))
        model_misuse(model, "LET names something twice");
}

void model_nominal(struct model *model, const char *parameter, const char *value,
                   const char *unit, const char *meaning, bool fixed, const char *file,
                   int line)
{
    int j = model_parameter_index(model, parameter);
    if (j < 0)
        model_misuse(model, "NOMINAL or FIXED of something that is no parameter");
    struct parameter *p = &model->parameter[j];
    if (p->unit)
        model_misuse(model, "a parameter has two nominal values");
    p->nominal = model_read(model, value, file, line);
    p->unit = copy_text(unit);
    p->meaning = copy_text(meaning);
    p->fixed = fixed;
}

/* --- events ------------------------------------------------------------------------- */

struct event *model_event(struct model *model, const char *name, struct mode *from,
                          struct mode *to, formula guard, enum direction direction)
{
    model->event = memory_grow(model->event, &model->event_room, model->events + 1,
                               sizeof *model->event);
    struct event *event = memory_new(1, sizeof *event);
    event->name = copy_text(name);
    event->index = model->events;
    event->from = from;
    event->to = to;
    event->guard = guard;
    event->direction = direction;
    event->q_plus = formulas(model->n);
    event->v_plus = formulas(model->n);
    event->s_plus = formulas(model->ns);
    event->cost = formulas(model->nz);
    model->event[model->events++] = event;
    return event;
}

void event_impulse(struct event *event, formula Psi, formula E)
{
    int rows = event->impulses + 1;
    event->Psi = memory_grow(event->Psi, &event->Psi_room, rows, sizeof *event->Psi);
    event->E = memory_grow(event->E, &event->E_room, rows, sizeof *event->E);
    event->Psi_velocity_level = memory_grow(event->Psi_velocity_level, &event->level_room,
                                            rows, sizeof *event->Psi_velocity_level);
    event->velocity = VELOCITY_IMPULSIVE;
    event->Psi[event->impulses] = Psi;
    event->E[event->impulses++] = E;
}

void event_impulse_joints(struct event *event)
{
    event->velocity = VELOCITY_IMPULSIVE;
    event->joints = true;
}

void event_constrain_velocity(struct event *event)
{
    event->velocity = VELOCITY_CONSTRAINED;
}

/* --- looking things up -------------------------------------------------------------- */

int model_parameter_index(const struct model *model, const char *name)
{
    for (int j = 0; j < model->p; j++)
        if (strcmp(model->parameter[j].name, name) == 0)
            return j;
    return -1;
}

int model_coordinate_index(const struct model *model, const char *name)
{
    for (int i = 0; i < model->n; i++)
        if (strcmp(model->coordinate[i], name) == 0)
            return i;
    return -1;
}

int model_most_impulses(const struct model *model)
{
    int most = 0;
    for (int k = 0; k < model->events; k++)
        if (model->event[k]->impulses > most)
            most = model->event[k]->impulses;
    return most;
}

int model_sensitivities(const struct model *model, int *index)
{
    int count = 0;
    for (int j = 0; j < model->p; j++)
        if (!model->parameter[j].fixed)
            index[count++] = j;
    return count;
}
