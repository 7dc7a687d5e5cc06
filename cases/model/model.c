/*
 * model.c - recording a model as formulas, by the words of case.h.
 *
 * An error in a case file, a formula that cannot be read or a declaration in the wrong
 * place, is kept if it is the first, and model_new (model_complete.c) refuses the model
 * with it: one case must not keep others from being run.
 */
#include "model.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model_internal.h"

void model_at_column(struct model *model, const char *file, int line, int column)
{
    model->recording->file = file;
    model->recording->line = line;
    model->recording->column = column;
}

void model_at(struct model *model, const char *file, int line)
{
    model_at_column(model, file, line, 0);
}

static void keep_place(struct model *model)
{
    struct recording *at = model->recording;
    const char *file = at->file ? at->file : model->desc->name;
    if (at->column > 0)
        snprintf(at->error_place, sizeof at->error_place, "%.170s:%d:%d", file, at->line,
                 at->column);
    else
        snprintf(at->error_place, sizeof at->error_place, "%s:%d", file, at->line);
}

void model_misuse(struct model *model, const char *what)
{
    struct read_error *error = &model->recording->error;
    if (error->set)
        return;
    *error = (struct read_error){.set = true};
    snprintf(error->message, sizeof error->message, "%s", what);
    keep_place(model);
}

static char *copy_text(const char *text)
{
    return memory_text(text ? text : "", text ? strlen(text) : 0);
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
    if (!names_bind(model->names, full, variable(model->tape, block, index))) {
        char what[sizeof full + 100];
        snprintf(what, sizeof what, "the name '%.60s' %s", full,
                 names_why_not(model->names, full));
        model_misuse(model, what);
    }
}

/* --- modes -------------------------------------------------------------------------- */

static struct mode *new_mode(struct model *model, const char *name)
{
    model->mode = memory_grow(model->mode, &model->mode_room, model->modes + 1,
                              sizeof *model->mode);
    struct mode *mode = memory_new(1, sizeof *mode);
    mode->name = copy_text(name);
    mode->index = model->modes;
    mode->Phi_room = WRITTEN_ROWS;
    mode->Phi = margin_new(mode->Phi_room);
    mode->velocity_level = margin_flags_new(mode->Phi_room);
    mode->M = margin_square_new(model->row_room);
    mode->F = margin_new(model->row_room);
    mode->f_s = margin_new(model->ns);
    mode->g = margin_new(model->nz);
    model->mode[model->modes++] = mode;
    return mode;
}

void model_move_pen(struct model *model, struct mode *mode)
{
    model->pen = mode;
    model->M = mode->M;
    model->F = mode->F;
    model->Phi = mode->Phi;
    model->f_s = mode->f_s;
    model->g = mode->g;
}

bool model_names_so(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789-_");
    return length > 0 && length < MODEL_NAME_ROOM && name[length] == '\0';
}

static void check_name(struct model *model, const char *what, const char *name)
{
    char text[200];
    if (model_names_so(name))
        return;
    snprintf(text, sizeof text, "'%.40s' is no name for %s: letters, digits, - and _, at "
             "most %d", name, what, MODEL_NAME_ROOM - 1);
    for (char *c = text; *c; c++)
        *c = iscntrl((unsigned char)*c) ? '?' : *c;
    model_misuse(model, text);
}

struct mode *model_mode(struct model *model, const char *name)
{
    struct mode *mode;
    check_name(model, "a mode", name);
    if (model->modes == 1 && model->mode[0]->name[0] == '\0') {
        mode = model->mode[0];
        free(mode->name);
        mode->name = copy_text(name);
    } else {
        mode = new_mode(model, name);
    }
    model_move_pen(model, mode);
    return mode;
}

int model_constraint(struct model *model, formula Phi)
{
    struct mode *mode = model->pen;
    int i = 0;
    while (i < mode->Phi_room && mode->Phi[i].tape)
        i++;
    if (i == mode->Phi_room) {
        mode->Phi = margin_grow(mode->Phi, i, 2 * i);
        mode->velocity_level = margin_flags_grow(mode->velocity_level, i, 2 * i);
        mode->Phi_room = 2 * i;
        model->Phi = mode->Phi;
    }
    mode->Phi[i] = Phi;
    return i;
}

void model_start_row(struct model *model, formula Gamma)
{
    model->Gamma = memory_grow(model->Gamma, &model->start_row_room,
                               model->start_rows + 1, sizeof *model->Gamma);
    model->Gamma[model->start_rows++] = Gamma;
}

void model_stop(struct model *model, formula t)
{
    model->stop = memory_grow(model->stop, &model->stop_room, model->stops + 1,
                              sizeof *model->stop);
    model->stop[model->stops++] = t;
}

struct model *model_blank(const struct case_desc *desc)
{
    struct model *model = memory_new(1, sizeof *model);
    model->desc = desc;
    model->tape = tape_new();
    model->names = names_new();
    model->recording = memory_new(1, sizeof *model->recording);
    formula **const array[] = {&model->q0, &model->q_guess, &model->v0, &model->v_guess,
                               &model->s0, &model->s_guess, &model->w};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = margin_new(0);
    model->start = new_mode(model, "");
    model_move_pen(model, model->start);
    return model;
}

/* --- declarations ------------------------------------------------------------------- */

/* True: no event is declared yet; else the declaration is a misuse. The arrays of an
   event are made with the event. */
static bool before_events(struct model *model)
{
    if (model->events > 0)
        model_misuse(model,
                     "COORDINATES, AUXILIARY and COSTS come before the first event");
    return model->events == 0;
}

/* Replaces an array of `room` entries by one of `more`. Entries written into it before
   stand in the wrong place, which is a misuse. */
static void resize(struct model *model, formula **f, int room, int more,
                   const char *what)
{
    if (!margin_is_empty(*f, room))
        model_misuse(model, what);
    margin_free(*f);
    *f = margin_new(more);
}

static const char too_late[] = "COORDINATES after a formula that needs their number";

/* Makes arrays of coordinates for `count` of them, or for twice as many as before, so
   that a mechanism of many bodies is not made anew with each. */
static void grow_coordinates(struct model *model, int count)
{
    int room = model->row_room;
    if (count <= room)
        return;
    int more = count > 2 * room ? count : 2 * room;
    for (int k = 0; k < model->modes; k++) {
        struct mode *mode = model->mode[k];
        for (int i = 0; i < room; i++)
            if (!margin_is_empty(mode->M[i], room))
                model_misuse(model, too_late);
        margin_square_free(mode->M);
        mode->M = margin_square_new(more);
        resize(model, &mode->F, room, more, too_late);
    }
    resize(model, &model->q0, room, more, too_late);
    resize(model, &model->q_guess, room, more, too_late);
    resize(model, &model->v0, room, more, too_late);
    resize(model, &model->v_guess, room, more, too_late);
    model->row_room = more;
}

static bool nothing_written(const struct model *model)
{
    int room = model->row_room;
    bool nothing = margin_is_empty(model->q0, room) &&
                   margin_is_empty(model->q_guess, room) &&
                   margin_is_empty(model->v0, room) &&
                   margin_is_empty(model->v_guess, room);
    for (int k = 0; k < model->modes; k++)
        nothing = nothing && margin_is_empty(model->mode[k]->F, room);
    return nothing;
}

void model_coordinates(struct model *model, const char *names)
{
    if (!before_events(model))
        return;
    if (!nothing_written(model))
        model_misuse(model, too_late);

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
    model_move_pen(model, model->pen);
}

void model_parameters(struct model *model, const char *names)
{
    if (model->parameter) {
        model_misuse(model, "PARAMETERS twice");
        return;
    }
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
    if (model->auxiliary || !before_events(model))
        return;
    model->ns = model_split_names(names, &model->auxiliary);
    for (int k = 0; k < model->ns; k++) {
        model_bind(model, "", model->auxiliary[k], "", BLOCK_S, k);
        model_bind(model, "", model->auxiliary[k], "_plus", BLOCK_S_PLUS, k);
    }
    resize(model, &model->s0, 0, model->ns, "s0 before AUXILIARY");
    resize(model, &model->s_guess, 0, model->ns, "s_guess before AUXILIARY");
    for (int k = 0; k < model->modes; k++)
        resize(model, &model->mode[k]->f_s, 0, model->ns, "f_s before AUXILIARY");
    model_move_pen(model, model->pen);
}

void model_costs(struct model *model, const char *names)
{
    if (model->cost)
        model_misuse(model, "COSTS twice");
    if (model->cost || !before_events(model))
        return;
    model->nz = model_split_names(names, &model->cost);
    resize(model, &model->w, 0, model->nz, "w before COSTS");
    for (int k = 0; k < model->modes; k++)
        resize(model, &model->mode[k]->g, 0, model->nz, "g before COSTS");
    model_move_pen(model, model->pen);
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
    model_at(model, file, line);
    if (error.set && !model->recording->error.set) {
        model->recording->error = error;
        keep_place(model);
    }
    model_note_line(model, value);
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
    model_at(model, file, line);
    if (j < 0 || model->parameter[j].unit) {
        model_misuse(model, j < 0 ? "NOMINAL or FIXED of something that is no parameter"
                                  : "a parameter has two nominal values");
        return;
    }
    struct parameter *p = &model->parameter[j];
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
    check_name(model, "an event", name);
    event->name = copy_text(name);
    event->index = model->events;
    if (!from || !to)
        model_misuse(model, "model_event: a mode is NULL; give what model_mode() gives");
    event->from = from ? from : model->mode[0];
    event->to = to ? to : model->mode[0];
    event->guard = guard;
    event->direction = direction;
    event->q_plus = margin_new(model->n);
    event->v_plus = margin_new(model->n);
    event->s_plus = margin_new(model->ns);
    event->cost = margin_new(model->nz);
    event->Psi = margin_new(0);
    event->E = margin_new(0);
    event->Psi_velocity_level = margin_flags_new(0);
    model->event[model->events++] = event;
    return event;
}

static void check_event(const struct event *event, const char *word)
{
    if (!event)
        slip("%s: the event is NULL; give what model_event() gives", word);
}

void event_impulse(struct event *event, formula Psi, formula E)
{
    check_event(event, "event_impulse");
    int room = event->impulse_room;
    if (event->impulses == room) {
        int more = room > 0 ? 2 * room : 4;
        event->Psi = margin_grow(event->Psi, room, more);
        event->E = margin_grow(event->E, room, more);
        event->Psi_velocity_level =
            margin_flags_grow(event->Psi_velocity_level, room, more);
        event->impulse_room = more;
    }
    event->velocity = VELOCITY_IMPULSIVE;
    event->Psi[event->impulses] = Psi;
    event->E[event->impulses++] = E;
}

void event_impulse_joints(struct event *event)
{
    check_event(event, "event_impulse_joints");
    event->velocity = VELOCITY_IMPULSIVE;
    event->joints = true;
}

void event_constrain_velocity(struct event *event)
{
    check_event(event, "event_constrain_velocity");
    event->velocity = VELOCITY_CONSTRAINED;
}

void event_require(struct event *event, formula condition)
{
    check_event(event, "event_require");
    event->condition = memory_grow(event->condition, &event->condition_room,
                                   event->conditions + 1, sizeof *event->condition);
    event->condition[event->conditions++] = condition;
}

void event_balance(struct event *event, const char *name, formula left, formula right)
{
    check_event(event, "event_balance");
    event->balance = memory_grow(event->balance, &event->balance_room,
                                 event->balances + 1, sizeof *event->balance);
    event->balance[event->balances++] = 
        (struct balance){memory_text(name, strlen(name)), left, right};
}

bool event_shares_guard(const struct event *a, const struct event *b)
{
    return a->from == b->from && same_formula(a->guard, b->guard) &&
           (a->direction == b->direction || a->direction == EITHER ||
            b->direction == EITHER);
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
