/*
 * test_reference_orbit.c - certified periodic motions: closed forms, walkers.
 */
#include "orbiting.h"

TestSuite(reference_orbit, .timeout = 600);

/* --- a rotor ------------------------------------------------------------------------ */

/* T = 2 pi/w, mu = exp(-d T): mu_d = -T mu, mu_w = d T mu/w, T_w = -T/w */
Test(reference_orbit, of_a_rotor_is_the_closed_form)
{
    struct given g;
    mpfr_t T, mu, x;
    give(&g, &rotor, 3.1415, rotor_start, 3);
    struct certificate *c = certify_given(&g, 40);
    cr_expect_geq(c->agreed, 40);
    cr_expect_eq(c->orbit->multipliers, 1);
    cr_expect_eq(c->orbit->ones, 1);
    cr_expect_eq(c->orbit->zeros, 1);
    mpfr_inits2(400, T, mu, x, (mpfr_ptr)0);
    mpfr_const_pi(T, MPFR_RNDN);
    mpfr_div_si(mu, T, -4, MPFR_RNDN);
    mpfr_exp(mu, mu, MPFR_RNDN);
    expect_digits(orbit_number(c, MP_ORBIT_PERIOD, 0, 0, -1), T, 60, "T");
    expect_digits(orbit_number(c, MP_ORBIT_MULTIPLIER, 0, 0, -1), mu, 40, "mu");
    mpfr_mul(x, T, mu, MPFR_RNDN);
    mpfr_neg(x, x, MPFR_RNDN);
    expect_digits(orbit_number(c, MP_ORBIT_MULTIPLIER, 0, 0, 0), x, 40, "mu_d");
    mpfr_div_si(x, x, -8, MPFR_RNDN);
    expect_digits(orbit_number(c, MP_ORBIT_MULTIPLIER, 0, 0, 1), x, 40, "mu_w");
    mpfr_div_si(x, T, -2, MPFR_RNDN);
    expect_digits(orbit_number(c, MP_ORBIT_PERIOD, 0, 0, 1), x, 40, "T_w");
    mpfr_clears(T, mu, x, (mpfr_ptr)0);
    certificate_free(c);
    referring_end(&g.r);
}

/* With d = -10 the multiplier is exp(10 pi), 4e13. */
Test(reference_orbit, an_unstable_one_has_the_digits_asked_for)
{
    struct given g;
    mpfr_t mu;
    const char *value[] = {"-10", NULL};
    give(&g, &rotor, 3.1415926535897932, rotor_start, 3);
    g.request.run.value = value;
    struct certificate *c = certify_given(&g, 40);
    mpfr_init2(mu, 400);
    mpfr_const_pi(mu, MPFR_RNDN);
    mpfr_mul_ui(mu, mu, 10, MPFR_RNDN);
    mpfr_exp(mu, mu, MPFR_RNDN);
    cr_expect_geq(c->agreed, 40);
    expect_digits(orbit_number(c, MP_ORBIT_MULTIPLIER, 0, 0, -1), mu, 40, "mu");
    mpfr_clear(mu);
    certificate_free(c);
    referring_end(&g.r);
}

/* Twice round is no period that is certified. */
Test(reference_orbit, a_multiple_of_the_period_is_refused)
{
    for (int rounds = 2; rounds <= 3; rounds++) {
        struct given g;
        struct certificate *c;
        char words[80];
        give(&g, &rotor, 3.1415 * rounds, rotor_start, 3);
        cr_expect_eq(mp_orbit_certify(&g.request, 20, 2, &c, &g.r.diagnosis), NO_ORBIT);
        cr_expect_null(c);
        snprintf(words, sizeof words, "is %d times that of the orbit; give 3.141592654",
                 rounds);
        cr_expect_not_null(strstr(g.r.diagnosis.place, words), "%s", g.r.diagnosis.place);
        referring_end(&g.r);
    }
}

/* The rotor has one event: there is nothing that could repeat itself. */
Test(reference_orbit, the_period_is_told_to_be_the_least)
{
    struct given g;
    double digits;
    give(&g, &rotor, 3.1415, rotor_start, 3);
    struct certificate *c = certify_given(&g, 20);
    cr_expect_eq(mp_orbit_rounds(c->orbit, 10, &digits), 1);
    cr_expect_eq(digits, -1);
    certificate_free(c);
    referring_end(&g.r);
}

Test(reference_orbit, more_digits_are_there_for_the_asking)
{
    struct given g;
    give(&g, &rotor, 3.1415, rotor_start, 3);
    struct certificate *few = certify_given(&g, 15), *many = certify_given(&g, 80);
    cr_expect_geq(few->agreed, 15);
    cr_expect_geq(many->agreed, 80);
    cr_expect_lt(few->digits, many->digits);
    cr_expect(fabs(many->orbit->order - 2) < 0.01, "%g", many->orbit->order);
    for (int i = 0; i < 3 * few->orbit->count; i++)
        if (!mpfr_zero_p(many->orbit->x + i))
            cr_expect_geq(mp_digits(few->orbit->x + i, many->orbit->x + i, NULL), 15,
                          "%d", i);
    certificate_free(few);
    certificate_free(many);
    referring_end(&g.r);
}

/* --- the impact oscillator ---------------------------------------------------------- */

enum { K, C, A, W, Q_C, E, CLOSED_PARAMETERS, CLOSED_BITS = 800 };

/* The orbit with one impact a period by superposition. At the impact the free part has
   the displacement h = h1 v and the steady part the velocity g = g1 v, v the velocity
   before the impact, since the flow P of the free part over T = 2 pi/w takes
   (h, -e v - g) to (h, v - g). The steady part has the amplitude R:

       (q_c - h1 v)^2 + (g1 v/w)^2 = R^2

   and gives the phase. out: v before the impact, and the phase. */
static void closed_form(const mpfr_t *rho, mpfr_ptr v, mpfr_ptr phase)
{
    enum { T, Z, D, P11, P12, P21, P22, H1, G1, DET, R2, X, Y, QA, QB, QC, COUNT };
    mpfr_t x[COUNT];
    for (int i = 0; i < COUNT; i++)
        mpfr_init2(x[i], CLOSED_BITS);
    mpfr_const_pi(x[T], MPFR_RNDN);
    mpfr_mul_ui(x[T], x[T], 2, MPFR_RNDN);
    mpfr_div(x[T], x[T], rho[W], MPFR_RNDN);
    mpfr_div_ui(x[Z], rho[C], 2, MPFR_RNDN);        /* m = 1 */
    mpfr_sqr(x[D], x[Z], MPFR_RNDN);
    mpfr_sub(x[D], rho[K], x[D], MPFR_RNDN);
    mpfr_sqrt(x[D], x[D], MPFR_RNDN);
    /* P = exp(-z T) [cos + z/D sin, sin/D; -k sin/D, cos - z/D sin] */
    mpfr_mul(x[X], x[D], x[T], MPFR_RNDN);
    mpfr_sin_cos(x[P12], x[P11], x[X], MPFR_RNDN);
    mpfr_div(x[P12], x[P12], x[D], MPFR_RNDN);
    mpfr_mul(x[Y], x[Z], x[P12], MPFR_RNDN);
    mpfr_sub(x[P22], x[P11], x[Y], MPFR_RNDN);
    mpfr_add(x[P11], x[P11], x[Y], MPFR_RNDN);
    mpfr_mul(x[P21], rho[K], x[P12], MPFR_RNDN);
    mpfr_neg(x[P21], x[P21], MPFR_RNDN);
    mpfr_mul(x[Y], x[Z], x[T], MPFR_RNDN);
    mpfr_neg(x[Y], x[Y], MPFR_RNDN);
    mpfr_exp(x[Y], x[Y], MPFR_RNDN);
    for (int i = P11; i <= P22; i++)
        mpfr_mul(x[i], x[i], x[Y], MPFR_RNDN);
    /* [1 - P11, P12; -P21, P22 - 1] (h1, g1) = (-e P12, -1 - e P22) */
    mpfr_ui_sub(x[QA], 1, x[P11], MPFR_RNDN);
    mpfr_sub_ui(x[QB], x[P22], 1, MPFR_RNDN);
    mpfr_fmma(x[DET], x[QA], x[QB], x[P12], x[P21], MPFR_RNDN);
    mpfr_mul(x[X], rho[E], x[P12], MPFR_RNDN);
    mpfr_neg(x[X], x[X], MPFR_RNDN);
    mpfr_mul(x[Y], rho[E], x[P22], MPFR_RNDN);
    mpfr_add_ui(x[Y], x[Y], 1, MPFR_RNDN);
    mpfr_neg(x[Y], x[Y], MPFR_RNDN);
    mpfr_fmms(x[H1], x[X], x[QB], x[P12], x[Y], MPFR_RNDN);
    mpfr_fmma(x[G1], x[QA], x[Y], x[P21], x[X], MPFR_RNDN);
    mpfr_div(x[H1], x[H1], x[DET], MPFR_RNDN);
    mpfr_div(x[G1], x[G1], x[DET], MPFR_RNDN);
    /* R^2 = A^2 / ((k - w^2)^2 + c^2 w^2); X, Y are its parts */
    mpfr_sqr(x[X], rho[W], MPFR_RNDN);
    mpfr_sub(x[X], rho[K], x[X], MPFR_RNDN);
    mpfr_mul(x[Y], rho[C], rho[W], MPFR_RNDN);
    mpfr_fmma(x[R2], x[X], x[X], x[Y], x[Y], MPFR_RNDN);
    mpfr_sqr(x[QC], rho[A], MPFR_RNDN);
    mpfr_div(x[R2], x[QC], x[R2], MPFR_RNDN);
    /* QA v^2 - 2 QB v + QC = 0 */
    mpfr_div(x[QB], x[G1], rho[W], MPFR_RNDN);
    mpfr_fmma(x[QA], x[H1], x[H1], x[QB], x[QB], MPFR_RNDN);
    mpfr_mul(x[QB], rho[Q_C], x[H1], MPFR_RNDN);
    mpfr_sqr(x[QC], rho[Q_C], MPFR_RNDN);
    mpfr_sub(x[QC], x[QC], x[R2], MPFR_RNDN);
    mpfr_fmms(x[DET], x[QB], x[QB], x[QA], x[QC], MPFR_RNDN);
    mpfr_sqrt(x[DET], x[DET], MPFR_RNDN);
    mpfr_add(v, x[QB], x[DET], MPFR_RNDN);
    mpfr_div(v, v, x[QA], MPFR_RNDN);
    /* x_p = R cos(theta), v_p = -R w sin(theta), phase = theta + atan2(Y, X) */
    mpfr_mul(x[G1], x[G1], v, MPFR_RNDN);
    mpfr_div(x[G1], x[G1], rho[W], MPFR_RNDN);
    mpfr_neg(x[G1], x[G1], MPFR_RNDN);
    mpfr_mul(x[H1], x[H1], v, MPFR_RNDN);
    mpfr_sub(x[H1], rho[Q_C], x[H1], MPFR_RNDN);
    mpfr_atan2(phase, x[G1], x[H1], MPFR_RNDN);
    mpfr_atan2(x[Y], x[Y], x[X], MPFR_RNDN);
    mpfr_add(phase, phase, x[Y], MPFR_RNDN);
    for (int i = 0; i < COUNT; i++)
        mpfr_clear(x[i]);
}

/* Central differences of the closed form with h = 10^-60: 100 digits. */
static void closed_derivative(mpfr_t *rho, int j, mpfr_ptr dv, mpfr_ptr dphase)
{
    mpfr_t h, value, v, phase;
    mpfr_inits2(CLOSED_BITS, h, value, v, phase, (mpfr_ptr)0);
    mpfr_set_ui_2exp(h, 1, -200, MPFR_RNDN);
    mpfr_set(value, rho[j], MPFR_RNDN);
    mpfr_add(rho[j], value, h, MPFR_RNDN);
    closed_form((const mpfr_t *)rho, dv, dphase);
    mpfr_sub(rho[j], value, h, MPFR_RNDN);
    closed_form((const mpfr_t *)rho, v, phase);
    mpfr_sub(dv, dv, v, MPFR_RNDN);
    mpfr_sub(dphase, dphase, phase, MPFR_RNDN);
    mpfr_mul_2ui(dv, dv, 199, MPFR_RNDN);
    mpfr_mul_2ui(dphase, dphase, 199, MPFR_RNDN);
    mpfr_set(rho[j], value, MPFR_RNDN);
    mpfr_clears(h, value, v, phase, (mpfr_ptr)0);
}

static void nominal_oscillator(mpfr_t *rho)
{
    static const char *const text[] = {"1", "0.1", "1", "1", "1", "0.8"};
    for (int j = 0; j < CLOSED_PARAMETERS; j++) {
        mpfr_init2(rho[j], CLOSED_BITS);
        mpfr_set_str(rho[j], text[j], 10, MPFR_RNDN);
    }
}

static void expect_oscillator_state(const struct certificate *c, mpfr_t *rho)
{
    int impact = orbit_event_of(c, "impact");
    mpfr_t v, phase, want;
    mpfr_inits2(CLOSED_BITS, v, phase, want, (mpfr_ptr)0);
    closed_form((const mpfr_t *)rho, v, phase);
    mpfr_mul(want, rho[E], v, MPFR_RNDN);
    mpfr_neg(want, want, MPFR_RNDN);
    expect_digits(orbit_number(c, MP_ORBIT_AFTER, impact, 0, -1), rho[Q_C], 40, "x");
    expect_digits(orbit_number(c, MP_ORBIT_AFTER, impact, 1, -1), want, 40, "v");
    expect_digits(orbit_number(c, MP_ORBIT_AFTER, impact, 2, -1), phase, 40, "phase");
    for (int j = 0; j < CLOSED_PARAMETERS; j++) {
        mpfr_t dv, dphase;
        mpfr_inits2(CLOSED_BITS, dv, dphase, (mpfr_ptr)0);
        closed_derivative(rho, j, dv, dphase);
        mpfr_mul(want, rho[E], dv, MPFR_RNDN);
        if (j == E)
            mpfr_add(want, want, v, MPFR_RNDN);
        mpfr_neg(want, want, MPFR_RNDN);
        expect_digits(orbit_number(c, MP_ORBIT_AFTER, impact, 1, j), want, 40, "dv");
        expect_digits(orbit_number(c, MP_ORBIT_AFTER, impact, 2, j), dphase, 40,
                      "dphase");
        mpfr_clears(dv, dphase, (mpfr_ptr)0);
    }
    mpfr_clears(v, phase, want, (mpfr_ptr)0);
}

/* Lengths may be scaled together: A X_A + q_c X_qc = X of lengths and velocities, here
   with A = q_c = 1. */
static void expect_scaling(const struct certificate *c)
{
    mpfr_t sum;
    mpfr_init2(sum, CLOSED_BITS);
    for (int k = 0; k < c->orbit->events; k++)
        for (int i = 0; i < 2; i++) {
            mpfr_srcptr x = orbit_number(c, MP_ORBIT_AFTER, k, i, -1);
            mpfr_add(sum, orbit_number(c, MP_ORBIT_AFTER, k, i, A),
                     orbit_number(c, MP_ORBIT_AFTER, k, i, Q_C), MPFR_RNDN);
            mpfr_sub(sum, sum, x, MPFR_RNDN);
            cr_expect_lt(fabs(mpfr_get_d(sum, MPFR_RNDN)), 1e-43, "event %d, %d", k, i);
        }
    mpfr_clear(sum);
}

/* The product of both multipliers is P = e^2 exp(-2 pi c/w) for m = 1, and it has the
   derivatives P_e = 2 P/e, P_c = -(2 pi/w) P. */
static void expect_product(const struct certificate *c, mpfr_t *rho)
{
    mpfr_srcptr re = orbit_number(c, MP_ORBIT_MULTIPLIER, 0, 0, -1), im = re + 1;
    mpfr_t P, got, rate;
    mpfr_inits2(CLOSED_BITS, P, got, rate, (mpfr_ptr)0);
    mpfr_const_pi(rate, MPFR_RNDN);
    mpfr_mul_si(rate, rate, -2, MPFR_RNDN);
    mpfr_div(rate, rate, rho[W], MPFR_RNDN);
    mpfr_mul(P, rate, rho[C], MPFR_RNDN);
    mpfr_exp(P, P, MPFR_RNDN);
    mpfr_mul(P, P, rho[E], MPFR_RNDN);
    mpfr_mul(P, P, rho[E], MPFR_RNDN);
    mpfr_fmma(got, re, re, im, im, MPFR_RNDN);
    expect_digits(got, P, 40, "product");
    for (int k = 0; k < 2; k++) {
        int j = k ? E : C;
        mpfr_srcptr dre = orbit_number(c, MP_ORBIT_MULTIPLIER, 0, 0, j);
        mpfr_fmma(got, re, dre, im, dre + 1, MPFR_RNDN);
        mpfr_mul_ui(got, got, 2, MPFR_RNDN);
        if (k)
            mpfr_ui_div(rate, 2, rho[E], MPFR_RNDN);
        mpfr_mul(rate, rate, P, MPFR_RNDN);
        expect_digits(got, rate, 40, "derivative of the product");
    }
    mpfr_clears(P, got, rate, (mpfr_ptr)0);
}

Test(reference_orbit, of_the_impact_oscillator_is_the_closed_form)
{
    struct orbiting o;
    mpfr_t rho[CLOSED_PARAMETERS], period;
    orbiting_of(&o, "impact-oscillator", "ode", 200, "k,c,A,w,q_c,e", NULL);
    struct certificate *c = certified_of(&o, 40);
    struct orbit_agreement agreement;
    nominal_oscillator(rho);
    cr_expect_geq(c->agreed, 40);
    cr_expect(fabs(c->orbit->order - 2) < 0.01, "%g", c->orbit->order);
    mpfr_init2(period, CLOSED_BITS);
    mpfr_const_pi(period, MPFR_RNDN);
    mpfr_mul_ui(period, period, 2, MPFR_RNDN);
    expect_digits(orbit_number(c, MP_ORBIT_PERIOD, 0, 0, -1), period, 40, "period");
    expect_oscillator_state(c, rho);
    expect_scaling(c);
    expect_product(c, rho);
    cr_assert(certified_orbit_compare(c, &o.request, o.orbit, &agreement));
    cr_expect_geq(agreement.states, 12);
    cr_expect_geq(agreement.derivatives, 11);
    cr_expect_geq(agreement.multipliers, 12);
    mpfr_clear(period);
    for (int j = 0; j < CLOSED_PARAMETERS; j++)
        mpfr_clear(rho[j]);
    certificate_free(c);
    orbiting_end(&o);
}

/* --- walkers ------------------------------------------------------------------------ */

Test(reference_orbit, of_the_compass_gait_has_40_digits)
{
    struct orbiting o;
    struct orbit_agreement agreement;
    orbiting_of(&o, "compass-gait", "ode", NAN, "slope", NULL);
    struct certificate *c = certified_of(&o, 40);
    cr_expect_geq(c->agreed, 40);
    cr_expect_eq(c->orbit->multipliers, 3);
    cr_assert(certified_orbit_compare(c, &o.request, o.orbit, &agreement));
    cr_expect_geq(agreement.period, 12);
    cr_expect_geq(agreement.derivatives, 11);
    cr_expect_geq(agreement.multipliers, 11);
    certificate_free(c);
    orbiting_end(&o);
}

/* In absolute coordinates, with constraints and places that advance, a period is two
   steps: its multipliers are squares. */
Test(reference_orbit, multipliers_of_two_steps_are_squares)
{
    static const char *const groups[] = {"xh,xl,xr,px", "yh,yl,yr,py", NULL};
    struct orbiting one, two;
    mpfr_t re, im;
    orbiting_of(&one, "compass-gait", "ode", NAN, "", NULL);
    orbiting_of(&two, "compass-gait-absolute", "index1", 12, "", groups);
    struct certificate *a = certified_of(&one, 35), *b = certified_of(&two, 35);
    cr_assert_eq(a->orbit->multipliers, b->orbit->multipliers);
    cr_expect_eq(b->orbit->ones, 3);
    mpfr_inits2(300, re, im, (mpfr_ptr)0);
    for (int k = 0; k < a->orbit->multipliers; k++) {
        mpfr_srcptr x = orbit_number(a, MP_ORBIT_MULTIPLIER, k, 0, -1);
        int pair = mpfr_zero_p(x + 1) ? k : 1 - k;  /* (re < 0) turns the pair round */
        mpfr_srcptr y = orbit_number(b, MP_ORBIT_MULTIPLIER, pair, 0, -1);
        mpfr_fmms(re, x, x, x + 1, x + 1, MPFR_RNDN);
        mpfr_mul(im, x, x + 1, MPFR_RNDN);
        mpfr_mul_ui(im, im, 2, MPFR_RNDN);
        expect_digits(y, re, 33, "square");
        cr_expect_geq(mp_digits(y + 1, im, re), 33, "%d", k);
    }
    mpfr_mul_2ui(re, orbit_number(a, MP_ORBIT_PERIOD, 0, 0, -1), 1, MPFR_RNDN);
    expect_digits(orbit_number(b, MP_ORBIT_PERIOD, 0, 0, -1), re, 35, "period");
    mpfr_clears(re, im, (mpfr_ptr)0);
    certificate_free(a);
    certificate_free(b);
    orbiting_end(&one);
    orbiting_end(&two);
}
