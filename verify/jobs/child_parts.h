/*
 * child_parts.h - what making a child and listening to it share.
 */
#ifndef SALTUS_CHILD_PARTS_H
#define SALTUS_CHILD_PARTS_H

#include <stdint.h>
#include <sys/types.h>

#include "jobs/child.h"

struct child {
    pid_t pid;
    int input, output, errors;      /* our ends of its pipes; -1: closed */
    bool framed;                    /* a function: its answer has a head (struct head) */
};

/* The byte a child waits for, before its input. */
enum { CHILD_GO = 'g' };

/* Before the answer of a function: what is cut off or damaged is noticed. */
struct head {
    char magic[8];
    uint64_t length, hash;
};
struct head head_of(const char *answer, size_t length);

/* To be called by a child that is told to go: the rest of it is done by a process of its
   own, to which this function returns. The child itself waits for the end of that one,
   ends all that it has started, wherever that has gone, and ends as it did. SIGTERM ends
   the child and all of these, as the end of its parent does: that process has `grace`
   seconds to clean up after a SIGTERM of its own; 0: it is killed at once. */
void supervise(double grace);

#endif
