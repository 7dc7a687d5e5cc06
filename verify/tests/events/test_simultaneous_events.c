/*
 * test_simultaneous_events.c - guards that become zero at one time: both orders are run
 * through. Where they lead to the same the derivative exists; else both one-sided
 * derivatives are
 there. */
#include "referring.h"
#include "solving.h"

#include <string.h>

#include "case.h"

static struct solving s;

/* --- orders that agree -------------------------------------------------------------- */

/* y1 falls from h1 = 1 under g = 2 and lands at t = sqrt(2 h1/g) = 1; then
   y1 = w (t - t_e) - g (t - t_e)^2/2 with w = e1 sqrt(2 g h1). */
Test(together, two_landings_far_from_each_other_have_the_derivatives_of_each)
{
    solving_of_case(&s, "two-landings", "ode");
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 3);
    cr_assert_eq(t->togethers, 1);
    cr_expect(t->together[0].agree);
    cr_expect_eq(t->together[0].orders, 2);
    cr_expect_str_eq(t->event[0].event->name, "first");
    cr_expect_str_eq(t->event[1].event->name, "second");
    int h1 = 5, u = 7, v1 = column(&t->columns, GROUP_V, 0, -1);
    cr_assert_str_eq(column_parameter(&t->columns, h1), "h1");
    cr_assert_str_eq(column_parameter(&t->columns, u), "u");
    cr_expect_float_eq(t->event[0].tau[h1], 0.5, 1e-13);
    cr_expect_float_eq(t->event[1].tau[h1], 0, 1e-13);
    cr_expect_float_eq(t->event[1].tau[u], 2.0 / 3, 1e-13);
    /* The sides are those of both. */
    for (int k = 0; k < 2; k++) {
        cr_expect_float_eq(t->event[k].before.x[v1], -2, 1e-12);
        cr_expect_float_eq(t->event[k].after.x[v1], 1.5, 1e-12);
        cr_expect_float_eq(t->event[k].after.x[v1 + 1], 0.75, 1e-12);
    }
    /* dy1/dh1 = (dw/dh1)(t - t_e) - (w - g (t - t_e)) dt_e/dh1 at t = 2 */
    const struct run_point *end = &t->sample[t->samples - 1];
    double dw = 0.75;
    cr_expect_float_eq(end->x[column(&t->columns, GROUP_Q, 0, h1)], dw - (1.5 - 2) * 0.5,
                       1e-12);
    trajectory_free(t);
    solving_end(&s);
}

/* Three independent clocks strike at t = 1, each in its own way: six orders agree. The
   first counts, the second adds what s1 has no part in, the third turns x. */
static bool coupled;

static void record_clocks(struct model *model)
{
    COORDINATES(x, y, z);
    PARAMETERS(a, b, c);
    AUXILIARY(count, sum);
    NOMINAL(a, 1, "m", "place of the first guard");
    NOMINAL(b, 1, "m", "place of the second");
    NOMINAL(c, 1, "m", "place of the third");
    struct mode *motion = model_mode(model, "motion");
    for (int i = 0; i < 3; i++)
        model->M[i][i] = EQ(1);
    for (int i = 0; i < 3; i++)
        model->v0[i] = EQ(1);
    model->t_end = EQ(2);
    struct event *one = model_event(model, "one", motion, motion, EQ(x - a), EITHER);
    one->s_plus[0] = EQ(count + 1);
    struct event *two = model_event(model, "two", motion, motion, EQ(y - b), EITHER);
    two->s_plus[1] = coupled ? EQ(sum + x*count) : EQ(sum + y);
    struct event *three = model_event(model, "three", motion, motion, EQ(z - c), EITHER);
    three->v_plus[2] = EQ(-2*vz);
}

static void begin(void (*record)(struct model *))
{
    solving_of_record(&s, "clocks", record, "ode");
    s.request.samples = 0;
}

Test(together, three_guards_have_six_orders)
{
    coupled = false;
    begin(record_clocks);
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 3);
    cr_assert_eq(t->togethers, 1);
    cr_expect_eq(t->together[0].orders, 6);
    cr_expect(t->together[0].agree);
    trajectory_free(t);
    solving_end(&s);
}

/* --- orders that do not ------------------------------------------------------------- */

Test(together, of_orders_that_differ_both_one_sided_derivatives_are_there)
{
    coupled = true;
    begin(record_clocks);
    struct trajectory *t = NULL;
    cr_assert_eq(run(&s.request, &t, &s.diagnosis), SIMULTANEOUS);
    cr_expect_float_eq(s.diagnosis.t, 1, 1e-12);
    cr_assert_eq(t->togethers, 1);
    const struct together *together = &t->together[0];
    cr_expect_not(together->agree);
    cr_assert_eq(together->orders, 6);
    int sum = column(&t->columns, GROUP_S, 1, -1);
    int by_b = column(&t->columns, GROUP_S, 1, 1);
    int seen[2] = {0, 0};
    for (int k = 0; k < together->orders; k++) {
        const struct order_tried *order = &together->order[k];
        cr_assert_eq(order->events, 3);
        int first = strcmp(order->event[0]->name, "one") == 0 ||
                    (strcmp(order->event[0]->name, "three") == 0 &&
                     strcmp(order->event[1]->name, "one") == 0);
        seen[first]++;
        /* sum+ = x count: count is 1 after event one, x(t_e) = t_e and dt_e/db = 1 */
        cr_expect_float_eq(order->after.x[sum], first ? 1 : 0, 1e-12);
        cr_expect_float_eq(order->after.x[by_b], first ? 1 : 0, 1e-12);
    }
    cr_expect_eq(seen[0], 3);
    cr_expect_eq(seen[1], 3);
    cr_expect_not_null(strstr(s.diagnosis.place, "s.sum is 1 and 0"), "%s",
                       s.diagnosis.place);
    cr_expect_not_null(strstr(s.diagnosis.place, "ds.sum/db is 1 and 0"), "%s",
                       s.diagnosis.place);
    trajectory_free(t);
    solving_end(&s);
}

/* Event two doubles the velocity of x; event one, of which x = a is the guard, puts x to
   rest at 0. So both orders end in the same state, with the same derivatives; but event
   one is at t = a, or, after two at t = b, at (a + b)/2. */
static void record_stop(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(a, b);
    NOMINAL(a, 1, "m", "place of the first guard");
    NOMINAL(b, 1, "m", "place of the second");
    struct mode *motion = model_mode(model, "motion");
    for (int i = 0; i < 2; i++) {
        model->M[i][i] = EQ(1);
        model->v0[i] = EQ(1);
    }
    model->t_end = EQ(2);
    struct event *one = model_event(model, "one", motion, motion, EQ(x - a), EITHER);
    one->q_plus[0] = EQ(0);
    one->v_plus[0] = EQ(0);
    struct event *two = model_event(model, "two", motion, motion, EQ(y - b), EITHER);
    two->v_plus[0] = EQ(2*vx);
}

Test(together, orders_that_differ_in_the_derivative_of_a_time_alone_are_told_apart)
{
    begin(record_stop);
    for (int j = 0; j < 2; j++) {
        struct trajectory *t = NULL;
        s.request.parameters = 1;
        s.parameter[0] = j;
        cr_assert_eq(run(&s.request, &t, &s.diagnosis), SIMULTANEOUS);
        cr_assert_eq(t->togethers, 1);
        const struct together *together = &t->together[0];
        cr_assert_eq(together->orders, 2);
        for (int c = 0; c < t->columns.count; c++)
            cr_expect_float_eq(together->order[0].after.x[c],
                               together->order[1].after.x[c], 1e-12);
        const char *said = j ? "dt/db of one is 0 and 0.5" : "dt/da of one is 1 and 0.5";
        cr_expect_not_null(strstr(s.diagnosis.place, said), "%s", s.diagnosis.place);
        trajectory_free(t);
    }
    solving_end(&s);
}

/* In a cradle of three the impact between the outer ones and the middle one depends on
   the order; both sides of it are mirror images. */
Test(together, the_orders_of_a_cradle_are_mirror_images)
{
    solving_of_case(&s, "newton-cradle", "ode");
    struct trajectory *t = NULL;
    cr_assert_eq(run(&s.request, &t, &s.diagnosis), SIMULTANEOUS);
    cr_assert_eq(t->togethers, 1);
    const struct together *together = &t->together[0];
    cr_assert_eq(together->orders, 2);
    for (int i = 0; i < 3; i++)
        for (int j = -1; j < t->columns.p; j++) {
            int here = column(&t->columns, GROUP_V, i, j);
            int there = column(&t->columns, GROUP_V, 2 - i, j);
            cr_expect_float_eq(together->order[0].after.x[here],
                               -together->order[1].after.x[there], 1e-9);
        }
    cr_expect_gt(fabs(together->order[0].after.x[column(&t->columns, GROUP_V, 1, -1)]),
                 1e-3);
    trajectory_free(t);
    solving_end(&s);
}

/* --- in MPFR ------------------------------------------------------------------------ */

/* Differences do not know of orders: moved parameters have one or the other. */
Test(together, in_mpfr_variational_equations_agree_with_differences)
{
    struct referring r;
    char where[100] = "";
    referring_of_case(&r, case_find("two-landings"), 60);
    struct mp_trajectory *t = refer(&r);
    cr_assert_eq(t->events, 3);
    cr_expect_not(t->event[0].together);
    cr_expect(t->event[1].together);
    cr_expect_not(t->event[2].together);
    mp_trajectory_free(t);
    double digits = variational_against_differences(&r, where, sizeof where);
    cr_expect_gt(digits, 38, "%.1f digits of %s", digits, where);
    referring_end(&r);
}

Test(together, in_mpfr_the_order_of_a_cradle_matters_and_what_differs_is_said)
{
    struct referring r;
    referring_of_case(&r, case_find("newton-cradle"), 40);
    refer_refused(&r, SIMULTANEOUS, "left and right are together");
    cr_expect_not_null(strstr(r.diagnosis.place, "v.th2 is 0.00368074 and -0.00368074"));
    cr_expect_not_null(strstr(r.diagnosis.place, "dv.th2/de is "));
    referring_end(&r);
}

/* --- by complex step ---------------------------------------------------------------- */

Test(together, complex_step_takes_both_orders_too)
{
    char name[120];
    solving_of_case(&s, "two-landings", "ode");
    for (int k = 0; k < TEST_SAMPLES; k++)
        s.sample[k] -= 0.0625;          /* not at an event */
    struct trajectory *t = solve(&s), *oracle;
    double digits = digits_of_complex_step(&s, t, name, sizeof name);
    cr_expect_gt(digits, 12, "%.1f digits of %s", digits, name);
    trajectory_free(t);
    solving_end(&s);

    solving_of_case(&s, "newton-cradle", "ode");
    cr_expect_eq(complex_step_run(&s.request, &oracle, &s.diagnosis), SIMULTANEOUS);
    cr_expect_float_eq(s.diagnosis.t, 0.509466978, 1e-8);
    cr_expect_not_null(strstr(s.diagnosis.place, "is first"), "%s", s.diagnosis.place);
    trajectory_free(oracle);
    solving_end(&s);
}
