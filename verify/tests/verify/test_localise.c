/*
 * test_localise.c - what is found in wrong numbers: the term of a jump, a column of
 * another sign or unit, sensitivities that are wrong between events, a motion that is
 * another.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "faults/judged_rules.h"
#include "faults/localise.h"
#include "faults/rules.h"
#include "faults/terms.h"
#include "motion/samples.h"
#include "solving.h"

/* Two runs of a case: the right one is the truth, the other is altered. */
struct altered {
    struct solving s;
    struct samples samples;
    struct results *want, *got;
    struct rows rows;
};

static struct results *results_by(struct altered *a, const struct jump_rule *rule)
{
    struct trajectory *trajectory = NULL;
    a->s.request.rule = rule;
    enum status status = run_once(&a->s.request, &trajectory, &a->s.diagnosis);
    cr_assert_eq(status, OK, "%s", a->s.diagnosis.place);
    struct results *results = results_of_trajectory(trajectory);
    trajectory_free(trajectory);
    a->s.request.rule = NULL;
    return results;
}

static void altered_open(struct altered *a, const char *name,
                         const struct jump_rule *rule)
{
    memset(a, 0, sizeof *a);
    struct model *model = model_new(case_find(name), NULL);
    solving_of_model(&a->s, model, formulation_default(model)->name);
    cr_assert_eq(choose_samples(model, &a->samples, &a->s.diagnosis), OK);
    a->s.request.samples = a->samples.count;
    a->s.request.sample = a->samples.t;
    a->rows.digits = 8;
    a->want = results_by(a, NULL);
    a->got = results_by(a, rule);
}

static const char *cause_of(struct altered *a)
{
    rows_clear(&a->rows);
    struct row *row = rows_add(&a->rows, ROW_JUDGED, a->s.model->desc->name, "altered",
                               "truth");
    row->made = (struct made){.digits = 13, .floor = 1e-3};
    const struct localise_request request = {.motion = &a->s.request, .exact = true,
                                             .got = a->got, .want = a->want, .cap = 16};
    row_compare(&a->rows, row, a->got, a->want, request.cap);
    localise_row(&a->rows, row, &request);
    return row->cause;
}

static void altered_close(struct altered *a)
{
    rows_clear(&a->rows);
    results_free(a->want);
    results_free(a->got);
    solving_end(&a->s);
}

/* Multiplies what has `part` in its name, after the time t. */
static int multiply(struct results *results, const char *part, double t, double factor)
{
    int count = 0;
    for (int k = 0; k < results->count; k++)
        if (strstr(results->entry[k].name, part) && results->entry[k].t > t) {
            mpfr_t *value = &results->entry[k].value;
            mpfr_mul_d(*value, *value, factor, MPFR_RNDN);
            count++;
        }
    cr_assert_gt(count, 0, "nothing is called %s", part);
    return count;
}

static void expect_cause(struct altered *a, const char *text)
{
    const char *cause = cause_of(a);
    cr_expect_str_eq(cause, text);
}

static void expect_begins(const char *cause, const char *text)
{
    cr_expect_eq(strncmp(cause, text, strlen(text)), 0, "%s", cause);
}

/* --- columns ------------------------------------------------------------------------ */

Test(blame, is_silent_where_every_number_holds)
{
    struct altered a;
    altered_open(&a, "pendulum-wall", NULL);
    expect_cause(&a, "");
    altered_close(&a);
}

Test(blame, names_the_sign_of_a_single_number_after_an_event)
{
    struct altered a;
    altered_open(&a, "five-bar", NULL);
    cr_assert_eq(multiply(a.got, "after.2.dv.y3/dL01", 0, -1), 1);
    expect_cause(&a, "sign of dv.y3/dL01 after event 2");
    altered_close(&a);
}

Test(blame, names_a_column_of_the_wrong_sign_and_one_of_zeros)
{
    struct altered a;
    altered_open(&a, "five-bar", NULL);
    multiply(a.got, "dv.y3/dL01", 0, -1);
    expect_cause(&a, "sign of dv.y3/dL01");
    multiply(a.got, "dq.x1/dL02", 0, 0);
    expect_cause(&a, "sign of dv.y3/dL01; dq.x1/dL02 is zero");
    altered_close(&a);
}

Test(blame, names_a_parameter_in_another_unit)
{
    struct altered a;
    altered_open(&a, "five-bar", NULL);
    multiply(a.got, "/dL01", -1, 1000);
    expect_cause(&a, "every derivative by L01 is 1000 times what it should be");
    altered_close(&a);
}

/* --- no jump ------------------------------------------------------------------------ */

/* An error that grows: no column is a multiple. */
static void disturb(struct results *results, const char *part, double from, double to)
{
    for (int k = 0; k < results->count; k++) {
        struct entry *entry = &results->entry[k];
        if (strstr(entry->name, part) && entry->t > from && entry->t < to)
            mpfr_mul_d(entry->value, entry->value, 1 + 1e-3 * (entry->t - from) * (k % 7),
                       MPFR_RNDN);
    }
}

static double time_of_event(const struct results *results, int event)
{
    char name[40];
    int k = 0;
    snprintf(name, sizeof name, "event.%d.t", event);
    while (k < results->count && strcmp(results->entry[k].name, name) != 0)
        k++;
    cr_assert_lt(k, results->count, "no event %d", event);
    return results->entry[k].t;
}

Test(blame, blames_no_jump_for_what_is_wrong_before_it)
{
    struct altered a;
    altered_open(&a, "five-bar", NULL);
    disturb(a.got, "/dL01", 0, INFINITY);
    const char *cause = cause_of(&a);
    expect_begins(cause, "wrong before event 1: the smooth sensitivities, d");
    cr_expect_null(strstr(cause, "missing"), "%s", cause);
    altered_close(&a);
}

Test(blame, tells_between_which_events_it_went_wrong)
{
    struct altered a;
    altered_open(&a, "five-bar", NULL);
    disturb(a.got, "/dL01", time_of_event(a.want, 1) + 1e-6, INFINITY);
    const char *cause = cause_of(&a);
    expect_begins(cause, "wrong between events 1 and 2: ");
    altered_close(&a);
}

Test(blame, says_when_the_motion_itself_is_another)
{
    struct altered a;
    altered_open(&a, "five-bar", NULL);
    multiply(a.got, "before.2.q.x1", 0, 1.001);
    multiply(a.got, "/dL01", time_of_event(a.want, 1) + 1e-6, 1.5);
    const char *cause = cause_of(&a);
    cr_expect_not_null(strstr(cause, "the motion itself is wrong, first q.x1 before "
                                     "event 2"), "%s", cause);
    altered_close(&a);
}

Test(blame, admits_that_no_single_term_explains_a_jump)
{
    struct altered a;
    altered_open(&a, "five-bar", NULL);
    multiply(a.got, "after.1.dv.y3/dL01", 0, 1.37);
    multiply(a.got, "after.1.dv.x2/dL01", 0, 0.71);
    const char *cause = cause_of(&a);
    expect_begins(cause, "no single term explains dv.x2/dL01 after event 1");
    altered_close(&a);
}

/* --- jumps -------------------------------------------------------------------------- */

/* A rule at one event only, counted from one; saltation at the others. */
struct once {
    struct jump_rule rule;
    const struct jump_rule *wrong;
    int event, *passed, *first;         /* the parameter that is asked for first */
};

static const struct once *once_of(const struct jump *jump)
{
    return (const struct once *)(const void *)jump->rule;
}

static enum status once_tau(const struct jump *jump, int parameter,
                            const struct jump_column *before, double *tau)
{
    const struct once *once = once_of(jump);
    struct jump view = *jump;
    if (*once->passed == 0)
        *once->first = parameter;
    *once->passed += parameter == *once->first;
    view.rule = once->wrong;
    return *once->passed == once->event ? once->wrong->tau(&view, parameter, before, tau)
                                        : saltation_tau(jump, parameter, before, tau);
}

static enum status once_apply(const struct jump *jump, int parameter,
                              const struct jump_column *before, double tau,
                              struct jump_column *after)
{
    const struct once *once = once_of(jump);
    struct jump view = *jump;
    view.rule = once->wrong;
    return *once->passed == once->event
               ? once->wrong->apply(&view, parameter, before, tau, after)
               : saltation_apply(jump, parameter, before, tau, after);
}

static void expect_at_one_event(const char *name, const char *rule, int event,
                                const char *text)
{
    int passed = 0, first;
    struct altered a;
    const struct once once = {
        .rule = {.name = "once", .tau = once_tau, .apply = once_apply},
        .wrong = any_rule_find(rule), .event = event, .passed = &passed,
        .first = &first};
    cr_assert_not_null(once.wrong);
    altered_open(&a, name, &once.rule);
    const char *cause = cause_of(&a);
    cr_expect_eq(strncmp(cause, text, strlen(text)), 0, "%s, %s: %s", name, rule, cause);
    altered_close(&a);
}

Test(blame, names_the_event_at_which_a_term_is_wrong)
{
    expect_at_one_event("five-bar", "minus-a-plus", 2,
                        "event 2: wrong sign of a+ tau in dV+ (all parameters)");
    expect_at_one_event("five-bar-events", "no-r-rho", 4,
                        "event 4: r_rho missing in dt_e/d");
    expect_at_one_event("impact-oscillator", "half-J-v", 5,
                        "event 5: half of J_v dv in the reset (");
    expect_at_one_event("rope-catch", "corner-94-printed", 1, "");
    expect_at_one_event("event-chain", "twice-f-plus", 2,
                        "event 2: twice f_s+ tau in dS+ (");
}

Test(blame, names_faults_of_two_parameters_at_two_events)
{
    struct altered a;
    altered_open(&a, "five-bar", NULL);
    struct results *wrong = results_by(&a, any_rule_find("minus-a-plus"));
    for (int k = 0; k < wrong->count; k++)
        if (strstr(wrong->entry[k].name, "/dL01"))
            mpfr_set(a.got->entry[k].value, wrong->entry[k].value, MPFR_RNDN);
    results_free(wrong);
    multiply(a.got, "after.3.dv.y3/dL02", 0, -1);
    expect_cause(&a, "event 1: wrong sign of a+ tau in dV+ (L01); "
                     "sign of dv.y3/dL02 after event 3");
    altered_close(&a);
}

/* As a foreign solver prints them. */
Test(blame, is_content_with_six_digits_and_some_columns)
{
    struct altered a;
    altered_open(&a, "five-bar", any_rule_find("minus-a-plus"));
    a.rows.digits = 5;
    struct results *some = results_new(53);
    for (int k = 0; k < a.got->count; k++) {
        const struct entry *entry = &a.got->entry[k];
        char text[40];
        if (strstr(entry->name, "lambda") || strstr(entry->name, "before.") ||
            strstr(entry->name, ".da."))
            continue;
        mpfr_snprintf(text, sizeof text, "%.6Re", entry->value);
        mpfr_set_str(results_add(some, entry->name, entry->group, entry->t,
                                 entry->point)->value, text, 10, MPFR_RNDN);
    }
    results_free(a.got);
    a.got = some;
    /* some parameters move event 1 by too little to be seen in five digits */
    expect_cause(&a, "events 1, 2: wrong sign of a+ tau in dV+ (all parameters)");
    altered_close(&a);
}
