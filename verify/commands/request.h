/*
 * request.h - the request of a command line: cases, formulations, oracles; and its jobs.
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

    struct job **job;               /* [jobs] made by request_judge */
    const struct rows **rows;       /* [jobs] rows of the jobs */
    int jobs;
};

/* Fills the request, which must stay in its place; request_clear is due even where it has
   complained and returned false. */
bool request_read(struct request *request, const struct args *args);
/* Schedules the jobs and does them; the table appears on `table` (NULL: nowhere) row by
   row meanwhile. False after a complaint: nothing can be judged. */
bool request_judge(struct request *request, FILE *table);
/* Did every row that counts hold, and was there one? */
bool request_held(const struct request *request);
void request_clear(struct request *request);

/* Everything that decides the digits, as text: name, value ("": the default), ...,
   NULL. */
struct settings_text {
    const char *text[40];
    char rtol[40], digits[40], precision[40], seed[40], oracles[200], options[400];
};
void request_settings_text(const struct request *request, struct settings_text *settings);

#endif
