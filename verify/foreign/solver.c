/*
 * solver.c - a program that is asked `saltus problem` and judged by its answer.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/foreign.h"
#include "formula/memory.h"
#include "oracles/oracle.h"
#include "plugins/child.h"
#include "problem/problem.h"

struct solver {
    struct piece piece;             /* first: a task is a piece is a solver */
    char name[60];                  /* of the command: its first word, without folders */
    struct child *child;
    int error;                      /* why there is none */
};

/* What judging one answer takes. */
struct asked {
    struct solver *solver;
    struct model *model;
    int parameters, *parameter;
    struct samples samples;
    double *t;
    int times;
    struct columns columns;
    struct foreign *foreign;
};

static struct row *add_row(struct solver *solver, enum row_kind kind, const char *oracle)
{
    return rows_add(&solver->piece.rows, kind, solver->piece.desc->name, solver->name,
                    oracle);
}

static void refuse(struct solver *solver, const char *oracle,
                   const struct diagnosis *diagnosis)
{
    row_refuse(&solver->piece.rows, add_row(solver, ROW_REFUSED, oracle), diagnosis);
}

static enum status prepare(struct asked *asked, struct diagnosis *diagnosis)
{
    const struct piece *piece = &asked->solver->piece;
    asked->model = model_new_with(piece->desc, piece->judging->reset, diagnosis);
    if (!asked->model)
        return BAD_INPUT;
    asked->parameter = memory_new(asked->model->p, sizeof(int));
    asked->parameters = model_sensitivities(asked->model, asked->parameter);
    columns_init(&asked->columns, asked->model, asked->parameters, asked->parameter);
    enum status status = choose_samples(asked->model, &asked->samples, diagnosis);
    if (status != OK)
        return status;
    return problem_times(asked->model, 0, &asked->t, &asked->times, diagnosis);
}

/* The question to the child, its answer read. */
static enum status ask(struct asked *asked, struct diagnosis *diagnosis)
{
    struct solver *solver = asked->solver;
    const struct piece *piece = &solver->piece;
    const struct problem problem = {
        .model = asked->model, .truth = piece->truth.truth,
        .parameters = asked->parameters, .parameter = asked->parameter, .t = asked->t,
        .times = asked->times, .digits = piece->rows.digits,
    };
    char *question = NULL, *answer = NULL;
    size_t length = 0;
    enum status status = problem_json(&problem, &question, diagnosis);
    if (status == OK && !solver->child)
        status = diagnose(diagnosis, CRASHED, NAN, "no process for it: %s",
                          strerror(solver->error));
    if (status == OK) {
        const struct child_request request = {
            .who = solver->name, .input = question, .input_length = strlen(question),
            .timeout = piece->judging->timeout};
        status = child_finish(solver->child, &request, &answer, &length, diagnosis);
        solver->child = NULL;
    }
    if (status == OK)
        status = foreign_read(solver->name, answer, length, &asked->columns, asked->t,
                              asked->times, TIMES_EXACT, &asked->foreign, diagnosis);
    free(question);
    free(answer);
    return status;
}

/* What the answer is an answer to, as a run. */
static struct run_request motion_of(const struct asked *asked)
{
    const struct piece *piece = &asked->solver->piece;
    const struct judging *judging = piece->judging;
    struct run_request request = {
        .model = asked->model, .parameters = asked->parameters,
        .parameter = asked->parameter, .t_end = NAN, .samples = asked->samples.count,
        .sample = asked->samples.t, .formulation = judging->only,
        .option = judging->option};
    if (judging->only)
        request.rtol = judging_rtol(judging, piece->desc, judging->only);
    request.atol = request.rtol / 1000;
    return request;
}

static void compare(const struct asked *asked, const char *oracle,
                    const struct ledger *want, double cap,
                    const struct mp_trajectory *truth)
{
    struct rows *rows = &asked->solver->piece.rows;
    struct row *row = add_row(asked->solver, ROW_JUDGED, oracle);
    const struct run_request motion = motion_of(asked);
    foreign_compare(rows, row, asked->foreign, want, cap, truth);
    foreign_blame(rows, row, asked->foreign, want, cap, &motion,
                  is_exact(&asked->solver->piece.truth.truth));
}

static void by_certificate(const struct asked *asked)
{
    struct solver *solver = asked->solver;
    struct certificate *certificate = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    char path[600];
    if (!certified_path(asked->model, &solver->piece.truth.truth, path, sizeof path)) {
        struct row *row = add_row(solver, ROW_ABSENT, "certified");
        snprintf(row->note, sizeof row->note, "no certified values: saltus certify %s",
                 asked->model->desc->name);
        return;
    }
    if (certificate_read(path, asked->model, &certificate, &diagnosis) != OK) {
        refuse(solver, "certified", &diagnosis);
        return;
    }
    if (certificate->refusal.status != OK) {
        diagnose(&diagnosis, certificate->refusal.status, certificate->refusal.t,
                 "an answer, but a refusal is certified (%s)", certificate->refusal.place);
        refuse(solver, "certified", &diagnosis);
        certificate_free(certificate);
        return;
    }
    struct ledger *want = ledger_of_reference(certificate->trajectory);
    compare(asked, "certified", want, certificate->agreed, certificate->trajectory);
    ledger_free(want);
    certificate_free(certificate);
}

static void by_closed_form(const struct asked *asked)
{
    struct solver *solver = asked->solver;
    const struct closed_form *form = closed_form_find(asked->model->desc->name);
    struct ledger *want = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    const struct run_request request = motion_of(asked);
    if (!form || !is_exact(&solver->piece.truth.truth))
        return;
    if (closed_form_evaluate(form, &request, CLOSED_DIGITS, &want, &diagnosis) != OK) {
        refuse(solver, "closed-form", &diagnosis);
        return;
    }
    compare(asked, "closed-form", want, 30.0, NULL);
    ledger_free(want);
}

static void judge_solver(struct task *task)
{
    struct solver *solver = (struct solver *)task;
    unsigned oracles = solver->piece.judging->oracles;
    struct asked asked = {.solver = solver};
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = prepare(&asked, &diagnosis);
    if (status == OK)
        status = ask(&asked, &diagnosis);
    if (status != OK)
        refuse(solver, "-", &diagnosis);
    if (status == OK && (oracles & ORACLE_CERTIFIED))
        by_certificate(&asked);
    if (status == OK && (oracles & ORACLE_CLOSED_FORM))
        by_closed_form(&asked);
    if (solver->child)
        child_discard(solver->child);
    solver->child = NULL;
    foreign_free(asked.foreign);
    free(asked.t);
    free(asked.parameter);
    model_free(asked.model);
}

/* "python3" from "/usr/bin/python3 my.py" */
static void name_of_command(const char *command, char *name, size_t size)
{
    command += strspn(command, " \t\n");
    int length = (int)strcspn(command, " \t\n;|&<>");
    const char *word = command;
    for (int k = 0; k < length - 1; k++)
        if (command[k] == '/')
            word = command + k + 1;
    length -= (int)(word - command);
    snprintf(name, size, "%.*s", length > 0 ? length : 6, length > 0 ? word : "solver");
}

/* The motion that is asked for: that of --formulation, or the exact one. */
static enum status choose_truth(struct piece *piece, struct diagnosis *diagnosis)
{
    const struct judging *judging = piece->judging;
    const char *why;
    struct model *model = model_new_with(piece->desc, judging->reset, diagnosis);
    if (!model)
        return BAD_INPUT;
    const struct formulation *formulation = judging->only ? judging->only
                                                          : formulation_default(model);
    enum status status =
        formulation_applies(formulation, model, &why) &&
                policy_applies(judging->reset, formulation, model, &why)
            ? truth_of(formulation, model, judging->option, &piece->truth, diagnosis)
            : diagnose(diagnosis, NOT_APPLICABLE, NAN, "formulation %s: %s",
                       formulation->name, why);
    model_free(model);
    return status;
}

enum status foreign_plan(const struct judging *judging, const struct case_desc *desc,
                         const char *command, struct piece ***piece, int *count,
                         struct diagnosis *diagnosis)
{
    struct solver *solver = memory_new(1, sizeof *solver);
    struct piece *own = &solver->piece;
    own->judging = judging;
    own->desc = desc;
    own->formulation = judging->only;
    own->rows.json = judging->json;
    own->rows.digits = isnan(judging->digits) ? foreign_bar : judging->digits;
    own->task.run = judge_solver;
    own->task.weight = 1;
    name_of_command(command, solver->name, sizeof solver->name);
    snprintf(own->task.title, sizeof own->task.title, "%.50s, %.50s", desc->name,
             solver->name);
    *piece = realloc(*piece, ((size_t)*count + 1) * sizeof **piece);
    if (!*piece)
        abort();
    (*piece)[(*count)++] = own;

    enum status status = choose_truth(own, diagnosis);
    if (status == OK) {
        solver->child = child_command(command);
        solver->error = errno;
    }
    return status;
}
