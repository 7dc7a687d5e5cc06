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

/* One answer, and everything that its judges need. */
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
    row_refuse(add_row(judgement, ROW_REFUSED, oracle), diagnosis);
}

/* The question as the request of a run. */
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
                           const struct results *want, double cap,
                           const struct mp_trajectory *certified)
{
    const struct question *question = judgement->question;
    const struct run_request motion = motion_of(question);
    struct row *row = add_row(judgement, ROW_JUDGED, oracle);
    foreign_compare(judgement->rows, row, judgement->foreign, want, cap, certified);
    foreign_localise(judgement->rows, row, judgement->foreign, want, cap, &motion,
                     is_exact(&question->truth));
    return row;
}

/* Reads the certified values of the motion into *certified, NULL: there are none.
   BAD_INPUT: they cannot be read. */
static enum status read_certified(const struct question *question,
                                  struct certificate **certified,
                                  struct diagnosis *diagnosis)
{
    char path[600];
    *certified = NULL;
    return certified_path(question->model, &question->truth, path, sizeof path)
               ? certificate_read(path, question->model, certified, diagnosis) : OK;
}

static void judge_answer(const struct judgement *judgement, const char *oracle,
                         const struct oracle_answer *answer)
{
    if (answer->kind == ANSWER_REFUSED) {
        refuse(judgement, oracle, &answer->diagnosis);
    } else if (answer->kind == ANSWER_ABSENT) {
        struct row *row = add_row(judgement, ROW_ABSENT, oracle);
        snprintf(row->note, sizeof row->note, "%s", answer->diagnosis.place);
    } else if (answer->kind == ANSWER_NUMBERS) {
        char never[400];
        struct row *row = compare(judgement, oracle, answer->want, answer->cap,
                                  answer->motion);
        if (answer->motion) {
            never_in_reference(answer->motion, never, sizeof never);
            row_note(row, never);
        }
    }
}

/* Digits of a closed form that are shown. */
static const double most_shown = 30;

void foreign_judge(struct rows *rows, const struct question *question,
                   const struct foreign *foreign, const char *solution, unsigned asked)
{
    const struct judgement judgement = {rows, question, foreign, solution};
    const struct run_request motion = motion_of(question);
    struct certificate *certified = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    bool unreadable = (asked & ORACLE_CERTIFIED) &&
                      read_certified(question, &certified, &diagnosis) != OK;
    const struct inquiry inquiry = {
        .run = &motion, .truth = &question->truth, .certified = certified,
        .unreadable = unreadable, .digits = CLOSED_DIGITS, .cap = most_shown};
    if (unreadable)
        refuse(&judgement, oracles[PLACE_CERTIFIED].name, &diagnosis);
    for (int k = 0; k < ORACLE_COUNT; k++) {
        struct oracle_answer answer = {.diagnosis = {.t = NAN}};
        if (!(asked & 1u << k) || !(oracles[k].traits & ANY_SOLVER) ||
            !oracle_applies(&oracles[k], question->model, &question->truth))
            continue;
        oracles[k].calls->ask(&inquiry, &answer);
        judge_answer(&judgement, oracles[k].name, &answer);
        answer_clear(&answer);
    }
    certificate_free(certified);
}
