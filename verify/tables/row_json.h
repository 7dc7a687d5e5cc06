/*
 * row_json.h - a row of the verdict table and its verdicts as JSON objects.
 */
#ifndef SALTUS_ROW_JSON_H
#define SALTUS_ROW_JSON_H

#include <stdio.h>

#include "tables/json_parts.h"

/* Objects of an array, each on a line of its own. */
struct json_list {
    FILE *stream;
    bool begun;                 /* an object of the array has been printed */
};

/* An object with the names of the row: case, formulation, integrator, rtol, rule,
   oracle. */
cJSON *row_json(const struct row *row);
/* Prints the object and frees it. */
void row_json_print(struct json_list *list, cJSON *object);
/* Prints the refusal of the row, or each of its verdicts that it has kept; then its
   remarks on events that come together. */
void row_json_verdicts(struct json_list *list, const struct row *row);

#endif
