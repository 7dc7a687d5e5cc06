/*
 * test_orbit_period.c - the period of an orbit is its least one, whatever multiple of it
 * the run comes back after or a signature names.
 */
#include "case.h"

#include "base/splitmix.h"
#include "orbiting.h"
#include "orbits/branch.h"
#include "orbits/least_period.h"

/* A ball on a table that oscillates, the phase as a state. The orbit of one impact has

       cos(ph) = A_fold / A,   A_fold = pi g (1 - e) / ((1 + e) w^2),   T = 2 pi / w,

   multipliers of the product e^2 and the sum 1 + e^2 - (1 + e)^2 A w^2 sin(ph) / g, by
   differentiating the flight A sin(ph) + V T - g T^2/2 = A sin(ph') and the impact. */
static void record_table(struct model *model)
{
    COORDINATES(y);
    AUXILIARY(ph);
    PARAMETERS(A, w, g, e, y0, v0, ph0);
    NOMINAL(A, 0.002, "m", "amplitude");
    NOMINAL(w, 60, "rad/s", "frequency");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(y0, 0, "m", "start");
    NOMINAL(v0, 0, "m/s", "start");
    NOMINAL(ph0, 0, "rad", "start");
    struct mode *fly = model_mode(model, "fly");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model->f_s[0] = EQ(w);
    struct event *hit = model_event(model, "hit", fly, fly, EQ(y - A*sin(ph)), FALLING);
    hit->v_plus[0] = EQ(-e*vy + (1 + e)*A*w*cos(ph));
    struct event *turn = model_event(model, "turn", fly, fly, EQ(ph - 2*pi), RISING);
    turn->s_plus[0] = EQ(ph - 2*pi);
    model->q0[0] = EQ(y0);
    model->v0[0] = EQ(v0);
    model->s0[0] = EQ(ph0);
    model->t_end = EQ(60/w);
}

struct table { double A, w, g, e, fold, sum; };

/* A table of random numbers, in which the orbit is stable. */
static struct table draw_table(uint64_t *stream)
{
    struct table t;
    t.w = 20 + 60 * splitmix64_unit(splitmix64_next(stream));
    t.g = 5 + 10 * splitmix64_unit(splitmix64_next(stream));
    t.e = 0.5 + 0.4 * splitmix64_unit(splitmix64_next(stream));
    t.fold = M_PI * t.g * (1 - t.e) / ((1 + t.e) * t.w * t.w);
    double flip = 2 * (1 + t.e * t.e) * t.g / pow((1 + t.e) * t.w, 2);
    double part = 0.2 + 0.6 * splitmix64_unit(splitmix64_next(stream));
    t.A = hypot(t.fold, part * flip);
    t.sum = (1 + t.e * t.e) * (1 - 2 * part);
    return t;
}

/* The start a part of a period after the impact, and off it by as much of the velocity:
   a run from there comes back after as many periods as its turn around the orbit says. */
static void begin_near(struct orbiting *o, const struct table *t, double off)
{
    double V = M_PI * t->g / t->w * (1 + off), ph = acos(t->fold / t->A);
    double after = 1 / t->w;
    orbiting_set(o, "A", t->A);
    orbiting_set(o, "w", t->w);
    orbiting_set(o, "g", t->g);
    orbiting_set(o, "e", t->e);
    orbiting_set(o, "y0", t->A * sin(ph) + V * after - t->g * after * after / 2);
    orbiting_set(o, "v0", V - t->g * after);
    orbiting_set(o, "ph0", ph + 1);
}

static void expect_least(const struct orbiting *o, const struct table *t, uint64_t seed,
                         int rounds)
{
    const struct orbit *orbit = o->orbit;
    double T = 2 * M_PI / t->w;
    double complex sum = multiplier_of(orbit, 0) + multiplier_of(orbit, 1);
    cr_expect_eq(orbit->events, 2, "seed %llu: %d events", (unsigned long long)seed,
                 orbit->events);
    cr_expect_leq(relative(orbit->period, T, 0), 1e-10, "seed %llu: %.15g, not %.15g",
                  (unsigned long long)seed, orbit->period, T);
    cr_expect_leq(cabs(sum - t->sum), 1e-7, "seed %llu: %.12g, not %.12g",
                  (unsigned long long)seed, creal(sum), t->sum);
    cr_expect_leq(cabs(product_of(orbit) - t->e * t->e), 1e-8);
    if (rounds > 0)
        cr_expect_eq(orbit->rounds, rounds, "seed %llu: %d rounds, not %d",
                     (unsigned long long)seed, orbit->rounds, rounds);
}

Test(orbit_period, of_a_multiple_in_the_signature_is_the_least)
{
    const uint64_t first = 7100;
    for (uint64_t seed = first; seed < first + 24; seed++) {
        uint64_t stream = splitmix64(seed);
        struct table t = draw_table(&stream);
        int rounds = 1 + (int)(seed % 6), event[12];
        struct orbiting o;
        orbiting_of_record(&o, "table", record_table, 0);
        o.s.request.parameters = 0;
        begin_near(&o, &t, 0.01);
        for (int k = 0; k < 2 * rounds; k++)
            event[k] = k % 2;
        o.request.events = 2 * rounds;
        o.request.event = event;
        orbiting_find(&o);
        expect_least(&o, &t, seed, rounds);
        orbiting_end(&o);
    }
    cr_log_info("seeds from %llu", (unsigned long long)first);
}

/* Multipliers that turn by a part of the circle lead back after several periods first. */
Test(orbit_period, of_a_run_that_turns_around_the_orbit_is_the_least)
{
    const uint64_t first = 7200;
    int found = 0, multiples = 0;
    for (uint64_t seed = first; seed < first + 24; seed++) {
        uint64_t stream = splitmix64(seed);
        struct table t = draw_table(&stream);
        struct orbiting o;
        orbiting_of_record(&o, "table", record_table, 0);
        o.s.request.parameters = 0;
        begin_near(&o, &t, 0.1);
        if (orbiting_try(&o) == OK) {
            expect_least(&o, &t, seed, 0);
            multiples += o.orbit->rounds > 1;
            found++;
        }
        orbiting_end(&o);
    }
    cr_log_info("seeds from %llu: %d of 24, %d multiples", (unsigned long long)first,
                found, multiples);
    cr_expect_geq(found, 18, "%d", found);
    cr_expect_gt(multiples, 0);
}

/* An orbit that is given as so many rounds is found again, and no other is cut: the law
   for all orbits of the other tests' models. */
static void expect_rounds(const char *name, const char *formulation, double t_end,
                          int rounds)
{
    struct orbiting o;
    struct orbit_guess guess = {.nodes = 0};
    struct shooting once = {.nodes = 0}, more = {.nodes = 0};
    struct diagnosis *diagnosis = &o.s.diagnosis;
    int found = 0;
    orbiting_of_case(&o, name, formulation, t_end);
    o.request.run = o.s.request;
    o.request.run.parameters = 0;
    o.request.run.without_costs = true;
    cr_assert_eq(orbit_guess_make(&o.request, &guess, diagnosis), OK);
    cr_assert_eq(shooting_init(&once, &o.request, &guess, false, diagnosis), OK);
    cr_assert_eq(shooting_solve(&once, diagnosis), OK, "%s: %s", name, diagnosis->place);
    cr_assert_eq(least_period_rounds(&once, &found, diagnosis), OK);
    cr_expect_eq(found, 1, "%s: %d", name, found);
    struct orbit_guess *again = shooting_guess(&once, &guess, rounds);
    cr_assert_eq(shooting_init(&more, &o.request, again, false, diagnosis), OK);
    cr_assert_eq(shooting_solve(&more, diagnosis), OK, "%s: %s", name, diagnosis->place);
    cr_assert_eq(least_period_rounds(&more, &found, diagnosis), OK);
    cr_expect_eq(found, rounds, "%s: %d, not %d", name, found, rounds);
    orbit_guess_free(again);
    shooting_clear(&once);
    shooting_clear(&more);
    orbit_guess_clear(&guess);
    orbiting_end(&o);
}

Test(orbit_period, is_found_from_any_number_of_rounds)
{
    expect_rounds("impact-oscillator", "ode", 200, 3);
    expect_rounds("rimless-wheel", "ode", 30, 4);
    expect_rounds("compass-gait", "ode", 12, 2);
    expect_rounds("five-bar-forced", "index1", 8, 2);
}

/* A relay that drives nothing: x comes to rest, so that its last rounding repeats itself
   after any number of periods. */
static void record_relay(struct model *model)
{
    COORDINATES(x);
    AUXILIARY(s);
    PARAMETERS(a, b, r);
    NOMINAL(a, 1, "1", "lower switch");
    NOMINAL(b, 2, "1", "upper switch");
    NOMINAL(r, 3, "1", "drive");
    struct mode *on = model_mode(model, "on"), *off = model_mode(model, "off");
    on->M[0][0] = EQ(1);
    on->F[0] = EQ(-x - vx);
    on->f_s[0] = EQ(r - s);
    off->f_s[0] = EQ(-s);
    off->M[0][0] = EQ(1);
    off->F[0] = EQ(-x - vx);
    model_event(model, "top", on, off, EQ(s - b), RISING);
    model_event(model, "low", off, on, EQ(s - a), FALLING);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->s0[0] = EQ(1.5);
    model->t_end = EQ(60);
}

Test(orbit_period, is_not_that_of_what_is_at_rest)
{
    for (double end = 10; end <= 60; end += 5) {
        struct orbiting o;
        orbiting_of_record(&o, "relay", record_relay, end);
        const struct orbit *orbit = orbiting_find(&o);
        cr_expect_float_eq(orbit->period, log(4), 1e-12, "to %g: %.15g", end,
                           orbit->period);
        /* T = log((r - a)/(r - b)) + log(b/a) */
        cr_expect_float_eq(orbit->dperiod[0], -1.0 / 2 - 1, 1e-12);
        cr_expect_float_eq(orbit->dperiod[1], 1.0 + 1.0 / 2, 1e-12);
        cr_expect_float_eq(orbit->dperiod[2], 1.0 / 2 - 1, 1e-12);
        orbiting_end(&o);
    }
}

/* --- branches ----------------------------------------------------------------------- */

static struct branch *followed(struct orbiting *o, const char *parameter, double to,
                               int doublings)
{
    static int index;
    struct branch *branch = NULL;
    index = parameter_of(o, parameter);
    struct branch_request request = {.orbit = o->request, .to = to,
                                     .doublings = doublings};
    request.orbit.run = o->s.request;
    request.orbit.run.samples = 0;
    request.orbit.run.parameters = 1;
    request.orbit.run.parameter = &index;
    enum status status = branch_follow(&request, &branch, &o->s.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), o->s.diagnosis.place);
    return branch;
}

/* The doubling is at (1 + e)^2 A w^2 sin(ph) / g = 2 (1 + e^2); on twice the orbit it
   would be a crossing. */
Test(orbit_period, doubles_on_the_branch_of_a_multiple)
{
    static const int event[] = {0, 1, 0, 1};
    struct table t = {.w = 60, .g = 9.81, .e = 0.8, .A = 0.0025};
    t.fold = M_PI * t.g * (1 - t.e) / ((1 + t.e) * t.w * t.w);
    double A = hypot(t.fold, 2 * (1 + t.e * t.e) * t.g / pow((1 + t.e) * t.w, 2));
    struct orbiting o;
    orbiting_of_record(&o, "table", record_table, 0);
    begin_near(&o, &t, 0.01);
    o.request.events = 4;
    o.request.event = event;
    struct branch *branch = followed(&o, "A", 0.0035, 0);
    int doublings = 0;
    cr_expect_eq(branch->rounds, 2);
    for (int k = 0; k < branch->points; k++) {
        const struct branch_point *point = &branch->point[k];
        doublings += point->kind == BRANCH_DOUBLING;
        cr_expect(point->kind == BRANCH_REGULAR || point->kind == BRANCH_DOUBLING);
        if (point->kind == BRANCH_DOUBLING)
            cr_expect_float_eq(point->rho, A, 1e-11, "%.15g, not %.15g", point->rho, A);
    }
    cr_expect_eq(doublings, 1);
    branch_free(branch);
    orbiting_end(&o);
}

/* x -> -(1 + a) x + x^3 each second, a = 4 rho (1 - rho): twice the period is an orbit
   x = +- sqrt(a) from rho = 0 to 1, where it comes back to x = 0. */
static void record_bubble(struct model *model)
{
    AUXILIARY(x, clock);
    PARAMETERS(rho);
    NOMINAL(rho, -0.1, "1", "from doubling to doubling");
    struct mode *rest = model_mode(model, "rest");
    model->f_s[0] = EQ(1 - x);
    model->f_s[1] = EQ(1);
    struct event *tick = model_event(model, "tick", rest, rest, EQ(clock - 1), RISING);
    tick->s_plus[0] = EQ(1 - (1 + 4*rho*(1 - rho))*exp(1)*(x - 1) +
                         pow(exp(1)*(x - 1), 3));
    tick->s_plus[1] = EQ(clock - 1);
    model->s0[0] = EQ(1.01);
    model->s0[1] = EQ(0*rho);
    model->t_end = EQ(30);
}

Test(orbit_period, of_a_doubled_orbit_ends_where_it_is_the_single_one_again)
{
    struct orbiting o;
    orbiting_of_record(&o, "bubble", record_bubble, 0);
    struct branch *branch = followed(&o, "rho", 1.1, 1);
    cr_assert_not_null(branch->next);
    const struct branch *doubled = branch->next;
    const struct branch_point *last = &doubled->point[doubled->points - 1];
    cr_expect_eq(doubled->end, BRANCH_AT_HALVING, "%d", (int)doubled->end);
    cr_expect_eq(last->kind, BRANCH_HALVING);
    cr_expect_float_eq(last->rho, 1, 1e-9, "%.15g", last->rho);
    for (int k = 0; k < doubled->points; k++)
        cr_expect_neq(doubled->point[k].kind, BRANCH_FOLD);
    branch_free(branch);
    orbiting_end(&o);
}
