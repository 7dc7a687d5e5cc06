/*
 * test_verify.c - names, tolerances, sample times, truths, rules, work on threads.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "faults/rules.h"
#include "jobs/judge.h"
#include "jobs/pool.h"
#include "mechanisms/catalogue.h"
#include "motion/reference_motion.h"
#include "motion/samples.h"
#include "oracles/shared_parts.h"
#include "verdict/tolerances.h"

/* --- names -------------------------------------------------------------------------- */

Test(nearest, distance_counts_insertions_deletions_substitutions_and_swaps)
{
    cr_assert_eq(edit_distance("", ""), 0);
    cr_assert_eq(edit_distance("abc", ""), 3);
    cr_assert_eq(edit_distance("five-bar", "five-bra"), 1);
    cr_assert_eq(edit_distance("L01", "LO1"), 1);
    cr_assert_eq(edit_distance("penalty", "penality"), 1);
    cr_assert_eq(edit_distance("kitten", "sitting"), 3);
}

Test(nearest, the_nearest_name_is_offered_and_far_ones_are_not)
{
    const char *const name[] = {"ode", "index1", "baumgarte", "penalty", NULL};
    char text[200];
    offer_names("penalti", name, -1, text, sizeof text);
    cr_assert_str_eq(text, "did you mean penalty?");
    offer_names("zzz", name, -1, text, sizeof text);
    cr_assert_str_eq(text, "known: ode, index1, baumgarte, penalty");
    offer_names("zzz", name, 0, text, sizeof text);
    cr_assert_str_eq(text, "there is none");
}

Test(nearest, an_offer_never_overflows_its_text)
{
    const char *const name[] = {"a-rather-long-name", "another-rather-long-name",
                                "third"};
    for (int size = 24; size < 80; size++) {
        char text[100];
        memset(text, '#', sizeof text);
        offer_names("zzz", name, 3, text, size);
        cr_assert_lt(strnlen(text, sizeof text), (size_t)size);
        cr_assert_eq(text[size], '#');
    }
}

/* --- tolerances --------------------------------------------------------------------- */

static double tolerance_of(const char *name, const char *by)
{
    const struct formulation *formulation = formulation_find(by);
    return tolerance_default(case_find(name), integrator_default(formulation),
                             formulation);
}

Test(tolerances, are_the_tightest_where_errors_follow_them)
{
    cr_assert_eq(tolerance_of("five-bar", "index1"), 5e-14);
    cr_assert_eq(tolerance_of("five-bar", "penalty"), 1e-13);
    cr_assert_eq(tolerance_of("five-bar", "ggl"), 1e-13);
    cr_assert_geq(tolerance_of("five-bar", "index3"), 1e-12);
    cr_assert_gt(tolerance_of("andrews", "index3"), 1e-12);
    cr_assert_gt(tolerance_of("five-bar-redundant", "penalty"), 1e-12);
    cr_assert_eq(tolerance_of("five-bar-redundant", "baumgarte"), 1e-13);
}

/* --- oracles ------------------------------------------------------------------------ */

Test(oracles, have_a_name_of_their_own_and_a_line_on_what_they_share)
{
    for (int k = 0; k < ORACLE_COUNT; k++) {
        char text[SHARED_PARTS_TEXT];
        cr_assert_eq(oracle_find(oracles[k].name), k);
        shared_parts_text(&oracles[k], text, sizeof text);
        cr_assert_null(strchr(text, '?'), "%s", text);
    }
    cr_assert_eq(oracle_find("no such oracle"), -1);
}

/* The table alone says who is asked: each way of judging has what it takes. */
Test(oracles, that_have_numbers_can_be_asked_for_them)
{
    for (int k = 0; k < ORACLE_COUNT; k++) {
        const struct oracle *oracle = &oracles[k];
        cr_expect_eq(oracle->calls->ask != NULL, oracle->way == WAY_NUMBERS, "%s",
                     oracle->name);
        cr_expect(oracle->way != WAY_NUMBERS || oracle->stage != STAGE_CASE,
                  "%s: numbers of a run that may have been refused", oracle->name);
        cr_expect(!(oracle->traits & ANY_DIGITS) || oracle->calls->key, "%s",
                  oracle->name);
    }
}

/* --- times, truths, rules ----------------------------------------------------------- */

Test(samples, of_every_case_increase_and_are_exact_decimals)
{
    for (int k = 0; catalogue[k]; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        struct model *model = model_new(catalogue[k], &diagnosis);
        struct samples samples;
        cr_assert_not_null(model);
        enum status status = choose_samples(model, &samples, &diagnosis);
        cr_assert_eq(status, OK);
        for (int i = 0; i < samples.count; i++) {
            mpfr_t exact;
            mpfr_init2(exact, 400);
            int inexact = mpfr_strtofr(exact, samples.text[i], NULL, 10, MPFR_RNDN);
            int same = inexact == 0 && mpfr_cmp_d(exact, samples.t[i]) == 0;
            mpfr_clear(exact);
            cr_assert(same, "%s: %s", catalogue[k]->name, samples.text[i]);
            cr_assert(i == 0 || samples.t[i] > samples.t[i - 1]);
        }
        model_free(model);
    }
}

Test(truths, of_penalty_are_its_matrices_as_exact_decimals)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = model_new(case_find("five-bar"), &diagnosis);
    const struct formulation *penalty = formulation_find("penalty");
    const char *option[MAX_OPTIONS];
    struct reference_motion own;
    options_nominal(penalty, option);
    option[option_index(penalty, "omega")] = "0.1";
    option[option_index(penalty, "xi")] = "0.7";
    cr_assert(reference_motion_of(penalty, model, option, &own, &diagnosis) == OK);
    cr_assert_str_eq(own.truth.variant, "penalty");
    cr_assert_str_eq(own.truth.K_D, "0.14");
    cr_assert_str_eq(own.truth.K_P, "0.01");
    cr_assert(reference_motion_of(formulation_find("index1"), model, NULL, &own,
                                  &diagnosis) == OK);
    cr_assert(is_exact(&own.truth));
    model_free(model);
}

Test(rules, of_both_tables_are_found_by_name_and_names_are_unique)
{
    const char *name[200];
    int count = any_rule_names(name, 200);
    for (int i = 0; i < count; i++) {
        cr_assert_str_eq(any_rule_find(name[i])->name, name[i]);
        for (int k = 0; k < i; k++)
            cr_assert_str_neq(name[i], name[k]);
    }
    cr_assert_not_null(any_rule_find("saltation"));
    cr_assert_not_null(any_rule_find("corner-94-printed"));
    cr_assert_null(any_rule_find("no-such-rule"));
}

/* --- work on threads ---------------------------------------------------------------- */

struct counted {
    struct task task;
    int times;
};

static void count_work(struct task *task)
{
    task_part(task, 0.0, 0.5);
    task_progress(task, 1.0);
    ((struct counted *)task)->times++;
}

Test(tasks, are_all_run_once_however_many_threads_there_are)
{
    for (int jobs = 1; jobs <= 8; jobs *= 2) {
        struct counted counted[20];
        struct task *list[20];
        for (int k = 0; k < 20; k++) {
            counted[k] = (struct counted){.task = {.weight = k, .run = count_work}};
            list[k] = &counted[k].task;
        }
        pool_run("test", list, 20, jobs);
        for (int k = 0; k < 20; k++) {
            cr_assert_eq(counted[k].times, 1);
            cr_assert_eq(counted[k].task.done, 0.5);
        }
    }
}
