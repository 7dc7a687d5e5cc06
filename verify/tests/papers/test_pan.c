/*
 * test_pan.c - Pan, Ding, Wang 2004 reproduced: verdicts that are certain, and judges
 * that can fail.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "papers/pan/pan.h"
#include "studying.h"

/* The row of a study whose text begins like this. */
static int claim_of(const struct study *study, const char *says)
{
    int k = 0;
    while (study->claim[k].where &&
           strncmp(study->claim[k].says, says, strlen(says)) != 0)
        k++;
    cr_assert_lt(k, claims_of(study), "no claim '%s'", says);
    return k;
}

/* --- the printed numbers ------------------------------------------------------------ */

/* A last digit of psi_m2 that the identity of the masses would have. */
Test(pan, masses_that_would_obey_their_identity_are_not_refuted)
{
    static const char *const balanced[] = {"0.4683", "-0.2342"};
    const double b[] = {1, 2};
    double rounding;
    cr_expect_gt(fabs(pan_sum(b, pan_printed + 3, &rounding)), 10 * rounding);
    cr_expect_float_eq(rounding, 0.00015, 1e-16);
    cr_expect_leq(fabs(pan_sum(b, balanced, &rounding)), rounding);
}

/* --- the studies -------------------------------------------------------------------- */

Test(pan, the_arm_has_the_verdicts_that_are_certain)
{
    struct studied s = study_new(&pan_arm_study);
    const struct claim *claim = pan_arm_study.claim;
    cr_expect_eq(s.finding[claim_of(s.study, "the printed psi_m1")].verdict,
                 CLAIM_REFUTED);
    cr_expect_eq(s.finding[claim_of(s.study, "the direct")].verdict, CLAIM_CONFIRMED);
    cr_expect_eq(s.finding[claim_of(s.study, "they agree")].verdict, CLAIM_CONFIRMED);
    cr_expect_geq(s.finding[claim_of(s.study, "differential")].digits, 10);
    for (int k = 0; k < PAN_NUMBERS; k++) {
        struct claim turned = claim[k];
        struct finding finding = {.agreed = -1};
        cr_expect_eq(s.finding[k].verdict, CLAIM_NOT_REPRODUCIBLE);
        cr_expect_str_eq(claim[k].printed, pan_printed[k]);
        turned.printed = s.finding[k].ours;
        turned.judge(s.own, &turned, &finding);
        cr_expect_eq(finding.verdict, CLAIM_CONFIRMED, "%s", turned.says);
    }
    cr_expect_geq(s.trial[0].printed, 9);
    studied_clear(&s);
}

/* (17) and (18b) on index 3 are wrong, and nothing else that is tried. */
Test(pan, two_printed_formulas_are_wrong)
{
    struct studied s = study_new(&pan_ends_study);
    for (int k = 0; k < formulas_of(s.study); k++) {
        const struct printed_formula *row = &s.study->formula[k];
        bool wrong = strcmp(row->where, "(17)") == 0 ||
                     strcmp(row->where, "(18b), index 3") == 0;
        cr_expect_eq(trial_outcome(row, &s.trial[k]), wrong ? TRIAL_WRONG : TRIAL_HOLDS,
                     "%s", row->where);
        cr_expect_eq(*row->corrected != '\0', wrong, "%s", row->where);
        cr_expect_geq(s.trial[k].corrected, 11, "%s: %.1f", row->where,
                      s.trial[k].corrected);
    }
    for (int k = 0; k < claims_of(s.study); k++)
        cr_expect_geq(s.finding[k].digits, 11);
    studied_clear(&s);
}

/* The search looks at half of the starts: the others are their mirror images. */
Test(pan, mirrored_starts_have_one_cost)
{
    double psi[2];
    for (int k = 0; k < 2; k++) {
        struct paper_run run;
        paper_run_init(&run, "two-link", "ode", 0, "");
        paper_run_set(&run, "start1", k == 0 ? 0.3 : M_PI - 0.3);
        paper_run_set(&run, "start2", k == 0 ? -1.1 : M_PI + 1.1);
        cr_assert_eq(paper_run_go(&run), OK);
        psi[k] = run.trajectory->psi[0];
        paper_run_clear(&run);
    }
    cr_expect_float_eq(psi[0], psi[1], 1e-9 * psi[0]);
}
