/*
 * figures.c - Verulkar, Sandu, Dopico, Sandu: Fig. 1, and the error over alpha
 */
#include "drawings/motion.h"
#include "papers/verulkar/verulkar.h"

static void draw_mechanism(FILE *gnuplot, const void *study)
{
    const struct rod *rod = study;
    mechanism_draw(gnuplot, rod->exact[DECLARED], NULL);
}

/* Both formulations, three components each: index-1 in lines, penalty in dashes. */
static void draw_both(FILE *gnuplot, const struct rod *rod, const char *list,
                      const char *const title[3], const char *label)
{
    motion_named_data(gnuplot, "exact", rod->exact[DECLARED], list);
    motion_named_data(gnuplot, "soft", rod->soft[DECLARED], list);
    fprintf(gnuplot, "set xlabel 'time [s]'\nset ylabel '%s'\nplot ", label);
    for (int i = 0; i < 3; i++)
        fprintf(gnuplot, "$exact using 1:%d with lines lt %d title '%s', ", i + 2, i + 1,
                title[i]);
    for (int i = 0; i < 3; i++)
        fprintf(gnuplot, "$soft using 1:%d with lines lc rgb '#e3b505' lw 1 dt 2 %s%s",
                i + 2, i < 2 ? "notitle" : "title 'penalty'", i < 2 ? ", " : "\n");
}

static void draw_position(FILE *gnuplot, const void *study)
{
    static const char *const title[] = {"x", "y", "z"};
    draw_both(gnuplot, study, "q.x_rod,q.y_rod,q.z_rod", title, "centre of the rod [m]");
}

static void draw_sensitivity(FILE *gnuplot, const void *study)
{
    static const char *const title[] = {"dx/dL", "dy/dL", "dz/dL"};
    draw_both(gnuplot, study, "dq.x_rod/dL_crank,dq.y_rod/dL_crank,dq.z_rod/dL_crank",
              title, "derivative by L_crank [1]");
}

static void draw_alpha(FILE *gnuplot, const void *study)
{
    const struct rod *rod = study;
    fputs("$rmse << END\n", gnuplot);
    for (int k = 0; k < DECADES; k++) {
        const double *with = rod->by_penalty[k].relative;
        fprintf(gnuplot, "%s %.6g %.6g %.6g %.6g\n", penalty_choice[k].alpha,
                100 * with[BY_RMS], 100 * with[BY_RANGE], 100 * with[BY_LARGEST],
                100 * rod->frictionless[k].relative[BY_RMS]);
    }
    fputs("END\nset logscale xy\nset format x '1e%T'\nset format y '1e%T'\n"
          "set xlabel 'alpha'\nset ylabel 'relative RMSE [%]'\n"
          "set label 'printed' at first 9e6, 0.5 right offset 0, 0.6 tc rgb '#6a6a6a'\n"
          "set key maxrows 1\n"
          "set arrow from graph 0, first 0.5 to graph 1, first 0.5 nohead ls 100\n"
          "plot $rmse using 1:2 with linespoints lt 1 title 'RMS', "
          "'' using 1:3 with linespoints lt 2 title 'range', "
          "'' using 1:4 with linespoints lt 3 title 'largest', "
          "'' using 1:5 with linespoints lt 4 title 'no friction'\n", gnuplot);
}

const struct figure verulkar_rod_figures[] = {
    {"verulkar-fig-1a", "Fig. 1a", "the mechanism and its motion",
     "Crank and rod in space at the start and later; the tip of the crank, the centre of "
     "the rod and the slider have gone a short way.", 0, 75, draw_mechanism},
    {"verulkar-fig-1b", "Fig. 1b", "position of the rod over time",
     "Three curves that change for a fifth of a second and stay where they are; dashes "
     "of the penalty formulation lie on all of them.", 0, 0, draw_position},
    {"verulkar-fig-1c", "Fig. 1c", "derivatives of the position of the rod by the length "
     "of the crank over time",
     "Three curves that change for a fifth of a second and stay where they are; dashes "
     "of the penalty formulation lie on all of them.", 0, 0, draw_sensitivity},
    {"verulkar-rmse", "Sec. 4", "error of the penalty formulation's sensitivities over "
     "alpha",
     "Four lines that fall by a decade for each decade of alpha: errors relative to RMS, "
     "range and largest value of the sensitivity, and, far above them, relative to its "
     "RMS without friction.", 0, 0, draw_alpha},
    {0}};
