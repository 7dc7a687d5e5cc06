/*
 * samples.h - sample times of a case, wherever it is judged.
 */
#ifndef SALTUS_SAMPLES_H
#define SALTUS_SAMPLES_H

#include "model.h"

enum { SAMPLES = 8 };

/* Times are short binary fractions: `text` is exactly `t`, in every arithmetic. */
struct samples {
    int count;
    double t[SAMPLES];
    char text[SAMPLES][48];
    /* The sample times of the reference: as those of a run in double, which always has
       the start as its first sample; the reference has the start where t0 is exactly
       0. */
    int reference_count;
    const char *reference[SAMPLES + 1];
};

/*
 * t0 + (tF - t0) k/8, k = 1..8, rounded to a binary grid of about a thousandth of the
 * interval and moved off the events of the nominal motion (found by one run without
 * sensitivities; a motion that cannot be run has no events to avoid). tF is the end, or
 * the terminal event if there is one before. An end that moves with a parameter is
 * avoided like an event: at t8 = tF a neighbouring motion would have ended, and the
 * derivative at fixed time is not the one along the end.
 */
enum status choose_samples(const struct model *model, struct samples *samples,
                           struct diagnosis *diagnosis);
/* The samples at times t [SAMPLES] chosen before: nothing is run. */
void samples_at(const struct model *model, const double *t, struct samples *samples);

/* The start and the end at nominal values; the status of model_nominal_values, else of
   model_times. */
enum status nominal_times(const struct model *model, double *t0, double *t_end,
                          struct diagnosis *diagnosis);
/* Sets t [count] to t0 + (t_end - t0) k/count, k = 1..count; the last one is t_end. */
void even_times(double t0, double t_end, int count, double *t);
/* Chooses `count` times t [count] in the way of choose_samples, and sets t0; many times
   may coincide. */
enum status spread_times(const struct model *model, int count, double *t0, double *t,
                         struct diagnosis *diagnosis);

#endif
