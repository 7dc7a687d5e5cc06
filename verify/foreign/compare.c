/*
 * compare.c - a foreign answer against results of an oracle.
 */
#include "foreign/foreign.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "faults/localise.h"
#include "quantity/quantity.h"

/* --- an answer as results ----------------------------------------------------------- */

/* Numbers of the oracle that were not given, for the note of the row. */
struct absent {
    int numbers;
    int names, used;
    bool cut;
    char list[240];
    bool *listed;           /* [2 * columns.count + p] named already: columns of samples,
                               columns of events, dt/drho */
    int from;               /* place where the last column was found */
};

static struct absent absent_new(const struct columns *columns)
{
    return (struct absent){
        .listed = memory_new(2 * columns->count + columns->p, sizeof(bool))};
}

static const double *not_given(struct absent *absent, int which, const char *name,
                               const char *where)
{
    absent->numbers++;
    if (absent->listed[which])
        return NULL;
    absent->listed[which] = true;
    absent->names++;
    int room = (int)sizeof absent->list - absent->used;
    int length = (int)(strlen(name) + strlen(where)) + 2;
    absent->cut = absent->cut || length >= room;
    if (!absent->cut)
        absent->used += snprintf(absent->list + absent->used, (size_t)room, "%s%s%s",
                                 absent->used ? ", " : "", name, where);
    return NULL;
}

static int find_column(const struct foreign *foreign, const char *name,
                       struct absent *absent)
{
    int c = foreign_column(foreign, name, &absent->from);
    if (c < 0)
        slip("the truth has a column %s that the model has not", name);
    return c;
}

static int find_parameter(const struct columns *columns, const char *name)
{
    for (int j = 0; j < columns->p; j++)
        if (strcmp(columns->model->parameter[columns->parameter[j]].name, name) == 0)
            return j;
    slip("the truth has a derivative by %s that the model has not", name);
}

/* The derivative of the time of event k; NULL: not given, or there is no such event. */
static const double *tau_number(const struct foreign *foreign, int k, const char *by,
                                const char *name, struct absent *absent)
{
    int j = find_parameter(foreign->columns, by);
    if (!foreign->tau_given[j])
        return not_given(absent, 2 * foreign->columns->count + j, name, "");
    return k < foreign->events ? &foreign->event[k].tau[j] : NULL;
}

/* A number of an event, or on a side of one; NULL: not given. */
static const double *event_number(const struct foreign *foreign,
                                  const struct quantity *quantity, struct absent *absent)
{
    char what[QUANTITY_NAME];
    int k = quantity->event - 1;
    bool there = k < foreign->events;
    quantity_history(quantity, what, sizeof what);
    if (is_time_derivative(quantity))
        return tau_number(foreign, k, quantity->by, what, absent);
    if (quantity->kind == QUANTITY_TIME)
        return there ? &foreign->event[k].t : NULL;
    int c = find_column(foreign, what, absent);
    if (!foreign->event_given[c])
        return not_given(absent, foreign->columns->count + c, what, " of events");
    return there ? &foreign->event[k].side[quantity->place == AFTER_EVENT][c] : NULL;
}

static const double *sample_number(const struct foreign *foreign,
                                   const struct entry *entry, struct absent *absent)
{
    int c = find_column(foreign, entry->name, absent), k = 0;
    if (!foreign->given[c])
        return not_given(absent, c, entry->name, "");
    while (k < foreign->samples && foreign->t[k] != entry->t)
        k++;
    return k < foreign->samples
               ? &foreign->value[(size_t)k * (size_t)foreign->columns->count + (size_t)c]
               : NULL;
}

/* The entries of `want` that the answer has. Costs at the end are no columns, and left
   out. */
static struct results *results_of_foreign(const struct foreign *foreign,
                                          const struct results *want,
                                          struct absent *absent)
{
    struct results *results = results_new(53);
    for (int k = 0; k < want->count; k++) {
        const struct entry *entry = &want->entry[k];
        const struct quantity quantity = quantity_parse(entry->name);
        bool event = is_at_event(&quantity);
        if (quantity.kind == QUANTITY_PSI || (event && !foreign->has_events)) {
            absent->numbers++;
            continue;
        }
        const double *number = event ? event_number(foreign, &quantity, absent)
                                     : sample_number(foreign, entry, absent);
        if (number)
            mpfr_set_d(results_add(results, entry->name, entry->group, entry->t,
                                   entry->point)->value, *number, MPFR_RNDN);
    }
    return results;
}

/* --- the verdict -------------------------------------------------------------------- */

static void say(struct row *row, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct row *row, const char *format, ...)
{
    size_t used = strlen(row->note);
    va_list arguments;
    va_start(arguments, format);
    if (used > 0 && used + 2 < sizeof row->note) {
        memcpy(row->note + used, "; ", 3);
        used += 2;
    }
    vsnprintf(row->note + used, sizeof row->note - used, format, arguments);
    va_end(arguments);
}

/* Has the answer the events of the certified motion? Another number of them, or another
   event, is noted. */
static bool same_events(struct row *row, const struct foreign *foreign,
                        const struct mp_trajectory *certified)
{
    if (!certified || !foreign->has_events)
        return true;
    if (foreign->events != certified->events) {
        say(row, "%d events; the certified motion has %d", foreign->events,
            certified->events);
        return false;
    }
    for (int k = 0; k < certified->events; k++) {
        const char *name = certified->event[k].event->name;
        if (foreign->event[k].name[0] && strcmp(foreign->event[k].name, name) != 0) {
            say(row, "event %d is %s; the certified motion has %s there", k + 1,
                foreign->event[k].name, name);
            return false;
        }
    }
    return true;
}

void foreign_compare(struct rows *rows, struct row *row, const struct foreign *foreign,
                     const struct results *want, double cap,
                     const struct mp_trajectory *certified)
{
    const struct columns *columns = foreign->columns;
    struct absent absent = absent_new(columns);
    struct results *got = results_of_foreign(foreign, want, &absent);
    row_compare(rows, row, got, want, cap);
    row->note[0] = '\0';
    row->missing -= absent.numbers;         /* nobody asked for the absent numbers */
    bool events = same_events(row, foreign, certified);
    row->held = row->numbers > 0 && row->short_of_bar == 0 && row->missing == 0 && events;
    if (row->missing > 0 && events)
        say(row, "%ld numbers are missing", row->missing);
    if (row->numbers == 0)
        say(row, "no column that was asked for");
    if (!foreign->has_events)
        say(row, "no events");
    if (absent.names > 0)
        say(row, "%d column%s not given: %s%s", absent.names,
            absent.names == 1 ? " is" : "s are", absent.list, absent.cut ? ", ..." : "");
    if (foreign->ignored > 0)
        say(row, "%d column%s ignored", foreign->ignored,
            foreign->ignored == 1 ? " is" : "s are");
    results_free(got);
    free(absent.listed);
}

void foreign_localise(const struct rows *rows, struct row *row,
                      const struct foreign *foreign, const struct results *want,
                      double cap, const struct run_request *motion, bool exact)
{
    struct absent absent = absent_new(foreign->columns);
    struct results *got = results_of_foreign(foreign, want, &absent);
    const struct localise_request request = {
        .motion = motion, .exact = exact, .got = got, .want = want, .cap = cap};
    localise_row(rows, row, &request);
    results_free(got);
    free(absent.listed);
}
