/*
 * formulations.c - Corner, Sandu, Sandu 2019, sections 7 and 8: jumps of
 * sensitivities in every formulation, and work of the penalty formulation (corner.h)
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "papers/corner/corner.h"
#include "papers/finding.h"
#include "papers/match.h"

static const char *const name[] = {"ode", "index1", "baumgarte", "augmented", "index3",
                                   "ggl", "implicit", "penalty", "modified-lagrange"};
enum { ODE, INDEX1, BAUMGARTE, AUGMENTED, INDEX3, GGL, IMPLICIT, PENALTY, FORMS =
       sizeof name / sizeof *name };

struct formulations {
    struct paper_run run[ATTACHMENTS][FORMS];
    double digits[JUMP_KINDS][ATTACHMENTS][FORMS];  /* of jumps, against complex step */
};

/* --- jumps -------------------------------------------------------------------------- */

static double jump(const struct event_record *event, int c)
{
    return event->after.x[c] - event->before.x[c];
}

/* The digits of the jump of a group by one parameter, at an event: the largest error
   relative to the largest jump. */
static double group_digits(const struct trajectory *got, const struct trajectory *want,
                           int e, enum column_group group, int j)
{
    const struct columns *columns = &want->columns;
    struct match match = {0};
    for (int i = 0; i < columns->begin[group + 1] - columns->begin[group]; i++) {
        int c = column(columns, group, i, j);
        double own = jump(&got->event[e], c), exact = jump(&want->event[e], c);
        match_add(&match, &own, &exact, 1);
    }
    return match.size > 0 ? error_digits(match.error, match.size) : INFINITY;
}

double corner_jump_digits(const struct trajectory *got, const struct trajectory *want,
                          enum jump_kind kind)
{
    static const enum column_group groups[JUMP_KINDS][3] = {
        {GROUP_Q, GROUP_V, GROUP_V}, {GROUP_A, GROUP_LAMBDA, GROUP_Z}};
    double least = 16;
    if (got->events != want->events || got->events == 0)
        return NAN;
    for (int e = 0; e < want->events; e++)
        for (int g = 0; g < 3; g++)
            for (int j = 0; j < want->columns.p; j++)
                least = fmin(least, group_digits(got, want, e, groups[kind][g], j));
    return least;
}

static enum status open_formulations(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct formulations *all = *study = memory_new(1, sizeof *all);
    for (int a = 0; a < ATTACHMENTS; a++)
        for (int f = 0; f < FORMS; f++) {
            struct paper_run *run = &all->run[a][f];
            struct trajectory *exact;
            paper_run_init(run, corner_attachment[a].case_name, name[f], 1, "L01,L02");
            if (f == PENALTY)
                paper_run_option(run, "alpha", CORNER_ALPHA);
            paper_run_go(run);
            paper_run_complex(run, &exact);
            for (enum jump_kind k = 0; run->status == OK && k < JUMP_KINDS; k++)
                all->digits[k][a][f] = corner_jump_digits(run->trajectory, exact, k);
            trajectory_free(exact);
            if (run->status != OK)
                return paper_run_why(run, why, size);
        }
    return OK;
}

static void close_formulations(void *study)
{
    struct formulations *all = study;
    for (int a = 0; a < ATTACHMENTS; a++)
        for (int f = 0; f < FORMS; f++)
            paper_run_clear(&all->run[a][f]);
    free(all);
}

/* --- claims ------------------------------------------------------------------------- */

/* The paper calls 0.1 % an excellent correlation: three digits. */
static void judge_jumps(const void *study, const struct claim *claim,
                        struct finding *finding)
{
    const struct formulations *all = study;
    double least = INFINITY;
    for (int a = 0; a < ATTACHMENTS; a++)
        for (int f = 0; f < FORMS; f++)
            least = fmin(least, all->digits[claim->subject][a][f]);
    finding_holds(finding, least > 3, NAN);
    finding->digits = least;
    finding_tell(finding, "Digits of the jumps at all events against complex step, "
                 "springs on %s and on %s:", corner_attachment[0].springs,
                 corner_attachment[1].springs);
    for (int f = 0; f < FORMS; f++)
        finding_tell(finding, "%s %.1f, %.1f%s", name[f],
                     all->digits[claim->subject][0][f], all->digits[claim->subject][1][f],
                     f + 1 < FORMS ? ";" : ".");
}

/* The larger ratio, of both attachments, of the evaluations of right-hand sides or
   residuals by penalty and by another formulation. */
static double tell_work(const struct formulations *all, int other,
                        struct finding *finding)
{
    double worst = 0;
    for (int a = 0; a < ATTACHMENTS; a++) {
        long penalty = all->run[a][PENALTY].trajectory->evaluations;
        long its = all->run[a][other].trajectory->evaluations;
        worst = fmax(worst, (double)penalty / (double)its);
        finding_tell(finding, "Springs on %s: penalty %ld evaluations, %s %ld.",
                     corner_attachment[a].springs, penalty, name[other], its);
    }
    return worst;
}

/* The two formulations of the paper that penalty stands beside. */
static void judge_work(const void *study, const struct claim *claim,
                       struct finding *finding)
{
    (void)claim;
    finding_tell(finding, "How ease is measured is not printed; work is counted as "
                 "evaluations at rtol 1e-12.");
    double index3 = tell_work(study, INDEX3, finding);
    double index1 = tell_work(study, INDEX1, finding);
    finding_in_choices(finding, (index3 < 1) + (index1 < 1), 2, fmax(index3, index1));
    finding_tell(finding, "Beside index 3 penalty takes %.2f of the work, beside index 1 "
                 "%.2f. Here index1 is solved for accelerations and multipliers, so that "
                 "it is integrated without algebraic variables, too.", index3, index1);
}

static const struct claim claims[] = {
    {"Sec. 8", "jumps of dq, dv are calculated correctly", "", "", judge_jumps,
     JUMPS_OF_MOTION},
    {"Sec. 8", "jumps of da, dlambda, dz are calculated correctly", "", "", judge_jumps,
     JUMPS_OF_REST},
    {"Sec. 8", "penalty eases integration, beside index 3 and index 1", "", "",
     judge_work, 0},
    {0}};

const struct study corner_formulations = {
    .name = "corner, all formulations", .weight = 4, .open = open_formulations,
    .close = close_formulations, .claim = claims};
