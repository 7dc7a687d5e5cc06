/*
 * report.c - the end of an optimisation as text, and its way as a picture (report.h)
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "drawings/motion.h"
#include "optimise/descent.h"
#include "optimise/report.h"
#include "tables/text_table.h"

/* --- the reason --------------------------------------------------------------------- */

/* Names the parameters that are at a bound. */
static void tell_bounds(const struct optimisation *o, FILE *stream)
{
    int told = 0;
    for (int k = 0; k < o->n; k++)
        if (optimisation_at_bound(o, k))
            fprintf(stream, "%s%s", told++ ? ", " : "; bounds ",
                    o->columns.model->parameter[o->columns.parameter[k]].name);
    if (told)
        fputs(" active", stream);
}

static bool is_stationary(const struct optimisation *o)
{
    return o->stop == STOP_GRADIENT || o->stop == STOP_NO_MINIMUM || o->stop == STOP_FLAT;
}

static void tell_curvature(const struct optimisation *o, FILE *stream)
{
    if (o->direction < 0)
        return;
    const char *name =
        o->columns.model->parameter[o->columns.parameter[o->direction]].name;
    if (o->stop == STOP_FLAT)
        fprintf(stream, "flat: neither first nor second derivatives tell values of %s%s "
                "apart; ", name, o->n > 1 ? " and the others" : "");
    else if (o->stop == STOP_NO_MINIMUM)
        fprintf(stream, "stationary, but along %s a %s: start beside it; ", name,
                o->request.maximise ? "minimum" : "maximum");
    else
        fprintf(stream, "flat along %s; ", name);
}

static void tell_stop(const struct optimisation *o, FILE *stream)
{
    const struct evaluation *other = descent_beside(o, false);
    const struct evaluation *refused = descent_beside(o, true);
    char change[NOTE_ROOM];
    if (o->stop == STOP_EVALUATIONS)
        fprintf(stream, "evaluations spent (%ld); ", o->request.max_evaluations);
    if (o->stop == STOP_ROUNDING)
        fputs("line search can go no lower (rounding); ", stream);
    if (is_stationary(o))
        tell_curvature(o, stream);
    if (!is_stationary(o) && other) {
        evaluation_compare(o->evaluation[o->best], other, change, sizeof change);
        fprintf(stream, "the cost jumps beside this point (events: %s); ", change);
    }
    if (!is_stationary(o) && refused)
        fprintf(stream, "runs beside this point are refused (%s); ",
                status_text(refused->status));
}

void optimisation_reason(const struct optimisation *o, char *text, int size)
{
    memset(text, 0, (size_t)size);
    FILE *stream = fmemopen(text, (size_t)size - 1, "w");
    if (!stream)
        memory_exhausted();
    tell_stop(o, stream);
    fprintf(stream, "gradient norm %.1e of its start", optimisation_norm(o));
    tell_bounds(o, stream);
    fclose(stream);
}

/* --- text --------------------------------------------------------------------------- */

enum { PARAMETER, START, OPTIMUM, BOUND, GRADIENT, UNIT, COLUMNS };

static void print_parameters(FILE *stream, const struct optimisation *o)
{
    static const char *const bound[] = {"lower", "", "upper"};
    struct text_column column[COLUMNS] = {
        [PARAMETER] = {"parameter", TEXT_LEFT, 0, 9},
        [START] = {"start", TEXT_RIGHT, 2, 16},
        [OPTIMUM] = {is_stationary(o) && o->stop != STOP_GRADIENT ? "stationary"
                                                                  : "optimum",
                     TEXT_RIGHT, 2, 16},
        [BOUND] = {"bound", TEXT_LEFT, 2, 5},
        [GRADIENT] = {"gradient", TEXT_RIGHT, 2, 10},
        [UNIT] = {"unit", TEXT_LEFT, 2, 0},
    };
    const struct evaluation *best = o->evaluation[o->best];
    for (int k = 0; k < o->n; k++)
        text_column_fit(&column[PARAMETER],
                        o->columns.model->parameter[o->columns.parameter[k]].name);
    text_heading(stream, column, COLUMNS);
    for (int k = 0; k < o->n; k++) {
        const struct parameter *parameter =
            &o->columns.model->parameter[o->columns.parameter[k]];
        text_cell(stream, &column[PARAMETER], "%s", parameter->name);
        text_cell(stream, &column[START], "%.12g", o->evaluation[0]->value[k]);
        text_cell(stream, &column[OPTIMUM], "%.12g", best->value[k]);
        text_cell(stream, &column[BOUND], "%s", bound[1 + optimisation_at_bound(o, k)]);
        text_cell(stream, &column[GRADIENT], "%.2e", best->gradient[k]);
        text_cell(stream, &column[UNIT], "%s", parameter->unit);
        fputc('\n', stream);
    }
}

/* Prints names with times, a few of them. */
static void print_events(FILE *stream, const char *when, const struct evaluation *e)
{
    enum { MOST = 12 };
    const char *name = e->names;
    fprintf(stream, "events %s: %d", when, e->events);
    for (int k = 0; k < e->events && k < MOST; k++) {
        int length = (int)strcspn(name, " ");
        fprintf(stream, "%s %.*s at t = %.9g", k ? "," : ":", length, name, e->time[k]);
        name += length;
        name += strspn(name, " ");
    }
    fputs(e->events > MOST ? ", ...\n" : "\n", stream);
}

static void print_counts(FILE *stream, const struct optimisation *o)
{
    fprintf(stream, "evaluations: %d", o->asked);
    for (int k = 0; k < STATUSES; k++)
        if (o->refused[k] > 0)
            fprintf(stream, ", %ld refused: %s", o->refused[k],
                    status_text((enum status)k));
    if (o->jumps > 0)
        fprintf(stream, ", %d with other events than the best before", o->jumps);
    fputc('\n', stream);
}

void optimisation_report(FILE *stream, const struct optimisation *o,
                         const struct uncertainty *u)
{
    char reason[400];
    const struct evaluation *first = o->evaluation[0], *best = o->evaluation[o->best];
    const char *cost = o->columns.model->cost[o->columns.cost];
    print_parameters(stream, o);
    if (u) {
        fputc('\n', stream);
        uncertainty_report(stream, o, u);
    }
    fprintf(stream, "\npsi.%s: %.12g before, %.12g after\n", cost, first->psi, best->psi);
    print_events(stream, "before", first);
    print_events(stream, "after", best);
    print_counts(stream, o);
    optimisation_reason(o, reason, sizeof reason);
    fprintf(stream, "%s\n", reason);
}

/* --- picture ------------------------------------------------------------------------ */

/* Prints a panel: column `y` of the evaluations. */
static void print_panel(FILE *gnuplot, int y, const char *title)
{
    fprintf(gnuplot, "set ylabel \"%s\" noenhanced\n"
            "plot $way using 1:%d with linespoints lt 1 pt 7 notitle\n",
            title, y);
}

void optimisation_plot(FILE *gnuplot, const struct optimisation *o)
{
    const struct model *model = o->columns.model;
    char title[100];
    fputs("$way << END\n", gnuplot);
    for (int k = 0; k < o->asked; k++) {
        const struct evaluation *e = o->evaluation[k];
        if (e->status == OK)
            fprintf(gnuplot, "%d %.17g %.9g\n", k, e->psi, e->norm);
    }
    fputs("END\nset multiplot layout 2,1 title ", gnuplot);
    motion_case_text(gnuplot, model);
    fputs(" noenhanced\nset lmargin 14\n"
          "set xlabel 'evaluation'\n", gnuplot);
    snprintf(title, sizeof title, "psi.%.80s", model->cost[o->columns.cost]);
    print_panel(gnuplot, 2, title);
    fputs("set logscale y\nset format y '1e%L'\n", gnuplot);
    print_panel(gnuplot, 3, "norm of the gradient");
    fputs("unset multiplot\n", gnuplot);
}
