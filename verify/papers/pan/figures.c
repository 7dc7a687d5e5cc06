/*
 * figures.c - the figures of Pan, Ding, Wang 2004, from the declared start
 * (arm.h)
 */
#include "drawings/motion.h"
#include "papers/pan/arm.h"

/* The pin, the elbow and the tip at a point, as a broken line; centres are halfway. */
static void print_arm(FILE *gnuplot, const struct trajectory *run, int sample)
{
    static const char *const name[] = {"q.x1", "q.y1", "q.x2", "q.y2"};
    double r[4];
    for (int k = 0; k < 4; k++)
        r[k] = 2 * run->sample[sample].x[paper_column(run, name[k])];
    fprintf(gnuplot, "0 0\n%.6g %.6g\n%.6g %.6g\n\n", r[0], r[1], r[2] - r[0],
            r[3] - r[1]);
}

static void draw_arm(FILE *gnuplot, const void *study)
{
    const struct arm *arm = study;
    const struct trajectory *run = arm->drawn.trajectory;
    fputs("$start << END\n", gnuplot);
    print_arm(gnuplot, run, 0);
    fputs("END\n$later << END\n", gnuplot);
    for (int k = 1; k < run->samples; k++)
        print_arm(gnuplot, run, k);
    fprintf(gnuplot, "END\nset size ratio -1\nset xlabel 'x [m]'\nset ylabel 'y [m]'\n"
            "set xrange [-0.2:2.4]\nset yrange [-1.6:1.1]\n"
            "plot $later with linespoints lt 1 lw 0.8 pt 7 ps 0.3 "
            "title 'later, every %.2g s', \\\n"
            "$start with linespoints lt 3 lw 2.5 pt 7 ps 0.6 title 'at the start'\n",
            run->sample[1].t);
}

static void draw_tip(FILE *gnuplot, const void *study)
{
    const struct arm *arm = study;
    motion_named_data(gnuplot, "motion", arm->index1.run.trajectory,
                      "q.x1,q.y1,q.x2,q.y2");
    fputs("set size ratio -1\nset xlabel 'x [m]'\nset ylabel 'y [m]'\nunset key\n"
          "plot $motion using (2*($4 - $2)):(2*($5 - $3)) with lines lt 1\n", gnuplot);
}

static void draw_derivative(FILE *gnuplot, const struct arm *arm, const char *name,
                            const char *label)
{
    motion_named_data(gnuplot, "motion", arm->index1.run.trajectory, name);
    fprintf(gnuplot, "set xlabel 'time [s]'\nset ylabel '%s'\nunset key\n"
            "set xzeroaxis ls 100\nplot $motion using 1:2 with lines lt 1\n", label);
}

static void draw_y1(FILE *gnuplot, const void *study)
{
    draw_derivative(gnuplot, study, "dq.y1/dl1", "dy1/dl1 [1]");
}

static void draw_th1(FILE *gnuplot, const void *study)
{
    draw_derivative(gnuplot, study, "dq.th1/dm1", "dth1/dm1 [rad/kg]");
}

const struct figure pan_figures[] = {
    {"pan-fig-1", "Fig. 1", "the arm at the declared start and while it falls",
     "Two bars from the pin at the origin to a tip at (2, 0), the elbow above; five "
     "later positions, in which the arm falls and the tip goes down to the left of "
     "its start.",
     0, 86, draw_arm},
    {"pan-fig-2", "Fig. 2", "track of the tip over 4.4 s, from the declared start",
     "One curve from (2, 0) down to a corner near (1.75, -2.1), along the bottom and in "
     "loops over the top, which nearly mirror each other, to a corner near (-1.4, -2.35) "
     "and up to its end near (-2.25, -0.15).",
     0, 76, draw_tip},
    {"pan-fig-3", "Fig. 3", "derivative of y1 by l1 over time, from the declared start",
     "One curve that begins near 0.4, stays within 3 for 2.6 s and then swings between "
     "10 and -21.", 0, 0, draw_y1},
    {"pan-fig-4", "Fig. 4", "derivative of th1 by m1 over time, from the declared start",
     "One curve that stays near zero for 2 s and then swings with growing height, from "
     "-8 at 3.5 s to 11 at 3.9 s.", 0, 0, draw_th1},
    {0}};
