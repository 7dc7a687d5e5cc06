/*
 * sweep_line.c - columns chosen by name, printed and recognised (sweep_line.h)
 */
#include "sweep/sweep_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number_text.h"
#include "quantity/quantity.h"

/* Names of columns that every row has behind the parameters. */
static const char fixed_names[] = "status,t,events,first_event,last_event,steps";
enum { FIXED_BEFORE = 1, FIXED_AFTER = 6, NAME = 80 };

/* --- choosing ----------------------------------------------------------------------- */

static void append(struct sweep_columns *columns, struct sweep_column column)
{
    columns->column = memory_grow(columns->column, &columns->room, columns->count + 1,
                                  sizeof *columns->column);
    columns->column[columns->count++] = column;
}

static int psi_count(const struct columns *state)
{
    return state->model->nz * (1 + state->p);
}

static const char *parameter_name(const struct columns *state, int j)
{
    return state->model->parameter[state->parameter[j]].name;
}

static void name_of(const struct columns *state, struct sweep_column column, char *name)
{
    int nz = state->model->nz, j;
    struct quantity quantity;
    switch (column.source) {
    case SWEEP_STATE:
        quantity = quantity_of_column(state, column.index);
        break;
    case SWEEP_PSI:
        j = column.index / nz - 1;
        quantity = quantity_of_cost(state->model->cost[column.index % nz],
                                    j < 0 ? "" : parameter_name(state, j));
        break;
    case SWEEP_EVENT_T:
        quantity = quantity_of_time(column.index + 1, "");
        break;
    case SWEEP_EVENT_TAU:
        quantity = quantity_of_time(column.index + 1, parameter_name(state, column.j));
        break;
    default:
        abort();
    }
    quantity_print(&quantity, name, NAME);
}

static const char *const group_names[GROUPS] = {"q", "v", "s", "a", "lambda", "z"};

static bool add_group(struct sweep_columns *columns, const char *name)
{
    const struct columns *state = &columns->state;
    int before = columns->count;
    for (int c = 0; c < state->count; c++) {
        enum column_group group;
        int i, j;
        column_parts(state, c, &group, &i, &j);
        if (strcmp(group_names[group], name) == 0)
            append(columns, (struct sweep_column){.source = SWEEP_STATE, .index = c});
    }
    for (int k = 0; strcmp(name, "psi") == 0 && k < psi_count(state); k++)
        append(columns, (struct sweep_column){.source = SWEEP_PSI, .index = k});
    return columns->count > before;
}

static bool add_if_named(struct sweep_columns *columns, struct sweep_column column,
                         const char *name)
{
    char known[NAME];
    name_of(&columns->state, column, known);
    if (strcmp(known, name) != 0)
        return false;
    append(columns, column);
    return true;
}

static bool add_event(struct sweep_columns *columns, const char *name)
{
    const struct quantity quantity = quantity_parse(name);
    if (quantity.place != AT_EVENT)
        return false;
    struct sweep_column column = {.source = SWEEP_EVENT_T, .index = quantity.event - 1};
    if (add_if_named(columns, column, name))
        return true;
    column.source = SWEEP_EVENT_TAU;
    for (column.j = 0; column.j < columns->state.p; column.j++)
        if (add_if_named(columns, column, name))
            return true;
    return false;
}

bool sweep_columns_add(struct sweep_columns *columns, const char *name)
{
    const struct columns *state = &columns->state;
    if (add_group(columns, name) || add_event(columns, name))
        return true;
    for (int c = 0; c < state->count; c++)
        if (add_if_named(columns, (struct sweep_column){.source = SWEEP_STATE,
                         .index = c}, name))
            return true;
    for (int k = 0; k < psi_count(state); k++)
        if (add_if_named(columns, (struct sweep_column){.source = SWEEP_PSI, .index = k},
                         name))
            return true;
    return false;
}

int sweep_columns_known(const struct sweep_columns *columns, char (*name)[80], int room)
{
    const struct columns *state = &columns->state;
    int known = 0;
    for (int c = 0; c < state->count && known < room; c++)
        name_of(state, (struct sweep_column){.source = SWEEP_STATE, .index = c},
                name[known++]);
    for (int k = 0; k < psi_count(state) && known < room; k++)
        name_of(state, (struct sweep_column){.source = SWEEP_PSI, .index = k},
                name[known++]);
    return known;
}

bool sweep_columns_have(const struct sweep_columns *columns, enum column_group group)
{
    bool have = false;
    for (int c = 0; c < columns->count; c++) {
        enum column_group of;
        int i, j;
        if (columns->column[c].source != SWEEP_STATE)
            continue;
        column_parts(&columns->state, columns->column[c].index, &of, &i, &j);
        have = have || of == group;
    }
    return have;
}

void sweep_columns_clear(struct sweep_columns *columns)
{
    free(columns->column);
    columns->column = NULL;
    columns->count = columns->room = 0;
}

/* --- writing ------------------------------------------------------------------------ */

/* The fewest digits identify a double. A nan has no sign here, which would depend on the
   compiler. */
static void print_number(FILE *stream, double x)
{
    if (isnan(x))
        fputs(",nan", stream);
    else
        number_print(stream, ",", x);
}

void sweep_line_names(FILE *stream, const struct points *points,
                      const struct sweep_columns *columns)
{
    const struct model *model = columns->state.model;
    fputs("index", stream);
    for (int i = 0; i < points->axes; i++)
        fprintf(stream, ",%s", model->parameter[points->axis[i].parameter].name);
    fprintf(stream, ",%s", fixed_names);
    for (int c = 0; c < columns->count; c++) {
        char name[NAME];
        name_of(&columns->state, columns->column[c], name);
        fprintf(stream, ",%s", name);
    }
    fputc('\n', stream);
}

/* The point at which the run ended: the last sample, unless a terminal event came before
   it. */
static const struct run_point *end_point(const struct trajectory *trajectory)
{
    const struct run_point *end = &trajectory->sample[trajectory->samples - 1];
    const struct event_record *last = trajectory->events > 0
                                          ? &trajectory->event[trajectory->events - 1]
                                          : NULL;
    return last && last->after.t > end->t ? &last->after : end;
}

static double value_of(const struct sweep_columns *columns, struct sweep_column column,
                       const struct sweep_line *row)
{
    const struct trajectory *trajectory = row->trajectory;
    bool of_event = column.source == SWEEP_EVENT_T || column.source == SWEEP_EVENT_TAU;
    bool there = trajectory && (of_event ? column.index < trajectory->events
                                         : row->status == OK);
    if (!there)
        return NAN;
    const struct event_record *event = &trajectory->event[of_event ? column.index : 0];
    const struct run_point *end;
    switch (column.source) {
    case SWEEP_EVENT_T:
        return event->before.t;
    case SWEEP_EVENT_TAU:
        return event->tau[column.j];
    case SWEEP_PSI:
        return trajectory->psi[column.index];
    case SWEEP_STATE:
        break;
    }
    end = end_point(trajectory);
    return column_present(&columns->state, column.index, end->mode) ? end->x[column.index]
                                                                     : NAN;
}

void sweep_line_print(FILE *stream, const struct points *points,
                      const struct sweep_columns *columns, const struct sweep_line *row)
{
    const struct trajectory *trajectory = row->trajectory;
    int events = trajectory ? trajectory->events : 0;
    double t = row->status == OK ? end_point(trajectory)->t : row->t;
    fprintf(stream, "%ld", row->index);
    for (int i = 0; i < points->axes; i++)
        print_number(stream, row->value[points->axis[i].parameter]);
    fprintf(stream, ",%s", status_text(row->status));
    print_number(stream, t);
    fprintf(stream, ",%d", events);
    print_number(stream, events > 0 ? trajectory->event[0].before.t : NAN);
    print_number(stream, events > 0 ? trajectory->event[events - 1].before.t : NAN);
    fprintf(stream, ",%ld", trajectory ? trajectory->steps : 0);
    for (int c = 0; c < columns->count; c++)
        print_number(stream, value_of(columns, columns->column[c], row));
    fputc('\n', stream);
}

/* --- reading again ------------------------------------------------------------------ */

bool status_named(const char *text, size_t length, enum status *status)
{
    for (int k = 0; k < STATUSES; k++) {
        const char *name = status_text((enum status)k);
        if (strlen(name) == length && strncmp(name, text, length) == 0) {
            *status = (enum status)k;
            return true;
        }
    }
    return false;
}

static bool is_printed(const char *text, size_t length, double x)
{
    char again[NUMBER_TEXT_ROOM];
    return (size_t)number_text(again, x) == length &&
           memcmp(again, text, length) == 0;
}

bool sweep_line_is_as_written(const char *line, long index, const struct points *points,
                              int parameters)
{
    double *value = memory_new(parameters, sizeof *value);
    const char *at = line + strcspn(line, ",\n");
    bool good = is_printed(line, (size_t)(at - line), (double)index);
    points_set(points, index, value);
    for (int number = 0; *at == ',' && good; number++) {
        const char *field = at + 1;
        size_t length = strcspn(field, ",\n");
        if (number < points->axes)
            good = is_printed(field, length, value[points->axis[number].parameter]);
        else if (number > points->axes && !(length == 3 && memcmp(field, "nan", 3) == 0))
            good = is_printed(field, length, strtod(field, NULL));
        at = field + length;
    }
    free(value);
    return good;
}

bool sweep_line_is(const char *line, long index, const struct points *points, int columns,
                   enum status *status, long *events)
{
    int before = FIXED_BEFORE + points->axes, commas = 0;
    char *end;
    if (strtol(line, &end, 10) != index || end == line || *end != ',')
        return false;
    for (; *line && *line != '\n'; line++) {
        commas += *line == ',';
        if (*line == ',' && commas == before &&
            !status_named(line + 1, strcspn(line + 1, ","), status))
            return false;
        if (*line == ',' && commas == before + 2)       /* the number of events stands
                                                           behind status and t */
            *events = strtol(line + 1, NULL, 10);
    }
    return *line == '\n' && commas == before + FIXED_AFTER + columns - 1;
}
