/*
 * json.c - verdicts for programs.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tables/report.h"
#include "verdict/json.h"
#include "verdict/row_status.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

/* "note" or "cause" of a row */
static void print_text(FILE *stream, const struct row *row, const char *name,
                       const char *text)
{
    if (!text[0])
        return;
    cJSON *object = row_json(row);
    cJSON_AddStringToObject(object, name, text);
    if (row->kind == ROW_EMPTY)
        cJSON_AddNullToObject(object, "pass");
    else
        cJSON_AddBoolToObject(object, "pass", row->held);
    row_json_print(stream, object);
}

static void print_grazing(FILE *stream, const struct row *row)
{
    cJSON *object = row_json(row);
    cJSON *grazing = cJSON_AddObjectToObject(object, "near_grazing");
    json_number(grazing, "event", row->grazing.event);
    json_number(grazing, "t", row->grazing.t);
    json_number(grazing, "condition", row->grazing.condition);
    json_number(grazing, "digits_lost", told_digits(log10(row->grazing.condition)));
    cJSON_AddNullToObject(object, "pass");
    row_json_print(stream, object);
}

/* All objects of the rows as one text, the first without its comma. */
static void print_verdicts(FILE *stream, const struct rows *const *rows, int count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *list = open_memstream(&text, &size);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            fputs(row->json ? row->json : "", list);
            print_text(list, row, "note", row->note);
            print_text(list, row, "cause", row->cause);
            if (row->grazing.condition > 0)
                print_grazing(list, row);
        }
    fclose(list);
    fputs(size > 0 ? text + 1 : "", stream);
    free(text);
}

/* One object a row that has numbers. */
static void print_statistics(FILE *stream, const struct rows *const *rows, int count)
{
    const char *separator = "";
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            if (!row_outcome(row)->numbers)
                continue;
            cJSON *object = row_json(row);
            json_statistics(object, row);
            char *text = cJSON_PrintUnformatted(object);
            if (!text)
                memory_exhausted();
            fprintf(stream, "%s\n%s", separator, text);
            separator = ",";
            cJSON_free(text);
            cJSON_Delete(object);
        }
}

/* {"saltus": ..., "settings": {...}, to be gone on with. */
static void print_beginning(FILE *stream, const char *const *settings)
{
    cJSON *object = cJSON_CreateObject();
    for (int k = 0; settings[k]; k += 2)
        json_text(object, settings[k], settings[k + 1]);
    char *text = cJSON_PrintUnformatted(object);
    fprintf(stream, "{\"saltus\":\"%s\",\"settings\":%s,", SALTUS_VERSION, text);
    cJSON_free(text);
    cJSON_Delete(object);
}

void report_study_json(FILE *stream, const char *const *settings, const char *study,
                       const cJSON *found)
{
    const cJSON *item;
    const char *separator = "";
    print_beginning(stream, settings);
    fprintf(stream, "\"study\":\"%s\",\"found\":[", study);
    cJSON_ArrayForEach(item, found) {
        char *text = cJSON_PrintUnformatted(item);
        fprintf(stream, "%s\n%s", separator, text);
        cJSON_free(text);
        separator = ",";
    }
    fputs("\n]}\n", stream);
}

void report_json(FILE *stream, const char *const *settings,
                 const struct rows *const *rows, int count)
{
    print_beginning(stream, settings);
    fputs("\"verdicts\":[", stream);
    print_verdicts(stream, rows, count);
    fputs("\n],\"statistics\":[", stream);
    print_statistics(stream, rows, count);
    fputs("\n]}\n", stream);
}
