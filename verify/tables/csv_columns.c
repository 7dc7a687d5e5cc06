/*
 * csv_columns.c - columns of a CSV by name (csv_columns.h)
 */
#include "tables/csv_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "options/args.h"
#include "quantity/column_names.h"
#include "quantity/quantity.h"

/* Words for all columns of a kind. */
static const char *const words[] = {"q", "v", "a", "s", "lambda", "z", "dq", "dv", "ds",
                                    "da", "dlambda", "dz", "Phi", "Phid", "t"};
enum { WORDS = sizeof words / sizeof *words };

/* The number of Phi.1, .., Phi.m. */
static int residuals(const struct columns *columns)
{
    return columns->begin[GROUP_LAMBDA + 1] - columns->begin[GROUP_LAMBDA];
}

void csv_column_name(const struct columns *columns, int c, char *name, int size)
{
    int i = c - columns->count, m = residuals(columns);
    if (i < 0)
        column_name(columns, c, name, size);
    else
        snprintf(name, (size_t)size, "%s.%d", i < m ? "Phi" : "Phid", i % m + 1);
}

static bool is_residual(const struct columns *columns, int c, const char *item)
{
    char name[QUANTITY_NAME];
    csv_column_name(columns, c, name, sizeof name);
    return strcmp(item, name) == 0 ||
           (strncmp(item, name, strlen(item)) == 0 && name[strlen(item)] == '.');
}

static bool is_column(const struct columns *columns, const char *item)
{
    for (int c = 0; c < columns->count; c++)
        if (column_is_named(columns, c, item, NULL))
            return true;
    return false;
}

bool csv_item_is_extra(const struct columns *columns, const char *item)
{
    int all = columns->count + 2 * residuals(columns);
    bool extra = strcmp(item, "t") == 0;
    for (int c = columns->count; c < all && !extra; c++)
        extra = is_residual(columns, c, item);
    return extra && !is_column(columns, item);
}

/* Writes the words that name something; returns how many. */
static int words_of(const struct columns *columns, const char **word)
{
    int count = 0;
    for (int k = 0; k < WORDS; k++)
        if (is_column(columns, words[k]) || csv_item_is_extra(columns, words[k]))
            word[count++] = words[k];
    return count;
}

/* --- the choice --------------------------------------------------------------------- */

/* Adds a column, once. */
static void add_column(struct csv_columns *chosen, bool *taken, int c)
{
    if (!taken[c])
        chosen->column[chosen->count++] = c;
    taken[c] = true;
}

/* Adds what an item names; false: nothing. */
static bool add_item(struct csv_columns *chosen, bool *taken,
                     const struct columns *columns, const char *parameter,
                     const char *item)
{
    int all = columns->count + 2 * residuals(columns);
    bool found = csv_item_is_extra(columns, item);
    for (int c = columns->count; c < all && found; c++)
        if (is_residual(columns, c, item))
            add_column(chosen, taken, c);
    for (int c = 0; c < columns->count; c++)
        if (column_is_named(columns, c, item, parameter)) {
            add_column(chosen, taken, c);
            found = true;
        }
    return found;
}

static void add_all(struct csv_columns *chosen, bool *taken,
                    const struct columns *columns, const char *parameter)
{
    for (int c = 0; c < columns->count; c++) {
        struct quantity quantity = quantity_of_column(columns, c);
        if (!*quantity.by || !parameter || strcmp(quantity.by, parameter) == 0)
            add_column(chosen, taken, c);
    }
}

bool csv_columns_choose(struct csv_columns *chosen, const struct columns *columns,
                        const char *parameter, const char *list, char *why, int size)
{
    int all = columns->count + 2 * residuals(columns);
    bool *taken = memory_new(all, sizeof *taken), good = true;
    char item[QUANTITY_NAME], offer[300];
    *chosen = (struct csv_columns){0, memory_new(all, sizeof(int))};
    if (parameter && !columns_have_parameter(columns, parameter)) {
        snprintf(why, (size_t)size, "--param %s: the run is not differentiated by it; "
                 "--sens says by which", parameter);
        good = false;
    }
    if (!list)
        add_all(chosen, taken, columns, parameter);
    while (list && good && next_in_list(&list, item, sizeof item)) {
        good = add_item(chosen, taken, columns, parameter, item);
        if (good)
            continue;
        const char *word[WORDS];
        int count = words_of(columns, word);
        offer_columns(columns, item, word, count, offer, sizeof offer);
        snprintf(why, (size_t)size, "--columns: %s has no column '%s'; %s",
                 columns->model->desc->name, item, offer);
    }
    free(taken);
    return good;
}

void csv_columns_clear(struct csv_columns *chosen)
{
    free(chosen->column);
}
