/*
 * discrete.c - the transpose of explicit Runge-Kutta steps (Hager 2000; Walther 2007).
 *
 *     y_i = x + h sum_(j < i) a_ij k_j,   k_i = f(t + c_i h, y_i),
 *     x_new = x + h sum b_j k_j
 *
 * backwards, with the weights mu of x_new:
 *
 *     kappa_i = h (b_i mu + sum_(l > i) a_li psi_l),   psi_i = f_y(y_i)' kappa_i
 *     mu of x = mu + sum psi_i,   G grows by sum f_rho(y_i)' kappa_i
 *
 * An event on the dense output has the weights b_i(theta) of that, with its further
 * stages.
 *
 * A formulation that projects its states takes f at the projected state, and projects
 * x_new: each projection is transposed by unit columns.
 */
#include <stdlib.h>
#include <string.h>

#include "adjoint/sweep.h"
#include "base/memory.h"
#include "integrators/erk.h"

struct discrete {
    struct sweep *sweep;
    const struct pair *pair;
    double *a;                      /* [ERK_SLOPES^2] coefficients */
    int stages;                     /* number of stages of the step in hand */
    double b[ERK_SLOPES];           /* [stages] its weights */
    double *k[ERK_SLOPES];          /* [state] slopes */
    double *y[ERK_SLOPES];          /* [state] stages */
    double *psi[ERK_SLOPES];        /* [N] */
    double *kappa, *unit, *x_new;   /* [N] [state] [state] */
    struct arena arena;             /* of all arrays */
};

static const char *refuses(const struct integrator *integrator)
{
    return integrator->pair ? NULL
                            : "it transposes the steps of dop853, rk87, verner98 only";
}

static void *discrete_alloc(struct sweep *sweep)
{
    struct discrete *work = memory_new(1, sizeof *work);
    int state = sweep->core->system->state;
    work->sweep = sweep;
    work->pair = sweep->core->integrator->pair;
    work->a = arena_new(&work->arena, ERK_SLOPES * ERK_SLOPES, sizeof *work->a);
    erk_coefficients(work->pair, work->a);
    for (int i = 0; i < work->pair->slopes; i++) {
        work->k[i] = arena_new(&work->arena, state, sizeof(double));
        work->y[i] = arena_new(&work->arena, state, sizeof(double));
        work->psi[i] = arena_new(&work->arena, state, sizeof(double));
    }
    work->kappa = arena_new(&work->arena, state, sizeof(double));
    work->unit = arena_new(&work->arena, state, sizeof(double));
    work->x_new = arena_new(&work->arena, state, sizeof(double));
    return work;
}

static void discrete_release(void *memory)
{
    struct discrete *work = memory;
    arena_free(&work->arena);
    free(work);
}

static enum status discrete_begin(void *memory)
{
    (void)memory;
    return OK;
}

static bool projects_evaluations(const struct system *system)
{
    return system->now->projecting && system->formulation->projection->every_evaluation;
}

/* --- a step ------------------------------------------------------------------------- */

/* y = x + h sum_(j < count) a_j k_j, where h is the length of the whole step. */
static void combine(const struct discrete *work, const struct history_step *step,
                    const double *a, int count, double *y)
{
    int state = work->sweep->core->system->state;
    memory_copy(y, step->x, state, sizeof *y);
    for (int j = 0; j < count; j++)
        for (int c = 0; a[j] != 0 && c < state; c++)
            y[c] += step->length * a[j] * work->k[j][c];
}

/* The weights of the step: of the solution, or of the dense output. */
static void choose_weights(struct discrete *work, const struct history_step *step)
{
    const struct pair *pair = work->pair;
    work->stages = step->length != step->h ? pair->slopes : pair->end;
    if (step->length != step->h)
        erk_dense_weights(pair, step->h / step->length, work->b);
    else
        memory_copy(work->b, work->a + pair->end * ERK_SLOPES, pair->end, sizeof(double));
}

static enum status forwards(struct discrete *work, const struct history_step *step)
{
    struct system *system = work->sweep->core->system;
    enum status status = OK;
    for (int i = 0; i < work->stages && status == OK; i++) {
        combine(work, step, work->a + i * ERK_SLOPES, i, work->y[i]);
        status = system_rhs(system, step->t + work->pair->node[i] * step->length,
                            work->y[i], work->k[i]);
    }
    return status;
}

/* kappa_i, from the psi of later stages; false if it is zero. */
static bool gather(const struct discrete *work, const struct history_step *step, int i)
{
    const double *mu = work->sweep->mu, *a = work->a;
    int N = work->sweep->N;
    bool any = work->b[i] != 0;
    for (int c = 0; c < N; c++)
        work->kappa[c] = step->length * work->b[i] * mu[c];
    for (int l = i + 1; l < work->stages; l++) {
        double part = step->length * a[l * ERK_SLOPES + i];
        any = any || part != 0;
        for (int c = 0; part != 0 && c < N; c++)
            work->kappa[c] += part * work->psi[l][c];
    }
    return any;
}

/* The weight of z' in this stage is h b_i mu_z: no rate depends on z. */
static enum status stage_back(struct discrete *work, const struct history_step *step,
                              int i)
{
    struct sweep *sweep = work->sweep;
    const struct system *system = sweep->core->system;
    double t = step->t + work->pair->node[i] * step->length;
    double weight = step->length * work->b[i];
    int nz = system->model->nz;
    enum status status = OK;
    if (!gather(work, step, i)) {
        memset(work->psi[i], 0, (size_t)sweep->N * sizeof(double));
        return OK;
    }
    memory_copy(work->unit, work->y[i], system->state, sizeof(double));
    if (projects_evaluations(system))
        status = system_project(sweep->core->system, t, work->unit);
    if (status == OK)
        status = sweep_pullback_at(sweep, t, work->unit);
    double *mu_z = sweep->mu_z, *scaled = work->unit;
    for (int k = 0; k < nz; k++)
        scaled[k] = weight * mu_z[k];
    sweep->mu_z = scaled;
    if (status == OK)
        status = sweep_pullback(sweep, work->kappa);
    sweep->mu_z = mu_z;
    for (int j = 0; j < sweep->parameters && status == OK; j++)
        sweep->G[j] += sweep->by_rho[j];
    if (status == OK && projects_evaluations(system))
        return sweep_project_back(sweep, t, work->y[i], sweep->by_x, work->psi[i]);
    memory_copy(work->psi[i], sweep->by_x, sweep->N, sizeof(double));
    return status;
}

static enum status discrete_visit(void *memory, const struct history_step *step)
{
    struct discrete *work = memory;
    struct sweep *sweep = work->sweep;
    struct system *system = sweep->core->system;
    choose_weights(work, step);
    enum status status = forwards(work, step);
    if (status == OK && system_projects_steps(system)) {
        combine(work, step, work->b, work->stages, work->x_new);
        status = sweep_project_back(sweep, step->t + step->h, work->x_new, sweep->mu,
                                    sweep->mu);
    }
    for (int i = work->stages - 1; i >= 0 && status == OK; i--)
        status = stage_back(work, step, i);
    for (int i = 0; i < work->stages && status == OK; i++)
        for (int c = 0; c < sweep->N; c++)
            sweep->mu[c] += work->psi[i][c];
    sweep->steps++;
    return status;
}

const struct adjoint_method adjoint_discrete = {
    .name = "discrete-adjoint",
    .title = "transposed Runge-Kutta steps",
    .source = "Hager 2000; Walther 2007",
    .transposes = true,
    .refuses = refuses,
    .alloc = discrete_alloc,
    .release = discrete_release,
    .begin = discrete_begin,
    .visit = discrete_visit,
};
