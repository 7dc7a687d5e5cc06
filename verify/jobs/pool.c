#include "jobs/pool.h"

#include <malloc.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

enum { FIRST_LINE = 2, LINE_EVERY = 10 };  /* seconds */

struct crew {
    const char *verb;
    struct task *const *task;
    struct task **order;            /* [count] heaviest first */
    int count;
    pthread_mutex_t lock;           /* guards all that changes, in the tasks too */
    pthread_cond_t changed;
    int threads;                    /* that have begun */
    bool enough;                    /* as many as were asked for: they may work */
    int next, heaviest, finished;   /* where to look for one: in `task`, in `order` */
    struct timespec start;
};

int processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 256 ? 256 : (int)count;
}

static void set_done(struct task *task, double done)
{
    task->done = done;
    if (task->mirror)
        *task->mirror = done;
}

void task_part(struct task *task, double from, double to)
{
    pthread_mutex_lock(task->lock);
    task->from = from;
    task->to = to;
    set_done(task, from);
    pthread_mutex_unlock(task->lock);
}

/* Some callers make several sweeps over the same part: what was shown stays shown. */
bool task_progress(void *context, double done)
{
    struct task *task = context;
    pthread_mutex_lock(task->lock);
    double now = task->from + done * (task->to - task->from);
    if (now > task->done)
        set_done(task, now);
    pthread_mutex_unlock(task->lock);
    return true;
}

void task_pieces(struct task *task, long done)
{
    pthread_mutex_lock(task->lock);
    task->pieces_done = done;
    set_done(task, (double)(done - task->pieces_before) /
                       (double)(task->pieces - task->pieces_before));
    pthread_mutex_unlock(task->lock);
}

/* The first of a list, from *next on, that wants another hand; NULL: none does. */
static struct task *take(struct task *const *list, int count, int *next)
{
    while (*next < count && list[*next]->waiting == 0)
        ++*next;
    if (*next == count)
        return NULL;
    list[*next]->waiting--;
    return list[*next];
}

static struct task *take_next(struct crew *crew, bool in_order)
{
    return in_order ? take(crew->task, crew->count, &crew->next)
                    : take(crew->order, crew->count, &crew->heaviest);
}

static void *work(void *context)
{
    struct crew *crew = context;
    struct task *task;
    pthread_mutex_lock(&crew->lock);
    bool in_order = crew->threads++ == 0;
    while (crew->enough && (task = take_next(crew, in_order))) {
        task->state = TASK_RUNNING;
        pthread_mutex_unlock(&crew->lock);
        task->run(task);
        pthread_mutex_lock(&crew->lock);
        if (--task->busy > 0)
            continue;
        pthread_mutex_unlock(&crew->lock);
        if (task->ended)
            task->ended(task);
        pthread_mutex_lock(&crew->lock);
        task->state = TASK_FINISHED;
        crew->finished++;
        pthread_cond_signal(&crew->changed);
    }
    pthread_mutex_unlock(&crew->lock);
    mpfr_free_cache();      /* MPFR keeps constants per thread */
    return NULL;
}

/* --- the progress line -------------------------------------------------------------- */

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) +
           1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

static double fraction_done(const struct crew *crew)
{
    double all = 0.0, done = 0.0;
    for (int k = 0; k < crew->count; k++) {
        const struct task *task = crew->task[k];
        all += task->weight;
        done += task->weight * (task->state == TASK_FINISHED ? 1.0 : task->done);
    }
    return all > 0.0 ? done / all : 0.0;
}

/* How many things there are to do, and how many are done. */
static void count_pieces(const struct crew *crew, long *finished, long *count)
{
    *finished = *count = 0;
    for (int k = 0; k < crew->count; k++) {
        const struct task *task = crew->task[k];
        *count += task->pieces > 0 ? task->pieces : 1;
        *finished += task->pieces > 0 ? task->pieces_done : task->state == TASK_FINISHED;
    }
}

static void tell(const struct crew *crew, double elapsed, bool terminal)
{
    double done = fraction_done(crew);
    long finished, count;
    char left[40] = "";
    count_pieces(crew, &finished, &count);
    if (done > 0.03)
        snprintf(left, sizeof left, ", about %.0f s left", elapsed * (1.0 - done) / done);

    char running[160] = "";
    int used = 0;
    for (int k = 0; k < crew->count && used < 60; k++)
        if (crew->task[k]->state == TASK_RUNNING)
            used += snprintf(running + used, sizeof running - (size_t)used, "%s%.70s",
                             used ? " | " : "", crew->task[k]->title);
    fprintf(stderr, "%s%s: %ld of %ld, %.0f %%, %.0f s%s: %s%s",
            terminal ? "\r\033[K" : "", crew->verb, finished, count, 100.0 * done,
            elapsed, left, running, terminal ? "" : "\n");
    fflush(stderr);
}

/* Threads of one process share the stream: nobody draws the line before it is back. */
void tasks_line_away(void)
{
    flockfile(stderr);
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

void tasks_line_back(void)
{
    funlockfile(stderr);
}

/* Waits for the crew; the caller holds the lock. */
static void watch(struct crew *crew)
{
    bool terminal = isatty(STDERR_FILENO), told = false;
    double next_line = FIRST_LINE;
    while (crew->finished < crew->count) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_sec++;
            until.tv_nsec -= 1000000000;
        }
        pthread_cond_timedwait(&crew->changed, &crew->lock, &until);
        double elapsed = seconds_since(&crew->start);
        if (!crew->verb || elapsed < next_line || crew->finished == crew->count)
            continue;
        tell(crew, elapsed, terminal);
        told = true;
        next_line = elapsed + (terminal ? 0.2 : LINE_EVERY);
    }
    if (told && terminal)
        fputs("\r\033[K", stderr);
}

/* --- running ------------------------------------------------------------------------ */

static int heavier_first(const void *a, const void *b)
{
    const struct task *p = *(struct task *const *)a, *q = *(struct task *const *)b;
    return p->weight < q->weight ? 1 : p->weight > q->weight ? -1 : 0;
}

/* How many threads could be started; they begin when this is known. */
static int start_threads(struct crew *crew, pthread_t *thread, int jobs)
{
    int started = 0;
    pthread_mutex_lock(&crew->lock);
    while (started < jobs && pthread_create(&thread[started], NULL, work, crew) == 0)
        started++;
    crew->enough = started == jobs;
    pthread_mutex_unlock(&crew->lock);
    return started;
}

/* Where there cannot be as many threads as were asked for, there is no room for what they
   do, either: they all go before half as many come. These share one arena of malloc: an
   own one takes 64 MB of addresses from those that need them, for a few that it uses. */
static int start(struct crew *crew, pthread_t *thread, int jobs)
{
    int started;
    while ((started = start_threads(crew, thread, jobs)) < jobs) {
        mallopt(M_ARENA_MAX, 1);
        for (int k = 0; k < started; k++)
            pthread_join(thread[k], NULL);
        crew->threads = 0;
        jobs = started / 2;
    }
    if (started == 0)
        crew->enough = true;    /* for the calling thread */
    return started;
}

void tasks_run(const char *verb, struct task *const *task, int count, int jobs)
{
    struct crew crew = {.verb = verb, .task = task, .count = count};
    int hands = 0;
    for (int k = 0; k < count; k++)
        hands += task[k]->busy = task[k]->waiting = task[k]->hands > 1 ? task[k]->hands
                                                                       : 1;
    if (jobs > hands)
        jobs = hands;
    crew.order = malloc(((size_t)count + 1) * sizeof *crew.order);
    pthread_t *thread = malloc(((size_t)jobs + 1) * sizeof *thread);
    if (!crew.order || !thread)
        memory_exhausted();
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.changed, NULL);
    for (int k = 0; k < count; k++) {
        crew.order[k] = task[k];
        task[k]->lock = &crew.lock;
        task[k]->pieces_done = task[k]->pieces_before;
        task_part(task[k], 0.0, 1.0);
    }
    qsort(crew.order, (size_t)count, sizeof *crew.order, heavier_first);
    clock_gettime(CLOCK_MONOTONIC, &crew.start);

    int started = start(&crew, thread, jobs);
    if (started == 0 && jobs > 0)
        work(&crew);            /* no thread is to be had: untold, but done */
    pthread_mutex_lock(&crew.lock);
    watch(&crew);
    pthread_mutex_unlock(&crew.lock);
    for (int k = 0; k < started; k++)
        pthread_join(thread[k], NULL);

    pthread_cond_destroy(&crew.changed);
    pthread_mutex_destroy(&crew.lock);
    free(thread);
    free(crew.order);
}
