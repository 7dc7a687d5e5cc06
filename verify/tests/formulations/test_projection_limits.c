/*
 * test_projection_limits.c - projections at their limits: rows that say the same twice or
 * contradict each other, masses that are zero, units, a dependent coordinate that becomes
 * undetermined, and states that cannot be projected.
 */
#include "case.h"
#include "projecting.h"

static struct pose p;
static struct random source;

static void begin(void)
{
    source = random_start();
}

TestSuite(projection_limits, .init = begin);

static void pose_of_record(struct pose *pose, void (*record)(struct model *), double x,
                           double y)
{
    struct case_desc desc = {.name = "made", .record = record};
    pose_of(pose, &desc, 0);
    pose->stated->desc = pose->model->desc = NULL;  /* it ends with this function */
    pose->q[0] = x;
    pose->q[1] = y;
    evaluate_pose(pose);
}

/* What restart says of a pose, or after that a projection of q, v. */
static enum status restarted(const struct projection *projection)
{
    void *work = projection->alloc(&p.constraints);
    enum status status = projection->restart(work, p.t, p.q, p.v, p.s);
    projection->release(work);
    return status;
}

static enum status projected(const struct projection *projection, const double *q,
                             const double *v)
{
    double q1[MOST_N], v1[MOST_N];
    void *work = projection_work(projection, &p);
    memcpy(q1, q, (size_t)p.n * sizeof *q);
    memcpy(v1, v, (size_t)p.n * sizeof *v);
    enum status status = projection->state(work, p.t, q1, v1, p.s);
    projection->release(work);
    return status;
}

static const struct projection *const both[] = {&projection_partition,
                                                &projection_mass_orthogonal};

/* --- redundant and contradictory rows ----------------------------------------------- */

/* A five-bar that says twice how long bar 12 is, with other units of mass and of a
   constraint. */
static void record_doubled(struct model *model)
{
    case_find("five-bar")->record(model);
    model->event[0]->velocity = VELOCITY_EXPLICIT;      /* it counts the constraints */
    model->Phi[4] = mul(integer(model->tape, -3), model->Phi[1]);
    for (int i = 0; i < model->n; i++)
        for (int j = 0; j <= i; j++)
            model->M[i][j] = model->M[j][i] = mul(constant(model->tape, "1e-7"),
                                                  model->M[j][i]);
    model->Phi[2] = mul(constant(model->tape, "1e5"), model->Phi[2]);
}

static const double five_bar[] = {-1.4, -1.1, 0.1, -2.2, 1.6, -0.9};

Test(projection_limits, redundant_rows_and_units_change_nothing_for_mass_orthogonal)
{
    static const struct case_desc desc = {.name = "doubled", .record = record_doubled};
    struct pose single;
    double q[MOST_N], v[MOST_N], Q[2][MOST_N], V[2][MOST_N];
    pose_of_case(&single, &source, "five-bar", 0, five_bar);
    pose_of(&p, &desc, 0);
    memcpy(p.q, single.q, sizeof p.q);
    memcpy(p.v, single.v, sizeof p.v);
    for (int j = 0; j < p.n; j++)
        for (int k = 0; k < 2; k++) {
            Q[k][j] = sin(j);
            V[k][j] = cos(j);
        }

    struct random copy = source;
    void *work[2] = {project(&projection_mass_orthogonal, &single, &source, 1e-3, q, v),
                     project(&projection_mass_orthogonal, &p, &copy, 1e-3, q, v)};
    for (int k = 0; k < 2; k++) {
        int L_12 = model_parameter_index(single.model, "L_12");
        projection_mass_orthogonal.column(work[k], L_12, Q[k], V[k], p.s);
        projection_mass_orthogonal.release(work[k]);
    }
    cr_expect_lt(difference(p.n, p.q, single.q), rounding);
    cr_expect_lt(difference(p.n, p.v, single.v), rounding);
    cr_expect_lt(difference(p.n, Q[0], Q[1]), rounding);
    cr_expect_lt(difference(p.n, V[0], V[1]), rounding);

    cr_expect_eq(restarted(&projection_partition), RANK_LOSS);
    pose_end(&p);
    pose_end(&single);
}

static void record_contradiction(struct model *model)
{
    COORDINATES(x, y);
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->Phi[0] = EQ(x*x + y*y - 1);
    model->Phi[1] = EQ(2*x*x + 2*y*y - 2.0001);
}

static void record_contradicting_velocities(struct model *model)
{
    COORDINATES(x, y);
    struct mode *mode = model_mode(model, "contradiction");
    model->M[0][0] = model->M[1][1] = EQ(1);
    mode->velocity_level[model_constraint(model, EQ(vx + x*vy))] = true;
    mode->velocity_level[model_constraint(model, EQ(2*vx + 2*x*vy - 0.001))] = true;
}

Test(projection_limits, rows_that_contradict_each_other_are_not_averaged)
{
    void (*const record[])(struct model *) = {record_contradiction,
                                              record_contradicting_velocities};
    for (int k = 0; k < 2; k++) {
        pose_of_record(&p, record[k], 0.6, 0.8);
        p.v[0] = 0.5;
        cr_expect_eq(projected(&projection_mass_orthogonal, p.q, p.v), NO_CONVERGENCE);
        cr_expect_eq(restarted(&projection_partition), RANK_LOSS);
        pose_end(&p);
    }
}

/* --- masses and units --------------------------------------------------------------- */

static void record_massless(struct model *model)
{
    COORDINATES(x, y, z);
    model->M[1][1] = EQ(2);
    model->M[2][2] = EQ(3);
    model->Phi[0] = EQ(x*x + y*y + z*z - 1);
}

/* ker Phi_q has a direction without mass: which x is nearest? */
static void record_undetermined(struct model *model)
{
    COORDINATES(x, y);
    model->M[1][1] = EQ(2);
    model->Phi[0] = EQ(y - 0.5);
}

Test(projection_limits, masses_may_be_zero_where_constraints_determine_the_coordinate)
{
    double q[MOST_N], v[MOST_N];
    pose_of_record(&p, record_massless, 0.6, 0.8);
    projection_mass_orthogonal.release(
        project(&projection_mass_orthogonal, &p, &source, 1e-3, q, v));
    cr_expect_lt(fabs(p.q[1] - q[1]) + fabs(p.q[2] - q[2]), rounding, "only x moves");
    cr_expect_lt(fabs(p.q[0] * p.q[0] + q[1] * q[1] + q[2] * q[2] - 1), rounding);
    pose_end(&p);

    pose_of_record(&p, record_undetermined, 0.3, 0.5);
    cr_expect_eq(restarted(&projection_mass_orthogonal), SINGULAR);
    pose_end(&p);
}

/* An ellipse that is the unit circle when y is measured in micrometres. */
static void record_micrometres(struct model *model)
{
    COORDINATES(x, y);
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1e-12);
    model->Phi[0] = EQ(1000*(x*x + 1e-12*y*y - 1));
}

Test(projection_limits, the_nearest_point_of_a_circle_is_nearest_in_any_units)
{
    pose_of_record(&p, record_micrometres, 0.6, 0.8e6);
    void *work = projection_work(&projection_mass_orthogonal, &p);
    p.q[0] = 1.01 * 0.6;
    p.q[1] = 1.01 * 0.8e6;
    p.v[0] = 0.6 + 0.8;
    p.v[1] = 1e6 * (0.8 - 0.6);
    cr_expect_eq(projection_mass_orthogonal.state(work, 0, p.q, p.v, p.s), OK);
    cr_expect_float_eq(p.q[0], 0.6, rounding);
    cr_expect_float_eq(p.q[1], 0.8e6, rounding * 1e6);
    cr_expect_float_eq(p.v[0], 0.8, rounding);
    cr_expect_float_eq(p.v[1], -0.6e6, rounding * 1e6);
    projection_mass_orthogonal.release(work);
    pose_end(&p);
}

Test(projection_limits, without_constraints_nothing_moves)
{
    for (int k = 0; k < 2; k++) {
        double q[2] = {1.1, -0.0}, v[2] = {0.3, 1e-300}, Q[2] = {1, 2}, V[2] = {3, 4};
        pose_of(&p, case_find("slack-rope"), 0);
        cr_assert_eq(p.m, 0);
        void *work = projection_work(both[k], &p);
        cr_expect_eq(both[k]->state(work, 0, q, v, p.s), OK);
        both[k]->column(work, 0, Q, V, p.s);
        cr_expect(q[0] == 1.1 && q[1] == 0 && v[0] == 0.3 && v[1] == 1e-300);
        cr_expect(Q[0] == 1 && Q[1] == 2 && V[0] == 3 && V[1] == 4);
        both[k]->release(work);
        pose_end(&p);
    }
}

/* --- exchange of dependent coordinates ---------------------------------------------- */

/* A pendulum of length l at an angle, turning with speed 2: columns are d/dl. */
struct swing {
    double q[2], v[2], Q[2], V[2];
};

static struct swing swing_at(double degrees)
{
    double phi = degrees * M_PI / 180, x = sin(phi), y = -cos(phi);
    return (struct swing){{x, y}, {-2 * y, 2 * x}, {x, y}, {-2 * y, 2 * x}};
}

/* Which coordinate a projection moves: 0 or 1. */
static int dependent(void *work, const struct swing *exact)
{
    struct swing moved = *exact;
    moved.q[0] += 1e-7;
    moved.q[1] += 2e-7;
    double before[2] = {moved.q[0], moved.q[1]};
    cr_assert_eq(projection_partition.state(work, 0, moved.q, moved.v, p.s), OK);
    cr_assert((moved.q[0] == before[0]) != (moved.q[1] == before[1]));
    return moved.q[1] != before[1];
}

/* Near the end of a choice rounding of independent values counts sqrt(2) times in
   dependent ones, and once more sqrt(2) times in velocities. */
static void expect_exact(void *work, const struct swing *exact, int l, double degrees)
{
    struct swing s = *exact;
    int open = dependent(work, exact);
    s.q[open] *= 1 + 1e-7;
    s.v[open] += 1e-3;
    s.Q[open] = s.V[open] = 7;
    cr_assert_eq(projection_partition.state(work, 0, s.q, s.v, p.s), OK);
    projection_partition.column(work, l, s.Q, s.V, p.s);
    cr_expect_lt(difference(2, s.q, exact->q), rounding, "q at %g degrees", degrees);
    cr_expect_lt(difference(2, s.v, exact->v), rounding, "v at %g degrees", degrees);
    cr_expect_lt(difference(2, s.Q, exact->Q), rounding, "Q at %g degrees", degrees);
    cr_expect_lt(difference(2, s.V, exact->V), rounding, "V at %g degrees", degrees);
}

static void *swing_from(double degrees)
{
    struct swing start = swing_at(degrees);
    pose_of(&p, case_find("pendulum-wall"), 0);
    memcpy(p.q, start.q, sizeof start.q);
    memcpy(p.v, start.v, sizeof start.v);
    return projection_work(&projection_partition, &p);
}

Test(projection_limits, partition_changes_where_its_coordinate_becomes_bad)
{
    void *work = swing_from(0);
    int l = model_parameter_index(p.model, "l"), changes = 0, used = 1;
    for (int degrees = 0; degrees <= 720; degrees++) {
        struct swing exact = swing_at(degrees);
        expect_exact(work, &exact, l, degrees);
        projection_partition.review(work, 0, exact.q, exact.v, p.s);
        int now = dependent(work, &exact);
        double share = fabs(exact.q[used]) / fabs(exact.q[1 - used]);
        cr_expect_eq(now != used, share <= M_SQRT1_2, "at %d degrees", degrees);
        changes += now != used;
        used = now;
        expect_exact(work, &exact, l, degrees);
    }
    cr_expect_eq(changes, 8, "four a turn, not %d", changes);
    projection_partition.release(work);
    pose_end(&p);
}

Test(projection_limits, partition_does_not_go_back_and_forth_and_is_lost_without_review)
{
    void *work = swing_from(44);
    for (int k = 0; k < 20; k++) {      /* from one side of 45 degrees to the other */
        struct swing exact = swing_at(44 + 2 * (k % 2));
        cr_expect_eq(dependent(work, &exact), 1);
        projection_partition.review(work, 0, exact.q, exact.v, p.s);
    }
    struct swing bad = swing_at(90);
    cr_expect_eq(projection_partition.state(work, 0, bad.q, bad.v, p.s), RANK_LOSS);
    projection_partition.release(work);
    pose_end(&p);
}

/* --- states that cannot be projected ------------------------------------------------ */

static void record_apart(struct model *model)
{
    COORDINATES(x, y);
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->Phi[0] = EQ(x*x + y*y - 1);
    model->Phi[1] = EQ((x - 3)*(x - 3) + y*y - 1);
}

Test(projection_limits, what_cannot_be_reached_is_said_to_be)
{
    void *work = swing_from(30);
    static const double too_far[2] = {1.2, -0.9}, v[2] = {0, 0};
    cr_expect_eq(projected(&projection_partition, too_far, v), NO_CONVERGENCE);
    projection_partition.release(work);
    pose_end(&p);

    pose_of_record(&p, record_apart, 1.4, 0.3);
    for (int k = 0; k < 2; k++)
        cr_expect_eq(projected(both[k], p.q, p.v), NO_CONVERGENCE);
    pose_end(&p);
}

/* z is free: no constraint sees that it has no value. */
static void record_domain(struct model *model)
{
    COORDINATES(x, y, z);
    model->M[0][0] = model->M[1][1] = model->M[2][2] = EQ(1);
    model->Phi[0] = EQ(y - sqrt(x));
}

Test(projection_limits, what_has_no_value_is_said_to_have_none)
{
    pose_of_record(&p, record_domain, 0.25, 0.5);
    double v[3] = {0}, outside_domain[3] = {-0.1, 0.5, 0};
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < 3; j++) {
            double bad_q[3] = {0.25, 0.5, 0}, bad_v[3] = {0};
            bad_q[j] = bad_v[j] = NAN;
            cr_expect_eq(projected(both[k], bad_q, v), NOT_FINITE, "q[%d]", j);
            cr_expect_eq(projected(both[k], p.q, bad_v), NOT_FINITE, "v[%d]", j);
            bad_v[j] = INFINITY;
            cr_expect_eq(projected(both[k], p.q, bad_v), NOT_FINITE, "v[%d]", j);
        }
        cr_expect_eq(projected(both[k], outside_domain, v), NOT_FINITE);
    }
    pose_end(&p);
}

/* --- the derivatives all of this relies on ------------------------------------------ */

Test(projection_limits, constraints_along_a_direction_are_differences_of_constraints)
{
    static const double h = 1e-4;
    pose_of_shape(&p, &source, 7, 3, 2);
    double dq[MOST_N], dv[MOST_N], ds[4] = {0.8}, dt = 0.3;
    double quotient[2 * WRITTEN_ROWS] = {0};
    for (int j = 0; j < p.n; j++) {
        dq[j] = random_between(&source, -1, 1);
        dv[j] = random_between(&source, -1, 1);
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        struct constraints c;
        double rho[MOST_P], q[MOST_N], v[MOST_N], s[4] = {p.s[0] + sign * h * ds[0]};
        memcpy(rho, p.rho, sizeof rho);
        rho[1] += sign * h;
        for (int j = 0; j < p.n; j++) {
            q[j] = p.q[j] + sign * h * dq[j];
            v[j] = p.v[j] + sign * h * dv[j];
        }
        constraints_init(&c, p.model, p.mode, rho);
        constraints_at(&c, p.t + sign * h * dt, q, v, s);
        for (int i = 0; i < p.m; i++) {
            quotient[i] += sign * constraints_value(&c, c.Phi + i) / (2 * h);
            quotient[p.m + i] += sign * constraints_value(&c, c.Phid + i) / (2 * h);
        }
        constraints_clear(&c);
    }
    evaluate_pose(&p);
    constraints_along(&p.constraints, dt, dq, dv, ds, 1);
    for (int i = 0; i < 2 * p.m; i++) {
        double got = constraints_value(&p.constraints, i < p.m ?
                                       p.constraints.Phi_dot + i :
                                       p.constraints.Phid_dot + i - p.m);
        /* h^2 times a third derivative of some tens */
        cr_expect_float_eq(got, quotient[i], 1e-6, "row %d: %g %g", i, got, quotient[i]);
    }
    pose_end(&p);
}
