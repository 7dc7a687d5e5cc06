/*
 * output.h - the file of a sweep: no row is lost and none is there twice.
 *
 * FILE.part grows by whole batches in the order of the rows, behind a heading with
 * everything that decides them; every row has a checksum at its end. An interrupted sweep
 * is taken up behind the last row that is whole; FILE is a complete one without the
 * checksums. Only one process writes.
 */
#ifndef SALTUS_OUTPUT_H
#define SALTUS_OUTPUT_H

#include <limits.h>
#include <time.h>

#include "sweep/sweep.h"

struct output {
    const struct sweep *sweep;
    const char *path;               /* FILE as it was given; NULL: standard output */
    char target[PATH_MAX];          /* FILE behind its symbolic links */
    char part[PATH_MAX];            /* name of FILE.part; "": rows are written directly */
    int descriptor;
    long heading;                   /* length of the heading in bytes */
    long rows;                      /* number of rows that are there */
    long status[STATUSES];          /* number of rows that ended with each status */
    long events;                    /* number of events that happened in all rows */
    struct timespec kept;           /* time when the rows were last forced onto the
                                       disk */
    char error[PATH_MAX + 400];               /* why the last call failed, and the file */
};

enum output_state {
    OUTPUT_FAILED,
    OUTPUT_READY,                   /* rows from output->rows on are to be computed */
    OUTPUT_COMPLETE                 /* FILE is there, complete, with this heading */
};

/* The name of FILE.part for the FILE at `path`, behind its symbolic links; false: FILE is
   no plain file, or the name is too long, and there is no FILE.part. */
bool output_part(const char *path, char part[PATH_MAX]);
/* Begins, or goes on; `restart`: begins in any case, and may replace FILE. */
enum output_state output_open(struct output *output, const struct sweep *sweep,
                              const char *path, const char *heading, bool restart);
/* Appends the rows that follow those that are there. */
bool output_append(struct output *output, const char *rows);
/* Makes FILE of FILE.part when all rows are there, with the rights of a FILE before
   it. */
bool output_publish(struct output *output);
/* Leaves FILE.part as it is; safe at any time. */
void output_close(struct output *output);

#endif
