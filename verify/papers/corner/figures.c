/*
 * figures.c - Corner, Sandu, Sandu 2019, Figs. 4 to 7 (corner.h)
 *
 * Analytic derivatives are drawn in colours, with both sides of every event; central
 * differences are dashed and go through their spikes.
 */
#include <math.h>

#include "drawings/motion.h"
#include "papers/corner/corner.h"

static const struct trajectory *motion_of(const void *study, int attachment)
{
    return ((const struct case_study *)study)->bars[attachment].run.trajectory;
}

/* --- Figs. 4 and 6: values ---------------------------------------------------------- */

static void draw_both(FILE *gnuplot, const void *study, const char *column,
                      const char *label, const char *also)
{
    motion_named_data(gnuplot, "first", motion_of(study, 0), column);
    motion_named_data(gnuplot, "second", motion_of(study, 1), column);
    fprintf(gnuplot, "set xlabel 'time [s]'\nset ylabel '%s'\n"
            "set offsets graph 0, 0, 0.03, 0.03\n"
            "plot $first using 1:2 with lines lt 1 title 'springs on %s', "
            "$second using 1:2 with lines lt 2 title 'springs on %s'%s\n", label,
            corner_attachment[0].springs, corner_attachment[1].springs, also);
}

static void draw_y2(FILE *gnuplot, const void *study)
{
    draw_both(gnuplot, study, "q.y2", "y2 [m]", ", -2.35 with lines ls 100 notitle");
}

static void draw_vy2(FILE *gnuplot, const void *study)
{
    draw_both(gnuplot, study, "v.y2", "vy2 [m/s]", "");
}

static void draw_fall(FILE *gnuplot, const void *study)
{
    const struct trajectory *motion = motion_of(study, 0);
    motion_named_data(gnuplot, "motion", motion, "z.fall,q.y2");
    motion_event_lines(gnuplot, motion);
    fprintf(gnuplot, "set xlabel 'time [s]'\nset ylabel 'length [m]'\n"
            "plot $motion using 1:2 with lines lt 1 title 'z, integral of vy2', "
            "$motion using 1:($3 + %.9g) with lines lt 3 dt 2 title 'y2 - y2(0)'\n",
            -motion->sample[0].x[paper_column(motion, "q.y2")]);
}

static void draw_jerk(FILE *gnuplot, const void *study)
{
    motion_named_data(gnuplot, "motion", motion_of(study, 0), "z.jerk,v.y2");
    motion_event_lines(gnuplot, motion_of(study, 0));
    fputs("set xlabel 'time [s]'\nset ylabel 'velocity [m/s]'\n"
          "plot $motion using 1:2 with lines lt 1 title 'z, integral of ay2', "
          "$motion using 1:3 with lines lt 2 title 'vy2'\n", gnuplot);
}

/* --- Figs. 5 and 7: derivatives ----------------------------------------------------- */

/* A quantity of which derivatives are drawn. */
struct derived {
    const char *value;          /* column of the values */
    const char *by_lengths;     /* columns of the derivatives */
    const char *label;
};

static const struct derived y2 = {"q.y2", "dq.y2/dL01,dq.y2/dL02", "dy2/drho [1]"};
static const struct derived vy2 = {"v.y2", "dv.y2/dL01,dv.y2/dL02", "dvy2/drho [1/s]"};
static const struct derived fall = {"z.fall", "dz.fall/dL01,dz.fall/dL02", "dz/drho [1]"};
static const struct derived jerk = {"z.jerk", "dz.jerk/dL01,dz.jerk/dL02",
                                    "dz/drho [1/s]"};

/* Writes blocks $analytic and $difference: time, by L01, by L02; between twins a
   difference is that of its spike. */
static void write_derived(FILE *gnuplot, const struct bars *bars,
                          const struct derived *derived)
{
    const struct trajectory *motion = bars->run.trajectory;
    int c = paper_column(motion, derived->value);
    motion_named_data(gnuplot, "analytic", motion, derived->by_lengths);
    fputs("$difference << END\n", gnuplot);
    for (int k = 1; k < motion->samples; k++) {
        fprintf(gnuplot, "%.12g", motion->sample[k].t);
        for (int j = 0; j < LENGTHS; j++)
            fprintf(gnuplot, " %.9g", corner_difference(bars, j, k, c));
        fputc('\n', gnuplot);
    }
    fputs("END\n", gnuplot);
}

/* Sets the range of the derivatives themselves: the spikes leave it. */
static void limit_range(FILE *gnuplot)
{
    fputs("stats $analytic using 2 nooutput name 'one'\n"
          "stats $analytic using 3 nooutput name 'two'\n"
          "low = one_min < two_min ? one_min : two_min\n"
          "high = one_max > two_max ? one_max : two_max\n"
          "set yrange [low - 0.1*(high - low):high + 0.1*(high - low)]\n", gnuplot);
}

static void plot_derived(FILE *gnuplot, const struct derived *derived)
{
    fprintf(gnuplot, "set xlabel 'time [s]'\nset ylabel '%s'\n"
            "plot $analytic using 1:2 with lines lt 1 title 'by L01', "
            "$analytic using 1:3 with lines lt 2 title 'by L02', "
            "$difference using 1:2 with lines lt 3 dt 2 lw 0.9 title 'differences', "
            "$difference using 1:3 with lines lt 3 dt 2 lw 0.9 notitle\n",
            derived->label);
}

static void draw_derived(FILE *gnuplot, const void *study, const struct derived *derived)
{
    write_derived(gnuplot, &((const struct case_study *)study)->bars[0], derived);
    limit_range(gnuplot);
    plot_derived(gnuplot, derived);
}

static void draw_dy2(FILE *gnuplot, const void *study)
{
    draw_derived(gnuplot, study, &y2);
}

static void draw_dfall(FILE *gnuplot, const void *study)
{
    draw_derived(gnuplot, study, &fall);
}

static void draw_djerk(FILE *gnuplot, const void *study)
{
    draw_derived(gnuplot, study, &jerk);
}

/* The whole motion, and below it the spike of the first event. Its time axis is in units
   of |dt_e/dL01| drho. */
static void draw_dvy2(FILE *gnuplot, const void *study)
{
    const struct bars *bars = &((const struct case_study *)study)->bars[0];
    const struct event_record *event = &bars->run.trajectory->event[0];
    double width = fabs(event->tau[0]) * corner_drho;
    write_derived(gnuplot, bars, &vy2);
    fputs("set multiplot layout 2, 1\nset lmargin 8\nset key samplen 1.5 width -2\n",
          gnuplot);
    limit_range(gnuplot);
    plot_derived(gnuplot, &vy2);
    fprintf(gnuplot, "set xlabel '(t - t_e)/(|dt_e/dL01| drho), first event'\n"
            "set ylabel 'dvy2/dL01 [1e4/s]'\nset yrange [*:*]\nset xrange [-1:1]\n"
            "x(t) = (t - %.12g)/%.9g\n"
            "plot $analytic using (x($1)):($2/1e4) with lines lt 1 title 'by L01', "
            "$difference using (x($1)):($2/1e4) with lines lt 3 dt 2 title "
            "'differences'\nunset multiplot\n", event->before.t, width);
}

/* --- the table ---------------------------------------------------------------------- */

const struct figure corner_figures[] = {
    {"corner-fig-4a", "Fig. 4a", "height of point 2 over time, both attachments",
     "Two curves that touch the dotted ground at -2.35 m and turn up there in a corner, "
     "three times with springs on 1-B and 2-B, nine times with springs on 3-A and 2-B.",
     0, 0, draw_y2},
    {"corner-fig-4b", "Fig. 4b",
     "vertical velocity of point 2 over time, both attachments",
     "Two curves, each broken at its impacts, where it goes on at the opposite value.", 0,
     0, draw_vy2},
    {"corner-fig-5a", "Fig. 5a", "derivatives of y2 by both natural lengths over time",
     "Two curves that jump at the three impacts, the one by L02 much larger; dashed "
     "central differences lie on both.", 0, 0, draw_dy2},
    {"corner-fig-5b", "Fig. 5b", "derivatives of vy2 by both natural lengths over time",
     "Above, two curves that jump at the three impacts; dashed central differences lie "
     "on them, but leave the picture upwards or downwards at each impact. Below, the "
     "first impact: the difference is a block as wide as the time between the impacts of "
     "both perturbed runs, thousands of times as high as the derivative.", 0, 110,
     draw_dvy2},
    {"corner-fig-6a", "Fig. 6a", "integral of vy2 over time, beside y2",
     "One curve, with the dashed y2 - y2(0) on it.", 0, 0, draw_fall},
    {"corner-fig-6b", "Fig. 6b", "integral of ay2 over time, beside vy2",
     "A continuous curve that falls below the velocity, which jumps up at each impact; "
     "between impacts both have one shape.", 0, 0, draw_jerk},
    {"corner-fig-7a", "Fig. 7a", "derivatives of the integral of vy2 over time",
     "The two curves of Fig. 5a, with dashed central differences on them.", 0, 0,
     draw_dfall},
    {"corner-fig-7b", "Fig. 7b", "derivatives of the integral of ay2 over time",
     "Two curves with a corner at each of the three impacts, where their jumps are too "
     "small to be seen; dashed central differences lie on them and have no spikes.", 0, 0,
     draw_djerk},
    {0}};
