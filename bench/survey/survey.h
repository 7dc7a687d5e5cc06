/*
 * survey.h - integrators side by side over the whole catalogue.
 */
#ifndef SALTUS_BENCH_SURVEY_H
#define SALTUS_BENCH_SURVEY_H

#include <stdio.h>

#include "measure/measure.h"

enum { MOST_SURVEYED = 8, SURVEY_ERRORS = 3 };
extern const double survey_error[SURVEY_ERRORS];    /* 1e-6, 1e-9, 1e-12 */

/* One integrator on one case at one error. */
struct survey_cell {
    double microseconds;        /* median over the rounds; NAN: it is not reached */
    double ratio, doubt;        /* to the first integrator, round by round, and the per
                                   cent that scatter lets it be off */
};

struct survey_line {
    const char *name;           /* of the case */
    const char *formulation;
    struct survey_cell cell[MOST_SURVEYED][SURVEY_ERRORS];
};

/* A case that could not be measured. */
struct survey_gap {
    const char *name;
    char why[300];
};

struct survey {
    int integrators;
    const struct integrator *integrator[MOST_SURVEYED];
    int lines;
    struct survey_line *line;
    int gaps;                   /* cases without certified values, or without a state */
    struct survey_gap *gap;     /* [gaps] */
};

/*
 * Every case with certified values and at least one state, without the class torture, by
 * index1 or, without constraints, ode: times at true errors of 1e-6, 1e-9 and 1e-12, as
 * multiples of largest magnitudes. how->progress is told of cases, not of rounds.
 * `survey` has its integrators; its lines and gaps are added, to be freed.
 */
void survey_measure(const struct measuring *how, struct survey *survey);
void survey_print(FILE *out, const struct measuring *how, const struct survey *survey);
void survey_csv(FILE *out, const struct survey *survey);

#endif
