/*
 * matrix.c - every formulation on every case (matrix.h)
 */
#include "studies/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "jobs/isolated.h"
#include "options/file_print.h"
#include "tables/report.h"

/* --- planning ----------------------------------------------------------------------- */

static enum status schedule_cell(struct matrix *matrix, struct cell *cell,
                                 const struct model *model, struct diagnosis *diagnosis)
{
    const char *why;
    cell->constrained = model->m > 0;
    if (!formulation_applies(cell->formulation, model, &why) ||
        !policy_applies(matrix->settings.reset, cell->formulation, model, &why)) {
        snprintf(cell->why_empty, sizeof cell->why_empty, "%s", why);
        return OK;
    }
    enum status status = schedule_solution(&matrix->settings, model, cell->formulation,
                                           &matrix->job, &matrix->jobs, diagnosis);
    cell->job = matrix->job[matrix->jobs - 1];
    return status;
}

enum status matrix_schedule(struct matrix *matrix, const struct judge_settings *settings,
                            const struct case_desc *const *desc, int cases,
                            struct diagnosis *diagnosis)
{
    enum status status = OK;
    *matrix = (struct matrix){.settings = *settings, .cases = cases};
    matrix->settings.oracles = ORACLE_CERTIFIED;
    matrix->settings.json = false;      /* cells hold all that is printed */
    while (formulations[matrix->formulations])
        matrix->formulations++;
    matrix->cell = memory_new(cases * matrix->formulations, sizeof *matrix->cell);
    for (int i = 0; i < cases && status == OK; i++) {
        struct model *model = model_new_with(desc[i], settings->reset, diagnosis);
        if (!model)
            return BAD_INPUT;
        for (int k = 0; k < matrix->formulations && status == OK; k++) {
            struct cell *cell = &matrix->cell[i * matrix->formulations + k];
            cell->desc = desc[i];
            cell->formulation = formulations[k];
            status = schedule_cell(matrix, cell, model, diagnosis);
        }
        model_free(model);
    }
    return status;
}

void matrix_free(struct matrix *matrix)
{
    jobs_free(matrix->job, matrix->jobs);
    free(matrix->cell);
}

/* --- running ------------------------------------------------------------------------ */

/* Sets the rows of a cell from its job, or why it has none. */
static void settle(struct cell *cell)
{
    const struct rows *rows = &cell->job->rows;
    for (int k = 0; k < rows->count; k++) {
        const struct row *row = &rows->row[k];
        if (row->kind == ROW_JUDGED)
            cell->error = row;
        else if (row->kind == ROW_GAP)
            cell->gap = row;
        else if (row->kind == ROW_ABSENT)
            snprintf(cell->why_empty, sizeof cell->why_empty, "%s", row->note);
        else
            refusal_text(&row->refusal, cell->why_empty, sizeof cell->why_empty);
    }
}

void matrix_run(struct matrix *matrix, int threads)
{
    struct task **task = memory_new(matrix->jobs, sizeof *task);
    for (int k = 0; k < matrix->jobs; k++)
        task[k] = &matrix->job[k]->task;
    isolated_jobs(matrix->job, matrix->jobs, NULL, matrix->settings.timeout);
    pool_run("verify", task, matrix->jobs, threads);
    free(task);
    for (int k = 0; k < matrix->cases * matrix->formulations; k++)
        if (matrix->cell[k].job)
            settle(&matrix->cell[k]);
}

bool matrix_held(const struct matrix *matrix)
{
    bool verdict = false;
    for (int i = 0; i < matrix->jobs; i++)
        for (int k = 0; k < matrix->job[i]->rows.count; k++) {
            const struct row *row = &matrix->job[i]->rows.row[k];
            if (row_fell_short(row))
                return false;
            verdict = verdict || row->held;
        }
    return verdict;
}

/* --- what a cell says --------------------------------------------------------------- */

double cell_gap(const struct cell *cell)
{
    const struct verdict *worst = &cell->gap->worst;
    double got = strtod(worst->got, NULL), want = strtod(worst->want, NULL);
    return fabs(got - want) / fmax(fabs(want), worst->scale);
}

bool cell_orders(const struct cell *cell, struct orders *orders)
{
    if (cell->formulation->kind != DAE)
        return false;
    const struct integrator *integrator =
        judge_integrator(cell->job->settings, cell->formulation);
    int index = cell->formulation->index, full = integrator->order;
    int stages = (full + 1) / 2;
    *orders = (struct orders){full, full, full};
    if (index >= 2)
        orders->lambda = index == 2 ? stages : stages - 1;
    if (index >= 3)
        orders->v = stages;
    return true;
}

void cell_explain(const struct cell *cell, char *text, int size)
{
    const struct verdict *least = &cell->error->least;
    struct orders orders;
    if (cell_orders(cell, &orders))
        snprintf(text, (size_t)size, "order %d %d %d", orders.q, orders.v, orders.lambda);
    else if (least->condition >= 10)
        snprintf(text, (size_t)size, "condition %.0e", least->condition);
    else
        snprintf(text, (size_t)size, "rtol %.0e", cell->error->rtol);
}

/* --- the command -------------------------------------------------------------------- */

static void print_json(FILE *stream, const void *matrix)
{
    report_matrix_json(stream, matrix);
}

enum exit_status verify_matrix(const struct args *args,
                               const struct judge_settings *settings,
                               const struct case_desc *const *desc, int cases,
                               int threads)
{
    struct matrix matrix;
    struct diagnosis diagnosis = {.t = NAN};
    enum exit_status status = EXIT_USAGE;
    if (matrix_schedule(&matrix, settings, desc, cases, &diagnosis) != OK) {
        status = complain_refusal(args, "--matrix", &diagnosis);
    } else {
        matrix_run(&matrix, threads);
        report_matrix(stdout, &matrix);
        status = matrix_held(&matrix) ? EXIT_HELD : EXIT_SHORT;
        if (settings->json &&
            !file_print(args, args_text(args, OPTION_JSON_FILE, NULL), print_json,
                        &matrix))
            status = EXIT_USAGE;
    }
    matrix_free(&matrix);
    return status;
}
