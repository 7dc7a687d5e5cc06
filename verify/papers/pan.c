/*
 * pan.c - Pan, Ding, Wang 2004: a two-link arm in absolute coordinates, directly and
 * by adjoint equations
 */
#include <stdlib.h>

#include "base/memory.h"
#include "drawings/motion.h"
#include "papers/finding.h"
#include "papers/paper_run.h"

/* The run of all rows, and the same by complex step. */
struct arm {
    struct paper_run run;
    struct trajectory *exact;
    double digits;              /* digits in which both agree on every number */
    char worst[100];
};

static enum status open_arm(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct arm *arm = *study = memory_new(1, sizeof *arm);
    paper_run_init(&arm->run, "two-link-absolute", "index1", 440, "l1,l2,m1,m2");
    paper_run_go(&arm->run);
    paper_run_complex(&arm->run, &arm->exact);
    if (arm->run.status != OK)
        return paper_run_why(&arm->run, why, size);
    arm->digits = paper_digits(arm->run.trajectory, arm->exact, arm->worst,
                               sizeof arm->worst);
    return OK;
}

static void close_arm(void *study)
{
    struct arm *arm = study;
    trajectory_free(arm->exact);
    paper_run_clear(&arm->run);
    free(arm);
}

/* --- claims ------------------------------------------------------------------------- */

static const char *const by[] = {"l1", "l2", "m1", "m2"};

static void judge_cost(const void *study, const struct claim *claim,
                       struct finding *finding)
{
    const struct arm *arm = study;
    finding_depends(finding, claim, paper_psi(arm->run.trajectory, "reach", NULL),
                    arm->digits);
    finding_tell(finding, "initial state, gravity and torques are not printed; declared "
                 "here: rest with the tip at (2, 0), 9.81 m/s^2, no torques.");
}

static void judge_gradient(const void *study, const struct claim *claim,
                           struct finding *finding)
{
    const struct arm *arm = study;
    finding_depends(finding, claim,
                    paper_psi(arm->run.trajectory, "reach", by[claim->subject]),
                    arm->digits);
}

static const struct claim claims[] = {
    {"Sec. 5", "psi, the integral of |tip|^2 over 4.4 s", "17.2747", "m^2 s", judge_cost,
     0},
    {"Sec. 5", "its derivative by l1", "17.2184", "m s", judge_gradient, 0},
    {"Sec. 5", "its derivative by l2", "11.2866", "m s", judge_gradient, 1},
    {"Sec. 5", "its derivative by m1", "0.4683", "m^2 s/kg", judge_gradient, 2},
    {"Sec. 5", "its derivative by m2", "-0.2361", "m^2 s/kg", judge_gradient, 3},
    {0}};

/* --- figures ------------------------------------------------------------------------ */

static void draw_y1(FILE *gnuplot, const void *study)
{
    const struct arm *arm = study;
    motion_named_data(gnuplot, "motion", arm->run.trajectory, "dq.y1/dl1");
    fputs("set xlabel 'time [s]'\nset ylabel 'dy1/dl1 [1]'\nunset key\n"
          "plot $motion using 1:2 with lines lt 1\n", gnuplot);
}

static const struct figure figures[] = {
    {"pan-fig-3", "Fig. 3", "derivative of y1 by l1 over time",
     "One curve that begins at zero and swings with growing height.", 0, 0, draw_y1},
    {0}};

static const struct study arm = {
    .name = "pan, two-link arm", .weight = 1, .open = open_arm, .close = close_arm,
    .claim = claims, .figure = figures};

extern const struct paper paper_pan;
const struct paper paper_pan = {
    .name = "pan",
    .authors = "Pan, Ding, Wang",
    .year = "2004",
    .title = "Design sensitivity analysis of multibody system dynamics described by "
             "implicit differential/algebraic equations",
    .journal = "Received 15 April 2004",
    .question = "An arm of two uniform rods in absolute coordinates swings for 4.4 s; a "
                "cost and its gradient are computed directly and by adjoint equations.",
    .study = (const struct study *const[]){&arm, NULL}};
