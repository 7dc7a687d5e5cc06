/*
 * output.h - the file of long work that makes rows: no row is lost and none is there
 * twice.
 *
 * FILE.part grows by whole batches in the order of the rows, behind a heading with
 * everything that decides them; every row has a checksum at its end. Interrupted work is
 * taken up behind the last row that is whole; FILE is a complete one without the
 * checksums. Only one process writes.
 */
#ifndef SALTUS_OUTPUT_H
#define SALTUS_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <time.h>

#include "base/status.h"

/* The rows of a file, as who makes them knows them. The caller sets every member. */
struct output_rows {
    const char *work;               /* a word for the work, of complaints: "sweep" */
    long count;                     /* number of rows of a complete FILE; 0: a FILE is
                                       complete that ends behind a whole row */
    /* Does the text begin with row `index`, whole and with its end of line? Sets its
       status and the number of its events. Called once for each row that is there, in
       order. */
    bool (*take)(void *context, const char *line, long index, enum status *status,
                 long *events);
    /* Is every field of the row in the form in which it was written? */
    bool (*is_as_written)(void *context, const char *line, long index);
    void *context;                  /* first argument of both */
};

struct output {
    struct output_rows row;
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
enum output_state output_open(struct output *output, const struct output_rows *row,
                              const char *path, const char *heading, bool restart);
/* Appends the rows that follow those that are there. */
bool output_append(struct output *output, const char *rows);
/* Makes FILE of FILE.part when all rows are there, with the rights of a FILE before
   it. */
bool output_publish(struct output *output);
/* Leaves FILE.part as it is; safe at any time. */
void output_close(struct output *output);
/* As output_close(), and removes a FILE.part without rows. */
void output_drop(struct output *output);

#endif
