/*
 * stream.h - the table of `saltus verify` while it is made: each row appears as soon as
 * all rows up to it are settled.
 *
 * Rows come in the order of the jobs, whichever thread is ready first, and the layout
 * depends on the schedule only: the bytes are the same with any number of threads. A
 * printed row has been flushed; it stays, whatever becomes of the process.
 */
#ifndef SALTUS_STREAM_H
#define SALTUS_STREAM_H

#include <stdio.h>

#include "jobs/judge.h"
#include "tables/report.h"

struct live {
    struct rows_reader reader;      /* first member: a reader is a live table */
    FILE *stream;
    struct job *const *job;
    int jobs;
    struct table_layout layout;
    bool brief;                     /* rows that passed are left out, and the
                                       introduction */
    bool begun;                     /* the heading has been printed */
    int at, shown;                  /* index of the job to come next; number of its rows
                                       that are printed */
    char last_case[64];             /* name of the case of the row printed last */
};

/* Begins the table. To be called before any thread runs, and after processes for plug-ins
   were made, which do not print. `brief`: only rows that did not pass appear. */
void live_begin(struct live *live, FILE *stream, struct job *const *job, int jobs,
                bool brief);
/* Prints a row that is added when all jobs are judged. */
void live_row(struct live *live, const struct row *row);
/* Ends the table, when all jobs are judged. */
void live_end(struct live *live);

#endif
