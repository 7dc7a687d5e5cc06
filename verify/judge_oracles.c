/*
 * judge_oracles.c - a run in double by the oracles, one after the other.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blame/blame.h"
#include "oracles/oracle.h"
#include "tolerances.h"
#include "trial.h"

/* Digits of a closed form that no double reaches. */
static const int beyond_double = 20;

/* It depends on parameters and times only: most of its work is in the conditions, which
   take an answer at every moved parameter. */
static void evaluate_closed_form(struct shared_closed_form *shared,
                                 const struct closed_form *form,
                                 const struct run_request *request)
{
    pthread_mutex_lock(&shared->lock);
    if (!shared->evaluated) {
        shared->diagnosis.t = NAN;
        shared->status = closed_form_evaluate(form, request, beyond_double, &shared->want,
                                              &shared->diagnosis);
        if (shared->status == OK)
            closed_form_condition(form, request, shared->want);
        shared->evaluated = true;
    }
    pthread_mutex_unlock(&shared->lock);
}

/* The closed form of the motion that is judged, NULL: there is none. */
static const struct closed_form *own_closed_form(const struct trial *trial)
{
    return is_exact(&trial->piece->truth.truth)
               ? closed_form_find(trial->model->desc->name) : NULL;
}

/* How much a number magnifies errors of its data is a matter of the problem: where a
   closed form knows, no other judge of doubles asks for more. */
static bool add_conditions(struct trial *trial, struct ledger *want)
{
    struct shared_closed_form *shared = &trial->piece->shared->closed_form;
    const struct closed_form *form = own_closed_form(trial);
    if (form)
        evaluate_closed_form(shared, form, &trial->request);
    bool same = form && shared->status == OK && shared->want->count == want->count;
    for (int k = 0; same && k < want->count; k++)
        same = strcmp(shared->want->entry[k].name, want->entry[k].name) == 0;
    for (int k = 0; same && k < want->count; k++)
        want->entry[k].spread = shared->want->entry[k].spread;
    return same;
}

/* Compares, and says which jump is to blame for what fell short. Conditions take a while:
   they are asked for where something does. */
static void compare(struct trial *trial, struct row *row, struct ledger *want, double cap)
{
    struct rows *rows = &trial->piece->rows;
    const struct row blank = *row;
    const struct blame_request request = {
        .motion = &trial->request, .exact = is_exact(&trial->piece->truth.truth),
        .got = trial->got, .want = want, .cap = cap};
    row_compare(rows, row, trial->got, want, cap);
    if (row->short_of_bar > 0 && add_conditions(trial, want)) {
        free(row->json);
        free(row->judged);
        *row = blank;
        row_compare(rows, row, trial->got, want, cap);
    }
    blame_row(rows, row, &request);
}

/* Has every option its nominal value, or no option at all? */
static bool is_nominal(const struct run_request *request)
{
    const char *nominal[MAX_OPTIONS];
    options_nominal(request->formulation, nominal);
    for (int k = 0; k < option_count(request->formulation); k++)
        if (strcmp(request->option[k], nominal[k]) != 0)
            return false;
    return true;
}

static bool reduces_others(const struct formulation *formulation)
{
    for (int k = 0; formulations[k]; k++)
        if (formulations[k]->reduced == formulation)
            return true;
    return false;
}

static enum status run_complex_step(const struct run_request *request,
                                    struct ledger **want, struct diagnosis *diagnosis)
{
    struct trajectory *trajectory = NULL;
    enum status status = complex_step_run(request, &trajectory, diagnosis);
    *want = status == OK ? ledger_of_trajectory(trajectory) : NULL;
    if (status != OK && diagnosis->status == OK)
        diagnose(diagnosis, status, NAN, "no reason is given");
    if (trajectory)
        trajectory_free(trajectory);
    return status;
}

/* The one run of all pieces that ask for the same; *want is a copy. */
static enum status shared_complex_step(struct shared_complex_step *shared,
                                       const struct run_request *request,
                                       struct ledger **want, struct diagnosis *diagnosis)
{
    pthread_mutex_lock(&shared->lock);
    if (!shared->formulation) {
        shared->formulation = request->formulation;
        shared->integrator = request->integrator;
        shared->rtol = request->rtol;
        shared->diagnosis.t = NAN;
        shared->status = run_complex_step(request, &shared->want, &shared->diagnosis);
    }
    pthread_mutex_unlock(&shared->lock);
    if (shared->formulation != request->formulation ||
        shared->integrator != request->integrator || shared->rtol != request->rtol)
        return run_complex_step(request, want, diagnosis);
    *want = shared->want ? ledger_copy(shared->want) : NULL;
    *diagnosis = shared->diagnosis;
    return shared->status;
}

/* The oracle integrates explicitly: of a DAE the same motion by its reduced equations, at
   the tolerance of those. It is never given the rule that is judged. */
static void by_complex_step(struct trial *trial)
{
    struct run_request request = trial->request;
    struct diagnosis diagnosis = {.t = NAN};
    struct ledger *want = NULL;
    const struct formulation *reduced = request.formulation->reduced;
    const char *nominal[MAX_OPTIONS];
    request.rule = NULL;
    request.integrator = judging_integrator(trial->piece->judging, request.formulation);
    if (reduced) {
        options_nominal(reduced, nominal);
        request.formulation = reduced;
        request.option = nominal;
        request.integrator = integrator_default(reduced);
        request.rtol = tolerance_default(trial->piece->desc, request.integrator,
                                         reduced);
        request.atol = request.rtol / 1000;
    }
    enum status status =
        reduces_others(request.formulation) && is_nominal(&request)
            ? shared_complex_step(&trial->piece->shared->complex_step, &request, &want,
                                  &diagnosis)
            : run_complex_step(&request, &want, &diagnosis);
    if (status == OK)
        compare(trial, trial_row(trial, ROW_JUDGED, "complex-step"), want,
                double_digits);
    else
        judge_refused_oracle(trial, "complex-step", &diagnosis);
    ledger_free(want);
}

/* Against the certified values of the motion that the piece follows. */
static void by_certificate(struct trial *trial)
{
    const struct certificate *certificate = trial->own;
    if (!certificate) {
        struct row *row = trial_row(trial, ROW_ABSENT, "certified");
        snprintf(row->note, sizeof row->note,
                 "no certified values: saltus certify %s", trial->model->desc->name);
        return;
    }
    struct ledger *want = ledger_of_reference(certificate->trajectory);
    compare(trial, trial_row(trial, ROW_JUDGED, "certified"), want, certificate->agreed);
    ledger_free(want);
}

/* The gap of a penalty run to the exact motion, where that one is certified. */
static void by_exact_motion(struct trial *trial)
{
    static const struct truth exact = {.variant = "exact"};
    struct certificate *certificate;
    struct diagnosis diagnosis = {.t = NAN};
    if (trial_certificate(trial, &exact, &certificate, &diagnosis) != OK) {
        trial_refuse(trial, "exact motion", &diagnosis);
    } else if (certificate && certificate->refusal.status == OK) {
        struct ledger *want = ledger_of_reference(certificate->trajectory);
        row_compare(&trial->piece->rows, trial_row(trial, ROW_GAP, "exact motion"),
                    trial->got, want, certificate->agreed);
        ledger_free(want);
    }
    certificate_free(certificate);
}

static void by_closed_form(struct trial *trial)
{
    const struct closed_form *form = own_closed_form(trial);
    struct shared_closed_form *shared = &trial->piece->shared->closed_form;
    evaluate_closed_form(shared, form, &trial->request);
    if (shared->status != OK)
        trial_refuse(trial, "closed-form", &shared->diagnosis);
    else
        compare(trial, trial_row(trial, ROW_JUDGED, "closed-form"), shared->want,
                beyond_double);
}

typedef enum status two_ledgers(const struct run_request *request,
                                const struct trajectory *trajectory,
                                struct ledger **want, struct ledger **got,
                                struct diagnosis *diagnosis);

/* The equations themselves at the points of the run: tape and derivatives against plain
   quadruple precision C. */
static enum status native(const struct run_request *request,
                          const struct trajectory *trajectory, struct ledger **want,
                          struct ledger **got, struct diagnosis *diagnosis)
{
    enum status status = native_evaluate(request, trajectory, want, diagnosis);
    return status == OK ? native_of_model(request, trajectory, got, diagnosis) : status;
}

/* An oracle that makes both ledgers from the run. */
static void by_two_ledgers(struct trial *trial, const char *oracle, two_ledgers *evaluate)
{
    struct ledger *want = NULL, *got = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = evaluate(&trial->request, trial->trajectory, &want, &got,
                                  &diagnosis);
    if (status == OK)
        row_compare(&trial->piece->rows, trial_row(trial, ROW_JUDGED, oracle), got, want,
                    double_digits);
    else if (status != NOT_APPLICABLE)
        trial_refuse(trial, oracle, &diagnosis);
    ledger_free(want);
    ledger_free(got);
}

/* What costs little comes first: what costs much need not be waited for. */
void judge_by_oracles(struct trial *trial)
{
    static const struct diagnosis own_motion = {
        NOT_APPLICABLE, NAN, "a motion of its own that nobody else knows"};
    struct piece *piece = trial->piece;
    unsigned oracles = piece->oracles;
    if ((oracles & ORACLE_CERTIFIED) && !is_known(&piece->truth.truth))
        row_empty(&piece->rows, trial_row(trial, ROW_EMPTY, "certified"), &own_motion);
    else if ((oracles & ORACLE_CERTIFIED) && !trial->unreadable)
        by_certificate(trial);
    trial_settle(trial);
    if (piece->gap)
        by_exact_motion(trial);
    if (oracles & ORACLE_CLOSED_FORM)
        by_closed_form(trial);
    if (oracles & ORACLE_NATIVE)
        by_two_ledgers(trial, "native", native);
    trial_settle(trial);
    if (oracles & ORACLE_COMPLEX_STEP) {
        task_part(&piece->task, 0.3, 0.9);
        by_complex_step(trial);
    }
    trial_settle(trial);
    if (oracles & ORACLE_TWIN)
        by_two_ledgers(trial, "twin", twin_evaluate);
}
