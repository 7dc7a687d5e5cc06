/*
 * arcs.c - weights carried back over the steps of an arc, each with the choices that the
 * run had in it: coordinates, pivots, trust.
 */
#include "adjoint/adjoint_parts.h"
#include "base/memory.h"

/* Makes a step again for a checkpoint. The context is the sweep's, by way of `visit`. */
struct back {
    struct adjoint *adjoint;
    void *work;
};

/* Makes the choice of coordinates again that the run had in this step, and looks whether
   the program solved beforehand is to be trusted there. */
static enum status choose_again(struct hybrid *core, const struct history_step *step)
{
    enum status status = OK;
    if (system_projects_steps(core->system))
        status = system_choose(core->system, step->choice, step->t, step->x);
    return status == OK ? system_rhs_restart(core->system, step->t, step->x, core->dx)
                        : status;
}

static enum status make_step(void *context, const struct history_step *step,
                             double *x_new)
{
    struct back *back = context;
    struct hybrid *core = &back->adjoint->core;
    enum status status = choose_again(core, step);
    if (status == OK)
        status = sweep_step(&back->adjoint->sweep, step);
    if (status == OK && system_projects_steps(core->system))
        status = system_project(core->system, step->t + step->h, core->step.x_new);
    memory_copy(x_new, core->step.x_new, back->adjoint->history.state, sizeof *x_new);
    return status;
}

/* Keeps the weights of a sample at which a step began. */
static void keep_sample(struct adjoint *adjoint, double t)
{
    const struct sweep *sweep = &adjoint->sweep;
    struct gradient *gradient = adjoint->gradient;
    for (int k = 0; k < gradient->samples; k++) {
        struct adjoint_sample *sample = &gradient->sample[k];
        if (sample->t != t)
            continue;
        memory_copy(sample->mu, sweep->mu, sweep->N, sizeof *sweep->mu);
        memory_copy(sample->G, sweep->G, sweep->parameters, sizeof *sweep->G);
    }
}

static enum status visit_step(void *context, const struct history_step *step)
{
    struct back *back = context;
    struct adjoint *adjoint = back->adjoint;
    const struct run_request *run = &adjoint->request.run;
    const struct span *span = &adjoint->core.span;
    double done = 0.5 + 0.5 * (span->t_end - step->t) / (span->t_end - span->t0);
    if (run->progress && !run->progress(run->progress_context, done))
        return diagnose(adjoint->core.diagnosis, BAD_INPUT, step->t, "interrupted");
    enum status status = choose_again(&adjoint->core, step);
    sweep_restart(&adjoint->sweep);
    if (status == OK)
        status = adjoint->request.method->visit(back->work, step);
    keep_sample(adjoint, step->t);
    return status;
}

/* Enters an arc again, where its choices (coordinates, pivots) are those of its
   beginning. */
static enum status enter_arc(struct adjoint *adjoint, const struct history_arc *arc)
{
    struct hybrid *core = &adjoint->core;
    system_enter(core->system, &core->system->mode[arc->mode]);
    memory_copy(core->x, arc->x, adjoint->history.state, sizeof *core->x);
    core->t = arc->t;
    enum status status = system_project_restart(core->system, core->t, core->x);
    return status == OK ? system_rhs_restart(core->system, core->t, core->x, core->dx)
                        : status;
}

enum status adjoint_arc_back(struct adjoint *adjoint, const struct history_arc *arc,
                             void *work)
{
    struct back back = {adjoint, work};
    if (arc->first == arc->end)
        return OK;
    enum status status = enter_arc(adjoint, arc);
    if (status == OK)
        status = adjoint->request.method->begin(work);
    if (status == OK)
        status = history_steps_back(&adjoint->history, arc, make_step, visit_step, &back);
    return status;
}
