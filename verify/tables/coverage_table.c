/*
 * coverage_table.c - the table of events by mechanisms: how many cases, then their names.
 */
#include <string.h>

#include "coverage/coverage.h"
#include "tables/json_parts.h"
#include "tables/report.h"

static void print_counts(FILE *stream, const struct coverage *coverage)
{
    const struct text_column name = {"", TEXT_LEFT, 0, 36};
    const struct text_column cell = {"", TEXT_RIGHT, 1, 13};
    text_cell(stream, &name, "%s", "");
    for (int j = 0; j < COVERAGE_COLUMNS; j++)
        text_cell(stream, &cell, "%s", coverage_column_text[j]);
    fputc('\n', stream);
    for (int i = 0; i < COVERAGE_ROWS; i++) {
        text_cell(stream, &name, "%s", coverage_row[i].text);
        for (int j = 0; j < COVERAGE_COLUMNS; j++) {
            int count = coverage->cell[i][j].count;
            if (count)
                text_cell(stream, &cell, "%d", count);
            else
                text_cell_in(stream, &cell, RED, "empty");
        }
        fputc('\n', stream);
    }
}

/* Names in lines of at most 90 columns. */
static void print_names(FILE *stream, const struct coverage_cell *cell, const char *title)
{
    enum { INDENT = 18, WIDTH = 90 };
    int at = fprintf(stream, "  %-*s", INDENT - 2, title);
    for (int k = 0; k < cell->count; k++) {
        const char *name = cell->of[k]->name;
        if (k > 0 && at + (int)strlen(name) + 3 > WIDTH) {
            fprintf(stream, ",\n%*s", INDENT, "");
            at = INDENT;
        } else if (k > 0) {
            at += fprintf(stream, ", ");
        }
        at += fprintf(stream, "%s", name);
    }
    fputc('\n', stream);
}

void report_coverage(FILE *stream, const struct coverage *coverage)
{
    print_counts(stream, coverage);
    for (int i = 0; i < COVERAGE_ROWS; i++) {
        fprintf(stream, "\n%s%s%s\n", colour_on(stream, BOLD), coverage_row[i].text,
                colour_off(stream));
        for (int j = 0; j < COVERAGE_COLUMNS; j++)
            if (coverage->cell[i][j].count)
                print_names(stream, &coverage->cell[i][j], coverage_column_text[j]);
    }
}

void report_coverage_gaps(FILE *stream, const struct coverage *coverage)
{
    for (int i = 0; i < COVERAGE_ROWS; i++)
        for (int j = 0; j < COVERAGE_COLUMNS; j++)
            if (coverage->cell[i][j].count == 0)
                fprintf(stream, "empty: no case has %s, %s\n", coverage_row[i].text,
                        coverage_column_text[j]);
}

void report_coverage_json(FILE *stream, const struct coverage *coverage)
{
    cJSON *whole = cJSON_CreateObject();
    cJSON *rows = cJSON_AddArrayToObject(whole, "rows");
    for (int i = 0; i < COVERAGE_ROWS; i++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "event", coverage_row[i].text);
        for (int j = 0; j < COVERAGE_COLUMNS; j++) {
            const struct coverage_cell *cell = &coverage->cell[i][j];
            cJSON *names = cJSON_AddArrayToObject(row, coverage_column_text[j]);
            for (int k = 0; k < cell->count; k++)
                cJSON_AddItemToArray(names, cJSON_CreateString(cell->of[k]->name));
        }
        cJSON_AddItemToArray(rows, row);
    }
    cJSON_AddNumberToObject(whole, "empty", coverage->empty);
    json_print(stream, whole);
}
