/*
 * run.c - from a request to a result.
 */
#include "run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "hybrid/faults.h"

/* --- setting up --------------------------------------------------------------------- */

static enum status check_request(const struct run_request *request, struct hybrid *core)
{
    double last = core->span.t0;
    if (!(request->rtol > 0) || !(request->atol >= 0))
        return diagnose(core->diagnosis, BAD_INPUT, NAN,
                        "rtol = %g, atol = %g; rtol must be positive, atol not negative",
                        request->rtol, request->atol);
    if (!(core->span.t_end > core->span.t0))
        return diagnose(core->diagnosis, BAD_INPUT, NAN,
                        "t_end = %g; it must be later than the start, t0 = %g",
                        core->span.t_end, core->span.t0);
    for (int k = 0; k < request->samples; k++) {
        if (!(request->sample[k] > last && request->sample[k] <= core->span.t_end))
            return diagnose(core->diagnosis, BAD_INPUT, NAN,
                            "sample %d at t = %g; samples must increase within (%g, %g]",
                            k, request->sample[k], core->span.t0, core->span.t_end);
        last = request->sample[k];
    }
    return OK;
}

/* A rule that applies to no event of the model is a slip of the request. */
static enum status check_rule(struct hybrid *core)
{
    const char *why = NULL;
    for (int k = 0; k < core->model->events; k++)
        if (!core->rule->applies || core->rule->applies(core->model->event[k], &why))
            return OK;
    if (core->model->events == 0)
        return OK;
    return diagnose(core->diagnosis, NOT_APPLICABLE, NAN, "rule %s: %s", core->rule->name,
                    why);
}

/*
 * What is at rest has no v to measure errors of v by; but one of rtol |q| over the span
 * moves q by less than rtol |q| until the end. A derivative begins at zero, or stays there
 * but for rounding: it counts as no less than a hundredth of |q| / |rho|, below which it
 * is q that decides (bars.def: the condition of a derivative). So do those of costs in
 * index 2 and 3, where multipliers have a rounding that grows as steps become shorter.
 */
static void set_floors(struct hybrid *core, int columns)
{
    struct control *control = &core->control;
    int each = control->groups / columns;
    int floored = core->system->formulation->index > 1 ? core->model->nz : 0;
    for (int j = 0; j < columns; j++) {
        double rho = j > 0 ? core->system->rho[core->system->parameter[j - 1]] : 0;
        if (fabs(rho) > 0)
            control_floor(control, j * each, 0, 0.01 / fabs(rho));
        for (int z = each - floored; fabs(rho) > 0 && z < each; z++)
            control_floor(control, j * each + z, z, 0.01 / fabs(rho));
        control_floor(control, j * each + 1, j * each,
                      1 / (core->span.t_end - core->span.t0));
    }
}

/* Groups of the error control, of the state and of every sensitivity: q, v, and each
   auxiliary state and each cost by itself, for these have units of their own. */
static enum status start_control(struct hybrid *core)
{
    const struct model *model = core->model;
    int parts = 2 + model->ns + model->nz;
    int columns = core->request->faults & FAULT_UNCONTROLLED ? 1 : 1 + core->system->p;
    int *begin = memory_new(parts * columns + 1, sizeof *begin);
    int groups = 0;
    for (int j = 0; j < columns; j++)
        for (int k = 0; k < parts; k++) {
            int size = k < 2 ? model->n : 1;
            if (size > 0) {
                begin[groups + 1] = begin[groups] + size;
                groups++;
            }
        }
    enum status status = control_init(&core->control, core->request->rtol,
                                      core->request->atol, groups, begin);
    free(begin);
    if (status != OK)
        return diagnose(core->diagnosis, status, NAN,
                        "rtol = %g, atol = %g cannot be met in double",
                        core->request->rtol, core->request->atol);
    if (model->n > 0)
        set_floors(core, columns);
    return OK;
}

static enum fused_code when_compiled(const struct run_request *request)
{
    static const char *const name[] = {"auto", "never", "always"};
    const char *text = getenv("SALTUS_CODE");
    enum fused_code code = request->code;
    for (int k = 0; text && code == CODE_AUTO && k < 3; k++)
        if (strcmp(text, name[k]) == 0)
            return (enum fused_code)k;
    return code;
}

static enum status start_core(struct hybrid *core)
{
    const struct run_request *request = core->request;
    struct system *system = core->system;
    int dim = system->dim;
    double **const state[] = {&core->x,      &core->dx,    &core->x_new,
                              &core->dx_new, &core->trial, &core->trial_dx,
                              &core->err[0], &core->err[1], &core->snapshot};
    for (size_t k = 0; k < sizeof state / sizeof *state; k++)
        *state[k] = memory_new(dim + 1, sizeof(double));
    core->span.dt0 = memory_new(system->p, sizeof(double));
    core->span.dt_end = memory_new(system->p, sizeof(double));
    core->step_in = memory_new(core->model->modes, sizeof *core->step_in);
    core->watch = memory_new(core->model->events, sizeof *core->watch);
    core->r = memory_new(core->model->events, sizeof *core->r);
    core->root = memory_new(core->model->events, sizeof *core->root);
    core->fires = memory_new(core->model->events, sizeof *core->fires);
    core->edge = memory_new(core->model->events, sizeof *core->edge);
    core->ends = memory_new(core->model->events, sizeof *core->ends);
    core->guard_values = memory_new(
        core->model->events * (ISOLATE_POINTS + ISOLATE_CHECKS), sizeof(double));
    const struct integrator *integrator = core->integrator;
    core->method = integrator->alloc_implicit
                       ? integrator->alloc_implicit(&system->implicit)
                       : integrator->alloc(dim);
    if (!core->method)
        slip("out of memory");
    core->ode = (struct ode){.dim = dim, .rhs = system_rhs, .context = system};
    if (integrator->alloc_implicit)
        core->ode.implicit = &system->implicit;
    system_use_code(system, when_compiled(request));
    core->max_steps = request->max_steps > 0 ? request->max_steps : 1000000;
    core->max_events = request->max_events > 0 ? request->max_events : 10000;
    isolation_init(&core->isolation);
    event_allocate(core);
    expand_init(core);
    instant_init(&core->instant, core->model, dim);
    ahead_init(&core->ahead, core);

    enum status status = start_state(system, &core->span, core->x);
    if (status == OK && !isnan(request->t_end)) {
        core->span.t_end = request->t_end;
        memset(core->span.dt_end, 0, (size_t)system->p * sizeof(double));
    }
    if (status == OK)
        status = check_request(request, core);
    if (status == OK)
        status = check_rule(core);
    if (status == OK)
        status = start_control(core);
    core->t = core->arc_began = core->span.t0;
    core->passed = INFINITY;
    return status;
}

static void release(struct hybrid *core)
{
    double *const array[] = {core->x, core->dx, core->x_new, core->dx_new, core->trial,
                             core->trial_dx, core->err[0], core->err[1], core->span.dt0,
                             core->span.dt_end, core->r, core->root, core->edge,
                             core->ends, core->guard_values, core->snapshot,
                             core->step_in};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        free(array[k]);
    free(core->watch);
    free(core->fires);
    instant_clear(&core->instant);
    event_release(core);
    expand_clear(core);
    ahead_clear(&core->ahead);
    control_clear(&core->control);
    if (core->method)
        core->integrator->release(core->method);
    system_free(core->system);
}

/* --- arcs --------------------------------------------------------------------------- */

/* An arc begins with the step with which its mode was left, which is a better guess than
   one from derivatives, and costs nothing; but where events come closer and closer no step
   should be longer than the last arc. */
static void first_step(struct hybrid *core)
{
    double last_arc = core->t - core->arc_began;
    core->h = fmin(core->step_in[core->system->now->mode->index], last_arc);
    core->arc_began = core->t;
    if (!(core->h > 0))
        core->h = control_first(&core->control, core->integrator, &core->ode, core->t,
                                core->span.t_end, core->x, core->dx, core->trial,
                                core->trial_dx);
}

/* Everything that must be new when an arc starts: derivative, control, guards. */
static enum status restart(struct hybrid *core)
{
    enum status status = system_project_restart(core->system, core->t, core->x);
    if (status == OK)
        status = system_rhs_restart(core->system, core->t, core->x, core->dx);
    if (status != OK)
        return status;
    control_restart(&core->control, core->x);
    ahead_restart(core);
    first_step(core);
    return OK;
}

/* Has an event left the run at a time that cannot be told from t? */
static bool event_at(const struct hybrid *core, double t)
{
    const struct trajectory *out = core->out;
    return out->events > 0 && fabs(t - core->t) <= time_resolution(core) &&
           out->event[out->events - 1].after.t == core->t;
}

/* Integrates to time t, through whatever events come before it. */
static enum status integrate_to(struct hybrid *core, double t)
{
    const struct run_request *request = core->request;
    while (core->t < t && !core->finished && !event_at(core, t)) {
        bool fires;
        enum status status = hybrid_step(core, t, &fires);
        if (status == OK && fires)
            status = instant_events(core);
        if (status == OK && fires && !core->finished)
            status = restart(core);
        if (status != OK)
            return status;
        double whole = core->span.t_end - core->span.t0;
        if (request->progress && !request->progress(request->progress_context,
                                                    (core->t - core->span.t0) / whole))
            return diagnose(core->diagnosis, BAD_INPUT, core->t, "interrupted");
    }
    return OK;
}

static enum status event_at_end(const struct hybrid *core, const struct event *event)
{
    return diagnose(core->diagnosis, EVENT_AT_END, core->t,
                    "event %s falls on the end of the run; move t_end = %.17g",
                    event->name, core->span.t_end);
}

/* To t, and through an event that only rounding puts after t. At the end of the run no
   event may be, neither before nor after. */
static enum status integrate_at(struct hybrid *core, double t)
{
    int imminent = -1;
    bool end = t >= core->span.t_end;
    enum status status = integrate_to(core, t);
    if (status == OK && end && event_at(core, t))
        return event_at_end(core, core->out->event[core->out->events - 1].event);
    if (status == OK && !core->finished && !event_at(core, t))
        status = hybrid_imminent(core, &imminent);
    if (status != OK || imminent < 0)
        return status;
    if (end)
        return event_at_end(core, core->system->now->event[imminent]);
    return integrate_to(core, t + time_resolution(core));
}

/* A sample at the time of an event has both sides. */
static enum status sample_at(struct hybrid *core, double t)
{
    enum status status = integrate_at(core, t);
    if (status != OK || core->finished)
        return status;
    if (core->passed < t && t < core->t)
        return ahead_refusal(core, result_sample_on_step(core, t));
    bool both_sides = event_at(core, t);
    if (both_sides)
        result_sample_before(core);
    status = ahead_refusal(core, result_sample(core));
    if (status == OK && both_sides && (core->request->faults & FAULT_JUMP_TWICE)) {
        fault_jump_again(core);
        status = restart(core);
    }
    return status;
}

static enum status run_arcs(struct hybrid *core)
{
    const struct run_request *request = core->request;
    core->out->sample = memory_new(2 * request->samples + 2, sizeof *core->out->sample);
    enum status status = hybrid_onset(core, NULL);
    if (status == OK)
        status = result_sample(core);
    if (status == OK)
        status = restart(core);
    for (int k = 0; status == OK && k < request->samples && !core->finished; k++)
        status = sample_at(core, request->sample[k]);
    if (status == OK && !core->finished)
        status = integrate_at(core, core->span.t_end);
    if (status == OK)
        status = result_costs(core);
    core->out->steps = core->control.steps;
    core->out->rejections = core->control.rejections;
    core->out->evaluations = core->system->evaluations;
    return status;
}

const struct integrator *integrator_default(const struct formulation *formulation)
{
    int k = 0;
    while (formulation->kind == DAE && integrators[k] && !integrators[k]->alloc_implicit)
        k++;
    return integrators[k];
}

/* The integrator must be of the kind that the equations need. */
static enum status choose_integrator(struct hybrid *core)
{
    const struct run_request *request = core->request;
    const struct formulation *formulation = request->formulation;
    core->integrator = request->integrator ? request->integrator
                                           : integrator_default(formulation);
    if (formulation->kind == DAE && !core->integrator->alloc_implicit)
        return diagnose(core->diagnosis, NOT_APPLICABLE, NAN,
                        "formulation %s is a DAE; integrator %s is explicit. Take %s",
                        formulation->name, core->integrator->name,
                        integrator_default(formulation)->name);
    bool projects = formulation->kind == ALGEBRAIC && formulation->projection;
    if (projects && core->model->m > 0 && core->integrator->alloc_implicit)
        return diagnose(core->diagnosis, NOT_APPLICABLE, NAN,
                        "formulation %s is projected; it takes an explicit integrator, "
                        "not %s", formulation->name, core->integrator->name);
    return OK;
}

enum status run(const struct run_request *request, struct trajectory **out,
                struct diagnosis *diagnosis)
{
    struct diagnosis own;
    struct hybrid core = {.request = request, .model = request->model};
    core.diagnosis = diagnosis ? diagnosis : &own;
    core.rule = request->rule ? request->rule : jump_rules[0];
    *out = NULL;

    double *nominal = memory_new(request->model->p, sizeof *nominal);
    enum status status = choose_integrator(&core);
    if (status == OK && !request->value)
        status = nominal_values(request->model, nominal, core.diagnosis);
    if (status == OK)
        status = system_new(request->model, request->formulation, request->option,
                            request->value ? request->value : nominal,
                            request->parameters, request->parameter,
                            core.integrator->alloc_implicit != NULL, &core.system,
                            core.diagnosis);
    free(nominal);
    if (status != OK)
        return status;
    status = start_core(&core);
    if (status == OK) {
        *out = core.out = result_new(&core);
        status = run_arcs(&core);
    }
    release(&core);
    return status;
}
