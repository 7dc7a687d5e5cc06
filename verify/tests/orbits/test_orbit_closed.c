/*
 * test_orbit_closed.c - periodic motions that have closed forms: states, periods, their
 * derivatives, multipliers.
 *
 * A closed form here is written once, in complex numbers, and differentiated by a complex
 * step.
 */
#include <complex.h>
#include <gsl/gsl_integration.h>

#include "case.h"

#include "base/splitmix.h"
#include "orbiting.h"
#include "orbits/closed_impact_orbit.h"
#include "sampling.h"

enum { MOST_WIDTH = 8 };

typedef double complex number;

/* The state [width] after an event and the period, at parameters rho [p]. `found` is the
   orbit: where there are two, the one next to it is meant. */
typedef void closed_orbit(const struct orbiting *found, const number *rho, number *state,
                          number *period);

static number at(const struct orbiting *o, const number *rho, const char *name)
{
    return rho[parameter_of(o, name)];
}

/* Compares the orbit with its closed form: values to `value`, derivatives by all
   parameters but `except` to `derivative`, by their sizes, at least 1. */
static void expect_closed(const struct orbiting *o, const char *event,
                          closed_orbit *closed, const char *except, double value,
                          double derivative)
{
    const double h = 1e-30;
    const struct orbit *orbit = o->orbit;
    const struct orbit_event *got = event_of(orbit, event);
    const char *name = o->s.model->desc->name;
    number rho[TEST_PARAMETERS], x[MOST_WIDTH], T;
    for (int j = 0; j < o->s.model->p; j++)
        rho[j] = o->s.value[j];
    for (int j = 0; j < orbit->parameters; j++) {
        int index = o->s.parameter[j];
        const char *by = o->s.model->parameter[index].name;
        if (strcmp(by, except) == 0)
            continue;
        rho[index] += h * I;
        closed(o, rho, x, &T);
        rho[index] = o->s.value[index];
        cr_expect_lt(relative(orbit->period, creal(T), 1), value, "%s: period %.17g, "
                     "not %.17g", name, orbit->period, creal(T));
        cr_expect_lt(relative(orbit->dperiod[j], cimag(T) / h, 1), derivative,
                     "%s: period by %s %.17g, not %.17g", name, by, orbit->dperiod[j],
                     cimag(T) / h);
        for (int i = 0; i < orbit->width; i++) {
            double dx = got->dafter[j * orbit->width + i];
            cr_expect_lt(relative(got->after[i], creal(x[i]), 1), value,
                         "%s: component %d %.17g, not %.17g", name, i, got->after[i],
                         creal(x[i]));
            cr_expect_lt(relative(dx, cimag(x[i]) / h, 1), derivative,
                         "%s: component %d by %s %.17g, not %.17g", name, i, by, dx,
                         cimag(x[i]) / h);
        }
    }
}

/* --- impact oscillator -------------------------------------------------------------- */

static void impact_orbit(const struct orbiting *o, const number *rho, number *state,
                         number *period)
{
    double speed = -event_of(o->orbit, "impact")->after[1] /
                   o->s.value[parameter_of(o, "e")];
    closed_impact_orbit(o->s.model, rho, speed, state, period);
}

static void expect_impact_orbit(const struct orbiting *o, double value, double derivative)
{
    const double *rho = o->s.value;
    double e = rho[parameter_of(o, "e")], c = rho[parameter_of(o, "c")];
    double wanted = e*e * exp(-c * o->orbit->period / rho[parameter_of(o, "m")]);
    expect_closed(o, "impact", impact_orbit, "", value, derivative);
    cr_expect_lt(cabs(product_of(o->orbit) - wanted) / wanted, derivative);
}

Test(orbit_closed, impact_oscillator_is_a_superposition)
{
    static const struct { const char *name; double value; } set[] = {
        {"e", 0.8}, {"A", 1.3}, {"w", 1.1}, {"c", 0.2}, {"q_c", 0.8}, {"k", 1.2},
        {"e", 0.6}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        struct orbiting o;
        orbiting_of_case(&o, "impact-oscillator", "ode", 200);
        orbiting_set(&o, set[i].name, set[i].value);
        orbiting_find(&o);
        expect_impact_orbit(&o, 1e-12, 1e-10);
        orbiting_end(&o);
    }
}

static void draw_parameters(struct orbiting *o, uint64_t *stream)
{
    static const struct { const char *name; double least, most; } range[] = {
        {"k", 0.8, 1.2}, {"c", 0.1, 0.3}, {"A", 0.8, 1.6}, {"w", 0.8, 1.3},
        {"q_c", 0.5, 1.1}, {"e", 0.4, 0.9}};
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        orbiting_set(o, range[i].name, range[i].least + (range[i].most - range[i].least) *
                                           splitmix64_unit(splitmix64_next(stream)));
}

Test(orbit_closed, impact_oscillators_drawn_at_random)
{
    const uint64_t seed = 20241;
    uint64_t stream = seed;
    int found = 0;
    for (int draw = 0; draw < 30; draw++) {
        struct orbiting o;
        orbiting_of_case(&o, "impact-oscillator", "ode", 300);
        draw_parameters(&o, &stream);
        /* others have more impacts in a period, or more periods of the drive */
        if (orbiting_try(&o) == OK && o.orbit->events == 3 && o.orbit->families == 0) {
            expect_impact_orbit(&o, 1e-11, 1e-8);
            found++;
        }
        orbiting_end(&o);
    }
    cr_log_info("seed %llu: %d of 30", (unsigned long long)seed, found);
    cr_expect_geq(found, 15, "seed %llu: %d", (unsigned long long)seed, found);
}

/* Lengths scaled together leave times as they are (impact_oscillator.c): at all events
   A X_A + q_c X_qc = X, and 0 for the phase. The period is that of the drive. */
Test(orbit_closed, impact_oscillator_scales)
{
    struct orbiting o;
    orbiting_of_case(&o, "impact-oscillator", "ode", 200);
    const struct orbit *orbit = orbiting_find(&o);
    int A = parameter_of(&o, "A"), q_c = parameter_of(&o, "q_c");
    for (int e = 0; e < orbit->events; e++) {
        const struct orbit_event *event = &orbit->event[e];
        for (int i = 0; i < 3; i++) {
            double got = o.s.value[A] * event->dafter[A * 3 + i] +
                         o.s.value[q_c] * event->dafter[q_c * 3 + i];
            cr_expect_float_eq(got, i < 2 ? event->after[i] : 0, 1e-12, "%s, %d: %.17g",
                               event->event->name, i, got);
        }
    }
    for (int j = 0; j < orbit->parameters; j++) {
        bool is_w = o.s.parameter[j] == parameter_of(&o, "w");
        cr_expect_float_eq(orbit->dperiod[j], is_w ? -2 * M_PI : 0, 1e-12);
    }
    cr_expect_eq(orbit->families, 0);
    orbiting_end(&o);
}

/* --- pwlin -------------------------------------------------------------------------- */

/* The radius where a turn by pi on the right ends, and its time: R' = al R (be - R), and
   angle' = ga + be - R, so that the angle is ga s + ln(R/R1)/al. */
static number right_half(number al, number be, number ga, number R1, number *time)
{
    number s = M_PI / ga, R = R1;
    for (int k = 0; k < 40; k++) {
        number E = cexp(al * be * s);
        R = be * R1 * E / (be + R1 * (E - 1));
        s -= (ga * s + clog(R / R1) / al - M_PI) / (ga + be - R);
    }
    *time = s;
    return R;
}

static number left_half(number R)
{
    return R * exp(M_PI) / (1 + R * (exp(M_PI) - 1));
}

static void pwlin_orbit(const struct orbiting *o, const number *rho, number *state,
                        number *period)
{
    number R = 2, time = 0;
    for (int k = 0; k < 40; k++)        /* the multiplier is 0.002 */
        R = right_half(at(o, rho, "al"), at(o, rho, "be"), at(o, rho, "ga"),
                       left_half(R), &time);
    state[0] = 0;
    state[1] = R;
    *period = M_PI + time;
}

Test(orbit_closed, pwlin_is_logistic_in_polar_coordinates)
{
    static const double set[][3] = {{1, 2, 1.5}, {1.2, 1.7, 1.5}, {0.8, 2.4, 2}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        struct orbiting o;
        orbiting_of_case(&o, "pwlin", "ode", 40);
        orbiting_set(&o, "al", set[i][0]);
        orbiting_set(&o, "be", set[i][1]);
        orbiting_set(&o, "ga", set[i][2]);
        const struct orbit *orbit = orbiting_find(&o);
        expect_closed(&o, "to-left", pwlin_orbit, "x_s", 1e-12, 1e-10);
        number time, R = event_of(orbit, "to-left")->after[1] + 1e-30 * I;
        double slope = cimag(right_half(set[i][0], set[i][1], set[i][2], left_half(R),
                                        &time)) / 1e-30;
        cr_expect_eq(orbit->multipliers, 2);
        cr_expect_lt(cabs(multiplier_of(orbit, 0) - slope), 1e-12, "%.17g, not %.17g",
                     creal(multiplier_of(orbit, 0)), slope);
        orbiting_end(&o);
    }
}

/* --- rimless wheel ------------------------------------------------------------------ */

/* th' by energy, the period by Gauss's rule over th. */
static void wheel_orbit(const struct orbiting *o, const number *rho, number *state,
                        number *period)
{
    number alpha = at(o, rho, "alpha"), gamma = at(o, rho, "gamma");
    number G = at(o, rho, "g") / at(o, rho, "l"), c = ccos(2 * alpha);
    number before = csqrt(4 * G * csin(alpha) * csin(gamma) / (1 - c*c));
    gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(64);
    state[0] = gamma - alpha;
    state[1] = c * before;
    *period = 0;
    for (size_t k = 0; k < rule->n; k++) {
        double x, weight;
        gsl_integration_glfixed_point(-1, 1, k, &x, &weight, rule);
        number square = state[1] * state[1] +
                        2 * G * (ccos(gamma - alpha) - ccos(gamma + x * alpha));
        *period += weight * alpha / csqrt(square);
    }
    gsl_integration_glfixed_table_free(rule);
}

Test(orbit_closed, rimless_wheel)
{
    static const double set[][2] = {{M_PI / 8, 0.08}, {0.3, 0.1}, {0.5, 0.2},
                                    {0.25, 0.04}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        struct orbiting o;
        orbiting_of_case(&o, "rimless-wheel", "ode", 30);
        orbiting_set(&o, "alpha", set[i][0]);
        orbiting_set(&o, "gamma", set[i][1]);
        const struct orbit *orbit = orbiting_find(&o);
        expect_closed(&o, "strike", wheel_orbit, "", 1e-12, 1e-9);
        double c = cos(2 * set[i][0]);
        cr_expect_eq(orbit->multipliers, 2);
        cr_expect_lt(cabs(multiplier_of(orbit, 0) - c*c), 1e-11);
        orbiting_end(&o);
    }
}

/* --- drawn at random ---------------------------------------------------------------- */

enum { FEW = 30, MANY = 1000 };

/* A ball that is struck from below at each bounce. */
static void record_struck_ball(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, e, k);
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(e, 0.5, "1", "coefficient of restitution");
    NOMINAL(k, 2, "m/s", "velocity that a blow adds");
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    struct event *bounce = model_event(model, "bounce", flight, flight, EQ(y), FALLING);
    bounce->v_plus[0] = EQ(k - e*vy);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(60);
}

static void struck_ball_orbit(const struct orbiting *o, const number *rho, number *state,
                              number *period)
{
    state[0] = 0;
    state[1] = at(o, rho, "k") / (1 - at(o, rho, "e"));
    *period = 2 * state[1] / at(o, rho, "g");
}

/* A thermostat, and a damped oscillator that does not feel it. */
static void record_thermostat(struct model *model)
{
    COORDINATES(x);
    AUXILIARY(s);
    PARAMETERS(A, b, c, d, high, low);
    NOMINAL(A, 3, "1", "where heating leads to");
    NOMINAL(b, 1, "1/s", "rate of heating");
    NOMINAL(c, 1, "1/s", "rate of cooling");
    NOMINAL(d, 0.3, "1/s", "damping");
    NOMINAL(high, 2, "1", "heating ends");
    NOMINAL(low, 1, "1", "heating begins");
    struct mode *heating = model_mode(model, "heating");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-x - 2*d*vx);
    model->f_s[0] = EQ(b*(A - s));
    struct mode *cooling = model_mode(model, "cooling");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-x - 2*d*vx);
    model->f_s[0] = EQ(-c*s);
    model_event(model, "off", heating, cooling, EQ(s - high), RISING);
    model_event(model, "on", cooling, heating, EQ(s - low), FALLING);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->s0[0] = EQ(0);
    model->t_end = EQ(90);
}

static void thermostat_orbit(const struct orbiting *o, const number *rho, number *state,
                             number *period)
{
    number A = at(o, rho, "A"), high = at(o, rho, "high"), low = at(o, rho, "low");
    state[0] = state[1] = 0;
    state[2] = high;
    *period = clog((A - low) / (A - high)) / at(o, rho, "b") +
              clog(high / low) / at(o, rho, "c");
}

static const struct { const char *name; double least, most; } thermostat_range[] = {
    {"A", 2.5, 4}, {"b", 0.4, 2}, {"c", 0.4, 2}, {"d", 0.3, 0.6}, {"high", 1.5, 2.2},
    {"low", 0.5, 1.3}}, ball_range[] = {{"g", 5, 20}, {"e", 0.2, 0.8}, {"k", 1, 5}};

Test(orbit_closed, struck_balls_and_thermostats_drawn_at_random, .timeout = 3000)
{
    const uint64_t seed = 48;
    uint64_t stream = seed;
    for (int draw = 0; draw < (in_test_all() ? MANY : FEW); draw++) {
        struct orbiting o;
        bool ball = draw % 2 == 0;
        orbiting_of_record(&o, ball ? "struck-ball" : "thermostat",
                           ball ? record_struck_ball : record_thermostat, 0);
        for (size_t i = 0; i < (ball ? 3 : 6); i++) {
            double least = ball ? ball_range[i].least : thermostat_range[i].least,
                   most = ball ? ball_range[i].most : thermostat_range[i].most;
            orbiting_set(&o, ball ? ball_range[i].name : thermostat_range[i].name, least +
                         (most - least) * splitmix64_unit(splitmix64_next(&stream)));
        }
        const struct orbit *orbit = orbiting_find(&o);
        expect_closed(&o, ball ? "bounce" : "off",
                      ball ? struck_ball_orbit : thermostat_orbit, "", 1e-11, 1e-9);
        double d = ball ? 0 : o.s.value[parameter_of(&o, "d")];
        double wanted = ball ? o.s.value[parameter_of(&o, "e")]
                             : exp(-2 * d * orbit->period);
        cr_expect_lt(cabs(product_of(orbit) / wanted - 1), 1e-9, "draw %d: %.17g, not "
                     "%.17g", draw, creal(product_of(orbit)), wanted);
        orbiting_end(&o);
    }
}
