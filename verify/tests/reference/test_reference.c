/*
 * test_reference.c - trajectories in MPFR against closed forms, against themselves with
 * more digits, and the variational route against differences.
 */
#include "case.h"
#include "cases/model_texts.h"
#include "referring.h"
#include "sampling.h"

enum { SAMPLES = 4 };

static struct referring r;
static char worst[200];

static void begin_with(const struct case_desc *desc, int digits,
                       const char *const *sample)
{
    referring_of_case(&r, desc, digits);
    r.request.samples = SAMPLES;
    r.request.sample = sample;
}

static void begin(const char *name, int digits)
{
    static const char *const sample[SAMPLES] = {"0.1", "0.45", "1.1", "1.9"};
    begin_with(case_find(name), digits, sample);
}

static double digits_between(const struct mp_trajectory *a, const struct mp_trajectory *b)
{
    return digits_of_routes(a, b, worst, sizeof worst);
}

/* Least digits on which the two routes to derivatives agree. */
static double digits_of_both(void)
{
    return variational_against_differences(&r, worst, sizeof worst);
}

/* --- closed forms ------------------------------------------------------------------- */

static void record_oscillator(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(w, x0);
    NOMINAL(w, 1.5, "1/s", "frequency");
    NOMINAL(x0, 0.7, "m", "initial position");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-w*w*x);
    model->q0[0] = EQ(x0);
    model->t_end = EQ(11);
}

CASE(test_oscillator, .name = "test-oscillator", .record = record_oscillator);

/* The status and the steps of a run without derivatives, with these digits. */
static long steps_of(const struct case_desc *desc, int digits, bool strict,
                     enum status *status)
{
    struct mp_trajectory *t = NULL;
    begin_with(desc, digits, NULL);
    r.request.samples = r.request.parameters = 0;
    r.request.strict = strict;
    *status = reference_run(&r.request, &t, &r.diagnosis);
    long steps = *status == OK ? t->steps : 0;
    mp_trajectory_free(t);
    referring_end(&r);
    return steps;
}

/* The order grows with the digits, and the steps stay: as many digits as one likes take
   about as many, and end as the others do. Rounding has been taken for growth: 322 steps
   at 200 digits in place of 11, and a refusal at 240. */
static void expect_the_same_steps(const struct case_desc *desc, int most)
{
    enum status first, status;
    long steps = steps_of(desc, 40, false, &first);
    for (int digits = 80; digits <= most; digits *= 2) {
        long more = steps_of(desc, digits, false, &status);
        cr_expect_eq(status, first, "%s, %d digits: %s", desc->name, digits,
                     status_text(status));
        cr_expect(2*more >= steps && more <= 2*steps,
                  "%s: %ld steps, with %d digits %ld", desc->name, steps, digits, more);
    }
}

/* All cases take minutes; in make test those on which it has gone wrong. */
Test(reference, more_digits_take_no_other_steps, .timeout = 1200)
{
    static const char *const quick[] = {"chaplygin-sleigh", "rotor-feeler-metres",
                                        "switching-oscillator", "mass-drop"};
    for (size_t k = 0; k < sizeof quick / sizeof *quick; k++)
        expect_the_same_steps(case_find(quick[k]), 320);
    for (int k = 0; in_test_all() && catalogue[k]; k++)
        expect_the_same_steps(catalogue[k], 160);
}

/* The sleigh flies: its centre of mass moves uniformly, by forces that cancel, and it
   turns evenly. The guard of its landing was not that of its series. */
Test(reference, rounding_of_what_cancels_is_not_taken_for_growth)
{
    enum status status;
    long steps = steps_of(case_find("chaplygin-sleigh"), 240, true, &status);
    cr_expect_eq(status, OK, "%s", r.diagnosis.place);
    cr_expect_lt(steps, 30, "%ld steps", steps);
}

/* x = x0 cos wt, dx/dw = -x0 t sin wt at t = 10 */
Test(reference, the_harmonic_oscillator_has_the_digits_that_are_asked_for)
{
    static const char *const sample[SAMPLES] = {"1", "2", "3", "10"};
    for (int digits = 15; digits <= 240; digits *= 2) {
        begin_with(&case_test_oscillator, digits, sample);
        struct mp_trajectory *t = refer(&r);
        mpfr_t x, s;
        mpfr_init2(x, t->precision);
        mpfr_init2(s, t->precision);
        mpfr_set_ui(x, 15, MPFR_RNDN);
        mpfr_sin_cos(s, x, x, MPFR_RNDN);
        mpfr_mul_ui(x, x, 7, MPFR_RNDN);
        mpfr_div_ui(x, x, 10, MPFR_RNDN);
        mpfr_mul_si(s, s, -7, MPFR_RNDN);
        double value = mp_digits(t->sample[3].x[0], x, NULL);
        double derivative = mp_digits(
            t->sample[3].x[column(&t->columns, GROUP_Q, 0, 0)], s, NULL);
        cr_expect_gt(value, digits, "%d digits: x to %.1f", digits, value);
        cr_expect_gt(derivative, digits - 1, "%d digits: dx/dw to %.1f", digits,
                     derivative);
        mpfr_clear(x);
        mpfr_clear(s);
        mp_trajectory_free(t);
        referring_end(&r);
    }
}

/* t_1 = sqrt(2 h0/g), v- = -sqrt(2 g h0), t_2 = (1 + 2e) t_1; dt_1/dg = -t_1/(2g) */
Test(reference, the_bouncing_ball_has_its_closed_form)
{
    begin("bouncing-ball", 60);
    struct mp_trajectory *t = refer(&r);
    mpfr_t want;
    mpfr_init2(want, t->precision);
    cr_assert_eq(t->events, 3);
    mpfr_set_str(want, "9.8", 10, MPFR_RNDN);
    mpfr_ui_div(want, 100, want, MPFR_RNDN);
    mpfr_sqrt(want, want, MPFR_RNDN);
    cr_expect_gt(mp_digits(t->event[0].before.t, want, NULL), 65);
    mpfr_div_d(want, want, -19.6, MPFR_RNDN);   /* 19.6 is rounded to 16 digits: */
    cr_expect_gt(mp_digits(t->event[0].tau[0], want, NULL), 15);
    mpfr_mul_ui(want, t->event[0].before.t, 26, MPFR_RNDN);
    mpfr_div_ui(want, want, 10, MPFR_RNDN);
    cr_expect_gt(mp_digits(t->event[1].before.t, want, NULL), 65);
    mpfr_set_ui(want, 980, MPFR_RNDN);
    mpfr_sqrt(want, want, MPFR_RNDN);
    mpfr_neg(want, want, MPFR_RNDN);
    cr_expect_gt(mp_digits(t->event[0].before.x[1], want, NULL), 65);
    mpfr_mul_si(want, want, -8, MPFR_RNDN);
    mpfr_div_ui(want, want, 10, MPFR_RNDN);
    cr_expect_gt(mp_digits(t->event[0].after.x[1], want, NULL), 65);
    mpfr_clear(want);
    mp_trajectory_free(t);
    referring_end(&r);
}

/* --- digits and routes -------------------------------------------------------------- */

Test(reference, no_digit_depends_on_the_number_of_threads)
{
    begin("five-bar", 40);
    struct mp_trajectory *one = refer(&r);
    r.request.threads = 4;
    struct mp_trajectory *four = refer(&r);
    for (int i = 0; i < one->samples; i++)
        for (int c = 0; c < one->columns.count; c++) {
            bool same = mpfr_equal_p(one->sample[i].x[c], four->sample[i].x[c]) != 0;
            cr_expect(same, "sample %d, column %d", i, c);
        }
    for (int i = 0; i < one->columns.model->nz * (1 + one->columns.p); i++) {
        bool same = mpfr_equal_p(one->psi[i], four->psi[i]) != 0;
        cr_expect(same, "psi %d", i);
    }
    mp_trajectory_free(one);
    mp_trajectory_free(four);
    referring_end(&r);
}

Test(reference, a_run_agrees_with_one_of_thirty_more_digits_to_its_own)
{
    const char *const name[] = {"bouncing-ball", "pendulum-wall", "slack-rope",
                                "rimless-wheel"};
    for (int i = 0; i < 4; i++)
        for (int digits = 25; digits <= 50; digits += 25) {
            begin(name[i], digits);
            struct mp_trajectory *a = refer(&r);
            r.request.digits += 30;
            struct mp_trajectory *b = refer(&r);
            double agreed = digits_between(a, b);
            cr_expect_gt(agreed, digits - 1, "%s, %d digits: %.1f at %s", name[i], digits,
                         agreed, worst);
            mp_trajectory_free(a);
            mp_trajectory_free(b);
            referring_end(&r);
        }
}

Test(reference, variational_equations_and_differences_agree_on_30_of_60_digits)
{
    const char *const name[] = {"bouncing-ball", "pendulum-stop", "pendulum-wall",
                                "slack-rope", "rimless-wheel"};
    for (int i = 0; i < 5; i++) {
        begin(name[i], 60);
        double agreed = digits_of_both();
        cr_expect_gt(agreed, 32, "%s: %.1f at %s", name[i], agreed, worst);
        referring_end(&r);
    }
}

Test(reference, a_difference_has_order_two)
{
    begin("pendulum-stop", 60);
    struct mp_trajectory *t = refer(&r);
    struct mp_trajectory *h = refer_difference(&r, false);
    struct mp_trajectory *half = refer_difference(&r, true);
    int c = column(&t->columns, GROUP_Q, 0, 0);
    for (int i = 0; i < SAMPLES; i++) {
        mpfr_t a, b;
        mpfr_init2(a, 300);
        mpfr_init2(b, 300);
        mpfr_sub(a, h->sample[i].x[c], t->sample[i].x[c], MPFR_RNDN);
        mpfr_sub(b, half->sample[i].x[c], t->sample[i].x[c], MPFR_RNDN);
        mpfr_div(a, a, b, MPFR_RNDN);
        double order = log2(fabs(mpfr_get_d(a, MPFR_RNDN)));
        cr_expect_float_eq(order, 2, 1e-3, "sample %d: order %.6f", i, order);
        mpfr_clear(a);
        mpfr_clear(b);
    }
    mp_trajectory_free(t);
    mp_trajectory_free(h);
    mp_trajectory_free(half);
    referring_end(&r);
}

Test(reference, constraints_and_energy_are_kept_to_the_digits_carried)
{
    begin("pendulum-wall", 50);
    struct mp_trajectory *t = refer(&r);
    cr_expect_lt(t->worst_Phi, 1e-50);
    cr_expect_lt(t->worst_Phid, 1e-50);
    cr_expect_lt(t->worst_energy, 1e-50);
    cr_expect_gt(t->worst_Phid, 0);
    mp_trajectory_free(t);
    referring_end(&r);
}

/* The two pendulums are one: x = l sin th. */
Test(reference, the_pendulum_in_natural_coordinates_is_the_one_in_its_angle)
{
    begin("pendulum-wall", 40);
    struct mp_trajectory *wall = refer(&r);
    referring_end(&r);
    begin("pendulum-stop", 40);
    struct mp_trajectory *stop = refer(&r);
    mpfr_t x;
    mpfr_init2(x, stop->precision);
    mpfr_sin(x, stop->sample[3].x[0], MPFR_RNDN);
    cr_expect_gt(mp_digits(wall->sample[3].x[0], x, NULL), 38);
    cr_assert_eq(wall->events, stop->events);
    for (int e = 0; e < stop->events; e++)
        cr_expect_gt(mp_digits(wall->event[e].before.t, stop->event[e].before.t, NULL),
                     38);
    mpfr_clear(x);
    mp_trajectory_free(wall);
    mp_trajectory_free(stop);
    referring_end(&r);
}

/* --- penalty ------------------------------------------------------------------------ */

Test(reference, the_penalty_motion_nears_the_exact_one_as_alpha_grows)
{
    const char *const alpha[] = {"1e4", "1e5", "1e6"};
    double gap[3];
    begin("pendulum-wall", 40);
    struct mp_trajectory *exact = refer(&r);
    for (int i = 0; i < 3; i++) {
        r.request.truth = (struct truth){"penalty", alpha[i], "20", "100", NULL};
        struct mp_trajectory *t = refer(&r);
        gap[i] = pow(10, -digits_between(t, exact));
        mp_trajectory_free(t);
    }
    for (int i = 0; i < 2; i++) {
        double order = log10(gap[i] / gap[i + 1]);
        cr_expect_float_eq(order, 1, 0.05, "order %.3f in 1/alpha", order);
    }
    mp_trajectory_free(exact);
    referring_end(&r);
}

Test(reference, penalty_variational_equations_agree_with_penalty_differences)
{
    begin("pendulum-wall", 60);
    r.request.truth = (struct truth){"penalty", "1000", "20", "100", NULL};
    double agreed = digits_of_both();
    cr_expect_gt(agreed, 30, "%.1f at %s", agreed, worst);
    referring_end(&r);
}

/* --- everything at once ------------------------------------------------------------- */

/*
 * Start and end depend on parameters; a latched value; a phase with its own rate; a force
 * that depends on a multiplier; a guard on an acceleration; an event that follows another
 * at once; costs of all kinds; a terminal event.
 */
static void record_everything(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(k, l, mu, ta, tb, drop);
    AUXILIARY(phase, mark);
    MULTIPLIERS(tension);
    COSTS(work, travel);
    TIME(t);

    NOMINAL(k, 3, "1/s", "rate of the drive");
    NOMINAL(l, 1.1, "m", "length");
    NOMINAL(mu, 0.15, "1", "friction");
    NOMINAL(ta, 0.2, "s", "start");
    NOMINAL(tb, 4.5, "s", "end");
    NOMINAL(drop, 0.3, "1", "part of the velocity lost");

    struct mode *mode[3];
    for (int i = 0; i < 3; i++) {
        mode[i] = model_mode(model, i == 0 ? "swing" : i == 1 ? "instant" : "back");
        model->M[0][0] = EQ(1 + x*x/10);
        model->M[0][1] = EQ(x/20);
        model->M[1][1] = EQ(1.5);
        model->F[0] = EQ(sin(k*phase)/4 - mu*tension*vx/(1 + vx*vx));
        model->F[1] = EQ(-9.81*1.5 - mu*tension*vy/(1 + vx*vx) + mark);
        model->Phi[0] = EQ((x*x + y*y - l*l*(1 + sin(t)/10))/2);
        model->f_s[0] = EQ(1 + x/5);
        model->g[0] = EQ(ax*vx + tension*t);
        model->g[1] = EQ(vx*vx + vy*vy);
    }
    struct event *turn = model_event(model, "turn", mode[0], mode[1], EQ(ay - tension/5),
                                     EITHER);
    turn->s_plus[1] = EQ(x*k/10);
    turn->s_plus[0] = EQ(phase - 0.1*vx);
    turn->v_plus[0] = EQ((1 - drop)*vx);
    turn->cost[0] = EQ(vx_plus*vx_plus - vx*vx + l);
    event_constrain_velocity(turn);
    /* zero as soon as `turn` has latched x k/10 */
    struct event *follow = model_event(model, "follow", mode[1], mode[2],
                                       EQ(mark - x*k/10), RISING);
    event_impulse(follow, EQ(y*x/2 + y), EQ(drop));
    event_impulse_joints(follow);
    struct event *stop = model_event(model, "stop", mode[2], mode[0],
                                     EQ(x - l/20), FALLING);
    stop->terminal = true;
    stop->cost[1] = EQ(x*mark);

    model->t0 = EQ(ta);
    model->t_end = EQ(tb);
    model->q0[0] = EQ(l/2 + 0.1*mu);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0.4*k);
    model->s0[1] = EQ(mu);
    model->w[1] = EQ(x*t + l*vy + phase*mark);
}

CASE(test_everything, .name = "test-everything", .record = record_everything);

Test(reference, starts_ends_latches_costs_and_friction_agree_in_both_routes)
{
    static const char *const sample[SAMPLES] = {"0.21", "0.7", "0.85", "0.95"};
    begin_with(&case_test_everything, 50, sample);
    for (int i = 0; i < 2; i++) {
        struct mp_trajectory *a = refer(&r), *b = refer_difference(&r, false);
        double agreed = digits_between(a, b);
        cr_expect_gt(agreed, 24, "%.1f at %s", agreed, worst);
        cr_assert_eq(a->events, 3);
        cr_expect_str_eq(a->event[1].event->name, "follow");
        cr_expect(mpfr_equal_p(a->event[0].before.t, a->event[1].before.t) != 0);
        mp_trajectory_free(a);
        mp_trajectory_free(b);
        r.request.truth = (struct truth){"penalty", "1000", "20", "100", NULL};
    }
    referring_end(&r);
}

/* What decides an event in 1 + 1e-100 decides it in MPFR, too; carried digits are as many
   as the numbers of the formulas lie apart. */
Test(reference, numbers_that_lie_far_apart_are_carried_both)
{
    static const char text[] =
        "parameters: {a: {nominal: 2}}\ntime: t\ncoordinates: [y]\nauxiliary: [s]\n"
        "modes:\n  hold: {M: {y: {y: 1}}, F: {y: 0}, Phi: [y - s], f_s: {s: 1}}\n"
        "  free: {M: {y: {y: 1}}, F: {y: a}, f_s: {s: 1 + 1e-100}}\nevents:\n"
        "  rel: {from: hold, to: free, guard: t - 1, direction: rising}\n"
        "  hit: {from: free, to: free, guard: y - s, direction: either, reset: "
        "{vy_plus: vy + 5}}\ninitial: {state: {s: 0}}\nend: 1.9\n";
    struct referring apart;
    struct certificate *c;
    const char *end[] = {"1.5"};
    struct diagnosis unread;
    referring_of_model(&apart, model_of_text(text, &unread), 0);
    cr_expect_eq(reference_digits(apart.model, 20), 130);
    apart.request.samples = 1;
    apart.request.sample = end;
    cr_assert_eq(certify(&apart.request, 20, 1, &c, &apart.diagnosis), OK, "%s",
                 apart.diagnosis.place);
    cr_assert_eq(c->trajectory->events, 2);
    /* It is hit 1e-100 after the release, and leaves with 1 + 5. */
    cr_expect_float_eq(mpfr_get_d(number_at(c->trajectory, &c->trajectory->event[1].after,
                                            GROUP_V, 0, -1), MPFR_RNDN), 6, 1e-15);
    certificate_free(c);
    referring_end(&apart);
}

Test(reference, catalogue_needs_no_more_digits_than_are_carried)
{
    for (int k = 0; catalogue[k]; k++) {
        struct model *model = model_new(catalogue[k], NULL);
        if (model)
            cr_expect_leq(reference_digits(model, 20), 60, "%s: %d",
                          catalogue[k]->name, reference_digits(model, 20));
        model_free(model);
    }
}
