/*
 * batches.h - the rows to compute next, and finished rows in order.
 *
 * Batches are taken in order and come back in any order; an early one waits until the
 * rows before it are there. A slow trajectory holds back the file, not the work: only
 * when a whole window of batches waits for it, nobody takes a further one.
 */
#ifndef SALTUS_BATCHES_H
#define SALTUS_BATCHES_H

#include <pthread.h>

#include "sweep/output.h"

enum { WINDOW = 1 << 15 };          /* rows between the first that is not written and the
                                       last that may be taken */

struct batches {
    struct output *output;
    long count;                     /* number of rows that are wanted */
    pthread_mutex_t lock;           /* guards the members below, and the output */
    pthread_cond_t written;
    long next;                      /* index of the first row that nobody has taken */
    char *early[WINDOW];            /* finished batches, by first row modulo WINDOW */
    bool failed;                    /* writing has failed; the output says why */
    /* called for all rows that are written, with the lock held */
    void (*tell)(void *context, long rows);
    void *context;
};

/* Begins at row output->rows. */
void batches_init(struct batches *batches, struct output *output);
void batches_clear(struct batches *batches);

enum take { TAKE_ROWS, TAKE_LATER, TAKE_NONE };
/* Takes the next batch, of at most *count rows; LATER: the window is full; NONE: nothing
   is left to be done. */
enum take batches_try(struct batches *batches, long *first, int *count);
/* Takes the next batch, and waits where batches_try says LATER. false: NONE. */
bool batches_take(struct batches *batches, long *first, int *count);
/* Gives back the lines of a batch that was taken, malloc'ed; they are freed here. */
void batches_give(struct batches *batches, long first, char *lines);

#endif
