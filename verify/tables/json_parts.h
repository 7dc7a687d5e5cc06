/*
 * json_parts.h - parts of JSON objects that several reports share.
 */
#ifndef SALTUS_JSON_PARTS_H
#define SALTUS_JSON_PARTS_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "verdict/verdict_rows.h"

/* The text of the value without spaces, to be freed by cJSON_free; never NULL. */
char *json_printed(const cJSON *value);
/* Prints the value over many lines, and deletes it. */
void json_print(FILE *stream, cJSON *value);
/* "" becomes null. */
void json_text(cJSON *object, const char *name, const char *text);
/* Adds a number; JSON has no NaN: null. */
void json_number(cJSON *object, const char *name, double value);
/* Likewise with the digits that identify it, of which cJSON itself may leave out the
   last. */
void json_exact(cJSON *object, const char *name, double value);
/* Adds an array of such numbers to an object; name NULL: at the end of an array. */
void json_exact_row(cJSON *to, const char *name, const double *value, int count);
void json_numbers(cJSON *object, const char *name, const double *value, int count);
/* Adds an object at the end of an array, and returns it. */
cJSON *json_append(cJSON *array);
/* {"status", "t", "place"} as "diagnosis" */
void json_diagnosis(cJSON *object, const struct diagnosis *diagnosis);
/* Adds how sure the verdict of a row with numbers is: their number, how many fall short
   or are missing, quantiles of their digits, and the spare digits of the worst. */
void json_statistics(cJSON *object, const struct row *row);

#endif
