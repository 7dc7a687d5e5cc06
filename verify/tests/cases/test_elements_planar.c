/*
 * test_elements_planar.c - rigid bodies in the plane: a pendulum, joints, torques, and
 * one mechanism in two descriptions. What they are compared with is written by hand.
 */
/* A point of a mechanism here, a point of a trajectory in run.h. */
#define point place_of
#include "elements/planar.h"
#undef point

#include "case.h"
#include "random_formulas.h"
#include "solving.h"

static const formula none = {NULL, 0};

#define READ(text) model_read(model, text, __FILE__, __LINE__)

/* Runs a model written by `record` in a formulation; keep `s` as long as the result. */
static struct trajectory *run_of(struct solving *s, void (*record)(struct model *),
                                 const char *formulation)
{
    solving_of_record(s, "planar", record, formulation);
    return solve(s);
}

/* x - y at every sample and for every derivative, relative to the largest |y| so far (at
   least 1). */
static void expect_same(const struct trajectory *a, int i, const struct trajectory *b,
                        int k, enum column_group group, double tolerance)
{
    for (int j = -1; j < a->columns.p; j++) {
        double scale = 1;
        for (int sample = 0; sample < a->samples; sample++) {
            double x = a->sample[sample].x[column(&a->columns, group, i, j)];
            double y = b->sample[sample].x[column(&b->columns, group, k, j)];
            scale = fmax(scale, fabs(y));
            cr_expect(fabs(x - y) < tolerance * scale, "%s by %d: %.17g, not %.17g",
                      a->columns.model->coordinate[i], j, x, y);
        }
    }
}

/* --- a pendulum --------------------------------------------------------------------- */

static void pendulum_nominal(struct model *model)
{
    model_parameters(model, "m, J, r, k, c, g");
    static const char *const value[] = {"1.3", "0.2", "0.7", "4", "0.3", "9.81"};
    for (int j = 0; j < model->p; j++)
        model_nominal(model, model->parameter[j].name, value[j], "1", "", false, __FILE__,
                      __LINE__);
    model->t_end = READ("2");
}

/* The centre hangs r below the pin, on a torsional spring and damper. */
static void record_pendulum(struct model *model)
{
    pendulum_nominal(model);
    const struct planar ground = {0};
    struct planar body = planar_body(model, "");
    const formula gravity[3] = {none, READ("-g")};
    struct place_of pin = planar_point(&ground, none, none);
    struct place_of top = planar_point(&body, none, READ("r"));
    planar_inertia(model, READ("m"), READ("J"), gravity, &body);
    planar_revolute(model, &pin, &top);
    planar_spring(model, READ("k"), READ("0.4"), &ground, &body);
    planar_damper(model, READ("c"), &ground, &body);
    model->q0[2] = READ("1");
    model->v0[2] = READ("0.5");
}

static void record_pendulum_by_hand(struct model *model)
{
    pendulum_nominal(model);
    model_coordinates(model, "th");
    model->M[0][0] = READ("J + m*r*r");
    model->F[0] = READ("-m*g*r*sin(th) - k*(th - 0.4) - c*vth");
    model->q0[0] = READ("1");
    model->v0[0] = READ("0.5");
}

/* rtol = 1e-13 over two seconds; the constraint formulation drifts by rounding. */
Test(elements_planar, a_body_on_a_pin_is_the_pendulum)
{
    struct solving a, b;
    struct trajectory *hand = run_of(&b, record_pendulum_by_hand, "ode");
    static const char *const formulation[] = {"index1", "ode", "augmented"};
    for (int f = 0; f < 3; f++) {
        struct trajectory *body = run_of(&a, record_pendulum, formulation[f]);
        expect_same(body, 2, hand, 0, GROUP_Q, 2e-12);
        expect_same(body, 2, hand, 0, GROUP_V, 2e-12);
        expect_same(body, 2, hand, 0, GROUP_A, 2e-11);
        trajectory_free(body);
        solving_end(&a);
    }
    trajectory_free(hand);
    solving_end(&b);
}

/* Newton's law for the centre: the force of the pin on the body is m (a - g), and the
   multipliers of planar_revolute are the force on its second body. */
Test(elements_planar, multipliers_of_a_revolute_joint_are_the_force_on_the_second_body)
{
    struct solving s;
    struct trajectory *t = run_of(&s, record_pendulum, "index1");
    for (int sample = 0; sample < t->samples; sample++) {
        const double *x = t->sample[sample].x;
        double ax = x[column(&t->columns, GROUP_A, 0, -1)];
        double ay = x[column(&t->columns, GROUP_A, 1, -1)];
        cr_expect_float_eq(x[column(&t->columns, GROUP_LAMBDA, 0, -1)], 1.3 * ax, 1e-11);
        cr_expect_float_eq(x[column(&t->columns, GROUP_LAMBDA, 1, -1)],
                           1.3 * (ay + 9.81), 1e-11);
    }
    trajectory_free(t);
    solving_end(&s);
}

/* --- a bead in a slot that turns ---------------------------------------------------- */

/* A bar turns about the origin at the rate w. A block of 2 kg slides in a slot of the
   bar, at the angle 1/4 to it, and lies 1/2 further round: it moves as
   r = r0 cosh(w t), and the motor gives 2 m r r' w. */
static void record_slot(struct model *model)
{
    model_parameters(model, "w, r0");
    model_nominal(model, "w", "1.5", "rad/s", "", false, __FILE__, __LINE__);
    model_nominal(model, "r0", "0.3", "m", "", false, __FILE__, __LINE__);
    model_time(model, "t");
    const struct planar ground = {0};
    struct planar bar = planar_body(model, "1"), block = planar_body(model, "2");
    formula tilt = READ("0.25"), two = READ("2");
    planar_inertia(model, two, two, NULL, &bar);
    planar_inertia(model, two, READ("0.1"), NULL, &block);
    planar_revolute(model, &ground.centre, &bar.centre);
    planar_driven(model, &ground, &bar, READ("w*t"));
    planar_translational(model, &bar, &bar.centre, tilt, &block, &block.centre,
                         READ("0.5"));
    /* x2 is given, the rest follows */
    model->q0[3] = READ("r0*cos(0.25)");
    model->v0[3] = READ("-r0*w*sin(0.25)");
    model->t_end = READ("2");
}

Test(elements_planar, a_block_in_a_driven_slot_moves_as_the_hyperbolic_cosine)
{
    struct solving s;
    struct trajectory *run = run_of(&s, record_slot, "index1");
    const double w = 1.5, r0 = 0.3;
    for (int sample = 0; sample < run->samples; sample++) {
        const double *x = run->sample[sample].x, t = run->sample[sample].t;
        double r = r0 * cosh(w * t), rate = r0 * w * sinh(w * t), angle = w * t + 0.25;
        cr_expect_float_eq(x[column(&run->columns, GROUP_Q, 3, -1)], r * cos(angle),
                           1e-11);
        cr_expect_float_eq(x[column(&run->columns, GROUP_Q, 4, -1)], r * sin(angle),
                           1e-11);
        cr_expect_float_eq(x[column(&run->columns, GROUP_Q, 5, -1)], w * t + 0.5, 1e-12);
        cr_expect_float_eq(x[column(&run->columns, GROUP_Q, 3, 1)], r / r0 * cos(angle),
                           1e-10, "dx/dr0");
        cr_expect_float_eq(x[column(&run->columns, GROUP_Q, 3, 0)],
                           r0 * t * sinh(w * t) * cos(angle) - r * t * sin(angle), 1e-10,
                           "dx/dw");
        cr_expect_float_eq(-x[column(&run->columns, GROUP_LAMBDA, 2, -1)],
                           2 * 2 * r * rate * w, 1e-9, "torque of the motor");
    }
    trajectory_free(run);
    solving_end(&s);
}

/* --- rows and loads at random configurations ---------------------------------------- */

static void values_at(const struct model *model, const formula *f, int count,
                      const double *q, const double *v, double *value)
{
    unsigned char stage[BLOCK_LIMIT] = {[BLOCK_Q] = 1, [BLOCK_V] = 1};
    struct program *program = program_seal(model->tape, f, count, stage);
    double *w = calloc((size_t)program->slots, sizeof *w);
    program_init(program, w);
    program_load(program, BLOCK_Q, q, w);
    program_load(program, BLOCK_V, v, w);
    program_run(program, 1, w);
    for (int i = 0; i < count; i++)
        value[i] = w[program->output[i]];
    free(w);
    program_free(program);
}

enum { TORQUE = 3, SPRING = 5, DAMPER = 7 };

static void record_loads(struct model *model)
{
    struct planar a = planar_body(model, "1"), b = planar_body(model, "2");
    formula one = READ("1"), two = READ("2");
    planar_inertia(model, two, one, NULL, &a);
    planar_inertia(model, one, two, NULL, &b);
    struct place_of on_a = planar_point(&a, one, two), on_b = planar_point(&b, two, one);
    planar_translational(model, &a, &on_a, READ("0.3"), &b, &on_b,
                         READ("0.2"));
    planar_torque(model, integer(model->tape, TORQUE), &a, &b);
    planar_spring(model, integer(model->tape, SPRING), READ("0.1"), &a,
                  &b);
    planar_damper(model, integer(model->tape, DAMPER), &a, &b);
}

/* Signed distance of the point of b from the line through the point of a. */
static double distance_from_line(const double *q)
{
    double c = cos(q[2]), s = sin(q[2]), C = cos(q[5]), S = sin(q[5]);
    double dx = q[3] + 2 * C - S - (q[0] + c - 2 * s);
    double dy = q[4] + 2 * S + C - (q[1] + s + 2 * c);
    return cos(q[2] + 0.3) * dy - sin(q[2] + 0.3) * dx;
}

Test(elements_planar, rows_and_torques_are_those_written_by_hand)
{
    static const struct case_desc desc = {.name = "loads", .record = record_loads};
    struct diagnosis diagnosis;
    struct model *model = model_new(&desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    const struct mode *mode = model->mode[0];
    struct random random = random_start();
    for (int round = 0; round < 20; round++) {
        double q[6], v[6], F[6], Phi[2];
        for (int i = 0; i < 6; i++) {
            q[i] = random_between(&random, -3, 3);
            v[i] = random_between(&random, -3, 3);
        }
        values_at(model, mode->F, 6, q, v, F);
        values_at(model, mode->Phi, 2, q, v, Phi);
        double turn = q[5] - q[2];
        double torque = TORQUE - SPRING * (turn - 0.1) - DAMPER * (v[5] - v[2]);
        for (int i = 0; i < 6; i++)
            cr_expect_float_eq(F[i], i == 5 ? torque : i == 2 ? -torque : 0, 1e-12,
                               "F[%d], seed %llu", i, random.seed);
        cr_expect_float_eq(Phi[0], distance_from_line(q), 1e-13, "seed %llu",
                           random.seed);
        cr_expect_float_eq(Phi[1], turn - 0.2, 1e-14, "seed %llu", random.seed);
    }
    model_free(model);
}

/* --- one mechanism, two descriptions ------------------------------------------------ */

static void chain_nominal(struct model *model)
{
    model_parameters(model, "m1, m2, J, l, k, c, torque, g");
    static const char *const value[] = {"1", "0.6", "0.05", "0.8", "6", "0.2", "0.5",
                                        "9.81"};
    for (int j = 0; j < model->p; j++)
        model_nominal(model, model->parameter[j].name, value[j], "1", "", false, __FILE__,
                      __LINE__);
    model->t_end = READ("1");
}

/* Two bodies hang one on the other at the distance l; between them a spring without
   torque at 0.3, a damper and a torque. */
static void record_chain(struct model *model)
{
    chain_nominal(model);
    const struct planar ground = {0};
    struct planar a = planar_body(model, "1"), b = planar_body(model, "2");
    const formula gravity[3] = {none, READ("-g")};
    struct place_of top1 = planar_point(&a, none, READ("l/2"));
    struct place_of low1 = planar_point(&a, READ("l/4"), READ("-l/2"));
    struct place_of top2 = planar_point(&b, none, READ("l"));
    planar_inertia(model, READ("m1"), READ("J"), gravity, &a);
    planar_inertia(model, READ("m2"), READ("J"), gravity, &b);
    planar_revolute(model, &ground.centre, &top1);
    planar_revolute(model, &low1, &top2);
    planar_spring(model, READ("k"), READ("0.3"), &a, &b);
    planar_damper(model, READ("c"), &a, &b);
    planar_torque(model, READ("torque"), &a, &b);
    model->q0[2] = READ("0.4");
    model->q0[5] = READ("-0.2");
    model->v0[2] = READ("1");
    model->v0[5] = READ("-2");
}

/* The same in the two angles, the second relative. */
static void record_chain_in_angles(struct model *model)
{
    chain_nominal(model);
    model_coordinates(model, "p, r");
    formula p = READ("p"), r = READ("r"), first = READ("vp*vp*J/2");
    const formula gravity[3] = {none, READ("-g")};
    const struct planar a = planar_frame(READ("l/2*sin(p)"), READ("-l/2*cos(p)"), p);
    struct place_of low1 = planar_point(&a, READ("l/4"), READ("-l/2"));
    const struct planar at_joint = planar_frame(low1.r[0], low1.r[1], add(p, r));
    struct place_of centre2 = planar_point(&at_joint, none, READ("-l"));
    mass_point(model, READ("m1"), gravity, &a.centre);
    mass_point(model, READ("m2"), gravity, &centre2);
    model_kinetic(model, add(first, READ("J*(vp + vr)*(vp + vr)/2")));
    model_potential(model, READ("k*(r - 0.3)*(r - 0.3)/2"));
    model_force(model, r, READ("torque - c*vr"));
    model->q0[0] = READ("0.4");
    model->q0[1] = READ("-0.6");
    model->v0[0] = READ("1");
    model->v0[1] = READ("-3");
}

/* rtol = 1e-13, one second; the derivatives by J are a hundred times larger. */
Test(elements_planar, absolute_and_minimal_coordinates_agree_to_12_digits)
{
    struct solving a, b;
    struct trajectory *absolute = run_of(&a, record_chain, "index1");
    struct trajectory *angles = run_of(&b, record_chain_in_angles, "ode");
    expect_same(absolute, 2, angles, 0, GROUP_Q, 1e-12);
    expect_same(absolute, 2, angles, 0, GROUP_V, 1e-12);
    cr_expect_eq(absolute->columns.p, 8);
    trajectory_free(absolute);
    trajectory_free(angles);
    solving_end(&a);
    solving_end(&b);
}
