/*
 * constraints.c - Corner, Sandu, Sandu 2019, abstract, sections 1, 6 and 8:
 * the penalty formulation with redundant constraints, and where constraints are added
 * (corner.h)
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "papers/corner/corner.h"
#include "papers/finding.h"
#include "papers/match.h"

static const char *const factor[] = {"1e4", "1e5", "1e6", "1e7"};
enum { FACTORS = sizeof factor / sizeof *factor, POINTS = 25 };

/* Gaps of a penalty motion to the exact one, largest differences over samples relative to
   the largest size. */
enum { GAP_Q, GAP_V, GAP_DQ, GAP_DV, GAPS };

struct penalty_gaps {
    double gap[FACTORS][GAPS];
    double jump;                /* largest |v+ - v-| at the first event */
    double digits;              /* least digits of the run by CORNER_ALPHA against complex
                                   step, and of which number */
    char worst[100];
};

/* Formulations that are tried with dependent constraints, and their option `redundant`;
   NULL: there is none. */
static const struct way {
    const char *formulation, *redundant;
} ways[] = {{"baumgarte", "refuse"}, {"baumgarte", "minimum-norm"}, {"ode", NULL},
            {"index1", "refuse"}, {"index1", "minimum-norm"}, {"augmented", NULL},
            {"index3", NULL}, {"ggl", NULL}, {"implicit", NULL}};
enum { PLAIN, LEAST_NORM, WAYS = sizeof ways / sizeof *ways };

/* A formulation that was tried, and its outcome. */
struct attempt {
    const struct way *way;
    enum status status;
    double t;                   /* time of the refusal */
    double gap;                 /* of q, v and their derivatives, the largest */
};

struct constraints {
    struct penalty_gaps redundant;      /* five-bar-redundant */
    struct penalty_gaps caught[2];      /* rope-catch by enum reset_policy */
    struct attempt attempt[WAYS];
};

/* --- runs --------------------------------------------------------------------------- */

static void measure(const struct trajectory *got, const struct trajectory *exact,
                    double *gap)
{
    static const struct { enum column_group group; bool derivatives; } of[GAPS] = {
        [GAP_Q] = {GROUP_Q, false},  [GAP_V] = {GROUP_V, false},
        [GAP_DQ] = {GROUP_Q, true},  [GAP_DV] = {GROUP_V, true}};
    for (int k = 0; k < GAPS; k++) {
        struct match match = {0};
        match_add_columns(&match, got, exact, of[k].group, of[k].derivatives);
        gap[k] = match_relative(&match);
    }
}

/* The exact motion of a case, by index-1 equations; the caller frees it. */
static enum status run_index1(const char *name, const char *sens,
                              struct trajectory **exact, char *why, int size)
{
    struct paper_run run;
    paper_run_init(&run, name, "index1", POINTS, sens);
    paper_run_go(&run);
    enum status status = paper_run_why(&run, why, size);
    *exact = run.trajectory;
    run.trajectory = NULL;
    paper_run_clear(&run);
    return status;
}

/* The largest change of a velocity at the first event. */
static double first_jump(const struct trajectory *motion)
{
    const struct event_record *first = &motion->event[0];
    int v = motion->columns.begin[GROUP_V];
    struct match jump = {0};
    match_add(&jump, first->after.x + v, first->before.x + v, motion->columns.model->n);
    return jump.error;
}

static void judge_run(struct penalty_gaps *gaps, struct paper_run *run)
{
    struct trajectory *stepped;
    if (paper_run_complex(run, &stepped) == OK)
        gaps->digits = paper_digits(run->trajectory, stepped, gaps->worst,
                                    sizeof gaps->worst);
    trajectory_free(stepped);
}

/* Runs a case by all factors beside its exact motion; by radau, as explicit pairs take
   the rounding of multipliers that are not unique, alpha times that of Phi, for an error
   of the cost that has them. */
static enum status run_factors(struct penalty_gaps *gaps, const char *name,
                               const char *sens, enum reset_policy reset,
                               const struct trajectory *exact, char *why, int size)
{
    enum status status = OK;
    for (int k = 0; status == OK && k < FACTORS; k++) {
        struct paper_run run;
        paper_run_init(&run, name, "penalty", POINTS, sens);
        paper_run_option(&run, "alpha", factor[k]);
        run.request.integrator = integrator_find("radau");
        paper_run_reset(&run, reset);
        if (paper_run_go(&run) == OK) {
            measure(run.trajectory, exact, gaps->gap[k]);
            gaps->jump = fmax(gaps->jump, first_jump(run.trajectory));
            if (strtod(factor[k], NULL) == strtod(CORNER_ALPHA, NULL))
                judge_run(gaps, &run);
        }
        status = paper_run_why(&run, why, size);
        paper_run_clear(&run);
    }
    return status;
}

static void attempt_redundant(struct attempt *attempt, const struct trajectory *exact)
{
    struct paper_run run;
    double gap[GAPS];
    paper_run_init(&run, "five-bar-redundant", attempt->way->formulation, POINTS,
                   "L01,L02");
    if (attempt->way->redundant)
        paper_run_option(&run, "redundant", attempt->way->redundant);
    attempt->status = paper_run_go(&run);
    attempt->t = run.diagnosis.t;
    if (attempt->status == OK) {
        measure(run.trajectory, exact, gap);
        for (int i = 0; i < GAPS; i++)
            attempt->gap = fmax(attempt->gap, gap[i]);
    }
    paper_run_clear(&run);
}

static enum status open_constraints(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct constraints *all = *study = memory_new(1, sizeof *all);
    struct trajectory *bars = NULL, *rope = NULL;
    enum status status = run_index1("five-bar", "L01,L02", &bars, why, size);
    if (status == OK)
        status = run_index1("rope-catch", NULL, &rope, why, size);
    if (status == OK)
        status = run_factors(&all->redundant, "five-bar-redundant", "L01,L02",
                             RESET_IMPULSIVE, bars, why, size);
    for (int k = 0; status == OK && k < WAYS; k++) {
        all->attempt[k].way = &ways[k];
        attempt_redundant(&all->attempt[k], bars);
    }
    for (enum reset_policy reset = 0; status == OK && reset_policy_text[reset]; reset++)
        status = run_factors(&all->caught[reset], "rope-catch", NULL, reset, rope, why,
                             size);
    trajectory_free(bars);
    trajectory_free(rope);
    return status;
}

static void close_constraints(void *study)
{
    free(study);
}

/* --- claims ------------------------------------------------------------------------- */

/* The observed order in 1/alpha of a gap over the last two factors, to three places and
   without a sign of zero. */
static double order(const struct penalty_gaps *gaps, int kind)
{
    const double (*gap)[GAPS] = gaps->gap + FACTORS - 2;
    double exact = observed_order(gap[0][kind], gap[1][kind], 10);
    return round(exact * 1000) / 1000 + 0.0;
}

static bool first_order(const struct penalty_gaps *gaps)
{
    bool good = true;
    for (int kind = 0; kind < GAPS; kind++)
        good = good && fabs(order(gaps, kind) - 1) < 0.1;
    return good;
}

static void judge_redundant(const void *study, const struct claim *claim,
                            struct finding *finding)
{
    (void)claim;
    const struct penalty_gaps *gaps = &((const struct constraints *)study)->redundant;
    finding_holds(finding, first_order(gaps), NAN);
    finding->digits = gaps->digits;
    finding_tell(finding, "Gaps of q and dq of five-bar with two constraints stated "
                 "twice, to the exact motion:");
    for (int k = 0; k < FACTORS; k++)
        finding_tell(finding, "%.1e and %.1e by alpha = %s%s", gaps->gap[k][GAP_Q],
                     gaps->gap[k][GAP_DQ], factor[k], k + 1 < FACTORS ? "," : ".");
    finding_tell(finding, "Orders in 1/alpha of q, v, dq, dv: %.3f, %.3f, %.3f, %.3f. "
                 "Digits are those against complex step by alpha = " CORNER_ALPHA
                 ", the fewest in %s.", order(gaps, GAP_Q), order(gaps, GAP_V),
                 order(gaps, GAP_DQ), order(gaps, GAP_DV), gaps->worst);
}

static void tell_attempt(struct finding *finding, const struct attempt *attempt,
                         const char *stop)
{
    const struct way *way = attempt->way;
    char name[60];
    snprintf(name, sizeof name, "%s%s%s", way->formulation, way->redundant ? ", " : "",
             way->redundant ? way->redundant : "");
    if (attempt->status == OK)
        finding_tell(finding, "%s: gap %.0e%s", name, attempt->gap, stop);
    else
        finding_tell(finding, "%s: %s at %g s%s", name, status_text(attempt->status),
                     attempt->t, stop);
}

/* The paper does not say how Baumgarte's equations are solved: both ways are choices. */
static void judge_baumgarte(const void *study, const struct claim *claim,
                            struct finding *finding)
{
    (void)claim;
    const struct attempt *attempt = ((const struct constraints *)study)->attempt;
    finding_in_choices(finding, (attempt[PLAIN].status != OK) +
                       (attempt[LEAST_NORM].status != OK), 2, NAN);
    finding_tell(finding, "The way to solve its equations is not printed: factors of the "
                 "saddle point (refuse), or multipliers of least norm. Gaps of "
                 "five-bar-redundant to five-bar by index1:");
    for (int k = 0; k < WAYS; k++)
        tell_attempt(finding, &attempt[k], k + 1 < WAYS ? ";" : ".");
}

/* Theorem 8 and (82) are two models of one mechanism: the distance of their motions is
   told, too. */
static void judge_continuous(const void *study, const struct claim *claim,
                             struct finding *finding)
{
    (void)claim;
    const struct constraints *all = study;
    const struct penalty_gaps *gaps = &all->caught[RESET_CONTINUOUS];
    const struct penalty_gaps *rigid = &all->caught[RESET_IMPULSIVE];
    finding_holds(finding, gaps->jump < 1e-12, gaps->jump);
    finding_tell(finding, "Ours is the largest |v+ - v-| in m/s as the rope of "
                 "rope-catch goes taut, with v+ = v- (Theorem 8); the impulse (82) makes "
                 "%.3f m/s.", rigid->jump);
    finding_tell(finding, "Beside the motion of (82), relative gaps of q, v, dq, dv are "
                 "%.2g, %.2g, %.2g, %.2g by alpha = %s, of orders %.3f, "
                 "%.3f, %.3f, %.3f in 1/alpha.", gaps->gap[FACTORS - 1][GAP_Q],
                 gaps->gap[FACTORS - 1][GAP_V], gaps->gap[FACTORS - 1][GAP_DQ],
                 gaps->gap[FACTORS - 1][GAP_DV], factor[FACTORS - 1], order(gaps, GAP_Q),
                 order(gaps, GAP_V), order(gaps, GAP_DQ), order(gaps, GAP_DV));
    finding_tell(finding, "With the impulse they are %.1e, %.1e, %.1e, %.1e, of orders "
                 "%.3f, %.3f, %.3f, %.3f.", rigid->gap[FACTORS - 1][GAP_Q],
                 rigid->gap[FACTORS - 1][GAP_V], rigid->gap[FACTORS - 1][GAP_DQ],
                 rigid->gap[FACTORS - 1][GAP_DV], order(rigid, GAP_Q),
                 order(rigid, GAP_V), order(rigid, GAP_DQ), order(rigid, GAP_DV));
}

static const struct claim claims[] = {
    {"Abstract", "penalty works with redundant constraints", "", "", judge_redundant, 0},
    {"Sec. 1", "Baumgarte's method fails with redundant constraints", "", "",
     judge_baumgarte, 0},
    {"Sec. 8", "velocities are continuous where constraints change", "", "",
     judge_continuous, 0},
    {0}};

const struct study corner_constraints = {
    .name = "corner, redundant and added constraints", .weight = 2,
    .open = open_constraints, .close = close_constraints, .claim = claims};
