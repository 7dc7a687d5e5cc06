/*
 * saltus.c - this solver as a peer: a workload from its formulas.
 *
 * FORMULATION/INTEGRATOR is a solution by a runner: all that does not depend on
 * parameters (recording, differentiating, compiling) is made once, as it is for the other
 * peers. With /run behind it all of a run is timed: equations made anew, code from the
 * cache. The costs of the case are left out, as they are by everybody else.
 */
#include "peers/saltus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "motion/reference_motion.h"
#include "run.h"

struct saltus {
    struct model *model;
    const char *option[MAX_OPTIONS];
    int parameter[WORKLOAD_PARAMETERS], column[MOST_ANSWERS];
    int answers;
    double *value;
    struct run_request request;
    struct runner *runner;
};

/* --- the peer ----------------------------------------------------------------------- */

static void saltus_close(void *work)
{
    struct saltus *saltus = work;
    runner_free(saltus->runner);
    model_free(saltus->model);
    free(saltus->value);
    free(saltus);
}

static enum status fill(struct saltus *saltus, const struct peer *peer,
                        struct diagnosis *diagnosis)
{
    const struct model *model = saltus->model;
    struct model without_costs = *model;
    struct columns columns;
    without_costs.nz = 0;
    peer_options(peer, saltus->option);
    int parameters = workload_parameters(peer->workload, model, saltus->parameter);
    saltus->value = memory_new(model->p, sizeof *saltus->value);
    columns_init(&columns, &without_costs, parameters, saltus->parameter);
    workload_columns(peer->workload, &columns, saltus->column);
    saltus->answers = peer->workload->answers;
    saltus->request = (struct run_request){
        .model = model, .formulation = peer->formulation, .option = saltus->option,
        .integrator = peer->integrator, .parameters = parameters,
        .parameter = saltus->parameter,
        .value = saltus->value, .t_end = peer->workload->t_end, .samples = 1,
        .sample = &peer->workload->t_end,
        .without_costs = true, .without_unknowns = true, .code = CODE_ALWAYS,
        .rtol = 1e-6,
    };
    enum status status = model_nominal_values(model, saltus->value, diagnosis);
    if (status != OK)
        return status;
    saltus->runner = runner_new(&saltus->request, diagnosis);
    return saltus->runner ? OK : diagnosis->status;
}

static void *saltus_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    struct saltus *saltus = memory_new(1, sizeof *saltus);
    saltus->model = workload_model(peer->workload, diagnosis);
    if (saltus->model && fill(saltus, peer, diagnosis) == OK)
        return saltus;
    saltus_close(saltus);
    return NULL;
}

static enum status take_answer(const struct saltus *saltus, enum status status,
                               struct trajectory *trajectory, struct answer *answer)
{
    for (int k = 0; k < saltus->answers && status == OK; k++)
        answer->value[k] =
            trajectory->sample[trajectory->samples - 1].x[saltus->column[k]];
    if (status == OK) {
        answer->evaluations = trajectory->evaluations;
        answer->compiled = trajectory->compiled;
    }
    trajectory_free(trajectory);
    return status;
}

static enum status solve_prepared(void *work, double tolerance, struct answer *answer,
                                  struct diagnosis *diagnosis)
{
    struct saltus *saltus = work;
    struct trajectory *trajectory = NULL;
    runner_tolerances(saltus->runner, tolerance, tolerance/1000);
    enum status status = runner_run(saltus->runner, NULL, &trajectory, diagnosis);
    return take_answer(saltus, status, trajectory, answer);
}

static enum status solve_all(void *work, double tolerance, struct answer *answer,
                             struct diagnosis *diagnosis)
{
    struct saltus *saltus = work;
    struct trajectory *trajectory = NULL;
    saltus->request.rtol = tolerance;
    saltus->request.atol = tolerance/1000;
    enum status status = run_once(&saltus->request, &trajectory, diagnosis);
    return take_answer(saltus, status, trajectory, answer);
}

/* True if the integrator takes equations of this kind. */
static bool fits(const struct formulation *formulation,
                 const struct integrator *integrator)
{
    return formulation->kind == ALGEBRAIC || integrator->alloc_implicit;
}

bool saltus_peer(struct peer *peer, bool all)
{
    const char *why, *option[MAX_OPTIONS];
    struct diagnosis diagnosis;
    struct model *model = workload_model(peer->workload, &diagnosis);
    peer->integrator = integrator_chosen(peer->formulation, peer->integrator);
    bool applies = model && formulation_applies(peer->formulation, model, &why) &&
                   fits(peer->formulation, peer->integrator) &&
                   peer_options(peer, option);
    model_free(model);
    if (!applies)
        return false;
    snprintf(peer->made_name, sizeof peer->made_name, "%s%s%s/%s%s",
             peer->formulation->name, *peer->option ? ":" : "", peer->option,
             peer->integrator->name, all ? "/run" : "");
    peer->name = peer->made_name;
    snprintf(peer->made_title, sizeof peer->made_title, "saltus: %s%s%s",
             *peer->option ? peer->formulation->name : peer->formulation->title,
             *peer->option ? " with " : "", peer->option);
    peer->title = peer->made_title;
    peer->build = all ? "this program: all of run(), code from the cache"
                      : "this program: a run, prepared once, by generated code";
    peer->loosest = 1e-4;
    peer->open = saltus_open;
    peer->solve = all ? solve_all : solve_prepared;
    peer->close = saltus_close;
    return true;
}
