/*
 * test_closed.c - closed forms against everything else; and that they are oracles: a
 * number that is a little off is seen, and one that is not known is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "closed_forms.h"
#include "comparing.h"
#include "referring.h"

static void solving_of_closed(struct solving *s, int k)
{
    solving_of_case(s, closed_forms[k]->case_name, "index1");
    if (s->model->m == 0)
        s->request.formulation = formulation_find("ode");
    for (int i = 0; i < TEST_SAMPLES; i++)      /* not at events at given times */
        s->sample[i] *= 0.97;
}

/* A case with large condition numbers: doubles do not keep 12 digits of it. */
static bool is_torture(int k)
{
    return strstr(case_find(closed_forms[k]->case_name)->classes, "torture");
}

/* --- against the others ------------------------------------------------------------- */

/* 12 digits: the runs carry 16, conditions of the cases reach 1e3. */
Test(closed, every_form_agrees_with_the_run_and_with_complex_step)
{
    char where[128];
    for (int k = 0; closed_forms[k]; k++) {
        struct solving s;
        if (is_torture(k))
            continue;
        solving_of_closed(&s, k);
        struct results *want = closed(&s);
        for (int route = 0; route < 2; route++) {
            struct trajectory *t;
            enum status status = route == 0
                ? run_once(&s.request, &t, &s.diagnosis)
                : complex_step_run(&s.request, &t, &s.diagnosis);
            cr_assert_eq(status, OK, "%s", s.diagnosis.place);
            struct results *got = results_of_trajectory(t);
            double digits = least_digits(got, want, where, sizeof where);
            cr_expect_geq(digits, 12, "%s: %.2f digits, %s", closed_forms[k]->case_name,
                          digits, where);
            results_free(got);
            trajectory_free(t);
        }
        results_free(want);
        solving_end(&s);
    }
}

/* The reference. Doubles are taken as they are; without them both evaluate the nominal
   values themselves. */
static struct mp_trajectory *reference(struct solving *s, int digits)
{
    char number[TEST_PARAMETERS + TEST_SAMPLES + 1][64];
    const char *value[TEST_PARAMETERS] = {NULL}, *sample[TEST_SAMPLES + 1];
    double t0, t_end;
    for (int j = 0; s->request.value && j < s->model->p; j++) {
        snprintf(number[j], sizeof number[j], "%.55g", s->value[j]);
        value[j] = number[j];
    }
    cr_assert_eq(model_times(s->model, s->value, &t0, &t_end, &s->diagnosis), OK);
    for (int k = 0; k <= TEST_SAMPLES; k++) {
        char *text = number[TEST_PARAMETERS + k];
        snprintf(text, 64, "%.55g", k == 0 ? t0 : s->sample[k - 1]);
        sample[k] = text;
    }
    struct referring r;
    referring_of_model(&r, s->model, digits);
    r.request.value = value;
    r.request.samples = TEST_SAMPLES + 1;
    r.request.sample = sample;
    r.request.max_events = 1000;
    return refer(&r);
}

/* 50 of the 60 digits of the reference: conditions of the cases, and the many steps and
   events of some, cost it up to 7. The torture set takes more: 120. */
static void expect_agreement(struct solving *s, int digits)
{
    int count, missing;
    struct results *got = closed(s);
    struct mp_trajectory *t = reference(s, digits);
    struct results *want = results_of_reference(t);
    struct comparison *comparison = compare_to(got, want, 60, &count, &missing);
    cr_assert_eq(missing, 0);
    cr_assert_gt(count, 100);
    for (int i = 0; i < count; i++)
        cr_expect_geq(comparison[i].digits, 50, "%s: %s: %.2f digits",
                      s->model->desc->name, comparison[i].want->name,
                      comparison[i].digits);
    free(comparison);
    results_free(got);
    results_free(want);
    mp_trajectory_free(t);
}

Test(closed, every_form_agrees_with_the_reference_to_fifty_digits)
{
    for (int k = 0; closed_forms[k]; k++)
        for (int nominal = 0; nominal < 2; nominal++) {
            struct solving s;
            solving_of_closed(&s, k);
            if (nominal)
                s.request.value = NULL;
            expect_agreement(&s, is_torture(k) ? 120 : 60);
            solving_end(&s);
        }
}

Test(closed, a_parameter_that_is_a_billionth_off_is_seen)
{
    char where[128];
    for (int k = 0; closed_forms[k]; k++) {
        struct solving s;
        if (is_torture(k))
            continue;
        solving_of_closed(&s, k);
        struct trajectory *t = solve(&s);
        struct results *got = results_of_trajectory(t);
        s.value[0] *= 1 + 1e-9;
        struct results *want = closed(&s);
        double digits = least_digits(got, want, where, sizeof where);
        cr_expect_leq(digits, 9.5, "%s: %.2f digits", closed_forms[k]->case_name, digits);
        results_free(got);
        results_free(want);
        trajectory_free(t);
        solving_end(&s);
    }
}

/* y = h0 - g t^2/2 at t = 1 before the first impact, and its derivative by g. */
Test(closed, the_condition_is_what_relative_changes_of_the_parameters_do)
{
    struct solving s;
    solving_of_case(&s, "bouncing-ball", "ode");
    double t = 1, h0 = 50, g = 9.8, y = h0 - g * t * t / 2;
    int count, missing, found = 0;
    s.request.samples = 1;
    s.request.sample = &t;
    s.request.value = NULL;
    struct results *results = closed(&s);
    closed_form_condition(closed_form_find("bouncing-ball"), &s.request, results);
    struct comparison *comparison = compare_to(results, results, 60, &count, &missing);
    for (int k = 0; k < count; k++) {
        const char *name = comparison[k].want->name;
        if (comparison[k].want->t != t || strncmp(name, "event", 5) == 0)
            continue;
        found += strcmp(name, "q.y") == 0 || strcmp(name, "v.y") == 0;
        if (strcmp(name, "q.y") == 0)       /* relative to 50, the height so far */
            cr_expect_float_eq(comparison[k].condition, (y + h0 + (h0 - y)) / h0, 1e-6);
        if (strcmp(name, "v.y") == 0)
            cr_expect_float_eq(comparison[k].condition, 2, 1e-6);
    }
    cr_expect_eq(found, 2);
    free(comparison);
    results_free(results);
    solving_end(&s);
}

/* A reset that forgets the restitution, in a form that is right otherwise. */
static void bounce_fully(const struct closed_values *values, int event,
                         struct closed_state *after)
{
    (void)values;
    (void)event;
    after->v[0] = b_neg(after->v[0]);
}

Test(closed, a_rule_that_is_wrong_is_seen_where_it_is_used)
{
    int count, missing;
    struct solving s;
    solving_of_case(&s, "bouncing-ball", "ode");
    struct results *want = closed(&s);
    struct closed_rules rules = *closed_form_find("bouncing-ball")->rules;
    rules.reset = bounce_fully;
    const struct closed_form wrong = {"bouncing-ball", "", &rules};
    struct results *got = closed_by(&s, &wrong);
    struct comparison *comparison = compare_to(got, want, 60, &count, &missing);
    int k = 0;
    while (k < count && comparison[k].digits > 50)
        k++;
    cr_expect_str_eq(comparison[k].want->name, "after.1.v.y");
    free(comparison);
    results_free(got);
    results_free(want);
    solving_end(&s);
}

/* --- refusals ----------------------------------------------------------------------- */

static void expect_refusal(struct solving *s, enum status expected, const char *because)
{
    struct results *results;
    const struct closed_form *form = closed_form_find(s->model->desc->name);
    enum status status = closed_form_evaluate(form, &s->request, CLOSED_DIGITS, &results,
                                              &s->diagnosis);
    cr_expect_eq(status, expected, "%s", status_text(status));
    cr_expect_eq(s->diagnosis.status, expected);
    cr_expect_not_null(strstr(s->diagnosis.place, because), "%s", s->diagnosis.place);
    cr_expect_null(results);
}

Test(closed, a_ball_past_its_zeno_time_is_refused)
{
    struct solving s;
    solving_of_case(&s, "bouncing-ball", "ode");
    s.request.t_end = 28.8;
    double zeno = sqrt(2 * 50 / 9.8) * (1 + 2 * 0.8 / 0.2);
    expect_refusal(&s, ZENO, "bouncing-ball");
    cr_expect_float_eq(s.diagnosis.t, zeno, 1e-12);
    solving_end(&s);
}

/* From 1e200 m the height at the impact is a difference of numbers that have 40 digits
   left after the point. */
Test(closed, a_number_that_is_not_known_to_the_digits_is_refused)
{
    struct solving s;
    solving_of_case(&s, "bouncing-ball", "ode");
    s.value[model_parameter_index(s.model, "h0")] = 1e200;
    s.request.t_end = 1e100;
    s.request.samples = 0;
    expect_refusal(&s, PRECISION, "is known to");
    solving_end(&s);
}

/* A pendulum that just reaches its stop: no digits decide whether it does. */
Test(closed, a_decision_that_stays_open_is_refused)
{
    struct solving s;
    solving_of_case(&s, "pendulum-stop", "ode");
    s.value[model_parameter_index(s.model, "a")] = 1;
    expect_refusal(&s, PRECISION, "decision");
    solving_end(&s);
}

/* A double beyond the last impact is decided, a billionth of a billionth away. */
Test(closed, what_balls_can_decide_is_decided)
{
    struct solving s;
    solving_of_case(&s, "pendulum-stop", "ode");
    s.value[model_parameter_index(s.model, "a")] = nextafter(1, 2);
    struct results *results = closed(&s);
    for (int k = 0; k < results->count; k++)
        cr_expect_neq(strncmp(results->entry[k].name, "event.", 6), 0);
    results_free(results);
    solving_end(&s);
}
