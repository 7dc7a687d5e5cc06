/*
 * plot.c - a trajectory as commands for gnuplot: one panel each for coordinates,
 * velocities and the sensitivities of the coordinates by one parameter.
 *
 * The data stand in the commands themselves ($motion), in order of time, with both sides
 * of every event and an empty line between them: a jump is drawn as a gap and not as a
 * slope. A vertical line marks each event.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tables/report.h"

static void print_point(FILE *gnuplot, const struct trajectory *trajectory,
                        const struct run_point *point)
{
    const struct columns *columns = &trajectory->columns;
    fprintf(gnuplot, "%.9g", point->t);
    for (int c = 0; c < columns->count; c++)
        if (column_present(columns, c, point->mode) && isfinite(point->x[c]))
            fprintf(gnuplot, " %.9g", point->x[c]);
        else
            fputs(" NaN", gnuplot);
    fputc('\n', gnuplot);
}

static void print_data(FILE *gnuplot, const struct trajectory *trajectory)
{
    fputs("$motion << END\n", gnuplot);
    int next = 0;
    for (int k = 0; k < trajectory->samples; k++) {
        const struct run_point *sample = &trajectory->sample[k];
        for (; next < trajectory->events &&
               trajectory->event[next].before.t <= sample->t; next++) {
            print_point(gnuplot, trajectory, &trajectory->event[next].before);
            fputc('\n', gnuplot);
            print_point(gnuplot, trajectory, &trajectory->event[next].after);
        }
        print_point(gnuplot, trajectory, sample);
    }
    fputs("END\n", gnuplot);
}

/* Prints the curves of one group; j = -1: values, else derivatives by differentiated
   parameter j. */
static void print_panel(FILE *gnuplot, const struct trajectory *trajectory,
                        enum column_group group, int count, int j, const char *title)
{
    const struct columns *columns = &trajectory->columns;
    fprintf(gnuplot, "set ylabel \"%s\" noenhanced\nplot ", title);
    for (int i = 0; i < count; i++) {
        int c = column(columns, group, i, j);
        char name[80];
        column_name(columns, c, name, sizeof name);
        fprintf(gnuplot, "%s$motion using 1:%d with lines lw 1.6 lc %d "
                "title \"%s\" noenhanced", i ? ", " : "", c + 2, i + 1, name);
    }
    fputs("\n", gnuplot);
}

/* Prints every event as a thin line through all panels; a few hundred at most stay
   readable. */
static void print_event_lines(FILE *gnuplot, const struct trajectory *trajectory)
{
    for (int k = 0; k < trajectory->events && k < 400; k++)
        fprintf(gnuplot, "set arrow from first %.9g, graph 0 to first %.9g, graph 1 "
                "nohead lc rgb '#a0a0a0' lw 1 dt 2 back\n",
                trajectory->event[k].before.t, trajectory->event[k].before.t);
}

void report_plot(FILE *gnuplot, const struct trajectory *trajectory, int parameter)
{
    const struct columns *columns = &trajectory->columns;
    const struct model *model = columns->model;
    bool second_order = model->n > 0, sensitive = parameter >= 0;
    int panels = (second_order ? 2 : 1) + sensitive;
    enum column_group state = second_order ? GROUP_Q : GROUP_S;
    int count = second_order ? model->n : model->ns;

    fprintf(gnuplot, "set terminal svg size 1000,%d font 'DejaVu Sans,13' "
            "background rgb 'white'\n", 60 + 280 * panels);
    print_data(gnuplot, trajectory);
    fprintf(gnuplot, "set multiplot layout %d,1 title \"%s: %s\" noenhanced\n", panels,
            model->desc->name, model->desc->title);
    fputs("set key outside right top\nset lmargin 11\nset rmargin 20\n"
          "set grid lc rgb '#e0e0e0'\nset border lc rgb '#606060'\n"
          "set xlabel 't [s]'\n", gnuplot);
    if (trajectory->samples > 0)
        fprintf(gnuplot, "set xrange [%.9g:%.9g]\n", trajectory->sample[0].t,
                trajectory->sample[trajectory->samples - 1].t);
    print_event_lines(gnuplot, trajectory);

    print_panel(gnuplot, trajectory, state, count, -1, second_order ? "q" : "s");
    if (second_order)
        print_panel(gnuplot, trajectory, GROUP_V, count, -1, "v");
    if (sensitive) {
        char title[80];
        snprintf(title, sizeof title, "d%s/d%.60s", second_order ? "q" : "s",
                 model->parameter[columns->parameter[parameter]].name);
        print_panel(gnuplot, trajectory, state, count, parameter, title);
    }
    fputs("unset multiplot\n", gnuplot);
}
