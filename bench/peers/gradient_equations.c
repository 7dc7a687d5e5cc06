/*
 * gradient_equations.c - explicit equations of a case with their pullbacks
 * (gradient_equations.h): those of this solver, whose runner is left without steps.
 */
#include "peers/gradient_equations.h"

#include <math.h>
#include <stdlib.h>

#include "adjoint/end_weights.h"
#include "adjoint/jump_adjoint.h"
#include "base/arena.h"
#include "base/memory.h"
#include "equations/pullback.h"
#include "events/hybrid.h"
#include "run.h"

struct gradient_equations {
    const struct workload *workload;
    struct model *model;
    struct runner *runner;          /* without columns: rates */
    struct runner *columns;         /* with all: the start */
    struct hybrid core;             /* of `runner`, begun and never stepped */
    struct diagnosis diagnosis;     /* of the run */
    bool begun;
    struct pullback **pullback;     /* [modes] */
    struct end_weights *end;
    struct jump_adjoint *jump;
    int states, unknowns, parameters;
    double *Y0;                     /* [unknowns*(1 + parameters)] the start */
    double t0, t_end;
    struct arena arena;             /* of all arrays */
};

/* --- open and close ----------------------------------------------------------------- */

void gradient_equations_free(struct gradient_equations *e)
{
    if (e->begun) {
        trajectory_free(e->core.out);
        runner_end(&e->core);
    }
    for (int k = 0; e->pullback && k < e->model->modes; k++)
        pullback_free(e->pullback[k]);
    end_weights_free(e->end);
    jump_adjoint_free(e->jump);
    runner_free(e->columns);
    runner_free(e->runner);
    model_free(e->model);
    arena_free(&e->arena);
    free(e);
}

static void compile_pullbacks(struct gradient_equations *e)
{
    struct system *system = e->core.system;
    e->pullback = arena_new(&e->arena, e->model->modes, sizeof *e->pullback);
    for (int k = 0; k < e->model->modes; k++) {
        e->pullback[k] = pullback_new(system, &system->mode[k], e->parameters,
                                      e->workload->by_parameter);
        pullback_use_code(e->pullback[k], CODE_ALWAYS);
        pullback_set(e->pullback[k], system->rho);
    }
    e->end = end_weights_new(system->model, WORKLOAD_COST, e->parameters,
                             e->workload->by_parameter, 0);
    e->jump = jump_adjoint_new(e->model, e->parameters, e->workload->by_parameter, 0);
}

static enum status find_start(struct gradient_equations *e, struct diagnosis *diagnosis)
{
    struct span span;
    enum status status = runner_start(e->columns, NULL, e->Y0, &span, diagnosis);
    for (int j = 0; j < e->parameters && status == OK; j++)
        if (span.dt_end[j] != 0)
            status = diagnose(diagnosis, NOT_APPLICABLE, span.t_end,
                              "the end of the run moves with parameters");
    e->t0 = span.t0;
    e->t_end = span.t_end;
    return status;
}

static enum status fill(struct gradient_equations *e, const struct peer *peer,
                        struct diagnosis *diagnosis)
{
    struct run_request request = {
        .model = e->model, .formulation = peer->formulation, .t_end = NAN,
        .parameters = e->parameters, .parameter = e->workload->by_parameter,
        .without_unknowns = true, .code = CODE_ALWAYS, .rtol = 1e-6, .atol = 1e-9,
    };
    e->columns = runner_new(&request, diagnosis);
    request.parameters = 0;
    e->runner = e->columns ? runner_new(&request, diagnosis) : NULL;
    if (!e->runner)
        return diagnosis->status;
    enum status status = find_start(e, diagnosis);
    if (status == OK) {
        e->begun = true;
        status = runner_begin(e->runner, NULL, NULL, &e->core, &e->diagnosis);
    }
    if (status == OK)
        compile_pullbacks(e);
    return status;
}

struct gradient_equations *gradient_equations_new(const struct peer *peer,
                                                  struct diagnosis *diagnosis)
{
    struct gradient_equations *e = memory_new(1, sizeof *e);
    e->workload = peer->workload;
    e->model = workload_model(peer->workload, diagnosis);
    if (e->model) {
        e->parameters = peer->workload->by;
        e->states = 2*e->model->n + e->model->ns;
        e->unknowns = e->states + e->model->nz;
        e->Y0 = arena_new(&e->arena, e->unknowns*(1 + e->parameters), sizeof *e->Y0);
        if (fill(e, peer, diagnosis) == OK)
            return e;
    }
    gradient_equations_free(e);
    return NULL;
}

int gradient_unknowns(const struct gradient_equations *e)
{
    return e->unknowns;
}

int gradient_states(const struct gradient_equations *e)
{
    return e->states;
}

int gradient_parameters(const struct gradient_equations *e)
{
    return e->parameters;
}

int gradient_events(const struct gradient_equations *e)
{
    return e->model->events;
}

/* --- evaluation --------------------------------------------------------------------- */

static void stand(struct gradient_equations *e, double t, const double *y)
{
    e->core.t = t;
    memory_copy(e->core.x, y, e->unknowns, sizeof *y);
}

enum status gradient_start(struct gradient_equations *e, double *y, double *t0,
                           double *t_end)
{
    struct system *system = e->core.system;
    memory_copy(y, e->Y0, e->unknowns, sizeof *y);
    *t0 = e->t0;
    *t_end = e->t_end;
    system_enter(system, &system->mode[e->core.model->start->index]);
    return system_rhs_restart(system, e->t0, y, e->core.dx);
}

enum status gradient_rates(struct gradient_equations *e, double t, const double *y,
                           double *dy)
{
    return system_rhs(e->core.system, t, y, dy);
}

enum status gradient_pullback(struct gradient_equations *e, double t, const double *y,
                              const double *mu, double *by_y, double *by_rho)
{
    struct system *system = e->core.system;
    struct pullback *pullback = e->pullback[system->now->mode->index];
    enum status status = pullback_at(pullback, system, t, y);
    return status == OK ? pullback_weights(pullback, mu, mu + e->states, by_y, by_rho)
                        : status;
}

enum status gradient_end(struct gradient_equations *e, double t, const double *y,
                         double *mu, double *G)
{
    double by_time;
    stand(e, t, y);
    pullback_restart(e->pullback[e->core.system->now->mode->index]);
    for (int k = 0; k < e->model->nz; k++)
        mu[e->states + k] = k == WORKLOAD_COST;
    return end_weights_at(e->end, &e->core, mu, G, &by_time);
}

/* --- events ------------------------------------------------------------------------- */

/* The run has events of the branch of its model. */
static const struct event *event_of(const struct gradient_equations *e, int k)
{
    return e->core.model->event[k];
}

int gradient_event_direction(const struct gradient_equations *e, int k)
{
    return event_of(e, k)->direction;
}

enum status gradient_guards(struct gradient_equations *e, double t, const double *y,
                            double *r)
{
    struct hybrid *core = &e->core;
    const struct mode_system *ms = core->system->now;
    enum status status = ms->guards_use_unknowns ? hybrid_solve(core, t, y) : OK;
    hybrid_guards(core, t, y);
    for (int k = 0, own = 0; k < e->model->events; k++)
        r[k] = event_of(e, k)->from == ms->mode ? core->guard.r[own++] : 1;
    return status;
}

enum status gradient_event(struct gradient_equations *e, int k, double t, double *y)
{
    stand(e, t, y);
    enum status status = jump_adjoint_pass(&e->core, event_of(e, k));
    if (status != OK)
        return status;
    memory_copy(y, e->core.x, e->unknowns, sizeof *y);
    return system_rhs_restart(e->core.system, t, y, e->core.dx);
}

void gradient_leave_event(struct gradient_equations *e, int k)
{
    struct system *system = e->core.system;
    int mode = event_of(e, k)->from->index;
    system_enter(system, &system->mode[mode]);
    pullback_restart(e->pullback[mode]);
}

enum status gradient_event_back(struct gradient_equations *e, int k, double t,
                                const double *y, double *mu, double *G)
{
    gradient_leave_event(e, k);
    stand(e, t, y);
    struct jump_weights weights = {.mu = mu, .G = G, .mu_z = mu + e->states};
    enum status status = jump_adjoint_apply(e->jump, &e->core, event_of(e, k), &weights,
                                            1);
    gradient_leave_event(e, k);
    return status;
}

void gradient_answer(const struct gradient_equations *e, const double *mu,
                     const double *G, struct answer *answer)
{
    for (int j = 0; j < e->parameters; j++) {
        const double *Y = e->Y0 + (1 + j)*e->unknowns;
        answer->value[j] = G[j];
        for (int i = 0; i < e->unknowns; i++)
            answer->value[j] += mu[i]*Y[i];
    }
}
