/*
 * test_consistent_level.c - constraints that contain an auxiliary state whose rate
 * depends on velocities: d Phid/dv = Phi_q + Phi_s f_s,v is not Phi_q there.
 */
#include "events/jump.h"
#include "referring.h"
#include "solving.h"

#include "case.h"

/* A mass on a rope that is let out by its own fall, Phi = (x^2 + y^2 + z^2 - L^2)/2 with
   L' = c vy + d vz^2; what a wall does that it meets; whether the constraint stands there
   twice, whether the mass is thrown, and whether L' is no polynomial of velocities. In
   the plane z = 0 it is the one of found.md. */
enum wall { NO_WALL, REBOUND, IMPULSE };
static struct {
    enum wall wall;
    bool twice, thrown, curved, rate_of_accelerations, contact_of_accelerations;
} chosen;

static void record_reel(struct model *model)
{
    COORDINATES(x, y, z);
    AUXILIARY(L, k);
    PARAMETERS(g, L0, th0, c, d, e, w);
    IMPULSES(p1, p2, p3);
    COSTS(c1, c2, c3);
    TIME(t);
    NOMINAL(g, 9.5, "m/s^2", "gravity");
    NOMINAL(L0, 1, "m", "length at the start");
    NOMINAL(th0, 0.5, "rad", "angle at the start");
    NOMINAL(c, 0.25, "1", "length let out for a speed");
    NOMINAL(d, 0.02, "s/m", "length let out for a squared speed");
    NOMINAL(e, 0.6, "1", "restitution of the wall");
    FIXED(w, 1.5, "1", "weight of the second constraint");
    struct mode *swing = model_mode(model, "swing");
    for (int i = 0; i < 3; i++)
        model->M[i][i] = EQ(1);
    model->M[0][2] = EQ(0.2);
    model->F[1] = EQ(-g);
    model->Phi[0] = EQ((x*x + y*y + z*z - L*L)/2);
    if (chosen.twice)
        model->Phi[1] = EQ(w*(x*x + y*y + z*z - L*L));
    model->f_s[0] = chosen.rate_of_accelerations ? EQ(c*ay) : EQ(c*vy + d*vz*vz);
    if (chosen.curved)
        model->f_s[0] = EQ(c*vy*vx + c*vx/(1 + vy*vy));
    model->f_s[1] = EQ(ax);
    model->q0[0] = EQ(L0*sin(th0));
    model->q_guess[1] = EQ(-1);
    model->q0[2] = EQ(0);
    model->v0[0] = chosen.thrown ? EQ(L0/2) : EQ(0);
    model->v0[2] = EQ(0.7);
    model->s0[0] = model->s0[1] = EQ(L0);
    model->t_end = EQ(1);
    if (chosen.wall == NO_WALL)
        return;
    struct event *event = model_event(model, "wall", swing, swing, EQ(x - L/5), FALLING);
    if (chosen.wall == REBOUND) {
        event->v_plus[0] = EQ(-e*vx);
        event->v_plus[2] = EQ(vz);
        event_constrain_velocity(event);
    } else {
        event_impulse(event, chosen.contact_of_accelerations ? EQ(x - k) : EQ(x - L/5),
                      EQ(e));
        event_impulse_joints(event);
        event->cost[0] = EQ(p1);
        event->cost[1] = EQ(p2);
        if (chosen.twice)
            event->cost[2] = EQ(p3);
    }
    (void)t;
}

static void begin(struct solving *s, const char *formulation)
{
    solving_of_record(s, "reel", record_reel, formulation);
    bool implicit_steps = strcmp(formulation, "index3") == 0 ||
                          strcmp(formulation, "ggl") == 0;
    s->request.rtol = implicit_steps ? 1e-10 : 1e-13;
    s->request.atol = implicit_steps ? 1e-13 : 1e-16;
    if (strcmp(formulation, "index1") == 0)
        solving_option(s, "redundant", "minimum-norm");
}

/* What is true of the model of a run, to 40 digits. */
static struct results *true_numbers(const struct solving *s)
{
    static const char *const sample[TEST_SAMPLES] = {"0.125", "0.25", "0.375", "0.5",
                                                     "0.625", "0.75", "0.875", "1"};
    struct referring r;
    referring_of_model(&r, s->model, 40);
    r.request.samples = TEST_SAMPLES;
    r.request.sample = sample;
    struct mp_trajectory *variational = refer(&r), *other = refer_difference(&r, false);
    char where[120];
    double digits = digits_of_routes(variational, other, where, sizeof where);
    cr_expect_gt(digits, 24, "the two routes of the reference: %.1f digits of %s", digits,
                 where);
    struct results *numbers = results_of_reference(variational);
    mp_trajectory_free(variational);
    mp_trajectory_free(other);
    return numbers;
}

static void expect_true(struct solving *s, const struct trajectory *got,
                        struct results *want, double digits, const char *what)
{
    char name[128];
    struct results *numbers = results_of_trajectory(got);
    double least = least_digits(numbers, want, name, sizeof name);
    cr_expect_gt(least, digits, "%s, %s, wall %d%s%s: %.2f digits of %s",
                 s->request.formulation->name, what, chosen.wall,
                 chosen.twice ? ", twice" : "", chosen.thrown ? ", thrown" : "", least,
                 name);
    results_free(numbers);
}

/* Digits that a formulation has; of dependent constraints, 0 where it refuses them. */
static const struct {
    const char *formulation;
    double digits, twice;
} table[] = {{"ode", 12, 0},       {"index1", 12, 12},  {"baumgarte", 12, 12},
             {"augmented", 12, 11}, {"index3", 4.5, 0},  {"ggl", 7, 0},
             {"implicit", 12, 0}};

static void judge_all(void)
{
    struct solving s;
    struct results *want = NULL;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        double digits = chosen.twice ? table[k].twice : table[k].digits;
        if (digits == 0)
            continue;
        begin(&s, table[k].formulation);
        want = want ? want : true_numbers(&s);
        struct trajectory *got = solve(&s), *oracle;
        expect_true(&s, got, want, digits, "the run");
        s.request.rtol = 1e-13;         /* of a DAE the judge takes that of index1 */
        s.request.atol = 1e-16;
        enum status status = complex_step_run(&s.request, &oracle, &s.diagnosis);
        cr_assert_eq(status, OK, "%s: %s", status_text(status), s.diagnosis.place);
        expect_true(&s, oracle, want, chosen.twice ? 11 : 10.5, "complex step");
        trajectory_free(got);
        trajectory_free(oracle);
        solving_end(&s);
    }
    results_free(want);
}

Test(velocity_level, every_formulation_holds_a_rope_that_is_let_out_by_its_load)
{
    judge_all();
}

Test(velocity_level, velocities_given_at_the_start_move_the_others)
{
    chosen.thrown = true;
    judge_all();
}

/* Newton's method takes more than the two steps that linear rates need. */
Test(velocity_level, open_velocities_at_the_start_solve_what_is_not_linear_in_them)
{
    chosen.thrown = chosen.curved = true;
    judge_all();
}

Test(velocity_level, dependent_velocities_after_a_rebound)
{
    chosen.wall = REBOUND;
    chosen.thrown = true;
    judge_all();
}

Test(velocity_level, impulses_act_along_Phi_q_and_stop_Phid)
{
    chosen.wall = IMPULSE;
    judge_all();
}

Test(velocity_level, dependent_constraints)
{
    chosen.twice = true;
    judge_all();
    chosen.wall = IMPULSE;
    chosen.thrown = true;
    judge_all();
}

/* The theorem on dependent sensitivities, which solves the constraints for them. */
Test(velocity_level, the_rule_of_dependent_sensitivities_is_the_general_one)
{
    struct solving s;
    chosen.wall = REBOUND;
    begin(&s, "index1");
    struct results *want = true_numbers(&s);
    s.request.rule = jump_rule_find("corner-dof");
    struct trajectory *got = solve(&s);
    expect_true(&s, got, want, 12, "corner-dof");
    trajectory_free(got);
    results_free(want);
    solving_end(&s);
}

static void expect_refused_model(const char *word)
{
    static const struct case_desc desc = {.name = "reel", .record = record_reel};
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = model_new(&desc, &diagnosis);
    cr_expect_null(model);
    cr_expect_eq(diagnosis.status, BAD_INPUT);
    cr_expect_not_null(strstr(diagnosis.place, word), "%s", diagnosis.place);
    model_free(model);
}

/* Phid would contain accelerations, which no reset knows yet. */
Test(velocity_level, rates_of_accelerations_have_no_place_in_constraints)
{
    chosen.rate_of_accelerations = true;
    expect_refused_model("d/dt Phi (through s, which it contains)");
    chosen.rate_of_accelerations = false;
    chosen.wall = IMPULSE;
    chosen.contact_of_accelerations = true;
    expect_refused_model("d/dt Psi (through s, which it contains)");
}

/* Twice the mechanism of one coordinate less, where the matrices are one. */
Test(velocity_level, one_matrix_where_no_rate_depends_on_velocities)
{
    struct solving s;
    solving_of_case(&s, "five-bar", "ode");
    cr_expect_eq(s.model->mode[0]->Phid_v, s.model->mode[0]->Phi_q);
    solving_end(&s);
    begin(&s, "ode");
    cr_expect_neq(s.model->mode[0]->Phid_v, s.model->mode[0]->Phi_q);
    solving_end(&s);
}
