/*
 * sweep_line.h - a trajectory of a sweep as one line of comma separated values.
 *
 *   index, swept parameters, status, t, events, first_event, last_event, steps, columns
 *
 * t is the time that was reached: the end, that of a terminal event, or that of the
 * refusal. A refused trajectory has no columns ("nan"), but the events before it.
 */
#ifndef SALTUS_SWEEP_LINE_H
#define SALTUS_SWEEP_LINE_H

#include <stdio.h>

#include "run.h"
#include "sweep/points.h"

/* The source of a chosen column: the state at the end, psi, or an event. */
enum sweep_source { SWEEP_STATE, SWEEP_PSI, SWEEP_EVENT_T, SWEEP_EVENT_TAU };
struct sweep_column {
    enum sweep_source source;
    int index;              /* column of the state (columns.h); index of psi; number of
                               the event, from 0 */
    int j;                  /* SWEEP_EVENT_TAU: index among the parameters
                               differentiated */
};

struct sweep_columns {
    struct columns state;
    int count, room;
    struct sweep_column *column;
};

/*
 * Appends the columns that one name of --columns means: a column of `saltus run` ("q.x2",
 * "dq.x2/dL01"), all of a group with its derivatives ("q", "v", "s", "a", "lambda", "z",
 * "psi"), the whole costs and their gradients ("psi.work", "dpsi.work/dL01"), the time of
 * an event ("event.1.t", "event.1.dt/dL01"). false: there is no such column.
 */
bool sweep_columns_add(struct sweep_columns *columns, const char *name);
/* All names that sweep_columns_add takes, apart from those of events and whole groups, to
   be offered; at most `room` of 80 characters, returns how many. */
int sweep_columns_known(const struct sweep_columns *columns, char (*name)[80], int room);
/* Is a column of the group among those chosen? */
bool sweep_columns_have(const struct sweep_columns *columns, enum column_group group);
void sweep_columns_clear(struct sweep_columns *columns);

/* The outcome of one trajectory. */
struct sweep_line {
    long index;
    const double *value;                    /* [model->p] its parameters */
    enum status status;
    double t;
    const struct trajectory *trajectory;    /* NULL: nothing was reached */
};

void sweep_line_names(FILE *stream, const struct points *points,
                      const struct sweep_columns *columns);
void sweep_line_print(FILE *stream, const struct points *points,
                      const struct sweep_columns *columns, const struct sweep_line *row);

/* Finds the status whose text this is. */
bool status_named(const char *text, size_t length, enum status *status);

/*
 * Does the text begin with row `index`, whole and with its end of line? Sets its status
 * and the number of its events. For files that may be torn: looks at the number, the
 * status, the number of columns.
 */
bool sweep_line_is(const char *line, long index, const struct points *points, int columns,
                   enum status *status, long *events);
/*
 * Has the row the parameters of this index (of `parameters` that the model has), and is
 * every field a number in the form of sweep_line_print? Most changed digits are noticed,
 * not all: some neighbours with as many digits have that form, too.
 */
bool sweep_line_is_as_written(const char *line, long index, const struct points *points,
                              int parameters);

#endif
