/*
 * orbit_plot.c - phase portrait and multipliers of a periodic motion, by gnuplot
 * (orbit_report.h)
 */
#include "orbits/orbit_report.h"

/* More curves would be a thicket. */
enum { MOST_CURVES = 6 };

/* The components drawn against each other by curve k: those asked for; else velocities
   over coordinates, or, where there are none, the second state over the first. */
static void components(const struct orbit_report *report, int k, int *x, int *y)
{
    const struct model *model = report->request->run.model;
    int first = 2 * model->n;
    *x = report->x >= 0 ? report->x : model->n > 0 ? k : first;
    *y = report->x >= 0 ? report->y : model->n > 0 ? model->n + k : first + 1;
}

static int curves_of(const struct orbit_report *report)
{
    const struct model *model = report->request->run.model;
    int curves = report->x >= 0 || model->n == 0 ? 1 : model->n;
    return curves < MOST_CURVES ? curves : MOST_CURVES;
}

/* The place from which a component is measured. Components that advance together are
   measured from the first of them at the first node, which is somewhere along the way. */
static double origin_of(const struct orbit_report *report, int component)
{
    const int *drift = report->request->drift;
    int first = 0;
    if (!drift || drift[component] < 0)
        return 0;
    while (drift[first] != drift[component])
        first++;
    return report->orbit->node[0].x[first];
}

static void put(FILE *gnuplot, const struct orbit_report *report, const double *state,
                int x, int y)
{
    fprintf(gnuplot, "%.9g %.9g\n", state[x] - origin_of(report, x),
            state[y] - origin_of(report, y));
}

/* The motion by time, broken at events, whose times are compared with those of samples in
   the order of both. */
static void print_motion(FILE *gnuplot, const struct orbit_report *report, int x, int y)
{
    const struct orbit *orbit = report->orbit;
    int e = 0;
    put(gnuplot, report, orbit->node[0].x, x, y);
    for (int k = 0; k < orbit->samples; k++) {
        for (; e < orbit->events && orbit->event[e].t < orbit->sample[k].t; e++) {
            put(gnuplot, report, orbit->event[e].before, x, y);
            fputc('\n', gnuplot);
            put(gnuplot, report, orbit->event[e].after, x, y);
        }
        put(gnuplot, report, orbit->sample[k].x, x, y);
    }
}

static void print_jumps(FILE *gnuplot, const struct orbit_report *report, int x, int y)
{
    const struct orbit *orbit = report->orbit;
    for (int e = 0; e < orbit->events; e++) {
        put(gnuplot, report, orbit->event[e].before, x, y);
        put(gnuplot, report, orbit->event[e].after, x, y);
        fputs("\n\n", gnuplot);
    }
}

static void print_data(FILE *gnuplot, const struct orbit_report *report)
{
    const struct orbit *orbit = report->orbit;
    for (int k = 0; k < curves_of(report); k++) {
        int x, y;
        components(report, k, &x, &y);
        fprintf(gnuplot, "$motion%d << END\n", k);
        print_motion(gnuplot, report, x, y);
        fprintf(gnuplot, "END\n$jump%d << END\n", k);
        print_jumps(gnuplot, report, x, y);
        fputs("END\n", gnuplot);
    }
    fputs("$multiplier << END\n", gnuplot);
    for (int i = 0; i < orbit->multipliers; i++)
        if (!orbit->trivial[i])
            fprintf(gnuplot, "%.9g %.9g\n", creal(orbit->multiplier[i]),
                    cimag(orbit->multiplier[i]));
    fputs("END\n", gnuplot);
}

static void print_portrait(FILE *gnuplot, const struct orbit_report *report)
{
    const struct model *model = report->request->run.model;
    int curves = curves_of(report), x, y;
    char name_x[60], name_y[60];
    components(report, 0, &x, &y);
    orbit_report_name(model, x, name_x, sizeof name_x);
    orbit_report_name(model, y, name_y, sizeof name_y);
    fprintf(gnuplot, "set xlabel '%s' noenhanced\nset ylabel '%s' noenhanced\n",
            curves == 1 ? name_x : "coordinate", curves == 1 ? name_y : "velocity");
    fprintf(gnuplot, "%s\nplot ", curves == 1 ? "unset key"
                                  : "set key outside top center horizontal");
    for (int k = 0; k < curves; k++) {
        components(report, k, &x, &y);
        orbit_report_name(model, x, name_x, sizeof name_x);
        fprintf(gnuplot, "%s$motion%d with lines lt %d title '%s' "
                "noenhanced, $jump%d with linespoints lt %d lw 1 dt 3 pt 7 notitle",
                k > 0 ? ", " : "", k, k + 1, name_x, k, k + 1);
    }
    fputc('\n', gnuplot);
}

void orbit_report_plot(FILE *gnuplot, const struct orbit_report *report)
{
    const struct model *model = report->request->run.model;
    print_data(gnuplot, report);
    fprintf(gnuplot, "set multiplot layout 1,2 title '%s: period %.6g' noenhanced\n",
            model->desc->name, report->orbit->period);
    print_portrait(gnuplot, report);
    double most = 1.2 * orbit_report_largest(report->orbit);
    most = most > 1.2 ? most : 1.2;
    fprintf(gnuplot, "set size ratio -1\nunset key\nset parametric\n"
            "set xrange [-%.4g:%.4g]\nset yrange [-%.4g:%.4g]\nset trange [0:2*pi]\n"
            "set xlabel 'multipliers: real part'\nset ylabel 'imaginary part'\n"
            "plot cos(t), sin(t) with lines ls 100, \\\n"
            "     $multiplier with points lt 2 pt 7 ps 0.8\n"
            "unset multiplot\n", most, most, most, most);
}
