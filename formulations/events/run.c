/*
 * run.c - the runs of a request: setting up, the start, one run after the other.
 */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/underflow.h"
#include "events/faults.h"
#include "events/hybrid.h"
#include "events/workspace.h"
#include "gate.h"

/* --- setting up --------------------------------------------------------------------- */

static enum status check_request(const struct run_request *request, struct hybrid *core)
{
    double last = core->span.t0;
    if (!(request->rtol > 0) || !(request->atol >= 0))
        return diagnose(core->diagnosis, BAD_INPUT, NAN,
                        "rtol = %g, atol = %g; rtol must be positive, atol not negative",
                        request->rtol, request->atol);
    if (!(request->max_step >= 0))
        return diagnose(core->diagnosis, BAD_INPUT, NAN,
                        "max_step = %g; it must be positive, or 0 for no limit",
                        request->max_step);
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
 * A system at rest has no v to measure errors of v by; but an error of rtol |q| over the
 * span in v moves q by less than rtol |q| until the end. A derivative begins at zero, or
 * stays there but for rounding: it counts as no less than a hundredth of |q| / |rho|,
 * below which q decides (verify/quantity/scales.h: the condition of a derivative).
 * Derivatives of costs in index 2 and 3, where multipliers have a rounding that grows as
 * steps become shorter, count likewise.
 */
static void set_floors(struct hybrid *core, int columns)
{
    struct control *control = &core->control;
    int each = control->groups / columns, parts = core->subsystems;
    int floored = core->system->formulation->index > 1 ? core->model->nz : 0;
    for (int j = 0; j < columns; j++) {
        double rho = j > 0 ? core->system->rho[core->system->parameter[j - 1]] : 0;
        for (int k = 0; fabs(rho) > 0 && k < parts; k++)
            control_floor(control, j * each + k, k, 0.01 / fabs(rho));
        for (int z = each - floored; fabs(rho) > 0 && z < each; z++)
            control_floor(control, j * each + z, z, 0.01 / fabs(rho));
        for (int k = 0; k < parts; k++)
            control_floor(control, j * each + parts + k, j * each + k,
                          1 / (core->span.t_end - core->span.t0));
    }
}

/* The groups of the error control are those of the model, in the state and in every
   sensitivity. */
static enum status start_control(struct hybrid *core)
{
    const struct model *model = core->model;
    int parts = 2 * core->subsystems + model->ns + model->nz;
    int columns = core->faults & FAULT_UNCONTROLLED ? 1 : 1 + core->system->p;
    int *begin = memory_new(parts * columns + 1, sizeof *begin);
    for (int j = 0; j < columns; j++)
        for (int k = 0; k < parts; k++)
            begin[j * parts + k + 1] = j * core->group[parts] + core->group[k + 1];
    enum status status = control_init(&core->control, core->request->rtol,
                                      core->request->atol, parts * columns, begin);
    free(begin);
    if (status != OK)
        return diagnose(core->diagnosis, status, NAN,
                        "rtol = %g, atol = %g cannot be met in double",
                        core->request->rtol, core->request->atol);
    if (model->n > 0)
        set_floors(core, columns);
    core->control.h_max = core->request->max_step;
    if (core->integrator->aim)
        core->control.order = core->integrator->aim(core->method, core->request->rtol);
    return OK;
}

static int compare_times(const void *a, const void *b)
{
    double s = *(const double *)a, t = *(const double *)b;
    return (s > t) - (s < t);
}

/* The stops of the run are those of the model and of the request, in order. */
static enum status collect_stops(struct hybrid *core)
{
    const struct run_request *request = core->request;
    struct course *course = &core->course;
    course->stops = core->model->stops + request->stops;
    memory_copy(course->stop_at, core->span.stop, core->model->stops, sizeof(double));
    for (int k = 0; k < request->stops; k++)
        course->stop_at[core->model->stops + k] = request->stop[k];
    for (int k = 0; k < course->stops; k++)
        if (!isfinite(course->stop_at[k]))
            return diagnose(core->diagnosis, NOT_FINITE, NAN, "stop %d: t = %g", k,
                            course->stop_at[k]);
    qsort(course->stop_at, (size_t)course->stops, sizeof(double), compare_times);
    return OK;
}

const char *const run_code_names[] = {
    [CODE_AUTO] = "auto", [CODE_NEVER] = "never", [CODE_ALWAYS] = "always", NULL,
};

enum code_use runner_code(const struct run_request *request)
{
    const char *text = getenv("SALTUS_CODE");
    enum code_use code = request->code;
    for (int k = 0; text && code == CODE_AUTO && run_code_names[k]; k++)
        if (strcmp(text, run_code_names[k]) == 0)
            return (enum code_use)k;
    return code;
}

/* --- the start ---------------------------------------------------------------------- */

/* Sets the state at the start, for these values of the parameters. */
static enum status begin(struct hybrid *core, struct starter *starter,
                         const double *value)
{
    const struct run_request *request = core->request;
    struct system *system = core->system;
    system->diagnosis = core->diagnosis;
    system_set(system, value);
    guard_series_set(core);
    for (int k = 0; k < core->model->events; k++)
        reset_set(&core->reset[k], value);
    guard_conditions_set(&core->conditions, value);
    enum status status = edges_steady(core);
    if (status == OK)
        status = start_state(starter, &core->span, core->x);
    if (status == OK && !isnan(request->t_end)) {
        core->span.t_end = request->t_end;
        memset(core->span.dt_end, 0, (size_t)system->p * sizeof(double));
    }
    if (status == OK)
        status = gate_start(core);
    if (status == OK)
        status = check_request(request, core);
    if (status == OK)
        status = check_rule(core);
    if (status == OK)
        status = start_control(core);
    if (status == OK)
        status = collect_stops(core);
    core->t = core->arc_began = core->span.t0;
    core->course.passed = INFINITY;
    return status;
}

/* --- the integrator ----------------------------------------------------------------- */

const struct integrator *integrator_default(const struct formulation *formulation)
{
    int k = 0;
    while (formulation->kind == DAE && integrators[k] && !integrators[k]->alloc_implicit)
        k++;
    return integrators[k];
}

const struct integrator *integrator_chosen(const struct formulation *formulation,
                                           const struct integrator *wanted)
{
    if (!wanted)
        return integrator_default(formulation);
    return formulation->kind == DAE && wanted->stiff ? wanted->stiff : wanted;
}

/* The integrator must be of the kind that the equations need. */
static enum status choose_integrator(struct hybrid *core)
{
    const struct run_request *request = core->request;
    const struct formulation *formulation = request->formulation;
    core->integrator = integrator_chosen(formulation, request->integrator);
    if (formulation->kind == DAE && !core->integrator->alloc_implicit)
        return diagnose(core->diagnosis, NOT_APPLICABLE, NAN,
                        "formulation %s is a DAE; integrator %s is explicit. Take %s",
                        formulation->name, core->integrator->name,
                        integrator_default(formulation)->name);
    bool projects = formulation->kind == ALGEBRAIC && formulation->projection &&
                    core->model->m > 0;
    core->stiff.allowed = core->integrator->stiff && !projects;
    if (projects && !core->integrator->alloc)
        return diagnose(core->diagnosis, NOT_APPLICABLE, NAN,
                        "formulation %s is projected; it takes an integrator that "
                        "evaluates, not %s", formulation->name, core->integrator->name);
    return OK;
}

/* --- many runs of one request ------------------------------------------------------- */

/* `core` has everything that does not depend on the parameters; each run works on a
   copy. */
struct runner {
    struct run_request request;
    struct model model;             /* the request's model without costs, if so asked */
    struct model *branch;           /* the model that is run: formulas that a run makes
                                       are on its tape */
    struct hybrid core;
    struct starter *starter;
    double *nominal;                /* [p] nominal values; NULL: the request has values */
    const double *sample;           /* samples of the request; runs may have their own */
};

static void open_core(struct hybrid *core)
{
    const struct run_request *request = core->request;
    struct system *system = core->system;
    core->ode = (struct ode){.dim = system->dim, .rhs = system_rhs, .context = system,
                             .series = system_series};
    if (core->integrator->alloc_implicit)
        core->ode.implicit = &system->implicit;
    core->max_steps = request->max_steps > 0 ? request->max_steps : RUN_MAX_STEPS;
    core->max_events = request->max_events > 0 ? request->max_events : RUN_MAX_EVENTS;
    system_use_code(system, runner_code(request));
    workspace_allocate(core);
    for (int k = 0; k < core->model->events; k++)
        tiered_program_use_code(&core->reset[k].code, runner_code(request));
}

static const double *values_of(const struct runner *runner)
{
    return runner->nominal ? runner->nominal : runner->request.value;
}

struct runner *runner_new_with_faults(const struct run_request *request, unsigned faults,
                                      struct diagnosis *diagnosis)
{
    struct runner *runner = memory_new(1, sizeof *runner);
    struct hybrid *core = &runner->core;
    struct diagnosis own;
    runner->request = *request;
    runner->sample = request->sample;
    if (request->without_costs) {
        runner->model = *request->model;
        runner->model.nz = 0;
        runner->request.model = &runner->model;
    }
    core->request = request = &runner->request;
    core->faults = faults;
    core->model = runner->branch = model_branch(request->model);
    core->diagnosis = diagnosis ? diagnosis : &own;
    core->rule = request->rule ? request->rule : jump_rules[0];

    enum status status = gate_constants(request->model, core->diagnosis);
    if (status == OK)
        status = choose_integrator(core);
    enum system_use use = core->stiff.allowed                ? SYSTEM_BOTH
                          : core->integrator->alloc_implicit ? SYSTEM_EQUATIONS
                          : request->beside                  ? SYSTEM_RATES_BESIDE
                                                             : SYSTEM_RATES;
    if (status == OK && !request->value) {
        runner->nominal = memory_new(request->model->p, sizeof *runner->nominal);
        status = model_nominal_values(request->model, runner->nominal, core->diagnosis);
    }
    if (status == OK)
        status = system_new(core->model, request->formulation, request->option,
                            values_of(runner), request->parameters, request->parameter,
                            use, &core->system, core->diagnosis);
    if (status != OK) {
        model_branch_free(runner->branch);
        free(runner->nominal);
        free(runner);
        return NULL;
    }
    open_core(core);
    runner->starter = starter_new(core->system);
    return runner;
}

struct runner *runner_new(const struct run_request *request, struct diagnosis *diagnosis)
{
    return runner_new_with_faults(request, 0, diagnosis);
}

enum status runner_begin(struct runner *runner, const double *value, const double *sample,
                         struct hybrid *core, struct diagnosis *diagnosis)
{
    *core = runner->core;
    core->diagnosis = diagnosis;
    runner->request.sample = sample ? sample : runner->sample;
    workspace_renew(core);
    enum status status = begin(core, runner->starter, value ? value : values_of(runner));
    if (status != OK)
        return status;
    core->out = trajectory_blank(core->request, core->system->rho);
    hybrid_begin(core);
    return OK;
}

enum status runner_start(struct runner *runner, const double *value, double *x,
                         struct span *span, struct diagnosis *diagnosis)
{
    struct system *system = runner->core.system;
    *span = runner->core.span;
    system->diagnosis = diagnosis;
    system_set(system, value ? value : values_of(runner));
    return start_state(runner->starter, span, x);
}

enum status runner_start_second(struct runner *runner, const struct span *span,
                                const double *x, int j, int k, double *Y,
                                double *d2t_end)
{
    return start_second(runner->starter, span, x, j, k, Y, d2t_end);
}

void runner_keep_history(struct runner *runner, struct history *history)
{
    runner->core.history = history;
}

void runner_end(struct hybrid *core)
{
    stiff_restart(core);
    control_clear(&core->control);
    if (!core->integrator->restart)
        core->integrator->release(core->method);
}

enum status runner_run(struct runner *runner, const double *value,
                       struct trajectory **out, struct diagnosis *diagnosis)
{
    struct hybrid core;
    struct diagnosis own;
    unsigned underflow = underflow_to_zero();
    enum status status = runner_begin(runner, value, NULL, &core,
                                      diagnosis ? diagnosis : &own);
    if (status == OK)
        status = constraint_drift_refusal(&core, hybrid_run(&core));
    *out = core.out;
    runner_end(&core);
    underflow_restore(underflow);
    return status;
}

struct system *runner_system(const struct runner *runner)
{
    return runner->core.system;
}

void runner_tolerances(struct runner *runner, double rtol, double atol)
{
    runner->request.rtol = rtol;
    runner->request.atol = atol;
}

void runner_free(struct runner *runner)
{
    if (!runner)
        return;
    starter_free(runner->starter);
    workspace_release(&runner->core);
    system_free(runner->core.system);
    model_branch_free(runner->branch);
    free(runner->nominal);
    free(runner);
}

enum status run_with_faults(const struct run_request *request, unsigned faults,
                            struct trajectory **out, struct diagnosis *diagnosis)
{
    struct diagnosis own, *why = diagnosis ? diagnosis : &own;
    *out = NULL;
    struct runner *runner = runner_new_with_faults(request, faults, why);
    if (!runner)
        return why->status;
    enum status status = runner_run(runner, NULL, out, why);
    runner_free(runner);
    return status;
}

enum status run_once(const struct run_request *request, struct trajectory **out,
                     struct diagnosis *diagnosis)
{
    return run_with_faults(request, 0, out, diagnosis);
}
