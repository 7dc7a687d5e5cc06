/*
 * test_reference_policy.c - what an event that adds constraints does to the velocities of
 * a penalty motion: an impulse, or nothing.
 *
 * With v+ = v- (Corner et al. 2019, Theorem 8) and xi = 1, the constraint obeys
 * Phidd + 2 omega Phid + omega^2 Phi = lambda/alpha from Phi = 0, Phid = Phid0:
 *
 *     Phid = Phid0 (1 - omega s) exp(-omega s) + O(1/alpha),     s = t - t_e
 *
 * which does not vanish as alpha grows.
 */
#include "case.h"

#include "referring.h"

#include <math.h>
#include <stdlib.h>

#include "motion/reference_motion.h"

enum { SAMPLES = 3 };
static const char *const sample[SAMPLES] = {"0.45", "0.55", "0.65"};

static void begin(struct referring *r, enum reset_policy policy, const char *alpha,
                  int digits)
{
    struct diagnosis diagnosis;
    struct model *model = model_new_with(case_find("rope-catch"), policy, &diagnosis);
    referring_of_model(r, model, digits);
    r->request.truth = (struct truth){"penalty", alpha, "20", "100",
                                      reset_policy_text[policy]};
    r->request.samples = SAMPLES;
    r->request.sample = sample;
}

static double in_double(const struct mp_trajectory *t, const struct mp_point *point,
                        enum column_group group, int i)
{
    return mpfr_get_d(number_at(t, point, group, i, -1), MPFR_RNDN);
}

static double Phid(const struct mp_trajectory *t, const struct mp_point *point)
{
    return in_double(t, point, GROUP_Q, 0) * in_double(t, point, GROUP_V, 0) +
           in_double(t, point, GROUP_Q, 1) * in_double(t, point, GROUP_V, 1);
}

/* |Phid| at a sample relative to the law above, less 1; impulsive: to Phid0 alone. */
static double residue(enum reset_policy policy, const char *alpha, int k)
{
    const double omega = 10;
    struct referring r;
    begin(&r, policy, alpha, 25);
    r.request.parameters = 0;
    struct mp_trajectory *t = refer(&r);
    double start = Phid(t, &t->event[0].before);
    double s = mpfr_get_d(t->sample[k].t, MPFR_RNDN) -
               mpfr_get_d(t->event[0].before.t, MPFR_RNDN);
    double law = policy == RESET_IMPULSIVE ? 1 : (1 - omega * s) * exp(-omega * s);
    double relative = Phid(t, &t->sample[k]) / (start * law);
    mp_trajectory_free(t);
    referring_end(&r);
    return policy == RESET_IMPULSIVE ? relative : relative - 1;
}

Test(reference_policy, continuous_Phid_decays_with_omega_whatever_alpha_is)
{
    for (int k = 0; k < SAMPLES; k++) {
        double coarse = fabs(residue(RESET_CONTINUOUS, "1e5", k));
        double fine = fabs(residue(RESET_CONTINUOUS, "1e7", k));
        cr_expect_lt(coarse, 0.01, "alpha 1e5, t = %s: off the law by %.3g", sample[k],
                     coarse);
        cr_expect_lt(fine, 1e-4, "alpha 1e7, t = %s: off the law by %.3g", sample[k],
                     fine);
        cr_expect_float_eq(log10(coarse / fine), 2, 0.1, "order %.3f in 1/alpha",
                           log10(coarse / fine) / 2);
        /* with the impulse all of it is of order 1/alpha */
        double order = log10(residue(RESET_IMPULSIVE, "1e5", k) /
                             residue(RESET_IMPULSIVE, "1e7", k)) / 2;
        cr_expect_float_eq(order, 1, 0.05, "impulsive: order %.3f", order);
    }
}

Test(reference_policy, velocities_do_not_jump_where_the_rope_becomes_taut_but_at_the_wall)
{
    struct referring r;
    begin(&r, RESET_CONTINUOUS, "1e5", 40);
    struct mp_trajectory *t = refer(&r);
    cr_assert_eq(t->events, 3);
    cr_expect_str_eq(t->event[0].event->name, "tighten");
    for (int i = 0; i < 2; i++) {
        const struct mp_event *event = &t->event[0];
        cr_expect(mpfr_equal_p(number_at(t, &event->before, GROUP_V, i, -1),
                               number_at(t, &event->after, GROUP_V, i, -1)) != 0);
    }
    for (int e = 1; e < 3; e++) {
        const struct mp_event *event = &t->event[e];
        double before = in_double(t, &event->before, GROUP_V, 0);
        double after = in_double(t, &event->after, GROUP_V, 0);
        cr_expect_str_eq(event->event->name, "wall");
        cr_expect_float_eq(after, -0.7 * before, 1e-15);
        double left = Phid(t, &event->after);   /* the rope is a joint of the impact */
        cr_expect_lt(fabs(left), 1e-15, "Phid = %.3g after the wall", left);
    }
    mp_trajectory_free(t);
    referring_end(&r);
}

/* Differences of 45 digits leave 30, less the condition. */
Test(reference_policy, both_routes_agree_on_the_continuous_motion)
{
    char where[100];
    struct referring r;
    begin(&r, RESET_CONTINUOUS, "1e5", 45);
    double digits = variational_against_differences(&r, where, sizeof where);
    cr_expect_gt(digits, 22, "%.1f digits at %s", digits, where);
    referring_end(&r);
}

/* --- keys and refusals -------------------------------------------------------------- */

Test(reference_policy, the_exact_motion_and_another_policy_than_the_models_are_bad_input)
{
    struct referring r;
    begin(&r, RESET_CONTINUOUS, "1e5", 30);
    r.request.truth = (struct truth){.variant = "exact", .reset = "continuous"};
    refer_refused(&r, BAD_INPUT, "penalty motion");
    r.request.truth = (struct truth){"penalty", "1e5", "20", "100", NULL};
    refer_refused(&r, BAD_INPUT, "continuous");
    referring_end(&r);
    begin(&r, RESET_IMPULSIVE, "1e5", 30);
    r.request.truth.reset = "continuous";
    refer_refused(&r, BAD_INPUT, "impulsive");
    referring_end(&r);
}

/* The names of impulsive files are those they had before there was a policy. */
Test(reference_policy, certified_values_are_kept_apart_by_their_policy)
{
    char path[2][600];
    struct certificate *c;
    struct diagnosis diagnosis;
    struct referring r[2];
    for (int k = 0; k < 2; k++) {
        begin(&r[k], (enum reset_policy)k, "1e5", 30);
        cr_assert(certified_path(r[k].model, &r[k].request.truth, path[k],
                                 sizeof path[k]), "%s is missing", path[k]);
    }
    cr_expect_not_null(strstr(path[RESET_IMPULSIVE], "rope-catch.penalty-173b3c49.ref"));
    cr_expect_str_neq(path[0], path[1]);
    for (int file = 0; file < 2; file++)
        for (int k = 0; k < 2; k++) {
            enum status status = certificate_read(path[file], r[k].model, &c,
                                                  &diagnosis);
            cr_expect_eq(status, file == k ? OK : BAD_INPUT);
            if (status == OK)
                cr_expect_str_eq(c->reset, reset_policy_text[k]);
            else
                cr_expect_not_null(strstr(diagnosis.place, "resets"));
            certificate_free(c);
        }
    /* the rigid mechanism is what both have a gap to */
    const struct truth exact = {.variant = "exact"};
    certified_path(r[1].model, &exact, path[0], sizeof path[0]);
    cr_expect_eq(certificate_read(path[0], r[1].model, &c, &diagnosis), OK);
    certificate_free(c);
    referring_end(&r[0]);
    referring_end(&r[1]);
}

/* --- models ------------------------------------------------------------------------- */

Test(reference_policy, events_that_add_no_constraints_keep_their_impulses)
{
    const int impulses[2][2] = {{1, 2}, {0, 2}};
    for (int k = 0; k < 2; k++) {
        struct model *model = model_new_with(case_find("rope-catch"),
                                             (enum reset_policy)k, NULL);
        cr_assert_not_null(model);
        for (int e = 0; e < 2; e++)
            cr_expect_eq(model->event[e]->impulses, impulses[k][e]);
        cr_expect_eq(model->event[0]->velocity,
                     k == 0 ? VELOCITY_IMPULSIVE : VELOCITY_EXPLICIT);
        model_free(model);
    }
}

/* A contact of its own, and a joint that is added: only the contact acts. And a cost
   of the impulse of a joint, which there is none of. */
static bool with_contact;
static void record_dock(struct model *model)
{
    COORDINATES(x, y);
    IMPULSES(first);
    COSTS(blow);
    struct mode *open = model_mode(model, "open"), *closed = model_mode(model, "closed");
    for (int k = 0; k < 2; k++) {
        model->mode[k]->M[0][0] = EQ(1);
        model->mode[k]->M[1][1] = EQ(2);
    }
    model->Phi[0] = EQ(y);
    struct event *dock = model_event(model, "dock", open, closed, EQ(y), FALLING);
    if (with_contact)
        event_impulse(dock, EQ(x + y), EQ(0.5));
    event_impulse_joints(dock);
    dock->cost[0] = EQ(first);
    model->q0[1] = EQ(1);
    model->v0[1] = EQ(-1);
    model->t_end = EQ(2);
}
CASE(test_dock, .name = "test-dock", .record = record_dock);

Test(reference_policy, a_contact_keeps_its_impulse_and_a_cost_of_none_is_refused)
{
    struct diagnosis diagnosis;
    with_contact = true;
    struct model *model = model_new_with(&case_test_dock, RESET_CONTINUOUS, &diagnosis);
    cr_assert_not_null(model);
    cr_expect_eq(model->event[0]->impulses, 1);
    cr_expect_eq(model->event[0]->velocity, VELOCITY_IMPULSIVE);
    model_free(model);
    with_contact = false;
    cr_expect_null(model_new_with(&case_test_dock, RESET_CONTINUOUS, &diagnosis));
    cr_expect_eq(diagnosis.status, BAD_INPUT);
    cr_expect_not_null(strstr(diagnosis.place, "impulses"));
}
