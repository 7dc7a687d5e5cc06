/*
 * viewing.h - views of a row as text.
 */
#ifndef SALTUS_VIEWING_H
#define SALTUS_VIEWING_H

#include <stdio.h>
#include <stdlib.h>

#include "tables/row_json.h"

/* The objects of a row; the caller frees the text. */
static inline char *json_text_of(const struct row *row)
{
    char *text = NULL;
    size_t size = 0;
    struct json_list list = {.stream = open_memstream(&text, &size)};
    row_json_verdicts(&list, row);
    fclose(list.stream);
    return text;
}

#endif
