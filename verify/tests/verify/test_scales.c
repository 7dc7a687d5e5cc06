/*
 * test_scales.c - every quantity is measured by itself, and its condition comes from the
 * numbers of the oracle alone.
 */
#include "solving.h"

#include "case.h"
#include "comparing.h"
#include "events/jump.h"
#include "faults/rules.h"
#include "verdict/verdict_rows.h"

static struct entry *put(struct results *results, const char *name, const char *group,
                         int point, double value)
{
    struct entry *entry = results_add(results, name, group, point, point);
    mpfr_set_d(entry->value, value, MPFR_RNDN);
    if (strstr(group, "/d"))
        entry->rho = 1;
    return entry;
}

/* The last of `count` entries, by comparison of a results with itself. */
static struct comparison last_of(const struct results *results)
{
    int count, missing;
    struct comparison *comparison = compare_to(results, results, 40, &count, &missing);
    struct comparison last = comparison[count - 1];
    free(comparison);
    return last;
}

Test(scales, of_one_coordinate_say_nothing_of_another)
{
    struct results *results = results_new(53);
    put(results, "q.x", "q", 0, 1e6);
    put(results, "q.y", "q", 0, 1e-6);
    cr_expect_float_eq(last_of(results).scale, 1e-6, 1e-20);
    cr_expect_eq(last_of(results).condition, 1);
    results_free(results);
}

/* x + sum of |rho dx/drho| over |x| */
Test(scales, the_condition_of_a_value_sums_what_all_parameters_do_to_it)
{
    struct results *results = results_new(53);
    put(results, "q.x", "q", 0, 2);
    put(results, "dq.x/dk", "dq/dk", 0, 300)->rho = 0.5;
    put(results, "dq.x/dm", "dq/dm", 0, -24)->rho = 2;
    int count, missing;
    struct comparison *comparison = compare_to(results, results, 40, &count, &missing);
    cr_expect_float_eq(comparison[0].condition, (2 + 150 + 48) / 2., 1e-12);
    /* the noise of x, 200, over rho is 400 and 100; x's own growth makes 100 of each */
    cr_expect_float_eq(comparison[1].condition, 100, 1e-12);
    cr_expect_float_eq(comparison[2].condition, 100, 1e-12);
    free(comparison);
    results_free(results);
}

/* What moves x by 1e-8 of its size has the noise of x. */
Test(scales, a_derivative_that_is_small_beside_its_value_has_its_noise)
{
    struct results *results = results_new(53);
    put(results, "q.x", "q", 0, 1);
    put(results, "dq.x/dm", "dq/dm", 0, 2e-8)->rho = 0.5;
    cr_expect_float_eq(last_of(results).condition, (1 + 1e-8) / 0.5 / 2e-8, 1);
    results_free(results);
}

Test(scales, an_oracle_that_knows_the_spread_of_a_number_is_asked)
{
    struct results *results = results_new(53);
    put(results, "q.x", "q", 0, 1)->spread = 99;
    cr_expect_float_eq(last_of(results).condition, 100, 1e-12);
    put(results, "dq.x/dm", "dq/dm", 0, 1)->spread = 9;
    cr_expect_float_eq(last_of(results).condition, 10, 1e-12);
    results_free(results);
}

Test(scales, a_number_below_what_the_run_was_asked_for_has_that_as_its_noise)
{
    struct results *results = results_new(53);
    const struct comparing how = {.cap = 40, .floor = 1e-3};
    int count, missing;
    put(results, "q.x", "q", 0, 1e-9);
    struct comparison *comparison =
        results_compare(results, results, &how, &count, &missing);
    cr_expect_float_eq(comparison[0].condition, 1e6, 10);
    free(comparison);
    results_free(results);
}

/* A derivative that is zero in truth, 1e-58 as the oracle has it, and what was got. */
static struct comparison judge_zero(double got_value)
{
    struct results *got = results_new(53), *want = results_new(200);
    put(got, "q.x", "q", 0, 2.0);
    put(want, "q.x", "q", 0, 2.0);
    put(got, "dq.x/dm", "dq/dm", 0, got_value);
    put(want, "dq.x/dm", "dq/dm", 0, 1e-58);
    int count, missing;
    struct comparison *comparison = compare_to(got, want, 40, &count, &missing);
    struct comparison zero = comparison[1];
    free(comparison);
    results_free(got);
    results_free(want);
    return zero;
}

Test(scales, a_number_that_is_zero_is_measured_by_the_noise_of_its_kind)
{
    cr_expect_gt(judge_zero(1e-17).digits, 15.0);
    cr_expect_float_eq(judge_zero(1e-9).digits, 9, 0.4);
    cr_expect_eq(judge_zero(1e-9).condition, 1.0);
}

/* --- a mechanism of two sizes ----------------------------------------------------- */

/* A ball of micrometres bounces beside something a thousand kilometres away. */
static void record_two_sizes(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(g, e, far, h);
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(e, 0.5, "1", "restitution");
    NOMINAL(far, 1e6, "m", "position of the other");
    NOMINAL(h, 5e-6, "m", "height of the ball");
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->F[1] = EQ(-g);
    struct event *ground = model_event(model, "ground", flight, flight, EQ(y), FALLING);
    ground->v_plus[1] = EQ(-e*vy);
    model->q0[0] = EQ(far);
    model->q0[1] = EQ(h);
    model->v0[0] = EQ(100);
    model->t_end = EQ(g*0 + 1.5e-3);
}

/* With rules that are wrong by the whole jump: x of 1e6 m once hid y. */
Test(scales, a_wrong_jump_of_micrometres_shows_beside_a_thousand_kilometres)
{
    const char *const wrong[] = {"minus-tau", "no-dte", "no-reset"};
    struct solving s;
    solving_of_record(&s, "two-sizes", record_two_sizes, "ode");
    struct trajectory *oracle;
    cr_assert_eq(complex_step_run(&s.request, &oracle, &s.diagnosis), OK, "%s",
                 s.diagnosis.place);
    cr_assert_eq(oracle->events, 1);
    struct results *want = results_of_trajectory(oracle);
    for (size_t k = 0; k <= sizeof wrong / sizeof *wrong; k++) {
        bool right = k == sizeof wrong / sizeof *wrong;
        s.request.rule = right ? NULL : any_rule_find(wrong[k]);
        cr_assert(right || s.request.rule, "no rule %s", wrong[k]);
        struct trajectory *t = solve(&s);
        struct results *got = results_of_trajectory(t);
        struct rows rows = {.digits = NAN};
        struct row *row = rows_add(&rows, ROW_JUDGED, "two-sizes", "ode", "complex-step");
        row->made = (struct made){.digits = 13, .floor = 1e-3};
        row_compare(&rows, row, got, want, 15.95);
        cr_expect_eq(row->held, right, "%s: %s has %.2f digits, bar %.2f",
                     right ? "the right rule" : wrong[k], row->worst.name,
                     row->worst.digits, row->worst.bar);
        rows_clear(&rows);
        results_free(got);
        trajectory_free(t);
    }
    results_free(want);
    trajectory_free(oracle);
    solving_end(&s);
}

/* --- errors of the state ---------------------------------------------------------- */

/* A stiff spring, pulled by a millionth of its length. */
static void record_stiff(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k, L);
    NOMINAL(k, 1e6, "N/m", "stiffness");
    FIXED(L, 1, "m", "length");
    struct mode *motion = model_mode(model, "motion");
    (void)motion;
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-k*(x - L));
    model->q0[0] = EQ(L + 0.000001);
    model->t_end = EQ(k*0 + 0.001);
}

/* Its force is 1 N, and a relative error of x of one makes a million of it, which no
   derivative by a parameter tells. */
Test(scales, an_acceleration_knows_how_much_it_magnifies_errors_of_the_state)
{
    struct solving s;
    solving_of_record(&s, "stiff", record_stiff, "ode");
    struct trajectory *t = solve(&s);
    struct results *results = results_of_trajectory(t);
    int found = 0;
    spread_unknowns(&s.request, t, results);
    for (int k = 0; k < results->count; k++)
        if (strcmp(results->entry[k].name, "a.x") == 0) {
            cr_expect_gt(results->entry[k].spread, 0.99e6);
            cr_expect_lt(results->entry[k].spread, 1.01e6);
            found++;
        }
    cr_expect_eq(found, t->samples);
    results_free(results);
    trajectory_free(t);
    solving_end(&s);
}
