/*
 * study_alpha.c - a penalty formulation as alpha grows: gaps and numerical errors
 */
#include "studies/study_alpha.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "jobs/isolated.h"
#include "jobs/row_serialisation.h"
#include "motion/run_exact.h"
#include "motion/samples.h"
#include "oracles/oracle.h"
#include "refusals/refusal.h"
#include "tables/json_parts.h"

const struct alpha_measured alpha_measured[] = {
    {"|Phi| along the run", NULL},
    {"|Phid| along the run", NULL},
    {"gap of event times", "event.t"},
    {"gap of q", "q"},
    {"gap of v", "v"},
    {"gap of dt_e/drho", "dt/d*"},
    {"gap of dq/drho", "dq/d*"},
    {"gap of dv/drho", "dv/d*"},
};
enum { FIRST_GAP = 2 };

/* --- one run ------------------------------------------------------------------------ */

static double distance(mpfr_srcptr a, mpfr_srcptr b)
{
    return fabs(mpfr_get_d(a, MPFR_RNDN) - mpfr_get_d(b, MPFR_RNDN));
}

/* The gap of a kind is its largest difference over its largest number: a derivative that
   is zero in the exact motion (the mass of a pendulum) has a gap, too. */
static void measure_gap(struct alpha_run *run, const struct results *got,
                        const struct results *exact)
{
    int count, missing;
    double largest[MEASURED] = {0};
    const struct comparing how = {.cap = 16.0};
    struct comparison *comparison = results_compare(got, exact, &how, &count, &missing);
    for (int k = 0; k < count; k++)
        for (int i = FIRST_GAP; i < MEASURED; i++) {
            const struct entry *a = comparison[k].got, *b = comparison[k].want;
            if (fnmatch(alpha_measured[i].group, b->group, 0) != 0)
                continue;
            run->size[i] = fmax(run->size[i], distance(a->value, b->value));
            largest[i] = fmax(largest[i], fabs(mpfr_get_d(b->value, MPFR_RNDN)));
        }
    for (int i = FIRST_GAP; i < MEASURED; i++)
        run->size[i] /= largest[i] > 0.0 ? largest[i] : 1.0;
    if (missing > 0)
        run->status = diagnose(&run->diagnosis, NOT_APPLICABLE, NAN,
                               "the exact motion has other events than this one");
    free(comparison);
}

/* The numerical error is measured like a verdict of the case: to the same bar, lowered by
   the same conditions. */
static void measure_error(struct alpha_run *run, const struct run_request *request,
                          const struct trajectory *trajectory, const struct results *got)
{
    struct trajectory *want = NULL;
    struct row *row = rows_add(&run->rows, ROW_JUDGED, run->desc->name,
                               run->formulation->name, "complex-step");
    row->made = judge_made(run->settings, run->desc, run->formulation);
    if (complex_step_run(request, &want, &run->diagnosis) == OK) {
        struct results *results = results_of_trajectory(want);
        spread_unknowns(request, trajectory, results);
        row_compare(&run->rows, row, got, results, 15.95);
        results_free(results);
    } else {
        row_refuse(row, &run->diagnosis);
    }
    if (want)
        trajectory_free(want);
}

/* Is there no such motion? The reference is asked, too. */
static bool refused_rightly(struct alpha_run *run, const struct run_request *request)
{
    struct reference_motion own;
    enum status status = reference_motion_of(run->formulation, request->model,
                                             request->option, &own, NULL);
    return status == OK &&
           refusal_is_right(request->model, &own.truth, request->parameters,
                            request->parameter, &run->diagnosis);
}

/* Runs both motions and measures the gap; the exact one is that of `impulsive`, the model
   with the other policy. */
static void compare_motions(struct alpha_run *run, struct run_request *request,
                            const struct model *impulsive)
{
    struct trajectory *got = NULL, *exact = NULL;
    struct run_request other = *request;
    other.model = impulsive;
    run->status = run_once(request, &got, &run->diagnosis);
    run->no_motion = run->status != OK && refused_rightly(run, request);
    if (run->status == OK)
        run->status = run_exact(&other, &exact, &run->diagnosis);
    if (run->status == OK) {
        struct results *a = results_of_trajectory(got), *b = results_of_trajectory(exact);
        run->size[0] = got->worst_Phi;
        run->size[1] = got->worst_Phid;
        measure_gap(run, a, b);
        task_part(&run->task, 0.4, 1.0);
        measure_error(run, request, got, a);
        results_free(a);
        results_free(b);
    }
    if (got)
        trajectory_free(got);
    if (exact)
        trajectory_free(exact);
}

static void run_one(struct task *task)
{
    struct alpha_run *run = (struct alpha_run *)task;
    const struct judge_settings *settings = run->settings;
    double rtol = judge_rtol(settings, run->desc, run->formulation);
    struct samples samples;
    const char *option[MAX_OPTIONS];
    struct model *model = model_new_with(run->desc, run->reset, &run->diagnosis);
    struct model *impulsive = model_new(run->desc, NULL);
    run->status = model ? choose_samples(model, &samples, &run->diagnosis)
                        : BAD_INPUT;
    if (run->status == OK) {
        int *parameter = memory_new(model->p, sizeof *parameter);
        options_nominal(run->formulation, option);
        for (int k = 0; settings->option && k < option_count(run->formulation); k++)
            option[k] = settings->option[k];
        option[option_index(run->formulation, "alpha")] = run->alpha;
        struct run_request request = {
            .model = model, .formulation = run->formulation, .option = option,
            .integrator = judge_integrator(settings, run->formulation),
            .rtol = rtol, .atol = rtol / 1000,
            .parameters = model_sensitivities(model, parameter),
            .parameter = parameter, .t_end = NAN, .samples = samples.count,
            .sample = samples.t, .progress = task_progress, .progress_context = task,
        };
        task_part(task, 0.0, 0.4);
        compare_motions(run, &request, impulsive);
        free(parameter);
    }
    model_free(impulsive);
    model_free(model);
}

/* --- the formulation of a plug-in, in a process of its own -------------------------- */

/* The outcome of a run, before its rows. */
struct findings {
    double size[MEASURED];
    bool no_motion;
    struct diagnosis diagnosis;
    enum status status;
};

static void write_run(const struct task *task, FILE *stream)
{
    const struct alpha_run *run = (const struct alpha_run *)task;
    struct findings findings = {.diagnosis = run->diagnosis, .status = run->status,
                                .no_motion = run->no_motion};
    memcpy(findings.size, run->size, sizeof findings.size);
    fwrite(&findings, sizeof findings, 1, stream);
    rows_write(&run->rows, stream);
}

static bool read_run(struct task *task, const char *text, size_t length)
{
    struct alpha_run *run = (struct alpha_run *)task;
    struct findings findings;
    size_t used = 0;
    if (length < sizeof findings)
        return false;
    memcpy(&findings, text, sizeof findings);
    findings.diagnosis.place[sizeof findings.diagnosis.place - 1] = '\0';
    memcpy(run->size, findings.size, sizeof findings.size);
    run->diagnosis = findings.diagnosis;
    run->status = findings.status;
    run->no_motion = findings.no_motion;
    return rows_read(&run->rows, text + sizeof findings, length - sizeof findings,
                     &used) &&
           used == length - sizeof findings &&
           (findings.status != OK || run->rows.count == 1);
}

static void refuse_run(struct task *task, const struct diagnosis *diagnosis)
{
    struct alpha_run *run = (struct alpha_run *)task;
    run->status = diagnosis->status;
    run->diagnosis = *diagnosis;
}

static void set_apart(struct alpha_run *run)
{
    static const struct isolated_kind kind = {write_run, read_run, refuse_run};
    const char *plugin = isolated_owner(run->formulation, run->settings->integrator,
                                        NULL);
    if (plugin)
        isolated_task(&run->task, &kind, plugin, run->settings->timeout);
}

/* --- planning ----------------------------------------------------------------------- */

struct alpha_runs {
    struct alpha_run *run;
    int count;
};

static bool is_studied(const struct judge_settings *settings,
                       const struct formulation *formulation, const struct model *model)
{
    const char *why;
    return (!settings->only || settings->only == formulation) && model->m > 0 &&
           !(formulation->capabilities & KEEPS_CONSTRAINTS) &&
           option_index(formulation, "alpha") >= 0 &&
           formulation_applies(formulation, model, &why);
}

static void append_runs(struct alpha_runs *runs, const struct judge_settings *settings,
                        const struct case_desc *desc,
                        const struct formulation *formulation, enum reset_policy reset)
{
    const char *option[MAX_OPTIONS];
    options_nominal(formulation, option);
    int index = option_index(formulation, "alpha");
    double alpha = atof(settings->option ? settings->option[index] : option[index]);
    runs->run = realloc(runs->run,
                        (size_t)(runs->count + STEPS) * sizeof *runs->run);
    if (!runs->run)
        memory_exhausted();
    for (int k = 0; k < STEPS; k++, alpha *= 10.0) {
        struct alpha_run *run = &runs->run[runs->count++];
        *run = (struct alpha_run){.settings = settings, .desc = desc,
                                  .formulation = formulation, .reset = reset,
                                  .diagnosis = {.t = NAN}};
        run->task.run = run_one;
        run->task.weight = 1.0;
        run->rows.digits = settings->digits;
        snprintf(run->alpha, sizeof run->alpha, "%.15g", alpha);
        snprintf(run->task.title, sizeof run->task.title, "%.50s, %.40s, alpha %.10s",
                 desc->name, formulation->name, run->alpha);
    }
}

static bool schedule(const struct args *args, const struct judge_settings *settings,
                     const struct case_desc *const *desc, int cases,
                     struct alpha_runs *runs)
{
    for (int i = 0; i < cases; i++) {
        struct diagnosis diagnosis = {.t = NAN};
        const char *why;
        struct model *model = model_new(desc[i], &diagnosis);
        for (int k = 0; model && formulations[k]; k++)
            for (enum reset_policy reset = 0; reset_policy_text[reset]; reset++)
                if (is_studied(settings, formulations[k], model) &&
                    policy_applies(reset, formulations[k], model, &why))
                    append_runs(runs, settings, desc[i], formulations[k], reset);
        if (!model) {
            complain(args, "%s: %s", desc[i]->name, diagnosis.place);
            return false;
        }
        model_free(model);
    }
    if (runs->count == 0)
        complain(args, "--study alpha: needs a case with constraints and a formulation "
                 "with an option alpha, such as five-bar and penalty");
    return runs->count > 0;
}

enum exit_status study_alpha(const struct args *args,
                             const struct judge_settings *settings,
                             const struct case_desc *const *desc, int cases, int threads,
                             cJSON *found)
{
    struct alpha_runs runs = {0};
    enum exit_status status = EXIT_USAGE;
    if (schedule(args, settings, desc, cases, &runs)) {
        struct task **task = memory_new(runs.count, sizeof *task);
        for (int k = 0; k < runs.count; k++)
            task[k] = &runs.run[k].task;
        for (int k = 0; k < runs.count; k++)
            set_apart(&runs.run[k]);
        pool_run("verify", task, runs.count, threads);
        free(task);
        bool held = true;
        printf("How a penalty formulation approaches the exact motion as alpha grows.\n"
               "A gap is the largest difference of its kind, over samples and events,\n"
               "relative to the largest number of that kind.\n");
        for (int k = 0; k < runs.count; k += STEPS) {
            cJSON *item = json_append(found);
            bool own = alpha_print(&runs.run[k], item);
            cJSON_AddBoolToObject(item, "held", own);
            held = held && own;
        }
        status = held ? EXIT_HELD : EXIT_SHORT;
    }
    for (int k = 0; k < runs.count; k++)
        rows_clear(&runs.run[k].rows);
    free(runs.run);
    return status;
}
