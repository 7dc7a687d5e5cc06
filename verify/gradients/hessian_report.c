/*
 * hessian_report.c - second derivatives: a square table in double, a list of pairs in
 * MPFR, a table of the methods, and notes (hessian_report.h)
 *
 * A certified number is printed with the digits that were asked for, or with as many as
 * agree if its size leaves fewer.
 */
#include "gradients/hessian_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number_text.h"
#include "gradients/gradient_report.h"
#include "gradients/hessian_text.h"
#include "tables/text_table.h"

static const char *name_of(const struct hessian_report *report, int j)
{
    const struct run_request *run = &report->request->adjoint.run;
    return run->model->parameter[run->parameter[j]].name;
}

static int parameters(const struct hessian_report *report)
{
    return report->request->adjoint.run.parameters;
}

static bool refused(const struct hessian_report *report, int k)
{
    return report->hessian[k].status != OK;
}

/* --- a square table ----------------------------------------------------------------- */

static void print_square(FILE *stream, const struct hessian_report *report,
                         const struct cost_hessian *hessian)
{
    int p = parameters(report);
    char text[NUMBER_TEXT_ROOM];
    struct text_column *column = memory_new(p + 1, sizeof *column);
    column[0] = (struct text_column){"d2psi", TEXT_LEFT, 0, 5};
    for (int j = 0; j < p; j++) {
        text_column_fit(&column[0], name_of(report, j));
        column[1 + j] = (struct text_column){name_of(report, j), TEXT_RIGHT, 2, 12};
        text_column_fit(&column[1 + j], name_of(report, j));
        for (int i = 0; i < p; i++) {
            number_text(text, hessian->by_two[i * p + j]);
            text_column_fit(&column[1 + j], text);
        }
    }
    text_heading(stream, column, p + 1);
    for (int i = 0; i < p; i++) {
        text_cell(stream, &column[0], "%s", name_of(report, i));
        for (int j = 0; j < p; j++)
            text_cell_exact(stream, &column[1 + j], hessian->by_two[i * p + j]);
        fputc('\n', stream);
    }
    free(column);
}

/* --- a list of pairs ---------------------------------------------------------------- */

static void print_pairs(FILE *stream, const struct hessian_report *report,
                        const struct cost_hessian *hessian)
{
    int p = parameters(report);
    char text[HESSIAN_TEXT_ROOM];
    struct text_column column[] = {{"by", TEXT_LEFT, 0, 2}, {"and", TEXT_LEFT, 2, 3},
                                   {"certified", TEXT_LEFT, 2, 9},
                                   {"agreed", TEXT_RIGHT, 2, 6}};
    for (int j = 0; j < p; j++) {
        text_column_fit(&column[0], name_of(report, j));
        text_column_fit(&column[1], name_of(report, j));
        for (int k = j; k < p; k++) {
            hessian_text(report->request, hessian->certified, j, k, text);
            text_column_fit(&column[2], text);
        }
    }
    text_heading(stream, column, 4);
    for (int j = 0; j < p; j++)
        for (int k = j; k < p; k++) {
            text_cell(stream, &column[0], "%s", name_of(report, j));
            text_cell(stream, &column[1], "%s", name_of(report, k));
            hessian_text(report->request, hessian->certified, j, k, text);
            text_cell(stream, &column[2], "%s", text);
            text_cell(stream, &column[3], "%.1f",
                      hessian->certified->agreed_on[j * p + k]);
            fputc('\n', stream);
        }
}

/* --- by methods --------------------------------------------------------------------- */

enum {
    METHOD, PSI, DIGITS, SYMMETRIC, AGREED, ORDER, CARRIED, EVENTS, RUNS, STEPS, BACK,
    METHOD_COLUMNS
};

static const struct text_column by_method[METHOD_COLUMNS] = {
    [METHOD] = {"method", TEXT_LEFT, 0, 9},
    [PSI] = {"psi", TEXT_RIGHT, 2, 24},
    [DIGITS] = {"digits", TEXT_RIGHT, 2, 6},
    [SYMMETRIC] = {"symmetric", TEXT_RIGHT, 2, 9},
    [AGREED] = {"agreed", TEXT_RIGHT, 2, 6},
    [ORDER] = {"order", TEXT_RIGHT, 2, 6},
    [CARRIED] = {"carried", TEXT_RIGHT, 2, 7},
    [EVENTS] = {"events", TEXT_RIGHT, 2, 6},
    [RUNS] = {"runs", TEXT_RIGHT, 2, 5},
    [STEPS] = {"steps", TEXT_RIGHT, 2, 7},
    [BACK] = {"back", TEXT_RIGHT, 2, 7},
};

static double digits(const struct hessian_report *report, int k)
{
    return k > 0 ? cost_hessian_digits(&report->request->adjoint, &report->hessian[0],
                                       &report->hessian[k]) : NAN;
}

static void put(FILE *stream, int column, bool there, long number)
{
    if (there)
        text_cell(stream, &by_method[column], "%ld", number);
    else
        text_cell(stream, &by_method[column], "-");
}

static void print_method(FILE *stream, const struct hessian_report *report, int k)
{
    const struct cost_hessian *hessian = &report->hessian[k];
    const struct mp_hessian *certified = hessian->certified;
    char psi[NUMBER_TEXT_ROOM];
    number_text(psi, hessian->psi);
    text_cell(stream, &by_method[PSI], "%s", psi);
    text_cell_number(stream, &by_method[DIGITS], 1, digits(report, k), "-");
    text_cell_number(stream, &by_method[SYMMETRIC], 1,
                     certified ? NAN : cost_hessian_symmetry(&report->request->adjoint,
                                                             hessian), "-");
    put(stream, AGREED, certified, certified ? certified->agreed : 0);
    text_cell_number(stream, &by_method[ORDER], 3, certified ? certified->order : NAN,
                     "-");
    put(stream, CARRIED, certified, certified ? certified->digits : 0);
    put(stream, EVENTS, true, hessian->events);
    put(stream, RUNS, true, hessian->runs);
    put(stream, STEPS, !certified, hessian->steps);
    put(stream, BACK, !certified, hessian->back_steps);
}

static void print_methods(FILE *stream, const struct hessian_report *report)
{
    text_heading(stream, by_method, METHOD_COLUMNS);
    for (int k = 0; k < report->methods; k++) {
        text_cell(stream, &by_method[METHOD], "%s", report->method[k]->name);
        if (refused(report, k))
            text_cell(stream, &by_method[PSI], "refused");
        else
            print_method(stream, report, k);
        fputc('\n', stream);
    }
}

static void print_notes(FILE *stream, const struct hessian_report *report)
{
    bool certified = false;
    for (int k = 0; k < report->methods; k++)
        certified = certified || report->hessian[k].certified;
    fputc('\n', stream);
    for (int k = 0; k < report->methods; k++)
        if (refused(report, k))
            gradient_report_refusal(stream, report->method[k]->name,
                                    &report->hessian[k].diagnosis);
    fprintf(stream, "digits, as a part of the largest |rho_j rho_k d2psi|:%s symmetric, "
            "of rows and columns\n",
            report->methods > 1 ? " agreement with the first;" : "");
    if (certified)
        fputs("agreed: differences of gradients, both ways round, and of values, in "
              "MPFR; order: observed, 2 is right\n", stream);
}

void hessian_report_table(FILE *stream, const struct hessian_report *report)
{
    const struct adjoint_request *request = &report->request->adjoint;
    const struct model *model = request->run.model;
    int p = parameters(report);
    fprintf(stream, "%s: second derivatives of psi.%s by %d parameter%s\n\n",
            model->desc->name, model->cost[request->cost], p, p == 1 ? "" : "s");
    for (int k = 0; k < report->methods; k++) {
        if (refused(report, k))
            continue;
        if (report->hessian[k].certified)
            print_pairs(stream, report, &report->hessian[k]);
        else
            print_square(stream, report, &report->hessian[k]);
        fputc('\n', stream);
    }
    print_methods(stream, report);
    print_notes(stream, report);
}
