/*
 * pool.c - a thread pool with a progress line (pool.h)
 */
#include "jobs/pool.h"

#include <flint/flint.h>
#include <malloc.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

enum { FIRST_LINE = 2, LINE_EVERY = 10 };  /* seconds: until the first line, between lines
                                              that are not drawn over */

struct pool {
    const char *verb;
    struct task *const *task;
    struct task **order;            /* [count] the tasks, heaviest first */
    int count;
    pthread_mutex_t lock;           /* guards all that changes, in the tasks too */
    pthread_cond_t changed;
    int threads;                    /* number of threads that have begun */
    bool enough;                    /* as many threads began as were asked for, and they
                                       may work */
    int next, heaviest, finished;   /* next: where to look in `task`; heaviest: in
                                       `order`; finished: number of tasks */
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

/* Progress never goes back: some callers make several sweeps over the same part. */
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

void task_items(struct task *task, long done)
{
    pthread_mutex_lock(task->lock);
    task->items_done = done;
    set_done(task, (double)(done - task->items_before) /
                       (double)(task->items - task->items_before));
    pthread_mutex_unlock(task->lock);
}

/* The first of a list, from *next on, that wants another worker; NULL: none does. */
static struct task *take(struct task *const *list, int count, int *next)
{
    while (*next < count && list[*next]->waiting == 0)
        ++*next;
    if (*next == count)
        return NULL;
    list[*next]->waiting--;
    return list[*next];
}

static struct task *take_next(struct pool *pool, bool in_order)
{
    return in_order ? take(pool->task, pool->count, &pool->next)
                    : take(pool->order, pool->count, &pool->heaviest);
}

static void *work(void *context)
{
    struct pool *pool = context;
    struct task *task;
    pthread_mutex_lock(&pool->lock);
    bool in_order = pool->threads++ == 0;
    while (pool->enough && (task = take_next(pool, in_order))) {
        task->state = TASK_RUNNING;
        pthread_mutex_unlock(&pool->lock);
        task->run(task);
        pthread_mutex_lock(&pool->lock);
        if (--task->busy > 0)
            continue;
        pthread_mutex_unlock(&pool->lock);
        if (task->ended)
            task->ended(task);
        pthread_mutex_lock(&pool->lock);
        task->state = TASK_FINISHED;
        pool->finished++;
        pthread_cond_signal(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    mpfr_free_cache();      /* MPFR and FLINT keep constants and numbers per thread */
    flint_cleanup();
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

static double fraction_done(const struct pool *pool)
{
    double all = 0.0, done = 0.0;
    for (int k = 0; k < pool->count; k++) {
        const struct task *task = pool->task[k];
        all += task->weight;
        done += task->weight * (task->state == TASK_FINISHED ? 1.0 : task->done);
    }
    return all > 0.0 ? done / all : 0.0;
}

/* How many items there are in all tasks, and how many are done. */
static void count_items(const struct pool *pool, long *finished, long *count)
{
    *finished = *count = 0;
    for (int k = 0; k < pool->count; k++) {
        const struct task *task = pool->task[k];
        *count += task->items > 0 ? task->items : 1;
        *finished += task->items > 0 ? task->items_done : task->state == TASK_FINISHED;
    }
}

static void tell(const struct pool *pool, double elapsed, bool terminal)
{
    double done = fraction_done(pool);
    long finished, count;
    char left[40] = "";
    count_items(pool, &finished, &count);
    if (done > 0.03)
        snprintf(left, sizeof left, ", about %.0f s left", elapsed * (1.0 - done) / done);

    char running[160] = "";
    int used = 0;
    for (int k = 0; k < pool->count && used < 60; k++)
        if (pool->task[k]->state == TASK_RUNNING)
            used += snprintf(running + used, sizeof running - (size_t)used, "%s%.70s",
                             used ? " | " : "", pool->task[k]->title);
    fprintf(stderr, "%s%s: %ld of %ld, %.0f %%, %.0f s%s: %s%s",
            terminal ? "\r\033[K" : "", pool->verb, finished, count, 100.0 * done,
            elapsed, left, running, terminal ? "" : "\n");
    fflush(stderr);
}

/* Threads of one process share the stream: nobody draws the line before it is back. */
void pool_line_away(void)
{
    flockfile(stderr);
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

void pool_line_back(void)
{
    funlockfile(stderr);
}

/* Waits for the workers; the caller holds the lock. */
static void watch(struct pool *pool)
{
    bool terminal = isatty(STDERR_FILENO), told = false;
    double next_line = FIRST_LINE;
    while (pool->finished < pool->count) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_sec++;
            until.tv_nsec -= 1000000000;
        }
        pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
        double elapsed = seconds_since(&pool->start);
        if (!pool->verb || elapsed < next_line || pool->finished == pool->count)
            continue;
        tell(pool, elapsed, terminal);
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

/* Starts threads, and returns how many there are; they begin to work when as many could
   be started as were asked for. */
static int start_threads(struct pool *pool, pthread_t *thread, int threads)
{
    int started = 0;
    pthread_mutex_lock(&pool->lock);
    while (started < threads && pthread_create(&thread[started], NULL, work, pool) == 0)
        started++;
    pool->enough = started == threads;
    pthread_mutex_unlock(&pool->lock);
    return started;
}

/* Starts as many threads as there is room for. A thread that cannot be started shows that
   there is no room for its work, either: all threads end before half as many are tried.
   These share one arena of malloc, since an arena of its own takes 64 MB of addresses. */
static int start(struct pool *pool, pthread_t *thread, int threads)
{
    int started;
    while ((started = start_threads(pool, thread, threads)) < threads) {
        mallopt(M_ARENA_MAX, 1);
        for (int k = 0; k < started; k++)
            pthread_join(thread[k], NULL);
        pool->threads = 0;
        threads = started / 2;
    }
    if (started == 0)
        pool->enough = true;    /* the calling thread works */
    return started;
}

void pool_run(const char *verb, struct task *const *task, int count, int threads)
{
    struct pool pool = {.verb = verb, .task = task, .count = count};
    int workers = 0;
    for (int k = 0; k < count; k++) {
        task[k]->busy = task[k]->waiting = task[k]->workers > 1 ? task[k]->workers : 1;
        workers += task[k]->busy;
    }
    if (threads > workers)
        threads = workers;
    pool.order = malloc(((size_t)count + 1) * sizeof *pool.order);
    pthread_t *thread = malloc(((size_t)threads + 1) * sizeof *thread);
    if (!pool.order || !thread)
        memory_exhausted();
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.changed, NULL);
    for (int k = 0; k < count; k++) {
        pool.order[k] = task[k];
        task[k]->lock = &pool.lock;
        task[k]->items_done = task[k]->items_before;
        task_part(task[k], 0.0, 1.0);
    }
    qsort(pool.order, (size_t)count, sizeof *pool.order, heavier_first);
    clock_gettime(CLOCK_MONOTONIC, &pool.start);

    int started = start(&pool, thread, threads);
    if (started == 0 && threads > 0)
        work(&pool);            /* no thread is to be had: the work is done without a
                                   progress line */
    pthread_mutex_lock(&pool.lock);
    watch(&pool);
    pthread_mutex_unlock(&pool.lock);
    for (int k = 0; k < started; k++)
        pthread_join(thread[k], NULL);

    pthread_cond_destroy(&pool.changed);
    pthread_mutex_destroy(&pool.lock);
    free(thread);
    free(pool.order);
}
