/*
 * test_native_constraints.c - quadruple precision numbers, differences of constraints,
 * and resets of the native oracle, where hand calculation gives the answer.
 */
#include "oracles/native/native_constraint.h"

/* The words of a case file would rename what Criterion's headers say. */
#undef pow
#undef log
#undef exp
#undef sqrt
#undef add
#undef sub
#undef sum
#undef power
#undef dot
#include <criterion/criterion.h>
#define log(a) clogf128(a)
#define sqrt(a) csqrtf128(a)

#include <stdlib.h>

static double digits(quad_complex got, quad_complex want)
{
    return -log10((double)quad_size(got - want) + 1e-36);
}

/* --- numbers ------------------------------------------------------------------------ */

static quad_complex nudged(quad x)
{
    return quad_number(x, QUAD_STEP);
}

Test(quad, integer_powers_of_negative_numbers_keep_their_derivative)
{
    quad_complex got = quad_pow(nudged(-2), 2), cube = quad_pow(nudged(-2), -3);
    cr_expect_gt(digits(got, quad_number(4, -4 * QUAD_STEP)), 32);
    cr_expect_gt(digits(cube, quad_number(-(quad)1 / 8, -3 * QUAD_STEP / 16)), 32);
    got = quad_pow(nudged(4), (quad)1 / 2);
    cr_expect_gt(digits(got, quad_number(2, QUAD_STEP / 4)), 32);
}

Test(quad, an_angle_has_its_derivative_in_every_quadrant)
{
    for (int k = 0; k < 16; k++) {
        quad angle = (2 * k - 15) * QUAD_PI / 16;
        quad_complex at = nudged(angle);
        quad_complex got = quad_atan2(3 * csinf128(at), 3 * ccosf128(at));
        cr_expect_gt(digits(got, at), 31, "quadrant of %g", (double)angle);
    }
}

Test(quad, linear_equations_are_solved_and_singular_ones_are_seen)
{
    quad_complex A[9] = {0, 2, 1, 1, nudged(1), 0, 3, 0, 1};
    quad_complex b[3], x[3] = {1, -2, nudged(4)};
    quad_complex S[4] = {1, 2, 2, 4}, zero[2] = {1, 1};
    for (int i = 0; i < 3; i++) {
        b[i] = 0;
        for (int j = 0; j < 3; j++)
            b[i] += A[3 * i + j] * x[j];
    }
    cr_assert(quad_solve(3, A, b));
    for (int i = 0; i < 3; i++)
        cr_expect_gt(digits(b[i], x[i]), 31);
    cr_expect_not(quad_solve(2, S, zero));
}

/* --- constraints -------------------------------------------------------------------- */

/* A bead on a rotating line, with a wheel that rolls on it at velocity level, and events
   of both implicit kinds. */
static void record(struct model *model)
{
    COORDINATES(x, y, r);
    PARAMETERS(w, e, m);
    TIME(t);

    struct mode *one = model_mode(model, "one");
    model->M[0][0] = model->M[1][1] = EQ(m);
    model->M[2][2] = EQ(1);
    model->F[1] = EQ(-m*10);
    model_constraint(model, EQ(x*sin(w*t) - y*cos(w*t)));
    one->velocity_level[model_constraint(model, EQ(vr - vx*cos(x)))] = true;

    struct event *hit = model_event(model, "hit", one, one, EQ(x - 2), RISING);
    event_impulse(hit, EQ(x), EQ(e));
    event_impulse_joints(hit);
    struct event *turn = model_event(model, "turn", one, one, EQ(vx), FALLING);
    turn->v_plus[0] = EQ(-e*vx);
    event_constrain_velocity(turn);
}

static const struct native_case bead = {.name = "bead", .record = record};

/* w t = pi/3, on the line at distance 3, sliding outwards with speed 2; r' = x' cos x */
static struct native_point *bead_point(void)
{
    struct native_point *point = native_point_of(&bead);
    quad t = 2, angle = QUAD_PI / 3;
    quad_complex w = nudged(angle / t), c = ccosf128(w * t), s = csinf128(w * t);
    point->x[NATIVE_T][0] = t;
    point->x[NATIVE_RHO][0] = w;
    point->x[NATIVE_RHO][1] = (quad)1 / 2;
    point->x[NATIVE_RHO][2] = 3;
    point->x[NATIVE_Q][0] = 3 * c;
    point->x[NATIVE_Q][1] = 3 * s;
    point->x[NATIVE_V][0] = 2 * c - 3 * w * s;
    point->x[NATIVE_V][1] = 2 * s + 3 * w * c;
    point->x[NATIVE_V][2] = point->x[NATIVE_V][0] * ccosf128(point->x[NATIVE_Q][0]);
    return point;
}

Test(native_constraint, differences_of_order_eight_give_gamma_to_26_digits)
{
    struct native_point *point = bead_point();
    struct native_rows rows = {0, -1, 0};
    quad_complex gamma[NATIVE_ROWS], Phid[NATIVE_ROWS], Phi_q[NATIVE_ROWS * 3];
    quad_complex w = point->x[NATIVE_RHO][0], t = point->x[NATIVE_T][0];
    quad_complex *q = point->x[NATIVE_Q], *v = point->x[NATIVE_V];
    quad_complex c = ccosf128(w * t), s = csinf128(w * t);
    cr_assert_eq(native_jacobian(point, rows, Phi_q), 2);
    native_gamma(point, rows, gamma);
    native_Phid(point, rows, Phid);
    cr_expect_gt(digits(Phi_q[0], s), 28);
    cr_expect_gt(digits(Phi_q[1], -c), 28);
    cr_expect_gt(digits(Phi_q[3], -ccosf128(q[0])), 28);
    cr_expect_gt(digits(Phi_q[5], 1), 28);
    cr_expect_gt(digits(Phid[0], 0), 28);
    cr_expect_gt(digits(Phid[1], 0), 28);
    quad_complex expected = 2 * w * (c * v[0] + s * v[1]) - w * w * (s * q[0] - c * q[1]);
    cr_expect_gt(digits(gamma[0], expected), 26);
    cr_expect_gt(digits(gamma[1], v[0] * v[0] * csinf128(q[0])), 26);
    native_point_free(point);
}

Test(native_constraint, motion_satisfies_newton_and_the_constraints)
{
    struct native_point *point = bead_point();
    quad_complex *x = point->x[NATIVE_Q], *a = point->x[NATIVE_A];
    quad_complex *v = point->x[NATIVE_V], *lambda = point->x[NATIVE_LAMBDA];
    quad_complex w = point->x[NATIVE_RHO][0], m = point->x[NATIVE_RHO][2];
    quad_complex c = ccosf128(w * point->x[NATIVE_T][0]);
    quad_complex s = csinf128(w * point->x[NATIVE_T][0]);
    cr_assert(native_motion(point, 0));
    cr_assert_eq(point->m, 2);
    cr_expect_gt(digits(m * a[0] + s * lambda[0] - ccosf128(x[0]) * lambda[1], 0), 26);
    cr_expect_gt(digits(m * a[1] - c * lambda[0] + 10 * m, 0), 26);
    cr_expect_gt(digits(a[2] + lambda[1], 0), 26);
    /* the wheel: r'' = x'' cos x - x'^2 sin x */
    cr_expect_gt(digits(a[2], a[0] * ccosf128(x[0]) - v[0] * v[0] * csinf128(x[0])), 26);
    native_point_free(point);
}

Test(native_constraint, resets_keep_the_constraints_and_turn_what_they_should)
{
    struct native_point *point = bead_point();
    struct native_rows rows = {0, -1, 0};
    quad_complex Phid[NATIVE_ROWS], before = point->x[NATIVE_V][0];
    for (int event = 0; event < 2; event++) {
        cr_assert(native_reset(point, event));
        cr_expect_eq(point->impulses, event == 0 ? 3 : 0);
        struct native_point *after = native_point_like(point);
        for (int i = 0; i < 3; i++)
            after->x[NATIVE_V][i] = point->x[NATIVE_V_PLUS][i];
        native_Phid(after, rows, Phid);
        cr_expect_gt(digits(Phid[0], 0), 26);
        cr_expect_gt(digits(Phid[1], 0), 26);
        cr_expect_gt(digits(point->x[NATIVE_V_PLUS][0], -before / 2), 28);
        cr_expect_eq((double)quad_real(point->x[NATIVE_Q_PLUS][1] -
                                       point->x[NATIVE_Q][1]),
                     0);
        native_point_free(after);
    }
    native_point_free(point);
}

/* --- states that move --------------------------------------------------------------- */

/* A rope that its load lets out, L' = c vy + L/10 + x, stopped and turned by events. */
static void record_reel(struct model *model)
{
    COORDINATES(x, y);
    AUXILIARY(L);
    PARAMETERS(c, e);

    struct mode *one = model_mode(model, "one");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[1] = EQ(-10);
    model_constraint(model, EQ((x*x + y*y - L*L)/2));
    one->f_s[0] = EQ(c*vy + L/10 + x);

    struct event *hit = model_event(model, "hit", one, one, EQ(x - L/5), FALLING);
    event_impulse(hit, EQ(x - L/5), EQ(e));
    event_impulse_joints(hit);
    struct event *turn = model_event(model, "turn", one, one, EQ(vx), FALLING);
    turn->v_plus[0] = EQ(-e*vx);
    event_constrain_velocity(turn);
}

static const struct native_case reel = {.name = "reel", .record = record_reel};

static struct native_point *reel_point(quad_complex *rate)
{
    struct native_point *point = native_point_of(&reel);
    quad_complex *q = point->x[NATIVE_Q], *v = point->x[NATIVE_V], c = nudged(0.25);
    quad_complex L = 1;
    point->x[NATIVE_RHO][0] = c;
    point->x[NATIVE_RHO][1] = 0.5;
    point->x[NATIVE_S][0] = L;
    q[0] = 0.6;
    q[1] = -csqrtf128(L * L - q[0] * q[0]);
    v[0] = -0.7;
    /* x vx + y vy = L L' */
    v[1] = (L * (L / 10 + q[0]) - q[0] * v[0]) / (q[1] - L * c);
    *rate = c * v[1] + L / 10 + q[0];
    return point;
}

Test(native_constraint, a_state_in_a_constraint_moves_along_its_own_path)
{
    quad_complex rate, gamma[NATIVE_ROWS], Phid[NATIVE_ROWS], Phi_q[NATIVE_ROWS * 2];
    quad_complex Phid_v[NATIVE_ROWS * 2];
    struct native_point *point = reel_point(&rate);
    struct native_rows rows = {0, -1, 0};
    quad_complex *q = point->x[NATIVE_Q], *v = point->x[NATIVE_V];
    quad_complex *a = point->x[NATIVE_A];
    quad_complex L = point->x[NATIVE_S][0], c = point->x[NATIVE_RHO][0];
    native_jacobian(point, rows, Phi_q);
    native_velocity_jacobian(point, rows, Phi_q, Phid_v);
    native_gamma(point, rows, gamma);
    native_Phid(point, rows, Phid);
    cr_expect_gt(digits(Phid[0], 0), 27);
    cr_expect_gt(digits(Phi_q[1], q[1]), 27);
    cr_expect_gt(digits(Phid_v[0], q[0]), 27);
    cr_expect_gt(digits(Phid_v[1], q[1] - L * c), 27);
    quad_complex bend = rate / 10 + v[0];       /* L'' without accelerations */
    quad_complex want = v[0] * v[0] + v[1] * v[1] - rate * rate - L * bend;
    cr_expect_gt(digits(gamma[0], want), 26);
    cr_assert(native_motion(point, 0));
    cr_expect_gt(digits(Phid_v[0] * a[0] + Phid_v[1] * a[1] + gamma[0], 0), 26);
    cr_expect_gt(digits(a[0] * q[1] - (a[1] + 10) * q[0], 0), 26);  /* along Phi_q' */
    native_point_free(point);
}

Test(native_constraint, resets_know_that_rates_of_states_follow_velocities)
{
    quad_complex rate, Phid[NATIVE_ROWS];
    struct native_point *point = reel_point(&rate);
    for (int event = 0; event < 2; event++) {
        cr_assert(native_reset(point, event));
        struct native_point *after = native_point_like(point);
        for (int i = 0; i < 2; i++)
            after->x[NATIVE_V][i] = point->x[NATIVE_V_PLUS][i];
        native_Phid(after, (struct native_rows){0, -1, 0}, Phid);
        cr_expect_gt(digits(Phid[0], 0), 26);
        if (event == 1)
            cr_expect_gt(digits(after->x[NATIVE_V][0], -point->x[NATIVE_V][0] / 2), 27);
        native_point_free(after);
    }
    native_point_free(point);
}
