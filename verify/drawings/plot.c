/*
 * plot.c - a motion as curves over time (motion.h)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawings/gnuplot.h"
#include "drawings/motion.h"
#include "options/args.h"
#include "quantity/column_names.h"
#include "quantity/quantity.h"

/* --- data --------------------------------------------------------------------------- */

static void print_point(FILE *gnuplot, const struct trajectory *trajectory,
                        const struct run_point *point, int count, const int *column)
{
    fprintf(gnuplot, "%.9g", point->t);
    for (int k = 0; k < count; k++)
        if (column_present(&trajectory->columns, column[k], point->mode) &&
            isfinite(point->x[column[k]]))
            fprintf(gnuplot, " %.9g", point->x[column[k]]);
        else
            fputs(" NaN", gnuplot);
    fputc('\n', gnuplot);
}

void motion_data(FILE *gnuplot, const char *name, const struct trajectory *trajectory,
                 int count, const int *column)
{
    fprintf(gnuplot, "$%s << END\n", name);
    int next = 0;
    for (int k = 0; k < trajectory->samples; k++) {
        const struct run_point *sample = &trajectory->sample[k];
        for (; next < trajectory->events &&
               trajectory->event[next].before.t <= sample->t; next++) {
            const struct event_record *event = &trajectory->event[next];
            print_point(gnuplot, trajectory, &event->before, count, column);
            fputc('\n', gnuplot);
            print_point(gnuplot, trajectory, &event->after, count, column);
        }
        print_point(gnuplot, trajectory, sample, count, column);
    }
    fputs("END\n", gnuplot);
}

void motion_named_data(FILE *gnuplot, const char *name,
                       const struct trajectory *trajectory, const char *list)
{
    enum { MOST = 32 };
    const struct columns *columns = &trajectory->columns;
    char wanted[QUANTITY_NAME];
    int column[MOST], count = 0;
    while (next_in_list(&list, wanted, sizeof wanted)) {
        int c = quantity_column(columns, wanted);
        if (c < 0 || count == MOST)
            slip("%s: no column '%s' to be drawn", columns->model->desc->name, wanted);
        column[count++] = c;
    }
    motion_data(gnuplot, name, trajectory, count, column);
}

void motion_case_text(FILE *gnuplot, const struct model *model)
{
    gnuplot_text(gnuplot, model->desc->name);
    fputs(" . ': ' . ", gnuplot);
    gnuplot_text(gnuplot, model->desc->title);
}

/* A few hundred lines at most stay readable. */
void motion_event_lines(FILE *gnuplot, const struct trajectory *trajectory)
{
    for (int k = 0; k < trajectory->events && k < 400; k++)
        fprintf(gnuplot, "set arrow from first %.9g, graph 0 to first %.9g, graph 1 "
                "nohead ls 100 back\n",
                trajectory->event[k].before.t, trajectory->event[k].before.t);
}

/* --- the choice of curves ----------------------------------------------------------- */

/* The kind of number of a column, which is the label of its axis: "q", "dq/dL01". */
static void kind_of(const struct columns *columns, int c, char *kind)
{
    struct quantity quantity = quantity_of_column(columns, c);
    quantity_group(&quantity, kind, QUANTITY_NAME);
}

/* Adds a column behind the last one of its kind, once. */
static void add_column(struct motion_choice *choice, const struct columns *columns, int c)
{
    char kind[QUANTITY_NAME], other[QUANTITY_NAME];
    int at = choice->curves;
    kind_of(columns, c, kind);
    for (int k = 0; k < choice->curves; k++) {
        kind_of(columns, choice->column[k], other);
        if (choice->column[k] == c)
            return;
        if (strcmp(kind, other) == 0)
            at = k + 1;
    }
    memmove(choice->column + at + 1, choice->column + at,
            (size_t)(choice->curves - at) * sizeof *choice->column);
    choice->column[at] = c;
    choice->curves++;
}

static bool add_item(struct motion_choice *choice, const struct columns *columns,
                     const char *item, const char *parameter)
{
    bool found = false;
    for (int c = 0; c < columns->count; c++)
        if (column_is_named(columns, c, item, parameter)) {
            add_column(choice, columns, c);
            found = true;
        }
    return found;
}

/* The parameter of derivatives that are named by their kind; NULL: there are none. */
static bool choose_parameter(const struct columns *columns, const char **parameter,
                             char *why, int size)
{
    const char *wanted = *parameter;
    if (!wanted) {
        *parameter = columns->p > 0 ? column_parameter(columns, 0) : NULL;
        return true;
    }
    if (columns_have_parameter(columns, wanted))
        return true;
    snprintf(why, (size_t)size, "--param %s: the run is not differentiated by it; "
             "--sens says by which", wanted);
    return false;
}

bool motion_choose(struct motion_choice *choice, const struct columns *columns,
                   const char *parameter, const char *list, char *why, int size)
{
    const struct model *model = columns->model;
    const char *usual = model->n > 0 ? "q,v,dq" : "s,ds";
    const char *rest = list ? list : usual;
    char item[QUANTITY_NAME];
    *choice = (struct motion_choice){0, memory_new(columns->count, sizeof(int))};
    if (!choose_parameter(columns, &parameter, why, size))
        return false;
    while (next_in_list(&rest, item, sizeof item))
        if (!add_item(choice, columns, item, parameter) && list) {
            snprintf(why, (size_t)size, "--columns: %s has no column '%s'; the first "
                     "line of its CSV names them, q, v, s, a, lambda, z, dq, ... are all "
                     "of a kind", model->desc->name, item);
            return false;
        }
    return true;
}

void motion_choice_clear(struct motion_choice *choice)
{
    free(choice->column);
}

/* --- curves ------------------------------------------------------------------------- */

/* The curve behind the last one of the panel that begins with `first`. */
static int panel_end(const struct motion_plot *plot, int first)
{
    const struct columns *columns = &plot->trajectory->columns;
    const struct motion_choice *choice = plot->choice;
    char kind[QUANTITY_NAME], other[QUANTITY_NAME];
    int end = first + 1;
    kind_of(columns, choice->column[first], kind);
    for (; end < choice->curves; end++) {
        kind_of(columns, choice->column[end], other);
        if (strcmp(kind, other) != 0)
            break;
    }
    return end;
}

static int panels_of(const struct motion_plot *plot)
{
    int panels = 0;
    for (int k = 0; k < plot->choice->curves; k = panel_end(plot, k))
        panels++;
    return panels;
}

double motion_plot_height(const struct motion_plot *plot)
{
    return 10 + 50.0 * panels_of(plot);
}

static void print_panel(FILE *gnuplot, const struct motion_plot *plot, int first, int end)
{
    const struct columns *columns = &plot->trajectory->columns;
    const int *chosen = plot->choice->column;
    char kind[QUANTITY_NAME], name[QUANTITY_NAME];
    kind_of(columns, chosen[first], kind);
    fprintf(gnuplot, "set ylabel \"%s\" noenhanced\nplot ", kind);
    for (int k = first; k < end; k++) {
        column_name(columns, chosen[k], name, sizeof name);
        fprintf(gnuplot, "%s$motion using 1:%d with lines lt %d title \"%s\" noenhanced",
                k > first ? ", \\\n    " : "", k + 2, k - first + 1, name);
    }
    fputs("\n", gnuplot);
}

void motion_plot_draw(FILE *gnuplot, const void *context)
{
    const struct motion_plot *plot = context;
    const struct trajectory *trajectory = plot->trajectory;
    motion_data(gnuplot, "motion", trajectory, plot->choice->curves,
                plot->choice->column);
    fprintf(gnuplot, "set multiplot layout %d,1 title ", panels_of(plot));
    motion_case_text(gnuplot, trajectory->columns.model);
    fputs(" noenhanced\nset key outside right top vertical\nset lmargin 11\n"
          "set rmargin 20\nset xlabel 't [s]'\n", gnuplot);
    if (trajectory->samples > 0)
        fprintf(gnuplot, "set xrange [%.9g:%.9g]\n", trajectory->sample[0].t,
                trajectory->sample[trajectory->samples - 1].t);
    motion_event_lines(gnuplot, trajectory);
    for (int k = 0, end; k < plot->choice->curves; k = end) {
        end = panel_end(plot, k);
        print_panel(gnuplot, plot, k, end);
    }
    fputs("unset multiplot\n", gnuplot);
}
