/*
 * pool.h - independent tasks on a few threads, with one progress line.
 */
#ifndef SALTUS_POOL_H
#define SALTUS_POOL_H

#include <pthread.h>
#include <stdbool.h>

enum task_state { TASK_WAITING, TASK_RUNNING, TASK_FINISHED };

struct task {
    char title[120];                /* shown while the task runs: "five-bar, penalty" */
    double weight;                  /* guess of the work in the task, in any unit */
    void (*run)(struct task *task); /* does the work; writes its results where nobody else
                                       writes */
    struct isolated *isolated;      /* set by isolated_task: the work is done in another
                                       process; or NULL */
    void (*ended)(struct task *task);   /* called once all workers have ended; or NULL */
    int workers;                    /* threads that run the task at once; 0: one */
    long items;                     /* items of the task, told as "12 of 40"; 0: the task
                                       is one item */
    long items_before;              /* items that were done before, in another process */

    /* The rest is kept by pool_run, 0 before; it is read and written under *lock. */
    pthread_mutex_t *lock;
    enum task_state state;
    double done;                    /* fraction of the work that is done, 0..1 */
    double from, to;                /* the part of the work that is going on, 0..1 */
    double *mirror;                 /* `done` is copied there, too; or NULL */
    int waiting, busy;              /* workers that have not begun; workers that have not
                                       finished */
    long items_done;
};

/*
 * Runs every task on `threads` threads, or on as many as there can be; the calling thread
 * does all where there can be none. One thread takes the tasks in their order, so that
 * results shown in that order appear soon, the others the heaviest first. While they run,
 * standard error tells from the third second on which tasks are running, how much is done
 * and about how long the rest will take: one line drawn over itself on a terminal, a line
 * every ten seconds elsewhere. `verb` begins the line: "verify"; NULL: nothing is told.
 */
void pool_run(const char *verb, struct task *const *task, int count, int threads);

/* To be called before anything is printed while tasks run: the line gives way, and stays
   away. */
void pool_line_away(void);
/* To be called after it. */
void pool_line_back(void);

/* Says that so many items of the task are done. */
void task_items(struct task *task, long done);
/* Says that the task is in the part from..to (0..1) of its work now. */
void task_part(struct task *task, double from, double to);
/* Progress callback of requests, context: the task; may be called by any thread. Always
   true: go on. */
bool task_progress(void *task, double done);

/* The number of processors, the default of --jobs. */
int processors(void);

#endif
