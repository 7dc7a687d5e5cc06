/*
 * gradient.c - `saltus gradient CASE`: derivatives of a cost by all parameters, by one
 * method or several side by side.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "commands/gradient.h"
#include "commands/picture.h"
#include "commands/setup.h"
#include "gradients/cost_hessian.h"
#include "gradients/gradient_report.h"
#include "jobs/judge.h"
#include "jobs/pool.h"

enum { MOST_METHODS = 8, OFFER = 400 };

/* A method that is asked. */
struct gradient_task {
    struct task task;
    struct adjoint_request request;     /* with the progress of this task */
    const struct cost_gradient_method *method;
    struct cost_gradient *gradient;
};

/* All that is asked for, and the answers. */
struct gradient_job {
    const struct args *args;
    struct model *model;
    const char *option[MAX_OPTIONS];
    double *value;
    int *parameter;
    struct adjoint_request request;
    int methods;
    const struct cost_gradient_method *method[MOST_METHODS];
    struct cost_gradient gradient[MOST_METHODS];
};

/* --- what is asked ------------------------------------------------------------------ */

/* The cost of --cost, or the only one. */
static bool choose_cost(struct gradient_job *job)
{
    const struct model *model = job->model;
    const char *name = args_text(job->args, OPTION_COST, NULL), *case_name;
    const char *const *known = (const char *const *)model->cost;
    char offer[OFFER];
    case_name = model->desc->name;
    if (model->nz == 0) {
        complain(job->args, "%s has no cost to differentiate; COSTS in its file declares "
                 "one", case_name);
        return false;
    }
    for (int k = 0; k < model->nz; k++)
        if (name ? strcmp(model->cost[k], name) == 0 : model->nz == 1) {
            job->request.cost = k;
            return true;
        }
    offer_names(name ? name : "", known, model->nz, offer, sizeof offer);
    if (name)
        complain(job->args, "--cost: %s has no cost %s; %s", case_name, name, offer);
    else
        complain(job->args, "%s has %d costs: give one of them by --cost; %s", case_name,
                 model->nz, offer);
    return false;
}

static bool is_asked(const struct gradient_job *job,
                     const struct cost_gradient_method *method)
{
    for (int k = 0; k < job->methods; k++)
        if (job->method[k] == method)
            return true;
    return false;
}

/* `all`: those that are not asked for yet. */
static void add_all(struct gradient_job *job)
{
    for (const struct cost_gradient_method *m = cost_gradient_methods; m->name; m++)
        if (!is_asked(job, m))
            job->method[job->methods++] = m;
}

static bool unknown_method(const struct gradient_job *job, const char *name)
{
    const char *known[MOST_METHODS + 1];
    char offer[OFFER];
    int count = setup_names(OPTION_METHOD, known, MOST_METHODS);
    if (cost_hessian_find(name)) {
        complain(job->args, "--method: %s gives second derivatives; add --hessian", name);
        return false;
    }
    known[count++] = "all";
    offer_names(name, known, count, offer, sizeof offer);
    complain(job->args, "--method: no method %s; %s", name, offer);
    return false;
}

static bool choose_methods(struct gradient_job *job)
{
    const char *list = args_text(job->args, OPTION_METHOD, cost_gradient_methods[0].name);
    char name[80];
    while (next_in_list(&list, name, sizeof name)) {
        const struct cost_gradient_method *method = cost_gradient_find(name);
        if (strcmp(name, "all") == 0) {
            add_all(job);
        } else if (!method) {
            return unknown_method(job, name);
        } else if (is_asked(job, method)) {
            complain(job->args, "--method: %s is named twice; once is enough", name);
            return false;
        } else {
            job->method[job->methods++] = method;
        }
    }
    return true;
}

/* The end: a number if --t-end gives one, else the model's, which may move with the
   parameters. */
static bool choose_end(struct gradient_job *job)
{
    double t0, t_end;
    struct diagnosis diagnosis = {.t = NAN};
    struct run_request *run = &job->request.run;
    run->t_end = NAN;
    if (!args_number(job->args, OPTION_T_END, &run->t_end))
        return false;
    if (model_times(job->model, job->value, &t0, &t_end, &diagnosis) != OK) {
        complain_refusal(job->args, job->model->desc->name, &diagnosis);
        return false;
    }
    bool given = args_has(job->args, OPTION_T_END);
    t_end = given ? run->t_end : t_end;
    if (t_end > t0)
        return true;
    complain(job->args, "%s%.10g is not after the start of %s, t = %.10g%s",
             given ? "--t-end: " : "t_end = ", t_end, job->model->desc->name, t0,
             given ? "" : "; give --t-end");
    return false;
}

static bool choose_parameters(struct gradient_job *job)
{
    struct run_request *run = &job->request.run;
    if (!setup_parameters(job->args, job->model, &run->parameters, job->parameter))
        return false;
    if (run->parameters > 0)
        return true;
    complain(job->args, "%s: no parameter is differentiated; name one by --sens",
             job->model->desc->name);
    return false;
}

static bool choose_memory(struct gradient_job *job)
{
    static const double mebibyte = 1 << 20, most = 1 << 24;
    double memory = 0;
    if (!args_positive(job->args, OPTION_MEMORY, &memory))
        return false;
    if (memory > most) {
        complain(job->args, "--memory: %s is more than %.0f MiB",
                 args_text(job->args, OPTION_MEMORY, ""), most);
        return false;
    }
    job->request.memory = (size_t)ceil(memory * mebibyte);
    return true;
}

/* Reads all of the command line, before anything is computed or written. */
static bool prepare(struct gradient_job *job, const struct args *args)
{
    *job = (struct gradient_job){.args = args};
    job->model = setup_model(args, args->operand[0]);
    if (!job->model)
        return false;
    job->value = memory_new(job->model->p, sizeof *job->value);
    job->parameter = memory_new(job->model->p, sizeof *job->parameter);
    struct run_request *run = &job->request.run;
    run->model = job->model;
    run->value = job->value;
    run->parameter = job->parameter;
    job->request.steps_of_direct = args_has(args, OPTION_STEPS_OF_DIRECT);
    return hessian_possible(args) && choose_cost(job) &&
           (args_has(args, OPTION_HESSIAN) || choose_methods(job)) &&
           setup_solver(args, job->model, job->option, run) &&
           setup_values(args, job->model, job->value) && choose_parameters(job) &&
           setup_limits(args, run) && choose_memory(job) && choose_end(job);
}

static void clear(struct gradient_job *job)
{
    for (int k = 0; k < job->methods; k++)
        cost_gradient_clear(&job->gradient[k]);
    free(job->value);
    free(job->parameter);
    model_free(job->model);
}

/* --- answers ------------------------------------------------------------------------ */

static void work(struct task *task)
{
    struct gradient_task *asked = (struct gradient_task *)task;
    cost_gradient_ask(asked->method, &asked->request, asked->gradient);
}

static void compute(struct gradient_job *job)
{
    struct gradient_task asked[MOST_METHODS] = {0};
    struct task *task[MOST_METHODS];
    for (int k = 0; k < job->methods; k++) {
        task[k] = &asked[k].task;
        asked[k].request = job->request;
        asked[k].request.run.progress = task_progress;
        asked[k].request.run.progress_context = task[k];
        asked[k].method = job->method[k];
        asked[k].gradient = &job->gradient[k];
        task[k]->run = work;
        task[k]->weight = 1.0;
        snprintf(task[k]->title, sizeof task[k]->title, "%s, %s", job->model->desc->name,
                 job->method[k]->name);
    }
    pool_run("gradient", task, job->methods, processors());
}

/* Would any run of this request be refused, whatever the method? */
static bool request_is_wrong(const struct adjoint_request *request)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct run_request plain = request->run;
    plain.parameters = 0;
    struct runner *runner = runner_new(&plain, &diagnosis);
    runner_free(runner);
    return !runner;
}

enum exit_status gradient_refusal(const struct args *args,
                                  const struct adjoint_request *request,
                                  const struct diagnosis *diagnosis)
{
    enum exit_status status = complain_refusal(args, request->run.model->desc->name,
                                               diagnosis);
    bool applies = diagnosis->status != NOT_APPLICABLE;
    return applies || request_is_wrong(request) ? status : EXIT_NO_ANSWER;
}

static void print(FILE *stream, const void *context)
{
    const struct gradient_job *job = context;
    const struct gradient_report report = {
        .request = &job->request, .methods = job->methods, .method = job->method,
        .gradient = job->gradient, .timing = args_has(job->args, OPTION_TIMING)};
    if (args_has(job->args, OPTION_JSON))
        gradient_report_json(stream, &report);
    else
        gradient_report_table(stream, &report);
}

/* Nothing is written where the only method is refused, or any would be. */
static enum exit_status answer(const struct gradient_job *job)
{
    const struct cost_gradient *first = &job->gradient[0];
    enum exit_status status = EXIT_HELD;
    if (first->status != OK)
        status = gradient_refusal(job->args, &job->request, &first->diagnosis);
    if (status == EXIT_USAGE || (status != EXIT_HELD && job->methods == 1))
        return status;
    return output_print(job->args, print, job) ? status : EXIT_USAGE;
}

/* --- the command -------------------------------------------------------------------- */

static enum exit_status gradient(const struct args *args)
{
    struct gradient_job job;
    enum exit_status status = EXIT_USAGE;
    if (prepare(&job, args) && outputs_possible(args)) {
        if (args_has(args, OPTION_HESSIAN)) {
            status = hessian_answer(args, &job.request);
        } else {
            compute(&job);
            status = answer(&job);
        }
    }
    clear(&job);
    return status;
}

static const enum option_id options[] = {
    OPTION_COST,   OPTION_HESSIAN,    OPTION_METHOD,      OPTION_DIGITS,
    OPTION_FORMULATION, OPTION_OPT,   OPTION_INTEGRATOR,
    OPTION_RESET,  OPTION_RULE,       OPTION_SET,         OPTION_SENS, OPTION_T_END,
    OPTION_RTOL,   OPTION_ATOL,       OPTION_MAX_EVENTS,  OPTION_MAX_STEP,
    OPTION_MAX_STEPS,
    OPTION_STEPS_OF_DIRECT,
    OPTION_MEMORY, OPTION_TIMING,     OPTION_JSON,        OPTION_OUT,  OPTION_PLUGIN,
    OPTION_TIMEOUT, OPTIONS,
};

extern const struct command command_gradient;
const struct command command_gradient = {
    .name = "gradient",
    .synopsis = "CASE --cost K [OPTION...]",
    .summary = "The gradient of a cost, through events, backwards or by other methods",
    .text =
        "Methods, one or several, or all, a column each:\n"
        "  adjoint           a run forwards, the adjoint equations backwards: the cost\n"
        "                    does not grow with the number of parameters (default)\n"
        "  discrete-adjoint  the transpose of the steps of a run: the direct gradient\n"
        "                    to rounding; dop853, rk87, verner98\n"
        "  direct            forwards with a column for each parameter\n"
        "  complex-step      a run for each parameter, moved by i 1e-40; a DAE by its\n"
        "                    reduced formulation, at the tolerance of that\n"
        "  difference        central differences of whole runs, extrapolated, with an\n"
        "                    estimated error; refused where events appear or vanish\n"
        "Digits are those in which a method agrees with the first: of the largest\n"
        "difference, as a part of the largest |rho dpsi/drho| (rho = 0 counts as 1).\n"
        "--rule is that of the first three. A method that is refused is a column\n"
        "without numbers and a line that says why; the exit status is that of the first\n"
        "method. Several methods are computed at once, on all processors.\n"
        "Without --t-end the end of the case may move with its parameters.\n"
        "--steps-of-direct: two runs of one motion differ by rounding, and beside a\n"
        "grazing contact their derivatives by far more: adjoint differs from direct,\n"
        "but on its run, at its price, it does not.\n"
        "--hessian: second derivatives instead, as a square table by all pairs of\n"
        "parameters, with the digits in which it is symmetric; methods are then\n"
        "  adjoint           the tangent of the way back along each parameter (default)\n"
        "  certified         in MPFR: differences of gradients, and second differences\n"
        "                    of values, that agree on --digits D digits; default: 20\n"
        "The default formulation is ode without constraints, else index1; rtol 1e-10.\n\n"
        "  saltus gradient five-bar --cost fall\n"
        "  saltus gradient five-bar --cost fall --method all --sens L01,e\n"
        "  saltus gradient five-bar --cost fall --hessian --method all --sens L01,e\n",
    .option = options,
    .least = 1,
    .most = 1,
    .apart = true,
    .run = gradient,
};
