/*
 * judge_oracles.c - a run in double by the oracles of the table, one after the other.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "condition.h"
#include "faults/localise.h"
#include "jobs/job.h"
#include "oracles/oracle.h"
#include "quantity/quantity.h"

/* Digits of a closed form that no double reaches. */
static const int beyond_double = 20;

/* --- asking ------------------------------------------------------------------------- */

static struct inquiry inquiry_of(const struct job_work *work)
{
    return (struct inquiry){
        .run = &work->request, .trajectory = work->trajectory,
        .truth = &work->job->motion.truth, .certified = work->own,
        .unreadable = work->unreadable, .digits = beyond_double, .cap = beyond_double,
        .conditions = true};
}

static void ask_alone(const struct oracle *oracle, const struct inquiry *inquiry,
                      struct oracle_answer *answer)
{
    *answer = (struct oracle_answer){.diagnosis = {.t = NAN}};
    oracle->calls->ask(inquiry, answer);
}

void job_ask(const struct job_work *work, const struct oracle *oracle,
             struct oracle_answer *answer)
{
    struct shared_answer *shared = &work->job->shared->answer[oracle - oracles];
    const struct inquiry inquiry = inquiry_of(work);
    struct answer_key key;
    if (!oracle->calls->key || !oracle->calls->key(&inquiry, &key)) {
        ask_alone(oracle, &inquiry, answer);
        return;
    }
    pthread_mutex_lock(&shared->lock);
    if (!shared->asked) {
        shared->asked = true;
        shared->key = key;
        ask_alone(oracle, &inquiry, &shared->answer);
    }
    pthread_mutex_unlock(&shared->lock);
    if (!same_key(&shared->key, &key)) {
        ask_alone(oracle, &inquiry, answer);
        return;
    }
    *answer = shared->answer;
    answer->want = answer->want ? results_copy(answer->want) : NULL;
    answer->got = answer->got ? results_copy(answer->got) : NULL;
}

/* --- comparing ---------------------------------------------------------------------- */

static bool same_names(const struct results *a, const struct results *b)
{
    bool same = a && b && a->count == b->count;
    for (int k = 0; same && k < a->count; k++)
        same = strcmp(a->entry[k].name, b->entry[k].name) == 0;
    return same;
}

/* Takes the conditions of all numbers from an oracle that knows those; false: there is
   none. */
static bool known_conditions(const struct job_work *work, struct results *known)
{
    bool taken = false;
    for (int i = 0; i < ORACLE_COUNT && !taken; i++) {
        struct oracle_answer answer;
        if (!(oracles[i].traits & ANY_DIGITS) ||
            !oracle_applies(&oracles[i], work->model, &work->job->motion.truth))
            continue;
        job_ask(work, &oracles[i], &answer);
        taken = same_names(answer.want, known);
        for (int k = 0; taken && k < known->count; k++)
            known->entry[k].spread = answer.want->entry[k].spread;
        answer_clear(&answer);
    }
    return taken;
}

/* Adds the conditions of all numbers: how much a number magnifies errors of its data is a
   matter of the problem. An oracle may know the condition; else the equations give it. */
static void add_conditions(struct job_work *work, struct results *known)
{
    if (!known_conditions(work, known))
        spread_unknowns(&work->request, work->trajectory, known);
    work->conditioned = true;
}

/* Does something fall short whose condition is not known yet? Conditions take a while, so
   only such a row asks for them; the row is blank again then. */
static bool takes_conditions(struct job_work *work, struct row *row,
                             const struct row *before)
{
    if (row->short_of_bar == 0 || work->conditioned)
        return false;
    row_clear(row);
    *row = *before;
    add_conditions(work, work->known);
    return true;
}

/* Compares the run with the oracle, and localises the fault where a number fell short. */
static void compare(struct job_work *work, struct row *row, struct results *want,
                    double cap)
{
    struct rows *rows = &work->job->rows;
    const struct row blank = *row;
    const struct localise_request request = {
        .motion = &work->request, .exact = is_exact(&work->job->motion.truth),
        .got = work->got, .want = want, .cap = cap};
    if (!work->known)
        work->known = results_copy(want);
    rows->known = work->known;
    row_compare(rows, row, work->got, want, cap);
    if (takes_conditions(work, row, &blank))
        row_compare(rows, row, work->got, want, cap);
    localise_row(rows, row, &request);
    rows->known = NULL;
}

/* A row without numbers is skipped: where half of the digits are left across a singular
   configuration, a method's own numbers may have none to be asked for. */
static void skip_unjudged(struct row *row)
{
    struct diagnosis diagnosis;
    if (row->numbers > 0 || row->skipped == 0)
        return;
    diagnose(&diagnosis, NO_DIGITS, NAN, "%ld numbers, of which fewer than %g digits can "
             "be asked for", row->skipped, bar_least);
    row_empty(row, &diagnosis);
}

static void compare_stages(struct job_work *work, struct row *row,
                           const struct results *got, double cap)
{
    struct results *want = results_for_stages(work->known, got);
    row_compare(&work->job->rows, row, got, want, cap);
    results_free(want);
}

/* Judges the a and lambda that the method of a DAE of index 2 or 3 has itself, in a row
   of their own, since they have fewer orders. */
static void judge_stages(struct job_work *work, const char *oracle, double cap)
{
    if (work->request.formulation->index < 2)
        return;
    struct results *got = results_of_stages(work->trajectory);
    if (got->count > 0) {
        struct row *row = job_row(work, ROW_JUDGED, oracle);
        snprintf(row->solution, sizeof row->solution, "%.50s stages",
                 work->job->solution);
        const struct row blank = *row;
        compare_stages(work, row, got, cap);
        if (takes_conditions(work, row, &blank))
            compare_stages(work, row, got, cap);
        skip_unjudged(row);
    }
    results_free(got);
}

/* Conditions lower bars, so a condition that the solver misstates by more than `factor`
   falls short. Certificates state conditions from near_grazing on. */
static void check_conditions(struct job_work *work, struct row *row,
                             const struct mp_trajectory *certified)
{
    static const double factor = 30;
    const struct trajectory *run = work->trajectory;
    for (int k = 0; k < run->events && k < certified->events; k++) {
        double got = run->event[k].condition, want = certified->event[k].condition;
        bool known = want > 0;
        double least = known ? want / factor : 0;
        double most = known ? want * factor : near_grazing * factor;
        if (got >= least && got <= most)
            continue;
        struct verdict verdict = {.t = run->event[k].before.t, .bar = 1, .scale = 1};
        const struct quantity quantity = {.place = AT_EVENT, .event = k + 1,
                                          .kind = QUANTITY_OTHER, .of = "condition"};
        quantity_print(&quantity, verdict.name, sizeof verdict.name);
        snprintf(verdict.got, sizeof verdict.got, "%.3e", got);
        snprintf(verdict.want, sizeof verdict.want, "%s%.3e", known ? "" : "below ",
                 known ? want : near_grazing);
        row_measure(&work->job->rows, row, &verdict);
    }
}

/* Shows the gap of a penalty run to the exact motion, where the exact motion is
   certified. */
static void by_exact_motion(struct job_work *work)
{
    static const struct truth exact = {.variant = "exact"};
    struct certificate *certificate;
    struct diagnosis diagnosis = {.t = NAN};
    if (job_certificate(work, &exact, &certificate, &diagnosis) != OK) {
        job_refuse(work, "exact motion", &diagnosis);
    } else if (certificate && certificate->refusal.status == OK) {
        struct results *want = results_of_reference(certificate->trajectory);
        row_compare(&work->job->rows, job_row(work, ROW_GAP, "exact motion"),
                    work->got, want, certificate->agreed);
        results_free(want);
    }
    certificate_free(certificate);
}

/* --- the oracles -------------------------------------------------------------------- */

static void judge_numbers(struct job_work *work, const struct oracle *oracle,
                          const struct oracle_answer *answer)
{
    struct row *row = job_row(work, ROW_JUDGED, oracle->name);
    if (answer->at_points)
        row->made = (struct made){.digits = INFINITY, .floor = row->made.floor};
    if (answer->got)
        row_compare(&work->job->rows, row, answer->got, answer->want, answer->cap);
    else
        compare(work, row, answer->want, answer->cap);
    if (answer->motion) {
        check_conditions(work, row, answer->motion);
        judge_stages(work, oracle->name, answer->cap);
    }
}

static void judge_answer(struct job_work *work, const struct oracle *oracle)
{
    struct oracle_answer answer;
    job_ask(work, oracle, &answer);
    if (answer.kind == ANSWER_NUMBERS) {
        judge_numbers(work, oracle, &answer);
    } else if (answer.kind == ANSWER_ABSENT) {
        struct row *row = job_row(work, ROW_ABSENT, oracle->name);
        snprintf(row->note, sizeof row->note, "%s", answer.diagnosis.place);
    } else if (answer.kind == ANSWER_EMPTY) {
        row_empty(job_row(work, ROW_EMPTY, oracle->name),
                  &answer.diagnosis);
    } else if (answer.kind == ANSWER_REFUSED && (oracle->traits & TELLS_REFUSALS)) {
        judge_refused_oracle(work, oracle->name, &answer.diagnosis);
    } else if (answer.kind == ANSWER_REFUSED) {
        job_refuse(work, oracle->name, &answer.diagnosis);
    }
    answer_clear(&answer);
}

static bool is_asked(const struct job_work *work, int oracle, enum oracle_stage stage)
{
    return (work->job->oracles & 1u << oracle) && oracles[oracle].stage == stage;
}

void judge_stage(struct job_work *work, enum oracle_stage stage)
{
    for (int k = 0; k < ORACLE_COUNT; k++) {
        if (!is_asked(work, k, stage))
            continue;
        if (stage == STAGE_RUN)
            task_part(&work->job->task, 0.3, 0.9);
        if (oracles[k].way == WAY_NUMBERS)
            judge_answer(work, &oracles[k]);
        else if (oracles[k].way == WAY_PRINTED)
            judge_published(work, &oracles[k]);
    }
    if (stage == STAGE_STORED && work->job->gap)
        by_exact_motion(work);
}

void judge_by_oracles(struct job_work *work)
{
    for (int stage = STAGE_STORED; stage < STAGE_CASE; stage++) {
        judge_stage(work, (enum oracle_stage)stage);
        job_settle(work);
    }
}
