/*
 * draw.c - a drawn mechanism as a model, and its texts (draw.h).
 */
#include "random/draw.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- terms -------------------------------------------------------------------------- */

void draw_name(char name[DRAW_NAME], char letter, int number)
{
    snprintf(name, DRAW_NAME, "%c%u", letter, (unsigned)number % 1000);
}

void draw_add(struct draw *draw, enum place place, int owner, int i, int j,
              const char *format, ...)
{
    if (draw->terms == DRAW_TERMS)
        slip("draw %s has more than %d terms", draw->name, DRAW_TERMS);
    struct term *term = &draw->term[draw->terms++];
    *term = (struct term){.place = place, .owner = owner, .i = i, .j = j};
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(term->text, sizeof term->text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof term->text)
        slip("draw %s: a term is longer than %d", draw->name, DRAW_TEXT);
}

void draw_remove_term(struct draw *draw, int k)
{
    memmove(&draw->term[k], &draw->term[k + 1],
            (size_t)(draw->terms - k - 1) * sizeof *draw->term);
    draw->terms--;
}

static bool at(const struct term *term, enum place place, int owner, int i)
{
    return term->place == place && term->owner == owner && (i < 0 || term->i == i);
}

void draw_remove(struct draw *draw, enum place place, int owner, int i)
{
    for (int k = draw->terms - 1; k >= 0; k--)
        if (at(&draw->term[k], place, owner, i))
            draw_remove_term(draw, k);
}

static bool same_place(const struct term *a, const struct term *b)
{
    return at(a, b->place, b->owner, b->i) && (a->place != AT_M || a->j == b->j);
}

bool draw_formula(const struct draw *draw, int k, char *text, int size)
{
    const struct term *first = &draw->term[k];
    int length = 0;
    for (int e = 0; e < draw->terms; e++) {
        const struct term *term = &draw->term[e];
        if (!same_place(term, first))
            continue;
        if (e < k)
            return false;
        bool minus = term->text[0] == '-';
        length += snprintf(text + length, (size_t)(size - length), "%s%s",
                           e == k ? "" : minus ? " - " : " + ",
                           term->text + (e > k && minus));
        if (length >= size)
            slip("draw %s: a formula is longer than %d", draw->name, size);
    }
    return true;
}

int draw_find(const struct draw *draw, enum place place, int owner, int i)
{
    for (int k = 0; k < draw->terms; k++)
        if (at(&draw->term[k], place, owner, i))
            return k;
    return -1;
}

bool draw_has(const struct draw *draw, enum place place, int owner, int i)
{
    return draw_find(draw, place, owner, i) >= 0;
}

int draw_rows(const struct draw *draw, int mode)
{
    int rows = 0;
    while (draw_has(draw, AT_PHI, mode, rows))
        rows++;
    return rows;
}

bool draw_is_redundant(const struct draw *draw)
{
    for (int k = 0; k < draw->terms; k++)
        if (draw->term[k].place == AT_PHI &&
            strncmp(draw->term[k].text + (draw->term[k].text[0] == '-'), "2.0*", 4) == 0)
            return true;
    return false;
}

/* --- names in texts ----------------------------------------------------------------- */

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The first place in the text where the name stands, or NULL. */
static char *find_name(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *found = text; (found = strstr(found, name)); found += length)
        if ((found == text || !in_name(found[-1])) && !in_name(found[length]))
            return (char *)(uintptr_t)found;
    return NULL;
}

bool draw_mentions(const char *text, const char *name)
{
    return find_name(text, name) != NULL;
}

bool draw_rename(char *text, const char *name, const char *with)
{
    char *found;
    size_t old = strlen(name), new = strlen(with);
    size_t from = 0;
    while ((found = find_name(text + from, name))) {
        if (strlen(text) + new - old >= DRAW_TEXT)
            return false;
        memmove(found + new, found + old, strlen(found + old) + 1);
        memcpy(found, with, new);
        from = (size_t)(found - text) + new;
    }
    return true;
}

/* Blocks that the names of one coordinate, or of an index, belong to. */
static unsigned uses_of_coordinate(const char *text, const char *name)
{
    static const struct { const char *before, *after; int block; } form[] = {
        {"", "", BLOCK_Q}, {"v", "", BLOCK_V}, {"v", "_plus", BLOCK_V},
        {"a", "", BLOCK_A}};
    unsigned uses = 0;
    for (size_t f = 0; f < sizeof form / sizeof *form; f++) {
        char full[2 * DRAW_NAME + 8];
        snprintf(full, sizeof full, "%s%s%s", form[f].before, name, form[f].after);
        if (draw_mentions(text, full))
            uses |= 1u << form[f].block;
    }
    return uses;
}

static unsigned uses_of_text(const struct draw *draw, const char *text)
{
    unsigned uses = draw_mentions(text, "t") ? 1u << BLOCK_T : 0;
    for (int i = 0; i < draw->n; i++)
        uses |= uses_of_coordinate(text, draw->coordinate[i]);
    for (int k = 0; k < draw->ns; k++)
        if (draw_mentions(text, draw->state[k]))
            uses |= 1u << BLOCK_S;
    for (int j = 0; j < draw->p; j++)
        if (draw_mentions(text, draw->parameter[j].name))
            uses |= 1u << BLOCK_RHO;
    for (int k = 0; k < DRAW_ROWS; k++) {
        if (draw_mentions(text, draw_multiplier[k]))
            uses |= 1u << BLOCK_LAMBDA;
        if (draw_mentions(text, draw_impulse[k]))
            uses |= 1u << BLOCK_IMPULSE;
    }
    return uses;
}

unsigned draw_uses(const struct draw *draw, enum place place)
{
    unsigned uses = 0;
    for (int k = 0; k < draw->terms; k++)
        if (draw->term[k].place == place)
            uses |= uses_of_text(draw, draw->term[k].text);
    return uses;
}

/* --- as a model --------------------------------------------------------------------- */

static void join(char *out, int size, int count, const char (*name)[DRAW_NAME])
{
    int length = 0;
    out[0] = '\0';
    for (int k = 0; k < count && length < size; k++)
        length += snprintf(out + length, (size_t)(size - length), "%s%s",
                           k > 0 ? ", " : "", name[k]);
}

const char draw_multiplier[DRAW_ROWS][DRAW_NAME] = {"l0", "l1", "l2", "l3"};
const char draw_impulse[DRAW_ROWS][DRAW_NAME] = {"b0", "b1", "b2", "b3"};
const char draw_mode_name[DRAW_MODES][DRAW_NAME] = {"a", "b", "c", "d", "e"};
const char draw_event_name[DRAW_EVENTS][DRAW_NAME] = {"A", "B", "C", "D", "E"};

void draw_names(const struct draw *draw, enum drawn_names what, char *text, int size)
{
    char parameter[DRAW_PARAMETERS][DRAW_NAME];
    for (int j = 0; j < draw->p; j++)
        memcpy(parameter[j], draw->parameter[j].name, DRAW_NAME);
    const struct { int count; const char (*name)[DRAW_NAME]; } list[] = {
        [NAMES_COORDINATES] = {draw->n, draw->coordinate},
        [NAMES_PARAMETERS] = {draw->p, (const char (*)[DRAW_NAME])parameter},
        [NAMES_STATES] = {draw->ns, draw->state},
        [NAMES_COSTS] = {draw->nz, draw->cost},
        [NAMES_MULTIPLIERS] = {DRAW_ROWS, draw_multiplier},
        [NAMES_IMPULSES] = {DRAW_ROWS, draw_impulse}};
    join(text, size, list[what].count, list[what].name);
}

static void declare(struct model *model, const struct draw *draw)
{
    static void (*const declares[])(struct model *, const char *) = {
        [NAMES_COORDINATES] = model_coordinates, [NAMES_PARAMETERS] = model_parameters,
        [NAMES_STATES] = model_auxiliary, [NAMES_COSTS] = model_costs,
        [NAMES_MULTIPLIERS] = model_multipliers, [NAMES_IMPULSES] = model_impulses};
    char text[DRAW_NAMES];
    for (int what = 0; what < NAMES_KINDS; what++) {
        draw_names(draw, (enum drawn_names)what, text, sizeof text);
        if (text[0])
            declares[what](model, text);
    }
    model_time(model, "t");
    for (int j = 0; j < draw->p; j++)
        model_nominal(model, draw->parameter[j].name, draw->parameter[j].value, "1",
                      "drawn", draw->parameter[j].fixed, draw->name, j);
}

/* The place in the model of a formula that is one of an array; NULL: it is none. */
static formula *target(struct model *model, const struct term *term)
{
    struct mode *mode = term->place <= AT_G ? model->mode[term->owner] : NULL;
    struct event *event = term->place >= AT_GUARD && term->place <= AT_COST
                              ? model->event[term->owner] : NULL;
    switch (term->place) {
    case AT_M: return &mode->M[term->i][term->j];
    case AT_F: return &mode->F[term->i];
    case AT_PHI: return &mode->Phi[term->i];
    case AT_F_S: return &mode->f_s[term->i];
    case AT_G: return &mode->g[term->i];
    case AT_GUARD: return &event->guard;
    case AT_Q_PLUS: return &event->q_plus[term->i];
    case AT_V_PLUS: return &event->v_plus[term->i];
    case AT_S_PLUS: return &event->s_plus[term->i];
    case AT_COST: return &event->cost[term->i];
    case AT_T0: return &model->t0;
    case AT_T_END: return &model->t_end;
    case AT_Q0: return &model->q0[term->i];
    case AT_GUESS: return &model->q_guess[term->i];
    case AT_V0: return &model->v0[term->i];
    case AT_V_GUESS: return &model->v_guess[term->i];
    case AT_S0: return &model->s0[term->i];
    case AT_S_GUESS: return &model->s_guess[term->i];
    case AT_W: return &model->w[term->i];
    default: return NULL;           /* rows that are appended, as record() does */
    }
}

static formula formula_at(struct model *model, const struct draw *draw, enum place place,
                          int owner, int i)
{
    char text[DRAW_FORMULA];
    int k = draw_find(draw, place, owner, i);
    if (k < 0)
        return (formula){NULL, 0};
    draw_formula(draw, k, text, sizeof text);
    return model_read(model, text, draw->name, k);
}

static void record_event(struct model *model, const struct draw *draw, int e)
{
    const struct drawn_event *drawn = &draw->event[e];
    struct event *event =
        model_event(model, draw_event_name[e], model->mode[drawn->from],
                    model->mode[drawn->to], formula_at(model, draw, AT_GUARD, e, 0),
                    drawn->direction);
    event->terminal = drawn->terminal;
    for (int i = 0; draw_has(draw, AT_PSI, e, i); i++)
        event_impulse(event, formula_at(model, draw, AT_PSI, e, i),
                      formula_at(model, draw, AT_E, e, i));
    if (drawn->joints)
        event_impulse_joints(event);
    if (drawn->velocity == VELOCITY_CONSTRAINED)
        event_constrain_velocity(event);
}

static void record(struct model *model)
{
    const struct draw *draw = (const struct draw *)model->desc;
    declare(model, draw);
    for (int k = 0; k < draw->modes; k++)
        model_mode(model, draw_mode_name[k]);
    for (int e = 0; e < draw->events; e++)
        record_event(model, draw, e);
    for (int i = 0; draw_has(draw, AT_GAMMA, 0, i); i++)
        model_start_row(model, formula_at(model, draw, AT_GAMMA, 0, i));
    for (int k = 0; k < draw->terms; k++) {
        const struct term *term = &draw->term[k];
        char text[DRAW_FORMULA];
        formula *f = target(model, term);
        if (term->place == AT_GUARD || !f || !draw_formula(draw, k, text, sizeof text))
            continue;
        *f = model_read(model, text, draw->name, k);
        if (term->place == AT_PHI && term->j == 1)
            model->mode[term->owner]->velocity_level[term->i] = true;
    }
}

void draw_settle(struct draw *draw)
{
    draw->desc = (struct case_desc){
        .name = draw->name, .title = "a random mechanism", .source = "saltus random",
        .declared = "everything", .classes = "", .record = record};
}

struct model *draw_model(const struct draw *draw, struct diagnosis *diagnosis)
{
    return model_new(&draw->desc, diagnosis);
}
