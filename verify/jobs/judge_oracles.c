/*
 * judge_oracles.c - a run in double by the oracles, one after the other.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "condition.h"
#include "faults/localise.h"
#include "jobs/job.h"
#include "oracles/oracle.h"
#include "verdict/tolerances.h"

/* The native oracle computes in quadruple precision. */
enum { NATIVE_BITS = 113 };

/* Digits of a closed form that no double reaches. */
static const int beyond_double = 20;
/* Digits below its tolerance to which a run in double is zero where the motion is. */
static const double beyond_tolerance = 1;

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

/* How much a number magnifies errors of its data is a matter of the problem. Where a
   closed form knows that, it is taken from there; else from the equations. */
static void add_conditions(struct trial *trial, struct ledger *known)
{
    struct shared_closed_form *shared = &trial->piece->shared->closed_form;
    const struct closed_form *form = own_closed_form(trial);
    if (form)
        evaluate_closed_form(shared, form, &trial->request);
    bool same = form && shared->status == OK && shared->want->count == known->count;
    for (int k = 0; same && k < known->count; k++)
        same = strcmp(shared->want->entry[k].name, known->entry[k].name) == 0;
    for (int k = 0; same && k < known->count; k++)
        known->entry[k].spread = shared->want->entry[k].spread;
    if (!same)
        spread_unknowns(&trial->request, trial->trajectory, known);
    trial->conditioned = true;
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
    if (!trial->known)
        trial->known = ledger_copy(want);
    rows->known = trial->known;
    row_compare(rows, row, trial->got, want, cap);
    if (row->short_of_bar > 0 && !trial->conditioned) {
        row_clear(row);
        *row = blank;
        add_conditions(trial, trial->known);
        row_compare(rows, row, trial->got, want, cap);
    }
    blame_row(rows, row, &request);
    rows->known = NULL;
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
    if (status == OK) {
        want->digits = beyond_tolerance - log10(request.rtol);
        compare(trial, trial_row(trial, ROW_JUDGED, "complex-step"), want,
                double_digits);
    } else {
        judge_refused_oracle(trial, "complex-step", &diagnosis);
    }
    ledger_free(want);
}

/* Where half of the digits are left across a singular configuration, a method's own
   numbers may have none to be asked for. */
static void skip_unjudged(struct trial *trial, struct row *row)
{
    struct diagnosis diagnosis;
    if (row->numbers > 0 || row->skipped == 0)
        return;
    diagnose(&diagnosis, NO_DIGITS, NAN, "%ld numbers, of which fewer than %g digits can "
             "be asked for", row->skipped, bar_least);
    row_empty(&trial->piece->rows, row, &diagnosis);
}

/* The a and lambda that the method of a DAE of index 2 or 3 has itself: a row of their
   own, since they have fewer orders. */
static void judge_stages(struct trial *trial, double cap)
{
    if (trial->request.formulation->index < 2)
        return;
    struct ledger *got = ledger_of_stages(trial->trajectory);
    if (got->count > 0) {
        struct row *row = trial_row(trial, ROW_JUDGED, "certified");
        snprintf(row->solution, sizeof row->solution, "%.50s stages",
                 trial->piece->solution);
        const struct row blank = *row;
        struct ledger *same = ledger_for_stages(trial->known, got);
        row_compare(&trial->piece->rows, row, got, same, cap);
        ledger_free(same);
        if (row->short_of_bar > 0 && !trial->conditioned) {
            row_clear(row);
            *row = blank;
            add_conditions(trial, trial->known);
            same = ledger_for_stages(trial->known, got);
            row_compare(&trial->piece->rows, row, got, same, cap);
            ledger_free(same);
        }
        skip_unjudged(trial, row);
    }
    ledger_free(got);
}

/* Conditions lower bars, so one that the solver misstates by more than `factor` falls
   short. Certificates state those from near_grazing on. */
static void check_conditions(struct trial *trial, struct row *row,
                             const struct mp_trajectory *certified)
{
    static const double factor = 30;
    const struct trajectory *run = trial->trajectory;
    for (int k = 0; k < run->events && k < certified->events; k++) {
        double got = run->event[k].condition, want = certified->event[k].condition;
        bool known = want > 0;
        double least = known ? want / factor : 0;
        double most = known ? want * factor : near_grazing * factor;
        if (got >= least && got <= most)
            continue;
        struct judged judged = {.t = run->event[k].before.t, .bar = 1, .scale = 1};
        snprintf(judged.name, sizeof judged.name, "event.%d.condition", k + 1);
        snprintf(judged.got, sizeof judged.got, "%.3e", got);
        snprintf(judged.want, sizeof judged.want, "%s%.3e", known ? "" : "below ",
                 known ? want : near_grazing);
        row_measure(&trial->piece->rows, row, &judged);
    }
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
    want->digits = certificate->agreed;
    struct row *row = trial_row(trial, ROW_JUDGED, "certified");
    compare(trial, row, want, certificate->agreed);
    check_conditions(trial, row, certificate->trajectory);
    judge_stages(trial, certificate->agreed);
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

/* An oracle that makes both ledgers from the run, its own with at least so many bits.
   at_points: it takes the states as they are, so no tolerance excuses what is made of
   them. */
static void by_two_ledgers(struct trial *trial, const char *oracle, mpfr_prec_t least,
                           two_ledgers *evaluate, bool at_points)
{
    struct ledger *want = NULL, *got = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = evaluate(&trial->request, trial->trajectory, &want, &got,
                                  &diagnosis);
    if (status == OK && want->precision < least) {
        diagnose(&diagnosis, BAD_ANSWER, NAN,
                 "%s: the oracle answers with %ld bits, as what it judges", oracle,
                 (long)want->precision);
        row_refuse(&trial->piece->rows, trial_row(trial, ROW_REFUSED, oracle),
                   &diagnosis);
    } else if (status == OK) {
        struct row *row = trial_row(trial, ROW_JUDGED, oracle);
        if (at_points)
            row->made = (struct made){.digits = INFINITY, .floor = row->made.floor};
        row_compare(&trial->piece->rows, row, got, want, double_digits);
    } else if (status != NOT_APPLICABLE) {
        trial_refuse(trial, oracle, &diagnosis);
    }
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
        by_two_ledgers(trial, "native", NATIVE_BITS, native, true);
    trial_settle(trial);
    if (oracles & ORACLE_COMPLEX_STEP) {
        task_part(&piece->task, 0.3, 0.9);
        by_complex_step(trial);
    }
    trial_settle(trial);
    if (oracles & ORACLE_TWIN)
        by_two_ledgers(trial, "twin", DBL_MANT_DIG, twin_evaluate, false);
}
