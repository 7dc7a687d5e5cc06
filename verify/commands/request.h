/*
 * request.h - what the command line asks to be judged: cases, formulations, oracles.
 *
 * Shared by `saltus verify` and `saltus regress`.
 */
#ifndef SALTUS_REQUEST_H
#define SALTUS_REQUEST_H

#include <stdio.h>

#include "jobs/judge.h"
#include "options/args.h"

struct request {
    const struct args *args;
    struct judge_settings settings;
    const char *option[MAX_OPTIONS];
    int threads, cases;
    const struct case_desc **desc;

    struct job **job;               /* [jobs], after request_judge */
    const struct rows **rows;       /* [jobs] theirs */
    int jobs;
};

/* Fills the request, which must stay in its place; request_clear is due even where it has
   complained and returned false. */
bool request_read(struct request *request, const struct args *args);
/* Plans and does the work; the table appears on `table` (NULL: nowhere) row by row while
   it is done. False after a complaint: nothing can be judged. */
bool request_judge(struct request *request, FILE *table);
/* Did every row that counts hold, and was there one? */
bool request_held(const struct request *request);
void request_clear(struct request *request);

/* What decides the digits, as text: name, value ("": the default), ..., NULL. */
struct settings_text {
    const char *text[40];
    char rtol[40], digits[40], precision[40], seed[40], oracles[200], options[400];
};
void request_settings_text(const struct request *request, struct settings_text *settings);

#endif
