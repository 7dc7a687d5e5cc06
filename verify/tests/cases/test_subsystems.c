/*
 * test_subsystems.c - coordinates that no equation of motion has together are measured by
 * themselves: what is small beside them keeps its digits, and its chaos is told.
 */
#include "case.h"
#include "oracles/oracle.h"
#include "solving.h"

TestSuite(subsystems, .timeout = 120);

/* --- which they are ----------------------------------------------------------------- */

static const char *force;       /* on the first of four coordinates */

static void record_four(struct model *model)
{
    COORDINATES(a, b, c, d);
    AUXILIARY(s);
    MULTIPLIERS(pull);
    PARAMETERS(k);
    NOMINAL(k, 1, "N/m", "stiffness of all springs");
    for (int i = 0; i < 4; i++)
        model->M[i][i] = EQ(1);
    model->F[0] = model_read(model, force, __FILE__, __LINE__);
    model->F[1] = EQ(-k*b);
    model->F[2] = EQ(-k*c);
    model->F[3] = EQ(-k*d);
    model->f_s[0] = EQ(vc);
    model_constraint(model, EQ(b - k));
    for (int i = 0; i < 4; i++) {
        model->q0[i] = i == 1 ? EQ(k) : EQ(0*k);
        model->v0[i] = EQ(0*k);
    }
    model->t_end = EQ(1);
}

static void expect_subsystems(const char *text, int count, const int *want)
{
    const struct case_desc desc = {.name = "four", .record = record_four};
    struct diagnosis diagnosis;
    int begin[5];
    force = text;
    struct model *model = model_new(&desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    cr_assert_eq(model_subsystems(model, begin), count, "%s", text);
    for (int k = 0; k <= count; k++)
        cr_expect_eq(begin[k], want[k], "%s: %d begins at %d", text, k, begin[k]);
    model_free(model);
}

Test(subsystems, are_what_no_equation_of_motion_has_together)
{
    expect_subsystems("-k*a", 4, (const int[]){0, 1, 2, 3, 4});
    expect_subsystems("-k*va", 4, (const int[]){0, 1, 2, 3, 4});
    expect_subsystems("-k*(a - vb)", 3, (const int[]){0, 2, 3, 4});
    expect_subsystems("-k*(a - d)", 1, (const int[]){0, 4});
    expect_subsystems("-k*s", 2, (const int[]){0, 3, 4});
    expect_subsystems("-k*pull", 3, (const int[]){0, 2, 3, 4});
}

/* --- digits ------------------------------------------------------------------------- */

/* A spring of a micrometre beside what flies past the Moon in two minutes. */
static void record_mixed(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(w, u, h);
    NOMINAL(w, 40, "1/s", "angular frequency of the spring");
    NOMINAL(u, 3e6, "m/s", "speed beside it");
    NOMINAL(h, 1e-6, "m", "amplitude");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->F[0] = EQ(-0.001*vx);
    model->F[1] = EQ(-w*w*y);
    model->q0[0] = EQ(0*u);
    model->v0[0] = EQ(u);
    model->q0[1] = EQ(h);
    model->v0[1] = EQ(0*u);
    model->t_end = EQ(2);
}

/* y and dy/dw at the samples, against h cos(w t) and -h t sin(w t). */
static void expect_digits(const struct solving *s, const struct trajectory *trajectory,
                          double rtol)
{
    double w = s->value[0], h = s->value[2];
    int y = column(&trajectory->columns, GROUP_Q, 1, -1);
    int by_w = column(&trajectory->columns, GROUP_Q, 1, 0);
    for (int k = 0; k < trajectory->samples; k++) {
        double t = trajectory->sample[k].t;
        const double *x = trajectory->sample[k].x;
        cr_expect_lt(fabs(x[y] - h * cos(w * t)), 100 * rtol * h, "y at %g", t);
        cr_expect_lt(fabs(x[by_w] + h * t * sin(w * t)), 100 * rtol * h * 2,
                     "dy/dw at %g", t);
    }
}

Test(subsystems, are_held_to_the_tolerance_each)
{
    struct solving s;
    solving_of_record(&s, "mixed", record_mixed, "ode");
    for (double rtol = 1e-6; rtol > 1e-12; rtol /= 100) {
        struct trajectory *judge;
        s.request.rtol = rtol;
        s.request.atol = 0;
        struct trajectory *trajectory = solve(&s);
        expect_digits(&s, trajectory, rtol);
        trajectory_free(trajectory);
        cr_assert_eq(complex_step_run(&s.request, &judge, &s.diagnosis), OK, "%s",
                     s.diagnosis.place);
        expect_digits(&s, judge, rtol);
        trajectory_free(judge);
    }
    solving_end(&s);
}

/* --- growth ------------------------------------------------------------------------- */

/* A pendulum that falls from its upright position beside something heavy and fast: of y
   no digit is left at the end, whatever x may be. */
static void record_falling(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(w, u);
    NOMINAL(w, 8, "1/s", "rate at which errors of y grow");
    NOMINAL(u, 3e9, "m/s", "speed beside it");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->F[0] = EQ(-0.001*vx);
    model->F[1] = EQ(w*w*sin(y));
    model->q0[0] = EQ(0*u);
    model->v0[0] = EQ(u);
    model->q0[1] = EQ(1e-9 + 0*u);
    model->v0[1] = EQ(-8e-9 + 0*u);
    model->t_end = EQ(4);
}

Test(subsystems, tell_their_growth_each)
{
    struct solving s;
    struct trajectory *trajectory;
    solving_of_record(&s, "falling", record_falling, "ode");
    s.request.rtol = 1e-9;
    s.request.atol = 0;
    enum status status = run_once(&s.request, &trajectory, &s.diagnosis);
    cr_expect(status == NO_DIGITS || (status == OK && trajectory->growth.digits < 0),
              "%s, %g digits", status_text(status), trajectory->growth.digits);
    trajectory_free(trajectory);
    solving_end(&s);
}
