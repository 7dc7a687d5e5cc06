/*
 * row_status.h - the outcome of a row, in one or two words.
 */
#ifndef SALTUS_ROW_STATUS_H
#define SALTUS_ROW_STATUS_H

#include "verdict/verdict_rows.h"

struct row_status {
    const char *name;           /* "PASS", "FAIL: refused", "SKIP: modelling gap", ... */
    const char *old_name;       /* name from before 0.2, which is only read */
    enum row_kind kind;
    bool held;
    bool numbers;               /* such a row has numbers */
};

const struct row_status *row_status(const struct row *row);
/* The status of this name, old or new; NULL: there is none. *is_old: the name is the old
   one. */
const struct row_status *row_status_find(const char *name, bool *is_old);

/* Why a row is neither passed nor failed, in a word or two that may be counted:
   "modelling gap", "rank-loss", "not recomputed"; NULL: the row is passed or failed. */
const char *row_skipped(const struct row *row);

bool row_passed(const struct row *row);

/* How many rows passed, failed and were skipped, and why; a gap is shown only. */
struct tally {
    long passed, failed, skipped;
    long refused;               /* rows passed by a refusal that is certified */
    long numbers;
    int reasons;
    struct { const char *text; long rows; } reason[24];
};
void tally_add(struct tally *tally, const struct rows *rows);

/* Why there are no numbers: "grazing at t = 3.2: guard of impact", or the row's note. */
void row_reason(const struct row *row, char *text, int size);
/* Why the row fails: "3 of 480 numbers short; first at event 3: dv.x after, 4.2 digits
   (bar 9); got ..." */
void row_shortfall(const struct row *row, char *text, int size);
/* A place in a few words with its time: "dq.x2/dL01 at t = 3.2", "event 2: dt/dL01
   at t = 1.5". */
void place_and_time(const char *quantity, double t, char *text, int size);
/* The digits that all but a fraction of the row's numbers have at least, to a tenth;
   never more than the cap. */
double row_quantile(const struct row *row, double fraction);
/* Digits with two decimals: further ones would be digits of digits. Rounded down, so that
   a number that falls short of its bar is not told to reach it. */
double told_digits(double digits);
/* The same with another number of decimals. */
double digits_to(double digits, int decimals);

#endif
