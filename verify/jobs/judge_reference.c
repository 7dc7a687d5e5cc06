/*
 * judge_reference.c - certified values judged by the reference, in full or along a
 * direction (judge_stored.c), and by closed forms.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "file/model_file.h"
#include "jobs/job.h"
#include "motion/cost.h"
#include "oracles/balances.h"
#include "oracles/double_series.h"
#include "oracles/oracle.h"

struct reference_request job_reference_request(const struct job_work *work,
                                               const char *const *nominal)
{
    return (struct reference_request){
        .model = work->model, .truth = work->job->motion.truth,
        .digits = work->job->settings->mp_digits, .parameters = work->parameters,
        .parameter = work->parameter, .value = nominal,
        .samples = work->samples.reference_count, .sample = work->samples.reference,
        .progress = task_progress, .progress_context = &work->job->task,
    };
}

int job_reference_digits(const struct job_work *work, const struct certificate *stored)
{
    int asked = reference_digits(work->model, work->job->settings->mp_digits);
    return stored && stored->digits > asked + asked / 4 ? stored->digits : asked;
}

void job_bar_at_most(struct job_work *work, double digits)
{
    if (work->job->rows.digits > digits)        /* NAN, the bars of the default, stays */
        work->job->rows.digits = digits;
}

/* --- invariants --------------------------------------------------------------------- */

static void add_invariant(struct job_work *work, struct row *row, int digits, double t,
                          const char *name, double worst)
{
    struct verdict verdict = {
        .t = t, .bar = digits - 5, .scale = 1.0,
        .digits = worst > 0.0 ? fmin(-log10(worst), digits) : digits,
    };
    snprintf(verdict.name, sizeof verdict.name, "%s", name);
    snprintf(verdict.got, sizeof verdict.got, "%.3e", worst);
    snprintf(verdict.want, sizeof verdict.want, "0");
    row_measure(&work->job->rows, row, &verdict);
}

static bool states_balances(const struct model *model)
{
    for (int k = 0; k < model->events; k++)
        if (model->event[k]->balances > 0)
            return true;
    return false;
}

void judge_invariants(struct job_work *work, const struct mp_trajectory *motion,
                      int digits, const struct mp_trajectory *values, int value_digits)
{
    const struct model *model = work->model;
    bool energy = model->energy.tape != NULL;
    double end = work->samples.t[SAMPLES - 1];
    if (!is_exact(&work->job->motion.truth) ||
        (model->m == 0 && !energy && !states_balances(model)))
        return;
    struct row *row = job_reference_row(work, ROW_JUDGED, "invariant");
    if (model->m > 0) {
        add_invariant(work, row, digits, end, "|Phi|", motion->worst_Phi);
        add_invariant(work, row, digits, end, "|Phid|", motion->worst_Phid);
    }
    if (energy)
        add_invariant(work, row, digits, end, "energy of an arc", motion->worst_energy);
    if (energy)
        add_invariant(work, row, digits, end, "energy at impacts",
                      motion->worst_balance);
    int count;
    struct balance_found *found = balances_find(model, values, &count);
    for (int k = 0; k < count; k++)
        add_invariant(work, row, value_digits, found[k].t, found[k].name,
                      found[k].worst);
    free(found);
}

/* This row is not on the motion, but on the recurrences that solvers in double use on
   it. */
static void check_double_series(struct job_work *work, const struct mp_trajectory *motion)
{
    static const double bar = 8;
    if (!is_exact(&work->job->motion.truth))
        return;
    struct verdict verdict = {.t = NAN, .bar = bar, .scale = 1, .name = "series"};
    verdict.digits = double_series_digits(work->model, motion, &verdict.t);
    if (isnan(verdict.digits))
        return;
    snprintf(verdict.got, sizeof verdict.got, "%.3e", pow(10, -verdict.digits));
    snprintf(verdict.want, sizeof verdict.want, "0");
    row_measure(&work->job->rows, job_reference_row(work, ROW_JUDGED, "double-series"),
                &verdict);
}

/* --- both routes in full ------------------------------------------------------------ */

static void compare(struct job_work *work, struct row *row,
                    const struct mp_trajectory *got, const struct mp_trajectory *want,
                    double cap)
{
    struct results *a = results_of_reference(got), *b = results_of_reference(want);
    row_compare(&work->job->rows, row, a, b, cap);
    results_free(a);
    results_free(b);
}

/* `stored`: the certified values; NULL: there are none. Differences of step 10^(-D/3) are
   good to 2D/3 digits, less the digits that the condition of the motion takes: they can
   show no more digits than have been certified. */
static void judge_in_full(struct job_work *work, const struct certificate *stored)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct mp_trajectory *variational = NULL, *difference = NULL;
    const char **nominal = memory_new(work->model->p, sizeof *nominal);
    struct reference_request request = job_reference_request(work, nominal);
    request.digits = job_reference_digits(work, stored);
    task_part(&work->job->task, 0.0, 0.4);
    enum status status = reference_run(&request, &variational, &diagnosis);
    task_part(&work->job->task, 0.4, 1.0);
    if (status == OK)
        status = reference_difference(&request, false, 1, &difference, &diagnosis);
    if (status == OK) {
        struct row *row = job_reference_row(work, ROW_JUDGED, "mpfr-difference");
        row->made.differenced = true;
        double cap = 2.0 * request.digits / 3.0;
        if (stored)
            job_bar_at_most(work, stored->agreed);
        compare(work, row, variational, difference,
                stored ? fmin(cap, stored->agreed) : cap);
        if (!stored && row->note[0] == '\0')
            snprintf(row->note, sizeof row->note, "no certified values: both routes here "
                     "and now; saltus certify %s", case_word(work->model->desc));
        if (stored)
            compare(work, job_reference_row(work, ROW_JUDGED, "certified"),
                    stored->trajectory,
                    variational, fmin(stored->agreed, request.digits));
        judge_invariants(work, variational, request.digits, variational,
                         request.digits);
        check_double_series(work, variational);
    } else {
        judge_reference_refused(work, &diagnosis);
    }
    mp_trajectory_free(variational);
    mp_trajectory_free(difference);
    free(nominal);
}

/* --- oracles of any number of digits ------------------------------------------------ */

/* Was the oracle asked for, and does it know the motion to more digits than a double? */
static bool knows_digits(const struct job_work *work, int oracle)
{
    const struct job *job = work->job;
    return (job->settings->oracles & 1u << oracle) &&
           (oracles[oracle].traits & (ANY_DIGITS | JUDGES_STORED)) &&
           oracle_applies(&oracles[oracle], work->model, &job->motion.truth);
}

static void ask_digits(const struct job_work *work, int oracle,
                       const struct certificate *certified, struct oracle_answer *answer)
{
    const struct inquiry inquiry = {
        .run = &work->request, .truth = &work->job->motion.truth, .certified = certified,
        .digits = CLOSED_DIGITS, .cap = certified->agreed};
    *answer = (struct oracle_answer){.diagnosis = {.t = NAN}};
    oracles[oracle].calls->ask(&inquiry, answer);
}

/* Certified values are judged by their own digits: they were made before, whatever
   --digits says. */
static void certified_by_digits(struct job_work *work,
                                const struct certificate *certificate)
{
    struct rows *rows = &work->job->rows;
    for (int k = 0; k < ORACLE_COUNT; k++) {
        struct oracle_answer answer;
        if (!knows_digits(work, k))
            continue;
        struct row *row = job_reference_row(work, ROW_JUDGED, oracles[k].name);
        ask_digits(work, k, certificate, &answer);
        if (answer.kind == ANSWER_NUMBERS) {
            struct results *got = results_of_reference(certificate->trajectory);
            double bar = rows->digits;
            rows->digits = NAN;
            row_compare(rows, row, got, answer.want, answer.cap);
            rows->digits = bar;
            results_free(got);
        } else {
            row_refuse(row, &answer.diagnosis);
        }
        answer_clear(&answer);
    }
}

/* A closed form that has numbers contradicts a refusal: both routes may refuse because of
   what they share. */
static void refusal_by_digits(struct job_work *work,
                              const struct certificate *certificate)
{
    for (int k = 0; k < ORACLE_COUNT; k++) {
        struct oracle_answer answer;
        struct diagnosis both;
        if (!knows_digits(work, k))
            continue;
        ask_digits(work, k, certificate, &answer);
        if (answer.kind == ANSWER_NUMBERS) {
            diagnose(&both, certificate->refusal.status, certificate->refusal.t,
                     "certified (%.200s), but %s has numbers",
                     certificate->refusal.place,
                     oracles[k].name);
            row_refuse(job_reference_row(work, ROW_REFUSED, oracles[k].name), &both);
        }
        answer_clear(&answer);
    }
}

/* --- a reference motion ------------------------------------------------------------- */

/* Without certified values both routes are run here, within judge_patience or with
   --thorough. */
static bool takes_too_long(struct job_work *work)
{
    struct job *job = work->job;
    struct effort effort;
    char text[40];
    effort_of(work->model, &job->motion.truth, &effort);
    double seconds = effort_of_both(&effort, work->parameters,
                                    job->settings->mp_digits);
    if (job->settings->thorough || seconds < judge_patience)
        return false;
    struct row *row = job_reference_row(work, ROW_EMPTY, "mpfr-difference");
    duration_text(seconds, text, sizeof text);
    snprintf(row->note, sizeof row->note, "no certified values; to make them takes about "
             "%s: --thorough, or saltus certify %s", text, case_word(work->model->desc));
    return true;
}

/* The certified values by what the reference computes here and now. */
static void judge_by_reference(struct job_work *work,
                               const struct certificate *certificate)
{
    bool numbers = certificate && certificate->refusal.status == OK;
    if (numbers && !work->job->settings->thorough && work->parameters > 0) {
        judge_stored(work, certificate);
        check_double_series(work, certificate->trajectory);
    } else if (numbers || (!certificate && !takes_too_long(work))) {
        judge_in_full(work, certificate);
    } else if (certificate) {
        judge_stored_refusal(work, certificate);
    }
}

void judge_reference(struct task *task)
{
    struct job *job = (struct job *)task;
    struct job_work work;
    struct certificate *certificate = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    if (job_open(&work, job, &diagnosis) != OK) {
        judge_reference_refused(&work, &diagnosis);
        job_close(&work);
        return;
    }
    if (job_certificate(&work, &job->motion.truth, &certificate, &diagnosis) != OK &&
        !job->follows)
        row_refuse(job_reference_row(&work, ROW_REFUSED, "certified"),
                   &diagnosis);
    if (job->settings->oracles & ORACLE_MPFR)
        judge_by_reference(&work, certificate);
    if (certificate && certificate->refusal.status == OK)
        certified_by_digits(&work, certificate);
    else if (certificate)
        refusal_by_digits(&work, certificate);
    certificate_free(certificate);
    job_close(&work);
}
