/*
 * limits.c - Verulkar, Sandu, Dopico, Sandu: redundant constraints and singular
 * configurations, for index-1 and for penalty
 *
 * Redundant: Bricard's linkage. Singular: the slider-crank with equal arms, which passes
 * a configuration twice where both arms coincide; its exact motion is that of one angle.
 *
 * Close to such a configuration, which is passed at t_s, Phi_q is O(t - t_s) in one
 * direction, and the penalty holds the constraints there as long as alpha (t - t_s)^2 is
 * large, up to |t - t_s| = O(alpha^-1/2). Their violation is O(1/(alpha omega^2)); over
 * Phi_q it is a displacement, over Phi_q^2 a velocity: O(1/omega^2), whatever alpha is.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "drawings/motion.h"
#include "papers/finding.h"
#include "papers/match.h"
#include "papers/paper_run.h"
#include "papers/verulkar/verulkar.h"

enum { POINTS = 200 };

static const char *const alpha[] = {"1e3", "1e5", "1e7", "1e9"};
static const char *const omega[] = {"10", "30", "100", "300"};
enum { ALPHAS = 4, OMEGAS = 4, REDUNDANT_ALPHAS = 3 };

struct limits {
    struct paper_run exact;             /* one angle */
    struct paper_run soft[OMEGAS][ALPHAS];
    double gap[OMEGAS][ALPHAS];         /* RMSE of the slider over its RMS, 2 s */
    enum status index1_tight, index1_loose;     /* at rtol 1e-12 and 1e-9 */
    double index1_gap;                  /* likewise of index1_loose */
    enum status redundant, minimum_norm;    /* index-1 as it stands, and with multipliers
                                               of least norm */
    double redundant_gap[REDUNDANT_ALPHAS]; /* largest difference of coordinates */
};

/* --- the singular configuration ----------------------------------------------------- */

/* The RMSE of the slider against the exact motion, over its RMS. */
static double slider_gap(const struct limits *limits, const struct trajectory *soft)
{
    const struct trajectory *exact = limits->exact.trajectory;
    int slide = paper_column(soft, "q.slide"), th = paper_column(exact, "q.th");
    double L = paper_value(&limits->exact, "L"), error = 0, square = 0;
    for (int k = 0; k < exact->samples; k++) {
        double want = 2 * L * cos(exact->sample[k].x[th]);
        error += pow(soft->sample[k].x[slide] - want, 2);
        square += want * want;
    }
    return sqrt(error / square);
}

/* A refusal of index-1 is a result. */
static enum status run_index1(struct limits *limits, double rtol, double *gap)
{
    struct paper_run run;
    paper_run_init(&run, "slider-crank-equal-arms", "index1", POINTS, "");
    paper_run_tolerance(&run, rtol);
    enum status status = paper_run_go(&run);
    if (status == OK)
        *gap = slider_gap(limits, run.trajectory);
    paper_run_clear(&run);
    return status;
}

static enum status run_soft(struct limits *limits, int i, int j, char *why, int size)
{
    struct paper_run *run = &limits->soft[i][j];
    paper_run_init(run, "slider-crank-equal-arms", "penalty", POINTS, "");
    paper_run_tolerance(run, 1e-10);
    paper_run_option(run, "omega", omega[i]);
    paper_run_option(run, "alpha", alpha[j]);
    if (paper_run_go(run) != OK)
        return paper_run_why(run, why, size);
    limits->gap[i][j] = slider_gap(limits, run->trajectory);
    return OK;
}

static enum status run_singular(struct limits *limits, char *why, int size)
{
    double unused;
    paper_run_init(&limits->exact, "slider-crank-equal-arms-reduced", "ode", POINTS, "");
    if (paper_run_go(&limits->exact) != OK)
        return paper_run_why(&limits->exact, why, size);
    limits->index1_gap = NAN;
    limits->index1_tight = run_index1(limits, 1e-12, &unused);
    limits->index1_loose = run_index1(limits, 1e-9, &limits->index1_gap);
    enum status status = OK;
    for (int i = 0; i < OMEGAS; i++)
        for (int j = 0; j < ALPHAS && status == OK; j++)
            status = run_soft(limits, i, j, why, size);
    return status;
}

/* --- redundant constraints ---------------------------------------------------------- */

/* The largest difference of coordinates and velocities. */
static double state_gap(const struct trajectory *got, const struct trajectory *want)
{
    struct match gap = {0};
    match_add_columns(&gap, got, want, GROUP_Q, false);
    match_add_columns(&gap, got, want, GROUP_V, false);
    return gap.error;
}

/* Bricard's linkage by a formulation, with one option set. */
static enum status run_bricard(const char *formulation, const char *name,
                               const char *value, struct trajectory **out)
{
    struct paper_run run;
    paper_run_init(&run, "bricard", formulation, POINTS, "");
    paper_run_tolerance(&run, 1e-10);
    paper_run_option(&run, name, value);
    enum status status = paper_run_go(&run);
    *out = run.trajectory;
    run.trajectory = NULL;
    paper_run_clear(&run);
    return status;
}

static enum status run_redundant(struct limits *limits, char *why, int size)
{
    struct trajectory *exact, *other;
    limits->redundant = run_bricard("index1", "redundant", "refuse", &other);
    trajectory_free(other);
    enum status status = run_bricard("index1", "redundant", "minimum-norm", &exact);
    limits->minimum_norm = status;
    for (int k = 0; k < REDUNDANT_ALPHAS && status == OK; k++) {
        status = run_bricard("penalty", "alpha", alpha[k], &other);
        if (status == OK)
            limits->redundant_gap[k] = state_gap(other, exact);
        trajectory_free(other);
    }
    trajectory_free(exact);
    if (status != OK)
        snprintf(why, (size_t)size, "bricard: %s", status_text(status));
    return status;
}

static enum status open_limits(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct limits *limits = *study = memory_new(1, sizeof *limits);
    enum status status = run_singular(limits, why, size);
    return status == OK ? run_redundant(limits, why, size) : status;
}

static void close_limits(void *study)
{
    struct limits *limits = study;
    for (int i = 0; i < OMEGAS; i++)
        for (int j = 0; j < ALPHAS; j++)
            paper_run_clear(&limits->soft[i][j]);
    paper_run_clear(&limits->exact);
    free(limits);
}

/* --- claims ------------------------------------------------------------------------- */

static void judge_lagrangian(const void *study, const struct claim *claim,
                             struct finding *finding)
{
    (void)claim;
    const struct limits *limits = study;
    finding_holds(finding, limits->redundant == RANK_LOSS &&
                               limits->index1_tight == RANK_LOSS, NAN);
    finding_tell(finding, "Index-1 as it stands, on redundant constraints (bricard): %s; "
                 "through a singular configuration (slider-crank-equal-arms) at rtol "
                 "1e-12: %s.", status_text(limits->redundant),
                 status_text(limits->index1_tight));
    finding_tell(finding, "With multipliers of least norm, bricard: %s. With steps "
                 "across the configuration, at rtol 1e-9: %s, RMSE of the slider below "
                 "%.0e of its RMS.", status_text(limits->minimum_norm),
                 status_text(limits->index1_loose), verulkar_power(limits->index1_gap));
}

static void judge_redundant(const void *study, const struct claim *claim,
                            struct finding *finding)
{
    (void)claim;
    const double *gap = ((const struct limits *)study)->redundant_gap;
    double order = observed_order(gap[0], gap[REDUNDANT_ALPHAS - 1],
                                  pow(100, REDUNDANT_ALPHAS - 1));
    finding_holds(finding, fabs(order - 1) < 0.1, order);
    finding_tell(finding, "Ours is the order in 1/alpha of the largest difference of q "
                 "and v of bricard from index-1 with multipliers of least norm: %.2g, "
                 "%.2g, %.2g at alpha = %s, %s, %s.", gap[0], gap[1], gap[2], alpha[0],
                 alpha[1], alpha[2]);
}

static void judge_singular(const void *study, const struct claim *claim,
                           struct finding *finding)
{
    (void)claim;
    const struct limits *limits = study;
    const double(*gap)[ALPHAS] = limits->gap;
    double least = INFINITY;
    int held = 0;
    for (int i = 0; i < OMEGAS; i++)
        for (int j = 0; j < ALPHAS; j++) {
            least = fmin(least, 100 * gap[i][j]);
            held += 100 * gap[i][j] <= 0.5;
        }
    finding_in_choices(finding, held, OMEGAS * ALPHAS, least);
    finding_tell(finding, "Within 0.5 %% for %d of %d choices of omega and alpha; the "
                 "mechanism is not the paper's.", held, OMEGAS * ALPHAS);
    finding_tell(finding, "RMSE of the slider of slider-crank-equal-arms over its RMS, 2 "
                 "s, two passages. With omega = %s 1/s: %.3g, %.3g, %.3g, %.3g %% at "
                 "alpha = %s, %s, %s, %s.", omega[0], 100 * gap[0][0], 100 * gap[0][1],
                 100 * gap[0][2], 100 * gap[0][3], alpha[0], alpha[1], alpha[2],
                 alpha[3]);
    finding_tell(finding, "With omega = %s, %s, %s 1/s: %.3g, %.3g, %.3g %% at alpha = "
                 "%s and %.3g, %.3g, %.3g %% at alpha = %s (ours: the least).", omega[1],
                 omega[2], omega[3], 100 * gap[1][0], 100 * gap[2][0], 100 * gap[3][0],
                 alpha[0], 100 * gap[1][3], 100 * gap[2][3], 100 * gap[3][3], alpha[3]);
}

static const struct claim claims[] = {
    {"Sec. 1", "Lagrangian equations are not suited to redundancy and singularities", "",
     "", judge_lagrangian, 0},
    {"Sec. 1", "the penalty formulation takes redundant constraints", "", "",
     judge_redundant, 0},
    {"Sec. 1", "the penalty formulation takes singular configurations", "", "%",
     judge_singular, 0},
    {0}};

/* --- figures ------------------------------------------------------------------------ */

static void draw_singular(FILE *gnuplot, const void *study)
{
    const struct limits *limits = study;
    const struct { int omega, alpha; } drawn[] = {{0, 0}, {0, 2}, {0, 3}, {2, 3}};
    motion_named_data(gnuplot, "exact", limits->exact.trajectory, "q.th");
    for (int k = 0; k < 4; k++) {
        char name[20];
        snprintf(name, sizeof name, "soft%d", k);
        motion_named_data(gnuplot, name,
                          limits->soft[drawn[k].omega][drawn[k].alpha].trajectory,
                          "q.slide");
    }
    double L = paper_value(&limits->exact, "L");
    fprintf(gnuplot, "set xlabel 'time [s]'\nset ylabel 'slider [m]'\n"
            "set key title 'omega [1/s], alpha'\n"
            "plot $exact using 1:(%.17g*cos($2)) with lines lt 3 lw 2.4 title 'exact'",
            2 * L);
    for (int k = 0; k < 4; k++)
        fprintf(gnuplot, ", $soft%d using 1:2 with lines lt %d%s title '%s, %s'", k,
                (const int[]){1, 2, 5, 6}[k], k == 3 ? " dt 2" : "",
                omega[drawn[k].omega], alpha[drawn[k].alpha]);
    fputc('\n', gnuplot);
}

static const struct figure figures[] = {
    {"verulkar-singular", "Sec. 1", "the slider passing two singular configurations, by "
     "penalty with omega and alpha, and exactly",
     "All curves lie on each other up to the second passage; behind it those with omega "
     "= 10 part, and the one with the largest alpha stays at zero; the one with omega = "
     "100 lies on the exact one.", 0, 0,
     draw_singular},
    {0}};

const struct study verulkar_limits = {
    .name = "verulkar, redundant and singular", .weight = 1, .open = open_limits,
    .close = close_limits, .claim = claims, .figure = figures};
