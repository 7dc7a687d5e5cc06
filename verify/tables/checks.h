/*
 * checks.h - verdicts as a CI knows them: passed, failed or skipped, with the reason.
 *
 * Written as JUnit XML or TAP (tables/junit.c, tap.c), of which both have the same
 * content. No time is given: the same verdicts are the same bytes.
 */
#ifndef SALTUS_CHECKS_H
#define SALTUS_CHECKS_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "verdict/verdict_rows.h"

enum check_result { CHECK_PASSED, CHECK_FAILED, CHECK_SKIPPED, CHECK_RESULTS };

struct check {
    enum check_result result;
    char group[64];         /* the case */
    char name[120];         /* "index3 by certified" */
    char kind[40];          /* of what failed: "FAIL", "FAIL: refused", "worse" */
    char *message;          /* one line, why it did not pass; "" where it did */
    cJSON *detail;          /* texts and numbers by name; NULL: none */
};

struct checks {
    const char *title;      /* "saltus verify" */
    struct check *check;
    int count, room;
};

/* A check for every row of `saltus verify`: failed where the row fell short, skipped
   where nothing is judged. */
void checks_of_rows(struct checks *checks, const struct rows *const *rows, int count);
/* For every row of `saltus regress`, and every one that vanished: failed where something
   is worse. */
struct regression;
void checks_of_comparison(struct checks *checks, const struct regression *regression,
                          const struct rows *const *rows, int count);
void checks_clear(struct checks *checks);

/* false: out of memory or not writable; errors of the stream are the stream's. */
bool report_junit(FILE *stream, const struct checks *checks);
void report_tap(FILE *stream, const struct checks *checks);

/* malloc'ed: what is no UTF-8 or no character of XML becomes U+FFFD. */
char *text_cleaned(const char *text);

#endif
