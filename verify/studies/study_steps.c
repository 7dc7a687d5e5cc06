/*
 * study_steps.c - observed orders of the integrators, through events.
 *
 * A case is run by every integrator with falling tolerances. The errors of values, event
 * times and derivatives, against certified values, fall with the number of steps: log
 * error = -order log steps + ..., by least squares. An event that is located, or its
 * derivative made, with less than the accuracy of a step has a lower order.
 */
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "jobs/job.h"
#include "studies/study.h"
#include "tables/json_parts.h"
#include "tables/report.h"

/* Step sizes that vary, and the few steps of large tolerances, make an order uncertain by
   about a half. */
static const double order_slack = 0.7;
/* Errors between these are fitted: above rounding, and small. */
static const double least_error = 1e-13, most_error = 1e-2;

enum { TOLERANCES = 8 };            /* rtol 1e-4 .. 1e-11 */
static const char *const kind[] = {"q", "dq", "t", "dt"};
enum { KINDS = sizeof kind / sizeof *kind };

struct steps_study {
    struct task task;
    const struct judge_settings *settings;
    const struct case_desc *desc;
    const struct integrator *integrator;
    double order[KINDS];            /* observed order; NAN: too few errors can be
                                       fitted */
    struct diagnosis diagnosis;
    enum status status;
};

/* --- one run ------------------------------------------------------------------------ */

/* log10 of the number of steps and of the errors of each kind [KINDS], NAN where there is
   none: a run may be too coarse to tell one sequence of events from another. */
static void measure(struct job_work *work, const struct results *want, double rtol,
                    double *steps, double *error)
{
    struct run_request request = work->request;
    struct trajectory *trajectory = NULL;
    struct rows rows = {.digits = 0};
    request.rtol = rtol;
    request.atol = rtol / 1000;
    request.progress = NULL;
    for (int k = 0; k < KINDS; k++)
        error[k] = NAN;
    if (run_once(&request, &trajectory, NULL) == OK) {
        struct results *got = results_of_trajectory(trajectory);
        struct row *row = rows_add(&rows, ROW_JUDGED, work->job->desc->name, "", "");
        row_compare(&rows, row, got, want, double_digits);
        *steps = log10((double)trajectory->steps);
        for (int k = 0; k < KINDS; k++)
            error[k] = row->missing > 0 ? NAN : -row_kind_digits(row, kind[k]);
        rows_clear(&rows);
        results_free(got);
    }
    if (trajectory)
        trajectory_free(trajectory);
}

/* --- an integrator ------------------------------------------------------------------ */

static double fitted(const double *steps, const double *error)
{
    double x[TOLERANCES], y[TOLERANCES], at_zero, slope, c00, c01, c11, rest;
    size_t count = 0;
    for (int i = 0; i < TOLERANCES; i++)
        if (error[i] > log10(least_error) && error[i] < log10(most_error)) {
            x[count] = steps[i];
            y[count++] = error[i];
        }
    if (count < 3)
        return NAN;
    gsl_fit_linear(x, 1, y, 1, count, &at_zero, &slope, &c00, &c01, &c11, &rest);
    return -slope;
}

static enum status measure_all(struct steps_study *study, struct job_work *work)
{
    double steps[TOLERANCES], error[KINDS][TOLERANCES];
    struct certificate *certificate = NULL;
    struct diagnosis *diagnosis = &study->diagnosis;
    enum status status = job_certificate(work, &work->job->motion.truth,
                                         &certificate, diagnosis);
    if (status == OK && (!certificate || certificate->refusal.status != OK))
        status = diagnose(diagnosis, NOT_APPLICABLE, NAN, "no certified numbers");
    struct results *want = status == OK ? results_of_reference(certificate->trajectory)
                                        : NULL;
    for (int i = 0; status == OK && i < TOLERANCES; i++) {
        double of_kind[KINDS];
        measure(work, want, pow(10, -4 - i), &steps[i], of_kind);
        for (int k = 0; k < KINDS; k++)
            error[k][i] = of_kind[k];
        task_progress(&study->task, (i + 1.0) / TOLERANCES);
    }
    for (int k = 0; status == OK && k < KINDS; k++)
        study->order[k] = fitted(steps, error[k]);
    results_free(want);
    certificate_free(certificate);
    return status;
}

/* Runs the default formulation; with a method for implicit equations, `implicit`. */
static void run_steps_study(struct task *task)
{
    struct steps_study *study = (struct steps_study *)task;
    struct judge_settings settings = *study->settings;
    struct job **job = NULL;
    struct job_work work;
    struct diagnosis *diagnosis = &study->diagnosis;
    int jobs = 0;
    if (study->integrator->aim) {
        study->status = diagnose(diagnosis, NOT_APPLICABLE, NAN,
                                 "its order follows the tolerance");
        return;
    }
    struct model *model = model_new(study->desc, diagnosis);
    if (!model) {
        study->status = BAD_INPUT;
        return;
    }
    settings.integrator = study->integrator;
    bool implicit = study->integrator->alloc_implicit != NULL;
    enum status status = schedule_solution(
        &settings, model, implicit ? formulation_find("implicit")
                                   : formulation_default(model),
        &job, &jobs, diagnosis);
    if (status == OK) {
        status = job_open(&work, job[0], diagnosis);
        if (status == OK)
            status = measure_all(study, &work);
        job_close(&work);
    }
    study->status = status;
    jobs_free(job, jobs);
    model_free(model);
}

/* --- the table ---------------------------------------------------------------------- */

static const struct text_column case_column = {"", TEXT_LEFT, 0, 13};
static const struct text_column name_column = {"", TEXT_LEFT, 2, 12};
static const struct text_column order_column = {"", TEXT_RIGHT, 1, 6};
static const struct text_column kind_column = {"", TEXT_RIGHT, 1, 7};

static bool print_integrator(const struct steps_study *study, cJSON *item)
{
    char why[300];
    bool held = true;
    cJSON_AddStringToObject(item, "case", study->desc->name);
    cJSON_AddStringToObject(item, "integrator", study->integrator->name);
    text_cell(stdout, &name_column, "%s", study->integrator->name);
    if (study->status != OK) {
        refusal_text(&study->diagnosis, why, sizeof why);
        printf("  %s\n", why);
        json_diagnosis(item, &study->diagnosis);
        return study->status == NOT_APPLICABLE;
    }
    bool seen = false;
    cJSON_AddNumberToObject(item, "order", study->integrator->order);
    cJSON *observed = cJSON_AddObjectToObject(item, "observed");
    text_cell(stdout, &order_column, "%d", study->integrator->order);
    for (int k = 0; k < KINDS; k++) {
        double order = study->order[k];
        json_number(observed, kind[k], order);
        text_cell_number(stdout, &kind_column, 2, order, "-");
        held = held && !(order < study->integrator->order - order_slack);
        seen = seen || !isnan(order);
    }
    if (!seen) {
        printf("  %sempty: no error but rounding%s\n", colour_on(stdout, GREEN),
               colour_off(stdout));
        return true;
    }
    cJSON_AddBoolToObject(item, "held", held);
    return report_held(stdout, held);
}

static bool print_table(const struct steps_study *study, int count, cJSON *found)
{
    bool held = true;
    printf("How errors fall with the number of steps: observed orders of coordinates\n"
           "(q), event times (t) and their derivatives (dq, dt) at rtol 1e-4 .. 1e-11,\n"
           "against certified values; to be that of the method, less %.1f.\n",
           order_slack);
    for (int k = 0; k < count; k++) {
        if (k == 0 || study[k].desc != study[k - 1].desc) {
            putchar('\n');
            text_cell_in(stdout, &case_column, BOLD, "%s", study[k].desc->name);
            text_cell(stdout, &kind_column, "order");
            for (int i = 0; i < KINDS; i++)
                text_cell(stdout, &kind_column, "%s", kind[i]);
            putchar('\n');
        }
        held = print_integrator(&study[k], json_append(found)) && held;
    }
    return held;
}

enum exit_status study_steps(const struct args *args,
                             const struct judge_settings *settings,
                             const struct case_desc *const *desc, int cases, int threads,
                             cJSON *found)
{
    int methods = 0, count = 0;
    (void)args;
    while (integrators[methods])
        methods++;
    struct steps_study *study = memory_new(cases * methods, sizeof *study);
    struct task **task = memory_new(cases * methods, sizeof *task);
    for (int i = 0; i < cases; i++)
        for (int k = 0; k < methods; k++) {
            study[count] = (struct steps_study){
                .settings = settings, .desc = desc[i], .integrator = integrators[k],
                .diagnosis = {.t = NAN}, .task = {.run = run_steps_study, .weight = 1}};
            snprintf(study[count].task.title, sizeof study[count].task.title,
                     "%.60s, %.40s", desc[i]->name, integrators[k]->name);
            task[count] = &study[count].task;
            count++;
        }
    pool_run("verify", task, count, threads);
    bool held = print_table(study, count, found);
    free(task);
    free(study);
    return held ? EXIT_HELD : EXIT_SHORT;
}
