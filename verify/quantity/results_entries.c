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
    struct ledger *ledger = calloc(1, sizeof *ledger);
    if (!ledger)
        memory_exhausted();
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

struct ledger *ledger_copy(const struct ledger *ledger)
{
    struct ledger *copy = ledger_new(ledger->precision);
    copy->digits = ledger->digits;
    for (int k = 0; k < ledger->count; k++) {
        const struct entry *from = &ledger->entry[k];
        struct entry *to = ledger_add(copy, from->name, from->group, from->t,
                                      from->point);
        to->rho = from->rho;
        to->spread = from->spread;
        to->condition = from->condition;
        mpfr_set(to->value, from->value, MPFR_RNDN);
    }
    return copy;
}

struct entry *ledger_add(struct ledger *ledger, const char *name, const char *group,
                         double t, int point)
{
    if (ledger->count == ledger->room) {
        ledger->room = ledger->room ? 2 * ledger->room : 256;
        ledger->entry = realloc(ledger->entry,
                                (size_t)ledger->room * sizeof *ledger->entry);
        if (!ledger->entry)
            memory_exhausted();
    }
    struct entry *entry = &ledger->entry[ledger->count++];
    snprintf(entry->name, sizeof entry->name, "%s", name);
    const struct quantity quantity = quantity_parse(name);
    quantity_history(&quantity, entry->history, sizeof entry->history);
    snprintf(entry->group, sizeof entry->group, "%s", group);
    entry->t = t;
    entry->point = point;
    entry->rho = entry->spread = entry->condition = 0;
    mpfr_init2(entry->value, ledger->precision);
    return entry;
}

struct entry *ledger_put(struct ledger *ledger, const struct quantity *quantity, double t,
                         int point)
{
    char name[QUANTITY_NAME], group[64];
    quantity_print(quantity, name, sizeof name);
    quantity_group(quantity, group, sizeof group);
    return ledger_add(ledger, name, group, t, point);
}
