/*
 * regress_write.c - a table of verdicts as text, one record a line (regress.h).
 */
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "regress.h"
#include "report/parts.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

static void print_line(FILE *stream, cJSON *object, bool *first)
{
    char *text = cJSON_PrintUnformatted(object);
    if (!text)
        memory_exhausted();
    fprintf(stream, "%s%s", *first ? "" : ",\n", text);
    *first = false;
    cJSON_free(text);
    cJSON_Delete(object);
}

static cJSON *object_of(const struct row *row)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", row->case_name);
    cJSON_AddStringToObject(object, "solution", row->solution);
    cJSON_AddStringToObject(object, "oracle", row->oracle);
    return object;
}

static cJSON *record_of_row(const struct row *row)
{
    const struct outcome *outcome = row_outcome(row);
    cJSON *object = object_of(row);
    cJSON_AddStringToObject(object, "verdict", outcome->name);
    if (row->integrator[0])
        cJSON_AddStringToObject(object, "integrator", row->integrator);
    json_number(object, "rtol", row->rtol);
    if (outcome->numbers)
        json_statistics(object, row);
    else if (row->kind != ROW_ABSENT && row->refusal.status != OK)
        json_diagnosis(object, &row->refusal);
    if (row->note[0])
        cJSON_AddStringToObject(object, "note", row->note);
    return object;
}

static cJSON *record_of_kind(const struct row *row, const struct kind_digits *kind)
{
    cJSON *object = object_of(row);
    cJSON_AddStringToObject(object, "kind", kind->name);
    json_number(object, "digits", told_digits(kind->digits));
    cJSON_AddStringToObject(object, "quantity", kind->quantity);
    json_number(object, "t", kind->t);
    return object;
}

static void print_row(FILE *stream, const struct row *row, bool *first)
{
    print_line(stream, record_of_row(row), first);
    for (int k = 0; row_outcome(row)->numbers && k < row->kinds; k++)
        print_line(stream, record_of_kind(row, &row->by_kind[k]), first);
}

static void print_head(FILE *stream, const char *const *settings,
                       const char *const *cases)
{
    cJSON *head = cJSON_CreateObject(), *asked = cJSON_CreateObject();
    cJSON *names = cJSON_CreateArray();
    for (int k = 0; settings[k]; k += 2)
        json_text(asked, settings[k], settings[k + 1]);
    for (; *cases; cases++)
        cJSON_AddItemToArray(names, cJSON_CreateString(*cases));
    cJSON_AddNumberToObject(head, "saltus-regress", TABLE_FORMAT);
    cJSON_AddStringToObject(head, "saltus", SALTUS_VERSION);
    cJSON_AddStringToObject(head, "compiler", __VERSION__);
    cJSON_AddItemToObject(head, "settings", asked);
    cJSON_AddItemToObject(head, "cases", names);
    char *text = cJSON_PrintUnformatted(head);
    if (!text)
        memory_exhausted();
    text[strlen(text) - 1] = '\0';      /* without its brace: more follows */
    fprintf(stream, "%s,\"records\":[\n", text);
    cJSON_free(text);
    cJSON_Delete(head);
}

void table_write(FILE *stream, const char *const *settings, const char *const *cases,
                 const struct rows *const *rows, int count)
{
    bool first = true;
    print_head(stream, settings, cases);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++)
            print_row(stream, &rows[i]->row[k], &first);
    fputs("\n]}\n", stream);
}
