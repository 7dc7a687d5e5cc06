/*
 * studying.h - studies of papers, run as tasks, for their tests.
 */
#ifndef SALTUS_STUDYING_H
#define SALTUS_STUDYING_H

#include <criterion/criterion.h>

#include "jobs/pool.h"
#include "papers/paper.h"

struct study_task {
    struct task task;           /* first member */
    struct studied studied;
};

static void run_study(struct task *task)
{
    studied_run(&((struct study_task *)task)->studied, task);
}

/* Runs a study, to be cleared by studied_clear. A refusal fails the test. */
static struct studied study_new(const struct study *study)
{
    struct study_task job = {.task = {.run = run_study, .weight = 1},
                             .studied = {.study = study}};
    struct task *const task = &job.task;
    pool_run(NULL, &task, 1, 1);
    cr_assert_eq(job.studied.status, OK, "%s: %s", study->name, job.studied.why);
    return job.studied;
}

#endif
