/*
 * child.h - foreign code in a process of its own, with a time limit.
 *
 * A process that threads run in cannot be forked safely: a lock may be held by a thread
 * that does not exist in the child. So children are made first, by the main thread; each
 * waits. A thread then lets its child go, feeds it and collects the answer. Whatever the
 * child does (ends by a signal, hangs, exits, answers nonsense) becomes a diagnosis.
 */
#ifndef SALTUS_CHILD_H
#define SALTUS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

struct child;

/* A copy of this process that is to run `work`, whose answer is what it has written when
   it returns. NULL and errno: it cannot be made. Its standard output and error are
   collected, not shown. */
struct child *child_new(void (*work)(void *context, FILE *answer), void *context);
/* /bin/sh -c COMMAND in a process group of its own; its answer is its standard output. */
struct child *child_command(const char *command);

struct child_request {
    const char *who;            /* the subject of the diagnosis: "plug-in mine" */
    const char *input;          /* text of its standard input, or NULL */
    size_t input_length;
    double timeout;             /* seconds from now; not positive: none */
    const char *set_by;         /* the option that says the timeout; NULL: none does */
    size_t most;                /* bytes that an answer may have; 0: 64 MB */
    void (*tick)(void *context);    /* called a few times a second, or NULL */
    void *tick_context;
};

/*
 * Lets the child go and waits for its end. *answer is to be freed, ends with a zero byte
 * beyond *length, and is NULL unless OK is returned:
 *   CRASHED     it was ended by a signal
 *   TIMED_OUT   the time was up; it was killed
 *   BAD_ANSWER  it exited with another status than 0, or the answer is not complete or
 *               longer than `most`
 * The last line it wrote to standard error is quoted. Frees the child.
 */
enum status child_finish(struct child *child, const struct child_request *request,
                         char **answer, size_t *length, struct diagnosis *diagnosis);

/* Ends a child that is not needed, and frees it. */
void child_discard(struct child *child);

#endif
