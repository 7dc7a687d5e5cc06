/*
 * sweep_line.h - a trajectory of a sweep as one line of comma separated values.
 *
 *   index, swept parameters, status, t, events, first_event, last_event, steps, columns
 *
 * t is the time that was reached: the end, that of a terminal event, or that of the
 * refusal. A refused trajectory has no columns ("nan"), but the events before it.
 */
#ifndef SALTUS_SWEEP_ROWS_H
#define SALTUS_SWEEP_ROWS_H

#include <stdio.h>

#include "run.h"
#include "sweep/points.h"

/* A chosen column: of the state at the end (index: columns.h), of psi, or of an event. */
enum row_source { ROW_STATE, ROW_PSI, ROW_EVENT_T, ROW_EVENT_TAU };
struct row_column {
    enum row_source source;
    int index;              /* column of the state; of psi; number of the event, from 0 */
    int j;                  /* ROW_EVENT_TAU: which of the parameters differentiated */
};

struct row_columns {
    struct columns state;
    int count, room;
    struct row_column *column;
};

/*
 * Appends what one piece of --columns names: a column of `saltus run` ("q.x2",
 * "dq.x2/dL01"), all of a group with its derivatives ("q", "v", "s", "a", "lambda", "z",
 * "psi"), the whole costs and their gradients ("psi.work", "dpsi.work/dL01"), the time of
 * an event ("event.1.t", "event.1.dt/dL01"). false: there is no such column.
 */
bool row_columns_add(struct row_columns *columns, const char *name);
/* All names that row_columns_add takes, apart from those of events and whole groups, to
   be offered; at most `room` of 80 characters, returns how many. */
int row_columns_known(const struct row_columns *columns, char (*name)[80], int room);
/* Is a column of that group among those chosen? */
bool row_columns_have(const struct row_columns *columns, enum column_group group);
void row_columns_clear(struct row_columns *columns);

/* What one trajectory came to. */
struct row {
    long index;
    const double *value;                    /* [model->p] */
    enum status status;
    double t;
    const struct trajectory *trajectory;    /* NULL: nothing was reached */
};

void row_names(FILE *stream, const struct points *points,
               const struct row_columns *columns);
void row_print(FILE *stream, const struct points *points,
               const struct row_columns *columns, const struct row *row);

/*
 * Does the text begin with row `index`, whole and with its end of line? Then also its
 * status and the number of its events. For files that may be torn: looks at the number,
 * the status, the number of columns.
 */
bool row_is(const char *line, long index, const struct points *points, int columns,
            enum status *status, long *events);
/*
 * Has the row the parameters of this index (of `parameters` that the model has), and is
 * every field a number as row_print writes it? Another digit is noticed in most places,
 * not in all: some neighbours of 17 digits are both such numbers.
 */
bool row_is_as_written(const char *line, long index, const struct points *points,
                       int parameters);

#endif
