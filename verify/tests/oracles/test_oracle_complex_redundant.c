/*
 * test_oracle_complex_redundant.c - complex step where constraints are dependent: which
 * multipliers it gives, with which derivatives, and what it refuses.
 */
#include "dependent_rows.h"

#include "solving.h"

#include <stdlib.h>
#include <string.h>

static struct trajectory *oracle(struct solving *s)
{
    struct trajectory *trajectory;
    enum status status = complex_step_run(&s->request, &trajectory, &s->diagnosis);
    cr_assert_eq(status, OK, "%s: complex step: %s: %s", s->request.formulation->name,
                 status_text(status), s->diagnosis.place);
    return trajectory;
}

static void refused(struct solving *s, enum status expected)
{
    struct trajectory *trajectory = NULL;
    enum status status = complex_step_run(&s->request, &trajectory, &s->diagnosis);
    cr_expect_eq(status, expected, "%s: expected %s, got %s: %s",
                 s->request.formulation->name, status_text(expected), status_text(status),
                 s->diagnosis.place);
    cr_expect_null(trajectory);
}

static void solving_of(struct solving *s, const struct case_desc *desc,
                       const char *formulation)
{
    solving_of_desc(s, desc->record ? desc : case_find(desc->name), formulation);
}

static void solving_of_mechanism(struct solving *s, const struct mechanism *of,
                                 bool plain, const char *formulation)
{
    solving_of(s, plain ? &of->plain_desc : &of->desc, formulation);
    for (int k = 0; of->parameter[0] && k < 2; k++) {
        s->parameter[k] = model_parameter_index(s->model, of->parameter[k]);
        s->request.parameters = 2;
    }
}

/* The parameter that is differentiated as number j. */
static double rho(const struct solving *s, int j)
{
    return s->value[s->request.parameter[j]];
}

/* --- what is compared --------------------------------------------------------------- */

/* What the mechanism with added rows must have there, from the plain one. */
static void expected(const struct mechanism *with, const struct trajectory *plain,
                     enum column_group group, int k, int j, double c, double *x)
{
    double value[MOST_COLUMNS], derivative[MOST_COLUMNS];
    load(plain, group, k, -1, value);
    load(plain, group, k, j < 0 ? 0 : j, derivative);
    if (group == GROUP_LAMBDA)
        split(with, c, j, value, derivative, x);
    else
        memcpy(x, j < 0 ? value : derivative, sizeof value);
}

/* Digits of one group, in units of its largest component. A derivative counts as no
   smaller than the value over rho: some are zero. */
static double digits(const struct mechanism *with, const struct solving *s,
                     const struct trajectory *got, const struct trajectory *plain,
                     enum column_group group, int k, int j)
{
    double have[MOST_COLUMNS], want[MOST_COLUMNS], value[MOST_COLUMNS];
    double size = 0, error = 0;
    int count = load(got, group, k, j, have);
    expected(with, plain, group, k, -1, rho(s, 0), value);
    expected(with, plain, group, k, j, rho(s, 0), want);
    for (int i = 0; i < count; i++) {
        size = fmax(size, fmax(fabs(want[i]), fabs(value[i]) / (j < 0 ? 1 : rho(s, j))));
        error = fmax(error, fabs(have[i] - want[i]));
    }
    return error > 0 ? -log10(error / size) : 17;
}

/* Least digits of q, v, a, lambda: at the start, and at any point, where errors of
   integration come in. */
static void least_digits_of(const struct mechanism *with, struct solving *s,
                            const struct trajectory *plain, double least[2])
{
    static const enum column_group group[] = {GROUP_Q, GROUP_V, GROUP_A, GROUP_LAMBDA};
    struct trajectory *got = oracle(s);
    cr_assert_eq(points(got), points(plain));
    least[0] = least[1] = 17;
    for (int k = 0; k < points(got); k++)
        for (int j = -1; j < s->request.parameters; j++)
            for (int g = 0; g < 4; g++) {
                double d = digits(with, s, got, plain, group[g], k, j);
                least[1] = fmin(least[1], d);
                least[0] = k == 0 ? fmin(least[0], d) : least[0];
            }
    for (int k = 0; k < got->events; k++)
        for (int j = 0; j < s->request.parameters; j++)
            cr_expect_float_eq(got->event[k].tau[j], plain->event[k].tau[j], 1e-11);
    trajectory_free(got);
}

/* Of one mechanism, in every formulation that has an answer. */
static void multipliers_of(const struct mechanism *with)
{
    static const struct { const char *formulation, *option; } least_norm[] = {
        {"index1", "minimum-norm"}, {"baumgarte", NULL}, {"augmented", "1e6"},
    };
    struct solving plain, s;
    solving_of_mechanism(&plain, with, true, "index1");
    struct trajectory *truth = oracle(&plain);
    for (size_t f = 0; f < sizeof least_norm / sizeof *least_norm; f++) {
        double least[2];
        solving_of_mechanism(&s, with, false, least_norm[f].formulation);
        if (least_norm[f].option)
            s.option[0] = least_norm[f].option;
        least_digits_of(with, &s, truth, least);
        cr_log_info("%s, %s: %.1f digits at the start, %.1f anywhere", with->desc.name,
                    least_norm[f].formulation, least[0], least[1]);
        /* a few units in the last place at the start, where nothing is integrated */
        cr_expect_geq(least[0], 14, "%s, %s", with->desc.name, least_norm[f].formulation);
        cr_expect_geq(least[1], with->digits, "%s, %s", with->desc.name,
                      least_norm[f].formulation);
        solving_end(&s);
    }
    trajectory_free(truth);
    solving_end(&plain);
}

Test(complex_redundant, multipliers_and_derivatives_are_of_least_norm)
{
    for (int i = 0; i < MECHANISMS; i++)
        multipliers_of(&mechanism[i]);
}

/* With alpha a number, lambda is alpha times the constraint rows, so multipliers of the
   added rows are T times those of the others. How far they are from that at any point,
   derivatives included, in units of the largest. */
static double error_of_shares(const struct mechanism *of, const struct solving *s,
                              const struct trajectory *t)
{
    struct dependence depend = of->depend(rho(s, 0));
    int r = of->plain;
    double size = 0, error = 0, x[MOST_COLUMNS], value[MOST_COLUMNS];
    for (int k = 0; k < points(t); k++)
        for (int j = -1; j < s->request.parameters; j++) {
            load(t, GROUP_LAMBDA, k, -1, value);
            load(t, GROUP_LAMBDA, k, j, x);
            for (int e = 0; e < of->extra; e++) {
                double share = x[r + e];
                for (int i = 0; i < r; i++) {
                    size = fmax(size, fabs(x[i]));
                    share -= depend.T[e * r + i] * x[i] +
                             (j == 0 ? depend.T_c[e * r + i] * value[i] : 0);
                }
                error = fmax(error, fabs(share));
            }
        }
    return error / size;
}

/* 1 / alpha does not magnify rounding errors of rows that agree; a matrix K_D that makes
   them disagree is heeded. */
Test(complex_redundant, a_penalty_shares_forces_among_dependent_rows_to_rounding)
{
    static const char *const K_D[] = {"25", "25,5,0,0,0,0,5,25,0,0,0,0,0,0,25,0,0,0,"
                                      "0,0,0,25,0,0,0,0,0,0,25,0,0,0,0,0,0,25"};
    const struct mechanism *five_bar = &mechanism[MECHANISMS - 1];
    for (int k = 0; k < 2; k++) {
        struct solving s;
        solving_of_mechanism(&s, five_bar, false, "modified-lagrange");
        s.option[1] = K_D[k];
        s.request.rtol = 1e-9;
        s.request.atol = 1e-12;
        struct trajectory *t = oracle(&s);
        double error = error_of_shares(five_bar, &s, t);
        cr_log_info("K_D number %d: %.1g", k, error);
        if (k == 0)
            cr_expect_leq(error, 1e-14);
        else
            cr_expect_geq(error, 1e-3);
        trajectory_free(t);
        solving_end(&s);
    }
}

/* --- impulses ----------------------------------------------------------------------- */

/* A pendulum that hits a wall, by impulses through the wall and through its joint, which
   are the costs. With `twice` the joint is there c times more. */
static void impact(struct model *model, bool twice)
{
    COORDINATES(x, y);
    PARAMETERS(c, l, e, m);
    COSTS(cost1, cost2, cost3);
    IMPULSES(p1, p2, p3);
    NOMINAL(c, 1.7, "1", "second joint over first");
    NOMINAL(l, 1.1, "m", "length");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(m, 2, "kg", "mass");
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = model->M[1][1] = EQ(m);
    model->F[1] = EQ(-9.81*m);
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    if (twice)
        model->Phi[1] = EQ(c*(x*x + y*y - l*l)/2);
    struct event *wall = model_event(model, "wall", swing, swing, EQ(x - 0.1), FALLING);
    event_impulse(wall, EQ(x), EQ(e));
    event_impulse_joints(wall);
    wall->cost[0] = EQ(p1);
    wall->cost[1] = EQ(p2);
    wall->cost[2] = twice ? EQ(p3) : EQ(0*p1);
    model->q0[0] = EQ(0.7*l);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1);
}

static void record_impact(struct model *model)
{
    impact(model, false);
}

static void record_impact_twice(struct model *model)
{
    impact(model, true);
}

static struct dependence of_joint(double c)
{
    return (struct dependence){.T = {0, c}, .T_c = {0, 1}};
}

Test(complex_redundant, impulses_and_their_derivatives_are_of_least_norm)
{
    static const struct mechanism with = {
        .desc = {.name = "impact-twice", .record = record_impact_twice},
        .plain_desc = {.name = "impact", .record = record_impact},
        .plain = 2, .extra = 1, .depend = of_joint};
    struct solving plain, s;
    solving_of_mechanism(&plain, &with, true, "index1");
    solving_of_mechanism(&s, &with, false, "baumgarte");
    struct trajectory *truth = oracle(&plain), *t = oracle(&s);
    cr_assert_eq(truth->events, 1);
    cr_assert_eq(t->events, 1);
    cr_expect_gt(fabs(truth->psi[1]), 0.01);
    for (int j = -1; j < s.request.parameters; j++) {
        double want[MOST_COLUMNS];
        split(&with, s.value[0], j, truth->psi, truth->psi + 3 * (j < 0 ? 0 : 1 + j),
              want);
        for (int i = 0; i < 3; i++)     /* impulses are of the size of m sqrt(g l) = 6 */
            cr_expect_float_eq(t->psi[3 * (1 + j) + i], want[i], 1e-12,
                               "impulse %d, derivative %d: %.17g, %.17g", i + 1, j,
                               t->psi[3 * (1 + j) + i], want[i]);
    }
    trajectory_free(truth);
    trajectory_free(t);
    solving_end(&plain);
    solving_end(&s);
}

/* --- refusals ----------------------------------------------------------------------- */

Test(complex_redundant, is_refused_where_the_formulation_refuses_it)
{
    static const char *const name[] = {"index1", "ode", "index3", "ggl", "implicit"};
    for (int i = 0; i < MECHANISMS; i++)
        for (size_t f = 0; f < sizeof name / sizeof *name; f++) {
            struct solving s;
            solving_of_mechanism(&s, &mechanism[i], false, name[f]);
            refused(&s, RANK_LOSS);
            solving_end(&s);
        }
}

Test(complex_redundant, rows_that_contradict_each_other_are_noticed)
{
    static const struct case_desc desc = {.name = "own-bar", .record = record_own_bar};
    struct solving s;
    solving_of(&s, &desc, "baumgarte");
    const char *const name[] = {"g", "l", "own"};
    for (int k = 0; k < 3; k++) {       /* no bar can change alone */
        int parameter = model_parameter_index(s.model, name[k]);
        s.request.parameters = 1;
        s.request.parameter = &parameter;
        if (k == 0)
            trajectory_free(oracle(&s));
        else
            refused(&s, INADMISSIBLE);
    }
    s.request.parameters = 0;
    s.value[model_parameter_index(s.model, "own")] = 1.25;      /* it does not fit in */
    refused(&s, UNREACHABLE);
    solving_end(&s);
}

/* All coordinates and velocities given, so nothing is left to solve for. */
static void record_given(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l, x0, v0);
    NOMINAL(l, 5, "m", "length");
    NOMINAL(x0, 3, "m", "initial position");
    NOMINAL(v0, 4, "m/s", "initial velocity");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    model->q0[0] = EQ(x0);
    model->q0[1] = EQ(sqrt(l*l - 9));
    model->v0[0] = EQ(v0);
    model->v0[1] = EQ(-0.75*v0);
    model->t_end = EQ(1);
}

Test(complex_redundant, a_start_given_in_full_must_hold_for_its_neighbours)
{
    static const struct case_desc desc = {.name = "given", .record = record_given};
    struct solving s;
    int parameter;
    solving_of(&s, &desc, "index1");
    s.request.parameters = 1;
    s.request.parameter = &parameter;
    parameter = model_parameter_index(s.model, "v0");
    trajectory_free(oracle(&s));
    parameter = model_parameter_index(s.model, "l");    /* Phid = 0 for l = 5 only */
    refused(&s, INCONSISTENT);
    parameter = model_parameter_index(s.model, "x0");   /* Phi = 0 for x0 = 3 only */
    refused(&s, INCONSISTENT);
    s.request.parameters = 0;
    s.value[parameter] = 3.01;
    refused(&s, INCONSISTENT);
    solving_end(&s);
}

/* Friction that depends on how the force is shared out among equal rows, against one that
   depends on the force alone. */
static void friction(struct model *model, const char *force)
{
    COORDINATES(x, y);
    PARAMETERS(mu, c);
    MULTIPLIERS(lambda1, lambda2);
    NOMINAL(mu, 0.1, "1", "coefficient of friction");
    NOMINAL(c, 2, "1", "second row over first");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[0] = mul(model_read(model, force, __FILE__, __LINE__), EQ(-mu));
    model->F[1] = EQ(-9.81);
    model->Phi[0] = EQ(y);
    model->Phi[1] = EQ(c*y);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(3);
    model->t_end = EQ(1);
}

static void record_friction_of_force(struct model *model)
{
    friction(model, "-(lambda1 + c*lambda2)");
}

static void record_friction_of_row(struct model *model)
{
    friction(model, "-lambda1");
}

Test(complex_redundant, friction_may_depend_on_what_the_constraints_determine)
{
    static const struct case_desc of_force = {.name = "of-force",
                                              .record = record_friction_of_force};
    static const struct case_desc of_row = {.name = "of-row",
                                            .record = record_friction_of_row};
    struct solving s;
    solving_of(&s, &of_force, "baumgarte");
    struct trajectory *t = oracle(&s);
    double g = 9.81, c = 2, mu = 0.1, norm = 1 + c * c;
    const double *x = t->sample[t->samples - 1].x;
    const struct columns *columns = &t->columns;
    /* lambda = -g (1, c) / (1 + c^2); x = 3 - mu g / 2 at t = 1 */
    cr_expect_float_eq(x[column(columns, GROUP_LAMBDA, 0, -1)], -g / norm, 1e-13);
    cr_expect_float_eq(x[column(columns, GROUP_LAMBDA, 1, -1)], -g * c / norm, 1e-13);
    cr_expect_float_eq(x[column(columns, GROUP_LAMBDA, 0, 1)], 2 * c * g / (norm * norm),
                       1e-13);
    cr_expect_float_eq(x[column(columns, GROUP_Q, 0, -1)], 3 - mu * g / 2, 1e-13);
    cr_expect_float_eq(x[column(columns, GROUP_Q, 0, 0)], -g / 2, 1e-13);
    cr_expect_float_eq(x[column(columns, GROUP_Q, 0, 1)], 0, 1e-13);
    trajectory_free(t);
    solving_end(&s);
    solving_of(&s, &of_row, "baumgarte");
    refused(&s, SINGULAR);
    solving_end(&s);
}
