/*
 * read.c - the tables of a foreign solver, samples and events.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "foreign/csv.h"
#include "foreign/foreign.h"
#include "quantity/quantity.h"

/* Meanings of a csv column that is no column of columns.h. */
enum { NOBODY = -1, TIME = -2, EVENT = -3, NAME = -4, SIDE = -5, TAU = -1000 };

/* A table that is being read, with the meaning of its columns. */
struct table {
    struct csv csv;
    struct foreign *foreign;
    const struct question *question;    /* NULL: a table of events */
    int *meaning;           /* [csv.columns] a column of columns.h, or one of the above;
                               TAU - j */
};

static const double time_tolerance = 1e-13;

/* --- columns ------------------------------------------------------------------------ */

int foreign_column(const struct foreign *foreign, const char *name, int *from)
{
    int count = foreign->columns->count;
    for (int k = 0; k < count; k++) {
        int c = (*from + k) % count;
        if (strcmp(foreign->name[c], name) != 0)
            continue;
        *from = c + 1;
        return c;
    }
    return NOBODY;
}

static int tau_of(const struct columns *columns, const char *text)
{
    const struct quantity quantity = quantity_parse(text);
    if (is_at_event(&quantity) || !is_time_derivative(&quantity))
        return NOBODY;
    for (int j = 0; j < columns->p; j++)
        if (strcmp(columns->model->parameter[columns->parameter[j]].name,
                   quantity.by) == 0)
            return TAU - j;
    return NOBODY;
}

static int meaning_of(const struct foreign *foreign, const char *text, bool of_events,
                      int *from)
{
    static const struct { const char *name; int meaning; } words[] = {
        {"event", EVENT}, {"name", NAME}, {"side", SIDE}};
    if (strcmp(text, "t") == 0)
        return TIME;
    for (size_t k = 0; of_events && k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k].name, text) == 0)
            return words[k].meaning;
    int tau = of_events ? tau_of(foreign->columns, text) : NOBODY;
    return tau != NOBODY ? tau : foreign_column(foreign, text, from);
}

/* Multipliers do not exist in every mode. */
static enum csv_kind kind_of(const struct columns *columns, int meaning)
{
    enum column_group group;
    int i, j;
    if (meaning == NOBODY)
        return CSV_IGNORED;
    if (meaning == NAME || meaning == SIDE)
        return CSV_WORD;
    if (meaning < 0)
        return CSV_NUMBER;
    column_parts(columns, meaning, &group, &i, &j);
    return group == GROUP_LAMBDA ? CSV_MAYBE : CSV_NUMBER;
}

/* Does `saltus run` print this of an event, though nobody judges it? */
static bool is_told(const char *name, bool of_events)
{
    return of_events && (strcmp(name, "condition") == 0 || strcmp(name, "growth") == 0);
}

static void note_given(struct table *table, const char *name, int meaning, bool of_events)
{
    struct foreign *foreign = table->foreign;
    if (meaning == NOBODY)
        foreign->ignored += !is_told(name, of_events);
    else if (meaning <= TAU)
        foreign->tau_given[TAU - meaning] = true;
    else if (meaning >= 0)
        (of_events ? foreign->event_given : foreign->given)[meaning] = true;
}

static enum status open_table(struct table *table, struct foreign *foreign,
                              bool of_events)
{
    struct csv *csv = &table->csv;
    const char *const needed[] = {"t", "event", "side"};
    table->foreign = foreign;
    table->meaning = memory_new(csv->columns, sizeof *table->meaning);
    for (int k = 0; k < (of_events ? 3 : 1); k++)
        if (csv_column(csv, needed[k]) < 0)
            return csv_complain(csv, -1, "there is no column %s%s", needed[k],
                                of_events ? " among those of the events" : "");
    int from = 0;
    for (int k = 0; k < csv->columns; k++) {
        int meaning = meaning_of(foreign, csv->name[k], of_events, &from);
        table->meaning[k] = meaning;
        csv->kind[k] = kind_of(foreign->columns, meaning);
        note_given(table, csv->name[k], meaning, of_events);
    }
    return OK;
}

static void close_table(struct table *table)
{
    csv_close(&table->csv);
    free(table->meaning);
}

static int find(const struct table *table, int meaning)
{
    for (int k = 0; k < table->csv.columns; k++)
        if (table->meaning[k] == meaning)
            return k;
    return -1;
}

static void store(const struct table *table, double *row)
{
    for (int k = 0; k < table->csv.columns; k++)
        if (table->meaning[k] >= 0)
            row[table->meaning[k]] = table->csv.field[k].number;
}

/* --- samples ------------------------------------------------------------------------ */

static double tolerance_of(const struct foreign *foreign)
{
    return time_tolerance * (foreign->t[foreign->samples - 1] - foreign->t[0]);
}

/* The place up to which samples have been read. */
struct place {
    int next;           /* index among the times that must be there */
    int judged;         /* index among the times that are judged */
    double last;        /* time of the row before */
};

/* Is this the next time that must have a row? */
static enum status check_asked(const struct table *table, int column, struct place *place)
{
    const struct question *question = table->question;
    double t = table->csv.field[column].number;
    if (place->next == question->asked_times)
        return csv_complain(&table->csv, column, "%.17g is not asked for; the last time "
                            "is %.17g", t, question->asked[place->next - 1]);
    if (fabs(t - question->asked[place->next]) > tolerance_of(table->foreign))
        return csv_complain(&table->csv, column, "%.17g is not the time that is asked "
                            "for here, %.17g", t, question->asked[place->next]);
    place->next++;
    return OK;
}

/* Stores a row that is judged, and passes over any other. */
static enum status place_row(struct table *table, int column, struct place *place)
{
    struct foreign *foreign = table->foreign;
    double t = table->csv.field[column].number, late = tolerance_of(foreign);
    bool more = place->judged < foreign->samples;
    if (t <= place->last)
        return csv_complain(&table->csv, column, "%.17g after %.17g; times must increase",
                            t, place->last);
    place->last = t;
    if (table->question->asked && check_asked(table, column, place) != OK)
        return BAD_INPUT;
    if (more && t > foreign->t[place->judged] + late)
        return csv_complain(&table->csv, column, "%.17g, but no line for the time %.17g, "
                            "which is asked for, comes before it", t,
                            foreign->t[place->judged]);
    if (more && t >= foreign->t[place->judged] - late)
        store(table, foreign->value + (size_t)place->judged++ *
                                          (size_t)foreign->columns->count);
    else
        foreign->passed_over++;
    return OK;
}

static enum status read_samples(struct table *table)
{
    const struct question *question = table->question;
    struct place place = {.last = -INFINITY};
    int column = find(table, TIME);
    enum csv_step step;
    while ((step = csv_next(&table->csv)) == CSV_ROW)
        if (place_row(table, column, &place) != OK)
            return BAD_INPUT;
    if (step == CSV_WRONG)
        return BAD_INPUT;
    int all = question->asked ? question->asked_times : question->times;
    int read = question->asked ? place.next : place.judged;
    if (read < all)
        return csv_complain(&table->csv, -1, "the samples end after %d of %d times; the "
                            "next would be t = %.17g", read, all,
                            (question->asked ? question->asked : question->t)[read]);
    return OK;
}

/* --- events ------------------------------------------------------------------------- */

static bool is_side(const struct csv_field *field, const char *word)
{
    return field->length == (int)strlen(word) &&
           memcmp(field->text, word, (size_t)field->length) == 0;
}

static struct foreign_event *new_event(struct foreign *foreign)
{
    foreign->event = memory_grow(foreign->event, &foreign->event_room,
                                 foreign->events + 1, sizeof *foreign->event);
    struct foreign_event *event = &foreign->event[foreign->events++];
    *event = (struct foreign_event){.t = NAN};
    event->tau = memory_new(foreign->columns->p, sizeof(double));
    for (int side = 0; side < 2; side++)
        event->side[side] = memory_new(foreign->columns->count, sizeof(double));
    return event;
}

static bool common_name(const struct table *table, int column,
                        struct foreign_event *event, bool first)
{
    const struct csv_field *field = &table->csv.field[column];
    char name[sizeof event->name];
    snprintf(name, sizeof name, "%.*s", field->length, field->text);
    if (first)
        memcpy(event->name, name, sizeof name);
    if (strcmp(event->name, name) == 0)
        return true;
    csv_complain(&table->csv, column, "'%.40s' after event %d, but '%.40s' before it",
                 name, table->foreign->events, event->name);
    return false;
}

/* Reads time, name and the derivatives of the time, which both lines of an event have. */
static enum status common_part(struct table *table, struct foreign_event *event,
                               bool first)
{
    const struct csv *csv = &table->csv;
    for (int k = 0; k < csv->columns; k++) {
        const struct csv_field *field = &csv->field[k];
        int meaning = table->meaning[k];
        double *number = meaning == TIME ? &event->t
                         : meaning <= TAU ? &event->tau[TAU - meaning] : NULL;
        if (meaning == NAME && !common_name(table, k, event, first))
            return BAD_INPUT;
        if (number && first)
            *number = field->number;
        if (number && *number != field->number)
            return csv_complain(csv, k, "%.17g after event %d, but %.17g before it",
                                field->number, table->foreign->events, *number);
    }
    return OK;
}

/* Reads a line of an event: they come in the order 1 before, 1 after, 2 before, ... */
static enum status read_event(struct table *table, bool first)
{
    struct foreign *foreign = table->foreign;
    struct csv *csv = &table->csv;
    int number = find(table, EVENT), side = find(table, SIDE);
    const char *const word = first ? "before" : "after";
    int wanted = foreign->events + first;
    if (csv->field[number].number != wanted)
        return csv_complain(csv, number, "%.17g; the next line is that of event %d, %s",
                            csv->field[number].number, wanted, word);
    if (!is_side(&csv->field[side], word))
        return csv_complain(csv, side, "'%.*s'; the next line is that of event %d, %s",
                            csv->field[side].length > 40 ? 40 : csv->field[side].length,
                            csv->field[side].text, wanted, word);
    struct foreign_event *event = first ? new_event(foreign)
                                        : &foreign->event[foreign->events - 1];
    store(table, event->side[first ? 0 : 1]);
    return common_part(table, event, first);
}

static enum status read_events(struct table *table)
{
    bool first = true;
    enum csv_step step;
    while ((step = csv_next(&table->csv)) == CSV_ROW) {
        if (read_event(table, first) != OK)
            return BAD_INPUT;
        first = !first;
    }
    if (step == CSV_SECTION)
        csv_complain(&table->csv, -1, "a further section; the events are the last");
    else if (step == CSV_END && !first)
        csv_complain(&table->csv, -1, "event %d has no line `after`",
                     table->foreign->events);
    return step == CSV_END && first ? OK : BAD_INPUT;
}

/* Reads the table of events. `line`: number of lines of the source before the header. */
static enum status events_of(struct foreign *foreign, const char *source,
                             const char *text, size_t length, long line,
                             struct diagnosis *diagnosis)
{
    struct table table = {.meaning = NULL};
    enum status status = csv_open(&table.csv, source, text, length, line, diagnosis);
    if (status == OK)
        status = open_table(&table, foreign, true);
    if (status == OK)
        status = read_events(&table);
    foreign->has_events = status == OK;
    close_table(&table);
    return status;
}

/* Reads the text behind a line "# events"; another line with '#' is an error. */
static enum status events_behind(struct foreign *foreign, const struct csv *csv)
{
    static const char heading[] = "# events";
    const char *at = csv->at, *line_end = memchr(at, '\n', (size_t)(csv->end - at));
    const char *stop = line_end ? line_end : csv->end;
    while (stop > at && (stop[-1] == '\r' || stop[-1] == ' '))
        stop--;
    if (stop - at != (int)strlen(heading) || memcmp(at, heading, strlen(heading)) != 0)
        return csv_complain(csv, -1, "'%.*s' is no line of numbers, nor \"%s\"",
                            stop - at > 40 ? 40 : (int)(stop - at), at, heading);
    if (!line_end)
        return csv_complain(csv, -1, "it is cut off: no newline follows");
    return events_of(foreign, csv->source, line_end + 1,
                     (size_t)(csv->end - line_end - 1), csv->line, csv->diagnosis);
}

/* --- all ---------------------------------------------------------------------------- */

static struct foreign *new_foreign(const struct question *question)
{
    const struct columns *columns = &question->columns;
    struct foreign *foreign = memory_new(1, sizeof *foreign);
    foreign->columns = columns;
    foreign->t = question->t;
    foreign->samples = question->times;
    foreign->name = memory_new(columns->count, sizeof *foreign->name);
    for (int c = 0; c < columns->count; c++)
        column_name(columns, c, foreign->name[c], sizeof foreign->name[c]);
    foreign->value = memory_new(question->times * columns->count, sizeof *foreign->value);
    foreign->given = memory_new(columns->count, sizeof *foreign->given);
    foreign->event_given = memory_new(columns->count, sizeof *foreign->event_given);
    foreign->tau_given = memory_new(columns->p, sizeof *foreign->tau_given);
    return foreign;
}

void foreign_free(struct foreign *foreign)
{
    if (!foreign)
        return;
    for (int k = 0; k < foreign->events; k++) {
        free(foreign->event[k].tau);
        free(foreign->event[k].side[0]);
        free(foreign->event[k].side[1]);
    }
    free(foreign->event);
    free(foreign->name);
    free(foreign->value);
    free(foreign->given);
    free(foreign->event_given);
    free(foreign->tau_given);
    free(foreign);
}

enum status foreign_read(const char *source, const char *text, size_t length,
                         const struct question *question, struct foreign **out,
                         struct diagnosis *diagnosis)
{
    struct table table = {.question = question};
    struct foreign *foreign = new_foreign(question);
    enum status status = csv_open(&table.csv, source, text, length, 0, diagnosis);
    if (status == OK)
        status = open_table(&table, foreign, false);
    if (status == OK)
        status = read_samples(&table);
    if (status == OK && table.csv.at < table.csv.end)
        status = events_behind(foreign, &table.csv);
    close_table(&table);
    *out = status == OK ? foreign : NULL;
    if (status != OK)
        foreign_free(foreign);
    return status;
}

enum status foreign_read_events(struct foreign *foreign, const char *source,
                                const char *text, size_t length,
                                struct diagnosis *diagnosis)
{
    return events_of(foreign, source, text, length, 0, diagnosis);
}
