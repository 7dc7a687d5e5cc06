/*
 * test_reference_admissible.c - dependent constraints that contradict each other, at a
 * point or for neighbouring parameters, and a rank that changes: refused by name.
 */
#include "case.h"

#include "referring.h"

/* A pendulum with its length stated twice, as l and as b. */
static void record_twice(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l, b, x0);
    NOMINAL(l, 1, "m", "length");
    NOMINAL(b, 1, "m", "length");
    NOMINAL(x0, 0.6, "m", "initial position");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[1] = EQ(-10);
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    model->Phi[1] = EQ(x*x + y*y - b*b);
    model->q0[0] = EQ(x0);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1);
}
CASE(test_twice, .name = "test-twice", .record = record_twice);

static void only_parameter(struct referring *r, int index)
{
    r->request.parameters = 1;
    r->parameter[0] = index;
}

Test(reference_admissible, a_direction_without_motion_is_inadmissible)
{
    struct referring r;
    referring_of_case(&r, &case_test_twice, 40);
    only_parameter(&r, 0);
    refer_refused(&r, INADMISSIBLE, "parameter l");
    only_parameter(&r, 1);
    refer_refused(&r, INADMISSIBLE, "parameter b");

    struct mp_trajectory *t, *none;
    only_parameter(&r, 0);
    cr_expect_neq(reference_difference(&r.request, false, 2, &none, &r.diagnosis), OK);

    /* the start may be moved: lambda of the second row is twice that of the first */
    static const char *const early[] = {"0.3"};
    only_parameter(&r, 2);
    r.request.samples = 1;
    r.request.sample = early;
    t = refer(&r);
    mpfr_t two;
    mpfr_init2(two, t->precision);
    mpfr_set_ui(two, 2, MPFR_RNDN);
    for (int j = -1; j < 1; j++) {
        const struct mp_point *at = &t->sample[0];
        mpfr_srcptr f[1][2] = {{two, number_at(t, at, GROUP_LAMBDA, 0, j)}};
        double digits = digits_of_sum(number_at(t, at, GROUP_LAMBDA, 1, j), 1, f);
        cr_expect_gt(digits, 38, "%.1f digits", digits);
    }
    mpfr_clear(two);
    mp_trajectory_free(t);
    referring_end(&r);
}

Test(reference_admissible, constraints_that_contradict_each_other_are_refused)
{
    static const char *const value[] = {NULL, "1.1", NULL};
    struct referring r;
    referring_of_case(&r, &case_test_twice, 40);
    r.request.value = value;
    r.request.parameters = 0;
    refer_refused(&r, UNREACHABLE, "|Phi|");
    referring_end(&r);
}

/* More left open than there are independent constraints. */
static void record_open(struct model *model)
{
    record_twice(model);
    model->q0[0] = (formula){NULL, 0};
    model->q_guess[0] = EQ(0.5);
}
CASE(test_open, .name = "test-open", .record = record_open);

Test(reference_admissible, as_many_coordinates_are_open_as_constraints_are_independent)
{
    struct referring r;
    referring_of_case(&r, &case_test_open, 40);
    refer_refused(&r, RANK_LOSS, "coordinates");
    referring_end(&r);
}

/* --- singular configurations -------------------------------------------------------- */

/* Two parabolas that touch: through the origin, but with which acceleration? */
static void record_touching(struct model *model)
{
    COORDINATES(x, y);
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->Phi[0] = EQ(y - x*x);
    model->Phi[1] = EQ(y - 2*x*x);
    model->q0[0] = model->q0[1] = EQ(0);
    model->v0[0] = EQ(1);
    model->v0[1] = EQ(0);
    model->t_end = EQ(1);
}
CASE(test_touching, .name = "test-touching", .record = record_touching);

/* y = 0 and x z = 0: at the start, where both branches meet, one of the rows is enough */
static void record_branching(struct model *model)
{
    COORDINATES(x, y, z);
    model->M[0][0] = model->M[1][1] = model->M[2][2] = EQ(1);
    model->F[0] = EQ(-x);
    model->Phi[0] = EQ(y);
    model->Phi[1] = EQ(y + x*z);
    model->q0[0] = model->q0[1] = model->q0[2] = EQ(0);
    model->v0[0] = EQ(1);
    model->v0[1] = model->v0[2] = EQ(0);
    model->t_end = EQ(100);
}
CASE(test_branching, .name = "test-branching", .record = record_branching);

Test(reference_admissible, a_rank_that_changes_is_rank_loss)
{
    struct referring r;
    referring_of_case(&r, &case_test_touching, 40);
    refer_refused(&r, RANK_LOSS, "no acceleration");
    referring_end(&r);
    referring_of_case(&r, &case_test_branching, 40);
    refer_refused(&r, RANK_LOSS, "but 2 right after");
    referring_end(&r);
}

/* --- events ------------------------------------------------------------------------- */

/* A ball that falls on a floor which rises with c and, stated once more, with d, and
   sticks to it. */
static void record_floor(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(c, d, vx0);
    TIME(t);
    NOMINAL(c, 0.5, "m/s", "velocity of the floor");
    NOMINAL(d, 0.5, "m/s", "velocity of the floor");
    NOMINAL(vx0, 1, "m/s", "initial velocity");
    struct mode *falling = model_mode(model, "falling"), *stuck = NULL;
    for (int k = 0; k < 2; k++) {
        model->M[0][0] = model->M[1][1] = EQ(1);
        model->F[1] = EQ(-10);
        if (k == 0)
            stuck = model_mode(model, "stuck");
    }
    model->Phi[0] = EQ(y - c*t);
    model->Phi[1] = EQ(3*(y - d*t));
    struct event *hit = model_event(model, "hit", falling, stuck, EQ(y - c*t), FALLING);
    hit->v_plus[0] = EQ(vx/2);
    event_constrain_velocity(hit);
    model->q0[1] = EQ(1);
    model->v0[0] = EQ(vx0);
    model->t_end = EQ(2);
}
CASE(test_floor, .name = "test-floor", .record = record_floor);

Test(reference_admissible, a_reset_into_dependent_constraints_takes_independent_rows)
{
    static const char *const apart[] = {NULL, "0.6", NULL};
    struct referring r;
    referring_of_case(&r, &case_test_floor, 40);
    cr_expect_eq(r.model->event[0]->rows, r.model->event[0]->w + 1);
    only_parameter(&r, 2);
    struct mp_trajectory *t = refer(&r);
    cr_assert_eq(t->events, 1);
    mpfr_srcptr vy = number_at(t, &t->event[0].after, GROUP_V, 1, -1);
    mpfr_srcptr dvx = number_at(t, &t->event[0].after, GROUP_V, 0, 0);
    cr_expect_eq(mpfr_cmp_d(vy, 0.5), 0);
    cr_expect_eq(mpfr_cmp_d(dvx, 0.5), 0);
    mp_trajectory_free(t);

    only_parameter(&r, 1);
    refer_refused(&r, INADMISSIBLE, "cannot follow d");
    r.request.parameters = 0;
    r.request.value = apart;
    refer_refused(&r, INCONSISTENT, "contradict each other");
    referring_end(&r);
}
