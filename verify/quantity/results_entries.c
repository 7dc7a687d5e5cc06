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

/* "q.x2" of "before.2.q.x2" and "jump.2.q.x2", "event.t" of "event.2.t", "dt/dL01" of
   "event.2.dt/dL01" */
static const char *history_of_name(const char *name)
{
    static const char *const place[] = {"before.", "jump.", "event."};
    for (size_t k = 0; k < sizeof place / sizeof *place; k++) {
        if (strncmp(name, place[k], strlen(place[k])) != 0)
            continue;
        const char *rest = strchr(name + strlen(place[k]), '.');
        if (rest)
            return strcmp(rest, ".t") == 0 ? "event.t" : rest + 1;
    }
    return name;
}

bool history_of_value(const char *history, char *value, size_t size)
{
    const char *by = strstr(history, "/d");
    if (!by)
        return false;
    const char *of = history[0] == 'd' ? history + 1 : history;
    snprintf(value, size, "%.*s", (int)(by - of), of);
    if (strcmp(value, "t") == 0)
        snprintf(value, size, "event.t");
    return true;
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
    snprintf(entry->history, sizeof entry->history, "%s", history_of_name(name));
    snprintf(entry->group, sizeof entry->group, "%s", group);
    entry->t = t;
    entry->point = point;
    entry->rho = entry->spread = entry->condition = 0;
    mpfr_init2(entry->value, ledger->precision);
    return entry;
}
