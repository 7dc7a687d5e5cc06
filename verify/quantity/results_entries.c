/*
 * results_entries.c - a ledger as a list of named numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "quantity/results.h"

struct ledger *ledger_new(mpfr_prec_t precision)
{
    struct ledger *ledger = memory_new(1, sizeof *ledger);
    ledger->precision = precision;
    return ledger;
}

void ledger_free(struct ledger *ledger)
{
    if (!ledger)
        return;
    for (int k = 0; k < ledger->count; k++)
        mpfr_clear(ledger->entry[k].value);
    free(ledger->entry);
    free(ledger);
}

/* A new entry at the end, with nothing but a value that is to be set. */
static struct entry *append(struct ledger *ledger, double t, int point)
{
    ledger->entry = memory_grow(ledger->entry, &ledger->room, ledger->count + 1,
                                sizeof *ledger->entry);
    struct entry *entry = &ledger->entry[ledger->count++];
    *entry = (struct entry){.t = t, .point = point};
    mpfr_init2(entry->value, ledger->precision);
    return entry;
}

struct entry *ledger_add(struct ledger *ledger, const char *name, const char *group,
                         double t, int point)
{
    struct entry *entry = append(ledger, t, point);
    const struct quantity quantity = quantity_parse(name);
    snprintf(entry->name, sizeof entry->name, "%s", name);
    snprintf(entry->group, sizeof entry->group, "%s", group);
    quantity_history(&quantity, entry->history, sizeof entry->history);
    return entry;
}

struct entry *ledger_put(struct ledger *ledger, const struct quantity *quantity, double t,
                         int point)
{
    struct entry *entry = append(ledger, t, point);
    quantity_print(quantity, entry->name, sizeof entry->name);
    quantity_group(quantity, entry->group, sizeof entry->group);
    quantity_history(quantity, entry->history, sizeof entry->history);
    return entry;
}

void ledger_put_numbers(struct ledger *ledger, const struct entry *like,
                        const struct entry *from)
{
    struct entry *entry = append(ledger, from->t, from->point);
    memcpy(entry->name, like->name, sizeof entry->name);
    memcpy(entry->group, like->group, sizeof entry->group);
    memcpy(entry->history, like->history, sizeof entry->history);
    entry->rho = from->rho;
    entry->spread = from->spread;
    entry->condition = from->condition;
    mpfr_set(entry->value, from->value, MPFR_RNDN);
}

struct ledger *ledger_copy(const struct ledger *ledger)
{
    struct ledger *copy = ledger_new(ledger->precision);
    copy->digits = ledger->digits;
    for (int k = 0; k < ledger->count; k++)
        ledger_put_numbers(copy, &ledger->entry[k], &ledger->entry[k]);
    return copy;
}
