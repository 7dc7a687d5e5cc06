/*
 * objective.c - a cost with its gradient, by one of the methods (objective.h)
 */
#include "optimise/objective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/adjoint.h"
#include "base/memory.h"

/* The tangent linear model beside the motion, a column a parameter. */
static const char direct[] = "direct";

struct objective {
    struct run_request run;
    int cost;
    double *value;              /* [model->p] parameters of the next run */
    struct adjoint *adjoint;    /* NULL: the direct method */
    struct runner *runner;      /* NULL: another method */
};

int objective_methods(const char **name, int room)
{
    int count = 0;
    for (; adjoint_methods[count] && count < room; count++)
        name[count] = adjoint_method_name(adjoint_methods[count]);
    if (count < room)
        name[count++] = direct;
    return count;
}

struct objective *objective_new(const struct run_request *run, int cost,
                                const char *method, struct diagnosis *diagnosis)
{
    int p = run->model->p;
    struct objective *objective = memory_new(1, sizeof *objective);
    *objective = (struct objective){.run = *run, .cost = cost};
    objective->value = memory_new(p, sizeof *objective->value);
    memory_copy(objective->value, run->value, p, sizeof *objective->value);
    objective->run.value = objective->value;
    objective->run.without_unknowns = true;
    if (strcmp(method, direct) == 0) {
        objective->runner = runner_new(&objective->run, diagnosis);
    } else {
        const struct adjoint_request request = {
            .run = objective->run, .cost = cost, .method = adjoint_method_find(method)};
        objective->adjoint = adjoint_new(&request, diagnosis);
    }
    if (objective->runner || objective->adjoint)
        return objective;
    objective_free(objective);
    return NULL;
}

void objective_free(struct objective *objective)
{
    if (!objective)
        return;
    adjoint_free(objective->adjoint);
    if (objective->runner)
        runner_free(objective->runner);
    free(objective->value);
    free(objective);
}

/* Notes names and times of the events. */
static void take_events(struct evaluation *e, const struct trajectory *trajectory)
{
    size_t size = 0;
    free(e->names);
    FILE *stream = open_memstream(&e->names, &size);
    if (!stream)
        memory_exhausted();
    e->events = trajectory->events;
    e->time = memory_new(e->events, sizeof *e->time);
    for (int k = 0; k < e->events; k++) {
        const struct event_record *event = &trajectory->event[k];
        fprintf(stream, "%s%s", k ? " " : "", event->event->name);
        e->time[k] = event->before.t;
    }
    if (fclose(stream) != 0)
        memory_exhausted();
}

static enum status run_backwards(struct objective *objective, struct evaluation *e,
                                 struct diagnosis *diagnosis)
{
    struct gradient *gradient = NULL;
    enum status status = adjoint_run(objective->adjoint, objective->value, &gradient,
                                     diagnosis);
    if (status == OK) {
        e->psi = gradient->value;
        memory_copy(e->gradient, gradient->by_rho, objective->run.parameters,
                    sizeof *e->gradient);
        take_events(e, gradient->trajectory);
    }
    gradient_free(gradient);
    return status;
}

static enum status run_forwards(struct objective *objective, struct evaluation *e,
                                struct diagnosis *diagnosis)
{
    struct trajectory *trajectory = NULL;
    enum status status = runner_run(objective->runner, objective->value, &trajectory,
                                    diagnosis);
    if (status == OK) {
        int nz = objective->run.model->nz;
        e->psi = trajectory->psi[objective->cost];
        for (int k = 0; k < objective->run.parameters; k++)
            e->gradient[k] = trajectory->psi[(1 + k) * nz + objective->cost];
        take_events(e, trajectory);
    }
    trajectory_free(trajectory);
    return status;
}

static bool is_finite(const struct evaluation *e, int n)
{
    bool finite = isfinite(e->psi);
    for (int k = 0; k < n; k++)
        finite &= isfinite(e->gradient[k]);
    return finite;
}

void objective_at(struct objective *objective, struct evaluation *e,
                  struct diagnosis *diagnosis)
{
    int n = objective->run.parameters;
    for (int k = 0; k < n; k++)
        objective->value[objective->run.parameter[k]] = e->value[k];
    e->status = objective->adjoint ? run_backwards(objective, e, diagnosis)
                                   : run_forwards(objective, e, diagnosis);
    e->t = diagnosis->t;
    if (e->status == OK && !is_finite(e, n))
        e->status = diagnose(diagnosis, NOT_FINITE, NAN, "the cost is no number");
    if (e->status == OK)
        return;
    e->psi = NAN;
    for (int k = 0; k < n; k++)
        e->gradient[k] = NAN;
}
