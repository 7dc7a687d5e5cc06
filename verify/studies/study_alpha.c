#include "studies/study_alpha.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "jobs/isolated.h"
#include "jobs/rows_io.h"
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

/* --- one trial ---------------------------------------------------------------------- */

static double distance(mpfr_srcptr a, mpfr_srcptr b)
{
    return fabs(mpfr_get_d(a, MPFR_RNDN) - mpfr_get_d(b, MPFR_RNDN));
}

/* The largest difference of a kind over the largest number of that kind: a derivative
   that is zero in the exact motion (the mass of a pendulum) has a gap, too. */
static void measure_gap(struct alpha_run *trial, const struct results *got,
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
            trial->size[i] = fmax(trial->size[i], distance(a->value, b->value));
            largest[i] = fmax(largest[i], fabs(mpfr_get_d(b->value, MPFR_RNDN)));
        }
    for (int i = FIRST_GAP; i < MEASURED; i++)
        trial->size[i] /= largest[i] > 0.0 ? largest[i] : 1.0;
    if (missing > 0)
        trial->status = diagnose(&trial->diagnosis, NOT_APPLICABLE, NAN,
                                 "the exact motion has other events than this one");
    free(comparison);
}

/* As a verdict of the case has it: to the same bar, lowered by the same conditions. */
static void measure_error(struct alpha_run *trial, const struct run_request *request,
                          const struct trajectory *trajectory, const struct results *got)
{
    struct trajectory *want = NULL;
    struct row *row = rows_add(&trial->rows, ROW_JUDGED, trial->desc->name,
                               trial->formulation->name, "complex-step");
    row->made = judge_made(trial->settings, trial->desc, trial->formulation);
    if (complex_step_run(request, &want, &trial->diagnosis) == OK) {
        struct results *results = results_of_trajectory(want);
        spread_unknowns(request, trajectory, results);
        row_compare(&trial->rows, row, got, results, 15.95);
        results_free(results);
    } else {
        row_refuse(row, &trial->diagnosis);
    }
    if (want)
        trajectory_free(want);
}

/* Is there no such motion? The reference is asked, too. */
static bool refused_rightly(struct alpha_run *trial, const struct run_request *request)
{
    struct own_truth own;
    return truth_of(trial->formulation, request->model, request->option, &own, NULL) ==
               OK &&
           refusal_is_right(request->model, &own.truth, request->parameters,
                            request->parameter, &trial->diagnosis);
}

/* The two motions, and what is between them; the exact one is that of `impulsive`, the
   same model with the other policy. */
static void compare_motions(struct alpha_run *trial, struct run_request *request,
                            const struct model *impulsive)
{
    struct trajectory *got = NULL, *exact = NULL;
    struct run_request other = *request;
    other.model = impulsive;
    trial->status = run_once(request, &got, &trial->diagnosis);
    trial->no_motion = trial->status != OK && refused_rightly(trial, request);
    if (trial->status == OK)
        trial->status = run_exact(&other, &exact, &trial->diagnosis);
    if (trial->status == OK) {
        struct results *a = results_of_trajectory(got), *b = results_of_trajectory(exact);
        trial->size[0] = got->worst_Phi;
        trial->size[1] = got->worst_Phid;
        measure_gap(trial, a, b);
        task_part(&trial->task, 0.4, 1.0);
        measure_error(trial, request, got, a);
        results_free(a);
        results_free(b);
    }
    if (got)
        trajectory_free(got);
    if (exact)
        trajectory_free(exact);
}

static void run_trial(struct task *task)
{
    struct alpha_run *trial = (struct alpha_run *)task;
    const struct judge_settings *settings = trial->settings;
    double rtol = judge_rtol(settings, trial->desc, trial->formulation);
    struct samples samples;
    const char *option[MAX_OPTIONS];
    struct model *model = model_new_with(trial->desc, trial->reset, &trial->diagnosis);
    struct model *impulsive = model_new(trial->desc, NULL);
    trial->status = model ? choose_samples(model, &samples, &trial->diagnosis)
                          : BAD_INPUT;
    if (trial->status == OK) {
        int *parameter = memory_new(model->p, sizeof *parameter);
        options_nominal(trial->formulation, option);
        for (int k = 0; settings->option && k < option_count(trial->formulation); k++)
            option[k] = settings->option[k];
        option[option_index(trial->formulation, "alpha")] = trial->alpha;
        struct run_request request = {
            .model = model, .formulation = trial->formulation, .option = option,
            .integrator = judge_integrator(settings, trial->formulation),
            .rtol = rtol, .atol = rtol / 1000,
            .parameters = model_sensitivities(model, parameter),
            .parameter = parameter, .t_end = NAN, .samples = samples.count,
            .sample = samples.t, .progress = task_progress, .progress_context = task,
        };
        task_part(task, 0.0, 0.4);
        compare_motions(trial, &request, impulsive);
        free(parameter);
    }
    model_free(impulsive);
    model_free(model);
}

/* --- the formulation of a plug-in, in a process of its own -------------------------- */

/* What a trial finds, before its rows. */
struct findings {
    double size[MEASURED];
    bool no_motion;
    struct diagnosis diagnosis;
    enum status status;
};

static void write_trial(const struct task *task, FILE *stream)
{
    const struct alpha_run *trial = (const struct alpha_run *)task;
    struct findings findings = {.diagnosis = trial->diagnosis, .status = trial->status,
                                .no_motion = trial->no_motion};
    memcpy(findings.size, trial->size, sizeof findings.size);
    fwrite(&findings, sizeof findings, 1, stream);
    rows_write(&trial->rows, stream);
}

static bool read_trial(struct task *task, const char *text, size_t length)
{
    struct alpha_run *trial = (struct alpha_run *)task;
    struct findings findings;
    size_t used = 0;
    if (length < sizeof findings)
        return false;
    memcpy(&findings, text, sizeof findings);
    findings.diagnosis.place[sizeof findings.diagnosis.place - 1] = '\0';
    memcpy(trial->size, findings.size, sizeof findings.size);
    trial->diagnosis = findings.diagnosis;
    trial->status = findings.status;
    trial->no_motion = findings.no_motion;
    return rows_read(&trial->rows, text + sizeof findings, length - sizeof findings,
                     &used) &&
           used == length - sizeof findings &&
           (findings.status != OK || trial->rows.count == 1);
}

static void refuse_trial(struct task *task, const struct diagnosis *diagnosis)
{
    struct alpha_run *trial = (struct alpha_run *)task;
    trial->status = diagnosis->status;
    trial->diagnosis = *diagnosis;
}

static void set_apart(struct alpha_run *trial)
{
    static const struct apart_kind kind = {write_trial, read_trial, refuse_trial};
    const char *plugin = apart_owner(trial->formulation, trial->settings->integrator,
                                     NULL);
    if (plugin)
        apart_task(&trial->task, &kind, plugin, trial->settings->timeout);
}

/* --- planning ----------------------------------------------------------------------- */

struct trials {
    struct alpha_run *trial;
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

static void append_trials(struct trials *trials, const struct judge_settings *settings,
                          const struct case_desc *desc,
                          const struct formulation *formulation, enum reset_policy reset)
{
    const char *option[MAX_OPTIONS];
    options_nominal(formulation, option);
    int index = option_index(formulation, "alpha");
    double alpha = atof(settings->option ? settings->option[index] : option[index]);
    trials->trial = realloc(trials->trial,
                            (size_t)(trials->count + STEPS) * sizeof *trials->trial);
    if (!trials->trial)
        memory_exhausted();
    for (int k = 0; k < STEPS; k++, alpha *= 10.0) {
        struct alpha_run *trial = &trials->trial[trials->count++];
        *trial = (struct alpha_run){.settings = settings, .desc = desc,
                                .formulation = formulation, .reset = reset,
                                .diagnosis = {.t = NAN}};
        trial->task.run = run_trial;
        trial->task.weight = 1.0;
        trial->rows.digits = settings->digits;
        snprintf(trial->alpha, sizeof trial->alpha, "%.15g", alpha);
        snprintf(trial->task.title, sizeof trial->task.title, "%.50s, %.40s, alpha %.10s",
                 desc->name, formulation->name, trial->alpha);
    }
}

static bool schedule(const struct args *args, const struct judge_settings *settings,
                     const struct case_desc *const *desc, int cases,
                     struct trials *trials)
{
    for (int i = 0; i < cases; i++) {
        struct diagnosis diagnosis = {.t = NAN};
        const char *why;
        struct model *model = model_new(desc[i], &diagnosis);
        for (int k = 0; model && formulations[k]; k++)
            for (enum reset_policy reset = 0; reset_policy_text[reset]; reset++)
                if (is_studied(settings, formulations[k], model) &&
                    policy_applies(reset, formulations[k], model, &why))
                    append_trials(trials, settings, desc[i], formulations[k], reset);
        if (!model) {
            complain(args, "%s: %s", desc[i]->name, diagnosis.place);
            return false;
        }
        model_free(model);
    }
    if (trials->count == 0)
        complain(args, "--study alpha: needs a case with constraints and a formulation "
                 "with an option alpha, such as five-bar and penalty");
    return trials->count > 0;
}

enum exit_status study_alpha(const struct args *args,
                             const struct judge_settings *settings,
                             const struct case_desc *const *desc, int cases, int threads,
                             cJSON *found)
{
    struct trials trials = {0};
    enum exit_status status = EXIT_USAGE;
    if (schedule(args, settings, desc, cases, &trials)) {
        struct task **task = memory_new(trials.count, sizeof *task);
        for (int k = 0; k < trials.count; k++)
            task[k] = &trials.trial[k].task;
        for (int k = 0; k < trials.count; k++)
            set_apart(&trials.trial[k]);
        pool_run("verify", task, trials.count, threads);
        free(task);
        bool held = true;
        printf("How a penalty formulation approaches the exact motion as alpha grows.\n"
               "A gap is the largest difference of its kind, over samples and events,\n"
               "relative to the largest number of that kind.\n");
        for (int k = 0; k < trials.count; k += STEPS) {
            cJSON *item = json_append(found);
            bool own = alpha_print(&trials.trial[k], item);
            cJSON_AddBoolToObject(item, "held", own);
            held = held && own;
        }
        status = held ? EXIT_HELD : EXIT_SHORT;
    }
    for (int k = 0; k < trials.count; k++)
        rows_clear(&trials.trial[k].rows);
    free(trials.trial);
    return status;
}
