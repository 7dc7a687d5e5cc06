/*
 * published.h - printed numbers against the motion: how many of their digits hold.
 */
#ifndef SALTUS_PUBLISHED_H
#define SALTUS_PUBLISHED_H

#include "quantity/results.h"
#include "reference.h"

/* Of a decimal text: how many significant digits it has, and what one unit of its last
   place is, as a power of ten. Of a number printed as zero every place behind the point
   is one. False: it is no number. */
bool printed_digits(const char *text, int *digits, int *place);
/* How many of them hold: all, if the value is within one unit of the last place; else
   less as its distance is wider: digits - log10(distance / unit), at least 0. */
double digits_that_hold(mpfr_srcptr value, const char *text);

/* One printed number beside what it is. */
struct found {
    const struct published *published;
    bool certified;             /* by certified values or in MPFR; else from the run */
    int printed;                /* significant digits */
    double digits;              /* of them that hold */
    double t;                   /* when */
    mpfr_t value;
};

/* Where the values come from. */
struct published_sources {
    const struct model *model;
    int parameters;             /* differentiated, as in run_request */
    const int *parameter;
    int digits;                 /* decimal digits of a run of the reference */
    const struct mp_trajectory *certified;  /* of the exact motion, or NULL */
    const struct trajectory *run;           /* of the exact motion in double, or NULL */
    bool (*progress)(void *context, double done);
    void *progress_context;
};

/*
 * All printed numbers of the model (model.h), [*count], in its order. Costs, event times
 * and both sides of events are certified values, or those of the run where nothing is
 * certified; what is at the start or the end is evaluated in MPFR there. BAD_INPUT: there
 * is no such quantity, or the text is no number.
 */
enum status published_find(const struct published_sources *sources, struct found **found,
                           int *count, struct diagnosis *diagnosis);
void published_clear(struct found *found, int count);

#endif
