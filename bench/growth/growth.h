/*
 * growth.h - scaling of the time of a run with the size of the problem.
 *
 * A kind of growth is a row of growth.def and a function that opens its points: problems
 * of one kind in several sizes. Each round times the points in turn, as it does peers.
 */
#ifndef SALTUS_GROWTH_H
#define SALTUS_GROWTH_H

#include <stdbool.h>
#include <stdio.h>

#include "measure/measure.h"

enum { MOST_GROWTHS = 16, MOST_POINTS = 64 };

/* One size of one problem. growth->open sets the first members, growth_measure repeats,
   seconds and each. */
struct point {
    char name[40];                  /* name of the problem; equal names are one series */
    int size;
    /* Solves the problem once. Sets `parts`, and `size` if only a solution shows it. */
    enum status (*solve)(struct point *point);
    /* Does the part of a solution before the first of `parts`; NULL: this takes no
       time. */
    enum status (*start)(struct point *point);
    void (*close)(void *work);      /* frees `work` */
    void *work;                     /* NULL: refused, `diagnosis` has the reason */
    long parts;                     /* number of parts the time is divided by */
    double error;                   /* of the last solution; set by `solve` where series
                                       solve one problem */
    enum status status;             /* of the last solution */
    struct diagnosis diagnosis;
    int repeats;                    /* solutions timed at once */
    double seconds[MOST_ROUNDS];    /* [rounds] time of one solution */
    double each[MOST_ROUNDS];       /* [rounds] time of a part, without the start */
};

/* The measurement of all points alike; set by the command. */
struct growing {
    int rounds;                     /* number of rounds */
    double rtol;                    /* of runs in double */
    void (*progress)(const char *what, double done);    /* callback (measure.h) */
    bool quick;                     /* runs are interpreted, so as not to wait for a
                                       compiler; few digits */
};

/* A kind of growth; its file sets every member. */
struct growth {
    const char *name;               /* name on the command line */
    const char *title;              /* the problem and its solver, in one line */
    const char *axis;               /* the size, in words */
    const char *part;               /* the unit of `parts`, in words */
    int compared;                   /* the size that ratios refer to; 0: the least */
    bool no_rtol;                   /* points have no rtol, or have it in their name */
    bool one_problem;               /* series solve one problem by several methods: their
                                       errors are shown, and where their times cross */
    /* Opens at most `room` points; returns their number. */
    int (*open)(const struct growing *how, struct point *point, int room);
};

/* The kinds of growth, NULL-terminated, in the order of growth.def. */
extern const struct growth *const growths[];
/* NULL: there is no growth of this name. */
const struct growth *growth_find(const char *name);

/* All points of one kind of growth, measured. */
struct grown {
    const struct growth *growth;
    struct growing how;
    int points;                     /* number of points */
    struct point *point;            /* [points] */
};

/* Opens all points and measures them. False: some point was not solved; its `diagnosis`
   has the reason. */
bool growth_measure(const struct growth *growth, const struct growing *how,
                    struct grown *grown);
void growth_free(struct grown *grown);

/* Median over the rounds of a[k]/b[k], or of a[k] alone (b NULL). */
double growth_ratio(const double *a, const double *b, int rounds);
/* True if point k is the first of its series. */
bool growth_begins(const struct grown *grown, int k);
/* The size at which the series that begins with point b becomes faster for good than the
   one that begins with a, in sizes that both have; a straight line joins the logarithms
   of times. The least common size: it always is; NAN: never. */
double growth_crossing(const struct grown *grown, int a, int b);

/* Prints a table. */
void growth_print(FILE *out, const struct grown *grown);
/* Writes CSV. */
void growth_csv(FILE *out, const struct grown *grown);
/* Writes commands for gnuplot that draw the time of a part against size. */
void growth_plot(FILE *gnuplot, const struct grown *grown);

#endif
