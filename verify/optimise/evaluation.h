/*
 * evaluation.h - one evaluation of a cost with its gradient, and its line of comma
 * separated values.
 *
 *   evaluation, status, parameters, psi, gradient, norm, events, names, times, note
 *
 * An evaluation that is refused has its status, and "nan" for all results.
 */
#ifndef SALTUS_EVALUATION_H
#define SALTUS_EVALUATION_H

#include <stdio.h>

#include "run.h"

enum { NOTE_ROOM = 200 };

struct evaluation {
    enum status status;         /* set by objective_at() */
    double t;                   /* time of the refusal; NAN without one; set by
                                   objective_at() */
    double *value;              /* [n] parameters in their units; set by the caller of
                                   objective_at() */
    double psi;                 /* cost; set by objective_at() */
    double *gradient;           /* [n] dpsi/drho; set by objective_at() */
    double norm;                /* norm of the scaled gradient within the bounds; set by
                                   the optimisation */
    int events;                 /* number of events; set by objective_at() */
    char *names;                /* names of the events, a blank between two; set by
                                   objective_at() */
    double *time;               /* [events] their times; set by objective_at() */
    char note[NOTE_ROOM];       /* other events than at the best point so far, or why the
                                   evaluation was refused; without commas; set by the
                                   optimisation */
};

/* The columns of the lines. */
struct evaluation_columns {
    const struct model *model;
    int cost;                   /* index in the model */
    int n;                      /* number of parameters that are varied */
    const int *parameter;       /* [n] their indices in the model */
};

struct evaluation *evaluation_new(int n);
void evaluation_free(struct evaluation *e);

/* Says how the events of `after` differ from those of `before`: "ground x3 -> x4". */
void evaluation_compare(const struct evaluation *before, const struct evaluation *after,
                        char *text, int size);

void evaluation_names(FILE *stream, const struct evaluation_columns *columns);
/* The line of evaluation `index`, from 0, malloc'ed. */
char *evaluation_line(const struct evaluation_columns *columns, long index,
                      const struct evaluation *e);
/* The evaluation in the line, which begins a text and has number `index`; NULL: the line
   has another form than evaluation_line() gives. */
struct evaluation *evaluation_read(const struct evaluation_columns *columns, long index,
                                   const char *line);

#endif
