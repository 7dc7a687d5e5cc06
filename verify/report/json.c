/*
 * json.c - verdicts for programs.
 */
#include <stdlib.h>

#include "outcome.h"
#include "report/parts.h"
#include "report/report.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

static cJSON *object_of(const struct row *row)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", row->case_name);
    cJSON_AddStringToObject(object, "formulation", row->solution);
    json_text(object, "integrator", row->integrator);
    json_number(object, "rtol", row->rtol);
    json_text(object, "rule", row->rule);
    cJSON_AddStringToObject(object, "oracle", row->oracle);
    return object;
}

static void print_object(FILE *stream, cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    if (!text)
        abort();
    fprintf(stream, ",\n%s", text);
    cJSON_free(text);
    cJSON_Delete(object);
}

/* A bar and a verdict where the number is judged. */
static cJSON *number_of(const struct row *row, const struct judged *judged, bool is_judged,
                        bool held)
{
    cJSON *object = object_of(row);
    cJSON_AddStringToObject(object, "quantity", judged->name);
    json_number(object, "t", judged->t);
    cJSON_AddStringToObject(object, "got", judged->got);
    cJSON_AddStringToObject(object, "want", judged->want);
    json_number(object, "scale", judged->scale);
    if (judged->condition > 0)
        json_number(object, "condition", judged->condition);
    json_number(object, "digits", told_digits(judged->digits));
    if (is_judged) {
        json_number(object, "bar", judged->bar);
        cJSON_AddBoolToObject(object, "pass", held);
    } else {
        cJSON_AddNullToObject(object, "bar");
        cJSON_AddNullToObject(object, "pass");
    }
    return object;
}

void report_json_number(FILE *stream, const struct row *row, const struct judged *judged,
                        bool held)
{
    print_object(stream, number_of(row, judged, row->kind != ROW_GAP, held));
}

void report_json_published(FILE *stream, const struct row *row,
                           const struct judged *judged, bool held,
                           const struct published *published)
{
    cJSON *object = number_of(row, judged, !published->disputed, held);
    cJSON_AddStringToObject(object, "source", published->source);
    if (published->disputed)
        cJSON_AddStringToObject(object, "disputed", published->disputed);
    print_object(stream, object);
}

void report_json_refusal(FILE *stream, const struct row *row)
{
    cJSON *object = object_of(row);
    json_diagnosis(object, &row->refusal);
    if (row->kind == ROW_EMPTY)
        cJSON_AddNullToObject(object, "pass");
    else
        cJSON_AddBoolToObject(object, "pass", row->held);
    print_object(stream, object);
}

/* "note" or "cause" of a row */
static void print_text(FILE *stream, const struct row *row, const char *name,
                       const char *text)
{
    if (!text[0])
        return;
    cJSON *object = object_of(row);
    cJSON_AddStringToObject(object, name, text);
    if (row->kind == ROW_EMPTY)
        cJSON_AddNullToObject(object, "pass");
    else
        cJSON_AddBoolToObject(object, "pass", row->held);
    print_object(stream, object);
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
            cJSON *object = object_of(row);
            json_statistics(object, row);
            char *text = cJSON_PrintUnformatted(object);
            if (!text)
                abort();
            fprintf(stream, "%s\n%s", separator, text);
            separator = ",";
            cJSON_free(text);
            cJSON_Delete(object);
        }
}

void report_json(FILE *stream, const char *const *settings,
                 const struct rows *const *rows, int count)
{
    cJSON *object = cJSON_CreateObject();
    for (int k = 0; settings[k]; k += 2)
        json_text(object, settings[k], settings[k + 1]);
    char *text = cJSON_PrintUnformatted(object);
    fprintf(stream, "{\"saltus\":\"%s\",\"settings\":%s,\"verdicts\":[", SALTUS_VERSION,
            text);
    cJSON_free(text);
    cJSON_Delete(object);
    print_verdicts(stream, rows, count);
    fputs("\n],\"statistics\":[", stream);
    print_statistics(stream, rows, count);
    fputs("\n]}\n", stream);
}
