#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hybrid/jump.h"
#include "oracles/oracle.h"
#include "refusal.h"
#include "samples.h"
#include "tolerances.h"

const char *const oracle_names[] = {
    "complex-step", "certified", "closed-form", "native", "mpfr-difference", NULL,
};

const char *const oracle_shares[] = {
    "shares the formulas and the integrator's coefficients; no derivative, no jump, no tau",
    "shares the formulas; MPFR, own equations, two routes that agree",
    "shares nothing but the parameter values",
    "shares the text of the case; compiled as C: no reader, tape or differentiation",
    "shares the formulas and gamma; no derivative by rho, no jump",
};

/* A double carries just under 16 digits. */
static const double double_digits = 15.95;

const struct integrator *judging_integrator(const struct judging *judging,
                                            const struct formulation *formulation)
{
    return judging->integrator ? judging->integrator : integrator_default(formulation);
}

double judging_rtol(const struct judging *judging, const struct case_desc *desc,
                    const struct formulation *formulation)
{
    const struct integrator *integrator = judging_integrator(judging, formulation);
    return isnan(judging->rtol) ? tolerance_default(desc, integrator, formulation)
                                : judging->rtol;
}

/* All that one piece works with. */
struct trial {
    struct piece *piece;
    struct model *model;
    struct samples samples;
    int parameters, *parameter;
    struct run_request request;
    struct trajectory *trajectory;
    struct ledger *got;
};

static struct row *piece_row(struct piece *piece, enum row_kind kind, const char *oracle)
{
    const struct judging *judging = piece->judging;
    struct row *row = rows_add(&piece->rows, kind, piece->desc->name,
                               piece->formulation->name, oracle);
    row->rtol = judging_rtol(judging, piece->desc, piece->formulation);
    snprintf(row->integrator, sizeof row->integrator, "%s",
             judging_integrator(judging, piece->formulation)->name);
    if (judging->rule)
        snprintf(row->rule, sizeof row->rule, "%s", judging->rule->name);
    return row;
}

static struct row *add_row(struct trial *trial, enum row_kind kind, const char *oracle)
{
    return piece_row(trial->piece, kind, oracle);
}

void judge_refused(struct piece *piece, const char *oracle,
                   const struct diagnosis *diagnosis)
{
    row_refuse(&piece->rows, piece_row(piece, ROW_REFUSED, oracle), diagnosis);
}

static void add_refusal(struct trial *trial, const char *oracle,
                        const struct diagnosis *diagnosis)
{
    judge_refused(trial->piece, oracle, diagnosis);
}

/* The model, the times and the request of a piece. */
static enum status trial_open(struct trial *trial, struct piece *piece,
                              struct diagnosis *diagnosis)
{
    const struct judging *judging = piece->judging;
    *trial = (struct trial){.piece = piece};
    trial->model = model_new_with(piece->desc, judging->reset, diagnosis);
    if (!trial->model)
        return BAD_INPUT;
    trial->parameter = calloc((size_t)trial->model->p + 1, sizeof(int));
    if (!trial->parameter)
        abort();
    trial->parameters = model_sensitivities(trial->model, trial->parameter);
    enum status status = choose_samples(trial->model, &trial->samples, diagnosis);
    double rtol = judging_rtol(judging, piece->desc, piece->formulation);
    trial->request = (struct run_request){
        .model = trial->model, .formulation = piece->formulation,
        .option = piece->option, .integrator = judging->integrator,
        .rule = judging->rule, .rtol = rtol, .atol = rtol / 1000,
        .parameters = trial->parameters, .parameter = trial->parameter,
        .t_end = NAN, .samples = trial->samples.count, .sample = trial->samples.t,
        .progress = task_progress, .progress_context = &piece->task,
    };
    return status;
}

static void trial_close(struct trial *trial)
{
    ledger_free(trial->got);
    if (trial->trajectory)
        trajectory_free(trial->trajectory);
    free(trial->parameter);
    if (trial->model)
        model_free(trial->model);
}

/* --- the oracles, one after the other ----------------------------------------------- */

/* The oracle integrates explicitly: of a DAE the same motion by its reduced equations, at
   the tolerance of those. It is never given the rule that is judged. */
static void by_complex_step(struct trial *trial)
{
    struct run_request request = trial->request;
    struct diagnosis diagnosis = {.t = NAN};
    struct trajectory *want = NULL;
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
    enum status status = complex_step_run(&request, &want, &diagnosis);
    if (status != OK) {
        if (diagnosis.status == OK)
            diagnose(&diagnosis, status, NAN, "no reason is given");
        add_refusal(trial, "complex-step", &diagnosis);
    } else {
        struct ledger *ledger = ledger_of_trajectory(want);
        row_compare(&trial->piece->rows, add_row(trial, ROW_JUDGED, "complex-step"),
                    trial->got, ledger, double_digits);
        ledger_free(ledger);
    }
    if (want)
        trajectory_free(want);
}

/* Against the certified motion of `truth`; the exact one of a penalty run is its gap. */
static void by_certificate(struct trial *trial, const struct truth *truth,
                           enum row_kind kind, const char *oracle)
{
    char path[600];
    struct certificate *certificate = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    if (!certified_path(trial->model, truth, path, sizeof path)) {
        if (kind == ROW_GAP)
            return;
        struct row *row = add_row(trial, ROW_ABSENT, oracle);
        snprintf(row->note, sizeof row->note,
                 "no certified values: saltus certify %s", trial->model->desc->name);
        return;
    }
    if (certificate_read(path, trial->model, &certificate, &diagnosis) != OK) {
        add_refusal(trial, oracle, &diagnosis);
        return;
    }
    struct ledger *want = ledger_of_reference(certificate->trajectory);
    row_compare(&trial->piece->rows, add_row(trial, kind, oracle), trial->got, want,
                certificate->agreed);
    ledger_free(want);
    certificate_free(certificate);
}

static void by_closed_form(struct trial *trial)
{
    const struct closed_form *form = closed_form_find(trial->model->desc->name);
    if (!form || !is_exact(&trial->piece->truth.truth))
        return;
    struct ledger *want = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    if (closed_form_evaluate(form, &trial->request, CLOSED_DIGITS, &want,
                             &diagnosis) != OK) {
        add_refusal(trial, "closed-form", &diagnosis);
        return;
    }
    row_compare(&trial->piece->rows, add_row(trial, ROW_JUDGED, "closed-form"),
                trial->got, want, 30.0);
    ledger_free(want);
}

/* The equations themselves at the points of the run: tape and derivatives against plain
   quadruple precision C. */
static void by_native(struct trial *trial)
{
    struct ledger *want = NULL, *got = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = native_evaluate(&trial->request, trial->trajectory, &want,
                                         &diagnosis);
    if (status == OK)
        status = native_of_model(&trial->request, trial->trajectory, &got, &diagnosis);
    if (status == OK)
        row_compare(&trial->piece->rows, add_row(trial, ROW_JUDGED, "native"), got, want,
                    double_digits);
    else if (status != NOT_APPLICABLE)
        add_refusal(trial, "native", &diagnosis);
    ledger_free(want);
    ledger_free(got);
}

/* --- a solution --------------------------------------------------------------------- */

static void judge_by_oracles(struct trial *trial)
{
    static const struct diagnosis own_motion = {
        NOT_APPLICABLE, NAN, "a motion of its own that nobody else knows"};
    struct piece *piece = trial->piece;
    unsigned oracles = piece->judging->oracles;
    if (oracles & ORACLE_COMPLEX_STEP) {
        task_part(&piece->task, 0.3, 0.9);
        by_complex_step(trial);
    }
    if ((oracles & ORACLE_CERTIFIED) && !is_known(&piece->truth.truth))
        row_empty(&piece->rows, add_row(trial, ROW_EMPTY, "certified"), &own_motion);
    else if (oracles & ORACLE_CERTIFIED)
        by_certificate(trial, &piece->truth.truth, ROW_JUDGED, "certified");
    if (oracles & ORACLE_CLOSED_FORM)
        by_closed_form(trial);
    /* It sees neither jumps nor rules. */
    if (piece->native && (oracles & ORACLE_NATIVE) && !piece->judging->rule)
        by_native(trial);
    const struct truth exact = {.variant = "exact"};
    if (!is_exact(&piece->truth.truth) && (oracles & ORACLE_CERTIFIED))
        by_certificate(trial, &exact, ROW_GAP, "exact motion");
}

/* A run that is refused falls short, unless it is right. */
static void end_refused(struct trial *trial, struct diagnosis *diagnosis)
{
    struct piece *piece = trial->piece;
    struct row *row = add_row(trial, ROW_REFUSED, "-");
    if (trial->model && refusal_is_right(trial->model, &piece->truth.truth,
                                         trial->parameters, trial->parameter, diagnosis))
        row_empty(&piece->rows, row, diagnosis);
    else
        row_refuse(&piece->rows, row, diagnosis);
}

void judge_solution(struct task *task)
{
    struct piece *piece = (struct piece *)task;
    struct trial trial;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = trial_open(&trial, piece, &diagnosis);
    task_part(task, 0.0, 0.3);
    if (status == OK)
        status = run(&trial.request, &trial.trajectory, &diagnosis);
    if (status != OK) {
        if (diagnosis.status == OK)     /* code of a plug-in has not said why */
            diagnose(&diagnosis, status, NAN, "no reason is given");
        end_refused(&trial, &diagnosis);
    } else {
        trial.got = ledger_of_trajectory(trial.trajectory);
        judge_by_oracles(&trial);
    }
    trial_close(&trial);
}

/* --- a truth ------------------------------------------------------------------------ */

static void add_invariant(struct trial *trial, struct row *row, const char *name,
                          double worst)
{
    int digits = trial->piece->judging->mp_digits;
    struct judged judged = {
        .t = trial->samples.t[SAMPLES - 1], .bar = digits - 5, .scale = 1.0,
        .digits = worst > 0.0 ? fmin(-log10(worst), digits) : digits,
    };
    snprintf(judged.name, sizeof judged.name, "%s", name);
    snprintf(judged.got, sizeof judged.got, "%.3e", worst);
    snprintf(judged.want, sizeof judged.want, "0");
    row_measure(&trial->piece->rows, row, &judged);
}

static struct row *truth_row(struct trial *trial, const char *oracle)
{
    struct piece *piece = trial->piece;
    char solution[48];
    snprintf(solution, sizeof solution, "MPFR %s", is_exact(&piece->truth.truth)
             ? "exact" : piece->formulation->name);
    return rows_add(&piece->rows, ROW_JUDGED, piece->desc->name, solution, oracle);
}

/* Differences of step 10^(-D/3) are good to 2D/3 digits: that is all they can show. */
static void compare_routes(struct trial *trial, const struct mp_trajectory *variational,
                           const struct mp_trajectory *difference)
{
    struct piece *piece = trial->piece;
    struct ledger *got = ledger_of_reference(variational);
    struct ledger *want = ledger_of_reference(difference);
    row_compare(&piece->rows, truth_row(trial, "mpfr-difference"), got, want,
                2.0 * piece->judging->mp_digits / 3.0);
    ledger_free(got);
    ledger_free(want);
}

/* What both routes share, gamma and M, shows here: constraints along the run, and the energy
   of every arc, which the case states from its bodies. */
static void check_invariants(struct trial *trial, const struct mp_trajectory *variational)
{
    const struct model *model = trial->model;
    bool energy = model->energy.tape != NULL;
    if (!is_exact(&trial->piece->truth.truth) || (model->m == 0 && !energy))
        return;
    struct row *row = truth_row(trial, "invariant");
    if (model->m > 0) {
        add_invariant(trial, row, "|Phi|", variational->worst_Phi);
        add_invariant(trial, row, "|Phid|", variational->worst_Phid);
    }
    if (energy) {
        add_invariant(trial, row, "energy of an arc", variational->worst_energy);
        add_invariant(trial, row, "energy at impacts", variational->worst_balance);
    }
}

/* The certified values by the closed form, where there is one. They have been made
   before, so --digits does not change what is asked of them. */
static void certified_by_closed_form(struct trial *trial)
{
    struct piece *piece = trial->piece;
    const struct closed_form *form = closed_form_find(piece->desc->name);
    struct certificate *certificate = NULL;
    struct ledger *want = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    char path[600];
    if (!form || !is_exact(&piece->truth.truth) ||
        !(piece->judging->oracles & ORACLE_CLOSED_FORM) ||
        !certified_path(trial->model, &piece->truth.truth, path, sizeof path))
        return;
    struct row *row = truth_row(trial, "closed-form");
    if (certificate_read(path, trial->model, &certificate, &diagnosis) != OK ||
        closed_form_evaluate(form, &trial->request, CLOSED_DIGITS, &want,
                             &diagnosis) != OK) {
        row_refuse(&piece->rows, row, &diagnosis);
    } else {
        struct ledger *got = ledger_of_reference(certificate->trajectory);
        double bar = piece->rows.digits;
        piece->rows.digits = NAN;
        row_compare(&piece->rows, row, got, want, certificate->agreed);
        piece->rows.digits = bar;
        ledger_free(got);
    }
    ledger_free(want);
    if (certificate)
        certificate_free(certificate);
}

/* No motion in MPFR: right, if there is none in double either. */
static void end_truth_refused(struct trial *trial, struct diagnosis *diagnosis)
{
    struct rows *rows = &trial->piece->rows;
    struct row *row = truth_row(trial, "mpfr-difference");
    struct diagnosis other = {.t = NAN};
    if (trial->model)
        run(&trial->request, &trial->trajectory, &other);
    if (!same_refusal(diagnosis, &other)) {
        row_refuse(rows, row, diagnosis);
        return;
    }
    struct diagnosis both;
    diagnose(&both, diagnosis->status, diagnosis->t, "%s (in double, too)",
             diagnosis->place);
    row_empty(rows, row, &both);
}

void judge_truth(struct task *task)
{
    struct piece *piece = (struct piece *)task;
    struct trial trial;
    struct diagnosis diagnosis = {.t = NAN};
    struct mp_trajectory *variational = NULL, *difference = NULL;
    enum status status = trial_open(&trial, piece, &diagnosis);
    struct reference_request request = {
        .model = trial.model, .truth = piece->truth.truth,
        .digits = piece->judging->mp_digits, .parameters = trial.parameters,
        .parameter = trial.parameter, .samples = trial.samples.reference_count,
        .sample = trial.samples.reference, .progress = task_progress,
        .progress_context = task,
    };
    const char **nominal = calloc(trial.model ? (size_t)trial.model->p + 1 : 1,
                                  sizeof *nominal);
    request.value = nominal;
    task_part(task, 0.0, 0.4);
    if (status == OK)
        status = reference_run(&request, &variational, &diagnosis);
    task_part(task, 0.4, 1.0);
    if (status == OK)
        status = reference_difference(&request, false, 1, &difference, &diagnosis);
    if (status == OK) {
        compare_routes(&trial, variational, difference);
        check_invariants(&trial, variational);
    } else {
        end_truth_refused(&trial, &diagnosis);
    }
    if (trial.model)
        certified_by_closed_form(&trial);
    if (variational)
        mp_trajectory_free(variational);
    if (difference)
        mp_trajectory_free(difference);
    free(nominal);
    trial_close(&trial);
}
