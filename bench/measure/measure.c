/*
 * measure.c - work-precision measurement in interleaved rounds.
 */
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_multifit.h>

/* --- one rung ----------------------------------------------------------------------- */

double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

/* Processor time that counts for a peer: that of this process, or of the programs that
   were called and have ended. */
static double time_for(const struct peer *peer)
{
    struct rusage usage;
    if (!peer->command)
        return processor_time();
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6*(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Processor time of one solution in seconds, the mean of `repeats`. */
static double time_of(struct ladder *ladder, struct rung *rung, struct answer *answer)
{
    double start = time_for(ladder->peer);
    for (int k = 0; k < rung->repeats; k++)
        rung->status = ladder->peer->solve(ladder->work, rung->tolerance, answer,
                                           &ladder->diagnosis);
    return (time_for(ladder->peer) - start)/rung->repeats;
}

static double error_of(const struct ladder *ladder, const struct answer *answer)
{
    const struct workload *workload = peer_workload(ladder->peer);
    double worst = 0;
    for (int k = 0; k < workload->answers; k++)
        worst = fmax(worst, fabs(answer->value[k] - ladder->truth.value[k])/
                                (workload->scale ? workload->scale[k] : 1));
    return worst;
}

static double seconds_of(const struct measuring *how, struct ladder *ladder,
                         struct rung *rung)
{
    struct answer answer;
    return how->counts ? 1e-6*(double)rung->evaluations : time_of(ladder, rung, &answer);
}

/* Adds a rung. The first solution warms up, and sets `repeats` so that a time can be
   measured. Returns its seconds. */
static double begin_rung(const struct measuring *how, struct ladder *ladder,
                         double tolerance)
{
    struct rung *rung = &ladder->rung[ladder->rungs];
    struct answer answer = {.evaluations = 0};
    *rung = (struct rung){.tolerance = tolerance, .repeats = 1, .error = NAN};
    double seconds = fmax(1e-9, time_of(ladder, rung, &answer));
    ladder->rungs++;
    if (rung->status == OK)
        rung->error = error_of(ladder, &answer);
    rung->evaluations = answer.evaluations;
    rung->compiled = answer.compiled;
    if (rung->status == OK && !isfinite(rung->error))
        rung->status = NOT_FINITE;
    rung->repeats = (int)fmin(1e6, fmax(1, ceil(how->least/seconds)));
    return seconds;
}

/* Adds the rungs of a ladder, half as dense where solutions are slow. A rung that takes
   too long is the last, and is not timed in every round. */
static void climb(const struct measuring *how, struct ladder *ladder)
{
    /* a program has its own limit; every rung of it is slow */
    double seconds = 0, most = ladder->peer->command ? ladder->peer->timeout : how->most;
    for (int k = 0; ladder->rungs < MOST_RUNGS && seconds < most;
         k += seconds > how->slow ? 2 - k%2 : 1) {
        double tolerance = ladder->peer->loosest*pow(10, -(double)k/how->per_decade);
        if (tolerance < how->tightest*(1 - 1e-6))
            break;
        seconds = begin_rung(how, ladder, tolerance);
    }
    struct rung *last = &ladder->rung[ladder->rungs - 1];
    if (ladder->rungs > 1 && seconds >= most && last->status == OK)
        last->status = TIMED_OUT;
}

static void begin(const struct measuring *how, const struct peer *peer,
                  struct ladder *ladder)
{
    *ladder = (struct ladder){.peer = peer, .diagnosis = {.t = NAN}};
    if (peer_truth(peer, &ladder->truth, &ladder->diagnosis) != OK)
        return;
    ladder->work = peer->open(peer, &ladder->diagnosis);
    if (ladder->work && how->only > 0)
        begin_rung(how, ladder, how->only);
    else if (ladder->work)
        climb(how, ladder);
}

static void tell(const struct measuring *how, const char *what, double done)
{
    if (how->progress)
        how->progress(what, done);
}

void measure(const struct measuring *how, int peers, const struct peer *const *peer,
             struct ladder *ladder)
{
    for (int i = 0; i < peers; i++) {
        tell(how, peer[i]->name, (double)i/peers/(how->rounds + 1));
        begin(how, peer[i], &ladder[i]);
    }
    for (int round = 0; round < how->rounds; round++)
        for (int k = 0; k < MOST_RUNGS; k++) {
            tell(how, "rounds",
                 (1 + round + (double)k/MOST_RUNGS)/(how->rounds + 1));
            for (int i = 0; i < peers; i++)
                if (k < ladder[i].rungs && ladder[i].rung[k].status == OK)
                    ladder[i].rung[k].seconds[round] =
                        seconds_of(how, &ladder[i], &ladder[i].rung[k]);
        }
    tell(how, NULL, 1);
    for (int i = 0; i < peers; i++)
        if (ladder[i].work)
            peer[i]->close(ladder[i].work);
}

/* --- what they come to -------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *x, int count)
{
    if (count < 1)
        return NAN;
    qsort(x, (size_t)count, sizeof *x, ascending);
    return (x[(count - 1)/2] + x[count/2])/2;
}

double spread(const double *x, int rounds)
{
    double sorted[MOST_ROUNDS];
    memcpy(sorted, x, (size_t)rounds*sizeof *x);
    double middle = median(sorted, rounds);
    return 50*(sorted[3*(rounds - 1)/4] - sorted[(rounds - 1)/4])/middle;
}

bool rung_counts(const struct rung *rung, double *least)
{
    if (rung->status != OK || !(rung->error > 0) || rung->error >= *least)
        return false;
    *least = rung->error;
    return true;
}

/* x = log(error/at), y = log time of the rungs that count near `at`, in a round. Returns
   their number; 0 unless errors on both sides were reached. */
static int points_near(const struct ladder *ladder, int round, double at, double *x,
                       double *y)
{
    double least = INFINITY;
    bool above = false, below = false;
    int n = 0;
    for (int k = 0; k < ladder->rungs; k++) {
        const struct rung *rung = &ladder->rung[k];
        if (!rung_counts(rung, &least))
            continue;
        x[n] = log(rung->error/at);
        y[n] = log(rung->seconds[round]);
        above = above || x[n] >= 0;
        below = below || x[n] <= 0;
        if (fabs(x[n]) <= log(100))
            n++;
    }
    return above && below ? n : 0;
}

struct reading time_at(const struct ladder *ladder, int round, double error)
{
    double x[MOST_RUNGS], y[MOST_RUNGS], powers[MOST_RUNGS*3], c[3], covariance[9], rest;
    int n = points_near(ladder, round, error, x, y), terms = n >= ENOUGH ? 3 : 2;
    if (n < 3)
        return (struct reading){NAN, NAN};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < terms; i++)
            powers[k*terms + i] = gsl_pow_int(x[k], i);
    gsl_matrix_view X = gsl_matrix_view_array(powers, (size_t)n, (size_t)terms);
    gsl_vector_view Y = gsl_vector_view_array(y, (size_t)n);
    gsl_vector_view C = gsl_vector_view_array(c, (size_t)terms);
    gsl_matrix_view V = gsl_matrix_view_array(covariance, (size_t)terms, (size_t)terms);
    gsl_multifit_linear_workspace *work =
        gsl_multifit_linear_alloc((size_t)n, (size_t)terms);
    gsl_multifit_linear(&X.matrix, &Y.vector, &C.vector, &V.matrix, &rest, work);
    gsl_multifit_linear_free(work);
    return (struct reading){exp(c[0]), sqrt(covariance[0])};
}
