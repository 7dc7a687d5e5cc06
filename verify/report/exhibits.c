/*
 * exhibits.c - every case of the report, recorded and run (page.h)
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "drawings/shown_motion.h"
#include "jobs/pool.h"
#include "report/page.h"
#include "verdict/row_status.h"

/* An exhibit as a task. */
struct exhibit_job {
    struct task task;           /* first member */
    struct exhibit *exhibit;
};

/* Runs the motion at nominal values, as far as it comes. */
static void show(struct exhibit *exhibit)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct shown_motion shown = {.trajectory = NULL};
    const struct model *model = exhibit->model;
    double *value = memory_new(model->p, sizeof *value);
    if (model_nominal_values(model, value, &diagnosis) == OK) {
        shown_motion_run(&shown, model, value, MOTION_FRAMES);
        diagnosis = shown.diagnosis;
        diagnosis.status = shown.status;
    }
    if (diagnosis.status != OK)
        refusal_text(&diagnosis, exhibit->why, sizeof exhibit->why);
    const struct trajectory *trajectory = shown.trajectory;
    exhibit->drawn = trajectory && trajectory->samples > 0 &&
                     (trajectory->samples > 1 || trajectory->events > 0) &&
                     (model->segments > 0 || model->n > 0 || model->ns > 0);
    if (exhibit->drawn)
        animation_init(&exhibit->animation, trajectory);
    shown_motion_clear(&shown);
    free(value);
}

static void run_exhibit(struct task *task)
{
    struct exhibit *exhibit = ((struct exhibit_job *)task)->exhibit;
    struct diagnosis diagnosis = {.t = NAN};
    exhibit->model = model_new(exhibit->desc, &diagnosis);
    if (exhibit->model)
        show(exhibit);
    else
        snprintf(exhibit->why, sizeof exhibit->why, "%.399s", diagnosis.place);
}

struct exhibit *exhibits_new(const struct report *report)
{
    struct exhibit *exhibit = memory_new(report->cases, sizeof *exhibit);
    struct exhibit_job *job = memory_new(report->cases, sizeof *job);
    struct task **task = memory_new(report->cases, sizeof *task);
    for (int k = 0; k < report->cases; k++) {
        exhibit[k].desc = report->desc[k];
        job[k].exhibit = &exhibit[k];
        job[k].task.run = run_exhibit;
        job[k].task.weight = 1;
        snprintf(job[k].task.title, sizeof job[k].task.title, "%s",
                 report->desc[k]->name);
        task[k] = &job[k].task;
    }
    pool_run("report, motions", task, report->cases, report->threads);
    free(job);
    free(task);
    return exhibit;
}

void exhibits_free(struct exhibit *exhibit, int cases)
{
    for (int k = 0; exhibit && k < cases; k++) {
        if (exhibit[k].drawn)
            animation_clear(&exhibit[k].animation);
        if (exhibit[k].model)
            model_free(exhibit[k].model);
    }
    free(exhibit);
}
