/*
 * results_entries.c - results as a list of named numbers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "quantity/results.h"

struct results *results_new(mpfr_prec_t precision)
{
    struct results *results = memory_new(1, sizeof *results);
    results->precision = precision;
    return results;
}

void results_free(struct results *results)
{
    if (!results)
        return;
    for (int k = 0; k < results->count; k++)
        mpfr_clear(results->entry[k].value);
    free(results->entry);
    free(results);
}

/* Appends an entry with a value that is still to be set. */
static struct entry *append(struct results *results, double t, int point)
{
    results->entry = memory_grow(results->entry, &results->room, results->count + 1,
                                 sizeof *results->entry);
    struct entry *entry = &results->entry[results->count++];
    *entry = (struct entry){.t = t, .point = point, .terms = NAN};
    mpfr_init2(entry->value, results->precision);
    return entry;
}

struct entry *results_add(struct results *results, const char *name, const char *group,
                          double t, int point)
{
    struct entry *entry = append(results, t, point);
    const struct quantity quantity = quantity_parse(name);
    snprintf(entry->name, sizeof entry->name, "%s", name);
    snprintf(entry->group, sizeof entry->group, "%s", group);
    quantity_history(&quantity, entry->history, sizeof entry->history);
    return entry;
}

struct entry *results_put(struct results *results, const struct quantity *quantity,
                          double t, int point)
{
    struct entry *entry = append(results, t, point);
    quantity_print(quantity, entry->name, sizeof entry->name);
    quantity_group(quantity, entry->group, sizeof entry->group);
    quantity_history(quantity, entry->history, sizeof entry->history);
    return entry;
}

void results_put_numbers(struct results *results, const struct entry *like,
                         const struct entry *from)
{
    struct entry *entry = append(results, from->t, from->point);
    memcpy(entry->name, like->name, sizeof entry->name);
    memcpy(entry->group, like->group, sizeof entry->group);
    memcpy(entry->history, like->history, sizeof entry->history);
    entry->rho = from->rho;
    entry->spread = from->spread;
    entry->terms = from->terms;
    entry->part = from->part;
    entry->condition = from->condition;
    entry->unjudged = from->unjudged;
    mpfr_set(entry->value, from->value, MPFR_RNDN);
}

struct results *results_copy(const struct results *results)
{
    struct results *copy = results_new(results->precision);
    copy->digits = results->digits;
    for (int k = 0; k < results->count; k++)
        results_put_numbers(copy, &results->entry[k], &results->entry[k]);
    return copy;
}
