/*
 * saltus.c - workload W from its formulas, nothing known of the mechanism.
 *
 * FORMULATION/INTEGRATOR is a solution by a runner: what does not depend on parameters
 * (recording, differentiating, compiling) is made once, as it is for the other peers.
 * With /run behind it all of run() is timed: equations made anew, code from the cache.
 * The four costs of the case are left out, as they are by everybody else.
 */
#include "peers/saltus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "formula/memory.h"
#include "run.h"
#include "truths.h"

struct saltus {
    struct model *model;
    const char *option[MAX_OPTIONS];
    int parameter[2], column[ANSWERS];
    double t_end;
    double *value;
    struct run_request request;
    struct runner *runner;
};

/* --- the workload ------------------------------------------------------------------- */

struct model *workload_model(struct diagnosis *diagnosis)
{
    return model_new(case_find("five-bar"), diagnosis);
}

static int index_of(const struct columns *columns, const char *wanted)
{
    char name[96];
    for (int k = 0; k < columns->count; k++) {
        column_name(columns, k, name, sizeof name);
        if (strcmp(name, wanted) == 0)
            return k;
    }
    slip("five-bar has no column %s", wanted);
}

void workload_columns(const struct columns *columns, int column[ANSWERS])
{
    static const char *const name[ANSWERS] = {"q.y2", "v.y2", "dq.y2/dL01"};
    for (int k = 0; k < ANSWERS; k++)
        column[k] = index_of(columns, name[k]);
}

static int parameter_of(const struct model *model, const char *name)
{
    for (int k = 0; k < model->p; k++)
        if (strcmp(model->parameter[k].name, name) == 0)
            return k;
    slip("five-bar has no parameter %s", name);
}

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
    double t0;
    const struct model *model = saltus->model;
    struct model without_costs = *model;
    struct columns columns;
    without_costs.nz = 0;
    options_nominal(peer->formulation, saltus->option);
    saltus->parameter[0] = parameter_of(model, "L01");
    saltus->parameter[1] = parameter_of(model, "L02");
    saltus->value = memory_new(model->p, sizeof *saltus->value);
    columns_init(&columns, &without_costs, 2, saltus->parameter);
    workload_columns(&columns, saltus->column);
    saltus->request = (struct run_request){
        .model = model, .formulation = peer->formulation, .option = saltus->option,
        .integrator = peer->integrator, .parameters = 2, .parameter = saltus->parameter,
        .value = saltus->value, .t_end = NAN, .samples = 1, .sample = &saltus->t_end,
        .without_costs = true, .code = CODE_ALWAYS, .rtol = 1e-6,
    };
    enum status status = nominal_values(model, saltus->value, diagnosis);
    if (status != OK)
        return status;
    status = model_times(model, saltus->value, &t0, &saltus->t_end, diagnosis);
    if (status != OK)
        return status;
    saltus->runner = runner_new(&saltus->request, diagnosis);
    return saltus->runner ? OK : diagnosis->status;
}

static void *saltus_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    struct saltus *saltus = memory_new(1, sizeof *saltus);
    saltus->model = workload_model(diagnosis);
    if (saltus->model && fill(saltus, peer, diagnosis) == OK)
        return saltus;
    saltus_close(saltus);
    return NULL;
}

static enum status take_answer(const struct saltus *saltus, enum status status,
                               struct trajectory *trajectory, struct answer *answer)
{
    for (int k = 0; k < ANSWERS && status == OK; k++)
        answer->value[k] =
            trajectory->sample[trajectory->samples - 1].x[saltus->column[k]];
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
    enum status status = run(&saltus->request, &trajectory, diagnosis);
    return take_answer(saltus, status, trajectory, answer);
}

/* Does this integrator take equations of this kind? */
static bool fits(const struct formulation *formulation,
                 const struct integrator *integrator)
{
    return formulation->kind == ALGEBRAIC || integrator->alloc_implicit;
}

bool saltus_peer(const struct formulation *formulation,
                 const struct integrator *integrator, bool all, struct peer *peer)
{
    const char *why;
    struct diagnosis diagnosis;
    struct model *model = workload_model(&diagnosis);
    bool applies = model && formulation_applies(formulation, model, &why) &&
                   fits(formulation, integrator);
    model_free(model);
    if (!applies)
        return false;
    char name[200];
    int length = snprintf(name, sizeof name, "%s/%s%s", formulation->name,
                          integrator->name, all ? "/run" : "");
    *peer = (struct peer){
        .name = memory_text(name, (size_t)length), .title = formulation->title,
        .build = all ? "this program: all of run(), code from the cache"
                     : "this program: a run, prepared once, by generated code",
        .loosest = 1e-4, .formulation = formulation, .integrator = integrator,
        .open = saltus_open, .solve = all ? solve_all : solve_prepared,
        .close = saltus_close,
    };
    return true;
}
