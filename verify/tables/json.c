/*
 * json.c - verdicts as one JSON object.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tables/report.h"
#include "tables/row_json.h"
#include "verdict/row_status.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

/* "note" or "cause" of a row */
static void print_text(struct json_list *list, const struct row *row, const char *name,
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
    row_json_print(list, object);
}

static void print_grazing(struct json_list *list, const struct row *row)
{
    cJSON *object = row_json(row);
    cJSON *grazing = cJSON_AddObjectToObject(object, "near_grazing");
    json_number(grazing, "event", row->grazing.event);
    json_number(grazing, "t", row->grazing.t);
    json_number(grazing, "condition", row->grazing.condition);
    json_number(grazing, "digits_lost", told_digits(log10(row->grazing.condition)));
    cJSON_AddNullToObject(object, "pass");
    row_json_print(list, object);
}

static void print_verdicts(FILE *stream, const struct rows *const *rows, int count)
{
    struct json_list list = {.stream = stream};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            row_json_verdicts(&list, row);
            print_text(&list, row, "note", row->note);
            print_text(&list, row, "cause", row->cause);
            if (row->grazing.condition > 0)
                print_grazing(&list, row);
        }
}

/* Prints one object for each row that has numbers. */
static void print_statistics(FILE *stream, const struct rows *const *rows, int count)
{
    struct json_list list = {.stream = stream};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            if (!row_status(row)->numbers)
                continue;
            cJSON *object = row_json(row);
            json_statistics(object, row);
            row_json_print(&list, object);
        }
}

/* Begins the object: {"saltus": ..., "settings": {...}, */
static void print_beginning(FILE *stream, const char *const *settings)
{
    cJSON *object = cJSON_CreateObject();
    for (int k = 0; settings[k]; k += 2)
        json_text(object, settings[k], settings[k + 1]);
    char *text = json_printed(object);
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
        char *text = json_printed(item);
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
