/*
 * test_orbit_newton.c - how periodic motions are searched: convergence, families, and
 * refusals by name.
 */
#include "case.h"

#include "base/splitmix.h"
#include "faults/terms.h"
#include "orbiting.h"
#include "orbits/shooting.h"

/* --- convergence -------------------------------------------------------------------- */

/* Newton's method from u, each component moved by as much of its size as `most`, at
   random. */
static void solve_moved(struct orbiting *o, double most, uint64_t seed,
                        struct shooting *shooting, struct orbit_guess *guess)
{
    struct diagnosis *diagnosis = &o->s.diagnosis;
    o->request.run = o->s.request;
    o->request.run.without_costs = true;
    cr_assert_eq(orbit_guess_make(&o->request, guess, diagnosis), OK);
    cr_assert_eq(shooting_init(shooting, &o->request, guess, false, diagnosis), OK);
    for (int i = 0; i < shooting->unknowns; i++)
        shooting->u[i] += most * shooting->size[i] *
                          (2 * splitmix64_unit(splitmix64_next(&seed)) - 1);
    cr_assert_eq(shooting_solve(shooting, diagnosis), OK, "%s", diagnosis->place);
}

/* The largest residual after a whole step, by the square of the one before it. */
static double squares_of(const struct shooting *shooting)
{
    const double rounding = 1e-11;
    double most = 0;
    for (int k = 0; k + 1 < shooting->steps; k++) {
        double from = shooting->step[k].residual, to = shooting->step[k + 1].residual;
        if (shooting->step[k].part == 1 && from < 0.05 && to > rounding)
            most = fmax(most, to / (from * from));
    }
    return most;
}

static double converge(const char *name, const char *formulation, double t_end,
                       const struct jump_rule *rule, int *steps)
{
    struct orbiting o;
    struct orbit_guess guess = {.nodes = 0};
    struct shooting shooting = {.nodes = 0};
    orbiting_of_case(&o, name, formulation, t_end);
    o.s.request.rule = rule;
    o.s.request.parameters = 0;
    solve_moved(&o, 3e-3, 7, &shooting, &guess);
    double squares = squares_of(&shooting);
    *steps = shooting.steps;
    shooting_clear(&shooting);
    orbit_guess_clear(&guess);
    orbiting_end(&o);
    return squares;
}

Test(orbit_newton, residuals_are_squared)
{
    static const struct { const char *name, *formulation; double t_end; } set[] = {
        {"impact-oscillator", "ode", 200}, {"rimless-wheel", "ode", 30},
        {"simplest-walker", "ode", 13}, {"compass-gait", "ode", 12},
        {"five-bar-forced", "index1", 8}, {"five-bar-forced", "ode", 8}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        int steps;
        double squares = converge(set[i].name, set[i].formulation, set[i].t_end, NULL,
                                  &steps);
        cr_log_info("%s: %d steps, squares by %.2g", set[i].name, steps, squares);
        cr_expect(squares > 0 && squares < 50, "%s: %.3g", set[i].name, squares);
        cr_expect_leq(steps, 8, "%s: %d steps", set[i].name, steps);
    }
}

/* The check above fails where the matrix is wrong. */
Test(orbit_newton, residuals_are_not_squared_by_a_wrong_rule)
{
    const struct jump_rule *rule = NULL;
    for (int k = 0; term_rules[k].rule.name; k++)
        if (strcmp(term_rules[k].rule.name, "no-a-minus") == 0)
            rule = &term_rules[k].rule;
    int steps;
    double squares = converge("impact-oscillator", "ode", 200, rule, &steps);
    cr_expect_gt(squares, 1e4, "%.3g", squares);
}

/* --- families ----------------------------------------------------------------------- */

/* An oscillation without damping: one of a family, by its amplitude. */
static void record_swing(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(w, x0);
    NOMINAL(w, 1.5, "1/s", "frequency");
    NOMINAL(x0, -0.7, "m", "start");
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-w*w*x);
    model_event(model, "middle", swing, swing, EQ(x), RISING);
    model->q0[0] = EQ(x0);
    model->v0[0] = EQ(0.2);
    model->t_end = EQ(20);
}

Test(orbit_newton, amplitudes_are_a_family)
{
    struct orbiting o;
    orbiting_of_record(&o, "swing", record_swing, 0);
    const struct orbit *orbit = orbiting_find(&o);
    cr_expect_eq(orbit->families, 1);
    cr_expect_float_eq(orbit->period, 2 * M_PI / 1.5, 1e-12, "%.17g", orbit->period);
    cr_expect_float_eq(orbit->dperiod[0], -2 * M_PI / 2.25, 1e-10, "%.17g",
                       orbit->dperiod[0]);
    cr_expect_float_eq(orbit->dperiod[1], 0, 1e-12);
    cr_expect_eq(orbit->multipliers, 2);
    for (int i = 0; i < orbit->multipliers; i++)
        cr_expect(orbit->trivial[i] && cabs(orbit->multiplier[i] - 1) < 1e-6);
    /* x stays zero at the event, and the amplitude is that of the run */
    cr_expect_float_eq(orbit->event[0].dafter[0], 0, 1e-12);
    cr_expect_float_eq(orbit->event[0].after[1],
                       sqrt(0.2*0.2 + 2.25*0.7*0.7), 1e-3);
    orbiting_end(&o);
}

/* A forced oscillation against a wall, its stiffness k latched + k: nothing sets it. */
static void record_hitting(struct model *model, bool latched)
{
    COORDINATES(x);
    AUXILIARY(phase, held);
    PARAMETERS(k, held0);
    NOMINAL(k, 0.8, "N/m", "stiffness");
    NOMINAL(held0, 0.25, "1", "what is held");
    struct mode *smooth = model_mode(model, "smooth");
    model->M[0][0] = EQ(1);
    model->F[0] = latched ? EQ(cos(phase) - 0.2*vx - k*(1 + held)*x)
                          : EQ(cos(phase) - 0.2*vx - k*(1 + held0)*x);
    model->f_s[0] = EQ(1);
    struct event *impact = model_event(model, "impact", smooth, smooth, EQ(x - 1),
                                       RISING);
    impact->v_plus[0] = EQ(-0.8*vx);
    struct event *wrap = model_event(model, "phase", smooth, smooth, EQ(phase - 2*pi),
                                     RISING);
    wrap->s_plus[0] = EQ(phase - 2*pi);
    if (!latched)
        wrap->s_plus[1] = EQ(held0);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(0);
    model->s0[0] = EQ(0);
    model->s0[1] = EQ(held0);
    model->t_end = EQ(150);
}

static void record_latched(struct model *model)
{
    record_hitting(model, true);
}

static void record_set(struct model *model)
{
    record_hitting(model, false);
}

/* The latched value makes a family. Derivatives are of least length: by k the value may
   move with it, and the motion depends on k (1 + held) alone. */
Test(orbit_newton, a_latched_value_is_a_family)
{
    struct orbiting o, set;
    orbiting_of_record(&o, "latched", record_latched, 0);
    const struct orbit *orbit = orbiting_find(&o);
    cr_expect_eq(orbit->families, 1);
    double k = 0.8, held = event_of(orbit, "impact")->after[3];
    cr_expect_float_eq(held, 0.25, 1e-3, "the member next to the run, not %.17g", held);
    orbiting_of_record(&set, "set", record_set, 0);
    orbiting_set(&set, "held0", held);
    orbiting_find(&set);
    cr_expect_eq(set.orbit->families, 0);
    const struct orbit_event *impact = event_of(orbit, "impact");
    const struct orbit_event *plain = event_of(set.orbit, "impact");
    double by_k = 1 + held + k * impact->dafter[3]; /* of k (1 + held) */
    for (int i = 0; i < 3; i++) {
        double own = plain->dafter[i] / (1 + held); /* by k (1 + held0) */
        cr_expect_float_eq(impact->after[i], plain->after[i], 1e-9);
        cr_expect_float_eq(impact->dafter[i], own * by_k, 1e-8);
    }
    cr_expect_neq(impact->dafter[3], 0);
    cr_expect_lt(cabs(product_of(orbit) - 0.64 * exp(-0.4 * M_PI)), 1e-9);
    orbiting_end(&o);
    orbiting_end(&set);
}

/* --- refusals ----------------------------------------------------------------------- */

Test(orbit_newton, time_must_not_be_in_formulas)
{
    struct orbiting o;
    orbiting_of_case(&o, "bouncing-ball", "ode", 0);
    orbiting_refuse(&o, NOT_APPLICABLE, "event impact of bouncing-ball depends on time");
    orbiting_end(&o);
    orbiting_of_case(&o, "five-bar-events", "index1", 0);
    orbiting_refuse(&o, NOT_APPLICABLE, "depends on time");
    orbiting_end(&o);
}

Test(orbit_newton, a_signature_that_never_occurs)
{
    static const int twice[] = {0, 0};
    struct orbiting o;
    orbiting_of_case(&o, "impact-oscillator", "ode", 200);
    o.request.event = twice;
    o.request.events = 2;
    orbiting_refuse(&o, NO_ORBIT, "the signature never comes round");
    orbiting_end(&o);
}

Test(orbit_newton, a_run_that_is_too_short)
{
    struct orbiting o;
    orbiting_of_case(&o, "impact-oscillator", "ode", 2);
    orbiting_refuse(&o, NO_ORBIT, "none comes back");
    orbiting_end(&o);
}

/* A flight that falls through one height after the other: nothing of it comes back. */
static void record_fall(struct model *model)
{
    COORDINATES(y);
    AUXILIARY(level);
    PARAMETERS(g);
    NOMINAL(g, 10, "m/s^2", "gravity");
    struct mode *fall = model_mode(model, "fall");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    struct event *pass = model_event(model, "pass", fall, fall, EQ(y - level), FALLING);
    pass->s_plus[0] = EQ(level - 3);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(0);
    model->s0[0] = EQ(-1);
    model->t_end = EQ(1.5);
}

Test(orbit_newton, a_run_that_does_not_come_back)
{
    struct orbiting o;
    orbiting_of_record(&o, "fall", record_fall, 0);
    orbiting_refuse(&o, NO_ORBIT, "does not come back: after pass it is off by");
    orbiting_end(&o);
}

/* An oscillation whose amplitude grows by a few per cent a turn to 2 (van der Pol), and a
   stop just inside of that. */
static void record_growing(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(mu, stop);
    NOMINAL(mu, 0.1, "1/s", "rate of growth");
    NOMINAL(stop, 1.95, "m", "where the motion ends");
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(mu*(1 - x*x)*vx - x);
    model_event(model, "turning", swing, swing, EQ(vx), RISING);
    struct event *end = model_event(model, "stop", swing, swing, EQ(x - stop), RISING);
    end->terminal = true;
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(-0.1);
    model->t_end = EQ(60);
}

Test(orbit_newton, a_terminal_event_on_the_way)
{
    struct orbiting o;
    orbiting_of_record(&o, "growing", record_growing, 0);
    orbiting_refuse(&o, NO_ORBIT, "event stop ends the motion before a period is over");
    orbiting_set(&o, "stop", 3);        /* out of the way */
    const struct orbit *orbit = orbiting_find(&o);
    cr_expect_float_eq(orbit->event[0].after[0], -2.0, 0.01);
    cr_expect_eq(orbit->families, 0);
    orbiting_end(&o);
}

/* An oscillation that is pushed outwards by 2 per cent a turn: turns nearly come back,
   and none does. */
static void record_outwards(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(grow);
    NOMINAL(grow, 0.02, "m", "further out a turn");
    AUXILIARY(far);
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-x);
    struct event *turn = model_event(model, "turning", swing, swing, EQ(vx), FALLING);
    turn->q_plus[0] = EQ(x + grow);
    turn->s_plus[0] = EQ(far + grow);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0.1);
    model->s0[0] = EQ(1);
    model->t_end = EQ(40);
}

Test(orbit_newton, nothing_to_converge_to)
{
    struct orbiting o;
    orbiting_of_record(&o, "outwards", record_outwards, 0);
    orbiting_refuse(&o, NO_ORBIT, "Newton's method goes astray");
    orbiting_end(&o);
}

/* --- nodes beyond guards ------------------------------------------------------------ */

/* The oscillator of van der Pol, by two events that count in one direction: nearly every
   state is beyond one of them. */
static void van_der_pol(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(mu);
    NOMINAL(mu, 1, "1", "damping");
    struct mode *mode = model_mode(model, "on");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(mu*(1 - x*x)*vx - x);
    model_event(model, "zero", mode, mode, EQ(x), RISING);
    model_event(model, "turn", mode, mode, EQ(vx), RISING);
    model->q0[0] = EQ(-2);
    model->v0[0] = EQ(-0.1*mu);
    model->t_end = EQ(40);
}

/* The run has come to the orbit long before its end. */
Test(orbit_newton, a_node_may_be_beyond_guards_that_the_motion_has_crossed)
{
    struct orbiting o;
    orbiting_of_record(&o, "van-der-pol", van_der_pol, 0);
    const struct orbit *orbit = orbiting_find(&o);
    struct trajectory *run = solve(&o.s);
    int last = run->events - 1;
    double period = run->event[last].before.t - run->event[last - 2].before.t;
    cr_expect_float_eq(orbit->period, period, 1e-11, "%.16g, %.16g", orbit->period,
                       period);
    trajectory_free(run);
    orbiting_end(&o);
}
