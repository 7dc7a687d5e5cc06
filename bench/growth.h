/*
 * growth.h - how the time of a run grows with what is asked for.
 */
#ifndef SALTUS_BENCH_GROWTH_H
#define SALTUS_BENCH_GROWTH_H

#include <stdbool.h>
#include <stdio.h>

#include "run.h"

enum { MOST_POINTS = 64 };

/* One size of one problem. */
struct point {
    const char *case_name;
    int size;                       /* parameters, or coordinates */
    enum status status;
    long evaluations;               /* of the right-hand side, with all tangents */
    double seconds[101];            /* [rounds] of one run */
    int repeats;
    /* the run */
    struct model *model;
    int *parameter;
    double *value;
    const char *option[16];
    struct run_request request;
    struct diagnosis diagnosis;
};

/* What grows: "p", parameters differentiated; "n", coordinates of cases that come in
   sizes. False: no such. */
bool growth_known(const char *what);
/* Measures all points, in turn in each round; at most MOST_POINTS. Returns how many. */
int growth_measure(const char *what, double rtol, int rounds, struct point *point);
/* Prints them, and frees what they hold. */
void growth_print(FILE *out, const char *what, int rounds, struct point *point,
                  int points);

#endif
