/*
 * mutant_job.c - a right run, its oracles, and wrong runs compared with them
 * (mutant_job.h)
 */
#include "mutants/mutant_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "file/model_file.h"
#include "oracles/oracle.h"
#include "quantity/quantity.h"

/* --- what the oracles say of the right motion --------------------------------------- */

/* Reads the certified values into the job, where they are owned. */
static enum status read_certified(struct mutant_job *mutant_job,
                                  struct diagnosis *diagnosis)
{
    struct job_work *work = &mutant_job->work;
    const struct truth *truth = &mutant_job->job[0]->motion.truth;
    enum status status = job_certificate(work, truth, &work->own, diagnosis);
    mutant_job->missing = status != OK || !work->own;
    if (status == OK && !work->own)
        status = diagnose(diagnosis, NOT_APPLICABLE, NAN, "no certified values; make "
                          "them with saltus certify %s", case_word(work->model->desc));
    else if (status == OK && work->own->refusal.status != OK)
        status = diagnose(diagnosis, NOT_APPLICABLE, NAN, "a refusal is what is "
                          "certified");
    return status;
}

/* Takes the numbers of every oracle of the set that has some on this motion: of those
   whose answers are stored, or of all others, which take the right run. */
static void ask_oracles(struct mutant_job *mutant_job, unsigned asked, bool stored)
{
    const struct job_work *work = &mutant_job->work;
    for (int k = 0; k < ORACLE_COUNT; k++) {
        const struct oracle *oracle = &oracles[k];
        struct oracle_answer answer;
        if (!(asked & 1u << k) || (oracle->stage == STAGE_STORED) != stored ||
            k == PLACE_ADJOINT_IDENTITY ||
            !oracle_applies(oracle, work->model, &work->job->motion.truth))
            continue;
        job_ask(work, oracle, &answer);
        if (answer.kind == ANSWER_NUMBERS && mutant_job->wants < MUTANT_JOB_ORACLES) {
            mutant_job->want[mutant_job->wants++] =
                (struct want){oracle->name, answer.want, answer.cap};
            answer.want = NULL;
        }
        answer_clear(&answer);
    }
}

/* Its numbers are of its own sweep, so that only its digits are kept. */
static void ask_identity(struct mutant_job *mutant_job)
{
    const struct job_work *work = &mutant_job->work;
    const struct oracle *oracle = &oracles[PLACE_ADJOINT_IDENTITY];
    struct oracle_answer answer;
    if (!oracle_applies(oracle, work->model, &work->job->motion.truth))
        return;
    job_ask(work, oracle, &answer);
    if (answer.kind == ANSWER_NUMBERS)
        mutant_job->sweep_cap = answer.cap;
    answer_clear(&answer);
}

/* --- the right run ------------------------------------------------------------------ */

static enum status open_job(struct mutant_job *mutant_job, const struct case_desc *desc,
                            const struct formulation *formulation,
                            struct diagnosis *diagnosis)
{
    struct model *model = model_new(desc, diagnosis);
    if (!model)
        return BAD_INPUT;
    if (!formulation)
        formulation = formulation_default(model);
    const char *why;
    enum status status = formulation_applies(formulation, model, &why)
                             ? schedule_solution(&mutant_job->settings, model,
                                                 formulation, &mutant_job->job,
                                                 &mutant_job->jobs, diagnosis)
                             : diagnose(diagnosis, NOT_APPLICABLE, NAN, "%s", why);
    model_free(model);
    return status == OK && mutant_job->jobs == 0
               ? diagnose(diagnosis, NOT_APPLICABLE, NAN, "no motion to judge") : status;
}

enum status mutant_job_open(struct mutant_job *mutant_job, const struct case_desc *desc,
                            const struct formulation *formulation, unsigned asked,
                            struct diagnosis *diagnosis)
{
    *mutant_job = (struct mutant_job){.settings = {
        .rtol = NAN, .digits = NAN, .mp_digits = DEFAULT_MP_DIGITS, .oracles = asked}};
    enum status status = open_job(mutant_job, desc, formulation, diagnosis);
    if (status == OK)
        status = job_open(&mutant_job->work, mutant_job->job[0], diagnosis);
    mutant_job->work.request.progress = NULL;
    if (status == OK)
        status = read_certified(mutant_job, diagnosis);
    if (status == OK) {
        ask_oracles(mutant_job, ORACLE_CERTIFIED, true);
        status = run_once(&mutant_job->work.request, &mutant_job->work.trajectory,
                          diagnosis);
    }
    if (status != OK)
        return status;
    mutant_job->work.got = results_of_trajectory(mutant_job->work.trajectory);
    ask_oracles(mutant_job, asked, false);
    if (asked & ORACLE_ADJOINT_IDENTITY)
        ask_identity(mutant_job);
    return OK;
}

void mutant_job_close(struct mutant_job *mutant_job)
{
    for (int k = 0; k < mutant_job->wants; k++)
        results_free(mutant_job->want[k].results);
    job_close(&mutant_job->work);
    jobs_free(mutant_job->job, mutant_job->jobs);
}

/* --- samples at the times of the events --------------------------------------------- */

static int compare_times(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The samples of the right run and, once each, the times of its events between them. */
static int times_with_events(const struct mutant_job *mutant_job, double *t)
{
    const struct run_request *request = &mutant_job->work.request;
    const struct trajectory *right = mutant_job->work.trajectory;
    int count = request->samples, distinct = 0;
    memory_copy(t, request->sample, count, sizeof *t);
    for (int k = 0; k < right->events; k++)
        if (right->event[k].after.t < request->sample[request->samples - 1])
            t[count++] = right->event[k].after.t;
    qsort(t, (size_t)count, sizeof *t, compare_times);
    for (int k = 0; k < count; k++)
        if (distinct == 0 || t[k] > t[distinct - 1])
            t[distinct++] = t[k];
    return distinct;
}

/* Is it the time of a further sample? A run with further samples makes other steps, so
   that an event may be a last digit earlier or later, and the sample with it: such a
   sample is not at the start, nor one of the right run's. */
static bool is_further(const struct job_work *right, double t)
{
    const struct run_request *request = &right->request;
    for (int k = 0; k < request->samples; k++)
        if (request->sample[k] == t)
            return false;
    return t > right->trajectory->sample[0].t;
}

static bool is_of_sample(const struct entry *entry)
{
    const struct quantity quantity = quantity_parse(entry->name);
    return !is_at_event(&quantity) && quantity.kind != QUANTITY_PSI;
}

/* The results with the samples of the right run alone, which the oracles know. */
static struct results *without_further_samples(const struct results *results,
                                               const struct job_work *right)
{
    struct results *kept = results_new(results->precision);
    int gone = 0, last = -1;
    for (int k = 0; k < results->count; k++) {
        const struct entry *entry = &results->entry[k];
        if (is_of_sample(entry) && is_further(right, entry->t)) {
            gone += entry->point != last;
            last = entry->point;
            continue;
        }
        struct entry *copy = results_add(kept, entry->name, entry->group, entry->t,
                                         entry->point - gone);
        mpfr_set(copy->value, entry->value, MPFR_RNDN);
        copy->rho = entry->rho;
        copy->spread = entry->spread;
    }
    return kept;
}

/* --- the wrong run ------------------------------------------------------------------ */

static struct results *results_of_wrong(const struct wrong *wrong,
                                        const struct job_work *right,
                                        struct trajectory *trajectory)
{
    if (wrong->corrupt)
        wrong->corrupt(wrong->context, trajectory);
    struct results *results = results_of_trajectory(trajectory);
    if (!wrong->at_events)
        return results;
    struct results *kept = without_further_samples(results, right);
    results_free(results);
    return kept;
}

/* A wrong run is refused after this many times the steps of the right run. */
static const long patience = 5;

static enum status run_wrong(const struct mutant_job *mutant_job,
                             const struct wrong *wrong, struct results **out,
                             struct diagnosis *diagnosis)
{
    const struct job_work *right = &mutant_job->work;
    struct run_request request = right->request;
    struct trajectory *trajectory = NULL;
    struct model *model = model_branch(right->model);
    double *t = memory_new(request.samples + right->trajectory->events, sizeof *t);
    *out = NULL;
    if (wrong->alter)
        wrong->alter(wrong->context, model);
    struct fault derivative = wrong->derivative;
    if (!derivative.context)
        derivative.context = model;
    if (derivative.alter)
        tape_set_fault(model->tape, &derivative);
    request.model = model;
    request.max_steps = patience * (right->trajectory->steps +
                                    right->trajectory->rejections + 10);
    if (wrong->rule)
        request.rule = wrong->rule;
    if (wrong->at_events) {
        request.samples = times_with_events(mutant_job, t);
        request.sample = t;
    }
    enum status status = run_with_faults(&request, wrong->faults, &trajectory, diagnosis);
    if (status == OK)
        *out = results_of_wrong(wrong, right, trajectory);
    if (trajectory)
        trajectory_free(trajectory);
    free(t);
    model_branch_free(model);
    return status;
}

static struct row *add_row(const struct mutant_job *mutant_job, struct rows *rows,
                           const char *oracle)
{
    const struct job *job = mutant_job->job[0];
    struct row *row = rows_add(rows, ROW_JUDGED, job->desc->name,
                               job->formulation->name, oracle);
    row->made = judge_made(&mutant_job->settings, job->desc, job->formulation);
    return row;
}

static struct row *compare(const struct mutant_job *mutant_job, struct rows *rows,
                           const struct results *got, const struct want *want)
{
    struct row *row = add_row(mutant_job, rows, want->oracle);
    row_compare(rows, row, got, want->results, want->cap);
    return row;
}

static struct finding finding_of(const struct row *row)
{
    return (struct finding){.caught = !row->held, .worst = row->worst,
                            .first = row->first,
                            .spare = row->worst.bar - row->worst.digits};
}

struct finding mutant_job_compare(const struct mutant_job *mutant_job,
                                  const struct results *got, const struct want *want)
{
    struct rows rows = {.digits = NAN};
    struct finding found = finding_of(compare(mutant_job, &rows, got, want));
    rows_clear(&rows);
    return found;
}

/* --- the wrong sweep ---------------------------------------------------------------- */

/* The results of the right run with the gradients of a sweep, which stand last among the
   numbers of its identity. */
static struct results *with_gradients(const struct results *right,
                                      const struct results *sweep)
{
    struct results *results = results_copy(right);
    for (int k = 0; k < results->count; k++) {
        struct entry *entry = &results->entry[k];
        int i = sweep->count - 1;
        while (i >= 0 && strcmp(sweep->entry[i].name, entry->name) != 0)
            i--;
        if (i >= 0)
            mpfr_set(entry->value, sweep->entry[i].value, MPFR_RNDN);
    }
    return results;
}

/* Sets the results with the gradients of a wrong sweep, and what its identity finds. */
static enum status sweep_wrong(const struct mutant_job *mutant_job,
                               const struct wrong *wrong, struct rows *rows,
                               struct results **out, struct finding *identity,
                               struct diagnosis *diagnosis)
{
    const struct job_work *right = &mutant_job->work;
    struct want want = {oracles[PLACE_ADJOINT_IDENTITY].name, NULL,
                        mutant_job->sweep_cap};
    struct results *got;
    enum status status = adjoint_identity_evaluate(&right->request, right->trajectory,
                                                   wrong->sweep, &want.results, &got,
                                                   diagnosis);
    if (status == OK) {
        struct row *row = add_row(mutant_job, rows, want.oracle);
        row->made = (struct made){.digits = INFINITY, .floor = row->made.floor};
        row_compare(rows, row, got, want.results, want.cap);
        *identity = finding_of(row);
        *out = with_gradients(right->got, got);
    }
    results_free(want.results);
    results_free(got);
    return status;
}

/* --- a try -------------------------------------------------------------------------- */

void mutant_job_try(const struct mutant_job *mutant_job, const struct wrong *wrong,
                    struct findings *findings)
{
    struct results *got;
    struct rows rows = {.digits = NAN};
    int wants = mutant_job->wants;
    *findings = (struct findings){.refusal.t = NAN, .agreed = INFINITY};
    struct diagnosis *refusal = &findings->refusal;
    enum status status = wrong->sweep ? sweep_wrong(mutant_job, wrong, &rows, &got,
                                                    &findings->by[wants], refusal)
                                      : run_wrong(mutant_job, wrong, &got, refusal);
    if (status != OK) {
        findings->refused = findings->effect = true;
        rows_clear(&rows);
        return;
    }
    bool caught = wrong->sweep && findings->by[wants].caught;
    for (int k = 0; k < wants; k++) {
        findings->by[k] = finding_of(compare(mutant_job, &rows, got,
                                             &mutant_job->want[k]));
        caught = caught || findings->by[k].caught;
    }
    findings->effect = caught;
    if (!caught) {
        const struct want right = {"certified", mutant_job->work.got, double_digits};
        const struct row *row = compare(mutant_job, &rows, got, &right);
        findings->effect = !row->held;
        findings->agreed = row->least.name[0] ? row->least.digits : double_digits;
    }
    rows_clear(&rows);
    results_free(got);
}
