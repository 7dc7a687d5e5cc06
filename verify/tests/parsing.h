/*
 * parsing.h - JSON that the command has written.
 */
#ifndef SALTUS_PARSING_H
#define SALTUS_PARSING_H

#include <cjson/cJSON.h>

#include "running.h"

/* A file of the folder; the caller deletes it. */
static inline cJSON *json_of(const char *file)
{
    char *text = contents(file);
    cr_assert_not_null(text, "no file %s", file);
    cJSON *object = cJSON_Parse(text);
    cr_assert_not_null(object, "%s is not JSON: %s", file, text);
    free(text);
    return object;
}

#endif
