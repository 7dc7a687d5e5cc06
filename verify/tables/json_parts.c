/*
 * json_parts.c - numbers, diagnoses and lists as cJSON (json_parts.h)
 */
#include "tables/json_parts.h"

#include <math.h>

#include "base/memory.h"
#include "base/number_text.h"
#include "verdict/row_status.h"

char *json_printed(const cJSON *value)
{
    char *text = cJSON_PrintUnformatted(value);
    if (!text)
        memory_exhausted();
    return text;
}

void json_print(FILE *stream, cJSON *value)
{
    char *text = cJSON_Print(value);
    if (!text)
        memory_exhausted();
    fprintf(stream, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(value);
}

void json_text(cJSON *object, const char *name, const char *text)
{
    if (text[0])
        cJSON_AddStringToObject(object, name, text);
    else
        cJSON_AddNullToObject(object, name);
}

void json_number(cJSON *object, const char *name, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static cJSON *exact(double value)
{
    char text[NUMBER_TEXT_ROOM];
    number_text(text, value);
    return isfinite(value) ? cJSON_CreateRaw(text) : cJSON_CreateNull();
}

void json_exact(cJSON *object, const char *name, double value)
{
    cJSON_AddItemToObject(object, name, exact(value));
}

void json_exact_row(cJSON *to, const char *name, const double *value, int count)
{
    cJSON *row = cJSON_CreateArray();
    for (int k = 0; k < count; k++)
        cJSON_AddItemToArray(row, exact(value[k]));
    if (name)
        cJSON_AddItemToObject(to, name, row);
    else
        cJSON_AddItemToArray(to, row);
}

void json_numbers(cJSON *object, const char *name, const double *value, int count)
{
    cJSON *list = cJSON_AddArrayToObject(object, name);
    for (int k = 0; k < count; k++)
        cJSON_AddItemToArray(list, isfinite(value[k]) ? cJSON_CreateNumber(value[k])
                                                      : cJSON_CreateNull());
}

cJSON *json_append(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(array, object);
    return object;
}

void json_diagnosis(cJSON *object, const struct diagnosis *diagnosis)
{
    cJSON *part = cJSON_AddObjectToObject(object, "diagnosis");
    cJSON_AddStringToObject(part, "status", status_text(diagnosis->status));
    json_number(part, "t", diagnosis->t);
    cJSON_AddStringToObject(part, "place", diagnosis->place);
}

void json_statistics(cJSON *object, const struct row *row)
{
    const struct verdict *worst = &row->worst;
    cJSON_AddNumberToObject(object, "numbers", (double)row->numbers);
    cJSON_AddNumberToObject(object, "short", (double)row->short_of_bar);
    cJSON_AddNumberToObject(object, "missing", (double)row->missing);
    cJSON_AddNumberToObject(object, "at_cap", row->distribution.at_cap);
    json_number(object, "cap", told_digits(row->cap));
    json_number(object, "least", told_digits(row->least.digits));
    json_number(object, "q01", row_quantile(row, 0.01));
    json_number(object, "q10", row_quantile(row, 0.10));
    json_number(object, "median", row_quantile(row, 0.50));
    if (row->kind != ROW_GAP)
        json_number(object, "spare", told_digits(worst->digits - worst->bar));
    cJSON_AddStringToObject(object, "worst", worst->name);
    json_number(object, "t", worst->t);
    if (row->seed)
        cJSON_AddNumberToObject(object, "seed", row->seed);
}
