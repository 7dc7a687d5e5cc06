/*
 * export.c - the file of a mechanism: its header, constants and functions (export.h)
 */
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/body.h"
#include "export/functions.h"
#include "export/statement.h"
#include "file/formula_texts.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

/* The file while it is written. */
struct sheet {
    FILE *stream;
    const struct language *language;
    struct functions functions;
    const struct mode *mode;        /* mode of which a list is written */
};

/* --- the header --------------------------------------------------------------------- */

static const char *const conventions[] = {
    "In a mode",
    "    M a + Phi_q' lambda = F    Phi = 0, so Phid = 0 and Phid_v a + gamma = 0",
    "    q' = v    v' = a    s' = f_s    z' = g, z = 0 at the start",
    "",
    "t is the time, q [n] are coordinates, v [n] velocities, a [n] accelerations, s [ns] "
    "auxiliary states, lambda multipliers, one for each constraint of the mode, rho "
    "[p] parameters, z [nz] costs.",
    "F may depend on lambda. Phid is d/dt Phi along the motion. A constraint at velocity "
    "level, 1 in MODE_velocity_level, is a condition on v: its row of Phi_q is d Phi/dv, "
    "its row of Phid is Phi itself.",
    "",
    "MODE_X is the quantity X of a mode, EVENT_X of an event, with their names in MODES "
    "and EVENTS. The derivative of X by y is X_y, with the index of y behind those of X; "
    "d Phi/dq is Phi_q. A derivative that is not here is zero, and a quantity that is "
    "not here has no components.",
    "",
    "An event leaves the mode EVENT_FROM where its guard passes zero in EVENT_DIRECTION: "
    "1 rising, -1 falling, 0 either way; of events with one guard the first that is "
    "listed whose conditions are all positive. The mode after it is EVENT_TO, or the "
    "motion ends where it is terminal.",
    "q_plus, s_plus and v_plus are the state after the event, as functions of the values "
    "before it and of those after it that are arguments. Where there is no v_plus, the "
    "velocities and the impulses solve A x = b, x = (v_plus, impulse), with reset_A and "
    "reset_b; where there are more rows than unknowns, rows depend on others. With "
    "reset_residual, which is not linear, they are its zero. z grows by cost.",
    "",
    "Components of start_q, start_v, start_s that START_Q, START_V, START_S say 1 of are "
    "given. The others are guesses: they follow from Phi = 0, Phid = 0 and start_rows = "
    "0, where these are there, near the guess. At the end z grows by terminal_cost.",
    "",
    "A name that is taken has _ behind it.",
};

static void write_names(const struct sheet *sheet, const char *array, int block,
                        int count)
{
    const struct model *model = sheet->functions.model;
    struct text text;
    text_open(&text);
    for (int i = 0; i < count; i++) {
        char *element = element_text(sheet->language, array, &i, 1);
        fprintf(text.stream, "%s%s %s", i > 0 ? ", " : "", element,
                texts_variable(model, block, i));
        free(element);
    }
    char *line = text_close(&text);
    if (count > 0)
        comment_write(sheet->stream, sheet->language, 4, "%s", line);
    free(line);
}

static void write_parameters(const struct sheet *sheet)
{
    const struct model *model = sheet->functions.model;
    int widest[3] = {0, 0, 0};
    for (int round = 0; round < 2; round++)
        for (int j = 0; j < model->p; j++) {
            const struct parameter *parameter = &model->parameter[j];
            char *element = element_text(sheet->language, "rho", &j, 1);
            char *nominal = constant_text(&sheet->functions, parameter->nominal,
                                          sheet->language);
            const char *column[] = {element, parameter->name, nominal};
            for (int k = 0; k < 3; k++)
                if ((int)strlen(column[k]) > widest[k])
                    widest[k] = (int)strlen(column[k]);
            if (round > 0)
                comment_write(sheet->stream, sheet->language, 8,
                              "%-*s %-*s = %-*s [%s] %s", widest[0], element, widest[1],
                              parameter->name, widest[2], nominal, parameter->unit,
                              parameter->meaning);
            free(nominal);
            free(element);
        }
}

static void write_header(const struct sheet *sheet)
{
    const struct model *model = sheet->functions.model;
    const struct case_desc *desc = model->desc;
    const struct language *language = sheet->language;
    FILE *stream = sheet->stream;
    char file[200];
    snprintf(file, sizeof file, "%.150s%s", desc->name, language->suffix);
    char *use = template_text(language->use,
                              (struct field[]){{"file", file}, {NULL, NULL}});
    comment_write(stream, language, 4, "%s: %s", desc->name, desc->title);
    if (desc->source)
        comment_write(stream, language, 4, "Source: %s", desc->source);
    if (desc->declared)
        comment_write(stream, language, 4, "Declared here: %s", desc->declared);
    comment_write(stream, language, 0, "%s", "");
    comment_write(stream, language, 4, "Made by saltus %s: saltus export %s --to %s%s%s; "
                  "to use it, %s", SALTUS_VERSION, desc->name, language->name,
                  model->reset == RESET_CONTINUOUS ? " --reset " : "",
                  model->reset == RESET_CONTINUOUS ? reset_policy_text[model->reset] : "",
                  use);
    comment_write(stream, language, 0, "%s", "");
    for (size_t k = 0; k < sizeof conventions / sizeof *conventions; k++)
        comment_write(stream, language, 0, "%s", conventions[k]);
    comment_write(stream, language, 0, "%s", "");
    write_names(sheet, "q", BLOCK_Q, model->n);
    write_names(sheet, "v", BLOCK_V, model->n);
    write_names(sheet, "s", BLOCK_S, model->ns);
    write_parameters(sheet);
    free(use);
}

/* --- constants ---------------------------------------------------------------------- */

static void write_constant(const struct sheet *sheet, const char *template,
                           const char *name, const char *value)
{
    char *text = template_text(template, (struct field[]){{"name", name},
                                                          {"value", value},
                                                          {NULL, NULL}});
    char *end;
    for (char *line = text; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        int indent = (int)strspn(line, " ");
        lines_write(sheet->stream, sheet->language, indent, line + indent);
    }
    free(text);
}

static void write_integer(const struct sheet *sheet, const char *name, int value)
{
    char text[20];
    snprintf(text, sizeof text, "%d", value);
    write_constant(sheet, sheet->language->integer, name, text);
}

/* A text between quotation marks. Names of a model have no signs that end it. */
static void write_string(const struct sheet *sheet, const char *name, const char *value)
{
    char text[200];
    snprintf(text, sizeof text, "\"%.150s\"", value);
    write_constant(sheet, sheet->language->string, name, text);
}

/* Gives item k of a list, a number written into number [20]. */
typedef const char *item_fn(const struct sheet *sheet, int k, char *number);

static void write_list(const struct sheet *sheet, const char *name, bool strings,
                       item_fn *item, int count)
{
    const struct language *language = sheet->language;
    struct text text;
    char number[20];
    if (count == 0 && language->no_empty_lists)
        return;
    text_open(&text);
    for (int k = 0; k < count; k++)
        fprintf(text.stream, strings ? "%s\"%s\"" : "%s%s", k > 0 ? ", " : "",
                item(sheet, k, number));
    char *list = text_close(&text);
    write_constant(sheet, strings ? language->strings : language->integers, name, list);
    free(list);
}

#define TEXT_ITEM(NAME, VALUE)                                                         \
    static const char *NAME(const struct sheet *sheet, int k, char *number)            \
    {                                                                                  \
        const struct model *model = sheet->functions.model;                            \
        (void)number;                                                                  \
        return VALUE;                                                                  \
    }
#define NUMBER_ITEM(NAME, VALUE)                                                       \
    static const char *NAME(const struct sheet *sheet, int k, char *number)            \
    {                                                                                  \
        const struct model *model = sheet->functions.model;                            \
        snprintf(number, 20, "%d", (int)(VALUE));                                      \
        return number;                                                                 \
    }
TEXT_ITEM(coordinate_item, texts_variable(model, BLOCK_Q, k))
TEXT_ITEM(state_item, model->auxiliary[k])
TEXT_ITEM(cost_item, model->cost[k])
TEXT_ITEM(parameter_item, model->parameter[k].name)
TEXT_ITEM(mode_item, sheet->functions.mode[model->mode[k]->index])
TEXT_ITEM(event_item, sheet->functions.event[model->event[k]->index])
NUMBER_ITEM(constraints_item, model->mode[k]->m)
NUMBER_ITEM(from_item, sheet->language->base + model->event[k]->from->index)
NUMBER_ITEM(to_item, sheet->language->base + model->event[k]->to->index)
NUMBER_ITEM(direction_item, model->event[k]->direction)
NUMBER_ITEM(terminal_item, model->event[k]->terminal)
NUMBER_ITEM(impulses_item, model->event[k]->impulses)
NUMBER_ITEM(given_q_item, model->q0[k].tape != NULL)
NUMBER_ITEM(given_v_item, model->v0[k].tape != NULL)
NUMBER_ITEM(given_s_item, model->s0[k].tape != NULL)

/* For each mode a list of its constraints: is it one at velocity level? */
static const char *level_item(const struct sheet *sheet, int k, char *number)
{
    snprintf(number, 20, "%d", (int)sheet->mode->velocity_level[k]);
    return number;
}

static void write_levels(struct sheet *sheet)
{
    for (int k = 0; k < sheet->functions.model->modes; k++) {
        sheet->mode = sheet->functions.model->mode[k];
        char *name = template_text("$mode_velocity_level", (struct field[]){
                                   {"mode", sheet->functions.mode[k]}, {NULL, NULL}});
        write_list(sheet, name, false, level_item, sheet->mode->m);
        free(name);
    }
}

static void write_constants(const struct sheet *sheet)
{
    const struct model *model = sheet->functions.model;
    int n = model->n, events = model->events;
    const struct { const char *name; int value; } number[] = {
        {"COORDINATE_COUNT", n}, {"STATE_COUNT", model->ns}, {"COST_COUNT", model->nz},
        {"PARAMETER_COUNT", model->p}, {"MODE_COUNT", model->modes},
        {"EVENT_COUNT", events},
        {"START_MODE", sheet->language->base + model->start->index}};
    const struct { const char *name; bool strings; item_fn *item; int count; } list[] = {
        {"COORDINATES", true, coordinate_item, n},
        {"STATES", true, state_item, model->ns},
        {"COSTS", true, cost_item, model->nz},
        {"PARAMETERS", true, parameter_item, model->p},
        {"MODES", true, mode_item, model->modes},
        {"MODE_CONSTRAINTS", false, constraints_item, model->modes},
        {"EVENTS", true, event_item, events},
        {"EVENT_FROM", false, from_item, events},
        {"EVENT_TO", false, to_item, events},
        {"EVENT_DIRECTION", false, direction_item, events},
        {"EVENT_TERMINAL", false, terminal_item, events},
        {"EVENT_IMPULSES", false, impulses_item, events},
        {"START_Q", false, given_q_item, n},
        {"START_V", false, given_v_item, n},
        {"START_S", false, given_s_item, model->ns}};
    write_string(sheet, "NAME", model->desc->name);
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        write_integer(sheet, number[k].name, number[k].value);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        write_list(sheet, list[k].name, list[k].strings, list[k].item, list[k].count);
}

/* --- the file ----------------------------------------------------------------------- */

/* The name of the case as an identifier in capitals. */
static void guard_of(const char *name, char *guard, int size)
{
    int length = snprintf(guard, (size_t)size, "SALTUS_%.100s", name);
    for (int i = 0; i < length; i++)
        if (guard[i] >= 'a' && guard[i] <= 'z')
            guard[i] = (char)(guard[i] - 'a' + 'A');
        else if (strchr("-. ", guard[i]))
            guard[i] = '_';
}

static void write_functions(const struct sheet *sheet)
{
    for (int k = 0; k < sheet->functions.count; k++) {
        putc('\n', sheet->stream);
        body_write(sheet->stream, &sheet->functions, &sheet->functions.list[k],
                   sheet->language);
    }
}

static void write_index(const struct sheet *sheet)
{
    const struct language *language = sheet->language;
    if (!language->functions_open)
        return;
    putc('\n', sheet->stream);
    comment_write(sheet->stream, language, 0, "All functions by their names.");
    fputs(language->functions_open, sheet->stream);
    for (int k = 0; k < sheet->functions.count; k++)
        template_write(sheet->stream, language->functions_item,
                       (struct field[]){{"name", sheet->functions.list[k].name},
                                        {NULL, NULL}});
    fputs(language->functions_close, sheet->stream);
}

char *export_text(const struct model *model, const struct language *language)
{
    char guard[120];
    struct text text;
    text_open(&text);
    struct sheet sheet = {.stream = text.stream, .language = language};
    const struct field field[] = {{"guard", guard}, {NULL, NULL}};
    guard_of(model->desc->name, guard, sizeof guard);
    functions_init(&sheet.functions, model);
    write_header(&sheet);
    if (*language->head)
        putc('\n', sheet.stream);
    template_write(sheet.stream, language->head, field);
    putc('\n', sheet.stream);
    write_constants(&sheet);
    write_levels(&sheet);
    write_functions(&sheet);
    write_index(&sheet);
    template_write(sheet.stream, language->foot, field);
    functions_clear(&sheet.functions);
    return text_close(&text);
}
