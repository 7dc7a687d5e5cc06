/*
 * batches.h - which rows are next, and finished rows in order.
 *
 * Batches are taken in order and come back in any order; one that is early waits until
 * the rows before it are there. A slow trajectory holds back the file, not the work: only
 * when a whole window of batches waits for it, nobody takes a further one.
 */
#ifndef SALTUS_BATCHES_H
#define SALTUS_BATCHES_H

#include <pthread.h>

#include "sweep/output.h"

enum { WINDOW = 1 << 15 };          /* rows */

struct batches {
    struct output *output;
    long count;                     /* rows that are wanted */
    pthread_mutex_t lock;           /* guards what follows, and the output */
    pthread_cond_t written;
    long next;                      /* the first row nobody has taken */
    char *early[WINDOW];            /* finished batches, by first row modulo WINDOW */
    bool failed;                    /* the output says why */
    /* told of every row that is written, with the lock held */
    void (*tell)(void *context, long rows);
    void *context;
};

/* From output->rows on. */
void batches_init(struct batches *batches, struct output *output);
void batches_clear(struct batches *batches);

enum take { TAKE_ROWS, TAKE_LATER, TAKE_NONE };
/* The next batch, of at most *count rows; LATER: the window is full; NONE: nothing is
   left, or is to be done. */
enum take batches_try(struct batches *batches, long *first, int *count);
/* The same, but waits instead of LATER. false: NONE. */
bool batches_take(struct batches *batches, long *first, int *count);
/* The lines of a batch that was taken, malloc'ed; they are freed here. */
void batches_give(struct batches *batches, long first, char *lines);

#endif
