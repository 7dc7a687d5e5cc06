/*
 * growth.h - how the time of a run grows with what is asked for.
 *
 * A kind of growth is a row of growth.def and a function that opens its points: problems
 * of one kind in several sizes. The points are timed in turn in each round, as peers are.
 */
#ifndef SALTUS_BENCH_GROWTH_H
#define SALTUS_BENCH_GROWTH_H

#include <stdbool.h>
#include <stdio.h>

#include "measure.h"

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
    bool quick;                     /* interpreted, so as not to wait for a compiler; few
                                       digits */
};

struct growth {
    const char *name;               /* as on the command line */
    const char *title;              /* what grows, and how it is solved, a sentence */
    const char *part;               /* what `parts` counts */
    int compared;                   /* the size that ratios refer to; 0: the least */
    /* Opens at most `room` points; returns how many. */
    int (*open)(const struct growing *how, struct point *point, int room);
};

/* NULL-terminated, in the order of growth.def. */
extern const struct growth *const growths[];
const struct growth *growth_find(const char *name);

/* Opens all points, measures them, prints a table, frees what they hold. False where some
   point was not solved: its row says why. */
bool growth_table(FILE *out, const struct growth *growth, const struct growing *how);

#endif
