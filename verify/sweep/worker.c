/*
 * worker.c - rows of a sweep, computed by one thread, several beside each other (struct
 * batch of run.h).
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "sweep/interrupt.h"
#include "sweep/sweep.h"

struct worker {
    const struct sweep *sweep;
    struct model *model;
    double *value;                  /* [BATCH][model->p] parameters of each row */
    double end[BATCH];              /* end of each row, its only sample */
    struct run_request request;
    struct batch *batch;            /* runs of the request; NULL before the first row */
};

struct worker *worker_open(const struct sweep *sweep)
{
    struct worker *worker = memory_new(1, sizeof *worker);
    worker->sweep = sweep;
    worker->model = model_new_with(sweep->desc, sweep->model->reset, NULL);
    if (!worker->model)
        slip("%s cannot be recorded a second time", sweep->desc->name);
    int p = worker->model->p;
    worker->value = memory_new(BATCH * p, sizeof *worker->value);
    for (int k = 0; k < BATCH; k++)
        memory_copy(worker->value + k * p, sweep->value, p, sizeof *worker->value);
    worker->request = sweep->request;
    worker->request.beside = true;
    worker->request.without_unknowns = !sweep_columns_have(&sweep->columns, GROUP_A) &&
                                       !sweep_columns_have(&sweep->columns, GROUP_LAMBDA);
    worker->request.model = worker->model;
    worker->request.value = worker->value;
    worker->request.t_end = sweep->t_end;
    worker->request.sample = worker->end;
    worker->request.samples = 1;
    worker->request.progress = interrupt_progress;
    return worker;
}

void worker_close(struct worker *worker)
{
    batch_free(worker->batch);
    model_free(worker->model);
    free(worker->value);
    free(worker);
}

/* Sets row `index` as number k of the batch; false: the row is refused before it
   begins. */
static bool set_run(struct worker *worker, long index, int k, struct batch_run *run)
{
    double t0, *value = worker->value + k * worker->model->p, *end = &worker->end[k];
    points_set(&worker->sweep->points, index, value);
    *run = (struct batch_run){.value = value, .sample = end, .diagnosis = {.t = NAN}};
    *end = worker->sweep->t_end;
    /* the end is left to the model: the gradient of psi has the share of an end that
       moves */
    if (isnan(*end))
        run->status = model_times(worker->model, value, &t0, end, &run->diagnosis);
    return run->status == OK;
}

static void print_row(struct worker *worker, long index, const struct batch_run *run,
                      FILE *stream)
{
    const struct sweep *sweep = worker->sweep;
    const struct sweep_line row = {
        .index = index, .value = run->value, .status = run->status,
        .t = run->diagnosis.t, .trajectory = run->trajectory};
    sweep_line_print(stream, &sweep->points, &sweep->columns, &row);
}

/* Solves the trajectories of all rows that begin. */
static void solve(struct worker *worker, long first, int count, struct batch_run *run)
{
    struct batch_run begins[BATCH];
    int which[BATCH], begin = 0;
    for (int k = 0; k < count; k++)
        if (set_run(worker, first + k, k, &run[k])) {
            which[begin] = k;
            begins[begin++] = run[k];
        }
    if (!worker->batch)
        worker->batch = batch_new(&worker->request, 0);
    batch_run(worker->batch, begins, begin);
    for (int k = 0; k < begin; k++)
        run[which[k]] = begins[k];
}

char *worker_batch(struct worker *worker, long first, int count)
{
    char *text = NULL;
    size_t size = 0;
    struct batch_run run[BATCH];
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        memory_exhausted();
    solve(worker, first, count, run);
    for (int k = 0; k < count; k++) {
        print_row(worker, first + k, &run[k], stream);
        trajectory_free(run[k].trajectory);
    }
    if (fclose(stream) != 0)
        memory_exhausted();
    /* an interruption is no refusal of the motion */
    if (!interrupt_seen())
        return text;
    free(text);
    return NULL;
}

enum status sweep_check(const struct sweep *sweep, struct diagnosis *diagnosis)
{
    /* a step or two: only the request is in question, not the motion */
    double t0, t_end = sweep->t_end;
    struct trajectory *trajectory = NULL;
    struct worker *worker = worker_open(sweep);
    enum status status = model_times(worker->model, worker->value, &t0, worker->end,
                                     diagnosis);
    if (status == OK) {
        t_end = isnan(t_end) ? *worker->end : t_end;
        *worker->end = t_end > t0 ? t0 + 1e-9 * (t_end - t0) : t_end;
        worker->request.t_end = *worker->end;
        status = run_once(&worker->request, &trajectory, diagnosis);
    }
    trajectory_free(trajectory);
    worker_close(worker);
    bool input = status == BAD_INPUT || status == NOT_APPLICABLE ||
                 (status == NOT_SPD && isnan(diagnosis->t));
    return input ? status : OK;
}
