/*
 * survey.h - work-precision measurement of integrators over the whole catalogue.
 */
#ifndef SALTUS_BENCH_SURVEY_H
#define SALTUS_BENCH_SURVEY_H

#include <stdio.h>

#include "measure/measure.h"

enum { MOST_SURVEYED = 8, SURVEY_ERRORS = 3 };
extern const double survey_error[SURVEY_ERRORS];    /* 1e-6, 1e-9, 1e-12 */

/* One integrator on one case at one error. */
struct survey_cell {
    double microseconds;        /* median over the rounds; NAN: not reached */
    double ratio, doubt;        /* median ratio to the first integrator, round by round,
                                   and its standard error in per cent */
};

/* One case. */
struct survey_line {
    const char *name;           /* name of the case */
    const char *formulation;    /* name of the formulation */
    struct survey_cell cell[MOST_SURVEYED][SURVEY_ERRORS];
};

/* A case that could not be measured. */
struct survey_gap {
    const char *name;
    char why[300];
};

/* The caller sets the integrators, survey_measure the rest. */
struct survey {
    int integrators;            /* number of integrators */
    const struct integrator *integrator[MOST_SURVEYED];
    int lines;                  /* cases measured */
    struct survey_line *line;   /* [lines] */
    int gaps;                   /* cases without certified values, or without a state */
    struct survey_gap *gap;     /* [gaps] */
};

/*
 * Measures every case with certified values and at least one state, without the class
 * torture, by index1 or, without constraints, ode: times at true errors of 1e-6, 1e-9 and
 * 1e-12, in multiples of largest magnitudes. how->progress is told of cases, not of
 * rounds. The caller frees lines and gaps.
 */
void survey_measure(const struct measuring *how, struct survey *survey);
/* Prints a table. */
void survey_print(FILE *out, const struct measuring *how, const struct survey *survey);
/* Writes CSV. */
void survey_csv(FILE *out, const struct survey *survey);

#endif
