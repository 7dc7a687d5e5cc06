/*
 * json.c - verdicts for programs.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
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
        memory_exhausted();
    fprintf(stream, ",\n%s", text);
    cJSON_free(text);
    cJSON_Delete(object);
}

/* A bar and a verdict where the number is judged. */
static cJSON *number_of(const struct row *row, const struct judged *judged,
                        bool is_judged, bool held)
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

/* One order of events together: their names and times by each parameter, and the point
   after them, whose derivatives are one-sided. */
static cJSON *order_of(const struct columns *columns, const struct order_tried *order)
{
    cJSON *object = cJSON_CreateObject();
    cJSON *events = cJSON_AddArrayToObject(object, "events");
    for (int k = 0; k < order->events; k++) {
        cJSON *event = cJSON_CreateObject();
        cJSON_AddStringToObject(event, "name", order->event[k]->name);
        for (int j = 0; j < columns->p; j++) {
            char name[80];
            snprintf(name, sizeof name, "dt/d%.60s", column_parameter(columns, j));
            json_number(event, name, order->tau[k * columns->p + j]);
        }
        cJSON_AddItemToArray(events, event);
    }
    if (!order->after.x) {
        cJSON_AddStringToObject(object, "refused", status_text(order->refusal.status));
        return object;
    }
    cJSON *after = cJSON_AddObjectToObject(object, "after");
    for (int c = 0; c < columns->count; c++) {
        char name[80];
        column_name(columns, c, name, sizeof name);
        if (column_present(columns, c, order->after.mode))
            json_number(after, name, order->after.x[c]);
    }
    return object;
}

void report_json_together(FILE *stream, const struct row *row,
                          const struct columns *columns, const struct together *together)
{
    cJSON *object = object_of(row);
    cJSON *told = cJSON_AddObjectToObject(object, "together");
    cJSON_AddStringToObject(told, "events", together->names);
    json_number(told, "t", together->t);
    cJSON_AddBoolToObject(told, "agree", together->agree);
    cJSON *orders = cJSON_AddArrayToObject(told, "orders");
    for (int k = 0; k < together->orders; k++)
        cJSON_AddItemToArray(orders, order_of(columns, &together->order[k]));
    cJSON_AddNullToObject(object, "pass");
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

static void print_grazing(FILE *stream, const struct row *row)
{
    cJSON *object = object_of(row);
    cJSON *grazing = cJSON_AddObjectToObject(object, "near_grazing");
    json_number(grazing, "event", row->grazing.event);
    json_number(grazing, "t", row->grazing.t);
    json_number(grazing, "condition", row->grazing.condition);
    json_number(grazing, "digits_lost", told_digits(log10(row->grazing.condition)));
    cJSON_AddNullToObject(object, "pass");
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
            cJSON *object = object_of(row);
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
