/*
 * continuous.c - the adjoint equations, integrated over the dense output of the run.
 *
 *     mu' = -(f_y' mu + g_y' mu_z),   G' = -(f_rho' mu + g_rho' mu_z)
 *
 * in the time sigma = -t, so that steps are positive. A backward step lies inside of one
 * forward step, on which the dense output is smooth, and has its own error control. The
 * weights are measured so that each is one where it would, with a change of its state or
 * parameter by its own size, change the cost by the size of the largest contribution: so
 * one tolerance serves weights of all units, and those that are zero but for rounding do
 * not count.
 *
 * A step placed across a singular configuration, where Phi_q loses rank and nothing may
 * be evaluated, is transposed as a whole (discrete.c), if it is one of Runge and Kutta,
 * and no second derivatives are asked for.
 *
 * f is the right-hand side on the constraints or beside them: Y is tangent to them, and
 * both give the same mu' Y. So states of a DAE take the equations of its reduced
 * formulation, of the same motion.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/sweep.h"
#include "base/largest.h"
#include "base/memory.h"
#include "integrators/control.h"
#include "monitors/unseen.h"
#include "size.h"

struct continuous {
    struct sweep *sweep;
    const struct integrator *integrator;
    void *method;
    struct ode ode;
    struct control control;
    double *unit;                   /* [dim of the ode] nu = weight / unit */
    double *per_unit;               /* [dim of the ode] 1 / unit: a division takes as long
                                       as several products, and there is one for each
                                       parameter at each stage */
    double *nu, *dnu, *nu_new, *dnu_new;    /* [dim of the ode] */
    double *err[2];                 /* [dim of the ode] */
    struct unseen unseen;
    double *weight;                 /* [N] mu of a stage */
    double *y;                      /* [dim of the core] the state at a stage */
    double *rate;                   /* [N + parameters] scratch: a block of rates */
    double proposed;                /* s; the next step; 0: not known */
    bool known;                     /* dnu is the rate of nu */
    const struct history_step *step;    /* the forward step in hand */
    void *transposed;               /* work of discrete.c, made when it is needed */
    struct arena arena;             /* of all arrays */
};

static const char *refuses(const struct integrator *integrator)
{
    (void)integrator;
    return NULL;
}

/* --- the adjoint equations ---------------------------------------------------------- */

/* The state at t on the forward step in hand. */
static enum status state_at(struct continuous *work, double t)
{
    struct hybrid *core = work->sweep->core;
    struct system *system = core->system;
    double theta = (t - work->step->t) / work->step->h;
    theta = fmin(fmax(theta, 0), 1);
    core->integrator->dense(core->method, theta, 0, system->dim, work->y);
    bool projects = system->now->projecting &&
                    system->formulation->projection->every_evaluation;
    return projects ? system_project(system, t, work->y) : OK;
}

/* The number of weights in a block: those of the sweep, or their derivatives by one
   parameter. */
static int block(const struct continuous *work)
{
    return work->sweep->N + work->sweep->parameters;
}

/* Rates of derivatives by parameter k, in their block of nu. */
static enum status rates_along(struct continuous *work, int k, const double *nu,
                               double *dnu)
{
    struct sweep *sweep = work->sweep;
    int N = sweep->N, first = (k + 1) * block(work);
    const double *Y = work->y + (k + 1) * sweep->core->system->state;
    const double *unit = work->unit + first, *per_unit = work->per_unit + first;
    double *rate = work->rate;
    for (int i = 0; i < N; i++)
        work->weight[i] = nu[first + i] * unit[i];
    enum status status = sweep_pullback_along(sweep, k, Y, work->weight, rate, rate + N);
    for (int i = 0; i < block(work); i++)
        dnu[first + i] = rate[i] * per_unit[i];
    return status;
}

static enum status adjoint_rates(void *context, double sigma, const double *nu,
                                 double *dnu)
{
    struct continuous *work = context;
    struct sweep *sweep = work->sweep;
    int N = sweep->N;
    enum status status = state_at(work, -sigma);
    if (status == OK)
        status = sweep_pullback_at(sweep, -sigma, work->y);
    for (int i = 0; i < N; i++)
        work->weight[i] = nu[i] * work->unit[i];
    if (status == OK)
        status = sweep_pullback(sweep, work->weight);
    for (int i = 0; i < N; i++)
        dnu[i] = sweep->by_x[i] * work->per_unit[i];
    for (int j = 0; j < sweep->parameters; j++)
        dnu[N + j] = sweep->by_rho[j] * work->per_unit[N + j];
    for (int k = 0; k < sweep->directions && status == OK; k++)
        status = rates_along(work, k, nu, dnu);
    return status;
}

/* --- made --------------------------------------------------------------------------- */

/* The method of the run if it is explicit, else the default. */
static const struct integrator *explicit_method(const struct integrator *integrator)
{
    return integrator->alloc ? integrator : integrators[0];
}

static void *continuous_alloc(struct sweep *sweep)
{
    struct continuous *work = memory_new(1, sizeof *work);
    int each = sweep->N + sweep->parameters, dim = each * (1 + sweep->directions);
    struct { double **array; int size; } const part[] = {
        {&work->unit, dim}, {&work->per_unit, dim}, {&work->nu, dim}, {&work->dnu, dim},
        {&work->nu_new, dim}, {&work->dnu_new, dim}, {&work->err[0], dim},
        {&work->err[1], dim},
        {&work->weight, sweep->N}, {&work->rate, each},
        {&work->y, sweep->core->system->dim}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        *part[k].array = arena_new(&work->arena, part[k].size, sizeof(double));
    unseen_init(&work->unseen, &work->arena, dim, sweep->N);
    work->sweep = sweep;
    work->integrator = explicit_method(sweep->core->integrator);
    work->method = work->integrator->alloc(dim);
    work->ode = (struct ode){.dim = dim, .rhs = adjoint_rates, .context = work};
    return work;
}

static void continuous_release(void *memory)
{
    struct continuous *work = memory;
    if (work->transposed)
        adjoint_discrete.release(work->transposed);
    work->integrator->release(work->method);
    control_clear(&work->control);
    arena_free(&work->arena);
    free(work);
}

/* --- an arc ------------------------------------------------------------------------- */

/* The groups of the error control are those of the state, and each parameter, in every
   block. */
static enum status start_control(struct continuous *work)
{
    const struct sweep *sweep = work->sweep;
    const struct hybrid *core = sweep->core;
    int parts = 2 * core->subsystems + core->model->ns, p = sweep->parameters;
    int each = parts + p, groups = each * (1 + sweep->directions);
    int *begin = memory_new(groups + 1, sizeof *begin);
    for (int g = 0; g < groups; g++) {
        int part = g % each, own = part < parts ? core->group[part + 1]
                                                : sweep->N + part - parts + 1;
        begin[g + 1] = g / each * block(work) + own;
    }
    control_clear(&work->control);
    enum status status = control_init(&work->control, core->request->rtol,
                                      weight_beside * core->request->rtol, groups, begin);
    free(begin);
    return status;
}

/* The size of group g of the state: the largest it had in the run. */
static double size_of_group(const struct hybrid *core, int g)
{
    double size = core->control.amplitude[g];
    return size > 0 ? size : 1;
}

/* Units by the sizes of states and parameters (see above). */
static void choose_units(struct continuous *work)
{
    const struct sweep *sweep = work->sweep;
    const struct hybrid *core = sweep->core;
    int parts = 2 * core->subsystems + core->model->ns;
    double largest_part = 0;
    for (int k = 0; k < core->model->nz; k++)
        largest_part = larger(largest_part, fabs(sweep->mu_z[k]) *
                                                size_of_group(core, parts + k));
    for (int g = 0; g < parts; g++)
        largest_part = larger(largest_part,
                              size_of_group(core, g) *
                                  largest(sweep->mu + core->group[g],
                                          core->group[g + 1] - core->group[g]));
    if (!(largest_part > 0))
        largest_part = 1;
    for (int g = 0; g < parts; g++)
        for (int i = core->group[g]; i < core->group[g + 1]; i++)
            work->unit[i] = largest_part / size_of_group(core, g);
    for (int j = 0; j < sweep->parameters; j++) {
        double rho = fabs(core->system->rho[sweep->parameter[j]]);
        work->unit[sweep->N + j] = parameters_beside * largest_part / parameter_size(rho);
    }
    for (int k = 0; k < sweep->directions; k++)
        for (int i = 0; i < block(work); i++)
            work->unit[(k + 1) * block(work) + i] =
                work->unit[i] * work->unit[sweep->N + k] /
                (parameters_beside * largest_part);
    for (int i = 0; i < work->ode.dim; i++)
        work->per_unit[i] = 1 / work->unit[i];
}

/* The weight that component i of nu is of. */
static double *weight_of(const struct continuous *work, int i)
{
    const struct sweep *sweep = work->sweep;
    int N = sweep->N, p = sweep->parameters, k = i / block(work) - 1;
    i %= block(work);
    if (k < 0)
        return i < N ? &sweep->mu[i] : &sweep->G[i - N];
    return i < N ? &sweep->mu_dot[k * N + i] : &sweep->G_dot[k * p + i - N];
}

static void load_weights(struct continuous *work)
{
    for (int i = 0; i < work->ode.dim; i++)
        work->nu[i] = *weight_of(work, i) / work->unit[i];
}

static void store_weights(struct continuous *work)
{
    for (int i = 0; i < work->ode.dim; i++)
        *weight_of(work, i) = work->nu[i] * work->unit[i];
}

static enum status continuous_begin(void *memory)
{
    struct continuous *work = memory;
    choose_units(work);
    load_weights(work);
    enum status status = start_control(work);
    if (status == OK)
        control_restart(&work->control, work->nu);
    work->proposed = 0;
    work->known = false;
    return status;
}

/* --- a step ------------------------------------------------------------------------- */

static void forward_state(void *context, double sigma, double *y)
{
    const struct continuous *work = context;
    const struct sweep *sweep = work->sweep;
    double theta = (-sigma - work->step->t) / work->step->h;
    sweep->core->integrator->dense(sweep->core->method, fmin(fmax(theta, 0), 1), 0,
                                   sweep->N, y);
}

/* The length that a step should have had for its stages to see all that is sharp. */
static double seen_length(struct continuous *work, double sigma, double h)
{
    const struct hybrid *core = work->sweep->core;
    const struct seen_step step = {
        .integrator = work->integrator, .control = &work->control, .ode = &work->ode,
        .t = sigma, .h = h, .sign = -1, .x = work->nu, .dx = work->dnu,
        .x_new = work->nu_new, .dx_new = work->dnu_new, .state = forward_state,
        .context = work};
    return unseen_length(&work->unseen, &core->system->now->sharp, &step);
}

/* A step of length h from sigma, accepted if its error allows. */
static enum status try_step(struct continuous *work, double sigma, double h,
                            bool *accepted)
{
    double error = INFINITY;
    enum status status = work->integrator->step(work->method, &work->ode, sigma, h,
                                                work->nu, work->dnu, work->nu_new,
                                                work->dnu_new, work->err);
    if (status == OK)
        error = control_error(&work->control, work->integrator, work->nu_new, work->err);
    double seen = error <= 1 ? seen_length(work, sigma, h) : h;
    if (seen < h)
        error = INFINITY;
    work->proposed = control_next(&work->control, work->integrator, h, error, NULL);
    *accepted = error <= 1;
    if (seen < h)
        work->proposed = seen;
    if (!*accepted)
        return OK;
    int dim = work->ode.dim;
    memory_copy(work->nu, work->nu_new, dim, sizeof *work->nu);
    memory_copy(work->dnu, work->dnu_new, dim, sizeof *work->dnu);
    return OK;
}

/* The length of the next step: what is left, or half of that if two steps make it. */
static double next_length(double proposed, double left)
{
    if (proposed >= left)
        return left;
    return 2 * proposed > left ? left / 2 : proposed;
}

static enum status integrate(struct continuous *work, double sigma, double end)
{
    const struct hybrid *core = work->sweep->core;
    enum status status = OK;
    if (!work->known)
        status = adjoint_rates(work, sigma, work->nu, work->dnu);
    work->known = true;
    if (status == OK && !(work->proposed > 0))
        work->proposed = control_first(&work->control, work->integrator, &work->ode,
                                       sigma, end, work->nu, work->dnu, work->nu_new,
                                       work->dnu_new);
    double shortest = time_resolution(core) * shortest_backward;
    while (status == OK && sigma < end) {
        double left = end - sigma, h = next_length(work->proposed, left);
        double wanted = work->proposed;
        bool accepted;
        if (work->control.steps + work->control.rejections >= core->max_steps)
            return diagnose(core->diagnosis, TOO_MANY_STEPS, -sigma,
                            "%ld backward steps in mode %s", core->max_steps,
                            core->system->now->mode->name);
        status = try_step(work, sigma, h, &accepted);
        if (!accepted && !(work->proposed > shortest))
            return diagnose(core->diagnosis, STEP_TOO_SMALL, -sigma,
                            "adjoint equations in mode %s: rtol = %.3g cannot be met",
                            core->system->now->mode->name, core->control.rtol);
        if (!accepted)
            continue;
        sigma = h == left ? end : sigma + h;
        if (h == left && work->proposed < wanted)
            work->proposed = wanted;
    }
    return status;
}

/* Projects the weights where the run has projected its state, at the end of a step.
   Directions off the constraints do not count, and weights of them may grow without end
   (Cao, Li, Petzold, Serban 2003, for terminal values). */
static enum status project(struct continuous *work, const struct history_step *step)
{
    struct sweep *sweep = work->sweep;
    struct hybrid *core = sweep->core;
    bool projects = system_projects_steps(core->system) && sweep->directions == 0;
    if (!projects)
        return OK;
    core->integrator->dense(core->method, 1, 0, core->system->dim, work->y);
    enum status status = sweep_project_back(sweep, step->t + step->h, work->y, sweep->mu,
                                            sweep->mu);
    load_weights(work);
    work->known = false;
    return status;
}

/* Transposes the forward step as a whole. */
static enum status step_across(struct continuous *work, const struct history_step *step)
{
    struct sweep *sweep = work->sweep;
    if (!work->transposed)
        work->transposed = adjoint_discrete.alloc(sweep);
    enum status status = adjoint_discrete.visit(work->transposed, step);
    load_weights(work);
    control_restart(&work->control, work->nu);
    work->proposed = 0;
    work->known = false;
    return status;
}

static enum status continuous_visit(void *memory, const struct history_step *step)
{
    struct continuous *work = memory;
    struct sweep *sweep = work->sweep;
    struct hybrid *core = sweep->core;
    if (step->placed && sweep->directions == 0 &&
        !adjoint_discrete.refuses(core->integrator))
        return step_across(work, step);
    enum status status = sweep_step(sweep, step);
    if (status == OK)
        status = core->integrator->prepare(core->method, &core->ode);
    work->step = step;
    if (status == OK)
        status = project(work, step);
    long steps = work->control.steps;
    if (status == OK)
        status = integrate(work, -(step->t + step->h), -step->t);
    sweep->steps += work->control.steps - steps;
    store_weights(work);
    if (status != OK && step->placed)
        return diagnose(core->diagnosis, RANK_LOSS, step->t,
                        "adjoint equations of mode %s, on a step across a singular "
                        "configuration: take ode", core->system->now->mode->name);
    return status;
}

const struct adjoint_method adjoint_continuous = {
    .name = "adjoint",
    .title = "adjoint equations over the dense output",
    .source = "Cao, Li, Petzold, Serban 2003",
    .refuses = refuses,
    .alloc = continuous_alloc,
    .release = continuous_release,
    .begin = continuous_begin,
    .visit = continuous_visit,
};
