/*
 * column_names.c - columns found by the words of users (column_names.h)
 */
#include "quantity/column_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "quantity/quantity.h"

bool column_is_named(const struct columns *columns, int c, const char *item,
                     const char *parameter)
{
    struct quantity quantity = quantity_of_column(columns, c);
    char name[QUANTITY_NAME], word[QUANTITY_NAME];
    column_name(columns, c, name, sizeof name);
    quantity_word(&quantity, word, sizeof word);
    return strcmp(item, name) == 0 ||
           (quantity.kind == QUANTITY_Q && !*quantity.by &&
            strcmp(item, quantity.of) == 0) ||
           (strcmp(item, word) == 0 &&
            (!*quantity.by || !parameter || strcmp(quantity.by, parameter) == 0));
}

bool columns_have_parameter(const struct columns *columns, const char *parameter)
{
    for (int j = 0; j < columns->p; j++)
        if (strcmp(parameter, column_parameter(columns, j)) == 0)
            return true;
    return false;
}

void offer_columns(const struct columns *columns, const char *item,
                   const char *const *more, int count, char *text, int size)
{
    int all = count + columns->count;
    char (*own)[QUANTITY_NAME] = memory_new(columns->count, sizeof *own);
    const char **name = memory_new(all, sizeof *name);
    for (int k = 0; k < count; k++)
        name[k] = more[k];
    for (int c = 0; c < columns->count; c++) {
        column_name(columns, c, own[c], sizeof own[c]);
        name[count + c] = own[c];
    }
    offer_names(item, name, all, text, size);
    free(name);
    free(own);
}
