/*
 * test_zeno.c - which sequences of events accumulate: those whose intervals have a sum,
 * and have shown it; by themselves, then as motions in the three cores.
 */
#include "three_cores.h"

#include "accumulation.h"
#include "case.h"

TestSuite(accumulation);

/* The k-th interval, k = 1, 2, .. */
typedef double (*law)(int k);

static double geometric(int k) { return pow(0.95, k); }
static double settling(int k) { return pow(0.6, k) * (1 - 0.9 * pow(0.4, k)); }
static double harmonic(int k) { return 1.0 / k; }
static double square_root(int k) { return 1 / sqrt(k); }
static double logarithmic(int k) { return 1 / ((k + 1) * log(k + 1)); }
static double late_harmonic(int k) { return 1.0 / (k + 50); }

/* The limit that is claimed after so many events, from t = 1; NAN: none. *first: after
   how many events there is a claim for the first time, 0: never. */
static double limit_after(int events, law interval, int *first)
{
    const struct event wall = {.timed = false};
    struct accumulation accumulation = {.events = 0};
    double t = 1;
    *first = 0;
    for (int k = 1; k <= events; k++) {
        accumulation_note(&accumulation, &wall, t);
        if (*first == 0 && !isnan(accumulation_time(&accumulation)))
            *first = k;
        t += interval(k);
    }
    return accumulation_time(&accumulation);
}

Test(accumulation, intervals_of_one_ratio_end_at_their_sum)
{
    int first;
    cr_expect_float_eq(limit_after(60, geometric, &first), 1 + 0.95 / 0.05, 1e-9);
    cr_expect(first > 20 && first < 40, "claimed after %d events", first);
}

Test(accumulation, a_ratio_may_settle_first)
{
    int first;
    double sum = 1;
    for (int k = 1; k < 200; k++)
        sum += settling(k);
    cr_expect_float_eq(limit_after(30, settling, &first), sum, 1e-9);
    cr_expect(first > 6 && first < 20, "claimed after %d events", first);
}

/* They have no sum, however many there are. */
Test(accumulation, intervals_without_a_sum_never_accumulate)
{
    const struct { const char *name; law interval; } none[] = {
        {"1/k", harmonic}, {"1/(k + 50)", late_harmonic}, {"1/sqrt(k)", square_root},
        {"1/(k log k)", logarithmic}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        int first;
        limit_after(100000, none[i].interval, &first);
        cr_expect_eq(first, 0, "%s: claimed after %d events", none[i].name, first);
    }
}

/* The rest of a pattern that broke off does not count. */
static double broken(int k)
{
    return k < 12 ? pow(0.5, k) : pow(0.5, 11) * pow(0.9, k - 11);
}

Test(accumulation, a_pattern_begins_again_where_the_ratio_changes)
{
    int first;
    cr_expect_float_eq(limit_after(12, broken, &first), 2, 1e-9);
    cr_expect(isnan(limit_after(18, broken, &first)));
    cr_expect_float_eq(limit_after(40, broken, &first),
                       2 - pow(0.5, 11) + pow(0.5, 11) * 9, 1e-9);
}

/* --- what only looks like Zeno ------------------------------------------------------ */

static int clocks;

/* Four events 4 d, 2 d and d apart: by clocks, or by a body that passes places. */
static void record_four(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, d);
    AUXILIARY(count);
    TIME(t);
    NOMINAL(v0, 1, "m/s", "speed");
    NOMINAL(d, 1e-10, "s", "the last interval");
    static const char *const at[2][4] = {
        {"x - 1", "x - 1 - 4*d", "x - 1 - 6*d", "x - 1 - 7*d"},
        {"t - 1", "t - 1 - 4*d", "t - 1 - 6*d", "t - 1 - 7*d"}};
    struct mode *motion = unit_masses(model, "motion");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(1.9);
    for (int k = 0; k < 4; k++) {
        formula guard = model_read(model, at[clocks][k], __FILE__, __LINE__);
        const char name[] = {(char)('a' + k), 0};
        model_event(model, name, motion, motion, guard, EITHER)->s_plus[0] =
            EQ(count + 1);
    }
    (void)d;
    (void)t;
}

Test(zeno, four_events_closer_and_closer_do_not_accumulate)
{
    for (clocks = 0; clocks < 2; clocks++)
        end(all_agree("four", record_four, 4));
}

/* Falls from 5 under 10: on the ground at t = 1, 2, 2.5, ..., 3 - 2^(1 - k). */
static double until;

static void record_bounces(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(h);
    NOMINAL(h, 5, "m", "height");
    struct mode *motion = unit_masses(model, "motion");
    model->F[0] = EQ(-10);
    model->q0[0] = EQ(h);
    char text[40];
    snprintf(text, sizeof text, "%.17g", until);
    model->t_end = constant(model->tape, text);
    model_event(model, "ground", motion, motion, EQ(x), FALLING)->v_plus[0] = EQ(-vx/2);
}

Test(zeno, is_claimed_only_where_events_accumulate_before_the_end)
{
    until = 3.5;
    all_refuse("bounces", record_bounces, ZENO);
    until = 3 - 3.0 / (1 << 10);
    end(all_agree("bounces", record_bounces, 10));
}

/* From 0 to 1 at a speed that grows by one each time: it takes 1/k for the k-th time, and
   1 + 1/2 + ... passes any end. */
static void record_faster(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0);
    NOMINAL(v0, 1, "m/s", "first speed");
    struct mode *motion = unit_masses(model, "motion");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(5.9);
    struct event *wall = model_event(model, "wall", motion, motion, EQ(x - 1), RISING);
    wall->q_plus[0] = EQ(x - 1);
    wall->v_plus[0] = EQ(vx + v0);
}

Test(zeno, is_not_claimed_of_intervals_that_shrink_without_a_limit)
{
    all_refuse_within(60, "faster", record_faster, TOO_MANY_EVENTS);
    end(all_agree("faster", record_faster, 204));
}

/* Falls from h: impacts by a law that tends to a ratio of -0.6; in the end they are so
   slow that no digit of dt_e/drho is left, before they are too near to each other. */
static void record_slower(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(h, e);
    NOMINAL(h, 1, "m", "height");
    NOMINAL(e, 0.6, "1", "restitution of slow impacts");
    struct mode *motion = unit_masses(model, "motion");
    model->F[0] = EQ(-10);
    model->t_end = EQ(3);
    model_event(model, "ground", motion, motion, EQ(x + h), EITHER)->v_plus[0] =
        EQ(-e*vx/(1 + vx*vx));
}

/* When the impacts of that law accumulate. */
static double end_of_slower(double h, double e)
{
    double v = sqrt(20 * h), t = v / 10;
    while (v > 1e-20) {
        v = e * v / (1 + v * v);
        t += v / 5;
    }
    return t;
}

/* In double at any tolerance; complex step does not see what is between two samples. */
Test(zeno, is_the_reason_where_accumulating_impacts_leave_no_digit)
{
    solving_of_record(&s, "slower", record_slower, "ode");
    for (double rtol = 1e-13; rtol < 1e-6; rtol *= 100) {
        s.request.rtol = rtol;
        s.request.atol = rtol / 1000;
        refuse(&s, ZENO);
        cr_expect_float_eq(s.diagnosis.t, end_of_slower(1, 0.6), 1e-7);
        cr_expect_not_null(strstr(s.diagnosis.place, "accumulate"));
    }
    solving_end(&s);
}
