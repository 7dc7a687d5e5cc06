/*
 * test_dankowicz.c - the studies of Dankowicz's notes: their verdicts, which turn when a
 * number is disturbed.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "papers/dankowicz/dankowicz.h"

static const struct study *study_of(int k)
{
    return paper_find("dankowicz")->study[k];
}

static void *opened(const struct study *study)
{
    char why[400] = "";
    void *own = NULL;
    cr_assert_eq(study->open(NULL, &own, why, sizeof why), OK, "%s", why);
    return own;
}

/* Judges the first claim of this place again. */
static enum claim_verdict verdict_of(const struct study *study, const void *own,
                                     const char *where)
{
    int k = 0;
    while (strcmp(study->claim[k].where, where) != 0)
        k++;
    struct finding finding = {.agreed = -1, .digits = NAN};
    study->claim[k].judge(own, &study->claim[k], &finding);
    return finding.verdict;
}

static struct trial trial_of(const struct study *study, const void *own,
                             const char *where)
{
    int k = 0;
    while (strcmp(study->formula[k].where, where) != 0)
        k++;
    struct trial trial = {.printed = NAN};
    study->formula[k].attempt(own, &study->formula[k], &trial);
    return trial;
}

/* --- verdicts ----------------------------------------------------------------------- */

Test(dankowicz, every_claim_holds)
{
    for (int s = 0; s < 2; s++) {
        const struct study *study = study_of(s);
        void *own = opened(study);
        for (int k = 0; study->claim[k].where; k++) {
            struct finding finding = {.agreed = -1, .digits = NAN};
            study->claim[k].judge(own, &study->claim[k], &finding);
            cr_expect_eq(finding.verdict, CLAIM_CONFIRMED, "%s: %s", study->claim[k].says,
                         finding.evidence);
            cr_expect_lt(strlen(finding.evidence), sizeof finding.evidence - 1,
                         "%s: the evidence is cut", study->claim[k].says);
        }
        study->close(own);
    }
}

/* h_p stands in (21) and (24) alone. */
Test(dankowicz, two_printed_formulas_are_wrong)
{
    const struct study *study = study_of(0);
    void *own = opened(study);
    for (int k = 0; study->formula[k].where; k++) {
        const struct printed_formula *row = &study->formula[k];
        struct trial trial = {.printed = NAN};
        row->attempt(own, row, &trial);
        cr_expect_geq(trial.corrected, 11, "%s: %.1f digits", row->where,
                      trial.corrected);
        bool wrong = strcmp(row->where, "(21)") == 0 || strcmp(row->where, "(24)") == 0;
        cr_expect_eq(trial_outcome(row, &trial), wrong ? TRIAL_WRONG : TRIAL_HOLDS, "%s",
                     row->where);
        cr_expect_eq(*row->corrected != '\0', wrong, "%s", row->where);
        cr_expect_lt(strlen(trial.evidence), sizeof trial.evidence - 1,
                     "%s: the evidence is cut", row->where);
    }
    study->close(own);
}

/* --- disturbed numbers -------------------------------------------------------------- */

Test(dankowicz, disturbed_numbers_turn_verdicts)
{
    const struct study *study = study_of(0);
    struct dankowicz_study *own = opened(study);
    struct solved_problem *solved = &own->system[DK_OSCILLATOR];
    double node = solved->zero.x[2], digits = own->count.digits;

    solved->zero.x[3 * zero_problem_node(&solved->zero, "impact") + 1] += 1e-9;
    cr_expect_eq(verdict_of(study, own, "(12)"), CLAIM_REFUTED);
    own->count.digits = NAN;            /* the closed form has other events */
    cr_expect_eq(verdict_of(study, own, "(3)-(5)"), CLAIM_REFUTED);
    own->count.digits = digits;
    own->count.kinds = 2;
    cr_expect_eq(verdict_of(study, own, "(9)-(11)"), CLAIM_REFUTED);
    own->system[DK_WHEEL].newton = own->system[DK_WHEEL].fixed_time;
    cr_expect_eq(verdict_of(study, own, "(22), (23)"), CLAIM_REFUTED);
    solved->zero.terminal[1].h = 1e-9;
    cr_expect_eq(verdict_of(study, own, "(13), (19)"), CLAIM_REFUTED);
    solved->corrected[0].Lambda[0][0] += 1e-9;
    cr_expect_eq(verdict_of(study, own, "ours"), CLAIM_REFUTED);
    struct trial trial = trial_of(study, own, "(22), (23)");
    cr_expect_lt(trial.corrected, 10, "%.1f digits", trial.corrected);
    solved->zero.x[2] = node;
    study->close(own);
}

/* --- segments ----------------------------------------------------------------------- */

/* Along the smooth vector field nothing happens; with one event watched, that one. */
Test(dankowicz, a_segment_has_the_event_of_its_index_vector)
{
    const struct study *study = study_of(0);
    struct dankowicz_study *own = opened(study);
    cr_expect_eq(own->smooth.segment.run->events, 0);
    for (int k = 0; k < DK_SYSTEMS; k++) {
        const struct zero_problem *zero = &own->system[k].zero;
        for (int i = 0; i < zero->segments; i++) {
            const struct trajectory *run = zero->segment[i].segment.run;
            for (int e = 0; e < run->events; e++)
                cr_expect_eq(run->event[e].event->index, zero->event[i]);
            cr_expect_geq(run->events, 1);
        }
    }
    study->close(own);
}

/* Without the moving end every block is off, but where the end is at a fixed time. */
Test(dankowicz, the_moving_end_is_seen)
{
    const struct study *study = study_of(0);
    struct dankowicz_study *own = opened(study);
    for (int k = 0; k < DK_SYSTEMS; k++) {
        const struct solved_problem *solved = &own->system[k];
        const struct zero_problem *zero = &solved->zero;
        for (int i = 0; i < zero->segments; i++) {
            struct blocks fixed;
            blocks_by_formulas(&zero->segment[i], &zero->terminal[i], DK_FIXED_TIME,
                               &fixed);
            double digits = digits_of_columns(&fixed.Lambda[0][0],
                                              &solved->exact[i].Lambda[0][0], zero->width,
                                              zero->width, DK_WIDTH);
            cr_expect_lt(digits, 1.5, "system %d, segment %d: %.1f digits", k, i, digits);
        }
    }
    study->close(own);
}

/* The printed (24) is the rule minus-r-rho, and no other. */
Test(dankowicz, the_printed_sign_is_a_rule_of_the_project)
{
    const struct study *study = study_of(0);
    struct dankowicz_study *own = opened(study);
    for (int k = 0; k < DK_SYSTEMS; k++) {
        const struct solved_problem *solved = &own->system[k];
        for (int i = 0; i < solved->zero.segments; i++)
            cr_expect_geq(digits_of_columns(&solved->rule[i].F_p[0][0],
                                            &solved->printed[i].F_p[0][0],
                                            solved->zero.width, solved->zero.parameters,
                                            DK_PARAMETERS), 12);
    }
    study->close(own);
}
