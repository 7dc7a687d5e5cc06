/*
 * foreign.c - any program as a peer: `saltus bench CASE --solver COMMAND`.
 *
 * The program reads what `saltus problem` prints, with two times and the tolerance of
 * the rung in `tolerance.rtol`, and answers with CSV, as for `saltus verify --solver`.
 * Its processor time counts from its start to its end.
 */
#include "peers/foreign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "foreign/foreign.h"
#include "jobs/child.h"
#include "problem/problem.h"
#include "run.h"

struct asked {
    const struct peer *peer;
    struct question question;
    int column[MOST_ANSWERS];
    char *json;                 /* the problem at `tolerance`; NULL: not made yet */
    double tolerance;
};

static void foreign_close(void *work)
{
    struct asked *asked = work;
    question_close(&asked->question);
    free(asked->json);
    free(asked);
}

/* The question has the start and the last certified time alone. */
static enum status fill(struct asked *asked, struct diagnosis *diagnosis)
{
    struct question *question = &asked->question;
    const struct workload *workload = asked->peer->workload;
    const struct model *model = question->model;
    double *value = memory_new(model->p, sizeof *value), t0, t_end;
    question->truth = (struct truth){.variant = "exact"};
    question->parameter = memory_new(WORKLOAD_PARAMETERS, sizeof(int));
    question->parameters = workload_parameters(workload, model, question->parameter);
    columns_init(&question->columns, model, question->parameters, question->parameter);
    workload_columns(workload, &question->columns, asked->column);
    enum status status = model_nominal_values(model, value, diagnosis);
    if (status == OK)
        status = model_times(model, value, &t0, &t_end, diagnosis);
    free(value);
    if (status != OK)
        return status;
    question->times = question->asked_times = 2;
    question->t = memory_new(2, sizeof(double));
    question->asked = memory_new(2, sizeof(double));
    question->t[0] = question->asked[0] = t0;
    question->t[1] = question->asked[1] = workload->t_end;
    return OK;
}

static void *foreign_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    struct asked *asked = memory_new(1, sizeof *asked);
    asked->peer = peer;
    asked->question.model = workload_model(peer->workload, diagnosis);
    if (asked->question.model && fill(asked, diagnosis) == OK)
        return asked;
    foreign_close(asked);
    return NULL;
}

/* The problem is made once for each rung: it has the exact start, by MPFR. */
static enum status ask_for(struct asked *asked, double tolerance,
                           struct diagnosis *diagnosis)
{
    const struct question *question = &asked->question;
    const struct problem problem = {
        .model = question->model, .truth = question->truth,
        .parameters = question->parameters, .parameter = question->parameter,
        .t = question->t, .times = question->times, .digits = -log10(tolerance) - 3};
    if (asked->json && !(asked->tolerance < tolerance) && !(asked->tolerance > tolerance))
        return OK;
    free(asked->json);
    asked->json = NULL;
    asked->tolerance = tolerance;
    return problem_json(&problem, &asked->json, diagnosis);
}

static enum status foreign_solve(void *work, double tolerance, struct answer *answer,
                                 struct diagnosis *diagnosis)
{
    struct asked *asked = work;
    const struct peer *peer = asked->peer;
    struct foreign *foreign = NULL;
    char *text = NULL;
    size_t length;
    enum status status = ask_for(asked, tolerance, diagnosis);
    if (status != OK)
        return status;
    const struct child_request request = {
        .who = peer->name, .input = asked->json, .input_length = strlen(asked->json),
        .timeout = peer->timeout, .set_by = "--timeout"};
    struct child *child = child_command(peer->command);
    if (!child)
        return diagnose(diagnosis, CRASHED, NAN, "no process for %s", peer->name);
    status = child_finish(child, &request, &text, &length, diagnosis);
    if (status == OK)
        status = foreign_read(peer->name, text, length, &asked->question, &foreign,
                              diagnosis);
    if (status == OK) {
        const double *end = foreign->value +
                            (foreign->samples - 1)*asked->question.columns.count;
        for (int k = 0; k < peer->workload->answers; k++)
            answer->value[k] = foreign->given[asked->column[k]] ? end[asked->column[k]]
                                                                : NAN;
    }
    foreign_free(foreign);
    free(text);
    return status;
}

void foreign_peer(struct peer *peer, const struct workload *workload,
                  const struct formulation *formulation, const char *command,
                  const char *name, double timeout)
{
    *peer = (struct peer){
        .build = "a program of its own", .loosest = 1e-4, .workload = workload,
        .formulation = formulation, .command = command, .timeout = timeout,
        .open = foreign_open, .solve = foreign_solve, .close = foreign_close};
    snprintf(peer->made_name, sizeof peer->made_name, "%s", name);
    snprintf(peer->made_title, sizeof peer->made_title, "%.190s", command);
    peer->name = peer->made_name;
    peer->title = peer->made_title;
}
