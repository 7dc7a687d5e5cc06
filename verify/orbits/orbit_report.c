/*
 * orbit_report.c - tables of a periodic motion (orbit_report.h)
 *
 * Numbers have the fewest digits that identify a double.
 */
#include "orbits/orbit_report.h"

#include <math.h>
#include <string.h>

#include "base/number_text.h"
#include "tables/text_table.h"

enum { MOST_COLUMNS = 64 };

static const struct model *model_of(const struct orbit_report *report)
{
    return report->request->run.model;
}

void orbit_report_name(const struct model *model, int i, char *text, int size)
{
    int n = model->n;
    if (i < 2 * n)
        snprintf(text, (size_t)size, "%s%s", i < n ? "" : "v", model->coordinate[i % n]);
    else
        snprintf(text, (size_t)size, "%s", model->auxiliary[i - 2 * n]);
}

/* --- events ------------------------------------------------------------------------- */

static void print_events(FILE *stream, const struct orbit_report *report)
{
    const struct orbit *orbit = report->orbit;
    const struct model *model = model_of(report);
    struct text_column column[MOST_COLUMNS] = {
        {"event", TEXT_LEFT, 0, 5}, {"t", TEXT_RIGHT, 2, 18},
        {"rate", TEXT_RIGHT, 2, 10}};
    char name[MOST_COLUMNS][40];
    int count = 3;
    for (int i = 0; i < orbit->width && count < MOST_COLUMNS; i++, count++) {
        orbit_report_name(model, i, name[i], sizeof name[i]);
        column[count] = (struct text_column){name[i], TEXT_RIGHT, 2, 22};
    }
    for (int e = 0; e < orbit->events; e++)
        text_column_fit(&column[0], orbit->event[e].event->name);
    fputs("states after the events of a period\n\n", stream);
    text_heading(stream, column, count);
    for (int e = 0; e < orbit->events; e++) {
        const struct orbit_event *event = &orbit->event[e];
        text_cell(stream, &column[0], "%s", event->event->name);
        text_cell_exact(stream, &column[1], event->t);
        text_cell(stream, &column[2], "%.4g", event->rate);
        for (int i = 0; i + 3 < count; i++)
            text_cell_exact(stream, &column[3 + i], event->after[i]);
        fputc('\n', stream);
    }
}

/* --- derivatives -------------------------------------------------------------------- */

static void print_derivatives(FILE *stream, const struct orbit_report *report)
{
    const struct orbit *orbit = report->orbit;
    const struct run_request *run = &report->request->run;
    const struct model *model = run->model;
    struct text_column column[MOST_COLUMNS] = {
        {"parameter", TEXT_LEFT, 0, 9}, {"value", TEXT_RIGHT, 2, 10},
        {"period", TEXT_RIGHT, 2, 22}};
    char name[MOST_COLUMNS][40];
    int count = 3;
    if (orbit->parameters == 0 || orbit->events == 0)
        return;
    const struct orbit_event *last = &orbit->event[orbit->events - 1];
    for (int i = 0; i < orbit->width && count < MOST_COLUMNS; i++, count++) {
        orbit_report_name(model, i, name[i], sizeof name[i]);
        column[count] = (struct text_column){name[i], TEXT_RIGHT, 2, 22};
    }
    for (int j = 0; j < orbit->parameters; j++)
        text_column_fit(&column[0], model->parameter[run->parameter[j]].name);
    fprintf(stream, "\nderivatives of the period, and of the state after %s, the last of "
            "them, along with the event\n\n", last->event->name);
    text_heading(stream, column, count);
    for (int j = 0; j < orbit->parameters; j++) {
        int index = run->parameter[j];
        text_cell(stream, &column[0], "%s", model->parameter[index].name);
        text_cell(stream, &column[1], "%.8g", run->value[index]);
        text_cell_exact(stream, &column[2], orbit->dperiod[j]);
        for (int i = 0; i + 3 < count; i++)
            text_cell_exact(stream, &column[3 + i], last->dafter[j * orbit->width + i]);
        fputc('\n', stream);
    }
}

/* --- multipliers -------------------------------------------------------------------- */

double orbit_report_largest(const struct orbit *orbit)
{
    double largest = 0;
    for (int i = 0; i < orbit->multipliers; i++)
        if (!orbit->trivial[i])
            largest = fmax(largest, cabs(orbit->multiplier[i]));
    return largest;
}

static void print_multipliers(FILE *stream, const struct orbit_report *report)
{
    static const struct text_column column[] = {
        {"multiplier", TEXT_RIGHT, 0, 24}, {"imaginary part", TEXT_RIGHT, 2, 24},
        {"magnitude", TEXT_RIGHT, 2, 22}, {"", TEXT_LEFT, 2, 0}};
    const struct orbit *orbit = report->orbit;
    double largest = orbit_report_largest(orbit);
    fputc('\n', stream);
    text_heading(stream, column, 4);
    for (int i = 0; i < orbit->multipliers; i++) {
        double complex x = orbit->multiplier[i];
        text_cell_exact(stream, &column[0], creal(x));
        text_cell_exact(stream, &column[1], cimag(x));
        text_cell_exact(stream, &column[2], cabs(x));
        if (orbit->trivial[i])
            text_cell(stream, &column[3], "trivial: 1, off by %.1e",
                      cabs(x - 1));
        fputc('\n', stream);
    }
    if (largest < 1)
        fprintf(stream, "\nstable: all others are inside of the unit circle, by %.4g\n",
                1 - largest);
    else
        fprintf(stream, "\nunstable: the largest is outside of the unit circle, by "
                "%.4g\n", largest - 1);
}

/* d(re), d(im) of those that are not trivial by each parameter. */
static void print_slopes(FILE *stream, const struct orbit_report *report)
{
    const struct orbit *orbit = report->orbit;
    const struct run_request *run = &report->request->run;
    struct text_column column[] = {
        {"parameter", TEXT_LEFT, 0, 9}, {"error", TEXT_RIGHT, 2, 7},
        {"derivatives of the multipliers, in their order", TEXT_LEFT, 2, 0}};
    if (!orbit->dmultiplier)
        return;
    for (int j = 0; j < orbit->parameters; j++)
        text_column_fit(&column[0], run->model->parameter[run->parameter[j]].name);
    fputc('\n', stream);
    text_heading(stream, column, 3);
    for (int j = 0; j < orbit->parameters; j++) {
        text_cell(stream, &column[0], "%s",
                  run->model->parameter[run->parameter[j]].name);
        text_cell(stream, &column[1], "%.0e", orbit->derror[j]);
        for (int i = 0; i < orbit->multipliers; i++) {
            double complex x = orbit->dmultiplier[j * orbit->multipliers + i];
            if (!orbit->trivial[i] && cimag(orbit->multiplier[i]) != 0)
                fprintf(stream, "  %.10g%+.10gi", creal(x), cimag(x));
            else if (!orbit->trivial[i])
                fprintf(stream, "  %.10g", creal(x));
        }
        fputc('\n', stream);
    }
}

/* --- Newton's method ---------------------------------------------------------------- */

static void print_steps(FILE *stream, const struct orbit *orbit)
{
    static const struct text_column column[] = {
        {"step", TEXT_RIGHT, 0, 4}, {"residual", TEXT_RIGHT, 2, 9},
        {"length", TEXT_RIGHT, 2, 9}, {"taken", TEXT_RIGHT, 2, 6}};
    fputs("\nNewton's method, by the size of the orbit\n\n", stream);
    text_heading(stream, column, 4);
    for (int i = 0; i < orbit->steps; i++) {
        const struct orbit_step *step = &orbit->step[i];
        text_cell(stream, &column[0], "%d", i + 1);
        text_cell(stream, &column[1], "%.1e", step->residual);
        text_cell(stream, &column[2], "%.1e", step->change);
        text_cell(stream, &column[3], step->part > 0 ? "%.3g" : "-", step->part);
        fputc('\n', stream);
    }
}

void orbit_report_table(FILE *stream, const struct orbit_report *report)
{
    char period[NUMBER_TEXT_ROOM];
    const struct orbit *orbit = report->orbit;
    number_text(period, orbit->period);
    fprintf(stream, "%s, %s: periodic motion, period %s, %d event%s, %d node%s\n\n",
            model_of(report)->desc->name, report->request->run.formulation->name, period,
            orbit->events, orbit->events == 1 ? "" : "s", orbit->nodes,
            orbit->nodes == 1 ? "" : "s");
    if (orbit->rounds > 1)
        fprintf(stream, "the run comes back after %d of these periods: the %d events "
                "repeat themselves\n\n", orbit->rounds, orbit->events);
    if (orbit->families > 0)
        fprintf(stream, "one of a family of dimension %d: what is printed is its member "
                "next to the run,\nand derivatives are those of least length\n\n",
                orbit->families);
    for (int g = 0; g < report->request->drifts; g++) {
        number_text(period, orbit->advance[g]);
        fprintf(stream, "group %d advances by %s over a period\n%s", g + 1, period,
                g + 1 == report->request->drifts ? "\n" : "");
    }
    print_events(stream, report);
    print_derivatives(stream, report);
    print_multipliers(stream, report);
    print_slopes(stream, report);
    print_steps(stream, orbit);
}
