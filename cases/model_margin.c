/*
 * model_margin.c - arrays that a case file fills, with a margin on both sides.
 *
 * C does not check an index. So every array that a case writes has MARGIN entries before
 * its first and behind its last, and M as many rows and columns: an index that is wrong
 * by no more writes into the margin, where model_check_margins() finds it and names the
 * array, the index and the line of the case file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "model_internal.h"

/* --- arrays ------------------------------------------------------------------------- */

formula *margin_new(int count)
{
    return (formula *)memory_new(count + 2 * MARGIN, sizeof(formula)) + MARGIN;
}

void margin_free(formula *f)
{
    if (f)
        free(f - MARGIN);
}

bool *margin_flags_new(int count)
{
    return (bool *)memory_new(count + 2 * MARGIN, sizeof(bool)) + MARGIN;
}

void margin_flags_free(bool *flag)
{
    if (flag)
        free(flag - MARGIN);
}

/* The rows are parts of one array, of which a large mechanism never touches most. */
formula **margin_square_new(int count)
{
    int side = count + 2 * MARGIN;
    formula *entry = memory_new(side * side, sizeof *entry);
    formula **row = memory_new(side, sizeof *row);
    for (int i = 0; i < side; i++)
        row[i] = entry + (size_t)i * (size_t)side + MARGIN;
    return row + MARGIN;
}

void margin_square_free(formula **square)
{
    if (!square)
        return;
    free(square[-MARGIN] - MARGIN);
    free(square - MARGIN);
}

/* Index of the first entry that is given outside of [from, to); `to` of an array of
   `room` entries where there is none. */
static int given_outside(const formula *f, int from, int to, int room)
{
    for (int i = -MARGIN; i < room + MARGIN; i++)
        if ((i < from || i >= to) && f[i].tape)
            return i;
    return to;
}

bool margin_is_empty(const formula *f, int room)
{
    return given_outside(f, 0, 0, room) == 0 && !f[0].tape;
}

/* A copy with more room; what has been written beyond the old one stays where it is. */
formula *margin_grow(formula *old, int room, int needed)
{
    formula *f = margin_new(needed);
    memory_copy(f - MARGIN, old - MARGIN, room + 2 * MARGIN, sizeof *f);
    margin_free(old);
    return f;
}

bool *margin_flags_grow(bool *old, int room, int needed)
{
    bool *flag = margin_flags_new(needed);
    memory_copy(flag - MARGIN, old - MARGIN, room + 2 * MARGIN, sizeof *flag);
    margin_flags_free(old);
    return flag;
}

/* --- where a formula was written ---------------------------------------------------- */

void model_note_line(struct model *model, formula f)
{
    if (!f.tape)
        return;
    model->written = memory_grow(model->written, &model->written_room,
                                 model->writtens + 1, sizeof *model->written);
    model->written[model->writtens++] =
        (struct written){f.row, model->line, model->file};
}

void model_lines(const struct model *model, formula f, char *text, int size)
{
    const struct written *last = NULL;
    text[0] = '\0';
    for (int k = 0; k < model->writtens; k++) {
        const struct written *now = &model->written[k];
        int used = (int)strlen(text);
        if (now->row != f.row || (last && last->line == now->line))
            continue;
        if (!last)
            snprintf(text, (size_t)size, "%s:%d", now->file, now->line);
        else if (used < size - 40)
            snprintf(text + used, (size_t)(size - used), " or %d", now->line);
        last = now;
    }
    if (last && strlen(text) + 3 < (size_t)size)
        strcat(text, ": ");
}

/* --- the check ---------------------------------------------------------------------- */

/* One array: its name, how many entries there are and what counts them. */
struct margin {
    const struct model *model;
    const char *of;             /* ", mode slide"; "": of the model */
    const char *name;           /* "F" */
    int count, room;
    const char *counted;        /* "coordinates are declared" */
    struct diagnosis *diagnosis;
};

static enum status refuse(const struct margin *margin, formula f, const char *index)
{
    char line[160];
    model_lines(margin->model, f, line, sizeof line);
    return diagnose(margin->diagnosis, BAD_INPUT, NAN,
                    "%scase %s%s: %s%s is given, but only %d %s", line,
                    margin->model->desc->name, margin->of, margin->name, index,
                    margin->count, margin->counted);
}

static enum status check_array(const struct margin *margin, const formula *f)
{
    int i = given_outside(f, 0, margin->count, margin->room);
    char index[40];
    snprintf(index, sizeof index, "[%d]", i);
    return i == margin->count && !f[i].tape ? OK : refuse(margin, f[i], index);
}

static enum status check_square(const struct margin *margin, formula *const *M)
{
    int n = margin->count;
    for (int i = -MARGIN; i < margin->room + MARGIN; i++) {
        bool row = i >= 0 && i < n;
        int j = given_outside(M[i], 0, row ? n : 0, margin->room);
        char index[40];
        snprintf(index, sizeof index, "[%d][%d]", i, j);
        if (M[i][j].tape && !(row && j >= 0 && j < n))
            return refuse(margin, M[i][j], index);
    }
    return OK;
}

static enum status check_flags(const struct margin *margin, const bool *flag)
{
    for (int i = -MARGIN; i < margin->room + MARGIN; i++)
        if (flag[i] && (i < 0 || i >= margin->count))
            return diagnose(margin->diagnosis, BAD_INPUT, NAN,
                            "case %s%s: %s[%d] is set, but only %d %s",
                            margin->model->desc->name, margin->of, margin->name, i,
                            margin->count, margin->counted);
    return OK;
}

static const char *const coordinates = "coordinates are declared (COORDINATES)",
    *const states = "auxiliary states are declared (AUXILIARY)",
    *const costs = "costs are declared (COSTS)",
    *const rows = "constraints can be written so; model_constraint() appends more",
    *const impulses = "impulses are declared (event_impulse)";

struct array_of {
    const char *name;
    const formula *f;
    int count, room;
    const char *counted;
};

static enum status check_arrays(struct margin margin, const struct array_of *array,
                                int arrays)
{
    enum status status = OK;
    for (int k = 0; status == OK && k < arrays; k++) {
        margin.name = array[k].name;
        margin.count = array[k].count;
        margin.room = array[k].room;
        margin.counted = array[k].counted;
        status = check_array(&margin, array[k].f);
    }
    return status;
}

static enum status check_mode(struct margin margin, const struct mode *mode)
{
    const struct model *model = margin.model;
    int n = model->n, ns = model->ns, nz = model->nz, room = model->row_room;
    char of[120];
    const struct array_of array[] = {
        {"F", mode->F, n, room, coordinates}, {"f_s", mode->f_s, ns, ns, states},
        {"g", mode->g, nz, nz, costs}, {"Phi", mode->Phi, mode->Phi_room, mode->Phi_room,
                                        rows}};
    snprintf(of, sizeof of, mode->name[0] ? ", mode %.100s" : "%.100s", mode->name);
    margin.of = of;
    enum status status = check_arrays(margin, array, sizeof array / sizeof *array);
    margin = (struct margin){model, of, "M", n, room, coordinates, margin.diagnosis};
    if (status == OK)
        status = check_square(&margin, mode->M);
    margin = (struct margin){model, of, "velocity_level", mode->Phi_room, mode->Phi_room,
                             rows, margin.diagnosis};
    return status != OK ? status : check_flags(&margin, mode->velocity_level);
}

static enum status check_event(struct margin margin, const struct event *event)
{
    const struct model *model = margin.model;
    int n = model->n, ns = model->ns, nz = model->nz;
    int k = event->impulses, room = event->impulse_room;
    char of[120];
    const struct array_of array[] = {
        {"q_plus", event->q_plus, n, n, coordinates},
        {"v_plus", event->v_plus, n, n, coordinates},
        {"s_plus", event->s_plus, ns, ns, states}, {"cost", event->cost, nz, nz, costs},
        {"Psi", event->Psi, k, room, impulses}, {"E", event->E, k, room, impulses}};
    snprintf(of, sizeof of, ", event %.100s", event->name);
    margin.of = of;
    enum status status = check_arrays(margin, array, sizeof array / sizeof *array);
    margin = (struct margin){model, of, "Psi_velocity_level", k, room, impulses,
                             margin.diagnosis};
    return status != OK ? status : check_flags(&margin, event->Psi_velocity_level);
}

enum status model_check_margins(const struct model *model, struct diagnosis *diagnosis)
{
    int n = model->n, ns = model->ns, nz = model->nz, room = model->row_room;
    const struct margin margin = {.model = model, .of = "", .diagnosis = diagnosis};
    const struct array_of array[] = {
        {"q0", model->q0, n, room, coordinates},
        {"q_guess", model->q_guess, n, room, coordinates},
        {"v0", model->v0, n, room, coordinates}, {"s0", model->s0, ns, ns, states},
        {"w", model->w, nz, nz, costs}};
    enum status status = check_arrays(margin, array, sizeof array / sizeof *array);
    for (int k = 0; status == OK && k < model->modes; k++)
        status = check_mode(margin, model->mode[k]);
    for (int k = 0; status == OK && k < model->events; k++)
        status = check_event(margin, model->event[k]);
    return status;
}
