/*
 * outcome.h - what became of a row, in one or two words.
 */
#ifndef SALTUS_OUTCOME_H
#define SALTUS_OUTCOME_H

#include "rows.h"

struct outcome {
    const char *name;           /* "held", "fell short", "refused as certified", ... */
    enum row_kind kind;
    bool held;
    bool numbers;               /* it has some */
};

const struct outcome *row_outcome(const struct row *row);
/* By its name; NULL: there is none. */
const struct outcome *outcome_find(const char *name);

/* Why there are no numbers: "grazing at t = 3.2: guard of impact", or the row's note. */
void row_reason(const struct row *row, char *text, int size);
/* "3 of 480 numbers short; first at event 3: dv.x after, 4.2 digits (bar 9); got ..." */
void row_shortfall(const struct row *row, char *text, int size);
/* A place in a few words with its time: "dq.x2/dL01 at t = 3.2", "event 2: dt/dL01
   at t = 1.5". */
void place_and_time(const char *quantity, double t, char *text, int size);
/* The digits that all but a fraction of its numbers have at least, to a tenth; never more
   than the cap. */
double row_quantile(const struct row *row, double fraction);
/* Digits as they are told: with two decimals; more would be digits of digits. */
double told_digits(double digits);

#endif
