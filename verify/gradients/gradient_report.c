/*
 * gradient_report.c - two tables, parameters and methods, and notes below them
 * (gradient_report.h)
 *
 * Numbers have the fewest digits that identify a double. Times are told only when asked
 * for, because all else is the same to the byte whenever it is computed.
 */
#include "gradients/gradient_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number_text.h"
#include "tables/text_table.h"

static const struct parameter *parameter(const struct gradient_report *report, int j)
{
    const struct run_request *run = &report->request->run;
    return &run->model->parameter[run->parameter[j]];
}

static const char *unit(const struct gradient_report *report, int j)
{
    const char *text = parameter(report, j)->unit;
    return text ? text : "";
}

static double value(const struct gradient_report *report, int j)
{
    const struct run_request *run = &report->request->run;
    return run->value[run->parameter[j]];
}

static bool refused(const struct gradient_report *report, int k)
{
    return report->gradient[k].status != OK;
}

/* --- by parameters ------------------------------------------------------------------ */

enum { NAME, UNIT, VALUE, FIRST_METHOD };

/* Columns of the table by parameters; [2 * methods] behind the fixed ones, of which a
   method that estimates no error takes one. */
static int lay_out(const struct gradient_report *report, struct text_column *column)
{
    int count = FIRST_METHOD;
    column[NAME] = (struct text_column){"parameter", TEXT_LEFT, 0, 9};
    column[UNIT] = (struct text_column){"unit", TEXT_LEFT, 2, 4};
    column[VALUE] = (struct text_column){"value", TEXT_RIGHT, 2, 5};
    for (int k = 0; k < report->methods; k++) {
        column[count++] = (struct text_column){report->method[k]->name, TEXT_RIGHT, 2,
                                               16};
        if (report->method[k]->estimates)
            column[count++] = (struct text_column){"its error", TEXT_RIGHT, 2, 9};
    }
    for (int j = 0; j < report->request->run.parameters; j++) {
        char text[NUMBER_TEXT_ROOM];
        number_text(text, value(report, j));
        text_column_fit(&column[NAME], parameter(report, j)->name);
        text_column_fit(&column[UNIT], unit(report, j));
        text_column_fit(&column[VALUE], text);
        for (int k = 0, c = FIRST_METHOD; k < report->methods; k++) {
            number_text(text, refused(report, k) ? 0 : report->gradient[k].by_rho[j]);
            text_column_fit(&column[c], text);
            c += report->method[k]->estimates ? 2 : 1;
        }
    }
    return count;
}

static void print_derivatives(FILE *stream, const struct gradient_report *report, int j,
                              const struct text_column *column)
{
    for (int k = 0; k < report->methods; k++) {
        const struct cost_gradient *gradient = &report->gradient[k];
        if (refused(report, k))
            text_cell(stream, column++, "-");
        else
            text_cell_exact(stream, column++, gradient->by_rho[j]);
        if (report->method[k]->estimates && refused(report, k))
            text_cell(stream, column++, "-");
        else if (report->method[k]->estimates)
            text_cell(stream, column++, "%.1e", gradient->error[j]);
    }
}

static void print_parameters(FILE *stream, const struct gradient_report *report)
{
    struct text_column *column = memory_new(FIRST_METHOD + 2 * report->methods,
                                            sizeof *column);
    int count = lay_out(report, column);
    text_heading(stream, column, count);
    for (int j = 0; j < report->request->run.parameters; j++) {
        text_cell(stream, &column[NAME], "%s", parameter(report, j)->name);
        text_cell(stream, &column[UNIT], "%s", unit(report, j));
        text_cell_exact(stream, &column[VALUE], value(report, j));
        print_derivatives(stream, report, j, &column[FIRST_METHOD]);
        fputc('\n', stream);
    }
    free(column);
}

/* --- by methods --------------------------------------------------------------------- */

enum {
    METHOD, PSI, DIGITS, FORMULATION, INTEGRATOR, RTOL, EVENTS, RUNS, STEPS, BACK,
    PULLBACKS, EVALUATIONS, REPEATED, SECONDS, METHOD_COLUMNS
};

static const struct text_column by_method[METHOD_COLUMNS] = {
    [METHOD] = {"method", TEXT_LEFT, 0, 16},
    [PSI] = {"psi", TEXT_RIGHT, 2, 24},
    [DIGITS] = {"digits", TEXT_RIGHT, 2, 6},
    [FORMULATION] = {"formulation", TEXT_LEFT, 2, 11},
    [INTEGRATOR] = {"integrator", TEXT_LEFT, 2, 10},
    [RTOL] = {"rtol", TEXT_RIGHT, 2, 7},
    [EVENTS] = {"events", TEXT_RIGHT, 2, 6},
    [RUNS] = {"runs", TEXT_RIGHT, 2, 5},
    [STEPS] = {"steps", TEXT_RIGHT, 2, 7},
    [BACK] = {"back", TEXT_RIGHT, 2, 7},
    [PULLBACKS] = {"points back", TEXT_RIGHT, 2, 11},
    [EVALUATIONS] = {"right-hand sides", TEXT_RIGHT, 2, 16},
    [REPEATED] = {"repeated", TEXT_RIGHT, 2, 8},
    [SECONDS] = {"CPU s", TEXT_RIGHT, 2, 8},
};

/* A number of what only methods with a way back have. */
static void put_backwards(FILE *stream, const struct gradient_report *report, int k,
                          int column, long number)
{
    if (report->method[k]->backwards)
        text_cell(stream, &by_method[column], "%ld", number);
    else
        text_cell(stream, &by_method[column], "-");
}

static void print_work(FILE *stream, const struct gradient_report *report, int k)
{
    const struct cost_gradient *gradient = &report->gradient[k];
    text_cell(stream, &by_method[EVENTS], "%d", gradient->events);
    text_cell(stream, &by_method[RUNS], "%ld", gradient->runs);
    text_cell(stream, &by_method[STEPS], "%ld", gradient->steps);
    put_backwards(stream, report, k, BACK, gradient->back_steps);
    put_backwards(stream, report, k, PULLBACKS, gradient->pullbacks);
    text_cell(stream, &by_method[EVALUATIONS], "%ld", gradient->evaluations);
    put_backwards(stream, report, k, REPEATED, gradient->repeated);
    if (report->timing)
        text_cell(stream, &by_method[SECONDS], "%.3f", gradient->seconds);
}

static double digits(const struct gradient_report *report, int k)
{
    return k > 0 ? cost_gradient_digits(report->request, &report->gradient[0],
                                        &report->gradient[k]) : NAN;
}

static void print_methods(FILE *stream, const struct gradient_report *report)
{
    text_heading(stream, by_method, report->timing ? METHOD_COLUMNS : SECONDS);
    for (int k = 0; k < report->methods; k++) {
        const struct cost_gradient *gradient = &report->gradient[k];
        text_cell(stream, &by_method[METHOD], "%s", report->method[k]->name);
        if (refused(report, k))
            text_cell(stream, &by_method[PSI], "refused");
        else
            text_cell_exact(stream, &by_method[PSI], gradient->psi);
        text_cell_number(stream, &by_method[DIGITS], 1, digits(report, k), "-");
        text_cell(stream, &by_method[FORMULATION], "%s", gradient->formulation->name);
        text_cell(stream, &by_method[INTEGRATOR], "%s", gradient->integrator->name);
        text_cell(stream, &by_method[RTOL], "%.2g", gradient->rtol);
        if (!refused(report, k))
            print_work(stream, report, k);
        fputc('\n', stream);
    }
}

/* --- notes -------------------------------------------------------------------------- */

void gradient_report_refusal(FILE *stream, const char *method,
                             const struct diagnosis *diagnosis)
{
    fprintf(stream, "%s: %s", method, status_text(diagnosis->status));
    if (!isnan(diagnosis->t))
        fprintf(stream, " at t = %.9g", diagnosis->t);
    fprintf(stream, ": %s%s(%s)\n", diagnosis->place, diagnosis->place[0] ? " " : "",
            status_meaning(diagnosis->status));
}

static void print_notes(FILE *stream, const struct gradient_report *report)
{
    bool note = report->methods > 1;
    for (int k = 0; k < report->methods; k++)
        note = note || refused(report, k);
    if (note)
        fputc('\n', stream);
    for (int k = 0; k < report->methods; k++)
        if (refused(report, k))
            gradient_report_refusal(stream, report->method[k]->name,
                                    &report->gradient[k].diagnosis);
    if (report->methods > 1 && !refused(report, 0))
        fprintf(stream, "digits: agreement with %s, as a part of the largest "
                "|rho dpsi/drho|\n", report->method[0]->name);
}

void gradient_report_table(FILE *stream, const struct gradient_report *report)
{
    const struct adjoint_request *request = report->request;
    const struct model *model = request->run.model;
    int p = request->run.parameters;
    fprintf(stream, "%s: psi.%s by %d parameter%s\n\n", model->desc->name,
            model->cost[request->cost], p, p == 1 ? "" : "s");
    print_parameters(stream, report);
    fputc('\n', stream);
    print_methods(stream, report);
    print_notes(stream, report);
}
