/*
 * evaluation.c - evaluations of a cost, compared and as lines of text (evaluation.h)
 */
#include "optimise/evaluation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number_text.h"
#include "sweep/sweep_line.h"

struct evaluation *evaluation_new(int n)
{
    struct evaluation *e = memory_new(1, sizeof *e);
    e->value = memory_new(2 * n, sizeof *e->value);
    e->gradient = e->value + n;
    e->names = memory_text("", 0);
    for (int k = 0; k < n; k++)
        e->gradient[k] = NAN;
    e->t = e->psi = e->norm = NAN;
    return e;
}

void evaluation_free(struct evaluation *e)
{
    if (!e)
        return;
    free(e->value);
    free(e->names);
    free(e->time);
    free(e);
}

/* --- events ------------------------------------------------------------------------- */

/* How often is the name among those of the events? */
static int count_name(const char *names, const char *name, size_t length)
{
    int count = 0;
    for (const char *at = names; *at; at += strspn(at, " ")) {
        size_t next = strcspn(at, " ");
        count += next == length && memcmp(at, name, length) == 0;
        at += next;
    }
    return count;
}

/* Tells each name of `names` whose number differs and that is none of `told`. */
static void tell_numbers(const struct evaluation *before, const struct evaluation *after,
                         const char *names, const char *told, FILE *stream)
{
    for (const char *at = names; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        int was = count_name(before->names, at, length);
        int is = count_name(after->names, at, length);
        /* a name is told where it stands for the last time */
        if (was != is && count_name(at, at, length) == 1 &&
            count_name(told, at, length) == 0)
            fprintf(stream, "%s%.*s x%d -> x%d", ftell(stream) > 0 ? "; " : "",
                    (int)length, at, was, is);
        at += length;
    }
}

void evaluation_compare(const struct evaluation *before, const struct evaluation *after,
                        char *text, int size)
{
    memset(text, 0, (size_t)size);
    if (strcmp(before->names, after->names) == 0)
        return;
    FILE *stream = fmemopen(text, (size_t)size - 1, "w");
    if (!stream)
        memory_exhausted();
    setvbuf(stream, NULL, _IONBF, 0);
    tell_numbers(before, after, before->names, "", stream);
    tell_numbers(before, after, after->names, before->names, stream);
    if (ftell(stream) == 0)
        fputs("in another order", stream);
    fclose(stream);
}

/* --- writing ------------------------------------------------------------------------ */

void evaluation_names(FILE *stream, const struct evaluation_columns *columns)
{
    const struct model *model = columns->model;
    const char *cost = model->cost[columns->cost];
    fputs("evaluation,status", stream);
    for (int k = 0; k < columns->n; k++)
        fprintf(stream, ",%s", model->parameter[columns->parameter[k]].name);
    fprintf(stream, ",psi.%s", cost);
    for (int k = 0; k < columns->n; k++)
        fprintf(stream, ",dpsi.%s/d%s", cost,
                model->parameter[columns->parameter[k]].name);
    fputs(",norm,events,names,times,note\n", stream);
}

char *evaluation_line(const struct evaluation_columns *columns, long index,
                      const struct evaluation *e)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        memory_exhausted();
    fprintf(stream, "%ld,%s", index, status_text(e->status));
    for (int k = 0; k < columns->n; k++)
        number_print(stream, ",", e->value[k]);
    number_print(stream, ",", e->psi);
    for (int k = 0; k < columns->n; k++)
        number_print(stream, ",", e->gradient[k]);
    number_print(stream, ",", e->norm);
    fprintf(stream, ",%d,%s,", e->events, e->names);
    for (int k = 0; k < e->events; k++)
        number_print(stream, k ? " " : "", e->time[k]);
    fprintf(stream, ",%s\n", e->note);
    if (fclose(stream) != 0)
        memory_exhausted();
    return text;
}

/* --- reading ------------------------------------------------------------------------ */

/* The field at *at, without its comma; *at goes behind it. NULL: no field is left. */
static const char *next_field(const char **at, size_t *length)
{
    const char *field = *at;
    if (!field)
        return NULL;
    *length = strcspn(field, ",\n");
    *at = field[*length] == ',' ? field + *length + 1 : NULL;
    return field;
}

static double next_number(const char **at)
{
    size_t length;
    const char *field = next_field(at, &length);
    return field ? strtod(field, NULL) : NAN;
}

static bool read_events(struct evaluation *e, const char **at)
{
    size_t length;
    double events = next_number(at);
    const char *names = next_field(at, &length);
    if (!names || !(events >= 0 && events < 1e9))
        return false;
    free(e->names);
    e->names = memory_text(names, length);
    const char *times = next_field(at, &length), *limit = times + length;
    e->time = memory_new((int)events, sizeof *e->time);
    for (e->events = 0; times && times < limit && e->events < (int)events; e->events++) {
        char *end;
        e->time[e->events] = strtod(times, &end);
        times = end > times ? end : limit;
    }
    return times && e->events == (int)events;
}

static bool read_fields(struct evaluation *e, const struct evaluation_columns *columns,
                        const char *at)
{
    size_t length;
    const char *field = next_field(&at, &length);
    field = next_field(&at, &length);
    if (!field || !status_named(field, length, &e->status))
        return false;
    for (int k = 0; k < columns->n; k++)
        e->value[k] = next_number(&at);
    e->psi = next_number(&at);
    for (int k = 0; k < columns->n; k++)
        e->gradient[k] = next_number(&at);
    e->norm = next_number(&at);
    if (!read_events(e, &at))
        return false;
    field = next_field(&at, &length);
    if (field)
        snprintf(e->note, sizeof e->note, "%.*s", (int)length, field);
    return field != NULL;
}

struct evaluation *evaluation_read(const struct evaluation_columns *columns, long index,
                                   const char *line)
{
    struct evaluation *e = evaluation_new(columns->n);
    if (read_fields(e, columns, line)) {
        /* every changed byte is noticed: the line is what would be written */
        char *again = evaluation_line(columns, index, e);
        bool same = strncmp(again, line, strlen(again)) == 0;
        free(again);
        if (same)
            return e;
    }
    evaluation_free(e);
    return NULL;
}
