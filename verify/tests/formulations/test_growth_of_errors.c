/*
 * test_growth_of_errors.c - a run tells when its errors have grown until no digit is
 * left.
 */
#include "solving.h"

#include "case.h"

/* A ball on a table that vibrates: its bounces are chaotic. */
static void record_table(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(A, w, g, e, y0);
    TIME(t);
    NOMINAL(A, 0.05, "m", "amplitude of the table");
    NOMINAL(w, 20, "1/s", "its frequency");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(e, 0.95, "1", "restitution");
    NOMINAL(y0, 1, "m", "height at the start");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    struct event *hit = model_event(model, "hit", model->start, model->start,
                                    EQ(y - A*sin(w*t)), FALLING);
    hit->v_plus[0] = EQ(-e*vy + (1 + e)*A*w*cos(w*t));
    model->q0[0] = EQ(y0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(60);
}

static void begin(struct solving *s, double rtol)
{
    solving_of_record(s, "table", record_table, "ode");
    s->request.rtol = rtol;
    s->request.atol = rtol / 1000;
}

/* The time at which two runs without sensitivities, which nobody can tell, are no longer
   the same; INFINITY: they are one to the end. */
static double runs_part_from(double rtol, double ratio)
{
    struct solving one, other;
    begin(&one, rtol);
    begin(&other, rtol / ratio);
    one.request.parameters = other.request.parameters = 0;
    struct trajectory *a = solve(&one), *b = solve(&other);
    int k = 0;
    while (k < a->events && k < b->events &&
           fabs(a->event[k].before.t - b->event[k].before.t) < 0.01)
        k++;
    cr_expect_eq(a->growth.factor, 0, "without sensitivities growth is not known");
    double t = k < a->events && k < b->events ? a->event[k].before.t : INFINITY;
    trajectory_free(a);
    trajectory_free(b);
    solving_end(&one);
    solving_end(&other);
    return t;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of seven pairs; INFINITY: most are one to the end. */
static double runs_part(double rtol)
{
    static const double ratio[] = {1.5, 2, 3, 4, 5, 6, 7};
    enum { PAIRS = sizeof ratio / sizeof *ratio };
    double t[PAIRS];
    for (int k = 0; k < PAIRS; k++)
        t[k] = runs_part_from(rtol, ratio[k]);
    qsort(t, PAIRS, sizeof *t, by_value);
    return t[PAIRS / 2];
}

Test(growth_of_errors, chaos_is_told_about_when_digits_end)
{
    static const double rtol[] = {1e-8, 1e-10, 1e-12, 1e-13};
    double last = 0;
    for (size_t k = 0; k < sizeof rtol / sizeof *rtol; k++) {
        struct solving s;
        struct trajectory *got;
        begin(&s, rtol[k]);
        enum status status = run_once(&s.request, &got, &s.diagnosis);
        cr_assert_eq(status, NO_DIGITS, "at %g: %s: %s", rtol[k], status_text(status),
                     s.diagnosis.place);
        double parted = runs_part(rtol[k]), t = s.diagnosis.t;
        double none = got->growth.none_at;
        cr_expect(none > 0.6 * parted && none < 1.2 * parted,
                  "at %g: no digit from %g, the runs part at %g", rtol[k], none, parted);
        /* growth by 1/DBL_EPSILON, on whatever orbit it is by then */
        cr_expect(t > parted && t < 1.6 * parted,
                  "at %g: refused at %g, the runs part at %g", rtol[k], t, parted);
        cr_expect_gt(got->growth.none_at, last, "at %g: no digit from %g, no later than "
                     "before", rtol[k], got->growth.none_at);
        cr_expect_lt(got->growth.worn_at, got->growth.none_at);
        cr_expect_leq(got->growth.none_at, t);
        cr_expect_leq(got->growth.digits, 0);
        cr_expect_gt(got->event[got->events - 1].growth, got->event[0].growth);
        last = got->growth.none_at;
        trajectory_free(got);
        solving_end(&s);
    }
}

/* Before the digits end there is nothing to be said; with two left it is. */
Test(growth_of_errors, a_shorter_run_is_worn_or_whole)
{
    struct solving s;
    begin(&s, 1e-12);
    for (int k = 0; k < 2; k++) {
        s.request.t_end = k == 0 ? 10 : 17.5;
        s.request.samples = 0;
        struct trajectory *got = solve(&s);
        cr_expect_eq(got->growth.worn_at < INFINITY, k == 1, "%.1f digits to t = %g",
                     got->growth.digits, s.request.t_end);
        cr_expect_gt(got->growth.factor, 1e3);
        trajectory_free(got);
    }
    solving_end(&s);
}

/* Two forces that balance: q is rounding while it follows both parameters. */
static void record_balance(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(a, b, k);
    NOMINAL(a, 0.1, "N", "a force");
    NOMINAL(b, 0.3, "N", "three times as large");
    NOMINAL(k, 2, "N/m", "stiffness");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(3*a - b - k*x);
    model->q0[0] = model->v0[0] = EQ(0*a);
    model->t_end = EQ(20);
}

Test(growth_of_errors, a_balance_of_forces_is_no_growth)
{
    struct solving s;
    solving_of_record(&s, "balance", record_balance, "ode");
    struct trajectory *got = solve(&s);
    cr_expect_lt(got->sample[got->samples - 1].x[0], 1e-14);
    cr_expect_lt(got->growth.factor, 1e6, "%g", got->growth.factor);
    trajectory_free(got);
    solving_end(&s);
}

/* A mass at rest, its forces in balance to rounding: it is kicked at t1, by a speed of
   its own or one that follows a parameter of the forces, or loses one of its forces and
   is held by two others that balance. */
enum { OWN_SPEED, SPEED_OF_A, OTHER_FORCES, WAYS };
static int way;

static void record_at_rest(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(a, b, u, t1, k, d);
    TIME(t);
    NOMINAL(a, 0.1, "rad", "an angle");
    NOMINAL(b, 0.2, "rad", "another");
    NOMINAL(u, 2, "m/s", "speed of the kick");
    NOMINAL(t1, 1, "s", "time of the kick");
    NOMINAL(k, 3, "N/m", "stiffness");
    NOMINAL(d, 0.3, "N", "a force");
    struct mode *before = model_mode(model, "before");
    model->M[0][0] = EQ(1);
    struct mode *after = model_mode(model, "after");
    model->M[0][0] = EQ(1);
    before->F[0] = EQ(sin(a + b) - sin(a)*cos(b) - cos(a)*sin(b) - k*x);
    after->F[0] = way == OTHER_FORCES ? EQ(d - 0.1*k - k*x) : before->F[0];
    struct event *kick = model_event(model, "kick", before, after, EQ(t - t1), RISING);
    if (way != OTHER_FORCES)
        kick->v_plus[0] = way == OWN_SPEED ? EQ(vx + u) : EQ(vx + 10.0*u*a);
    model->q0[0] = model->v0[0] = EQ(0*a);
    model->t_end = EQ(2);
    (void)t, (void)d;
}

Test(growth_of_errors, a_kick_out_of_rest_is_no_growth)
{
    static const double sample[] = {0.5, 1, 1 + 1e-9, 1.5, 2};
    static const int count[] = {0, 1, 5};
    for (way = 0; way < WAYS; way++)
        for (int k = 0; k < 3; k++) {
            struct solving s;
            solving_of_record(&s, "at rest", record_at_rest, "ode");
            s.request.sample = sample;
            s.request.samples = count[k];
            struct trajectory *got = solve(&s);
            cr_expect_lt(got->growth.factor, 1e4, "way %d: %g", way, got->growth.factor);
            cr_expect_eq(got->growth.worn_at, INFINITY, "way %d: %g", way,
                         got->growth.worn_at);
            const double *end = got->sample[got->samples - 1].x, w = sqrt(3);
            double x = way == OTHER_FORCES ? 0 : 2 * sin(w) / w;
            double by_t1 = way == OTHER_FORCES ? 0 : -2 * cos(w);
            if (count[k] == 5) {
                cr_expect_float_eq(end[column(&got->columns, GROUP_Q, 0, -1)], x, 1e-12);
                cr_expect_float_eq(end[column(&got->columns, GROUP_Q, 0, 3)], by_t1,
                                   1e-11);
            }
            trajectory_free(got);
            solving_end(&s);
        }
}

/* A double pendulum that swings over: no event, and nobody asks for samples. `eps` is a
   parameter whose value is zero. */
static void record_double_pendulum(struct model *model)
{
    COORDINATES(a, b);
    PARAMETERS(g, a0, eps);
    FIXED(g, 9.81, "m/s^2", "gravity");
    NOMINAL(a0, 2.5, "rad", "angles at the start");
    NOMINAL(eps, 0, "rad", "what the first has more");
    model->M[0][0] = EQ(2);
    model->M[0][1] = EQ(cos(a - b));
    model->M[1][0] = EQ(cos(a - b));
    model->M[1][1] = EQ(1);
    model->F[0] = EQ(-vb*vb*sin(a - b) - 2.0*g*sin(a));
    model->F[1] = EQ(va*va*sin(a - b) - g*sin(b));
    model->q0[0] = EQ(a0 + eps);
    model->q0[1] = EQ(a0);
    model->t_end = EQ(60);
}

Test(growth_of_errors, is_told_without_samples_and_for_a_parameter_that_is_zero)
{
    for (int j = 1; j < 3; j++)
        for (int samples = 0; samples <= TEST_SAMPLES; samples += TEST_SAMPLES) {
            struct solving s;
            solving_of_record(&s, "double-pendulum", record_double_pendulum, "ode");
            s.request.parameters = 1;
            s.parameter[0] = j;
            s.request.samples = samples;
            refuse(&s, NO_DIGITS);
            solving_end(&s);
        }
}
