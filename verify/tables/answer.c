/*
 * answer.c - every number of a foreign solver's answer, by column and by event.
 *
 * The first table has a line for each column: the fewest digits at samples, before and
 * after events, and the number that has the fewest of all. The second table has the lines
 * of each event: its time, each dt/dRHO, and the worst column on either side.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "quantity/quantity.h"
#include "tables/report.h"
#include "verdict/row_status.h"

/* --- names -------------------------------------------------------------------------- */

/* The name of the number without its event and side. */
static void column_of(const struct verdict *verdict, char column[QUANTITY_NAME])
{
    struct quantity quantity = quantity_parse(verdict->name);
    quantity.place = AT_POINT;
    quantity_print(&quantity, column, QUANTITY_NAME);
}

static enum quantity_place place_of(const struct verdict *verdict)
{
    return quantity_parse(verdict->name).place;
}

static int event_of(const struct verdict *verdict)
{
    return quantity_parse(verdict->name).event;
}

/* --- the columns -------------------------------------------------------------------- */

struct line {
    char name[QUANTITY_NAME];
    const struct verdict *worst[AT_EVENT];   /* worst number at each place; NULL: there is
                                                none */
};

struct lines {
    int count, room, from;
    struct line *line;
};

static bool is_fewer(const struct verdict *a, const struct verdict *b)
{
    return !b || (a && a->digits < b->digits);
}

/* Columns come in one order again and again, so the search goes on from the last one. */
static struct line *line_of(struct lines *lines, const char *name)
{
    for (int k = 0; k < lines->count; k++) {
        int at = (lines->from + k) % lines->count;
        if (strcmp(lines->line[at].name, name) == 0) {
            lines->from = at + 1;
            return &lines->line[at];
        }
    }
    lines->line = memory_grow(lines->line, &lines->room, lines->count + 1,
                              sizeof *lines->line);
    lines->line[lines->count] = (struct line){.name = ""};
    snprintf(lines->line[lines->count].name, QUANTITY_NAME, "%s", name);
    return &lines->line[lines->count++];
}

static struct lines sort_by_column(const struct row *row)
{
    struct lines lines = {0};
    for (long k = 0; k < row->numbers; k++) {
        const struct verdict *verdict = &row->verdict[k];
        char column[QUANTITY_NAME];
        enum quantity_place place = place_of(verdict);
        if (place == AT_EVENT)
            continue;
        column_of(verdict, column);
        struct line *line = line_of(&lines, column);
        if (is_fewer(verdict, line->worst[place]))
            line->worst[place] = verdict;
    }
    return lines;
}

/* "got", "want" and "scale", the last ones of both tables. */
#define VALUE_COLUMNS                                                                    \
    {"got", TEXT_RIGHT, 2, 24}, {"want", TEXT_RIGHT, 2, 24}, {"scale", TEXT_RIGHT, 2, 9}
enum { VALUES = 3 };

static void print_digits(FILE *stream, const struct text_column *column,
                         const struct verdict *verdict)
{
    if (verdict)
        text_cell(stream, column, "%.2f", told_digits(verdict->digits));
    else
        text_cell(stream, column, "-");
}

/* The value wanted has the digits of a double here; JSON has all of them. */
static void print_values(FILE *stream, const struct text_column column[VALUES],
                         const struct verdict *verdict)
{
    bool held = verdict->digits >= verdict->bar;
    text_cell(stream, &column[0], "%s", verdict->got);
    text_cell(stream, &column[1], "%.17g", strtod(verdict->want, NULL));
    text_cell(stream, &column[2], "%.3g", verdict->scale);
    fprintf(stream, "%s%s%s\n", colour_on(stream, RED), held ? "" : "  SHORT",
            colour_off(stream));
}

static void print_place(FILE *stream, const struct text_column *column,
                        const struct verdict *verdict)
{
    if (event_of(verdict) == 0)
        text_cell(stream, column, "t = %.6g", verdict->t);
    else
        text_cell(stream, column, "event %d %s", event_of(verdict),
                  place_of(verdict) == BEFORE_EVENT ? "before" : "after");
}

static void print_column_table(FILE *stream, const struct lines *lines)
{
    struct text_column column[] = {
        {"column", TEXT_LEFT, 0, 6}, {"samples", TEXT_RIGHT, 2, 7},
        {"before", TEXT_RIGHT, 2, 7}, {"after", TEXT_RIGHT, 2, 7},
        {"fewest digits at", TEXT_LEFT, 2, 16}, VALUE_COLUMNS};
    enum { PLACE = 4 };
    for (int k = 0; k < lines->count; k++)
        text_column_fit(&column[0], lines->line[k].name);
    text_heading(stream, column, PLACE + 1 + VALUES);
    for (int k = 0; k < lines->count; k++) {
        const struct line *line = &lines->line[k];
        const struct verdict *worst = NULL;
        text_cell(stream, &column[0], "%s", line->name);
        for (int place = AT_POINT; place < AT_EVENT; place++) {
            print_digits(stream, &column[1 + place], line->worst[place]);
            if (is_fewer(line->worst[place], worst))
                worst = line->worst[place];
        }
        print_place(stream, &column[PLACE], worst);
        print_values(stream, &column[PLACE + 1], worst);
    }
}

/* --- the events --------------------------------------------------------------------- */

static void print_event_line(FILE *stream, const struct text_column *table,
                             const struct verdict *verdict, bool first, const char *name)
{
    static const char *const side[] = {
        [AT_POINT] = "", [BEFORE_EVENT] = " before", [AFTER_EVENT] = " after",
        [AT_EVENT] = ""};
    char column[QUANTITY_NAME], head[100] = "";
    column_of(verdict, column);
    if (first)
        snprintf(head, sizeof head, "%d %s", event_of(verdict), name);
    text_cell(stream, &table[0], "%.40s", head);
    text_cell(stream, &table[1], "%s%s", column, side[place_of(verdict)]);
    print_digits(stream, &table[2], verdict);
    print_values(stream, &table[3], verdict);
}

/* The lines of the event whose numbers are first .. end - 1: its time and its dt/dRHO as
   they are, of each side the column with the fewest digits. */
static void print_event(FILE *stream, const struct text_column *table,
                        const struct verdict *first, const struct verdict *end,
                        const char *name)
{
    const struct verdict *worst[AT_EVENT] = {NULL};
    bool headed = false;
    for (const struct verdict *verdict = first; verdict < end; verdict++) {
        enum quantity_place place = place_of(verdict);
        if (place == AT_EVENT) {
            print_event_line(stream, table, verdict, !headed, name);
            headed = true;
        } else if (is_fewer(verdict, worst[place])) {
            worst[place] = verdict;
        }
    }
    for (int place = BEFORE_EVENT; place <= AFTER_EVENT; place++)
        if (worst[place]) {
            print_event_line(stream, table, worst[place], !headed, name);
            headed = true;
        }
}

static void print_event_table(FILE *stream, const struct row *row,
                              const char *const *name, int events)
{
    const struct verdict *end = row->verdict + row->numbers;
    struct text_column table[] = {
        {"event", TEXT_LEFT, 0, 20}, {"quantity", TEXT_LEFT, 2, 14},
        {"digits", TEXT_RIGHT, 2, 7}, VALUE_COLUMNS};
    for (const struct verdict *verdict = row->verdict; verdict < end; verdict++)
        if (event_of(verdict) > 0) {
            char column[QUANTITY_NAME], longest[QUANTITY_NAME + 8];
            column_of(verdict, column);
            snprintf(longest, sizeof longest, "%s before", column);
            text_column_fit(&table[1], longest);
        }
    fputc('\n', stream);
    text_heading(stream, table, 3 + VALUES);
    for (const struct verdict *first = row->verdict, *last; first < end; first = last) {
        int event = event_of(first);
        for (last = first + 1; last < end && event_of(last) == event;)
            last++;
        if (event > 0)
            print_event(stream, table, first, last,
                        event <= events ? name[event - 1] : "");
    }
}

void report_answer(FILE *stream, const struct row *row, const char *const *name,
                   int events)
{
    struct lines lines = sort_by_column(row);
    bool any = false;
    for (long k = 0; k < row->numbers && !any; k++)
        any = event_of(&row->verdict[k]) > 0;
    if (lines.count > 0)
        print_column_table(stream, &lines);
    if (any)
        print_event_table(stream, row, name, events);
    free(lines.line);
}
