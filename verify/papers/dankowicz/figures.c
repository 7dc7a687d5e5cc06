/*
 * figures.c - figures of the zero problem of Dankowicz (dankowicz.h)
 */
#include <string.h>

#include "papers/dankowicz/dankowicz.h"

/* --- the motion --------------------------------------------------------------------- */

static void put(FILE *gnuplot, const double *x)
{
    fprintf(gnuplot, "%.9g %.9g\n", x[0], x[1]);
}

/* The motion by time, broken at the impact. */
static void print_motion(FILE *gnuplot, const struct orbit *orbit)
{
    int e = 0;
    fputs("$motion << END\n", gnuplot);
    put(gnuplot, orbit->node[0].x);
    for (int k = 0; k < orbit->samples; k++) {
        for (; e < orbit->events && orbit->event[e].t < orbit->sample[k].t; e++) {
            put(gnuplot, orbit->event[e].before);
            if (orbit->event[e].before[1] != orbit->event[e].after[1])
                fputc('\n', gnuplot);
            put(gnuplot, orbit->event[e].after);
        }
        put(gnuplot, orbit->sample[k].x);
    }
    fputs("END\n", gnuplot);
}

static const struct orbit_event *event_named(const struct orbit *orbit, const char *name)
{
    int e = 0;
    while (strcmp(orbit->event[e].event->name, name) != 0)
        e++;
    return &orbit->event[e];
}

static void draw_orbit(FILE *gnuplot, const void *study)
{
    const struct orbit *orbit = ((const struct dankowicz_study *)study)->portrait;
    print_motion(gnuplot, orbit);
    for (int e = 0; e < orbit->events; e++) {
        const struct orbit_event *event = &orbit->event[e];
        fprintf(gnuplot, "$%s << END\n", event->event->name);
        put(gnuplot, event->before);
        put(gnuplot, event->after);
        fputs("END\n", gnuplot);
    }
    double wall = event_named(orbit, "impact")->after[0];
    fprintf(gnuplot, "set xlabel 'x [m]'\nset ylabel 'dx/dt [m/s]'\n"
            "set xrange [*:%.9g]\nset arrow from %.9g, graph 0 to %.9g, graph 1 nohead "
            "ls 100\nset label 'wall' at %.9g, 0 left offset 0.5, 0\n"
            "plot $motion using 1:2 with lines lt 1 title 'motion', \\\n"
            "     $impact using 1:2 with linespoints lt 2 pt 7 dt 2 title 'impact', "
            "\\\n     $phase using 1:2 with points lt 3 pt 5 ps 0.7 title 'phase', "
            "\\\n     $turning using 1:2 with points lt 4 pt 9 ps 0.9 "
            "title 'turning'\n", 1.5 * wall, wall, wall, wall);
}

/* --- Newton's method ---------------------------------------------------------------- */

static void print_history(FILE *gnuplot, const char *name,
                          const struct newton_history *history)
{
    fprintf(gnuplot, "$%s << END\n", name);
    for (int k = 0; k < history->points; k++)
        fprintf(gnuplot, "%d %.6g\n", k, history->residual[k]);
    fputs("END\n", gnuplot);
}

static void draw_newton(FILE *gnuplot, const void *study)
{
    const struct solved_problem *system = ((const struct dankowicz_study *)study)->system;
    print_history(gnuplot, "oscillator", &system[DK_OSCILLATOR].newton);
    print_history(gnuplot, "wheel", &system[DK_WHEEL].newton);
    print_history(gnuplot, "oscillator_fixed", &system[DK_OSCILLATOR].fixed_time);
    print_history(gnuplot, "wheel_fixed", &system[DK_WHEEL].fixed_time);
    fputs("set logscale y\nset format y '%.0e'\n"
          "set xlabel 'step of Newton''s method'\n"
          "set ylabel 'largest |F| [m, m/s, rad]'\n"
          "set xtics 2\nset yrange [1e-16:1e3]\nset key maxcols 2 width -2\n"
          "plot $oscillator with linespoints lt 1 pt 7 title 'oscillator', \\\n"
          "     $oscillator_fixed with linespoints lt 1 pt 6 dt 2 "
          "title 'oscillator, without projection', \\\n"
          "     $wheel with linespoints lt 2 pt 5 title 'wheel', \\\n"
          "     $wheel_fixed with linespoints lt 2 pt 4 dt 2 "
          "title 'wheel, without projection'\n", gnuplot);
}

const struct figure dankowicz_figures[] = {
    {"dankowicz-orbit", "ours", "the periodic motion of (12) in the phase plane",
     "A closed curve, cut off on the right by the wall, where the velocity jumps from "
     "positive to negative; the event of the phase lies shortly before the impact, that "
     "of turning at the left end.", 0, 66, draw_orbit},
    {"dankowicz-newton", "ours", "residuals of Newton's method with F_x of (22), (23)",
     "Two curves fall ever more steeply to rounding within six steps; without the "
     "projection in (23) one grows and leaves the picture, the other one stays where it "
     "began.", 0, 66, draw_newton},
    {0}};
