/*
 * batches.c - rows in order from all threads, a batch at a time (batches.h)
 */
#include "sweep/batches.h"

#include <stdlib.h>
#include <time.h>

#include "sweep/interrupt.h"

void batches_init(struct batches *batches, struct output *output)
{
    *batches = (struct batches){.output = output, .next = output->rows};
    batches->count = output->row.count;
    pthread_mutex_init(&batches->lock, NULL);
    pthread_cond_init(&batches->written, NULL);
}

void batches_clear(struct batches *batches)
{
    for (int k = 0; k < WINDOW; k++)
        free(batches->early[k]);
    pthread_cond_destroy(&batches->written);
    pthread_mutex_destroy(&batches->lock);
}

static enum take take(struct batches *batches, long *first, int *count)
{
    if (batches->failed || interrupt_seen() || batches->next == batches->count)
        return TAKE_NONE;
    long room = batches->output->rows + WINDOW - batches->next;
    long left = batches->count - batches->next;
    if (room < *count)
        return TAKE_LATER;
    *first = batches->next;
    *count = left < *count ? (int)left : *count;
    batches->next += *count;
    return TAKE_ROWS;
}

enum take batches_try(struct batches *batches, long *first, int *count)
{
    pthread_mutex_lock(&batches->lock);
    enum take taken = take(batches, first, count);
    pthread_mutex_unlock(&batches->lock);
    return taken;
}

bool batches_take(struct batches *batches, long *first, int *count)
{
    enum take taken;
    pthread_mutex_lock(&batches->lock);
    while ((taken = take(batches, first, count)) == TAKE_LATER) {
        /* a signal wakes nobody: look again in a second */
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&batches->written, &batches->lock, &until);
    }
    pthread_mutex_unlock(&batches->lock);
    return taken == TAKE_ROWS;
}

static char **place_of(struct batches *batches, long first)
{
    return &batches->early[first % WINDOW];
}

/* Writes all batches that are there and next in the file. */
static void write_ready(struct batches *batches)
{
    struct output *output = batches->output;
    char **lines;
    while (!batches->failed && output->rows < batches->count &&
           *(lines = place_of(batches, output->rows))) {
        batches->failed = !output_append(output, *lines);
        free(*lines);
        *lines = NULL;
    }
}

void batches_give(struct batches *batches, long first, char *lines)
{
    pthread_mutex_lock(&batches->lock);
    *place_of(batches, first) = lines;
    write_ready(batches);
    if (batches->tell)
        batches->tell(batches->context, batches->output->rows);
    pthread_cond_broadcast(&batches->written);
    pthread_mutex_unlock(&batches->lock);
}
