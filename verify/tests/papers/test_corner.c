/*
 * test_corner.c - the verdicts on section 7 of Corner, Sandu, Sandu 2019 come from the
 * runs: they are as mathematics has them, and turn when a number of a run is disturbed.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faults/rules.h"
#include "papers/corner/corner.h"
#include "papers/finding.h"
#include "sampling.h"
#include "studying.h"

/* The row of a study that begins so. */
static const struct claim *row(const struct study *study, const char *where,
                               const char *says)
{
    const struct claim *claim = study->claim;
    while (claim->where && !(strcmp(claim->where, where) == 0 &&
                             strncmp(claim->says, says, strlen(says)) == 0))
        claim++;
    cr_assert_not_null(claim->where, "%s has no row %s, %s", study->name, where, says);
    return claim;
}

/* Judges a row once more. */
static enum claim_verdict verdict(const struct studied *studied, const char *where,
                                  const char *says)
{
    const struct claim *claim = row(studied->study, where, says);
    struct finding finding = {.agreed = -1, .digits = NAN};
    claim->judge(studied->own, claim, &finding);
    return finding.verdict;
}

static void expect_verdict(const struct studied *studied, const char *where,
                           const char *says, enum claim_verdict wanted)
{
    enum claim_verdict got = verdict(studied, where, says);
    cr_expect_eq(got, wanted, "%s, %s: %s", where, says, claim_verdict_text[got]);
}

/* A row that is confirmed is not, once this number of the run is multiplied. */
static void expect_to_turn(const struct studied *studied, double *number, double factor,
                           const char *where, const char *says)
{
    double kept = *number;
    expect_verdict(studied, where, says, CLAIM_CONFIRMED);
    *number *= factor;
    cr_expect_neq(verdict(studied, where, says), CLAIM_CONFIRMED, "%s, %s is blind",
                  where, says);
    *number = kept;
}

Test(corner, verdicts_of_events_and_quadratures_are_those_of_mathematics)
{
    struct studied studied = study_new(&corner_case_study);
    expect_verdict(&studied, "Sec. 7", "vx2 remains", CLAIM_CONFIRMED);
    expect_verdict(&studied, "Fig. 6a", "z, the integral of vy2", CLAIM_CONFIRMED);
    expect_verdict(&studied, "Fig. 6b", "z, the integral of ay2", CLAIM_CONFIRMED);
    expect_verdict(&studied, "Fig. 5b", "magnitude of the spikes", CLAIM_CONFIRMED);
    expect_verdict(&studied, "ours", "the impact of Sec. 7", CLAIM_REFUTED);
    expect_verdict(&studied, "Sec. 7", "(v(rho + drho)", CLAIM_REFUTED);
    studied_clear(&studied);
}

Test(corner, rows_turn_with_the_numbers_of_the_run)
{
    struct studied studied = study_new(&corner_case_study);
    const struct case_study *all = studied.own;
    struct trajectory *motion = all->bars[0].run.trajectory;
    double *before = motion->event[1].before.x, *after = motion->event[1].after.x;
    double *end = motion->sample[motion->samples - 1].x;
    expect_to_turn(&studied, &after[paper_column(motion, "v.y2")], 1 + 1e-8, "Fig. 4b",
                   "vy2 jumps");
    expect_to_turn(&studied, &before[paper_column(motion, "q.y2")], 1.01, "Fig. 4a",
                   "y2 bounces");
    expect_to_turn(&studied, &end[paper_column(motion, "dv.y2/dL02")], 1.002, "Fig. 5b",
                   "differences");
    expect_to_turn(&studied, &end[paper_column(motion, "dq.y2/dL01")], 1.05, "Fig. 5a",
                   "differences");
    expect_to_turn(&studied, &end[paper_column(motion, "z.jerk")], 1 + 1e-7, "Fig. 6b",
                   "they differ");
    expect_to_turn(&studied, &end[paper_column(motion, "dz.fall/dL01")], 1 + 1e-7,
                   "Fig. 7a", "dz matches");
    expect_to_turn(&studied, &end[paper_column(motion, "dv.y2/dL01")], 1.01, "Sec. 8",
                   "analytic");
    expect_to_turn(&studied, &motion->event[0].tau[1], 1.02, "Fig. 2", "the spikes last");
    studied_clear(&studied);
}

Test(corner, residuals_fall_with_the_penalty_factor)
{
    struct studied studied = study_new(&corner_penalty);
    struct claim claim = *row(&corner_penalty, "Fig. 3b", "position");
    struct finding finding = {.agreed = -1};
    cr_expect(strstr(studied.finding[0].evidence, "order in 1/alpha: 1.000"), "%s",
              studied.finding[0].evidence);
    expect_verdict(&studied, "Fig. 3b", "position", CLAIM_NOT_REPRODUCIBLE);
    claim.printed = "1";
    claim.judge(studied.own, &claim, &finding);
    cr_expect_eq(finding.verdict, CLAIM_CONFIRMED);
    studied_clear(&studied);
}

Test(corner, jumps_by_a_wrong_rule_have_no_digits)
{
    for (int wrong = 0; wrong < 2; wrong++) {
        struct paper_run run;
        struct trajectory *exact;
        paper_run_init(&run, "five-bar", "penalty", 1, "L01,L02");
        if (wrong)
            run.request.rule = any_rule_find("no-tau");
        cr_assert_eq(paper_run_go(&run), OK);
        cr_assert_eq(paper_run_complex(&run, &exact), OK);
        double digits = corner_jump_digits(run.trajectory, exact, JUMPS_OF_MOTION);
        cr_expect(wrong ? digits < 1 : digits > 10, "%g", digits);
        trajectory_free(exact);
        paper_run_clear(&run);
    }
}

Test(corner, continuous_velocities_keep_away_from_the_rigid_mechanism)
{
    struct studied studied = study_new(&corner_constraints);
    expect_verdict(&studied, "Sec. 8", "velocities", CLAIM_CONFIRMED);
    cr_expect(strstr(studied.finding[2].evidence,
                     "of orders 0.000, 0.000, 0.000, 0.000 in 1/alpha") &&
              strstr(studied.finding[2].evidence,
                     "of orders 1.000, 1.000, 1.000, 1.000."),
              "%s", studied.finding[2].evidence);
    expect_verdict(&studied, "Abstract", "penalty works", CLAIM_CONFIRMED);
    studied_clear(&studied);
}

Test(corner, penalty_loses_energy_at_a_singular_configuration)
{
    if (!in_test_all())
        return;
    struct studied studied = study_new(&corner_singular);
    expect_verdict(&studied, "Sec. 8", "penalty runs", CLAIM_CONFIRMED);
    expect_verdict(&studied, "Sec. 8", "penalty works well", CLAIM_NOT_REPRODUCIBLE);
    expect_verdict(&studied, "Abstract", "penalty avoids", CLAIM_NOT_REPRODUCIBLE);
    studied_clear(&studied);
}
