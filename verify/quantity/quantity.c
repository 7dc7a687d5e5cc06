/*
 * quantity.c - the key of a number and its printed name, both ways (quantity.h).
 */
#include "quantity/quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_words[] = {
    [QUANTITY_Q] = "q", [QUANTITY_V] = "v", [QUANTITY_S] = "s", [QUANTITY_A] = "a",
    [QUANTITY_LAMBDA] = "lambda", [QUANTITY_Z] = "z", [QUANTITY_PSI] = "psi",
    [QUANTITY_TIME] = "t", [QUANTITY_STAGE] = "stage",
};
enum { KIND_WORDS = sizeof kind_words / sizeof *kind_words };

static const struct {
    const char *word;
    enum quantity_place place;
    bool old;
} places[] = {
    {"before.", BEFORE_EVENT, false},
    {"after.", AFTER_EVENT, false},
    {"event.", AT_EVENT, false},
    {"jump.", AFTER_EVENT, true},
};
enum { PLACES = sizeof places / sizeof *places };

_Static_assert((int)QUANTITY_Q == (int)GROUP_Q && (int)QUANTITY_V == (int)GROUP_V &&
               (int)QUANTITY_S == (int)GROUP_S && (int)QUANTITY_A == (int)GROUP_A &&
               (int)QUANTITY_LAMBDA == (int)GROUP_LAMBDA &&
               (int)QUANTITY_Z == (int)GROUP_Z, "the first kinds are groups of columns");

static const char by_word[] = "/d";

static void take(char *text, size_t size, const char *from, size_t length)
{
    snprintf(text, size, "%.*s", (int)length, from);
}

/* The place that a name begins with, PLACES: none; *event and *rest are what follows. */
static int read_place(const char *name, int *event, const char **rest)
{
    for (int k = 0; k < PLACES; k++) {
        size_t length = strlen(places[k].word);
        char *end;
        if (strncmp(name, places[k].word, length) != 0)
            continue;
        long number = strtol(name + length, &end, 10);
        if (end == name + length || *end != '.' || number < 1)
            continue;
        *event = (int)number;
        *rest = end + 1;
        return k;
    }
    return PLACES;
}

/* "q.x2": sets the kind and its `of`. A word that is no kind stays whole. */
static void read_body(struct quantity *quantity, const char *body, size_t length)
{
    size_t word = 0;
    while (word < length && body[word] != '.')
        word++;
    for (int k = 0; k < KIND_WORDS; k++) {
        bool alone = k == QUANTITY_TIME;
        if (strlen(kind_words[k]) != word || strncmp(body, kind_words[k], word) != 0 ||
            alone != (word == length))
            continue;
        quantity->kind = (enum quantity_kind)k;
        if (!alone)
            take(quantity->of, sizeof quantity->of, body + word + 1, length - word - 1);
        return;
    }
    quantity->kind = QUANTITY_OTHER;
    take(quantity->of, sizeof quantity->of, body, length);
}

struct quantity quantity_parse(const char *name)
{
    struct quantity quantity = {.place = AT_POINT};
    const char *rest = name;
    int k = read_place(name, &quantity.event, &rest);
    if (k < PLACES)
        quantity.place = places[k].place;
    const char *by = strstr(rest, by_word);
    if (by && by[strlen(by_word)] == '\0')
        by = NULL;
    if (by) {
        take(quantity.by, sizeof quantity.by, by + strlen(by_word),
             strlen(by + strlen(by_word)));
        quantity.partial = *rest != 'd';
        rest += !quantity.partial;
    }
    read_body(&quantity, rest, by ? (size_t)(by - rest) : strlen(rest));
    return quantity;
}

bool quantity_is_old_name(const char *name)
{
    const char *rest;
    int event, k = read_place(name, &event, &rest);
    return k < PLACES && places[k].old;
}

/* "q.x2" or "dq.x2/dL01" */
static void print_history(const struct quantity *quantity, char *text, size_t size)
{
    bool other = quantity->kind == QUANTITY_OTHER;
    bool derivative = is_derivative(quantity);
    snprintf(text, size, "%s%s%s%s%s%s", derivative && !quantity->partial ? "d" : "",
             other ? "" : kind_words[quantity->kind],
             other || quantity->kind == QUANTITY_TIME ? "" : ".", quantity->of,
             derivative ? by_word : "", quantity->by);
}

void quantity_print(const struct quantity *quantity, char *name, size_t size)
{
    char history[3 * QUANTITY_NAME];
    int k = 0;
    print_history(quantity, history, sizeof history);
    while (k < PLACES && (places[k].old || places[k].place != quantity->place))
        k++;
    if (k < PLACES)
        snprintf(name, size, "%s%d.%s", places[k].word, quantity->event, history);
    else
        snprintf(name, size, "%s", history);
}

/* --- keys of what a trajectory has -------------------------------------------------- */

struct quantity quantity_of_column(const struct columns *columns, int column)
{
    struct quantity quantity = {.place = AT_POINT};
    enum column_group group;
    int i, j;
    column_parts(columns, column, &group, &i, &j);
    quantity.kind = (enum quantity_kind)group;
    column_component(columns, group, i, quantity.of, sizeof quantity.of);
    if (j >= 0)
        snprintf(quantity.by, sizeof quantity.by, "%s", column_parameter(columns, j));
    return quantity;
}

int quantity_column(const struct columns *columns, const char *name)
{
    char own[200];
    for (int c = 0; c < columns->count; c++) {
        column_name(columns, c, own, sizeof own);
        if (strcmp(own, name) == 0)
            return c;
    }
    return -1;
}

struct quantity quantity_of_time(int event, const char *by)
{
    struct quantity quantity = {.place = event > 0 ? AT_EVENT : AT_POINT,
                                .event = event, .kind = QUANTITY_TIME};
    take(quantity.by, sizeof quantity.by, by, strlen(by));
    return quantity;
}

struct quantity quantity_of_cost(const char *cost, const char *by)
{
    struct quantity quantity = {.place = AT_POINT, .kind = QUANTITY_PSI};
    take(quantity.of, sizeof quantity.of, cost, strlen(cost));
    take(quantity.by, sizeof quantity.by, by, strlen(by));
    return quantity;
}

/* --- what is asked of a key --------------------------------------------------------- */

bool is_derivative(const struct quantity *quantity)
{
    return quantity->by[0] != '\0';
}

bool is_time_derivative(const struct quantity *quantity)
{
    return quantity->kind == QUANTITY_TIME && is_derivative(quantity);
}

bool is_at_event(const struct quantity *quantity)
{
    return quantity->place != AT_POINT;
}

/* The time itself, which every event has. */
static const char event_time[] = "event.t";

void quantity_history(const struct quantity *quantity, char *history, size_t size)
{
    if (quantity->kind == QUANTITY_TIME && !is_derivative(quantity))
        snprintf(history, size, "%s", event_time);
    else
        print_history(quantity, history, size);
}

/* The length of the part of `of` that tells a unit: all, or nothing; the first word of a
   stage. */
static int unit_length(const struct quantity *quantity)
{
    switch (quantity->kind) {
    case QUANTITY_S:
    case QUANTITY_Z:
    case QUANTITY_PSI:
    case QUANTITY_OTHER:
        return (int)strlen(quantity->of);
    case QUANTITY_STAGE:
        return (int)strcspn(quantity->of, ".");
    default:
        return 0;
    }
}

void quantity_group(const struct quantity *quantity, char *group, size_t size)
{
    bool other = quantity->kind == QUANTITY_OTHER, derivative = is_derivative(quantity);
    int unit = unit_length(quantity);
    if (quantity->kind == QUANTITY_TIME && !derivative) {
        snprintf(group, size, "%s", event_time);
        return;
    }
    snprintf(group, size, "%s%s%s%.*s%s%s", derivative ? "d" : "",
             other ? "" : kind_words[quantity->kind], other || unit == 0 ? "" : ".", unit,
             quantity->of, derivative ? by_word : "", quantity->by);
}

void quantity_word(const struct quantity *quantity, char *word, size_t size)
{
    const char *body = quantity->kind == QUANTITY_OTHER ? quantity->of
                                                        : kind_words[quantity->kind];
    snprintf(word, size, "%s%.*s", is_derivative(quantity) ? "d" : "",
             (int)strcspn(body, "."), body);
}

void quantity_place(const struct quantity *quantity, double t, char *text, size_t size)
{
    static const char *const side[] = {
        [AT_POINT] = "", [BEFORE_EVENT] = " before", [AFTER_EVENT] = " after",
        [AT_EVENT] = ""};
    char history[3 * QUANTITY_NAME];
    print_history(quantity, history, sizeof history);
    if (is_at_event(quantity))
        snprintf(text, size, "event %d: %s%s", quantity->event, history,
                 side[quantity->place]);
    else
        snprintf(text, size, "t = %.6g: %s", t, history);
}
