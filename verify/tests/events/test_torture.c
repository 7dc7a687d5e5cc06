/*
 * test_torture.c - what the table of `saltus verify` does not show of the torture set:
 * how near is too near, in units in the last place, and who refuses what.
 *
 * In double, times closer than 1e-12 of the run are one (time_resolution, hybrid.h): 4503
 * ulp of its end. In MPFR half of the digits tell times apart.
 */
#include <float.h>
#include <stdlib.h>

#include "case.h"
#include "referring.h"
#include "running.h"
#include "solving.h"

TestSuite(torture, .init = make_folder, .fini = remove_folder);

static const int near[] = {1, 8, 1000}, apart = 1000000;
enum { NEAR = sizeof near / sizeof near[0] };

static struct solving s;

/* A case in double, one of its parameters set. */
static void begin(const char *name, const char *formulation, const char *parameter,
                  double value)
{
    solving_of_case(&s, name, formulation);
    s.value[model_parameter_index(s.model, parameter)] = value;
    s.request.samples = 0;
}

static double ulps_from_one(int ulps)
{
    return 1 + ulps * (ulps > 0 ? DBL_EPSILON : DBL_EPSILON / 2);
}

/* The same in MPFR with 60 digits; the number of events, -1 if refused. */
static int events_in_mpfr(const char *name, const char *parameter, const char *text,
                          enum status *status)
{
    struct referring r;
    struct mp_trajectory *t;
    const char *value[REFERRING_PARAMETERS] = {NULL};
    referring_of_case(&r, case_find(name), 60);
    value[model_parameter_index(r.model, parameter)] = text;
    r.request.value = value;
    *status = reference_run(&r.request, &t, &r.diagnosis);
    int events = *status == OK ? t->events : -1;
    mp_trajectory_free(t);
    referring_end(&r);
    return events;
}

/* --- events beside the ends of a run ------------------------------------------------ */

static void expect_at_end(int ulps)
{
    begin("event-at-end", "ode", "T", ulps_from_one(ulps));
    refuse(&s, EVENT_AT_END);
    cr_expect_float_eq(s.diagnosis.t, 1, 1e-12);
    cr_expect_not_null(strstr(s.diagnosis.place, "impact"), "%s", s.diagnosis.place);
    solving_end(&s);
}

static void expect_events(int ulps, int events)
{
    begin("event-at-end", "ode", "T", ulps_from_one(ulps));
    struct trajectory *t = solve(&s);
    cr_expect_eq(t->events, events, "%d ulp: %d events", ulps, t->events);
    trajectory_free(t);
    solving_end(&s);
}

Test(torture, an_event_within_a_few_thousand_ulp_of_the_end_is_refused)
{
    expect_at_end(0);
    for (int k = 0; k < NEAR; k++) {
        expect_at_end(near[k]);
        expect_at_end(-near[k]);
    }
    expect_events(apart, 1);
    expect_events(-apart, 0);
}

Test(torture, in_mpfr_one_ulp_is_far_away_and_half_the_digits_are_near)
{
    enum status status;
    cr_expect_eq(events_in_mpfr("event-at-end", "T", "1.0000000000000002", &status), 1);
    cr_expect_eq(events_in_mpfr("event-at-end", "T", "0.9999999999999999", &status), 0);
    const char *const nearer = "1.00000000000000000000000000000000000000000000000001";
    cr_expect_eq(events_in_mpfr("event-at-end", "T", nearer, &status), -1);
    cr_expect_eq(status, EVENT_AT_END);
}

/* It falls at 8 m/s from 8 k ulp: the impact is k ulp after the start. */
Test(torture, an_event_within_a_few_thousand_ulp_of_the_start_is_refused)
{
    for (int k = 0; k < NEAR; k++) {
        begin("event-near-ends", "ode", "h0", 8 * near[k] * DBL_EPSILON);
        refuse(&s, EVENT_AT_END);
        cr_expect_eq(s.diagnosis.t, 0);
        solving_end(&s);
    }
    begin("event-near-ends", "ode", "h0", 8 * apart * DBL_EPSILON);
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 2);
    /* 8 t + 4 t^2 = h0, to digits of t itself */
    double due = apart * DBL_EPSILON * (1 - apart * DBL_EPSILON / 2);
    cr_expect_float_eq(t->event[0].before.t / due, 1, 1e-13);
    trajectory_free(t);
    solving_end(&s);
}

/* --- events beside a sample --------------------------------------------------------- */

static const double *sample_of(const struct trajectory *t, int k)
{
    return t->sample[k].x;
}

/* Both sides, derivatives included, are those of the event. */
Test(torture, a_sample_within_a_few_thousand_ulp_of_an_event_has_both_sides)
{
    for (int k = -NEAR; k <= NEAR; k++) {
        double time = ulps_from_one(k == 0 ? 0 : k < 0 ? -near[-k - 1] : near[k - 1]);
        begin("event-at-end", "ode", "T", 1.5);
        s.request.samples = 1;
        s.request.sample = &time;
        struct trajectory *t = solve(&s);
        cr_assert_eq(t->samples, 3, "the start, before and after");
        for (int c = 0; c < t->columns.count; c++) {
            double before = t->event[0].before.x[c], after = t->event[0].after.x[c];
            cr_expect_float_eq(sample_of(t, 1)[c], before, 1e-11);
            cr_expect_float_eq(sample_of(t, 2)[c], after, 1e-11);
        }
        trajectory_free(t);
        solving_end(&s);
    }
}

Test(torture, a_sample_a_million_ulp_from_an_event_has_one)
{
    for (int side = -1; side <= 1; side += 2) {
        double time = ulps_from_one(side * apart);
        begin("event-at-end", "ode", "T", 1.5);
        s.request.samples = 1;
        s.request.sample = &time;
        struct trajectory *t = solve(&s);
        cr_assert_eq(t->samples, 2);
        int v = column(&t->columns, GROUP_V, 0, -1);
        cr_expect_float_eq(sample_of(t, 1)[v], side < 0 ? -8 : 4, 1e-8);
        trajectory_free(t);
        solving_end(&s);
    }
}

/* 0, 0.1, ..., 1.5: the impact is at 1. */
Test(torture, run_prints_both_sides_where_a_point_meets_an_event)
{
    expect_run("run event-at-end --set T=1.5 --points 16 -o x.csv", HELD, "err", "");
    char *text = contents("x.csv");
    cr_assert_not_null(text);
    int at_event = 0;
    for (const char *line = strchr(text, '\n'); line; line = strchr(line + 1, '\n'))
        at_event += fabs(strtod(line + 1, NULL) - 1) < 1e-12;
    cr_expect_eq(at_event, 2, "%s", text);
    free(text);
}

/* --- two guards --------------------------------------------------------------------- */

/* Two points, each with a wall of its own at which it turns: in any order. */
static void record_walls(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(c, d);
    NOMINAL(c, 1, "m", "place of the first wall");
    NOMINAL(d, 1, "m", "place of the second one");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->v0[0] = model->v0[1] = EQ(1);
    model->t_end = EQ(1.5);
    model_event(model, "c", model->pen, model->pen, EQ(x - c), RISING)->v_plus[0] =
        EQ(-vx);
    model_event(model, "d", model->pen, model->pen, EQ(y - d), RISING)->v_plus[1] =
        EQ(-vy);
}

/* x = 2 c - t, y = 2 d - t at the end, and each knows its own wall only. */
static void expect_turned(const struct trajectory *t)
{
    const struct columns *columns = &t->columns;
    const double *x = t->sample[t->samples - 1].x;
    cr_assert_eq(t->events, 2);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            cr_expect_float_eq(x[column(columns, GROUP_Q, i, j)], i == j ? 2 : 0, 1e-12);
}

/* Their order does not matter: who says so must be right; to refuse is right. */
Test(torture, guards_within_a_few_thousand_ulp_are_refused_or_right)
{
    static const struct case_desc desc = {.name = "walls", .record = record_walls};
    for (int k = 0; k <= NEAR + 1; k++) {
        int ulps = k == 0 ? 0 : k <= NEAR ? near[k - 1] : apart;
        struct trajectory *t;
        solving_of_desc(&s, &desc, "ode");
        s.value[1] = ulps_from_one(ulps);
        enum status status = run_once(&s.request, &t, &s.diagnosis);
        cr_expect(status == OK || (status == SIMULTANEOUS && ulps < apart), "%d ulp: %s",
                  ulps, s.diagnosis.place);
        if (status == OK)
            expect_turned(t);
        else
            cr_expect_float_eq(s.diagnosis.t, 1, 1e-12);
        trajectory_free(t);
        solving_end(&s);
    }
}

/* --- slow crossings ----------------------------------------------------------------- */

static double overlap_of(double w)
{
    return w * w / 16;
}

/* The time of the impact, (v0 - w)/g, is asked for with 14 digits less those of its
   condition, h/w over the run. dt_e/drho loses twice as many, h g/w^2 (condition.h): from
   1e-6 m/s on it has none at rtol = 1e-13, and the run is refused. */
Test(torture, the_slower_an_impact_the_fewer_digits_until_none_are_left)
{
    for (int k = 3; k <= 9; k++) {
        double w = pow(10, -k), condition = 5 / w / 2.5;
        begin("near-grazing-6", "ode", "overlap", overlap_of(w));
        s.request.samples = TEST_SAMPLES;
        if (k >= 6) {
            refuse(&s, GRAZING);
            cr_expect_float_eq(s.diagnosis.t, 1, 1e-3);
        } else {
            struct trajectory *t = solve(&s);
            cr_assert_eq(t->events, 2);
            double off = fabs(t->event[0].before.t - (8 - w) / 8);
            cr_expect_lt(off, 1e-14 * condition, "%.3g at %g m/s", off, w);
            cr_expect_float_eq(t->event[0].rate / w, 1, 1e-13 * condition / w);
            cr_expect_gt(t->event[0].condition, 0.1 / w);
            trajectory_free(t);
        }
        solving_end(&s);
    }
}

/* Wherever steps end, and whatever they round: on some the guard is touched, on some
   rounding has it missed, on some crossed there and back, and Newton finds one crossing
   or the other; on few that is an impact of 1e-7 m/s, whose time has 7 digits: without
   derivatives it goes on. */
static void touch(const struct integrator *method)
{
    solving_of_case(&s, "grazing", "ode");
    double end = s.sample[TEST_SAMPLES - 1];
    int tried = 0, slow = 0;
    s.request.parameters = 0;
    s.request.integrator = method;
    for (double rtol = 1e-6; rtol > 1e-13; rtol /= sqrt(10))
        for (int samples = 1; samples <= TEST_SAMPLES; samples++, tried++) {
            struct trajectory *trajectory;
            s.request.rtol = rtol;
            s.request.samples = samples;
            for (int k = 0; k < samples; k++)
                s.sample[k] = end * (k + 1) / samples;
            enum status status = run_once(&s.request, &trajectory, &s.diagnosis);
            if (status == OK)
                cr_expect_float_eq(trajectory->event[0].before.t, 1, 1e-7, "%s",
                                   method->name);
            else
                cr_expect_eq(status, GRAZING, "%s: %s: %s", method->name,
                             status_text(status), s.diagnosis.place);
            slow += status == OK;
            trajectory_free(trajectory);
        }
    cr_expect_leq(slow, tried / 10, "%s: %d of %d go on", method->name, slow, tried);
    solving_end(&s);
}

/* Not by methods of low order, whose steps are so many that rounding of all of them has
   more to say than that of the last. */
Test(torture, a_touch_is_grazing_at_any_tolerance_and_with_any_samples)
{
    int methods = 0;
    for (int i = 0; integrators[i]; i++)
        if (integrators[i]->alloc && integrators[i]->order >= 5) {
            touch(integrators[i]);
            methods++;
        }
    cr_expect_geq(methods, 7);
}

/* Where the ball turns 1e-9 m below the ceiling there is no event, where it does 1e-13 m
   below a double does not know; MPFR knows both. */
Test(torture, the_number_of_events_changes_where_a_guard_is_touched)
{
    enum status status;
    begin("grazing-missed", "ode", "overlap", -1e-9);
    struct trajectory *t = solve(&s);
    cr_expect_eq(t->events, 1);
    trajectory_free(t);
    s.value[model_parameter_index(s.model, "overlap")] = -1e-13;
    refuse(&s, GRAZING);
    s.value[model_parameter_index(s.model, "overlap")] = 0;
    refuse(&s, GRAZING);
    s.value[model_parameter_index(s.model, "overlap")] = overlap_of(1e-3);
    t = solve(&s);
    cr_expect_eq(t->events, 2);
    trajectory_free(t);
    solving_end(&s);
    cr_expect_eq(events_in_mpfr("grazing", "overlap", "-1e-13", &status), 1);
    cr_expect_eq(events_in_mpfr("grazing", "overlap", "1e-13", &status), 2);
    cr_expect_eq(events_in_mpfr("grazing", "overlap", "0", &status), -1);
    cr_expect_eq(status, GRAZING);
}

/* A guard that looks back through zero within a step, in one mode: both crossings. */
static void record_peak(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(h, v0);
    AUXILIARY(seen);
    NOMINAL(h, 3.99999375, "m", "height");
    NOMINAL(v0, 8, "m/s", "initial velocity");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-8);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(3);
    model_event(model, "through", model->pen, model->pen, EQ(y - h), EITHER)->s_plus[0] =
        EQ(seen + 1);
}

/* 1e-2 m/s through the height: at 1 -+ 1/800 s */
Test(torture, two_crossings_in_one_step_are_seen_by_the_run_and_by_complex_step)
{
    static const struct case_desc desc = {.name = "peak", .record = record_peak};
    for (int route = 0; route < 2; route++) {
        struct trajectory *t;
        solving_of_desc(&s, &desc, "ode");
        s.request.samples = 1;
        s.request.sample = &s.sample[TEST_SAMPLES - 1];
        enum status status = route == 0 ? run_once(&s.request, &t, &s.diagnosis)
                                        : complex_step_run(&s.request, &t, &s.diagnosis);
        cr_assert_eq(status, OK, "%s", s.diagnosis.place);
        cr_assert_eq(t->events, 2, "route %d: %d events", route, t->events);
        cr_expect_float_eq(t->event[0].before.t, 0.99875, 1e-12);
        cr_expect_float_eq(t->event[1].before.t, 1.00125, 1e-12);
        /* a few 1e-15 m of rounding, 8/w^3 times */
        cr_expect_float_eq(t->event[0].tau[0], 100, 1e-7);
        cr_expect_float_eq(t->event[1].tau[0], -100, 1e-7);
        trajectory_free(t);
        solving_end(&s);
    }
}

/* --- many events -------------------------------------------------------------------- */

/* t_n = 1 + 2 e (1 - e^(n-1))/(1 - e) */
Test(torture, impacts_follow_their_law_up_to_the_time_at_which_they_accumulate)
{
    const double e = 0.95;
    begin("zeno-approached", "ode", "e", e);
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 200);
    for (int n = 1; n <= 200; n++) {
        double due = 1 + 2 * e * (1 - pow(e, n - 1)) / (1 - e);
        cr_expect_float_eq(t->event[n - 1].before.t, due, 1e-11, "impact %d", n);
    }
    trajectory_free(t);
    solving_end(&s);
}

Test(torture, what_lies_beyond_is_refused_by_everyone_at_the_same_time)
{
    const char *const formulation[] = {"ode", "implicit"};
    for (int k = 0; k < 2; k++) {
        begin("zeno-passed", formulation[k], "T", 4);
        refuse(&s, ZENO);
        cr_expect_float_eq(s.diagnosis.t, 3, 1e-6);
        if (k == 0) {
            struct trajectory *t = NULL;
            cr_expect_eq(complex_step_run(&s.request, &t, &s.diagnosis), ZENO);
            cr_expect_float_eq(s.diagnosis.t, 3, 1e-6);
            if (t)
                trajectory_free(t);
        }
        solving_end(&s);
    }
}

/* Five events, two of them 0.25 ns apart, are no accumulation; nor is one that comes
   1e-10 s after a sample. */
Test(torture, complex_step_does_not_take_two_close_events_for_an_accumulation)
{
    struct trajectory *t;
    solving_of_case(&s, "two-balls-close", "ode");
    enum status status = complex_step_run(&s.request, &t, &s.diagnosis);
    cr_assert_eq(status, OK, "%s", s.diagnosis.place);
    cr_expect_lt(t->event[1].before.t - t->event[0].before.t, 1e-9);
    trajectory_free(t);
    solving_end(&s);

    double time = 2 - 1e-10;
    begin("event-at-end", "ode", "T", 2.2);
    s.request.samples = 1;
    s.request.sample = &time;
    status = complex_step_run(&s.request, &t, &s.diagnosis);
    cr_assert_eq(status, OK, "%s", s.diagnosis.place);
    cr_expect_eq(t->events, 2);
    trajectory_free(t);
    solving_end(&s);
}
