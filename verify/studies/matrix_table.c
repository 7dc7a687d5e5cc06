/*
 * matrix_table.c - the matrix of formulations and cases, as a table and as JSON.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "quantity/quantity.h"
#include "studies/matrix.h"
#include "tables/json_parts.h"
#include "tables/report.h"
#include "verdict/row_status.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

/* A name of a case longer than NAME goes on after a hyphen, on the next line. */
enum { LINE = 100, NAME = 25, INDENT = 2, MOST_LINES = 4 };

/* Reasons of empty cells, each once; a letter stands for it in the table. */
struct legend {
    int count, room;
    const char **reason;
};

struct layout {
    const struct matrix *matrix;
    struct legend legend;
    int name;                       /* width of the column of cases */
    struct text_column *column;     /* [formulations] a column each */
    bool *gap;                      /* [formulations] some cell of the column has a gap */
};

static const struct cell *cell_at(const struct matrix *matrix, int i, int k)
{
    return &matrix->cell[i * matrix->formulations + k];
}

/* --- legend ------------------------------------------------------------------------- */

static int legend_find(struct legend *legend, const char *reason)
{
    for (int k = 0; k < legend->count; k++)
        if (strcmp(legend->reason[k], reason) == 0)
            return k;
    legend->reason = memory_grow(legend->reason, &legend->room, legend->count + 1,
                                 sizeof *legend->reason);
    legend->reason[legend->count] = reason;
    return legend->count++;
}

/* a, b, .., z, aa, ab, .. */
static const char *letter(int k, char text[3])
{
    int first = k / 26;
    snprintf(text, 3, "%c%c", first ? 'a' + (first - 1) % 26 : 'a' + k % 26,
             first ? 'a' + k % 26 : '\0');
    return text;
}

/* Prints the words of a text in lines of at most LINE characters, further ones
   indented. */
static void print_wrapped(FILE *stream, const char *text, int indent)
{
    int column = indent;
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (column > indent && column + 1 + length > LINE) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', stream);
            column++;
        }
        fprintf(stream, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " \n");
    }
    fputc('\n', stream);
}

static void print_legend(FILE *stream, const struct legend *legend)
{
    char text[3];
    if (legend->count > 0)
        fputc('\n', stream);
    for (int k = 0; k < legend->count; k++) {
        fprintf(stream, "  %-2s  ", letter(k, text));
        print_wrapped(stream, legend->reason[k], 6);
    }
}

/* --- columns ------------------------------------------------------------------------ */

/* Piece `line` of a name that is broken after its hyphens: "modified-", "lagrange". */
static const char *piece_of_name(const char *name, int line, int *length)
{
    for (int k = 0;; k++) {
        *length = (int)strcspn(name, "-");
        *length += name[*length] == '-';
        if (k == line || *length == 0)
            return name;
        name += *length;
    }
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* How many characters of a case's name have room: all, or those up to a hyphen. */
static int part_of_case(const char *name, int room)
{
    int length = (int)strlen(name);
    for (int k = room; k > 0 && length > room; k--)
        if (name[k - 1] == '-')
            return k;
    return length;
}

static void lay_out(struct layout *layout, const struct matrix *matrix)
{
    int total = 0, length;
    *layout = (struct layout){.matrix = matrix, .name = 4};
    layout->column = memory_new(matrix->formulations, sizeof *layout->column);
    layout->gap = memory_new(matrix->formulations, sizeof *layout->gap);
    for (int i = 0; i < matrix->cases; i++) {
        const char *name = cell_at(matrix, i, 0)->desc->name;
        layout->name = most(layout->name, part_of_case(name, NAME));
        for (int k = 0; k < matrix->formulations; k++)
            layout->gap[k] = layout->gap[k] || cell_at(matrix, i, k)->gap;
    }
    for (int k = 0; k < matrix->formulations; k++) {
        const char *name = cell_at(matrix, 0, k)->formulation->name;
        layout->column[k] = (struct text_column){
            .side = TEXT_RIGHT, .width = layout->gap[k] ? 12 : 5};
        for (int line = 0; line < MOST_LINES; line++) {
            piece_of_name(name, line, &length);
            layout->column[k].width = most(layout->column[k].width, length);
        }
        total += layout->column[k].width;
    }
    bool wide = layout->name + total + 2 * matrix->formulations <= LINE;
    for (int k = 0; k < matrix->formulations; k++)
        layout->column[k].gap = wide ? 2 : 1;
}

static void lay_down(struct layout *layout)
{
    free(layout->legend.reason);
    free(layout->column);
    free(layout->gap);
}

/* Names stand at the bottom of the heading. */
static void print_names(FILE *stream, const struct layout *layout)
{
    const struct matrix *matrix = layout->matrix;
    int lines = 1, length;
    for (int k = 0; k < matrix->formulations; k++)
        for (int line = lines; line < MOST_LINES; line++) {
            piece_of_name(cell_at(matrix, 0, k)->formulation->name, line, &length);
            lines = length > 0 ? line + 1 : lines;
        }
    for (int line = 0; line < lines; line++) {
        const struct text_column name_column = {"", TEXT_LEFT, 0, layout->name};
        fputs(colour_on(stream, BOLD), stream);
        text_cell(stream, &name_column, "%s", line == lines - 1 ? "case" : "");
        for (int k = 0; k < matrix->formulations; k++) {
            const char *name = cell_at(matrix, 0, k)->formulation->name;
            int own = 1;
            for (; own < MOST_LINES; own++) {
                piece_of_name(name, own, &length);
                if (length == 0)
                    break;
            }
            int which = line - (lines - own);
            const char *piece = piece_of_name(name, which > 0 ? which : 0, &length);
            text_cell(stream, &layout->column[k], "%.*s", which < 0 ? 0 : length, piece);
        }
        fprintf(stream, "%s\n", colour_off(stream));
    }
}

/* Prints the error, its mark or a blank, and the gap; or the letter of a reason. */
static void print_cell(FILE *stream, struct layout *layout, int k,
                       const struct cell *cell)
{
    int gap = layout->gap[k] ? 7 : 0;
    char text[3], size[20];
    if (!cell->error) {
        int which = legend_find(&layout->legend, cell->why_empty);
        text_cell(stream, &layout->column[k], "%s%*s", letter(which, text), 1 + gap, "");
        return;
    }
    if (cell->gap && cell->gap->missing == 0)
        snprintf(size, sizeof size, "%.1e", cell_gap(cell));
    else
        snprintf(size, sizeof size, "%s", cell->gap ? "events" : "");
    text_cell(stream, &layout->column[k], "%.1f%c%*s",
              digits_to(cell->error->least.digits, 1), cell->error->held ? ' ' : '!', gap,
              size);
}

/* The last part of a name stands before its cells, the others on lines above. */
static void print_name(FILE *stream, const struct layout *layout, const char *name)
{
    int indent = 0;
    for (int part; (part = part_of_case(name, layout->name - indent)) < (int)strlen(name);
         name += part) {
        fprintf(stream, "%*s%.*s\n", indent, "", part, name);
        indent = INDENT;
    }
    const struct text_column column = {"", TEXT_LEFT, indent, layout->name - indent};
    text_cell(stream, &column, "%s", name);
}

static void print_case(FILE *stream, struct layout *layout, int i)
{
    const struct matrix *matrix = layout->matrix;
    char *line = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&line, &size);
    if (!text)
        memory_exhausted();
    print_name(text, layout, cell_at(matrix, i, 0)->desc->name);
    for (int k = 0; k < matrix->formulations; k++)
        print_cell(text, layout, k, cell_at(matrix, i, k));
    fclose(text);
    while (size > 0 && line[size - 1] == ' ')
        size--;
    fprintf(stream, "%.*s\n", (int)size, line);
    free(line);
}

/* --- why ---------------------------------------------------------------------------- */

static bool is_explained(const struct cell *cell)
{
    return cell->constrained && cell->error &&
           (cell->formulation->capabilities & KEEPS_CONSTRAINTS);
}

/* "dlambda.1/dL01, t = 3.125"; names at events say their place themselves. */
static void place_of(const struct verdict *verdict, char *text, int size)
{
    const struct quantity quantity = quantity_parse(verdict->name);
    int used = snprintf(text, (size_t)size, "%s", verdict->name);
    if (!is_at_event(&quantity))
        snprintf(text + used, (size_t)(size - used), ", t = %.4g", verdict->t);
}

enum { REASON_KINDS = 6 };
static const struct text_column reason_column[] = {
    {"", TEXT_LEFT, 2, 9}, {"least", TEXT_RIGHT, 0, 6}, {"q", TEXT_RIGHT, 0, 5},
    {"v", TEXT_RIGHT, 0, 5}, {"lambda", TEXT_RIGHT, 0, 7}, {"q", TEXT_RIGHT, 0, 5},
    {"v", TEXT_RIGHT, 0, 5}, {"lambda", TEXT_RIGHT, 0, 7},
    {"number with the least digits", TEXT_LEFT, 2, 30}, {"limited by", TEXT_LEFT, 2, 0}};
enum { REASON_COLUMNS = sizeof reason_column / sizeof *reason_column };

static void print_reason(FILE *stream, const struct cell *cell)
{
    static const char *const kind[REASON_KINDS] = {"q", "v", "lambda", "dq", "dv",
                                                   "dlambda"};
    const struct text_column *column = reason_column;
    char place[160], why[80];
    text_cell(stream, column++, "%s", cell->formulation->name);
    text_cell_number(stream, column++, 1, digits_to(cell->error->least.digits, 1), "-");
    for (int k = 0; k < REASON_KINDS; k++)
        text_cell_number(stream, column++, 1,
                         digits_to(row_kind_digits(cell->error, kind[k]), 1), "-");
    place_of(&cell->error->least, place, sizeof place);
    cell_explain(cell, why, sizeof why);
    text_cell(stream, column++, "%s", place);
    text_cell(stream, column, "%s\n", why);
}

static const char heading_of_reasons[] =
    "The exact motion, where there are constraints: the digits of each kind of number, "
    "the number with the least, and what limits it: the orders of a DAE method in q, v, "
    "lambda, the condition of the derivative, or else the tolerance.";

static void print_reasons(FILE *stream, const struct matrix *matrix)
{
    fputc('\n', stream);
    print_wrapped(stream, heading_of_reasons, 0);
    fprintf(stream, "\n%s%34s%19s%s\n", colour_on(stream, BOLD), "values", "d/drho",
            colour_off(stream));
    text_heading(stream, reason_column, REASON_COLUMNS);
    for (int i = 0; i < matrix->cases; i++) {
        bool named = false;
        for (int k = 0; k < matrix->formulations; k++) {
            const struct cell *cell = cell_at(matrix, i, k);
            if (!is_explained(cell))
                continue;
            if (!named)
                fprintf(stream, "%s\n", cell->desc->name);
            named = true;
            print_reason(stream, cell);
        }
    }
}

static const char heading[] =
    "Digits that every number of a run has at least: values and derivatives, at all "
    "times and on both sides of every event, against the certified values of the motion "
    "that the formulation follows, the exact one or its own. This is the numerical "
    "error; \"!\": some number is below its bar. Beside it, where the motion is its own, "
    "the modelling gap: the largest difference of q, v and event times from the exact "
    "motion, relative to the largest of their kind. A letter: no numbers, see below.";

void report_matrix(FILE *stream, const struct matrix *matrix)
{
    struct layout layout;
    lay_out(&layout, matrix);
    print_wrapped(stream, heading, 0);
    fputc('\n', stream);
    print_names(stream, &layout);
    for (int i = 0; i < matrix->cases; i++)
        print_case(stream, &layout, i);
    print_legend(stream, &layout.legend);
    print_reasons(stream, matrix);
    lay_down(&layout);
}

/* --- JSON --------------------------------------------------------------------------- */

static double two_decimals(double value)
{
    return round(value * 100.0) / 100.0;
}

static void add_judged(cJSON *object, const char *name, const struct verdict *verdict)
{
    cJSON *item = cJSON_AddObjectToObject(object, name);
    cJSON_AddStringToObject(item, "quantity", verdict->name);
    cJSON_AddNumberToObject(item, "t", verdict->t);
    cJSON_AddStringToObject(item, "got", verdict->got);
    cJSON_AddStringToObject(item, "want", verdict->want);
    cJSON_AddNumberToObject(item, "scale", verdict->scale);
    cJSON_AddNumberToObject(item, "condition", verdict->condition);
    cJSON_AddNumberToObject(item, "digits", two_decimals(verdict->digits));
    cJSON_AddNumberToObject(item, "bar", verdict->bar);
}

static void add_numbers(cJSON *object, const struct cell *cell)
{
    const struct row *row = cell->error;
    char why[300];
    cell_explain(cell, why, sizeof why);
    cJSON_AddStringToObject(object, "integrator", row->integrator);
    cJSON_AddNumberToObject(object, "rtol", row->rtol);
    cJSON_AddNumberToObject(object, "numbers", (double)row->numbers);
    cJSON_AddNumberToObject(object, "digits", two_decimals(row->least.digits));
    cJSON_AddBoolToObject(object, "pass", row->held);
    cJSON_AddStringToObject(object, "why", why);
    add_judged(object, "least", &row->least);
    cJSON *kinds = cJSON_AddObjectToObject(object, "least_of");
    for (int k = 0; k < row->kinds; k++)
        cJSON_AddNumberToObject(kinds, row->by_kind[k].name,
                                two_decimals(row->by_kind[k].digits));
    if (!cell->gap)
        return;
    cJSON_AddNumberToObject(object, "gap", cell_gap(cell));
    cJSON_AddBoolToObject(object, "gap_has_other_events", cell->gap->missing > 0);
    add_judged(object, "gap_at", &cell->gap->worst);
}

void report_matrix_json(FILE *stream, const struct matrix *matrix)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "saltus", SALTUS_VERSION);
    cJSON_AddStringToObject(object, "reset", reset_policy_text[matrix->settings.reset]);
    cJSON *cells = cJSON_AddArrayToObject(object, "matrix");
    for (int k = 0; k < matrix->cases * matrix->formulations; k++) {
        const struct cell *cell = &matrix->cell[k];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToArray(cells, item);
        cJSON_AddStringToObject(item, "case", cell->desc->name);
        cJSON_AddStringToObject(item, "formulation", cell->formulation->name);
        if (cell->error)
            add_numbers(item, cell);
        else
            cJSON_AddStringToObject(item, "empty", cell->why_empty);
    }
    json_print(stream, object);
}
