/*
 * solver.c - a program that is asked `saltus problem` and judged by its answer.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"
#include "foreign/foreign.h"
#include "jobs/child.h"
#include "oracles/oracle.h"
#include "problem/problem.h"

struct solver {
    struct piece piece;             /* first: a task is a piece is a solver */
    struct child *child;
    int error;                      /* why there is none */
};

/* The question to the child, its answer read. */
static enum status ask(struct solver *solver, const struct question *asked,
                       struct foreign **answered, struct diagnosis *diagnosis)
{
    const struct piece *piece = &solver->piece;
    const struct problem problem = {
        .model = asked->model, .truth = asked->truth, .parameters = asked->parameters,
        .parameter = asked->parameter, .t = asked->asked, .times = asked->asked_times,
        .digits = piece->rows.digits,
    };
    char *question = NULL, *answer = NULL;
    size_t length = 0;
    enum status status = problem_json(&problem, &question, diagnosis);
    if (status == OK && !solver->child)
        status = diagnose(diagnosis, CRASHED, NAN, "no process for it: %s",
                          strerror(solver->error));
    if (status == OK) {
        const struct child_request request = {
            .who = piece->solution, .input = question, .input_length = strlen(question),
            .timeout = piece->settings->timeout, .set_by = "--timeout"};
        status = child_finish(solver->child, &request, &answer, &length, diagnosis);
        solver->child = NULL;
    }
    if (status == OK)
        status = foreign_read(piece->solution, answer, length, asked, answered,
                              diagnosis);
    free(question);
    free(answer);
    return status;
}

static void judge_solver(struct task *task)
{
    struct solver *solver = (struct solver *)task;
    struct piece *piece = &solver->piece;
    struct question question;
    struct foreign *foreign = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = question_open(&question, piece->desc, piece->settings->reset,
                                       &piece->truth.truth, 0, ROWS_EXACT, &diagnosis);
    question.formulation = piece->settings->only;
    question.option = piece->settings->option;
    if (status == OK)
        status = ask(solver, &question, &foreign, &diagnosis);
    if (status == OK)
        foreign_judge(&piece->rows, &question, foreign, piece->solution,
                      piece->settings->oracles);
    else
        row_refuse(rows_add(&piece->rows, ROW_REFUSED, piece->desc->name,
                                          piece->solution, "-"), &diagnosis);
    if (solver->child)
        child_discard(solver->child);
    solver->child = NULL;
    foreign_free(foreign);
    question_close(&question);
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
    char text[200];
    snprintf(text, sizeof text, "%.*s", length > 0 ? length : 6,
             length > 0 ? word : "solver");
    printable_text(text, name, size);
}

/* The motion that is asked for: that of --formulation, or the exact one. */
static enum status choose_truth(struct piece *piece, struct diagnosis *diagnosis)
{
    const struct judge_settings *settings = piece->settings;
    const char *why;
    struct model *model = model_new_with(piece->desc, settings->reset, diagnosis);
    if (!model)
        return BAD_INPUT;
    const struct formulation *formulation = settings->only ? settings->only
                                                           : formulation_default(model);
    enum status status =
        formulation_applies(formulation, model, &why) &&
                policy_applies(settings->reset, formulation, model, &why)
            ? truth_of(formulation, model, settings->option, &piece->truth, diagnosis)
            : diagnose(diagnosis, NOT_APPLICABLE, NAN, "formulation %s: %s",
                       formulation->name, why);
    model_free(model);
    return status;
}

enum status foreign_schedule(const struct judge_settings *settings,
                             const struct case_desc *desc, const char *command,
                             struct piece ***piece, int *count,
                             struct diagnosis *diagnosis)
{
    struct solver *solver = memory_new(1, sizeof *solver);
    struct piece *own = &solver->piece;
    own->settings = settings;
    own->desc = desc;
    own->formulation = settings->only;
    own->rows.keep = settings->json;
    own->rows.digits = isnan(settings->digits) ? foreign_bar : settings->digits;
    own->task.run = judge_solver;
    own->task.weight = 1;
    name_of_command(command, own->solution, sizeof own->solution);
    snprintf(own->task.title, sizeof own->task.title, "%.50s, %.50s", desc->name,
             own->solution);
    *piece = realloc(*piece, ((size_t)*count + 1) * sizeof **piece);
    if (!*piece)
        memory_exhausted();
    (*piece)[(*count)++] = own;

    enum status status = choose_truth(own, diagnosis);
    if (status == OK) {
        solver->child = child_command(command);
        solver->error = errno;
    }
    return status;
}
