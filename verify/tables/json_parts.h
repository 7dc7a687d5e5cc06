/*
 * json_parts.h - parts of JSON objects that several reports share.
 */
#ifndef SALTUS_JSON_PARTS_H
#define SALTUS_JSON_PARTS_H

#include <cjson/cJSON.h>

#include "verdict/verdict_rows.h"

/* Its text without spaces, to be freed by cJSON_free; never NULL. */
char *json_printed(const cJSON *value);
/* "" becomes null. */
void json_text(cJSON *object, const char *name, const char *text);
/* JSON has no NaN: null. */
void json_number(cJSON *object, const char *name, double value);
void json_numbers(cJSON *object, const char *name, const double *value, int count);
/* An object at the end of an array. */
cJSON *json_append(cJSON *array);
/* {"status", "t", "place"} as "diagnosis" */
void json_diagnosis(cJSON *object, const struct diagnosis *diagnosis);
/* Of a row with numbers how sure its verdict is: their number, how many fall short or are
   missing, quantiles of their digits, what the worst one has to spare. */
void json_statistics(cJSON *object, const struct row *row);

#endif
