/*
 * test_condition.c - the condition number of the time of an event says how many digits of
 * dt_e/drho are lost, in double and in MPFR; where none are left the event is refused.
 */
#include "solving.h"

#include <float.h>
#include <string.h>

#include "case.h"
#include "condition.h"
#include "referring.h"
#include "refusals/refusal.h"
#include "tables/report.h"

enum { SPEEDS = 7, TRIALS = 16 };

static const char *ceiling = "4.9";

/* A ball thrown up to a ceiling that it just reaches: y = v0 t - 5 t^2. */
static void record_ceiling(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(v0, c);
    NOMINAL(v0, 10, "m/s", "speed");
    model_nominal(model, "c", ceiling, "m", "height of the ceiling", false, __FILE__,
                  __LINE__);
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-10);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(1.5);
    model_event(model, "ceiling", flight, flight, EQ(y - c), RISING)->v_plus[0] = EQ(-vy);
}

/* A parabola that just reaches the ground: x = (t - 1)^2 - depth. */
static void record_ground(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(depth);
    NOMINAL(depth, 0.1, "m", "how far the parabola goes below zero");
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(2);
    model->q0[0] = EQ(1 - depth);
    model->v0[0] = EQ(-2);
    model->t_end = EQ(1.5);
    model_event(model, "ground", flight, flight, EQ(x), FALLING)->v_plus[0] = EQ(-vx);
}

/* The same parabola as a force, and with it the acceleration, which is the guard. */
static void record_force(struct model *model)
{
    TIME(t);
    COORDINATES(x);
    PARAMETERS(depth);
    NOMINAL(depth, 0.1, "N", "how far the force goes below zero");
    struct mode *before = model_mode(model, "before");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ((t - 1)*(t - 1) - depth);
    struct mode *after = model_mode(model, "after");
    model->M[0][0] = EQ(1);
    model->t_end = EQ(1.5);
    model_event(model, "turn", before, after, EQ(ax), FALLING);
}

/* Where the speed of impact depends on the last parameter, and dt_e by it. R is made of y
   and c at the ceiling; on the ground it is the height of the start. */
static const struct grazing_model {
    struct case_desc desc;
    double top, acceleration, R;        /* top: of the parameter; |rdd|; condition.h */
    int sign;                           /* of dt_e by the parameter */
} models[] = {
    {{.name = "ceiling", .record = record_ceiling}, 5, 10, 10, +1},
    {{.name = "ground", .record = record_ground}, 0, 2, 1, -1},
};

static const struct grazing_model force = {
    {.name = "force", .record = record_force}, 0, 2, 1, -1};

/* R |rdd| / rd^2 */
static double expected_condition(const struct grazing_model *one, double speed)
{
    return one->R * one->acceleration / (speed * speed);
}

static struct solving s;

static void begin(const struct grazing_model *one)
{
    solving_of_desc(&s, &one->desc, "ode");
    s.request.samples = 0;
}

/* The parameter for an impact at that speed: the way that is left is speed^2 / 2
   |rdd|. */
static double *set_speed(const struct grazing_model *one, double speed)
{
    double *value = &s.value[s.model->p - 1],
           way = speed * speed / (2 * one->acceleration);
    *value = one->top > 0 ? one->top - way : way;
    return value;
}

/* The speed that the parameter, as the double it is, leads to. */
static double exact_speed(const struct grazing_model *one, double value)
{
    return sqrt(2 * one->acceleration * (one->top > 0 ? one->top - value : value));
}

/* The relative error of dt_e/drho, in units of condition times one in the last place. */
static double error_of_tau(const struct grazing_model *one, double speed)
{
    double value = *set_speed(one, speed);
    double want = one->sign / exact_speed(one, value);
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 1);
    double error = fabs(t->event[0].tau[s.request.parameters - 1] / want - 1);
    double condition = t->event[0].condition;
    trajectory_free(t);
    return error / (condition * DBL_EPSILON);
}

/* Impact speeds of 1e-3 to 1e-9 m/s, as long as a digit is left at rtol = 1e-13. Rounding
   is luck: the worst of some. */
Test(condition, digits_of_dt_e_are_lost_as_the_condition_says)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        begin(&models[i]);
        for (int k = 0; k < SPEEDS; k++) {
            double worst = 0, speed = pow(10, -3 - k);
            if (expected_condition(&models[i], speed) > 1e13)
                continue;
            for (int trial = 0; trial < TRIALS; trial++)
                worst = fmax(worst, error_of_tau(&models[i], speed * (1 + trial / 37.0)));
            cr_expect(worst > 0.1 && worst < 10, "%s, speed %g: %g times condition times "
                      "rounding", models[i].desc.name, speed, worst);
        }
        solving_end(&s);
    }
}

Test(condition, without_a_digit_left_is_grazing)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        begin(&models[i]);
        for (int k = 0; k < SPEEDS; k++) {
            double speed = pow(10, -3 - k);
            set_speed(&models[i], speed);
            if (expected_condition(&models[i], speed) > 1e13)
                refuse(&s, GRAZING);
            else
                trajectory_free(solve(&s));
        }
        /* And earlier where the run itself is less accurate. */
        s.request.rtol = 1e-6;
        s.request.atol = 1e-9;
        set_speed(&models[i], 1e-4);
        refuse(&s, GRAZING);
        cr_expect_not_null(strstr(s.diagnosis.place, "condition"));
        s.request.parameters = 0;
        trajectory_free(solve(&s));
        solving_end(&s);
    }
}

Test(condition, is_the_same_in_double_and_in_mpfr)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        begin(&models[i]);
        double speed = exact_speed(&models[i], *set_speed(&models[i], 1e-4));
        double expected = expected_condition(&models[i], speed);
        struct trajectory *t = solve(&s);
        cr_expect_float_eq(t->event[0].condition / expected, 1, 1e-2);
        trajectory_free(t);

        struct referring r;
        char text[80];
        const char *value[2] = {NULL, NULL};
        referring_of_model(&r, s.model, 50);
        snprintf(text, sizeof text, "%.40g", s.value[s.model->p - 1]);
        value[s.model->p - 1] = text;
        r.request.value = value;
        struct mp_trajectory *m = refer(&r);
        /* Terms of the series are up to twice what it is. */
        cr_expect(m->event[0].condition >= 0.99 * expected &&
                      m->event[0].condition <= 3 * expected,
                  "%g, not %g", m->event[0].condition, expected);
        cr_expect_float_eq(m->event[0].rate / (models[i].sign * speed), 1, 1e-9);
        mp_trajectory_free(m);
        referring_end(&r);
    }
}

/* Which has no rdd by a formula, but by its series. */
Test(condition, of_a_guard_on_the_acceleration_is_what_it_is_of_one_on_the_state)
{
    begin(&force);
    double speed = exact_speed(&force, *set_speed(&force, 1e-4));
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 1);
    cr_expect_float_eq(t->event[0].rate / (force.sign * speed), 1, 1e-9);
    cr_expect_float_eq(t->event[0].condition / expected_condition(&force, speed), 1,
                       1e-2);
    trajectory_free(t);
    solving_end(&s);
}

/* Speeds fall with every bounce, but so do heights: nothing is lost. */
Test(condition, of_a_ball_that_bounces_ever_lower_stays)
{
    solving_of_case(&s, "bouncing-ball", "ode");
    s.request.t_end = 28;
    s.request.samples = 0;
    struct trajectory *t = solve(&s);
    cr_expect_gt(t->events, 10);
    for (int k = 0; k < t->events; k++)
        cr_expect_lt(t->event[k].condition, 10, "bounce %d", k);
    trajectory_free(t);
    solving_end(&s);
}

/* A refusal that only double needs is right where MPFR says so: an impact at 1.4e-6 m/s,
   but not one at 1.4e-3. */
Test(condition, decides_whether_a_refusal_in_double_is_right)
{
    static const char *const height[] = {"4.9999999999999", "4.9999999"};
    const struct truth exact = {.variant = "exact"};
    for (int k = 0; k < 2; k++) {
        struct diagnosis diagnosis;
        ceiling = height[k];
        begin(&models[0]);
        diagnose(&diagnosis, GRAZING, 1, "somewhere");
        if (k == 0)
            refuse(&s, GRAZING);
        bool right = refusal_is_right(s.model, &exact, s.request.parameters, s.parameter,
                                      k == 0 ? &s.diagnosis : &diagnosis);
        cr_expect_eq(right, k == 0);
        solving_end(&s);
    }
}

/* --- what is said about it ---------------------------------------------------------- */

Test(condition, near_grazing_lowers_the_bar_and_is_shown)
{
    begin(&models[0]);
    set_speed(&models[0], 1e-3);
    struct trajectory *t = solve(&s);
    struct results *got = results_of_trajectory(t), *want = results_of_trajectory(t);
    for (int k = 0; k < want->count; k++)
        if (strcmp(want->entry[k].group, "dt/dc") == 0)
            mpfr_mul_d(want->entry[k].value, want->entry[k].value, 1 + 1e-5, MPFR_RNDN);
    struct rows rows = {.keep = true, .digits = NAN};
    struct row *row = rows_add(&rows, ROW_JUDGED, "ceiling", "ode", "certified");
    row_compare(&rows, row, got, want, 16);
    cr_expect_eq(row->grazing.event, 1);
    cr_expect_float_eq(row->grazing.condition, t->event[0].condition, 1);
    cr_expect_float_eq(row->worst.bar, 13 - log10(t->event[0].condition), 1e-9);

    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const struct rows *const all[] = {&rows};
    const char *const settings[] = {NULL};
    report_table(stream, all, 1, false);
    report_json(stream, settings, all, 1);
    fclose(stream);
    cr_expect_not_null(strstr(text, "near-grazing: event 1, condition 1.0e+08: 8 digits"),
                       "%s", text);
    cr_expect_not_null(strstr(text, "\"near_grazing\":{\"event\":1"), "%s", text);
    free(text);
    rows_clear(&rows);
    results_free(got);
    results_free(want);
    trajectory_free(t);
    solving_end(&s);
}
