/*
 * published.h - printed numbers against the motion, digit by digit.
 */
#ifndef SALTUS_PUBLISHED_H
#define SALTUS_PUBLISHED_H

#include "quantity/results.h"
#include "reference.h"

/* The number of significant digits of a decimal text, and the power of ten of one unit of
   its last place. In a number printed as zero every place behind the point is a digit.
   False: the text is no number. */
bool printed_digits(const char *text, int *digits, int *place);
/* The number of its digits that hold: all, if the value is within one unit of the last
   place; else digits - log10(distance / unit), at least 0. */
double digits_that_hold(mpfr_srcptr value, const char *text);

/* One printed number beside its value. */
struct found {
    const struct published *published;
    bool certified;             /* the value is certified, or made in MPFR; else it is
                                   that of the run */
    int printed;                /* number of significant digits */
    double digits;              /* number of these digits that hold */
    double t;                   /* time of the number */
    mpfr_t value;
};

/* The sources of values. */
struct published_sources {
    const struct model *model;
    int parameters;             /* number of parameters differentiated, and their
                                   indices */
    const int *parameter;
    int digits;                 /* decimal digits that a run of the reference carries */
    const struct mp_trajectory *certified;  /* certified exact motion, or NULL */
    const struct trajectory *run;           /* exact motion in double, or NULL */
    bool (*progress)(void *context, double done);
    void *progress_context;
};

/*
 * Finds all printed numbers of the model (model.h), [*count], in its order. Costs, event
 * times and both sides of events are certified values, or those of the run where nothing
 * is certified; numbers at the start or the end are evaluated in MPFR there. BAD_INPUT:
 * there is no such quantity, or the text is no number.
 */
enum status published_find(const struct published_sources *sources, struct found **found,
                           int *count, struct diagnosis *diagnosis);
void published_clear(struct found *found, int count);

#endif
