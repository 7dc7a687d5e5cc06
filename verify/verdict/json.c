/*
 * json.c - a row of the verdict table and its numbers as JSON objects.
 */
#include "verdict/json.h"

#include <stdlib.h>

#include "base/memory.h"
#include "quantity/quantity.h"
#include "verdict/row_status.h"

cJSON *row_json(const struct row *row)
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

void row_json_print(FILE *stream, cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    if (!text)
        memory_exhausted();
    fprintf(stream, ",\n%s", text);
    cJSON_free(text);
    cJSON_Delete(object);
}

/* A bar and a verdict where the number is judged. */
static cJSON *number_of(const struct row *row, const struct verdict *verdict,
                        bool is_judged, bool held)
{
    cJSON *object = row_json(row);
    cJSON_AddStringToObject(object, "quantity", verdict->name);
    json_number(object, "t", verdict->t);
    cJSON_AddStringToObject(object, "got", verdict->got);
    cJSON_AddStringToObject(object, "want", verdict->want);
    json_number(object, "scale", verdict->scale);
    if (verdict->condition > 0)
        json_number(object, "condition", verdict->condition);
    json_number(object, "digits", told_digits(verdict->digits));
    if (is_judged) {
        json_number(object, "bar", verdict->bar);
        cJSON_AddBoolToObject(object, "pass", held);
    } else {
        cJSON_AddNullToObject(object, "bar");
        cJSON_AddNullToObject(object, "pass");
    }
    return object;
}

void row_json_number(FILE *stream, const struct row *row, const struct verdict *verdict,
                        bool held)
{
    row_json_print(stream, number_of(row, verdict, row->kind != ROW_GAP, held));
}

void row_json_published(FILE *stream, const struct row *row,
                           const struct verdict *verdict, bool held,
                           const struct published *published)
{
    cJSON *object = number_of(row, verdict, !published->disputed, held);
    cJSON_AddStringToObject(object, "source", published->source);
    if (published->disputed)
        cJSON_AddStringToObject(object, "disputed", published->disputed);
    row_json_print(stream, object);
}

void row_json_refusal(FILE *stream, const struct row *row)
{
    cJSON *object = row_json(row);
    json_diagnosis(object, &row->refusal);
    if (row->kind == ROW_EMPTY)
        cJSON_AddNullToObject(object, "pass");
    else
        cJSON_AddBoolToObject(object, "pass", row->held);
    row_json_print(stream, object);
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
            const struct quantity quantity =
                quantity_of_time(0, column_parameter(columns, j));
            quantity_print(&quantity, name, sizeof name);
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

void row_json_together(FILE *stream, const struct row *row,
                          const struct columns *columns, const struct together *together)
{
    cJSON *object = row_json(row);
    cJSON *told = cJSON_AddObjectToObject(object, "together");
    cJSON_AddStringToObject(told, "events", together->names);
    json_number(told, "t", together->t);
    cJSON_AddBoolToObject(told, "agree", together->agree);
    cJSON *orders = cJSON_AddArrayToObject(told, "orders");
    for (int k = 0; k < together->orders; k++)
        cJSON_AddItemToArray(orders, order_of(columns, &together->order[k]));
    cJSON_AddNullToObject(object, "pass");
    row_json_print(stream, object);
}
