/*
 * gradients.c - this solver's gradients as peers: the direct method, and backwards.
 *
 * All that does not depend on parameters or on the tolerance is made once, as it is for
 * the other peers. The formulation is the usual one of the workload.
 */
#include <math.h>
#include <stdlib.h>

#include "adjoint/adjoint.h"
#include "base/memory.h"
#include "peers/peer.h"
#include "run.h"

struct gradients {
    const struct workload *workload;
    struct model *model;
    struct runner *runner;          /* of the direct method, else NULL */
    struct adjoint *adjoint;        /* of the other methods, else NULL */
};

/* --- open and close ----------------------------------------------------------------- */

static void gradients_close(void *work)
{
    struct gradients *g = work;
    adjoint_free(g->adjoint);
    runner_free(g->runner);
    model_free(g->model);
    free(g);
}

/* A method of the name of the peer goes backwards. */
static void *gradients_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    struct gradients *g = memory_new(1, sizeof *g);
    g->workload = peer->workload;
    g->model = workload_model(peer->workload, diagnosis);
    struct adjoint_request request = {
        .run = {.model = g->model, .formulation = peer->formulation, .t_end = NAN,
                .parameters = peer->workload->by, .without_unknowns = true,
                .parameter = peer->workload->by_parameter, .code = CODE_ALWAYS,
                .rtol = 1e-6, .atol = 1e-9},
        .method = adjoint_method_find(peer->name), .cost = WORKLOAD_COST,
    };
    if (g->model && request.method)
        g->adjoint = adjoint_new(&request, diagnosis);
    else if (g->model)
        g->runner = runner_new(&request.run, diagnosis);
    if (g->adjoint || g->runner)
        return g;
    gradients_close(g);
    return NULL;
}

/* --- a solution --------------------------------------------------------------------- */

static enum status solve_direct(void *work, double tolerance, struct answer *answer,
                                struct diagnosis *diagnosis)
{
    const struct gradients *g = work;
    struct trajectory *trajectory = NULL;
    runner_tolerances(g->runner, tolerance, tolerance/1000);
    enum status status = runner_run(g->runner, NULL, &trajectory, diagnosis);
    for (int j = 0; j < g->workload->by && status == OK; j++)
        answer->value[j] = trajectory->psi[(1 + j)*g->model->nz + WORKLOAD_COST];
    if (status == OK) {
        answer->evaluations = trajectory->evaluations;
        answer->compiled = trajectory->compiled;
    }
    trajectory_free(trajectory);
    return status;
}

static enum status solve_back(void *work, double tolerance, struct answer *answer,
                              struct diagnosis *diagnosis)
{
    const struct gradients *g = work;
    struct gradient *gradient = NULL;
    adjoint_tolerances(g->adjoint, tolerance, tolerance/1000);
    enum status status = adjoint_run(g->adjoint, NULL, &gradient, diagnosis);
    for (int j = 0; j < g->workload->by && status == OK; j++)
        answer->value[j] = gradient->by_rho[j];
    gradient_free(gradient);
    return status;
}

/* --- peers -------------------------------------------------------------------------- */

#define GRADIENTS(id, text, about, solver)                                               \
    extern const struct peer peer_##id;                                                  \
    const struct peer peer_##id = {                                                      \
        .name = text, .title = "saltus: " about, .loosest = 1e-4,                        \
        .build = "this program: a run, prepared once, by generated code",                \
        .open = gradients_open, .solve = solver, .close = gradients_close,               \
    }

GRADIENTS(adjoint, "adjoint", "adjoint equations over the dense output", solve_back);
GRADIENTS(discrete_adjoint, "discrete-adjoint",
          "the transpose of the steps of the direct method", solve_back);
GRADIENTS(direct, "direct", "the direct method, a column for each parameter",
          solve_direct);
