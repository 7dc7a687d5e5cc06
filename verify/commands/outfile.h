/*
 * outfile.h - a file is there complete or not at all.
 *
 * Output is written under a temporary name in the folder of its destination and renamed
 * when all of it is there. Something that is no plain file (/dev/null) is written
 * directly.
 */
#ifndef SALTUS_OUTFILE_H
#define SALTUS_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

struct outfile {
    FILE *stream;           /* NULL: not open */
    bool direct;
    char path[1000], temporary[1040];
    char error[400];        /* why the last call failed */
};

/* Could it be opened? Leaves nothing behind: to be asked before a long run. */
bool outfile_possible(const char *path, char *error, int size);
bool outfile_open(struct outfile *file, const char *path);
/* Flushes and closes; the temporary file is complete, the destination untouched. */
bool outfile_finish(struct outfile *file);
/* Renames; after it the file is there. */
bool outfile_publish(struct outfile *file);
/* Removes what is temporary; safe at any time, also twice. */
void outfile_discard(struct outfile *file);

#endif
