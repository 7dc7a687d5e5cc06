/*
 * growth.h - how the time of a run grows with what is asked for.
 *
 * A kind of growth is a row of growth.def and a function that opens its points: problems
 * of one kind in several sizes. The points are timed in turn in each round, as peers are.
 */
#ifndef SALTUS_GROWTH_H
#define SALTUS_GROWTH_H

#include <stdbool.h>
#include <stdio.h>

#include "measure/measure.h"

enum { MOST_GROWTHS = 16, MOST_POINTS = 64 };

/* One size of one problem. */
struct point {
    char name[40];                  /* what is solved; equal names are one series */
    int size;
    /* Solves it once; `parts` says into how many parts the time is divided, and where
       that alone is known, `size` how large it was. `close` frees `work`. */
    enum status (*solve)(struct point *point);
    /* What the solution has before any part is done, or NULL: nothing to speak of. */
    enum status (*start)(struct point *point);
    void (*close)(void *work);
    void *work;                     /* NULL: it could not begin, `diagnosis` says why */
    long parts;
    enum status status;
    struct diagnosis diagnosis;
    int repeats;                    /* solutions timed at once */
    double seconds[MOST_ROUNDS];    /* [rounds] of one solution */
    double each[MOST_ROUNDS];       /* [rounds] of a part, without the start */
};

/* What is asked of all points alike. */
struct growing {
    int rounds;
    double rtol;                    /* of runs in double */
    void (*progress)(const char *what, double done);    /* as in measure.h */
    bool quick;                     /* interpreted, so as not to wait for a compiler; few
                                       digits */
};

struct growth {
    const char *name;               /* as on the command line */
    const char *title;              /* what grows, and how it is solved, in one line */
    const char *axis;               /* the size, in words */
    const char *part;               /* what `parts` counts */
    int compared;                   /* the size that ratios refer to; 0: the least */
    bool no_rtol;                   /* what is run has none, or is named by it */
    /* Opens at most `room` points; returns how many. */
    int (*open)(const struct growing *how, struct point *point, int room);
};

/* NULL-terminated, in the order of growth.def. */
extern const struct growth *const growths[];
const struct growth *growth_find(const char *name);

/* All points of one kind of growth, measured. */
struct grown {
    const struct growth *growth;
    struct growing how;
    int points;
    struct point *point;
};

/* Opens all points and measures them; false where some point was not solved: its
   `diagnosis` says why. */
bool growth_measure(const struct growth *growth, const struct growing *how,
                    struct grown *grown);
void growth_free(struct grown *grown);

/* Median over the rounds of a[k]/b[k], or of a[k] alone (b NULL). */
double growth_ratio(const double *a, const double *b, int rounds);
/* Is this the first point of its series? */
bool growth_begins(const struct grown *grown, int k);

/* As a table, as CSV; commands for gnuplot that draw the time of a part against
   size as SVG. */
void growth_print(FILE *out, const struct grown *grown);
void growth_csv(FILE *out, const struct grown *grown);
void growth_plot(FILE *gnuplot, const struct grown *grown);

#endif
