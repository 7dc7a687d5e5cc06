/*
 * answer.c - every number of an answer from outside, by column and by event.
 *
 * A table has a line for each column: the fewest digits at samples, before and after
 * events, and the number that has the fewest of all. A second one has the lines of each
 * event: its time, each dt/dRHO, and the worst column on either side.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "quantity/quantity.h"
#include "tables/report.h"

/* --- names -------------------------------------------------------------------------- */

/* The number as it is called at whatever place. */
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
    const struct verdict *worst[AT_EVENT];   /* at each place; NULL: not there */
};

struct lines {
    int count, room, from;
    struct line *line;
};

static bool is_fewer(const struct verdict *a, const struct verdict *b)
{
    return !b || (a && a->digits < b->digits);
}

/* The columns come in the same order again and again: searched from the last one on. */
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

static void print_digits(FILE *stream, const struct verdict *verdict)
{
    if (verdict)
        fprintf(stream, "  %7.2f", verdict->digits);
    else
        fprintf(stream, "  %7s", "-");
}

/* The truth, too, with the digits of a double: JSON has all of them. */
static void print_values(FILE *stream, const struct verdict *verdict)
{
    bool held = verdict->digits >= verdict->bar;
    fprintf(stream, "  %24s  %24.17g  %9.3g%s%s%s\n", verdict->got,
            strtod(verdict->want, NULL), verdict->scale, colour_on(stream, RED),
            held ? "" : "  SHORT", colour_off(stream));
}

static void print_place(FILE *stream, const struct verdict *verdict)
{
    char text[60];
    if (event_of(verdict) == 0)
        snprintf(text, sizeof text, "t = %.6g", verdict->t);
    else
        snprintf(text, sizeof text, "event %d %s", event_of(verdict),
                 place_of(verdict) == BEFORE_EVENT ? "before" : "after");
    fprintf(stream, "  %-16s", text);
}

static void print_column_table(FILE *stream, const struct lines *lines)
{
    int width = 6;
    for (int k = 0; k < lines->count; k++)
        width = (int)fmax(width, (double)strlen(lines->line[k].name));
    fprintf(stream, "%s%-*s  %7s  %7s  %7s  %-16s  %24s  %24s  %9s%s\n",
            colour_on(stream, BOLD), width, "column", "samples", "before", "after",
            "fewest digits at", "got", "want", "scale", colour_off(stream));
    for (int k = 0; k < lines->count; k++) {
        const struct line *line = &lines->line[k];
        const struct verdict *worst = NULL;
        fprintf(stream, "%-*s", width, line->name);
        for (int place = AT_POINT; place < AT_EVENT; place++) {
            print_digits(stream, line->worst[place]);
            if (is_fewer(line->worst[place], worst))
                worst = line->worst[place];
        }
        print_place(stream, worst);
        print_values(stream, worst);
    }
}

/* --- the events --------------------------------------------------------------------- */

static void print_event_line(FILE *stream, int width, const struct verdict *verdict,
                             bool first, const char *name)
{
    static const char *const side[] = {
        [AT_POINT] = "", [BEFORE_EVENT] = " before", [AFTER_EVENT] = " after",
        [AT_EVENT] = ""};
    char place[160], column[QUANTITY_NAME], head[100] = "";
    column_of(verdict, column);
    snprintf(place, sizeof place, "%s%s", column, side[place_of(verdict)]);
    if (first)
        snprintf(head, sizeof head, "%d %s", event_of(verdict), name);
    fprintf(stream, "%-20.40s  %-*s", head, width, place);
    print_digits(stream, verdict);
    print_values(stream, verdict);
}

/* The lines of the event whose numbers are first .. end - 1: its time and its dt/dRHO as
   they are, of each side the column with the fewest digits. */
static void print_event(FILE *stream, int width, const struct verdict *first,
                        const struct verdict *end, const char *name)
{
    const struct verdict *worst[AT_EVENT] = {NULL};
    bool headed = false;
    for (const struct verdict *verdict = first; verdict < end; verdict++) {
        enum quantity_place place = place_of(verdict);
        if (place == AT_EVENT) {
            print_event_line(stream, width, verdict, !headed, name);
            headed = true;
        } else if (is_fewer(verdict, worst[place])) {
            worst[place] = verdict;
        }
    }
    for (int place = BEFORE_EVENT; place <= AFTER_EVENT; place++)
        if (worst[place]) {
            print_event_line(stream, width, worst[place], !headed, name);
            headed = true;
        }
}

static void print_event_table(FILE *stream, const struct row *row,
                              const char *const *name, int events)
{
    const struct verdict *end = row->verdict + row->numbers;
    int width = 14;
    for (const struct verdict *verdict = row->verdict; verdict < end; verdict++)
        if (event_of(verdict) > 0) {
            char column[QUANTITY_NAME];
            column_of(verdict, column);
            width = (int)fmax(width, (double)strlen(column) + 7);
        }
    fprintf(stream, "\n%s%-20s  %-*s  %7s  %24s  %24s  %9s%s\n", colour_on(stream, BOLD),
            "event", width, "quantity", "digits", "got", "want", "scale",
            colour_off(stream));
    for (const struct verdict *first = row->verdict, *last; first < end; first = last) {
        int event = event_of(first);
        for (last = first + 1; last < end && event_of(last) == event;)
            last++;
        if (event > 0)
            print_event(stream, width, first, last,
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
