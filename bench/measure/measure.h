/*
 * measure.h - work-precision measurement: time against true error, peers side by side.
 *
 * Every peer solves at a ladder of tolerances. Each round times every rung of every peer
 * once, peers taking turns at each rung, so that disturbances of the machine meet all of
 * them alike. Times are those of the processor, not of the wall.
 */
#ifndef SALTUS_MEASURE_H
#define SALTUS_MEASURE_H

#include <stdbool.h>

#include "peers/peer.h"

enum { MOST_RUNGS = 64, MOST_ROUNDS = 101 };

/* One tolerance of one peer; set by measure. */
struct rung {
    double tolerance;
    enum status status;         /* NO_CONVERGENCE, ...: no answer at this tolerance;
                                   TIMED_OUT: a solution takes longer than `most` */
    double error;               /* largest error of the answer, by certified values */
    int repeats;                /* solutions timed at once */
    long evaluations, compiled; /* right-hand sides of one solution, or residuals of an
                                   implicit one; those of them that ran compiled;
                                   0: not counted */
    double seconds[MOST_ROUNDS];    /* [rounds] time of one solution */
};

/* All rungs of one peer; set by measure. */
struct ladder {
    const struct peer *peer;
    int rungs;                  /* number of rungs; 0: refused, see `diagnosis` */
    struct rung rung[MOST_RUNGS];
    struct diagnosis diagnosis;
    void *work;                 /* of peer->open */
    struct answer truth;        /* certified answer */
};

/* The measurement; set by the command. */
struct measuring {
    int rounds, per_decade;     /* numbers of rounds, and of rungs in a decade */
    double tightest;            /* tolerance at which ladders end */
    double only;                /* > 0: a single rung, at this tolerance */
    /* Callback with the work in hand and the part that is done, 0..1; `what` NULL: the
       end. */
    void (*progress)(const char *what, double done);
    double least, slow, most;   /* seconds: the least time that is measured at once; a
                                   slow solution; the longest solution */
    bool counts;                /* right-hand sides stand for times, a microsecond each:
                                   the same on every machine */
};

/* Opens the peers, measures, closes them; ladder [peers]. */
void measure(const struct measuring *how, int peers, const struct peer *const *peer,
             struct ladder *ladder);

/* Processor time that this process has used, in seconds. */
double processor_time(void);

/* The median of x [count], which gets sorted; NAN: count is 0. */
double median(double *x, int count);
/* Half of the interquartile range of x [rounds], in per cent of the median. */
double spread(const double *x, int rounds);

/* True if a rung counts, after others with the least error *least (at first INFINITY),
   which is updated. A rung no better than a looser one does not count: rounding decides
   its error. */
bool rung_counts(const struct rung *rung, double *least);

/* A time read from a curve. */
struct reading {
    double seconds;             /* NAN: the error was not reached on both sides */
    double doubt;               /* standard error of its logarithm, by the scatter of
                                   rungs about the curve */
};

/* Number of rungs from which the curve is a parabola; with fewer it is a straight
   line. */
enum { ENOUGH = 6 };

/*
 * The time of one solution with this error, in a round, from a curve of log time against
 * log error. The curve is a parabola, by least squares over the rungs that count with
 * errors within a factor of 100, so that a rung whose errors cancel by luck does not
 * weigh much. (The curve of a method that stability holds back at one end bends; a
 * straight line would overstate its time in the middle.)
 */
struct reading time_at(const struct ladder *ladder, int round, double error);

#endif
