/*
 * test_other_modes.c - multipliers of a mode named where another mode is in force.
 */
#include "case.h"
#include "solving.h"

TestSuite(other_modes, .timeout = 60);

/* A bead on a wire with friction of its multiplier, until it leaves the wire; its force
   names the multiplier there, too, which is zero then. */
static void record_leaving(struct model *model)
{
    COORDINATES(x, y);
    MULTIPLIERS(l);
    PARAMETERS(mu);
    NOMINAL(mu, 0.3, "1", "coefficient of friction");
    struct mode *on = model_mode(model, "on");
    model->M[0][0] = model->M[1][1] = EQ(1.5);
    model->F[0] = EQ(2.0 - mu*sqrt(l*l + 0.01));
    model->F[1] = EQ(-14.7);
    model_constraint(model, EQ(y - 0.2*x));
    struct mode *off = model_mode(model, "off");
    model->M[0][0] = model->M[1][1] = EQ(1.5);
    model->F[0] = EQ(2.0 - mu*sqrt(l*l + 0.01));
    model->F[1] = EQ(-14.7);
    model_event(model, "end", on, off, EQ(x - 0.1), EITHER);
    model->q0[0] = EQ(0.0);
    model->v0[0] = EQ(1.0);
    model->q_guess[1] = EQ(0.0);
    model->t_end = EQ(0.4);
}

Test(other_modes, forces_may_name_multipliers_that_another_mode_has)
{
    struct solving s;
    double x[2];
    for (int k = 0; formulations[k]; k++) {
        solving_of_record(&s, "leaving", record_leaving, formulations[k]->name);
        const char *why;
        if (!formulation_applies(formulations[k], s.model, &why)) {
            solving_end(&s);
            continue;
        }
        s.request.rtol = formulations[k]->kind == DAE ? 1e-9 : 1e-11;
        struct trajectory *trajectory = solve(&s);
        const struct run_point *end = &trajectory->sample[trajectory->samples - 1];
        cr_expect_str_eq(end->mode->name, "off");
        bool exact = formulations[k]->capabilities & KEEPS_CONSTRAINTS;
        for (int i = 0; i < 2 && exact; i++) {
            double now = end->x[trajectory->columns.begin[GROUP_Q] + i];
            x[i] = k == 0 ? now : x[i];
            cr_expect_float_eq(now, x[i], 1e-8, "%s: q[%d]", formulations[k]->name, i);
        }
        trajectory_free(trajectory);
        solving_end(&s);
    }
}
