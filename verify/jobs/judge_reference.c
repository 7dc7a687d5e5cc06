/*
 * judge_reference.c - is what counts as true really so? Certified values by the
 * reference, in full or along a direction (judge_stored.c), and by closed forms.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "jobs/job.h"
#include "motion/cost.h"
#include "oracles/balances.h"
#include "oracles/double_series.h"
#include "oracles/oracle.h"

struct reference_request truth_request(const struct trial *trial,
                                       const char *const *nominal)
{
    return (struct reference_request){
        .model = trial->model, .truth = trial->piece->truth.truth,
        .digits = trial->piece->settings->mp_digits, .parameters = trial->parameters,
        .parameter = trial->parameter, .value = nominal,
        .samples = trial->samples.reference_count, .sample = trial->samples.reference,
        .progress = task_progress, .progress_context = &trial->piece->task,
    };
}

int truth_digits(const struct trial *trial, const struct certificate *stored)
{
    int asked = trial->piece->settings->mp_digits;
    return stored && stored->digits > asked + asked / 4 ? stored->digits : asked;
}

void truth_bar_at_most(struct trial *trial, double digits)
{
    if (trial->piece->rows.digits > digits)     /* NAN: the bars of the default */
        trial->piece->rows.digits = digits;
}

/* --- invariants --------------------------------------------------------------------- */

static void add_invariant(struct trial *trial, struct row *row, int digits, double t,
                          const char *name, double worst)
{
    struct verdict verdict = {
        .t = t, .bar = digits - 5, .scale = 1.0,
        .digits = worst > 0.0 ? fmin(-log10(worst), digits) : digits,
    };
    snprintf(verdict.name, sizeof verdict.name, "%s", name);
    snprintf(verdict.got, sizeof verdict.got, "%.3e", worst);
    snprintf(verdict.want, sizeof verdict.want, "0");
    row_measure(&trial->piece->rows, row, &verdict);
}

static bool states_balances(const struct model *model)
{
    for (int k = 0; k < model->events; k++)
        if (model->event[k]->balances > 0)
            return true;
    return false;
}

void truth_invariants(struct trial *trial, const struct mp_trajectory *motion,
                      int digits, const struct mp_trajectory *values, int value_digits)
{
    const struct model *model = trial->model;
    bool energy = model->energy.tape != NULL;
    double end = trial->samples.t[SAMPLES - 1];
    if (!is_exact(&trial->piece->truth.truth) ||
        (model->m == 0 && !energy && !states_balances(model)))
        return;
    struct row *row = truth_row(trial, ROW_JUDGED, "invariant");
    if (model->m > 0) {
        add_invariant(trial, row, digits, end, "|Phi|", motion->worst_Phi);
        add_invariant(trial, row, digits, end, "|Phid|", motion->worst_Phid);
    }
    if (energy)
        add_invariant(trial, row, digits, end, "energy of an arc", motion->worst_energy);
    if (energy)
        add_invariant(trial, row, digits, end, "energy at impacts",
                      motion->worst_balance);
    int count;
    struct balance_found *found = balances_find(model, values, &count);
    for (int k = 0; k < count; k++)
        add_invariant(trial, row, value_digits, found[k].t, found[k].name,
                      found[k].worst);
    free(found);
}

/* Not of the motion, but of the recurrences that solvers in double use on it. */
static void check_double_series(struct trial *trial, const struct mp_trajectory *motion)
{
    static const double bar = 8;
    if (!is_exact(&trial->piece->truth.truth))
        return;
    struct verdict verdict = {.t = NAN, .bar = bar, .scale = 1, .name = "series"};
    verdict.digits = double_series_digits(trial->model, motion, &verdict.t);
    if (isnan(verdict.digits))
        return;
    snprintf(verdict.got, sizeof verdict.got, "%.3e", pow(10, -verdict.digits));
    snprintf(verdict.want, sizeof verdict.want, "0");
    row_measure(&trial->piece->rows, truth_row(trial, ROW_JUDGED, "double-series"),
                &verdict);
}

/* --- both routes in full ------------------------------------------------------------ */

static void compare(struct trial *trial, struct row *row, const struct mp_trajectory *got,
                    const struct mp_trajectory *want, double cap)
{
    struct results *a = results_of_reference(got), *b = results_of_reference(want);
    row_compare(&trial->piece->rows, row, a, b, cap);
    results_free(a);
    results_free(b);
}

/* `stored` are the certified values, NULL: there are none. Differences of step 10^(-D/3)
   are good to 2D/3 digits, less what the condition of the motion takes: no more than has
   been certified. That is all they can show. */
static void judge_in_full(struct trial *trial, const struct certificate *stored)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct mp_trajectory *variational = NULL, *difference = NULL;
    const char **nominal = memory_new(trial->model->p, sizeof *nominal);
    struct reference_request request = truth_request(trial, nominal);
    request.digits = truth_digits(trial, stored);
    task_part(&trial->piece->task, 0.0, 0.4);
    enum status status = reference_run(&request, &variational, &diagnosis);
    task_part(&trial->piece->task, 0.4, 1.0);
    if (status == OK)
        status = reference_difference(&request, false, 1, &difference, &diagnosis);
    if (status == OK) {
        struct row *row = truth_row(trial, ROW_JUDGED, "mpfr-difference");
        row->made.differenced = true;
        double cap = 2.0 * request.digits / 3.0;
        if (stored)
            truth_bar_at_most(trial, stored->agreed);
        compare(trial, row, variational, difference,
                stored ? fmin(cap, stored->agreed) : cap);
        if (!stored && row->note[0] == '\0')
            snprintf(row->note, sizeof row->note, "no certified values: both routes here "
                     "and now; saltus certify %s", trial->model->desc->name);
        if (stored)
            compare(trial, truth_row(trial, ROW_JUDGED, "certified"), stored->trajectory,
                    variational, fmin(stored->agreed, request.digits));
        truth_invariants(trial, variational, request.digits, variational,
                         request.digits);
        check_double_series(trial, variational);
    } else {
        judge_truth_refused(trial, &diagnosis);
    }
    mp_trajectory_free(variational);
    mp_trajectory_free(difference);
    free(nominal);
}

/* --- oracles of any number of digits ------------------------------------------------ */

/* The oracles that were asked for and know the motion to any number of digits. */
static bool knows_digits(const struct trial *trial, int oracle)
{
    const struct piece *piece = trial->piece;
    return (piece->settings->oracles & 1u << oracle) &&
           (oracles[oracle].traits & ANY_DIGITS) &&
           oracle_applies(&oracles[oracle], trial->model, &piece->truth.truth);
}

static void ask_digits(const struct trial *trial, int oracle, double cap,
                       struct oracle_answer *answer)
{
    const struct inquiry inquiry = {
        .run = &trial->request, .truth = &trial->piece->truth.truth,
        .digits = CLOSED_DIGITS, .cap = cap};
    *answer = (struct oracle_answer){.diagnosis = {.t = NAN}};
    oracles[oracle].calls->ask(&inquiry, answer);
}

/* Certified values were made before, so --digits does not change what is asked of
   those. */
static void certified_by_digits(struct trial *trial,
                                const struct certificate *certificate)
{
    struct rows *rows = &trial->piece->rows;
    for (int k = 0; k < ORACLE_COUNT; k++) {
        struct oracle_answer answer;
        if (!knows_digits(trial, k))
            continue;
        struct row *row = truth_row(trial, ROW_JUDGED, oracles[k].name);
        ask_digits(trial, k, certificate->agreed, &answer);
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

/* Both routes may be refused by what they share: where a closed form has numbers, there
   is a motion. */
static void refusal_by_digits(struct trial *trial, const struct certificate *certificate)
{
    for (int k = 0; k < ORACLE_COUNT; k++) {
        struct oracle_answer answer;
        struct diagnosis both;
        if (!knows_digits(trial, k))
            continue;
        ask_digits(trial, k, certificate->agreed, &answer);
        if (answer.kind == ANSWER_NUMBERS) {
            diagnose(&both, certificate->refusal.status, certificate->refusal.t,
                     "certified (%.200s), but %s has numbers",
                     certificate->refusal.place,
                     oracles[k].name);
            row_refuse(truth_row(trial, ROW_REFUSED, oracles[k].name), &both);
        }
        answer_clear(&answer);
    }
}

/* --- a truth ------------------------------------------------------------------------ */

/* Without certified values both routes are for here and now, or for --thorough. */
static bool takes_too_long(struct trial *trial)
{
    struct piece *piece = trial->piece;
    struct effort effort;
    char text[40];
    effort_of(trial->model, &piece->truth.truth, &effort);
    double seconds = effort_of_both(&effort, trial->parameters,
                                    piece->settings->mp_digits);
    if (piece->settings->thorough || seconds < judge_patience)
        return false;
    struct row *row = truth_row(trial, ROW_EMPTY, "mpfr-difference");
    duration_text(seconds, text, sizeof text);
    snprintf(row->note, sizeof row->note, "no certified values; to make them takes about "
             "%s: --thorough, or saltus certify %s", text, trial->model->desc->name);
    return true;
}

void judge_truth(struct task *task)
{
    struct piece *piece = (struct piece *)task;
    struct trial trial;
    struct certificate *certificate = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    if (trial_open(&trial, piece, &diagnosis) != OK) {
        judge_truth_refused(&trial, &diagnosis);
        trial_close(&trial);
        return;
    }
    if (trial_certificate(&trial, &piece->truth.truth, &certificate, &diagnosis) != OK &&
        !piece->follows)
        row_refuse(truth_row(&trial, ROW_REFUSED, "certified"),
                   &diagnosis);
    bool numbers = certificate && certificate->refusal.status == OK;
    if (certificate && !numbers) {
        judge_stored_refusal(&trial, certificate);
        refusal_by_digits(&trial, certificate);
    } else if (numbers && !piece->settings->thorough && trial.parameters > 0) {
        judge_stored(&trial, certificate);
        check_double_series(&trial, certificate->trajectory);
    } else if (certificate || !takes_too_long(&trial)) {
        judge_in_full(&trial, certificate);
    }
    if (numbers)
        certified_by_digits(&trial, certificate);
    certificate_free(certificate);
    trial_close(&trial);
}
