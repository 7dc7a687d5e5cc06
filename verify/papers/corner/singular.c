/*
 * singular.c - Corner, Sandu, Sandu 2019, abstract, sections 1 and 8: the penalty
 * formulation through singular configurations (corner.h)
 *
 * Motions with a kinematic bifurcation are those of slider-crank-equal-arms, once through
 * it, and of four-bar-2, many times. Both have a twin in one angle, which is the regular
 * branch.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/corner/corner.h"
#include "papers/finding.h"
#include "papers/match.h"
#include "papers/probe.h"

static const char *const alpha[] = {"1e5", "1e7", "1e9"};
static const char *const omega[] = {"10", "20", "40", "80"};
static const char *const rtol[] = {"1e-8", "1e-10", "1e-12"};
static const char *const linear[] = {"refuse", "minimum-norm"};
enum { ALPHAS = 3, OMEGAS = 4, RTOLS = 3, LINEARS = 2, POINTS = 100 };

/* The cases, and how long they run: once through a singular configuration, and often. */
static const struct bifurcation {
    const char *name, *twin;
    double t_end;
} bifurcation[] = {{"slider-crank-equal-arms", "slider-crank-equal-arms-reduced", 1},
                   {"four-bar-2", "four-bar-reduced-2", 10}};
enum { SLIDER_CRANK, FOUR_BAR, CASES };

/* A run beside its twin. */
struct passage {
    enum status status;
    double gap;                 /* m, largest distance from the twin at samples */
    double before;              /* the gap until t_meet */
    double lost;                /* J, energy lost from start to end */
    double left;                /* first sample at which it is not on the regular branch;
                                   INFINITY: never */
};

struct singular {
    double t_meet[CASES];       /* first singular configuration */
    struct passage penalty[CASES][ALPHAS][OMEGAS];
    struct passage baumgarte[CASES][RTOLS][LINEARS];
    double digits;              /* digits in which two integrators agree on the penalty
                                   motion of the slider-crank */
};

/* --- a run beside its twin ---------------------------------------------------------- */

/* Both sides of all equalities at a point. */
struct sides {
    struct probe probe;
    const struct columns *columns;
    double *value;              /* [2 * equalities] */
};

static void sides_init(struct sides *sides, const struct trajectory *motion)
{
    const struct model *model = motion->columns.model;
    formula *f = memory_new(2 * model->equalities, sizeof *f);
    for (int k = 0; k < model->equalities; k++) {
        f[2 * k] = model->equality[k].own;
        f[2 * k + 1] = model->equality[k].twin;
    }
    sides->columns = &motion->columns;
    probe_init(&sides->probe, model, motion->value, f, 2 * model->equalities);
    sides->value = memory_new(2 * model->equalities, sizeof *sides->value);
    free(f);
}

static void sides_clear(struct sides *sides)
{
    probe_clear(&sides->probe);
    free(sides->value);
}

static void sides_at(struct sides *sides, const struct run_point *point)
{
    probe_at(&sides->probe, sides->columns, point);
}

/* The largest distance of both sides at the point, with the twin at an angle. */
static double sides_apart(struct sides *sides, double angle)
{
    double distance = 0;
    sides->probe.value[BLOCK_TWIN] = &angle;
    probe_evaluate(&sides->probe, sides->value, NULL);
    for (int i = 0; i < sides->columns->model->equalities; i++)
        distance = fmax(distance, fabs(sides->value[2 * i] - sides->value[2 * i + 1]));
    return distance;
}

/* The distance from the regular branch: from the twin at the nearest of many angles. */
static double off_branch(struct sides *sides)
{
    enum { ANGLES = 720 };
    double least = INFINITY;
    for (int i = 0; i < ANGLES; i++)
        least = fmin(least, sides_apart(sides, 2 * M_PI * i / ANGLES));
    return least;
}

static double energy_at(const struct trajectory *motion, int sample)
{
    const struct columns *columns = &motion->columns;
    struct probe at;
    double energy;
    probe_init(&at, columns->model, motion->value, &columns->model->energy, 1);
    probe_at(&at, columns, &motion->sample[sample]);
    probe_evaluate(&at, &energy, NULL);
    probe_clear(&at);
    return energy;
}

/* A motion is off the branch from this distance on, in metres; bars are of 1 m. */
static const double off = 0.05;

static void compare(struct passage *passage, const struct trajectory *motion,
                    const struct trajectory *twin, double t_meet)
{
    struct sides sides;
    int angle = column(&twin->columns, GROUP_Q, 0, -1);
    sides_init(&sides, motion);
    passage->lost = energy_at(motion, 0) - energy_at(motion, motion->samples - 1);
    passage->left = INFINITY;
    for (int k = 0; k < motion->samples; k++) {
        const struct run_point *point = &motion->sample[k];
        sides_at(&sides, point);
        passage->gap = fmax(passage->gap, sides_apart(&sides, twin->sample[k].x[angle]));
        if (point->t < t_meet)
            passage->before = passage->gap;
        if (isinf(passage->left) && off_branch(&sides) > off)
            passage->left = point->t;
    }
    sides_clear(&sides);
}

/* --- runs --------------------------------------------------------------------------- */

static void prepare(struct paper_run *run, int c, const char *formulation)
{
    paper_run_init(run, bifurcation[c].name, formulation, POINTS, "");
    paper_run_until(run, bifurcation[c].t_end);
    paper_run_tolerance(run, 1e-11);
}

/* Runs, and keeps the outcome; a refusal is one. */
static void pass(struct passage *passage, struct paper_run *run,
                 const struct trajectory *twin, double t_meet)
{
    passage->status = paper_run_go(run);
    passage->left = NAN;
    if (passage->status == OK)
        compare(passage, run->trajectory, twin, t_meet);
}

static void run_penalty(struct singular *all, int c, const struct trajectory *twin)
{
    for (int k = 0; k < ALPHAS; k++)
        for (int w = 0; w < OMEGAS; w++) {
            struct paper_run run;
            prepare(&run, c, "penalty");
            paper_run_option(&run, "alpha", alpha[k]);
            paper_run_option(&run, "omega", omega[w]);
            pass(&all->penalty[c][k][w], &run, twin, all->t_meet[c]);
            paper_run_clear(&run);
        }
}

static void run_baumgarte(struct singular *all, int c, const struct trajectory *twin)
{
    for (int k = 0; k < RTOLS; k++)
        for (int i = 0; i < LINEARS; i++) {
            struct paper_run run;
            prepare(&run, c, "baumgarte");
            paper_run_tolerance(&run, strtod(rtol[k], NULL));
            paper_run_option(&run, "redundant", linear[i]);
            pass(&all->baumgarte[c][k][i], &run, twin, all->t_meet[c]);
            paper_run_clear(&run);
        }
}

/* The digits on which two integrators agree: so many belong to the motion, and not to one
   of them. */
static double integrators_agree(void)
{
    struct paper_run run[2];
    char worst[100];
    double digits = NAN;
    for (int i = 0; i < 2; i++) {
        prepare(&run[i], SLIDER_CRANK, "penalty");
        paper_run_option(&run[i], "alpha", alpha[0]);
        run[i].request.integrator = integrator_find(i == 0 ? "dop853" : "radau");
        paper_run_go(&run[i]);
    }
    if (run[0].status == OK && run[1].status == OK)
        digits = paper_digits(run[0].trajectory, run[1].trajectory, worst, sizeof worst);
    paper_run_clear(&run[0]);
    paper_run_clear(&run[1]);
    return digits;
}

/* The time at which index-1 equations, which do not step across, lose their rank. */
static double meeting(int c)
{
    struct paper_run run;
    prepare(&run, c, "index1");
    run.request.rtol = 1e-12;
    double t = paper_run_go(&run) == RANK_LOSS ? run.diagnosis.t : NAN;
    paper_run_clear(&run);
    return t;
}

static enum status open_singular(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct singular *all = *study = memory_new(1, sizeof *all);
    enum status status = OK;
    for (int c = 0; status == OK && c < CASES; c++) {
        struct paper_run twin;
        paper_run_init(&twin, bifurcation[c].twin, "ode", POINTS, "");
        paper_run_until(&twin, bifurcation[c].t_end);
        all->t_meet[c] = meeting(c);
        if (paper_run_go(&twin) == OK) {
            run_penalty(all, c, twin.trajectory);
            run_baumgarte(all, c, twin.trajectory);
        }
        status = paper_run_why(&twin, why, size);
        paper_run_clear(&twin);
    }
    all->digits = integrators_agree();
    return status;
}

static void close_singular(void *study)
{
    free(study);
}

/* --- claims ------------------------------------------------------------------------- */

static void judge_runs(const void *study, const struct claim *claim,
                       struct finding *finding)
{
    (void)claim;
    const struct singular *all = study;
    int ended = 0, tried = CASES * ALPHAS * OMEGAS;
    for (int c = 0; c < CASES; c++)
        for (int k = 0; k < ALPHAS; k++)
            for (int w = 0; w < OMEGAS; w++)
                ended += all->penalty[c][k][w].status == OK;
    finding_holds(finding, ended == tried, ended);
    finding_tell(finding, "Ours are the runs of %d that reach their end: %s to %g s and "
                 "%s to %g s, alpha = %s to %s, omega = %s to %s 1/s, xi = 1. The first "
                 "singular configuration is at %.4f s and %.4f s.", tried,
                 bifurcation[0].name, bifurcation[0].t_end, bifurcation[1].name,
                 bifurcation[1].t_end, alpha[0], alpha[ALPHAS - 1], omega[0],
                 omega[OMEGAS - 1], all->t_meet[0], all->t_meet[1]);
}

/* The paper calls 0.1 % an excellent correlation; bars are of 1 m. */
static const double excellent = 1e-3;

static void judge_gap(const void *study, const struct claim *claim,
                      struct finding *finding)
{
    (void)claim;
    const struct singular *all = study;
    const struct passage (*at)[OMEGAS] = all->penalty[SLIDER_CRANK];
    int held = 0;
    for (int k = 0; k < ALPHAS; k++)
        for (int w = 0; w < OMEGAS; w++)
            held += at[k][w].status == OK && at[k][w].gap < excellent;
    finding_in_choices(finding, held, ALPHAS * OMEGAS, at[ALPHAS - 1][0].gap);
    finding->digits = all->digits;
    finding_tell(finding, "The options alpha, xi and omega are not printed. Over %g s %s "
                 "is less than %g m from the exact motion in %d of %d choices. Largest "
                 "distance in m (ours: the last), and energy lost in J, by omega = %s "
                 "1/s:",
                 bifurcation[SLIDER_CRANK].t_end, bifurcation[SLIDER_CRANK].name,
                 excellent, held, ALPHAS * OMEGAS, omega[0]);
    for (int k = 0; k < ALPHAS; k++)
        finding_tell(finding, "%.2e, %.4f by alpha = %s%s", at[k][0].gap, at[k][0].lost,
                     alpha[k], k + 1 < ALPHAS ? ";" : ".");
    finding_tell(finding, "Order of the distance in 1/alpha %.3f, before the passage "
                 "%.3f. By alpha = %s:",
                 observed_order(at[ALPHAS - 2][0].gap, at[ALPHAS - 1][0].gap, 100),
                 observed_order(at[ALPHAS - 2][0].before, at[ALPHAS - 1][0].before, 100),
                 alpha[ALPHAS - 1]);
    for (int w = 1; w < OMEGAS; w++)
        finding_tell(finding, "%.2e by omega = %s%s", at[ALPHAS - 1][w].gap, omega[w],
                     w + 1 < OMEGAS ? "," : ";");
    finding_tell(finding, "order in 1/omega %.2f. Digits: dop853 against radau.",
                 observed_order(at[ALPHAS - 1][OMEGAS - 2].gap,
                              at[ALPHAS - 1][OMEGAS - 1].gap, 2));
}

static void judge_branch(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    (void)claim;
    const struct singular *all = study;
    const struct passage (*at)[OMEGAS] = all->penalty[FOUR_BAR];
    int held = 0;
    for (int k = 0; k < ALPHAS; k++)
        for (int w = 0; w < OMEGAS; w++)
            held += at[k][w].status == OK && isinf(at[k][w].left);
    finding_in_choices(finding, held, ALPHAS * OMEGAS, held);
    finding_tell(finding, "The options alpha, xi and omega are not printed. Ours are the "
                 "choices, of %d with xi = 1, by which %s stays on its regular branch "
                 "for %g s.", ALPHAS * OMEGAS, bifurcation[FOUR_BAR].name,
                 bifurcation[FOUR_BAR].t_end);
    for (int k = 0; k < ALPHAS; k++)
        for (int w = 0; w < OMEGAS; w++)
            if (isfinite(at[k][w].left))
                finding_tell(finding, "It leaves the branch at %.1f s by alpha = %s, "
                             "omega = %s 1/s.", at[k][w].left, alpha[k], omega[w]);
}

static void judge_baumgarte(const void *study, const struct claim *claim,
                            struct finding *finding)
{
    (void)claim;
    const struct singular *all = study;
    int failed = 0, tried = CASES * RTOLS * LINEARS;
    for (int c = 0; c < CASES; c++)
        for (int k = 0; k < RTOLS; k++)
            for (int i = 0; i < LINEARS; i++)
                failed += all->baumgarte[c][k][i].status != OK;
    finding_in_choices(finding, failed, tried, failed);
    finding_tell(finding, "Ours are the runs of %d that do not reach their end; "
                 "tolerances and the way to solve (%s, %s) are not printed. Distances "
                 "from the exact motion:", tried, linear[0], linear[1]);
    for (int c = 0; c < CASES; c++)
        for (int k = 0; k < RTOLS; k++) {
            const struct passage *at = all->baumgarte[c][k];
            const char *stop = c + 1 < CASES || k + 1 < RTOLS ? ";" : ".";
            finding_tell(finding, "%s, rtol %s:", bifurcation[c].name, rtol[k]);
            for (int i = 0; i < LINEARS; i++)
                if (at[i].status == OK)
                    finding_tell(finding, "%.0e m%s", at[i].gap, i == 0 ? "," : stop);
                else
                    finding_tell(finding, "%s%s", status_text(at[i].status),
                                 i == 0 ? "," : stop);
        }
}

static const struct claim claims[] = {
    {"Sec. 8", "penalty runs through kinematic bifurcations", "", "", judge_runs, 0},
    {"Sec. 8", "penalty works well at a kinematic bifurcation", "", "", judge_gap, 0},
    {"Abstract", "penalty avoids kinematic bifurcations", "", "", judge_branch, 0},
    {"Sec. 1", "Baumgarte's method fails at singular configurations", "", "",
     judge_baumgarte, 0},
    {0}};

const struct study corner_singular = {
    .name = "corner, singular configurations", .weight = 2, .open = open_singular,
    .close = close_singular, .claim = claims};
