/*
 * test_reference_friction.c - forces that depend on multipliers, not linearly: the
 * equations of motion are solved by Newton's method, in Taylor arithmetic too.
 */
#include "referring.h"

enum { SAMPLES = 4 };
static const char *const sample[SAMPLES] = {"0.2", "0.7", "1.1", "1.4"};

static void begin(struct referring *r, int digits)
{
    referring_of_case(r, case_find("pendulum-friction"), digits);
    r->request.samples = SAMPLES;
    r->request.sample = sample;
    r->request.t_end = "1.5";
}

/* m (vx^2 + vy^2)/2 + m g y with m = 1, g = 9.81 */
static void energy(const struct mp_trajectory *t, const struct mp_point *point,
                   mpfr_ptr out)
{
    mpfr_t term;
    mpfr_init2(term, t->precision);
    mpfr_mul_ui(out, number_at(t, point, GROUP_Q, 1, -1), 981, MPFR_RNDN);
    mpfr_div_ui(out, out, 100, MPFR_RNDN);
    for (int i = 0; i < 2; i++) {
        mpfr_sqr(term, number_at(t, point, GROUP_V, i, -1), MPFR_RNDN);
        mpfr_div_2ui(term, term, 1, MPFR_RNDN);
        mpfr_add(out, out, term, MPFR_RNDN);
    }
    mpfr_clear(term);
}

/* What the friction takes, the integral of its power, is what the pendulum loses. */
Test(reference_friction, the_energy_lost_on_an_arc_is_the_work_of_the_friction)
{
    struct referring r;
    begin(&r, 50);
    r.request.parameters = 0;
    struct mp_trajectory *t = refer(&r);
    cr_assert_eq(t->events, 1);
    const struct mp_point *const arc[2][2] = {{&t->sample[0], &t->event[0].before},
                                              {&t->event[0].after, &t->sample[3]}};
    mpfr_t lost, after, work;
    mpfr_inits2(t->precision, lost, after, work, (mpfr_ptr)0);
    for (int k = 0; k < 2; k++) {
        energy(t, arc[k][0], lost);
        energy(t, arc[k][1], after);
        mpfr_sub(lost, lost, after, MPFR_RNDN);
        mpfr_sub(work, number_at(t, arc[k][1], GROUP_Z, 0, -1),
                 number_at(t, arc[k][0], GROUP_Z, 0, -1), MPFR_RNDN);
        double digits = mp_digits(lost, work, NULL);
        cr_expect_gt(digits, 45, "arc %d: %.1f digits", k + 1, digits);
        cr_expect_gt(mpfr_get_d(work, MPFR_RNDN), 0.1);
    }
    mpfr_clears(lost, after, work, (mpfr_ptr)0);
    mp_trajectory_free(t);
    referring_end(&r);
}

/* Differences of 36 digits leave 24, less the condition. By mu_s, mu_d and v_t. */
Test(reference_friction, both_routes_agree_on_the_exact_and_on_the_penalty_motion)
{
    const struct truth truth[] = {{.variant = "exact"}, {"penalty", "1e5", "20", "100",
                                                         NULL}};
    char where[100];
    for (int k = 0; k < 2; k++) {
        struct referring r;
        begin(&r, 36);
        r.request.parameters = 3;
        r.request.truth = truth[k];
        double digits = variational_against_differences(&r, where, sizeof where);
        cr_expect_gt(digits, 17, "%s: %.1f digits at %s", truth[k].variant, digits,
                     where);
        referring_end(&r);
    }
}

/* lambda* is what the force takes in the n x n form: the gap is of order 1/alpha. */
Test(reference_friction, the_penalty_motion_nears_the_exact_one_as_alpha_grows)
{
    const char *const alpha[] = {"1e5", "1e6"};
    double gap[2];
    struct referring r;
    begin(&r, 30);
    r.request.parameters = 0;
    struct mp_trajectory *exact = refer(&r), *t;
    mpfr_srcptr want = number_at(exact, &exact->sample[3], GROUP_LAMBDA, 0, -1);
    for (int k = 0; k < 2; k++) {
        r.request.truth = (struct truth){"penalty", alpha[k], "20", "100", NULL};
        t = refer(&r);
        gap[k] = pow(10, -mp_digits(number_at(t, &t->sample[3], GROUP_LAMBDA, 0, -1),
                                    want, NULL));
        mp_trajectory_free(t);
    }
    cr_expect_float_eq(log10(gap[0] / gap[1]), 1, 0.05, "order %.3f in 1/alpha",
                       log10(gap[0] / gap[1]));
    mp_trajectory_free(exact);
    referring_end(&r);
}
