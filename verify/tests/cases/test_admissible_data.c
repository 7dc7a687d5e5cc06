/*
 * test_admissible_data.c - models, starts and resets that have no answer, or an answer
 * for these parameters but no derivative: each is named, none becomes a number.
 */
#include "solving.h"

#include <string.h>

#include "case.h"

static struct solving s;

static struct model *made(void (*record)(struct model *), struct diagnosis *diagnosis)
{
    static struct case_desc desc = {.name = "made"};
    desc.record = record;
    return model_new(&desc, diagnosis);
}

static void begin(void (*record)(struct model *), const char *formulation)
{
    solving_of_record(&s, "made", record, formulation);
}

static void expect_refusal(void (*record)(struct model *), enum status expected)
{
    begin(record, "index1");
    refuse(&s, expected);
    solving_end(&s);
}

/* A pendulum in natural coordinates, without its start. */
#define PENDULUM                                  \
    COORDINATES(x, y);                            \
    PARAMETERS(l, g);                             \
    NOMINAL(l, 1, "m", "length");                 \
    NOMINAL(g, 9.81, "m/s^2", "gravity");         \
    struct mode *swing = model_mode(model, "swing"); \
    (void)swing;                                  \
    model->M[0][0] = EQ(1.7);                     \
    model->M[1][1] = EQ(1.7);                     \
    model->F[1] = EQ(-1.7*g);                     \
    model->Phi[0] = EQ(x*x + y*y - l*l);          \
    model->t_end = EQ(1)

/* --- starts ------------------------------------------------------------------------- */

/* On the circle for l = 1 only: the pendulum that is 1 % longer has no such start. */
static void record_fixed_place(struct model *model)
{
    PENDULUM;
    model->q0[0] = EQ(0.6);
    model->q0[1] = EQ(-0.8);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(0);
}

Test(start, what_is_given_must_satisfy_the_constraints_for_all_parameters)
{
    begin(record_fixed_place, "index1");
    refuse(&s, INCONSISTENT);
    cr_expect_not_null(strstr(s.diagnosis.place, "when l changes"));
    /* The derivative by gravity exists. */
    s.request.parameters = 1;
    s.parameter[0] = model_parameter_index(s.model, "g");
    trajectory_free(solve(&s));
    solving_end(&s);
}

/* y = 0 is a double root: y follows from the constraint, but to half the digits, and its
   derivative to none. */
static void record_folded(struct model *model)
{
    PENDULUM;
    model->q0[0] = EQ(l);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
}

Test(start, dependent_coordinates_that_are_not_determined_are_rank_loss)
{
    expect_refusal(record_folded, RANK_LOSS);
}

static void record_dependent(struct model *model)
{
    PENDULUM;
    model->Phi[0] = EQ(0.3*(x*x + y*y - l*l));
    model->Phi[1] = EQ(0.7*(x*x + y*y - l*l));
    model->q0[0] = EQ(0.6*l);
    model->q0[1] = EQ(-0.8*l);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(0);
}

Test(start, dependent_constraints_are_rank_loss)
{
    expect_refusal(record_dependent, RANK_LOSS);
}

/* --- resets ------------------------------------------------------------------------- */

/* A free fall is caught on a line that is the circle nowhere, or on one place of it. */
static void record_caught(struct model *model, bool off)
{
    COORDINATES(x, y);
    PARAMETERS(l, g);
    NOMINAL(l, 1, "m", "length");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    struct mode *mode[2];
    for (int k = 0; k < 2; k++) {
        mode[k] = model_mode(model, k == 0 ? "flight" : "swing");
        model->M[0][0] = EQ(1);
        model->M[1][1] = EQ(1);
        model->F[1] = EQ(-g);
    }
    model->Phi[0] = EQ(x*x + y*y - l*l);
    struct event *caught = model_event(model, "caught", mode[0], mode[1], EQ(y + 0.8),
                                       FALLING);
    event_impulse_joints(caught);
    model->q0[0] = off ? EQ(0.5) : EQ(0.6);
    model->t_end = EQ(1);
}

static void record_off(struct model *model) { record_caught(model, true); }
static void record_lucky(struct model *model) { record_caught(model, false); }

Test(reset, a_constraint_that_does_not_hold_when_it_is_added_is_inconsistent)
{
    begin(record_off, "index1");
    refuse(&s, INCONSISTENT);
    cr_expect_not_null(strstr(s.diagnosis.place, "does not hold ("));
    solving_end(&s);
}

Test(reset, a_constraint_must_hold_for_neighbouring_parameters_too)
{
    begin(record_lucky, "index1");
    refuse(&s, INCONSISTENT);
    cr_expect_not_null(strstr(s.diagnosis.place, "identically in l"));
    s.request.parameters = 0;
    trajectory_free(solve(&s));
    solving_end(&s);
}

/* Both velocities are given, and leave the circle. */
static void record_leaving(struct model *model)
{
    PENDULUM;
    model->q0[0] = EQ(0.6*l);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    struct event *kick = model_event(model, "kick", swing, swing, EQ(x - 0.1), FALLING);
    kick->v_plus[0] = EQ(-vx);
}

Test(reset, velocities_that_violate_the_constraints_are_inconsistent)
{
    expect_refusal(record_leaving, INCONSISTENT);
}

/* At x = 0 the constraint says nothing about vx, which is to follow from vy. */
static void record_undetermined(struct model *model)
{
    PENDULUM;
    model->q0[0] = EQ(0.6*l);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    struct event *bottom = model_event(model, "bottom", swing, swing, EQ(x), FALLING);
    bottom->v_plus[1] = EQ(-vy);
    event_constrain_velocity(bottom);
}

Test(reset, a_velocity_that_the_constraints_do_not_determine_is_singular)
{
    expect_refusal(record_undetermined, SINGULAR);
}

/* --- constraint errors -------------------------------------------------------------- */

/* Stages within a step are not on the constraint, and are not the motion. */
Test(run, constraint_errors_are_those_of_steps_and_not_of_stages)
{
    solving_of_case(&s, "pendulum-wall", "index1");
    struct trajectory *trajectory = solve(&s);
    cr_expect_lt(trajectory->worst_Phi, 1e-13);
    cr_expect_lt(trajectory->worst_Phid, 1e-13);
    trajectory_free(trajectory);
    solving_end(&s);
}

/* --- models ------------------------------------------------------------------------- */

static int slip_kind;

static void record_slip(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l);
    AUXILIARY(k);
    MULTIPLIERS(lambda1);
    COSTS(cost);
    NOMINAL(l, 1, "m", "length");
    struct mode *motion = model_mode(model, "motion");
    model->M[0][0] = slip_kind == 0 ? EQ(1 + vx*vx) : EQ(1);
    model->M[1][1] = EQ(1);
    model->F[0] = slip_kind == 1 ? EQ(ay) : EQ(0);
    model->Phi[0] = slip_kind == 2 ? EQ(x + vy) : EQ(x + y - k);
    model->f_s[0] = slip_kind == 3 ? EQ(ax) : EQ(0);
    model->q0[0] = slip_kind == 4 ? EQ(l*vx) : EQ(0);
    model->w[0] = slip_kind == 5 ? EQ(lambda1) : EQ(x);
    model->t_end = slip_kind == 6 ? EQ(1 + x) : EQ(1);
    struct event *event = model_event(model, "event", motion, motion,
                                      slip_kind == 7 ? EQ(x_plus) : EQ(x - 1), RISING);
    event_impulse(event, slip_kind == 8 ? EQ(x + vx) : EQ(x), EQ(1));
    (void)k, (void)lambda1;
}

Test(model, a_formula_that_depends_on_what_it_must_not_is_bad_input)
{
    for (slip_kind = 0; slip_kind <= 8; slip_kind++) {
        struct diagnosis diagnosis = {.status = OK};
        cr_expect_null(made(record_slip, &diagnosis), "slip %d", slip_kind);
        cr_expect_eq(diagnosis.status, BAD_INPUT);
        cr_expect_not_null(strstr(diagnosis.place, "must not depend on"), "%s",
                           diagnosis.place);
    }
    struct diagnosis diagnosis;
    struct model *model = made(record_slip, &diagnosis);    /* slip 9: none */
    cr_expect_not_null(model, "%s", diagnosis.place);
    model_free(model);
}

static void record_too_far(struct model *model)
{
    COORDINATES(x, y);
    AUXILIARY(k);
    COSTS(cost);
    struct mode *motion = model_mode(model, "motion");
    struct event *event = model_event(model, "event", motion, motion, EQ(x - 1), RISING);
    formula *const row[] = {
        model->F + 2, model->F + 9, model->f_s + 1, model->g + 1, model->q0 + 2,
        model->v0 + 2, model->q_guess + 2, model->v_guess + 2, model->s0 + 1,
        model->s_guess + 1, model->w + 1,
        event->q_plus + 2, event->v_plus + 2, event->s_plus + 1, event->cost + 1};
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->t_end = EQ(1);
    if (slip_kind < (int)(sizeof row / sizeof *row))
        *row[slip_kind] = EQ(x);
    (void)k;
}

Test(model, a_row_of_what_is_not_declared_is_bad_input)
{
    for (slip_kind = 0; slip_kind < 15; slip_kind++) {
        struct diagnosis diagnosis = {.status = OK};
        cr_expect_null(made(record_too_far, &diagnosis), "row %d", slip_kind);
        cr_expect_eq(diagnosis.status, BAD_INPUT);
        cr_expect_not_null(strstr(diagnosis.place, "declared"), "%s", diagnosis.place);
    }
    struct diagnosis diagnosis;
    struct model *model = made(record_too_far, &diagnosis);     /* row 13: none */
    cr_expect_not_null(model, "%s", diagnosis.place);
    model_free(model);
}

/* Costs and states may be declared after the modes that are to have them. */
static void record_late(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0);
    NOMINAL(v0, 1, "m/s", "speed");
    struct mode *one = model_mode(model, "one");
    model->M[0][0] = EQ(1);
    struct mode *two = model_mode(model, "two");
    model->M[0][0] = EQ(1);
    AUXILIARY(latch);
    COSTS(cost);
    model->g[0] = EQ(x);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(2);
    model_event(model, "middle", one, two, EQ(x - 1), RISING)->s_plus[0] = EQ(latch + 1);
}

Test(model, declarations_reach_the_modes_written_before)
{
    begin(record_late, "ode");
    struct trajectory *trajectory = solve(&s);
    cr_expect_float_eq(trajectory->psi[0], 1.5, 1e-13);
    trajectory_free(trajectory);
    solving_end(&s);
}
