/*
 * pool.h - independent tasks on a few threads, with one progress line.
 */
#ifndef SALTUS_POOL_H
#define SALTUS_POOL_H

#include <pthread.h>
#include <stdbool.h>

enum task_state { TASK_WAITING, TASK_RUNNING, TASK_FINISHED };

struct task {
    char title[120];                /* "five-bar, penalty" */
    double weight;                  /* guess of the work in it, in any unit */
    void (*run)(struct task *task); /* writes its results where only it writes */
    struct isolated *isolated;      /* judged in another process (jobs/isolated.h), or
                                       NULL */
    void (*ended)(struct task *task);   /* called after the last worker; or NULL */
    int workers;                    /* so many threads run it at once; 0: one */
    long items;                     /* told as "12 of 40" of its items; 0: it is one */
    long items_before;              /* done before, in another process */

    /* kept by pool_run, 0 before; read and written under *lock */
    pthread_mutex_t *lock;
    enum task_state state;
    double done;                    /* 0..1 */
    double from, to;                /* the part of the task that is going on */
    double *mirror;                 /* where `done` is to be seen, too, or NULL */
    int waiting, busy;              /* workers that have not begun; not finished */
    long items_done;
};

/*
 * Runs every task on `threads` threads, or on as many as there can be: one takes them in
 * their order, so that results shown in that order appear soon, the others the heaviest
 * first. Where there can be none, the calling thread does all. Else, while they run, it
 * tells on standard error what is running, how much is done and about how long it
 * will take, from the third second on: one line drawn over itself on a terminal, a line
 * every ten seconds elsewhere. `verb` begins the line: "verify"; NULL: nothing is told.
 */
void pool_run(const char *verb, struct task *const *task, int count, int threads);

/* Around what is printed while tasks run: the line gives way, and stays away. */
void pool_line_away(void);
void pool_line_back(void);

/* For a task of items: so many of them are done. */
void task_items(struct task *task, long done);
/* For the task itself: from now on it is in its part from..to (0..1) of the work. */
void task_part(struct task *task, double from, double to);
/* Progress callback of requests, context: the task; may be called by any thread. Always
   true: go on. */
bool task_progress(void *task, double done);

/* The number of processors, the default of --jobs. */
int processors(void);

#endif
