/*
 * test_enclosure.c - the enclosure of a motion takes nothing on trust: an approximate
 * motion that is wrong is refused by name, or costs digits. No ball is ever wrong.
 *
 * The approximate motion is that of a run in MPFR, altered on its way to the enclosure
 * (proving.h). In pendulum-stop the parameter `a` is the place of the stop and `e` its
 * restitution, so that runs with other a and e are motions that miss the stop, meet it
 * too early, or leave it wrongly.
 */
#include <math.h>
#include <string.h>

#include <arb_poly.h>

#include "enclosure/defect.h"
#include "enclosure/enclosure_parts.h"
#include "proving.h"

TestSuite(enclosure, .timeout = 120);

enum { DIGITS = 30 };

/* --- what is told is not quite the motion ------------------------------------------- */

/* Digits of the widest ball, all balls being right; -1: refused, with a reason. */
static double digits_told(struct telling *telling, const struct certificate *certificate)
{
    char outside[200] = "";
    struct proof proof = {.carried = telling->digits};
    const char *name = telling->of->of.model->desc->name;
    if (tell(telling, &proof.motion) != OK) {
        cr_expect_neq(telling->of->of.diagnosis.place[0], '\0', "%s", name);
        return -1;
    }
    cr_expect(proof_contains(&proof, certificate, outside, sizeof outside),
              "%s, lane %d, component %d: %s is outside", name, telling->lane,
              telling->component, outside);
    double digits = proof_extent(proof.motion).widest;
    enclosed_motion_free(proof.motion);
    return digits;
}

static int rates_of(const struct candidate *c)
{
    return (int)(c->rates / (c->lanes * (c->order + 1)));
}

static arb_ptr state_of(const struct candidate *c, int lane)
{
    return c->state + lane * (c->states / c->lanes);
}

/* Series of rate i of a lane. */
static arb_ptr rate_of(const struct candidate *c, int lane, int i)
{
    return c->rate + (lane * rates_of(c) + i) * (c->order + 1);
}

static void raise_by(arb_t x, double by)
{
    arb_t exact;
    arb_init(exact);
    arb_set_d(exact, by);
    arb_add(x, x, exact, ARF_PREC_EXACT);
    arb_clear(exact);
}

/* Values of the parameters of pendulum-stop, g, L, e, a, th0, with another one. */
struct other_run {
    const char *value[5];
};

static struct other_run other(const struct proving *p, const char *name,
                              const char *value)
{
    struct other_run run = {{NULL}};
    run.value[model_parameter_index(p->of.model, name)] = value;
    return run;
}

static const char *const quick[] = {"pendulum-stop", "pendulum-wall", "rope-catch"};
enum { QUICK = sizeof quick / sizeof *quick };

Test(enclosure, a_motion_that_is_told_rightly_is_enclosed)
{
    for (int k = 0; k < QUICK; k++) {
        struct proving p;
        proving_of_case(&p, quick[k]);
        struct certificate *certificate = certified(&p);
        struct telling telling = {.of = &p, .digits = DIGITS};
        double digits = digits_told(&telling, certificate);
        cr_expect_gt(digits, 20, "%s: %.1f digits; %s", quick[k], digits,
                     p.of.diagnosis.place);
        certificate_free(certificate);
        proving_end(&p);
    }
}

static void scale_lane(struct candidate *c, const struct telling *telling)
{
    arb_t factor;
    arb_init(factor);
    arb_one(factor);
    raise_by(factor, 1e-15);
    for (slong i = 0; i < c->states / c->lanes; i++)
        arb_mul(state_of(c, telling->lane) + i, state_of(c, telling->lane) + i, factor,
                ARF_PREC_EXACT);
    for (slong i = 0; i < c->rates / c->lanes; i++)
        arb_mul(rate_of(c, telling->lane, 0) + i, rate_of(c, telling->lane, 0) + i,
                factor, ARF_PREC_EXACT);
    arb_clear(factor);
}

/* Every column of the approximate motion, and the motion itself. */
Test(enclosure, a_column_that_is_off_in_the_fifteenth_digit_has_no_more)
{
    struct proving p;
    proving_of_case(&p, "pendulum-stop");
    struct certificate *certificate = certified(&p);
    struct telling telling = {.of = &p, .digits = DIGITS, .alter = scale_lane};
    for (int lane = 0; lane <= p.of.request.parameters; lane++) {
        telling.lane = lane;
        telling.steps = telling.events = 0;
        double digits = digits_told(&telling, certificate);
        cr_expect(digits < 16, "lane %d: %.1f digits", lane, digits);
        cr_expect(digits > 5 || lane == 0, "lane %d: %.1f digits; %s", lane, digits,
                  p.of.diagnosis.place);
    }
    certificate_free(certificate);
    proving_end(&p);
}

/* In one step only, the third: the rate has a constant too much. */
static void bend(struct candidate *c, const struct telling *telling)
{
    if (telling->steps == 3)
        raise_by(rate_of(c, telling->lane, telling->component), 1e-20);
}

Test(enclosure, a_polynomial_that_is_off_by_1e_20_leaves_about_twenty_digits)
{
    struct proving p;
    proving_of_case(&p, "rope-catch");
    struct certificate *certificate = certified(&p);
    struct telling telling = {.of = &p, .digits = DIGITS, .alter = bend};
    int n = p.of.model->n;
    for (int lane = 0; lane <= 1; lane++)
        for (int i = 0; i < n; i++) {
            telling.lane = lane;
            telling.component = i;
            telling.steps = telling.events = 0;
            double digits = digits_told(&telling, certificate);
            cr_expect(digits > 8 && digits < 21, "lane %d, a %d: %.1f digits; %s", lane,
                      i, digits, p.of.diagnosis.place);
        }
    certificate_free(certificate);
    proving_end(&p);
}

/* Adds `size` times the Chebyshev polynomial of a degree on the step to a rate: an error
   that has as many zeros as a polynomial can have, and is `size` between them. */
static void add_ripple(struct candidate *c, int lane, int degree, double size)
{
    enum { BITS = 400 };
    fmpz_poly_t T;
    arb_poly_t polynomial, line;        /* line: -1 at the start, 1 at the end */
    arb_t x, factor;
    fmpz_poly_init(T);
    arb_poly_init(polynomial);
    arb_poly_init(line);
    arb_init(x);
    arb_init(factor);
    arb_set_d(factor, size);
    fmpz_poly_chebyshev_t(T, (ulong)degree);
    arb_poly_set_fmpz_poly(polynomial, T, BITS);
    arb_ui_div(x, 2, c->length, BITS);
    arb_poly_set_coeff_si(line, 0, -1);
    arb_poly_set_coeff_arb(line, 1, x);
    arb_poly_compose(polynomial, polynomial, line, BITS);
    for (int k = 0; k <= c->order; k++) {
        arb_ptr to = rate_of(c, lane, 0) + k;
        arb_poly_get_coeff_arb(x, polynomial, k);
        arb_mul(x, x, factor, BITS);
        arb_add(to, to, x, BITS);
        arb_get_mid_arb(to, to);
    }
    fmpz_poly_clear(T);
    arb_poly_clear(polynomial);
    arb_poly_clear(line);
    arb_clear(x);
    arb_clear(factor);
}

static void ripple(struct candidate *c, const struct telling *telling)
{
    if (telling->steps == 3)
        add_ripple(c, telling->lane, telling->component, 1e-20);
}

Test(enclosure, an_error_of_many_zeros_is_seen_between_them)
{
    struct proving p;
    proving_of_case(&p, "pendulum-stop");
    struct certificate *certificate = certified(&p);
    struct telling telling = {.of = &p, .digits = DIGITS, .alter = ripple};
    static const int degree[] = {10, 30};
    for (int lane = 0; lane <= 1; lane++)
        for (int k = 0; k < (int)(sizeof degree / sizeof *degree); k++) {
            telling.lane = lane;
            telling.component = degree[k];
            telling.steps = telling.events = 0;
            double digits = digits_told(&telling, certificate);
            cr_expect(digits < 22, "lane %d, degree %d: %.1f digits", lane, degree[k],
                      digits);
        }
    certificate_free(certificate);
    proving_end(&p);
}

/* The bound of row 0 of a defect is not exceeded at many times. False: there is none. */
static bool look_at_defect(const struct telling *telling, struct candidate *c, int degree)
{
    enum { TIMES = 97, BITS = 50 };
    struct enclosure *enclosure = telling->enclosure;
    struct mode_equations *e = enclosure_equations(enclosure, c->mode);
    struct track *track = track_new(c, telling->of->of.model, enclosure->precision);
    struct stage stage;
    stage_open(&stage, e, track, enclosure->rho, enclosure->parameter, c->t, c->length,
               enclosure->precision);
    mag_ptr bound = _mag_vec_init(track->lanes * stage.rows);
    mag_t found;
    acb_t time;
    mag_init(found);
    acb_init(time);
    bool bounded = defect_bound(&stage, BITS, bound);
    for (int k = 0; bounded && k <= TIMES; k++) {
        arb_mul_ui(acb_realref(time), c->length, (ulong)k, enclosure->precision);
        arb_div_ui(acb_realref(time), acb_realref(time), TIMES, enclosure->precision);
        stage_load(&stage, time, NULL, enclosure->precision);
        cr_assert(stage_residual(&stage, false, enclosure->precision));
        acb_get_mag_lower(found, stage.residual);
        cr_expect(mag_cmp(found, bound) <= 0, "degree %d: %.3g is above the bound %.3g",
                  degree, mag_get_d(found), mag_get_d(bound));
    }
    acb_clear(time);
    mag_clear(found);
    _mag_vec_clear(bound, track->lanes * stage.rows);
    stage_close(&stage);
    track_free(track);
    return bounded;
}

/* In step 3, with errors of each degree, one of which has its zeros where the bound
   looks. They are so small that it does not look more closely for them. */
static void look_at_ripples(struct candidate *c, const struct telling *telling)
{
    const double size = ldexp(1, -100);
    int bounded = 0;
    for (int degree = 12; telling->steps == 3 && degree <= c->order; degree++) {
        add_ripple(c, 0, degree, size);
        bounded += look_at_defect(telling, c, degree);
        add_ripple(c, 0, degree, -size);
    }
    cr_expect(telling->steps != 3 || bounded > 12, "%d of %d", bounded, c->order);
}

Test(enclosure, the_bound_of_a_defect_is_not_exceeded)
{
    struct proving p;
    struct enclosed_motion *motion;
    proving_of_case(&p, "pendulum-stop");
    struct telling telling = {.of = &p, .digits = DIGITS, .alter = look_at_ripples};
    tell(&telling, &motion);
    enclosed_motion_free(motion);
    proving_end(&p);
}

static void record_swing(struct model *model)
{
    COORDINATES(th);
    PARAMETERS(th0);
    NOMINAL(th0, 1, "rad", "initial angle, at rest");
    model_mode(model, "swing");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-sin(th));
    model->q0[0] = EQ(th0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(4);
}

/* The exact motion of a start that is 1e-18 off, with its own columns: they obey their
   equations along it, and differ from those asked for as far as it does. */
Test(enclosure, a_neighbouring_motion_has_other_columns)
{
    static const char *const sample[] = {"1", "2", "3.5"};
    static const char *const value[] = {"1.000000000000000001"};
    struct proving p;
    struct enclosed_motion *motion;
    proving_of_record(&p, "swing", record_swing);
    p.of.request.samples = 3;
    p.of.request.sample = sample;
    struct telling telling = {.of = &p, .digits = DIGITS, .value = value};
    cr_assert_eq(tell(&telling, &motion), OK, "%s", p.of.diagnosis.place);
    p.of.request.digits = 3 * DIGITS;
    struct mp_trajectory *run = refer(&p.of);
    struct beside_balls b = look_at_all(motion, run, 2 * DIGITS);
    cr_expect_str_empty(b.outside, "%s", b.outside);
    cr_expect_lt(proof_extent(motion).widest, 19);
    mp_trajectory_free(run);
    enclosed_motion_free(motion);
    proving_end(&p);
}

/* --- a jump that is wrong ----------------------------------------------------------- */

/* Where a jump term is dropped, the motion goes on with a derivative that is wrong. */
static void jump_wrongly(struct candidate *c, const struct telling *telling)
{
    if (telling->events > 0)
        raise_by(state_of(c, telling->lane) + telling->component, 1e-10);
}

/* The enclosure has jumped by itself, and only sees that the approximation is bad. */
Test(enclosure, a_derivative_that_jumps_wrongly_costs_the_digits_that_are_wrong)
{
    struct proving p;
    proving_of_case(&p, "pendulum-stop");
    struct certificate *certificate = certified(&p);
    struct telling telling = {.of = &p, .digits = DIGITS, .alter = jump_wrongly};
    telling.component = 1;
    for (int lane = 1; lane <= p.of.request.parameters; lane++) {
        telling.lane = lane;
        telling.steps = telling.events = 0;
        double digits = digits_told(&telling, certificate);
        cr_expect(digits < 12, "lane %d: %.1f digits", lane, digits);
    }
    certificate_free(certificate);
    proving_end(&p);
}

/* A restitution that is 1e-10 too large: the next impact is elsewhere. */
Test(enclosure, a_motion_that_jumps_wrongly_meets_the_next_event_at_a_wrong_time)
{
    struct proving p;
    proving_of_case(&p, "pendulum-stop");
    const struct other_run run = other(&p, "e", "0.8000000001");
    struct telling telling = {.of = &p, .digits = DIGITS, .value = run.value};
    told_in_vain(&telling, PRECISION, "stop", "");
    cr_expect_eq(telling.events, 2, "the wrong jump is that of event 1");
    proving_end(&p);
}

/* --- events ------------------------------------------------------------------------- */

/* The run goes through the stop, which it has elsewhere. */
Test(enclosure, a_guard_that_the_motion_misses_is_named)
{
    struct proving p;
    proving_of_case(&p, "pendulum-stop");
    const struct other_run run = other(&p, "a", "1.1");
    struct telling telling = {.of = &p, .digits = DIGITS, .value = run.value};
    told_in_vain(&telling, PRECISION, "guard stop", "sign is not decided");
    cr_expect_float_eq(p.of.diagnosis.t, 0.60, 0.02, "event 1 is at 0.602, not %g",
                       p.of.diagnosis.t);
    cr_expect_eq(telling.events, 0);
    proving_end(&p);
}

Test(enclosure, an_event_that_is_not_told_is_named)
{
    static const struct {
        const char *name;
        int silent;
        enum status status;
        const char *word, *why;
    } missed[] = {
        {"pendulum-stop", 1, PRECISION, "guard stop", "sign is not decided"},
        {"pendulum-stop", 4, PRECISION, "guard stop", "sign is not decided"},
        {"rope-catch", 1, BAD_ANSWER, "in mode caught", "in mode free"},
        {"rope-catch", 2, PRECISION, "guard wall", "sign is not decided"},
    };
    for (int k = 0; k < (int)(sizeof missed / sizeof *missed); k++) {
        struct proving p;
        proving_of_case(&p, missed[k].name);
        struct telling telling = {.of = &p, .digits = DIGITS, .silent = missed[k].silent};
        told_in_vain(&telling, missed[k].status, missed[k].word, missed[k].why);
        proving_end(&p);
    }
}

Test(enclosure, an_event_that_does_not_happen_is_named)
{
    struct proving p;
    proving_of_case(&p, "pendulum-stop");
    struct telling telling = {.of = &p, .digits = DIGITS, .early = 2};
    told_in_vain(&telling, PRECISION, "event stop",
                 "its root is not shown to lie at the approximate one");
    cr_expect_eq(telling.steps, 2);
    cr_expect_eq(telling.events, 0);
    proving_end(&p);
}

/* The stop is 1e-6 rad nearer in the run, or farther. */
Test(enclosure, an_event_at_a_wrong_time_is_named)
{
    struct proving p;
    proving_of_case(&p, "pendulum-stop");
    const struct other_run nearer = other(&p, "a", "0.199999"),
                           farther = other(&p, "a", "0.200001");
    struct telling early = {.of = &p, .digits = DIGITS, .value = nearer.value},
                   late = {.of = &p, .digits = DIGITS, .value = farther.value};
    told_in_vain(&early, PRECISION, "event stop",
                 "its root is not shown to lie at the approximate one");
    told_in_vain(&late, PRECISION, "guard stop", "sign is not decided");
    cr_expect_eq(early.events, 1);
    cr_expect_eq(late.events, 1);
    proving_end(&p);
}

/* Times that are off by 1e-6 on the right motion. */
static void lengthen(struct candidate *c, const struct telling *telling)
{
    raise_by(c->length, telling->component * 1e-6);
}

Test(enclosure, a_time_of_an_event_that_is_wrong_is_named)
{
    struct proving p;
    proving_of_case(&p, "rope-catch");
    struct telling early = {.of = &p, .digits = DIGITS, .alter = lengthen}, late = early;
    early.component = -1;
    late.component = 1;
    told_in_vain(&early, PRECISION, "event tighten",
                 "its root is not shown to lie at the approximate one");
    told_in_vain(&late, PRECISION, "guard tighten", "sign is not decided");
    proving_end(&p);
}

Test(enclosure, another_event_than_the_one_that_happens_is_named)
{
    struct proving p;
    proving_of_case(&p, "rope-catch");
    struct telling telling = {.of = &p, .digits = DIGITS, .instead = "wall"};
    told_in_vain(&telling, PRECISION, "guard tighten", "sign is not decided");
    proving_end(&p);
}

/* A ball over two plates. */
static void record_plates(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(h);
    NOMINAL(h, 1, "m", "height");
    struct mode *fall = model_mode(model, "fall");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-2);
    struct event *upper = model_event(model, "upper", fall, fall, EQ(y - h/2), FALLING);
    upper->v_plus[0] = EQ(-vy/2);
    model_event(model, "lower", fall, fall, EQ(y), FALLING);
    model->q0[0] = EQ(h);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1);
}

/* The event that is told has its own guard elsewhere. */
Test(enclosure, an_event_of_another_guard_of_the_mode_is_named)
{
    struct proving p;
    proving_of_record(&p, "plates", record_plates);
    struct telling right = {.of = &p, .digits = DIGITS},
                   wrong = {.of = &p, .digits = DIGITS, .instead = "lower"};
    struct enclosed_motion *motion;
    cr_expect_eq(tell(&right, &motion), OK, "%s", p.of.diagnosis.place);
    enclosed_motion_free(motion);
    told_in_vain(&wrong, PRECISION, "guard upper", "sign is not decided");
    proving_end(&p);
}

/* --- what is told of other times ---------------------------------------------------- */

/* The run goes on beyond the end of the model, and meets the stop once more, at 5.64. */
Test(enclosure, steps_and_events_after_the_end_are_refused)
{
    static const char *const end[] = {"5.4", "6", "7"};
    for (int k = 0; k < 3; k++) {
        struct proving p;
        struct proof proof = {.carried = DIGITS};
        char outside[200] = "";
        proving_of_case(&p, "pendulum-stop");
        struct certificate *certificate = certified(&p);
        struct telling telling = {.of = &p, .digits = DIGITS, .t_end = end[k]};
        if (tell(&telling, &proof.motion) == OK)
            cr_expect(proof_contains(&proof, certificate, outside, sizeof outside),
                      "a run to %s: %s", end[k], outside);
        enclosed_motion_free(proof.motion);
        certificate_free(certificate);
        proving_end(&p);
    }
}

/* The floor is 2^-60 below the ball, which moves down at 1. */
static void record_near_floor(struct model *model)
{
    record_falling_ball(model, true);
}

/* A first step that begins late, at t: the motion that is told has fallen through the
   floor by then. */
static void begin_late(double t)
{
    struct proving p;
    struct enclosure *enclosure;
    struct enclosed_motion *motion = NULL;
    proving_of_record(&p, "near-floor", record_near_floor);
    const struct enclosure_request request = {
        .model = p.of.model, .parameter = p.of.parameter, .digits = 20};
    cr_assert_eq(enclosure_new(&request, &enclosure, &p.of.diagnosis), OK);
    struct candidate *c = candidate_new(p.of.model, p.of.model->start, 0, 1, 4);
    arb_set_d(c->t, t);
    arb_set_d(c->length, 1);
    arb_set_d(c->state, ldexp(1, -60));
    raise_by(c->state, -t);
    raise_by(c->state, -t*t/2);
    arb_set_d(c->state + 1, -1);
    raise_by(c->state + 1, -t);
    arb_set_d(c->rate, -1);
    enum status status = enclosure_step(enclosure, c, &p.of.diagnosis);
    if (status == OK)
        status = enclosure_finish(enclosure, &motion, &p.of.diagnosis);
    cr_expect_neq(status, OK, "t = %g: a motion through the floor is enclosed", t);
    enclosed_motion_free(motion);
    enclosure_free(enclosure);
    proving_end(&p);
}

Test(enclosure, a_guard_is_not_missed_between_the_start_and_the_first_step)
{
    begin_late(ldexp(1, -10));
    begin_late(ldexp(1, -30));
    begin_late(ldexp(1, -50));
    begin_late(ldexp(1, -59));
}

/* --- a start that does not exist ---------------------------------------------------- */

/* x^2 + y^2 + l^2 = 0: nowhere. */
static void record_nowhere(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l);
    MULTIPLIERS(tension);
    (void)tension;
    NOMINAL(l, 1, "m", "length");
    model_mode(model, "swing");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->Phi[0] = EQ(x*x + y*y + l*l);
    model->q0[0] = EQ(l/2);
    model->v0[0] = EQ(0);
    model->q_guess[1] = EQ(-1);
    model->t_end = EQ(1);
}

/* Given values that are off the constraint in the tenth digit. */
static void record_beside(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l);
    MULTIPLIERS(tension);
    (void)tension;
    NOMINAL(l, 1, "m", "length");
    model_mode(model, "swing");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->Phi[0] = EQ(x*x + y*y - l*l);
    model->q0[0] = EQ(3*l/5);
    model->q0[1] = EQ(-8000000001*l/10000000000);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(0);
    model->t_end = EQ(1);
}

/* Two constraints, one of which is written in small units: both count. */
static void record_small_units(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(p);
    MULTIPLIERS(first, second);
    (void)first;
    (void)second;
    NOMINAL(p, 1, "N", "force");
    model_mode(model, "rest");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->F[0] = EQ(p);
    model->Phi[0] = EQ(y);
    model->Phi[1] = EQ(x/10000000000.0);
    for (int i = 0; i < 2; i++) {
        model->q0[i] = EQ(0);
        model->v0[i] = EQ(0);
    }
    model->t_end = EQ(1);
}

Test(enclosure, a_constraint_in_small_units_is_no_dependent_one)
{
    struct proving p;
    struct proof *proof;
    proving_of_record(&p, "small-units", record_small_units);
    proving_samples(&p);
    cr_assert_eq(prove(&p.of.request, DIGITS, &proof, &p.of.diagnosis), OK, "%s",
                 p.of.diagnosis.place);
    const struct columns *columns = &proof->motion->columns;
    cr_assert_gt(proof->motion->samples, 0);
    arb_ptr lambda = proof->motion->sample[0].x + column(columns, GROUP_LAMBDA, 1, -1);
    arb_t want;
    arb_init(want);
    arb_set_ui(want, 10000000000);
    cr_expect(arb_overlaps(lambda, want));
    arb_set_ui(want, 9999999999);
    cr_expect_not(arb_overlaps(lambda, want));
    arb_clear(want);
    proof_free(proof);
    proving_end(&p);
}

/* A first step that is made up: the motion rests at (x, y). */
static void start_in_vain(void (*record)(struct model *), double x, double y,
                          enum status want, const char *why)
{
    struct proving p;
    struct enclosure *enclosure;
    proving_of_record(&p, "no-start", record);
    const struct enclosure_request request = {
        .model = p.of.model, .parameters = p.of.request.parameters,
        .parameter = p.of.request.parameter, .digits = DIGITS};
    cr_assert_eq(enclosure_new(&request, &enclosure, &p.of.diagnosis), OK);
    const struct mode *start = p.of.model->start;
    struct candidate *c = candidate_new(p.of.model, start, start->m,
                                        1 + request.parameters, 8);
    arb_set_d(c->length, 0.1);
    arb_set_d(c->state, x);
    arb_set_d(c->state + 1, y);
    enum status status = enclosure_step(enclosure, c, &p.of.diagnosis);
    cr_expect_eq(status, want, "%s: %s", status_text(status), p.of.diagnosis.place);
    cr_expect(strstr(p.of.diagnosis.place, "start") && strstr(p.of.diagnosis.place, why),
              "%s", p.of.diagnosis.place);
    enclosure_free(enclosure);
    proving_end(&p);
}

/* Two circles of radii l and 9/10 about (0, 0) and (d, 0). */
static void record_circles(struct model *model, int d)
{
    COORDINATES(x, y);
    PARAMETERS(l);
    MULTIPLIERS(first, second);
    (void)first;
    (void)second;
    NOMINAL(l, 1, "m", "length");
    model_mode(model, "joined");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->Phi[0] = EQ(x*x + y*y - l*l);
    model->Phi[1] = d == 3 ? EQ((x - 3)*(x - 3) + y*y - 81/100.0)
                           : EQ((x - 1)*(x - 1) + y*y - 81/100.0);
    model->q_guess[0] = EQ(1);
    model->q_guess[1] = EQ(1);
    model->t_end = EQ(1);
}

static void record_apart(struct model *model)
{
    record_circles(model, 3);
}

static void record_crossing(struct model *model)
{
    record_circles(model, 1);
}

static bool excluded(void (*record)(struct model *), double reach)
{
    struct proving p;
    long boxes;
    proving_of_record(&p, "excluded", record);
    const struct enclosure_request request = {.model = p.of.model, .digits = DIGITS};
    bool none = enclosure_start_excluded(&request, reach, &boxes);
    cr_expect_gt(boxes, 0);
    proving_end(&p);
    return none;
}

Test(enclosure, a_start_that_does_not_exist_is_proved_not_to)
{
    cr_expect(excluded(record_apart, 4));
    cr_expect(excluded(record_beside, 4));
    cr_expect(excluded(record_nowhere, 4));
    cr_expect_not(excluded(record_crossing, 4));
    cr_expect(excluded(record_crossing, 0.01), "the guess (1, 1) is on neither circle");
}

Test(enclosure, a_start_that_does_not_exist_is_named)
{
    start_in_vain(record_nowhere, 0.5, -1, SINGULAR, "no configuration is shown");
    start_in_vain(record_nowhere, 0.5, 0, SINGULAR, "no configuration is shown");
    start_in_vain(record_beside, 0.6, -0.8, INCONSISTENT, "Phi, Phid or Gamma");
}
