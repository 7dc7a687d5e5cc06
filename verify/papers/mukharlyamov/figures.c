/*
 * figures.c - figures of the arm of Mukharlyamov, Deressa 2014
 */
#include "papers/mukharlyamov/mukharlyamov.h"

#include <math.h>

/* --- data --------------------------------------------------------------------------- */

/* A sheet with the parameters of a run. Figures are drawn in threads of their own, and
   cannot share that of the study. */
static struct arm_sheet *sheet_of(const struct paper_run *run)
{
    struct arm_sheet *sheet = arm_sheet_new();
    arm_sheet_like(sheet, run);
    return sheet;
}

/* Writes the data block $run: time, q1, q2, |Theta1|, |Theta2|. */
static void motion_block(FILE *gnuplot, const struct paper_run *run)
{
    double value[ARM_COSTS];
    const struct trajectory *trajectory = run->trajectory;
    struct arm_sheet *sheet = sheet_of(run);
    fputs("$run << END\n", gnuplot);
    for (int k = 0; k < trajectory->samples; k++) {
        const struct run_point *point = &trajectory->sample[k];
        arm_values_at(sheet, trajectory, point, value);
        fprintf(gnuplot, "%.9g %.9g %.9g %.6g %.6g\n", point->t, point->x[0], point->x[1],
                fabs(value[THETA]), fabs(value[THETA + 1]));
    }
    fputs("END\n", gnuplot);
    arm_sheet_free(sheet);
}

static void exact_block(FILE *gnuplot, const struct arm_exact *exact, double t_end)
{
    fputs("$exact << END\n", gnuplot);
    for (int k = 0; k < exact->samples && exact->sample[k].t <= t_end; k++)
        fprintf(gnuplot, "%.9g %.9g %.9g\n", exact->sample[k].t, exact->sample[k].q[0],
                exact->sample[k].q[1]);
    fputs("END\n", gnuplot);
}

static void vertical(FILE *gnuplot, double t)
{
    fprintf(gnuplot, "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead "
            "ls 100\n", t, t);
}

/* --- the arm ------------------------------------------------------------------------ */

void mukharlyamov_draw_arm(FILE *gnuplot, const void *study)
{
    const struct baumgarte_study *own = study;
    int last = own->exact.samples - 1;
    fputs("$arm << END\n", gnuplot);
    for (int k = 0; k <= 6; k++) {
        const double *q = own->exact.sample[last * k / 6].q;
        double elbow[2] = {cos(q[0]), sin(q[0])};
        fprintf(gnuplot, "0 0\n%.6g %.6g\n%.6g %.6g\n\n", elbow[0], elbow[1],
                elbow[0] + cos(q[0] + q[1]) / 2, elbow[1] + sin(q[0] + q[1]) / 2);
    }
    fputs("END\nset xlabel 'x [m]'\nset ylabel 'y [m]'\nset size ratio -1\nunset key\n"
          "set yrange [-0.1:1.15]\nset xrange [-1.6:0.6]\n"
          "set arrow from graph 0, first 0.5 to graph 1, first 0.5 nohead ls 100\n"
          "plot $arm using 1:2 with linespoints lt 1 pt 7 ps 0.4\n", gnuplot);
}

/* --- runs --------------------------------------------------------------------------- */

/* Angles above, residuals below, from $run and $exact. */
static void two_panels(FILE *gnuplot, double t_end, const char *residuals)
{
    fprintf(gnuplot, "set multiplot layout 2, 1\nset xrange [0:%g]\n", t_end);
    fputs("set xlabel 'time [s]'\nset ylabel 'angle [rad]'\nset ytics 1\nset lmargin 10\n"
          "plot $run using 1:2 with lines lt 1 title 'q1', "
          "$run using 1:3 with lines lt 2 title 'q2', "
          "$exact using 1:2 with lines lt 3 dt 2 title 'exact', "
          "$exact using 1:3 with lines lt 3 dt 2 notitle\n"
          "set logscale y\nset format y '1e%T'\nset ylabel 'residual [m]'\n", gnuplot);
    fprintf(gnuplot, "set yrange [%s]\n", residuals);
    fputs("set ytics auto\nplot $run using 1:($4 > 0 ? $4 : NaN) with lines lt 1 "
          "title '|Theta1|', "
          "$run using 1:($5 > 0 ? $5 : NaN) with lines lt 2 title '|Theta2|'\n"
          "unset multiplot\n", gnuplot);
}

void mukharlyamov_draw_baumgarte(FILE *gnuplot, const void *study)
{
    const struct baumgarte_study *own = study;
    motion_block(gnuplot, &own->printed);
    exact_block(gnuplot, &own->exact, 0.8);
    vertical(gnuplot, own->printed.diagnosis.t);
    two_panels(gnuplot, 0.8, "1e-9:1e-4");
}

static void draw_case(FILE *gnuplot, const struct modified_study *own, int k)
{
    motion_block(gnuplot, &own->own[k]);
    exact_block(gnuplot, &own->exact, INFINITY);
    vertical(gnuplot, arm_folded(own->own[k].model, own->own[k].value));
    vertical(gnuplot, arm_stretched(own->own[k].model, own->own[k].value));
    two_panels(gnuplot, own->own[k].request.t_end, "1e-6:1");
}

void mukharlyamov_draw_case_1(FILE *gnuplot, const void *study)
{
    draw_case(gnuplot, study, 0);
}

void mukharlyamov_draw_case_2(FILE *gnuplot, const void *study)
{
    draw_case(gnuplot, study, 1);
}

void mukharlyamov_draw_case_3(FILE *gnuplot, const void *study)
{
    draw_case(gnuplot, study, 2);
}

/* --- over alpha --------------------------------------------------------------------- */

void mukharlyamov_draw_plateau(FILE *gnuplot, const void *study)
{
    const struct modified_study *own = study;
    fputs("$alpha << END\n", gnuplot);
    for (int k = 0; k < ALPHAS; k++) {
        const struct trajectory *trajectory = own->near[k].trajectory;
        struct arm_sheet *sheet = sheet_of(&own->near[k]);
        fprintf(gnuplot, "1e%d %.6g %.6g %.6g\n", k + 1,
                arm_residual(sheet, trajectory, -1, folded_time[0], folded_time[1]),
                arm_residual(sheet, trajectory, 0, plateau_time[0], plateau_time[1]),
                arm_residual(sheet, trajectory, 1, plateau_time[0], plateau_time[1]));
        arm_sheet_free(sheet);
    }
    fputs("END\nset logscale xy\nset format xy '1e%T'\nset xlabel 'alpha [1]'\n"
          "set ylabel 'largest residual [m]'\n"
          "plot $alpha using 1:2 with linespoints lt 1 title 'until 1 s, folded', "
          "$alpha using 1:3 with linespoints lt 2 title '|Theta1| later', "
          "$alpha using 1:4 with linespoints lt 3 title '|Theta2| later'\n", gnuplot);
}

void mukharlyamov_draw_steps(FILE *gnuplot, const void *study)
{
    const struct modified_study *own = study;
    fputs("$steps << END\n", gnuplot);
    for (int k = 0; k < ALPHAS; k++)
        if (k < BEYOND)
            fprintf(gnuplot, "1e%d %ld %ld\n", k + 1, own->near[k].trajectory->steps,
                    own->beyond[k].trajectory->steps);
        else
            fprintf(gnuplot, "1e%d %ld NaN\n", k + 1, own->near[k].trajectory->steps);
    fputs("END\nset logscale xy\nset format xy '1e%T'\nset xlabel 'alpha [1]'\n"
          "set ylabel 'steps [1]'\n"
          "plot $steps using 1:2 with linespoints lt 1 title 'until 2.5 s', "
          "$steps using 1:3 with linespoints lt 2 title 'until 4.07 s'\n", gnuplot);
}
