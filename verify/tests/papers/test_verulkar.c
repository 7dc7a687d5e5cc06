/*
 * test_verulkar.c - the studies of Verulkar, Sandu, Dopico, Sandu (verify/papers):
 * verdicts that are certain, and verdicts that turn with their numbers.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "papers/finding.h"
#include "papers/verulkar/verulkar.h"
#include "papers/verulkar/parts.h"
#include "sampling.h"

TestSuite(verulkar, .timeout = 120);

/* --- bounds that depend on what is not printed -------------------------------------- */

static enum claim_verdict verdict_of_rmse(const struct rod *rod)
{
    const struct claim *claim = verulkar_rod.claim;
    while (claim->where && strcmp(claim->printed, "0.5") != 0)
        claim++;
    cr_assert_not_null(claim->where);
    struct finding finding = {.agreed = -1};
    claim->judge(rod, claim, &finding);
    return finding.verdict;
}

Test(verulkar, one_choice_above_the_bound_takes_the_confirmation_away)
{
    static struct rod rod;
    for (int k = 0; k < FRICTIONS; k++)
        for (int norm = 0; norm < NORMS; norm++) {
            rod.by_friction[k].relative[norm] = 0.0049;
            rod.by_friction[k].worst[norm] = "x";
        }
    cr_expect_eq(verdict_of_rmse(&rod), CLAIM_CONFIRMED);
    rod.by_friction[FRICTIONS - 1].relative[BY_LARGEST] = 0.0051;
    cr_expect_eq(verdict_of_rmse(&rod), CLAIM_NOT_REPRODUCIBLE);
}

Test(verulkar, a_number_that_is_rounding_is_told_as_a_power_of_ten)
{
    cr_expect_float_eq(verulkar_power(3e-16), 1e-14, 1e-28);
    cr_expect_float_eq(verulkar_power(2e-9), 1e-8, 1e-22);
    cr_expect(isnan(verulkar_power(NAN)));
}

/* --- the motion --------------------------------------------------------------------- */

/* The slider goes from 0.184952 to 0.290160 m and back in a turn of the crank, and at the
   start moves against the length of the crank. */
Test(verulkar, without_friction_the_slider_stays_on_its_curve_for_a_turn)
{
    struct paper_run run;
    paper_run_init(&run, "slider-crank-spatial", "index1", 400, "L_crank");
    paper_run_until(&run, 1.2);
    run.request.rtol = 1e-10;
    cr_assert_eq(paper_run_go(&run), OK);
    int x = paper_column(run.trajectory, "q.x_slider");
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < run.trajectory->samples; k++) {
        least = fmin(least, run.trajectory->sample[k].x[x]);
        most = fmax(most, run.trajectory->sample[k].x[x]);
    }
    cr_expect_float_eq(least, 0.184952, 1e-5, "%.9g", least);
    cr_expect_float_eq(most, 0.290160, 1e-5, "%.9g", most);
    int by_L = paper_column(run.trajectory, "dq.x_slider/dL_crank");
    cr_expect_float_eq(run.trajectory->sample[0].x[by_L], -1, 1e-12);
    paper_run_clear(&run);
}

/* --- the equations ------------------------------------------------------------------ */

static const struct printed_formula *formula_at(const char *where)
{
    const struct printed_formula *row = verulkar_equations.formula;
    while (row->where && strcmp(row->where, where) != 0)
        row++;
    cr_assert_not_null(row->where, "%s", where);
    return row;
}

static struct trial try(const void *study, const char *where)
{
    const struct printed_formula *row = formula_at(where);
    struct trial trial = {0};
    row->attempt(study, row, &trial);
    cr_expect_eq(*row->corrected == '\0', isnan(trial.corrected), "%s", where);
    return trial;
}

Test(verulkar, equations_hold_but_for_the_order_of_alpha_and_L)
{
    static const char *const holds[] = {"(1), (2), (3)", "(4)", "(5)", "(6), (7)",
                                        "(8), alpha a number"};
    void *study = NULL;
    char why[400] = "";
    cr_assert_eq(verulkar_equations.open(NULL, &study, why, sizeof why), OK, "%s", why);
    for (size_t k = 0; k < sizeof holds / sizeof holds[0]; k++) {
        struct trial trial = try(study, holds[k]);
        cr_expect_gt(trial.printed, 9, "%s: %g digits", holds[k], trial.printed);
        cr_expect_eq(trial_outcome(formula_at(holds[k]), &trial), TRIAL_HOLDS, "%s",
                     holds[k]);
    }
    struct trial matrix = try(study, "(8), alpha a matrix");
    cr_expect_eq(trial_outcome(formula_at("(8), alpha a matrix"), &matrix), TRIAL_WRONG);
    cr_expect_gt(matrix.corrected, 9);

    /* Another alpha than that of the motion is noticed. */
    struct equations *scalar = study;
    for (int i = 0; i < scalar->m; i++)
        scalar->alpha[i] *= 1 + 1e-3;
    struct trial disturbed = try(study, "(8), alpha a number");
    cr_expect_lt(disturbed.printed, 7, "%g digits", disturbed.printed);
    verulkar_equations.close(study);
}

/* --- all verdicts ------------------------------------------------------------------- */

static void expect_verdicts(const struct study *study)
{
    void *own = NULL;
    char why[400] = "";
    cr_assert_eq(study->open(NULL, &own, why, sizeof why), OK, "%s", why);
    for (const struct claim *claim = study->claim; claim->where; claim++) {
        struct finding finding = {.agreed = -1};
        /* omega decides what happens at a singular configuration. */
        bool missing = *claim->printed || strstr(claim->says, "singular configurations");
        claim->judge(own, claim, &finding);
        cr_expect_eq(finding.verdict, missing ? CLAIM_NOT_REPRODUCIBLE : CLAIM_CONFIRMED,
                     "%s: %s", claim->says, finding.evidence);
        cr_expect_lt(strlen(finding.evidence), sizeof finding.evidence - 1);
    }
    study->close(own);
}

Test(verulkar, statements_are_confirmed_and_numbers_lack_their_data)
{
    if (!in_test_all())
        return;
    expect_verdicts(&verulkar_rod);
    expect_verdicts(&verulkar_cost);
}

Test(verulkar, redundancy_is_taken_and_singularities_by_a_choice_of_omega)
{
    if (!in_test_all())
        return;
    expect_verdicts(&verulkar_limits);
}
