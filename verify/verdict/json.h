/*
 * json.h - a row of the verdict table and its numbers as JSON objects.
 */
#ifndef SALTUS_VERDICT_JSON_H
#define SALTUS_VERDICT_JSON_H

#include <stdio.h>

#include "run.h"
#include "verdict/json_parts.h"

/* An object with the names of the row: case, formulation, integrator, rtol, rule, oracle. */
cJSON *row_json(const struct row *row);
/* ",\n" and the object, which is freed. */
void row_json_print(FILE *stream, cJSON *object);

/* ",\n" and one object. */
void row_json_number(FILE *stream, const struct row *row, const struct verdict *verdict,
                        bool held);
void row_json_published(FILE *stream, const struct row *row,
                           const struct verdict *verdict, bool held,
                           const struct published *published);
/* Events that are together, and what each of their orders leads to (run.h). */
void row_json_together(FILE *stream, const struct row *row,
                          const struct columns *columns, const struct together *together);
void row_json_refusal(FILE *stream, const struct row *row);

#endif
