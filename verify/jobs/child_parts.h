/*
 * child_parts.h - a child as its parent sees it; for child.c and child_finish.c.
 */
#ifndef SALTUS_CHILD_PARTS_H
#define SALTUS_CHILD_PARTS_H

#include <stdint.h>
#include <sys/types.h>

#include "jobs/child.h"

struct child {
    pid_t pid;
    int input, output, errors;      /* our ends of the child's pipes; -1: closed */
    bool framed;                    /* the child runs a function, and its answer begins
                                       with struct head */
};

/* The byte that a child waits for; the input follows. */
enum { CHILD_GO = 'g' };

/* The head of a function's answer: shows that the answer is whole and undamaged. */
struct head {
    char magic[8];
    uint64_t length, hash;
};
struct head head_of(const char *answer, size_t length);

/* To be called by a child that is told to go: a new process returns from here and does
   the work. The child itself waits for the end of that process, ends every process that
   it has started, wherever that one has gone, and ends as it ended. SIGTERM ends the
   child and all of these, and so does the end of its parent: the working process then has
   `grace` seconds to clean up after a SIGTERM of its own; 0: it is killed at once. */
void supervise(double grace);

#endif
