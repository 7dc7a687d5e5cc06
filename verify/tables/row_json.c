/*
 * row_json.c - a row of the verdict table and its numbers as JSON objects.
 */
#include "tables/row_json.h"

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

void row_json_print(struct json_list *list, cJSON *object)
{
    char *text = json_printed(object);
    fprintf(list->stream, "%s\n%s", list->begun ? "," : "", text);
    list->begun = true;
    cJSON_free(text);
    cJSON_Delete(object);
}

static const struct remark *remark_of(const struct row *row, enum remark_kind kind,
                                      int verdict, int *from)
{
    for (int k = *from; k < row->remarks; k++)
        if (row->remark[k].kind == kind && row->remark[k].at == verdict) {
            *from = k;
            return &row->remark[k];
        }
    return NULL;
}

/* The object of a number, with a bar and a verdict where the number is judged. */
static cJSON *number_of(const struct row *row, const struct verdict *verdict)
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
    if (verdict->status != VERDICT_SHOWN) {
        json_number(object, "bar", verdict->bar);
        cJSON_AddBoolToObject(object, "pass", verdict->status == VERDICT_PASS);
    } else {
        cJSON_AddNullToObject(object, "bar");
        cJSON_AddNullToObject(object, "pass");
    }
    return object;
}

static void print_numbers(struct json_list *list, const struct row *row)
{
    int source = 0, disputed = 0;
    for (int k = 0; k < row->verdicts; k++) {
        cJSON *object = number_of(row, &row->verdict[k]);
        const struct remark *remark = remark_of(row, REMARK_SOURCE, k, &source);
        if (remark)
            cJSON_AddStringToObject(object, "source", remark->text);
        remark = remark_of(row, REMARK_DISPUTED, k, &disputed);
        if (remark)
            cJSON_AddStringToObject(object, "disputed", remark->text);
        row_json_print(list, object);
    }
}

static void print_refusal(struct json_list *list, const struct row *row)
{
    cJSON *object = row_json(row);
    json_diagnosis(object, &row->refusal);
    if (row->kind == ROW_EMPTY)
        cJSON_AddNullToObject(object, "pass");
    else
        cJSON_AddBoolToObject(object, "pass", row->held);
    row_json_print(list, object);
}

/* --- events together ---------------------------------------------------------------- */

/* The objects that remarks are added to, the outer ones first. */
struct together_objects {
    cJSON *row, *orders, *order, *events, *event, *after;
};

static void end_together(struct json_list *list, struct together_objects *at)
{
    if (!at->row)
        return;
    cJSON_AddNullToObject(at->row, "pass");
    row_json_print(list, at->row);
    *at = (struct together_objects){0};
}

static void begin_together(struct together_objects *at, const struct row *row,
                           const struct remark *remark)
{
    at->row = row_json(row);
    cJSON *told = cJSON_AddObjectToObject(at->row, "together");
    cJSON_AddStringToObject(told, "events", remark->text);
    json_number(told, "t", remark->value);
    cJSON_AddBoolToObject(told, "agree", remark->at);
    at->orders = cJSON_AddArrayToObject(told, "orders");
}

static void add_to_together(struct together_objects *at, const struct remark *remark)
{
    if (!at->row)
        return;
    switch (remark->kind) {
    case REMARK_ORDER:
        at->order = json_append(at->orders);
        at->events = cJSON_AddArrayToObject(at->order, "events");
        break;
    case REMARK_EVENT:
        at->event = json_append(at->events);
        cJSON_AddStringToObject(at->event, "name", remark->text);
        break;
    case REMARK_TAU:
        json_number(at->event, remark->text, remark->value);
        break;
    case REMARK_REFUSED:
        cJSON_AddStringToObject(at->order, "refused", remark->text);
        break;
    case REMARK_AFTER:
        at->after = cJSON_AddObjectToObject(at->order, "after");
        break;
    case REMARK_NUMBER:
        json_number(at->after, remark->text, remark->value);
        break;
    default:
        break;
    }
}

static void print_together(struct json_list *list, const struct row *row)
{
    struct together_objects at = {0};
    for (int k = 0; k < row->remarks; k++)
        if (row->remark[k].kind == REMARK_TOGETHER) {
            end_together(list, &at);
            begin_together(&at, row, &row->remark[k]);
        } else {
            add_to_together(&at, &row->remark[k]);
        }
    end_together(list, &at);
}

void row_json_verdicts(struct json_list *list, const struct row *row)
{
    if (row->refusal.status != OK)
        print_refusal(list, row);
    else
        print_numbers(list, row);
    print_together(list, row);
}
