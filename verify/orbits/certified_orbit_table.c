/*
 * certified_orbit_table.c - certified orbits for people (certified_orbit.h)
 */
#include <math.h>
#include <stdlib.h>

#include "orbits/certified_orbit.h"
#include "tables/text_table.h"

enum { NAME_ROOM = 200 };

/* Columns of the table: name, value, digits agreed. */
struct table {
    FILE *stream;
    const struct certificate *certificate;
    struct text_column column[3];
    int digits;
};

static void print_number(const struct table *table, int place)
{
    const struct mp_orbit *o = table->certificate->orbit;
    char name[NAME_ROOM], *text = NULL;
    size_t length = 0;
    mp_orbit_name(table->certificate, place, name, sizeof name);
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return;
    certificate_number(memory, o->x + place, table->digits);
    fclose(memory);
    text_cell(table->stream, &table->column[0], "%s", name);
    text_cell(table->stream, &table->column[1], "%s%s",
              mpfr_sgn(o->x + place) < 0 ? "" : " ", text);
    text_cell(table->stream, &table->column[2], "%d", (int)floor(o->agreed_on[place]));
    fputc('\n', table->stream);
    free(text);
}

/* Numbers first .. last - 1 of lane j. */
static void print_numbers(const struct table *table, int first, int last, int j)
{
    for (int i = first; i < last; i++)
        print_number(table, (1 + j) * table->certificate->orbit->count + i);
}

static void fit_names(struct table *table)
{
    const struct mp_orbit *o = table->certificate->orbit;
    char name[NAME_ROOM];
    for (int i = 0; i < (1 + o->parameters) * o->count; i++) {
        bool printed = i < o->count || i % o->count <= o->drifts ||
                       i % o->count >= mp_orbit_place(o, MP_ORBIT_MULTIPLIER, 0, 0, -1);
        mp_orbit_name(table->certificate, i, name, sizeof name);
        if (printed)
            text_column_fit(&table->column[0], name);
    }
}

/* Says why the period is the least: no part of it is one. */
static void print_least(FILE *stream, const struct certificate *certificate)
{
    double digits;
    const struct mp_orbit *o = certificate->orbit;
    if (mp_orbit_rounds(o, certificate->agreed / 2.0, &digits) > 1)
        fputs("the period is a multiple of the least one\n\n", stream);
    else if (digits < 0)
        fputs("the period is the least: in no part of it are the events the same again"
              "\n\n", stream);
    else
        fprintf(stream, "the period is the least: where the events are the same again in "
                "a part of it, the\nstates after them differ by %.1g of their size\n\n",
                pow(10, -digits));
}

void certified_orbit_table(FILE *stream, const struct certificate *certificate,
                           int digits)
{
    const struct mp_orbit *o = certificate->orbit;
    struct table table = {
        .stream = stream, .certificate = certificate, .digits = digits,
        .column = {{"number", TEXT_LEFT, 0, 6}, {" value", TEXT_LEFT, 2, digits + 7},
                   {"agreed", TEXT_RIGHT, 2, 6}}};
    int event = mp_orbit_place(o, MP_ORBIT_TIME, 0, 0, -1);
    int node = mp_orbit_place(o, MP_ORBIT_NODE, 0, 0, -1);
    int multiplier = mp_orbit_place(o, MP_ORBIT_MULTIPLIER, 0, 0, -1);
    fprintf(stream, "%s: periodic motion, certified to %d digits, %d carried; "
            "%d event%s, %d node%s\n", certificate->case_name, certificate->agreed,
            certificate->digits, o->events, o->events == 1 ? "" : "s", o->nodes,
            o->nodes == 1 ? "" : "s");
    fprintf(stream, "multipliers besides: %d equal to 1, %d equal to 0, to %.0f "
            "digits\n", o->ones, o->zeros, floor(o->one_agreed));
    print_least(stream, certificate);
    fit_names(&table);
    text_heading(stream, table.column, 3);
    print_numbers(&table, 0, event, -1);
    print_numbers(&table, multiplier, o->count, -1);
    print_numbers(&table, event, node, -1);
    for (int j = 0; j < o->parameters; j++) {
        print_numbers(&table, 0, event, j);
        print_numbers(&table, multiplier, o->count, j);
    }
    fprintf(stream, "\n%d steps of Newton's method, %ld runs of segments", o->steps,
            o->runs);
    if (!isnan(o->order))
        fprintf(stream, "; observed order of differences of orbits %.3f", o->order);
    fputc('\n', stream);
}

static void print_digits(FILE *stream, const char *what, double digits)
{
    if (!isnan(digits))
        fprintf(stream, "%s %.1f", what, digits);
}

void certified_orbit_line(FILE *stream, const struct certificate *certificate,
                          const struct orbit_agreement *agreement)
{
    fprintf(stream, "certified values (%d digits):", certificate->agreed);
    print_digits(stream, " period", agreement->period);
    print_digits(stream, ", states", agreement->states);
    print_digits(stream, ", derivatives", agreement->derivatives);
    print_digits(stream, ", multipliers", agreement->multipliers);
    fputs(" digits in double\n", stream);
}
