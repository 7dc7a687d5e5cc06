/*
 * branch_report.c - tables of branches of periodic motions (branch_report.h)
 */
#include "orbits/branch_report.h"

#include <math.h>
#include <string.h>

#include "base/number_text.h"
#include "orbits/orbit_report.h"
#include "tables/text_table.h"

int branch_report_outside(const struct branch_point *point)
{
    int outside = 0;
    for (int i = 0; i < point->multipliers; i++)
        outside += !point->trivial[i] && cabs(point->multiplier[i]) > 1;
    return outside;
}

const char *branch_report_end(const struct branch *branch)
{
    static const char *const text[] = {
        [BRANCH_AT_RANGE] = "the end of the range", [BRANCH_AT_GRAZING] = "grazing",
        [BRANCH_STUCK] = "a step that fails",
        [BRANCH_FULL] = "as many points as asked for",
        [BRANCH_AT_HALVING] = "an orbit of half the period, gone round twice"};
    return text[branch->end];
}

/* The multiplier that is not trivial of largest magnitude. */
static double complex leading(const struct branch_point *point)
{
    double complex largest = 0;
    for (int i = point->multipliers - 1; i >= 0; i--)
        if (!point->trivial[i] && cabs(point->multiplier[i]) >= cabs(largest))
            largest = point->multiplier[i];
    return largest;
}

static const char *parameter_name(const struct branch_report *report)
{
    const struct run_request *run = &report->request->orbit.run;
    return run->model->parameter[run->parameter[0]].name;
}

static void component_name(const struct branch_report *report, char *text, int size)
{
    orbit_report_name(report->request->orbit.run.model, report->component, text, size);
}

enum { KIND, RHO, PERIOD, LEADING, OUTSIDE, RATE, STEPS, VALUES, COLUMNS };

static void print_point(FILE *stream, const struct text_column *column,
                        const struct branch_report *report,
                        const struct branch_point *point)
{
    double complex mu = leading(point);
    text_cell(stream, &column[KIND], "%s", branch_kind_text[point->kind]);
    text_cell_exact(stream, &column[RHO], point->rho);
    text_cell_exact(stream, &column[PERIOD], point->period);
    if (point->multipliers == 0)
        text_cell(stream, &column[LEADING], "-");
    else if (cimag(mu) != 0)
        text_cell(stream, &column[LEADING], "%.4f%+.4fi", creal(mu), cimag(mu));
    else
        text_cell(stream, &column[LEADING], "%.4f", creal(mu));
    text_cell(stream, &column[OUTSIDE], "%d", branch_report_outside(point));
    text_cell(stream, &column[RATE], "%.2g", point->rate);
    text_cell(stream, &column[STEPS], "%d", point->steps);
    for (int r = 0; r < point->returns; r++)
        fprintf(stream, "  %.10g", point->x[r * point->width + report->component]);
    fputc('\n', stream);
}

static void print_bracket(FILE *stream, const struct branch_report *report,
                          const struct branch_point *point)
{
    char a[NUMBER_TEXT_ROOM], b[NUMBER_TEXT_ROOM];
    number_text(a, point->between[0]);
    number_text(b, point->between[1]);
    fprintf(stream, "%s between the points %s = %s and %s, not located: %s\n",
            branch_kind_text[point->kind], parameter_name(report), a, b, point->why);
}

static void print_bifurcations(FILE *stream, const struct branch_report *report,
                               const struct branch *branch)
{
    for (int k = 0; k < branch->points; k++) {
        const struct branch_point *point = &branch->point[k];
        char text[NUMBER_TEXT_ROOM];
        if (point->kind == BRANCH_REGULAR)
            continue;
        if (point->why) {
            print_bracket(stream, report, point);
            continue;
        }
        number_text(text, point->rho);
        fprintf(stream, "%s at %s = %s, located to %.1e\n",
                branch_kind_text[point->kind], parameter_name(report), text,
                point->error);
    }
    fprintf(stream, "%d points, to %s", branch->points, branch_report_end(branch));
    if (branch->ahead)
        fprintf(stream, " of %s, which the orbit does not have before",
                branch->ahead->name);
    if (branch->end == BRANCH_STUCK)
        fprintf(stream, ": %s, %s", status_text(branch->why.status), branch->why.place);
    fputc('\n', stream);
}

void branch_report_table(FILE *stream, const struct branch_report *report)
{
    char values[90], name[60];
    component_name(report, name, sizeof name);
    snprintf(values, sizeof values, "%s after %.20s", name, report->branch->event->name);
    const struct text_column column[COLUMNS] = {
        {"", TEXT_LEFT, 0, 15}, {parameter_name(report), TEXT_RIGHT, 2, 19},
        {"period", TEXT_RIGHT, 2, 19}, {"multiplier", TEXT_RIGHT, 2, 16},
        {"outside", TEXT_RIGHT, 2, 7}, {"rate", TEXT_RIGHT, 2, 8},
        {"steps", TEXT_RIGHT, 2, 5}, {values, TEXT_LEFT, 2, 0}};
    if (report->branch->rounds > 1)
        fprintf(stream, "the run comes back after %d periods of the first orbit\n\n",
                report->branch->rounds);
    for (const struct branch *branch = report->branch; branch; branch = branch->next) {
        if (branch != report->branch)
            fprintf(stream, "\nbranch of %d periods, from the first period doubling "
                    "before\n", 1 << branch->doubled);
        text_heading(stream, column, COLUMNS);
        for (int k = 0; k < branch->points; k++)
            print_point(stream, column, report, &branch->point[k]);
        fputc('\n', stream);
        print_bifurcations(stream, report, branch);
    }
}

/* --- the diagram -------------------------------------------------------------------- */

/* A line for each return of the event, broken where stability changes: a blank line. */
static void print_lines(FILE *gnuplot, const struct branch *branch,
                        const struct branch_report *report, bool stable)
{
    int returns = branch->points > 0 ? branch->point[0].returns : 0;
    for (int r = 0; r < returns; r++) {
        for (int k = 0; k < branch->points; k++) {
            const struct branch_point *point = &branch->point[k];
            if (point->returns <= r)
                continue;
            bool own = branch_report_outside(point) == 0;
            bool edge = point->kind != BRANCH_REGULAR;
            if (own == stable || edge)
                fprintf(gnuplot, "%.15g %.15g\n", point->rho,
                        point->x[r * point->width + report->component]);
            if (own != stable || edge)
                fputc('\n', gnuplot);
            if (edge && own == stable)
                fprintf(gnuplot, "%.15g %.15g\n", point->rho,
                        point->x[r * point->width + report->component]);
        }
        fputs("\n", gnuplot);
    }
}

static void print_data(FILE *gnuplot, const struct branch_report *report,
                       const char *name, bool stable)
{
    fprintf(gnuplot, "$%s << END\n", name);
    for (const struct branch *branch = report->branch; branch; branch = branch->next)
        print_lines(gnuplot, branch, report, stable);
    fputs("END\n", gnuplot);
}

static void print_marks(FILE *gnuplot, const struct branch_report *report)
{
    fputs("$marks << END\n", gnuplot);
    for (const struct branch *branch = report->branch; branch; branch = branch->next)
        for (int k = 0; k < branch->points; k++)
            for (int r = 0; r < branch->point[k].returns; r++)
                if (branch->point[k].kind != BRANCH_REGULAR)
                    fprintf(gnuplot, "%.15g %.15g\n", branch->point[k].rho,
                            branch->point[k].x[r * branch->point[k].width +
                                               report->component]);
    fputs("END\n", gnuplot);
}

void branch_report_plot(FILE *gnuplot, const struct branch_report *report)
{
    const struct run_request *run = &report->request->orbit.run;
    const struct parameter *parameter = &run->model->parameter[run->parameter[0]];
    const struct branch *branch = report->branch;
    char name[60];
    component_name(report, name, sizeof name);
    print_data(gnuplot, report, "stable", true);
    print_data(gnuplot, report, "unstable", false);
    print_marks(gnuplot, report);
    fprintf(gnuplot, "set title '%s: periodic motions' noenhanced\n",
            run->model->desc->name);
    fprintf(gnuplot, "set xlabel '%s [%s]' noenhanced\n", parameter->name,
            parameter->unit ? parameter->unit : "1");
    fprintf(gnuplot, "set ylabel '%s after %s' noenhanced\n", name, branch->event->name);
    fputs("plot $stable with lines lt 1 lw 2.5 title 'stable', \\\n"
          "     $unstable with lines lt 2 dt 2 title 'unstable', \\\n"
          "     $marks with points lt 3 pt 7 ps 0.7 title 'bifurcation'\n", gnuplot);
}
