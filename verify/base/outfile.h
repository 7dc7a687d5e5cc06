/*
 * outfile.h - a file is there complete or not at all.
 *
 * Output is written under a temporary name in the folder of its destination and renamed
 * when all of it is there. A symbolic link stays: its target is the destination. A
 * destination that is no plain file (a device, a pipe with a name) is written directly,
 * and a descriptor of this process (/dev/stdout, /dev/fd/3) is written to as it is,
 * wherever it leads. "-" is standard output.
 */
#ifndef SALTUS_OUTFILE_H
#define SALTUS_OUTFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

enum destination_kind {
    DESTINATION_PLAIN,          /* a plain file, or none yet */
    DESTINATION_SPECIAL,        /* a device, FIFO, socket or folder */
    DESTINATION_DESCRIPTOR      /* a descriptor of this process */
};

/* The end of a path, behind its links. */
struct destination {
    enum destination_kind kind;
    int descriptor;             /* number of the descriptor; -1 of another kind */
    bool exists;
    struct stat known;          /* stat(2) of the destination, if it exists */
    char path[PATH_MAX];        /* the path without symbolic links */
};

/* False and errno: the path is too long, or its links lead nowhere. */
bool destination_find(struct destination *destination, const char *path);
/* Opens a destination that is not DESTINATION_PLAIN for writing, once: a reader of a FIFO
   sees its end when the descriptor is closed. -1 and errno. */
int destination_open(const struct destination *destination);
/* Does the destination lead to where standard output leads? */
bool destination_is_output(const struct destination *destination);
/* Are these two names of one plain file? By device and inode, or by the place at which it
   will be. */
bool destinations_same(const char *one, const char *other);

struct outfile {
    FILE *stream;               /* NULL: not open */
    bool direct;                /* written to without a temporary name */
    char path[PATH_MAX];        /* its destination; "": none was opened */
    char temporary[PATH_MAX];   /* name of the file that is written; "": there is none */
    char error[400];            /* why the last call failed */
};

/* Could the path be opened? Leaves nothing behind, and opens nothing that is no plain
   file: to be asked before a long run. */
bool outfile_possible(const char *path, char *error, int size);
bool outfile_open(struct outfile *file, const char *path);
/* Flushes and closes; the temporary file is complete, the destination untouched. */
bool outfile_finish(struct outfile *file);
/* Renames the temporary file: from now on the destination is there. */
bool outfile_publish(struct outfile *file);
/* Removes the temporary file; safe at any time, also twice. Until then the structure must
   stay where it is: a signal that ends the process removes the file that it names. */
void outfile_discard(struct outfile *file);

/* Writes text to a stream. */
typedef void print_function(FILE *stream, const void *context);
/* Prints a whole file, from opening to publishing. false: `error` [size] says why. */
bool outfile_print(const char *path, print_function *print, const void *context,
                   char *error, int size);

/* Makes a folder; true too when it is there already. false and errno. */
bool folder_make(const char *path);

#endif
