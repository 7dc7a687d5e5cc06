/*
 * worker.c - rows of a sweep, computed by one thread.
 */
#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"
#include "sweep/interrupt.h"
#include "sweep/sweep.h"

struct worker {
    const struct sweep *sweep;
    struct model *model;
    double *value;                  /* [model->p] */
    struct run_request request;
    struct runner *runner;          /* of the request; NULL before the first row */
    double end;                     /* where request.sample points */
};

static bool go_on(void *context, double done)
{
    (void)context;
    (void)done;
    return !interrupt_seen();
}

struct worker *worker_open(const struct sweep *sweep)
{
    struct worker *worker = memory_new(1, sizeof *worker);
    worker->sweep = sweep;
    worker->model = model_new_with(sweep->desc, sweep->model->reset, NULL);
    if (!worker->model)
        slip("%s cannot be recorded a second time", sweep->desc->name);
    int p = worker->model->p;
    worker->value = memory_new(p, sizeof *worker->value);
    memory_copy(worker->value, sweep->value, p, sizeof *worker->value);
    worker->request = sweep->request;
    worker->request.model = worker->model;
    worker->request.value = worker->value;
    worker->request.t_end = sweep->t_end;
    worker->request.sample = &worker->end;
    worker->request.samples = 1;
    worker->request.progress = go_on;
    return worker;
}

void worker_close(struct worker *worker)
{
    runner_free(worker->runner);
    model_free(worker->model);
    free(worker->value);
    free(worker);
}

/* The trajectory at worker->value. */
static enum status solve(struct worker *worker, struct trajectory **trajectory,
                         struct diagnosis *diagnosis)
{
    double t0;
    enum status status = OK;
    worker->end = worker->sweep->t_end;
    /* the gradient of psi has the share of an end that moves: it is left to the model */
    if (isnan(worker->end))
        status = model_times(worker->model, worker->value, &t0, &worker->end, diagnosis);
    if (status != OK)
        return status;
    if (!worker->runner)
        worker->runner = runner_new(&worker->request, diagnosis);
    return worker->runner ? runner_run(worker->runner, NULL, trajectory, diagnosis)
                          : diagnosis->status;
}

static void print_row(struct worker *worker, long index, FILE *stream)
{
    const struct sweep *sweep = worker->sweep;
    struct diagnosis diagnosis = {.t = NAN};
    struct trajectory *trajectory = NULL;
    points_set(&sweep->points, index, worker->value);
    enum status status = solve(worker, &trajectory, &diagnosis);
    const struct row row = {.index = index, .value = worker->value, .status = status,
                            .t = diagnosis.t, .trajectory = trajectory};
    row_print(stream, &sweep->points, &sweep->columns, &row);
    trajectory_free(trajectory);
}

char *worker_batch(struct worker *worker, long first, int count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        slip("out of memory");
    for (int k = 0; k < count && !interrupt_seen(); k++)
        print_row(worker, first + k, stream);
    if (fclose(stream) != 0)
        slip("out of memory");
    /* the row in which it came is no refusal of the motion */
    if (!interrupt_seen())
        return text;
    free(text);
    return NULL;
}

enum status sweep_check(const struct sweep *sweep, struct diagnosis *diagnosis)
{
    /* a step or two: the motion is not what is asked about */
    double t0, t_end = sweep->t_end;
    struct trajectory *trajectory = NULL;
    struct worker *worker = worker_open(sweep);
    enum status status = model_times(worker->model, worker->value, &t0, &worker->end,
                                     diagnosis);
    if (status == OK) {
        t_end = isnan(t_end) ? worker->end : t_end;
        worker->end = t_end > t0 ? t0 + 1e-9 * (t_end - t0) : t_end;
        worker->request.t_end = worker->end;
        status = run(&worker->request, &trajectory, diagnosis);
    }
    trajectory_free(trajectory);
    worker_close(worker);
    bool input = status == BAD_INPUT || status == NOT_APPLICABLE ||
                 (status == NOT_SPD && isnan(diagnosis->t));
    return input ? status : OK;
}
