/*
 * test_mukharlyamov.c - the arm of Mukharlyamov, Deressa 2014: laws of motion, verdicts
 * that are mathematically certain, and judges that can fail
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/pool.h"
#include "papers/mukharlyamov/trials.h"
#include "papers/paper.h"

/* --- displayed formulas ------------------------------------------------------------- */

Test(mukharlyamov, displays_hold_to_rounding_and_the_printed_M_and_Q_do_not)
{
    struct arm_sheet *sheet = arm_sheet_new();
    cr_expect_gt(display_digits(sheet, THETADD, 2, want_second_rate), 14);
    cr_expect_gt(display_digits(sheet, JACOBIAN, 4, want_jacobian), 14);
    cr_expect_gt(display_digits(sheet, XI, 2, want_Xi), 14);
    cr_expect_gt(display_digits(sheet, OWN_M, 3, want_M), 14);
    cr_expect_gt(display_digits(sheet, OWN_Q, 2, want_Q), 14);
    cr_expect_lt(display_digits(sheet, PRINTED_M, 3, want_M), 1);
    cr_expect_lt(display_digits(sheet, PRINTED_Q, 2, want_Q), 1);
    arm_sheet_free(sheet);
}

/* A number that is off by 1e-6 of it has six digits, and is seen. */
static void want_disturbed_Q(struct arm_sheet *sheet, const struct arm_point *point,
                             double *want)
{
    want_Q(sheet, point, want);
    want[0] *= 1 + 1e-6;
    want[1] *= 1 + 1e-6;
}

Test(mukharlyamov, a_judge_that_is_disturbed_shows_as_many_digits)
{
    struct arm_sheet *sheet = arm_sheet_new();
    double digits = display_digits(sheet, OWN_Q, 2, want_disturbed_Q);
    cr_expect(fabs(digits - 6) < 0.5, "%.2f digits", digits);
    arm_sheet_free(sheet);
}

/* --- laws --------------------------------------------------------------------------- */

static void end_of(const struct arm_law *law, double x[4])
{
    struct paper_run run;
    arm_run_init(&run, law, 1, 0.3);
    cr_assert_eq(paper_run_go(&run), OK, "%s: %s", law->desc.name, run.diagnosis.place);
    memcpy(x, run.trajectory->sample[1].x, 4 * sizeof *x);
    paper_run_clear(&run);
}

static double apart(const struct arm_law *a, const struct arm_law *b)
{
    double x[4], y[4], most = 0;
    end_of(a, x);
    end_of(b, y);
    for (int i = 0; i < 4; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

Test(mukharlyamov, laws_that_are_one_agree_and_misprints_do_not)
{
    cr_expect_lt(apart(&arm_21, &arm_baumgarte), 1e-12);
    cr_expect_gt(apart(&arm_33, &arm_21), 1e-2);
    cr_expect_lt(apart(&arm_25_scaled, &arm_34), 1e-10);
    cr_expect_gt(apart(&arm_25, &arm_34), 1e-2);
}

/* --- redundant constraints ---------------------------------------------------------- */

/* For positive definite M the kernels of A and Phi_q' are one. */
Test(mukharlyamov, the_force_that_is_called_non_ideal_is_zero)
{
    struct redundant redundant;
    redundant_try(&redundant);
    cr_expect_lt(redundant.rank, redundant.m);
    cr_expect_gt(redundant.part, 0.1, "u has a part in the kernel");
    cr_expect_gt(redundant.zero, 13);
    cr_expect_gt(redundant.force_digits, 12);
    cr_expect_gt(redundant.least_M, 0);
}

/* --- verdicts ----------------------------------------------------------------------- */

/* The finding of a claim, its words beginning so; disturbed: the printed number is
   another one. */
static struct finding finding_of(const struct study *study, void *own, const char *says,
                                 const char *disturbed)
{
    const struct claim *claim = study->claim;
    while (claim->where && strncmp(claim->says, says, strlen(says)) != 0)
        claim++;
    cr_assert_not_null(claim->where, "no claim '%s'", says);
    struct claim other = *claim;
    struct finding finding = {.agreed = -1, .digits = NAN};
    if (disturbed)
        other.printed = disturbed;
    other.judge(own, &other, &finding);
    return finding;
}

static void expect(const struct study *study, void *own, const char *says,
                   enum claim_verdict verdict)
{
    struct finding finding = finding_of(study, own, says, NULL);
    cr_expect_eq(finding.verdict, verdict, "%s: %s", says,
                 claim_verdict_text[finding.verdict]);
}

static void *opened(const struct study *study)
{
    struct task task = {0};
    char why[400] = "";
    void *own = NULL;
    cr_assert_eq(study->open(&task, &own, why, sizeof why), OK, "%s", why);
    return own;
}

Test(mukharlyamov, verdicts_on_the_data_and_on_the_Baumgarte_run, .timeout = 60)
{
    const struct study *study = &mukharlyamov_baumgarte;
    struct baumgarte_study *own = opened(study);
    expect(study, own, "x0", CLAIM_REFUTED);
    expect(study, own, "I1", CLAIM_CONFIRMED);
    expect(study, own, "I2", CLAIM_REFUTED);
    expect(study, own, "the run by the generalised", CLAIM_NOT_REPRODUCIBLE);
    cr_expect_eq(finding_of(study, own, "x0", "0.295965").verdict, CLAIM_CONFIRMED);
    cr_expect_eq(finding_of(study, own, "I2", "0.0208").verdict, CLAIM_CONFIRMED);
    cr_expect_eq(finding_of(study, own, "the run by", "0.493128").verdict,
                 CLAIM_CONFIRMED);
    cr_expect_float_eq(own->mp[1].diagnosis.t, 0.493128332, 1e-9);
    cr_expect_float_eq(own->slow.diagnosis.t, 4.067105, 1e-6);
    study->close(own);
}

/* Figures are drawn in several threads: none uses the sheet of the study. */
static void draw_without_sheet(const struct study *study, struct modified_study *own)
{
    struct arm_sheet *sheet = own->sheet;
    FILE *nowhere = fopen("/dev/null", "w");
    own->sheet = NULL;
    for (int k = 0; k < figures_of(study); k++)
        study->figure[k].draw(nowhere, own);
    own->sheet = sheet;
    fclose(nowhere);
}

Test(mukharlyamov, verdicts_on_the_modified_equation, .timeout = 120)
{
    const struct study *study = &mukharlyamov_modified;
    struct modified_study *own = opened(study);
    draw_without_sheet(study, own);
    expect(study, own, "case 1", CLAIM_CONFIRMED);
    expect(study, own, "the system is asymptotically stable", CLAIM_REFUTED);
    /* Rounding ends the n x n form, and not the equation. */
    expect(study, own, "choosing alpha too high makes", CLAIM_NOT_REPRODUCIBLE);
    cr_expect_gt(own->normal.refused, 0);
    cr_expect_eq(own->saddle.refused, 0);
    cr_expect_eq(own->far.status, RANK_LOSS);
    cr_expect_float_eq(own->far.diagnosis.t,
                       arm_stretched(own->far.model, own->far.value), 1e-12);
    /* A motion that had lost its sag would be called stable. */
    for (int k = 0; k < PAPER_CASES; k++) {
        const struct trajectory *t = own->held[k].trajectory;
        memcpy(t->sample[t->samples - 1].x, own->exact.sample[0].q,
               2 * sizeof *t->sample->x);
    }
    expect(study, own, "the system is asymptotically stable", CLAIM_CONFIRMED);
    study->close(own);
}
