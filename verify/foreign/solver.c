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
    struct job job;                 /* first member: a task is a job is a solver */
    struct child *child;
    int error;                      /* errno of the call that made no child */
};

/* Gives the child the question, and reads its answer. */
static enum status ask(struct solver *solver, const struct question *asked,
                       struct foreign **answered, struct diagnosis *diagnosis)
{
    const struct job *job = &solver->job;
    const struct problem problem = {
        .model = asked->model, .truth = asked->truth, .parameters = asked->parameters,
        .parameter = asked->parameter, .t = asked->asked, .times = asked->asked_times,
        .digits = job->rows.digits,
    };
    char *question = NULL, *answer = NULL;
    size_t length = 0;
    enum status status = problem_json(&problem, &question, diagnosis);
    if (status == OK && !solver->child)
        status = diagnose(diagnosis, CRASHED, NAN, "no process for it: %s",
                          strerror(solver->error));
    if (status == OK) {
        const struct child_request request = {
            .who = job->solution, .input = question, .input_length = strlen(question),
            .timeout = job->settings->timeout, .set_by = "--timeout"};
        status = child_finish(solver->child, &request, &answer, &length, diagnosis);
        solver->child = NULL;
    }
    if (status == OK)
        status = foreign_read(job->solution, answer, length, asked, answered,
                              diagnosis);
    free(question);
    free(answer);
    return status;
}

static void judge_solver(struct task *task)
{
    struct solver *solver = (struct solver *)task;
    struct job *job = &solver->job;
    struct question question;
    struct foreign *foreign = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = question_open(&question, job->desc, job->settings->reset,
                                       &job->motion.truth, 0, ROWS_EXACT, &diagnosis);
    question.formulation = job->settings->only;
    question.option = job->settings->option;
    if (status == OK)
        status = ask(solver, &question, &foreign, &diagnosis);
    if (status == OK)
        foreign_judge(&job->rows, &question, foreign, job->solution,
                      job->settings->oracles);
    else
        row_refuse(rows_add(&job->rows, ROW_REFUSED, job->desc->name,
                            job->solution, "-"), &diagnosis);
    if (solver->child)
        child_discard(solver->child);
    solver->child = NULL;
    foreign_free(foreign);
    question_close(&question);
}

void foreign_name(const char *command, char *name, size_t size)
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

/* Chooses the motion that is asked for: that of --formulation, or the exact one. */
static enum status choose_motion(struct job *job, struct diagnosis *diagnosis)
{
    const struct judge_settings *settings = job->settings;
    const char *why;
    struct model *model = model_new_with(job->desc, settings->reset, diagnosis);
    if (!model)
        return BAD_INPUT;
    const struct formulation *formulation = settings->only ? settings->only
                                                           : formulation_default(model);
    enum status status =
        formulation_applies(formulation, model, &why) &&
                policy_applies(settings->reset, formulation, model, &why)
            ? reference_motion_of(formulation, model, settings->option, &job->motion,
                                  diagnosis)
            : diagnose(diagnosis, NOT_APPLICABLE, NAN, "formulation %s: %s",
                       formulation->name, why);
    model_free(model);
    return status;
}

enum status foreign_schedule(const struct judge_settings *settings,
                             const struct case_desc *desc, const char *command,
                             const char *name, struct job ***job, int *count,
                             struct diagnosis *diagnosis)
{
    struct solver *solver = memory_new(1, sizeof *solver);
    struct job *own = &solver->job;
    own->settings = settings;
    own->desc = desc;
    own->formulation = settings->only;
    own->rows.keep = settings->json;
    own->rows.digits = isnan(settings->digits) ? foreign_bar : settings->digits;
    own->task.run = judge_solver;
    own->task.weight = 1;
    if (name)
        printable_text(name, own->solution, sizeof own->solution);
    else
        foreign_name(command, own->solution, sizeof own->solution);
    snprintf(own->task.title, sizeof own->task.title, "%.50s, %.50s", desc->name,
             own->solution);
    *job = realloc(*job, ((size_t)*count + 1) * sizeof **job);
    if (!*job)
        memory_exhausted();
    (*job)[(*count)++] = own;

    enum status status = choose_motion(own, diagnosis);
    if (status == OK) {
        solver->child = child_command(command);
        solver->error = errno;
    }
    return status;
}
