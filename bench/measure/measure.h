/*
 * measure.h - time against true error, side by side.
 *
 * Every peer climbs a ladder of tolerances. In each round every rung of every peer is
 * timed once, peers taking turns at each rung, so that what disturbs the machine disturbs
 * all of them alike. Times are those of the processor, not of the wall.
 */
#ifndef SALTUS_MEASURE_H
#define SALTUS_MEASURE_H

#include <stdbool.h>

#include "peers/peer.h"

enum { MOST_RUNGS = 64, MOST_ROUNDS = 101 };

struct rung {
    double tolerance;
    enum status status;         /* NO_CONVERGENCE, ...: no answer at this tolerance;
                                   TIMED_OUT: it takes longer than `most` */
    double error;               /* largest of the answer's, from certified values */
    int repeats;                /* solutions timed at once */
    double seconds[MOST_ROUNDS];    /* [rounds] of one solution */
};

struct ladder {
    const struct peer *peer;
    int rungs;                  /* 0: it could not begin, and `diagnosis` says why */
    struct rung rung[MOST_RUNGS];
    struct diagnosis diagnosis;
    void *work;
    struct answer truth;
};

struct measuring {
    int rounds, per_decade;
    double tightest;            /* tolerance at which ladders end */
    double only;                /* > 0: a single rung, at this tolerance */
    /* told now and then what is being done and how far that is (0..1), and NULL at
       the end */
    void (*progress)(const char *what, double done);
    double least, slow, most;   /* seconds: one timing at least; a solution that is slow,
                                   and one at most */
};

/* Opens the peers, measures, closes them; ladder[peers]. */
void measure(const struct measuring *how, int peers, const struct peer *const *peer,
             struct ladder *ladder);

/* Seconds that this process has used. */
double processor_time(void);

/* The median of x [count], which is sorted. */
double median(double *x, int count);
/* Half of x [rounds] are within this many per cent of its median, on the average of both
   sides. */
double spread(const double *x, int rounds);

/* Does a rung count, that comes after others of which *least is the least error (at
   first INFINITY)? If it is no better than a looser one it does not: there rounding
   decides. */
bool rung_counts(const struct rung *rung, double *least);

struct reading {
    double seconds;
    double doubt;               /* standard error of its logarithm, by how rungs scatter
                                   about the curve */
};

/* With fewer rungs a curve is a straight line. */
enum { ENOUGH = 6 };

/*
 * The time of one solution with this error, in round k: a parabola through log time
 * against log error, by least squares over the rungs that count with errors within a
 * factor of 100, so that a rung whose errors cancel by luck does not weigh much. (A
 * method that stability holds back at one end of them has a curve that bends; a line
 * overstates its time in the middle.) NAN unless errors on both sides of it were reached.
 */
struct reading time_at(const struct ladder *ladder, int round, double error);

#endif
