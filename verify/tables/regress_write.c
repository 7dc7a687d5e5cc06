/*
 * regress_write.c - a table of verdicts as text, a row or a kind a line (regress.h).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "tables/json_parts.h"
#include "tables/regress.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

/* Prints the object and frees it. `open`: its last brace is left out, and others go into
   it. */
static void print_object(FILE *stream, cJSON *object, bool open)
{
    char *text = json_printed(object);
    fprintf(stream, "%.*s", (int)strlen(text) - open, text);
    cJSON_free(text);
    cJSON_Delete(object);
}

static cJSON *record_of_row(const struct row *row)
{
    const struct row_status *outcome = row_status(row);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", row->case_name);
    cJSON_AddStringToObject(object, "solution", row->solution);
    cJSON_AddStringToObject(object, "oracle", row->oracle);
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

/* "dv":[13.01,"dv.x2/dL_A1",4.375] */
static void print_kind(FILE *stream, const struct kind_digits *kind)
{
    cJSON *found = cJSON_CreateArray();
    cJSON_AddItemToArray(found, cJSON_CreateNumber(told_digits(kind->digits)));
    cJSON_AddItemToArray(found, cJSON_CreateString(kind->quantity));
    cJSON_AddItemToArray(found, isfinite(kind->t) ? cJSON_CreateNumber(kind->t)
                                                  : cJSON_CreateNull());
    fprintf(stream, "\"%s\":", kind->name);
    print_object(stream, found, false);
}

static void print_row(FILE *stream, const struct row *row)
{
    bool kinds = row_status(row)->numbers;
    print_object(stream, record_of_row(row), kinds);
    for (int k = 0; kinds && k < row->kinds; k++) {
        fputs(k == 0 ? ",\"kinds\":{\n" : ",\n", stream);
        print_kind(stream, &row->by_kind[k]);
    }
    if (kinds)
        fputs(row->kinds > 0 ? "}}" : "}", stream);
}

static void print_head(FILE *stream, const char *const *settings,
                       const char *const *cases)
{
    char arithmetic[20];
    snprintf(arithmetic, sizeof arithmetic, "%016" PRIx64, arithmetic_fingerprint());
    cJSON *head = cJSON_CreateObject(), *asked = cJSON_CreateObject();
    cJSON *names = cJSON_CreateArray();
    for (int k = 0; settings[k]; k += 2)
        json_text(asked, settings[k], settings[k + 1]);
    for (; *cases; cases++)
        cJSON_AddItemToArray(names, cJSON_CreateString(*cases));
    cJSON_AddNumberToObject(head, "saltus-regress", TABLE_FORMAT);
    cJSON_AddStringToObject(head, "saltus", SALTUS_VERSION);
    cJSON_AddStringToObject(head, "compiler", __VERSION__);
    cJSON_AddStringToObject(head, "arithmetic", arithmetic);
    cJSON_AddItemToObject(head, "settings", asked);
    cJSON_AddItemToObject(head, "cases", names);
    print_object(stream, head, true);
    fputs(",\"records\":[\n", stream);
}

bool table_same_arithmetic(const struct table *table)
{
    return strtoull(table->arithmetic, NULL, 16) == arithmetic_fingerprint();
}

void table_write(FILE *stream, const char *const *settings, const char *const *cases,
                 const struct rows *const *rows, int count)
{
    const char *between = "";
    print_head(stream, settings, cases);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++, between = ",\n") {
            fputs(between, stream);
            print_row(stream, &rows[i]->row[k]);
        }
    fputs("\n]}\n", stream);
}
