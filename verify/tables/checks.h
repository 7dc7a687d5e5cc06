/*
 * checks.h - verdicts for a CI: passed, failed or skipped, with the reason.
 *
 * JUnit XML and TAP (tables/junit.c, tap.c) write the same content. No time is given:
 * equal verdicts are equal bytes.
 */
#ifndef SALTUS_CHECKS_H
#define SALTUS_CHECKS_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "verdict/verdict_rows.h"

enum check_result { CHECK_PASSED, CHECK_FAILED, CHECK_SKIPPED, CHECK_RESULTS };

struct check {
    enum check_result result;
    char group[64];         /* name of the case */
    char name[120];         /* "index3 by certified" */
    char kind[40];          /* outcome of a check that failed: "FAIL", "FAIL: refused",
                               "worse" */
    char *message;          /* one line that says why the check did not pass; "" if it
                               passed */
    cJSON *detail;          /* texts and numbers by name; NULL: none */
};

struct checks {
    const char *title;      /* name of the whole: "saltus verify" */
    struct check *check;
    int count, room;
};

/* A check for every row of `saltus verify`: failed where the row fell short, skipped
   where nothing is judged. */
void checks_of_rows(struct checks *checks, const struct rows *const *rows, int count);
/* A check for every row of `saltus regress`, and for every row that vanished: failed
   where something is worse. */
struct regression;
void checks_of_comparison(struct checks *checks, const struct regression *regression,
                          const struct rows *const *rows, int count);
void checks_clear(struct checks *checks);

/* false: no memory, or the stream takes no more; errors of writing are the stream's. */
bool report_junit(FILE *stream, const struct checks *checks);
void report_tap(FILE *stream, const struct checks *checks);

/* malloc'ed: bytes that are no UTF-8, or no character of XML, become U+FFFD. */
char *text_cleaned(const char *text);

#endif
