/*
 * test_invariants.c - what the reference checks in every run, and that the checks
 * can fail.
 */
#include <criterion/criterion.h>

#include "case.h"
#include "mechanisms/catalogue.h"
#include "reference.h"
#include "sampling.h"

/* A reference run without sensitivities at 30 digits. */
static struct mp_trajectory *run_values(const struct case_desc *desc,
                                        struct model **model)
{
    struct diagnosis diagnosis;
    struct mp_trajectory *out;
    *model = model_new(desc, &diagnosis);
    cr_assert_not_null(*model, "%s", diagnosis.place);
    struct reference_request request = {
        .model = *model, .truth = {.variant = "exact"}, .digits = 30};
    enum status status = reference_run(&request, &out, &diagnosis);
    cr_assert_eq(status, OK, "%s: %s: %s", desc->name, status_text(status),
                 diagnosis.place);
    return out;
}

Test(invariants, hold_on_every_case_of_the_catalogue)
{
    struct sampling *sampling = sampling_new(has_motion);
    for (int k = 0; catalogue[k]; k++) {
        struct model *model;
        if (!sampling_has(sampling, catalogue[k]))
            continue;
        struct mp_trajectory *t = run_values(catalogue[k], &model);
        cr_expect_leq(t->worst_Phi, 1e-25, "%s", catalogue[k]->name);
        cr_expect_leq(t->worst_Phid, 1e-25, "%s", catalogue[k]->name);
        cr_expect_leq(t->worst_energy, 1e-25, "%s", catalogue[k]->name);
        cr_expect_leq(t->worst_balance, 1e-25, "%s", catalogue[k]->name);
        mp_trajectory_free(t);
        model_free(model);
    }
    sampling_free(sampling);
}

/* A ball of mass m that is said to have `kinetic` times its kinetic energy. */
static void ball(struct model *model, const char *kinetic)
{
    COORDINATES(y);
    PARAMETERS(m, g, e);
    NOMINAL(m, 2, "kg", "mass");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(e, 0.75, "1", "coefficient of restitution");
    model->M[0][0] = EQ(m);
    model->F[0] = EQ(-m*g);
    model->energy = add(mul(constant(model->tape, kinetic), EQ(m*vy*vy/2)), EQ(m*g*y));
    struct event *impact = model_event(model, "impact", model->pen, model->pen, EQ(y),
                                       FALLING);
    impact->v_plus[0] = EQ(-e*vy);
    model->q0[0] = EQ(1);
    model->t_end = EQ(1);
}

static void record_right(struct model *model)
{
    ball(model, "1");
}

static void record_wrong(struct model *model)
{
    ball(model, "1.000001");
}

Test(invariants, of_energy_fail_when_bodies_and_mass_matrix_disagree)
{
    static const struct case_desc right = {.name = "right", .record = record_right};
    static const struct case_desc wrong = {.name = "wrong", .record = record_wrong};
    struct model *model;
    struct mp_trajectory *t = run_values(&right, &model);
    cr_expect_leq(t->worst_energy, 1e-25);
    cr_expect_leq(t->worst_balance, 1e-25);
    mp_trajectory_free(t);
    model_free(model);
    t = run_values(&wrong, &model);
    cr_expect_gt(t->worst_energy, 1e-8);
    cr_expect_gt(t->worst_balance, 1e-8);
    mp_trajectory_free(t);
    model_free(model);
}

/* A satellite on a rod of 1e8 m, at 1e8 m/s: terms of Phi are of 1e16. */
static void record_far_away(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(L, w);
    NOMINAL(L, 123456789, "m", "length");
    NOMINAL(w, 1.3, "1/s", "angular velocity");
    model_mode(model, "only");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[1] = EQ(-w*w*L/3);
    model->Phi[0] = EQ((x*x + y*y - L*L)/2);
    model->q0[0] = EQ(L*3/5);
    model->q_guess[1] = EQ(L);
    model->v0[0] = EQ(w*L);
    model->t_end = EQ(1);
}

Test(invariants, of_constraints_are_measured_by_their_terms)
{
    static const struct case_desc far_away = {.name = "far", .record = record_far_away};
    struct model *model;
    struct mp_trajectory *t = run_values(&far_away, &model);
    cr_expect_leq(t->worst_Phi, 1e-28);
    cr_expect_leq(t->worst_Phid, 1e-28);
    mp_trajectory_free(t);
    model_free(model);
}
