/*
 * penalty.c - Corner, Sandu, Sandu 2019, Fig. 3b: residuals of the constraints by
 * the penalty factor, which is not printed (corner.h)
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "papers/corner/corner.h"
#include "papers/finding.h"
#include "papers/match.h"
#include "papers/probe.h"

static const char *const decade[] = {"1e3", "1e4", "1e5", "1e6", "1e7", "1e8"};
enum { DECADES = sizeof decade / sizeof *decade };
enum { POSITION, VELOCITY, LEVELS };

struct sweep {
    struct paper_run run[ATTACHMENTS][DECADES];
    double residual[LEVELS][DECADES];   /* largest along the runs, of both attachments */
};

static enum status open_sweep(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct sweep *sweep = *study = memory_new(1, sizeof *sweep);
    for (int a = 0; a < ATTACHMENTS; a++)
        for (int k = 0; k < DECADES; k++) {
            struct paper_run *run = &sweep->run[a][k];
            paper_run_init(run, corner_attachment[a].case_name, "penalty", 600, "");
            paper_run_option(run, "alpha", decade[k]);
            if (paper_run_go(run) != OK)
                return paper_run_why(run, why, size);
            double *Phi = &sweep->residual[POSITION][k];
            double *Phid = &sweep->residual[VELOCITY][k];
            *Phi = fmax(*Phi, run->trajectory->worst_Phi);
            *Phid = fmax(*Phid, run->trajectory->worst_Phid);
        }
    return OK;
}

static void close_sweep(void *study)
{
    struct sweep *sweep = study;
    for (int a = 0; a < ATTACHMENTS; a++)
        for (int k = 0; k < DECADES; k++)
            paper_run_clear(&sweep->run[a][k]);
    free(sweep);
}

/* --- claims ------------------------------------------------------------------------- */

static void judge_residual(const void *study, const struct claim *claim,
                           struct finding *finding)
{
    const double *residual = ((const struct sweep *)study)->residual[claim->subject];
    double bound = strtod(claim->printed, NULL);
    int held = 0;
    for (int k = DECADES; k-- > 0 && residual[k] <= bound;)
        held++;
    int first = DECADES - held;
    finding_in_choices(finding, held, DECADES, residual[held > 0 ? first : first - 1]);
    finding_tell(finding, "The options alpha, xi and omega are not printed; xi = 1 and "
                 "omega = 10 1/s are declared.");
    if (held > 0)
        finding_tell(finding, "The claim holds from alpha = %s on.", decade[first]);
    finding_tell(finding, "Largest residual of both attachments by alpha:");
    for (int k = 0; k < DECADES; k++)
        finding_tell(finding, "%s %.2g%s", decade[k], residual[k],
                     k + 1 < DECADES ? "," : ".");
    finding_tell(finding, "Observed order in 1/alpha: %.3f.",
                 observed_order(residual[DECADES - 2], residual[DECADES - 1], 10));
}

static const struct claim claims[] = {
    {"Fig. 3b", "position constraints are satisfied within", "1e-6", "m^2",
     judge_residual, POSITION},
    {"Fig. 3b", "velocity constraints are satisfied within", "1e-5", "m^2/s",
     judge_residual, VELOCITY},
    {0}};

/* --- figure ------------------------------------------------------------------------- */

/* Phi, then Phid, [m] each. */
static void print_residuals(FILE *gnuplot, const struct columns *columns,
                            const struct run_point *point, struct probe *at, double *Phi)
{
    int m = point->mode->m;
    probe_at(at, columns, point);
    probe_evaluate(at, Phi, NULL);
    fprintf(gnuplot, "%.9g %.4g %.4g\n", point->t, largest_size(Phi, m),
            largest_size(Phi + m, m));
}

static void print_motion(FILE *gnuplot, const struct trajectory *motion)
{
    const struct mode *mode = motion->sample[0].mode;
    int m = mode->m, next = 0;
    formula *f = memory_new(2 * m, sizeof *f);
    double *Phi = memory_new(2 * m, sizeof *Phi);
    struct probe at;
    memory_copy(f, mode->Phi, m, sizeof *f);
    memory_copy(f + m, mode->Phid, m, sizeof *f);
    probe_init(&at, motion->columns.model, motion->value, f, 2 * m);
    fputs("$residual << END\n", gnuplot);
    for (int k = 1; k < motion->samples; k++) {
        const struct run_point *sample = &motion->sample[k];
        for (; next < motion->events && motion->event[next].before.t <= sample->t;
             next++) {
            print_residuals(gnuplot, &motion->columns, &motion->event[next].before, &at,
                            Phi);
            fputc('\n', gnuplot);
        }
        print_residuals(gnuplot, &motion->columns, sample, &at, Phi);
    }
    fputs("END\n", gnuplot);
    probe_clear(&at);
    free(f);
    free(Phi);
}

static void draw_residuals(FILE *gnuplot, const void *study)
{
    const struct sweep *sweep = study;
    int k = 0;
    while (strtod(decade[k], NULL) < strtod(CORNER_ALPHA, NULL))
        k++;
    print_motion(gnuplot, sweep->run[0][k].trajectory);
    fputs("set logscale y\nset format y '%.0e'\nset yrange [1e-10:1e-4]\n"
          "set xlabel 'time [s]'\nset ylabel 'largest residual'\n"
          "plot $residual using 1:2 with lines lt 1 title '|Phi| [m^2]', "
          "$residual using 1:3 with lines lt 2 title '|Phid| [m^2/s]', "
          "1e-6 with lines ls 100 notitle, 1e-5 with lines ls 100 notitle\n", gnuplot);
}

const struct figure corner_penalty_figures[] = {
    {"corner-fig-3b", "Fig. 3b",
     "residuals of the constraints over time, springs on 1-B and 2-B, alpha = "
     CORNER_ALPHA,
     "Two curves on a logarithmic axis: the residual of the velocities has gaps at the "
     "three impacts, that of the positions has none. Both stay below 1e-6, and the "
     "printed bounds 1e-6 and 1e-5 are dotted lines.",
     0, 0, draw_residuals},
    {0}};

const struct study corner_penalty = {
    .name = "corner, penalty factor", .weight = 1, .open = open_sweep,
    .close = close_sweep, .claim = claims, .figure = corner_penalty_figures};
