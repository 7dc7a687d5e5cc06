/*
 * judge.c - one question, and the judges of its answers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coverage/never.h"
#include "foreign/foreign.h"
#include "oracles/oracle.h"
#include "problem/problem.h"
#include "verdict/tolerances.h"

/* --- the question ------------------------------------------------------------------- */

static enum status choose_times(struct question *question, int more,
                                enum question_rows rows, struct diagnosis *diagnosis)
{
    const struct model *model = question->model;
    enum status status = choose_samples(model, &question->samples, diagnosis);
    if (status == OK)
        status = problem_times(model, 0, &question->t, &question->times, diagnosis);
    if (status == OK && rows == ROWS_EXACT)
        status = problem_times(model, more, &question->asked, &question->asked_times,
                               diagnosis);
    return status;
}

enum status question_open(struct question *question, const struct case_desc *desc,
                          enum reset_policy reset, const struct truth *truth, int more,
                          enum question_rows rows, struct diagnosis *diagnosis)
{
    *question = (struct question){.truth = *truth};
    struct model *model = question->model = model_new_with(desc, reset, diagnosis);
    if (!model)
        return BAD_INPUT;
    question->parameter = memory_new(model->p, sizeof(int));
    question->parameters = model_sensitivities(model, question->parameter);
    columns_init(&question->columns, model, question->parameters, question->parameter);
    return choose_times(question, more, rows, diagnosis);
}

void question_close(struct question *question)
{
    free(question->t);
    free(question->asked);
    free(question->parameter);
    model_free(question->model);
}

/* --- the judges --------------------------------------------------------------------- */

/* What judging one answer takes. */
struct judgement {
    struct rows *rows;
    const struct question *question;
    const struct foreign *foreign;
    const char *solution;
};

static struct row *add_row(const struct judgement *judgement, enum row_kind kind,
                           const char *oracle)
{
    return rows_add(judgement->rows, kind, judgement->question->model->desc->name,
                    judgement->solution, oracle);
}

static void refuse(const struct judgement *judgement, const char *oracle,
                   const struct diagnosis *diagnosis)
{
    row_refuse(judgement->rows, add_row(judgement, ROW_REFUSED, oracle), diagnosis);
}

/* What the answer is an answer to, as a run. */
static struct run_request motion_of(const struct question *question)
{
    const struct formulation *formulation = question->formulation;
    struct run_request request = {
        .model = question->model, .parameters = question->parameters,
        .parameter = question->parameter, .t_end = NAN,
        .samples = question->samples.count, .sample = question->samples.t,
        .formulation = formulation, .option = question->option};
    if (formulation)
        request.rtol = tolerance_default(question->model->desc,
                                         integrator_default(formulation), formulation);
    request.atol = request.rtol / 1000;
    return request;
}

static struct row *compare(const struct judgement *judgement, const char *oracle,
                           const struct ledger *want, double cap,
                           const struct mp_trajectory *truth)
{
    const struct question *question = judgement->question;
    const struct run_request motion = motion_of(question);
    struct row *row = add_row(judgement, ROW_JUDGED, oracle);
    foreign_compare(judgement->rows, row, judgement->foreign, want, cap, truth);
    foreign_blame(judgement->rows, row, judgement->foreign, want, cap, &motion,
                  is_exact(&question->truth));
    return row;
}

static void by_certificate(const struct judgement *judgement)
{
    const struct model *model = judgement->question->model;
    struct certificate *certificate = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    char path[600];
    if (!certified_path(model, &judgement->question->truth, path, sizeof path)) {
        struct row *row = add_row(judgement, ROW_ABSENT, "certified");
        snprintf(row->note, sizeof row->note, "no certified values: saltus certify %s",
                 model->desc->name);
        return;
    }
    if (certificate_read(path, model, &certificate, &diagnosis) != OK) {
        refuse(judgement, "certified", &diagnosis);
        return;
    }
    if (certificate->refusal.status != OK) {
        diagnose(&diagnosis, certificate->refusal.status, certificate->refusal.t,
                 "an answer, but a refusal is certified (%s)",
                 certificate->refusal.place);
        refuse(judgement, "certified", &diagnosis);
        certificate_free(certificate);
        return;
    }
    struct ledger *want = ledger_of_reference(certificate->trajectory);
    struct row *row = compare(judgement, "certified", want, certificate->agreed,
                              certificate->trajectory);
    char never[400];
    never_in_reference(certificate->trajectory, never, sizeof never);
    row_note(row, never);
    ledger_free(want);
    certificate_free(certificate);
}

static void by_closed_form(const struct judgement *judgement)
{
    const struct question *question = judgement->question;
    const struct closed_form *form = closed_form_find(question->model->desc->name);
    struct ledger *want = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    const struct run_request request = motion_of(question);
    if (!form || !is_exact(&question->truth))
        return;
    if (closed_form_evaluate(form, &request, CLOSED_DIGITS, &want, &diagnosis) != OK) {
        refuse(judgement, "closed-form", &diagnosis);
        return;
    }
    compare(judgement, "closed-form", want, 30.0, NULL);
    ledger_free(want);
}

void foreign_judge(struct rows *rows, const struct question *question,
                   const struct foreign *foreign, const char *solution, unsigned oracles)
{
    const struct judgement judgement = {rows, question, foreign, solution};
    if (oracles & ORACLE_CERTIFIED)
        by_certificate(&judgement);
    if (oracles & ORACLE_CLOSED_FORM)
        by_closed_form(&judgement);
}
