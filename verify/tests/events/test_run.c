/*
 * test_run.c - laws of the hybrid solver over the whole catalogue.
 */
#include "solving.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/jump.h"
#include "faults/judged_rules.h"
#include "motion/samples.h"
#include "random_formulas.h"
#include "sampling.h"
#include "verdict/tolerances.h"

static const char *exact_formulation(const struct case_desc *desc)
{
    struct model *model = model_new(desc, NULL);
    const char *name = formulation_default(model)->name;
    model_free(model);
    return name;
}

/* Complex step goes no further than a singular configuration: what runs do there is for
   test_singular.c. Digits of the torture set are judged by `saltus verify`. */
static bool is_regular(const struct case_desc *desc)
{
    return has_motion(desc) && !strstr(desc->classes, "singular") &&
           !strstr(desc->classes, "torture");
}

/* Refusals that are the right answer: dependent constraints where independent ones are
   needed, and a penalty motion of slack-rope, which at zero tension is still longer than
   the rope. */
static bool is_refusal(const struct solving *s, enum status status)
{
    const char *name = s->model->desc->name;
    bool exact = s->request.formulation->capabilities & KEEPS_CONSTRAINTS;
    if (strstr(s->model->desc->classes, "redundant") && exact && status == RANK_LOSS)
        return true;
    return strcmp(name, "slack-rope") == 0 && !exact && status == GUARD_VIOLATED;
}

/* What is asked of a run, and at which tolerance: that of verify, and two digits less
   where redundant constraints under a penalty make it a looser one. DAEs are run loosely
   here: the orders of their index take most of a tight run's time. verify asks for 5
   digits of index3 at 1e-12: a and lambda, of order 2 where q has 5, lose 1.2 of them by
   1e-9. */
static double digits_asked(struct solving *s)
{
    const struct formulation *formulation = s->request.formulation;
    static const double by_index[] = {10, 7, 6, 3.8};
    double rtol = tolerance_default(s->model->desc, integrator_default(formulation),
                                    formulation);
    s->request.rtol = formulation->kind == DAE ? 1e-9 : rtol;
    s->request.atol = s->request.rtol / 1000;
    return by_index[formulation->index] - 2 * (formulation->kind != DAE && rtol > 1e-13);
}

/* At times of no event: beside one, runs that agree have one side of it or two. */
static void look_between_events(struct solving *s)
{
    struct samples samples;
    enum status status = choose_samples(s->model, &samples, &s->diagnosis);
    cr_assert_eq(status, OK, "%s", s->diagnosis.place);
    cr_assert_eq(samples.count, s->request.samples);
    for (int k = 0; k < samples.count; k++)
        s->sample[k] = samples.t[k];
}

/* Every case in every formulation that takes it (sampling.h), sensitivities and jumps
   included. Dependent constraints are refused by those that need independent ones. */
Test(run, every_case_in_every_formulation_agrees_with_complex_step, .timeout = 1200)
{
    int pairs = 0, refused = 0;
    struct sampling *sampling = sampling_new(is_regular);
    for (int k = 0; catalogue[k]; k++)
        for (int i = 0; formulations[i]; i++) {
            if (!sampling_has_run(sampling, catalogue[k], formulations[i]))
                continue;
            char name[128];
            struct solving s;
            struct trajectory *trajectory;
            solving_of_case(&s, catalogue[k]->name, formulations[i]->name);
            double asked = digits_asked(&s);
            look_between_events(&s);
            enum status status = run_once(&s.request, &trajectory, &s.diagnosis);
            if (is_refusal(&s, status)) {
                refused++;
            } else {
                cr_assert_eq(status, OK, "%s, %s: %s", catalogue[k]->name,
                             formulations[i]->name, s.diagnosis.place);
                s.request.rtol = fmin(s.request.rtol, 1e-12);   /* the oracle's own */
                double digits = digits_with_conditions(&s, trajectory, asked, name,
                                                       sizeof name);
                cr_expect_geq(digits, asked, "%s, %s: %.2f digits of %s",
                              catalogue[k]->name, formulations[i]->name, digits, name);
                pairs++;
            }
            trajectory_free(trajectory);
            solving_end(&s);
        }
    cr_assert_gt(pairs, refused);
    cr_assert_gt(refused, 0);
    if (in_test_all()) {
        cr_assert_geq(pairs, 50);
        cr_assert_geq(refused, 7);
    }
    sampling_free(sampling);
}

Test(run, formulations_of_the_exact_motion_share_one_trajectory)
{
    const char *const cases[] = {"pendulum-wall", "slack-rope", "five-bar"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char name[128];
        struct solving s;
        solving_of_case(&s, cases[k], "index1");
        struct trajectory *index1 = solve(&s);
        struct solving other;
        solving_of_case(&other, cases[k], "baumgarte");
        struct trajectory *baumgarte = solve(&other);
        double digits = digits_between(index1, baumgarte, name, sizeof name);
        cr_expect_geq(digits, 9.5, "%s: %.2f digits of %s", cases[k], digits, name);
        trajectory_free(index1);
        trajectory_free(baumgarte);
        solving_end(&s);
        solving_end(&other);
    }
}

/* x = l sin th, y = -l cos th: the same pendulum in two coordinate systems. */
Test(run, pendulum_in_its_angle_equals_pendulum_in_natural_coordinates)
{
    struct solving angle, natural;
    solving_of_case(&angle, "pendulum-stop", "ode");
    solving_of_case(&natural, "pendulum-wall", "index1");
    struct trajectory *a = solve(&angle), *b = solve(&natural);
    cr_assert_eq(a->events, b->events);
    for (int k = 0; k < a->events; k++)
        for (int j = 0; j < 5; j++)
            cr_expect_float_eq(a->event[k].tau[j], b->event[k].tau[j], 1e-11);
    for (int k = 0; k < a->samples; k++) {
        const struct columns *ca = &a->columns, *cb = &b->columns;
        const double *x = a->sample[k].x, *y = b->sample[k].x;
        double th = x[column(ca, GROUP_Q, 0, -1)];
        cr_expect_float_eq(sin(th), y[column(cb, GROUP_Q, 0, -1)], 1e-12);
        cr_expect_float_eq(-cos(th), y[column(cb, GROUP_Q, 1, -1)], 1e-12);
        for (int j = 0; j < 5; j++) {
            bool length = j == 1;
            double dth = x[column(ca, GROUP_Q, 0, j)];
            cr_expect_float_eq(cos(th) * dth + (length ? sin(th) : 0),
                               y[column(cb, GROUP_Q, 0, j)], 1e-11);
            cr_expect_float_eq(x[column(ca, GROUP_Z, 0, j)], y[column(cb, GROUP_Z, 0, j)],
                               1e-10);
        }
    }
    trajectory_free(a);
    trajectory_free(b);
    solving_end(&angle);
    solving_end(&natural);
}

/* Only g/L enters: g x_g + L x_L = 0 for every angle, time and cost of pendulum-stop. */
Test(run, pendulum_depends_on_gravity_over_length_only)
{
    struct solving s;
    solving_of_case(&s, "pendulum-stop", "ode");
    struct trajectory *t = solve(&s);
    double g = s.value[0], L = s.value[1];
    cr_assert_eq(t->events, 4);
    for (int k = 0; k < t->events; k++)
        cr_expect_float_eq(g * t->event[k].tau[0] + L * t->event[k].tau[1], 0, 1e-12);
    for (int k = 0; k < t->samples; k++) {
        const double *x = t->sample[k].x;
        for (int group = GROUP_Q; group <= GROUP_V; group++) {
            double by_g = x[column(&t->columns, (enum column_group)group, 0, 0)];
            double by_L = x[column(&t->columns, (enum column_group)group, 0, 1)];
            cr_expect_float_eq(g * by_g + L * by_L, 0, 1e-11);
        }
    }
    trajectory_free(t);
    solving_end(&s);
}

/* --- rules -------------------------------------------------------------------------- */

static bool rule_applies(const struct jump_rule *rule, const struct model *model)
{
    const char *why;
    for (int k = 0; k < model->events; k++)
        if (!rule->applies || rule->applies(model->event[k], &why))
            return true;
    return false;
}

Test(rules, theorems_of_corner_et_al_are_special_cases_of_saltation)
{
    const struct { const char *name, *rule; } row[] = {
        {"five-bar", "corner-dof"}, {"pendulum-wall", "corner-dof"},
        {"slack-rope", "corner-impulse"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char name[128];
        struct solving s;
        solving_of_case(&s, row[k].name, "index1");
        struct trajectory *general = solve(&s);
        s.request.rule = jump_rule_find(row[k].rule);
        cr_assert_not_null(s.request.rule);
        struct trajectory *special = solve(&s);
        double digits = digits_between(special, general, name, sizeof name);
        cr_expect_geq(digits, 9.5, "%s: %.2f digits of %s", row[k].rule, digits, name);
        trajectory_free(general);
        trajectory_free(special);
        solving_end(&s);
    }
}

/* In the penalty model the dependent coordinates do not satisfy the constraints exactly:
   the theorem's jump is off by O(1/alpha), saltation is not. */
Test(rules, corner_dof_is_off_by_one_over_alpha_in_the_penalty_model)
{
    double gap[3];
    const char *const alpha[] = {"1e4", "1e5", "1e6"};
    for (int k = 0; k < 3; k++) {
        struct solving s;
        solving_of_case(&s, "five-bar", "penalty");
        s.option[0] = alpha[k];
        struct trajectory *general = solve(&s);
        s.request.rule = jump_rule_find("corner-dof");
        struct trajectory *special = solve(&s);
        gap[k] = 0;
        for (int c = 0; c < general->columns.width; c++) {
            int dq = general->columns.width + c;
            gap[k] = fmax(gap[k], fabs(special->event[0].after.x[dq] -
                                       general->event[0].after.x[dq]));
        }
        trajectory_free(general);
        trajectory_free(special);
        solving_end(&s);
    }
    for (int k = 1; k < 3; k++) {
        double order = log10(gap[k - 1] / gap[k]);
        cr_expect(order > 0.95 && order < 1.05, "observed order %.3f in 1/alpha", order);
    }
}

/* --- penalty ------------------------------------------------------------------------ */

Test(penalty, gap_to_the_constrained_motion_has_order_one_in_one_over_alpha)
{
    const char *const alpha[] = {"1e5", "1e6", "1e7"};
    double gap[3], Phi[3];
    struct solving exact;
    solving_of_case(&exact, "five-bar", "index1");
    struct trajectory *truth = solve(&exact);
    for (int k = 0; k < 3; k++) {
        struct solving s;
        solving_of_case(&s, "five-bar", "penalty");
        s.option[0] = alpha[k];
        struct trajectory *trajectory = solve(&s);
        cr_assert_eq(trajectory->events, truth->events);
        const double *got = trajectory->sample[TEST_SAMPLES].x;
        const double *want = truth->sample[TEST_SAMPLES].x;
        gap[k] = 0;
        for (int i = 0; i < s.model->n; i++)
            gap[k] = fmax(gap[k], fabs(got[i] - want[i]));
        Phi[k] = trajectory->worst_Phi;
        trajectory_free(trajectory);
        solving_end(&s);
    }
    for (int k = 1; k < 3; k++) {
        double order = log10(gap[k - 1] / gap[k]), order_Phi = log10(Phi[k - 1] / Phi[k]);
        cr_expect(order > 0.95 && order < 1.05, "gap: observed order %.4f", order);
        cr_expect(order_Phi > 0.95 && order_Phi < 1.05, "|Phi|: observed order %.4f",
                  order_Phi);
    }
    trajectory_free(truth);
    solving_end(&exact);
}

/* --- random hybrid systems ---------------------------------------------------------- */

static struct random chance;

static formula random_constant(struct model *model, double low, double high)
{
    char text[32];
    snprintf(text, sizeof text, "%.4f", random_between(&chance, low, high));
    return constant(model->tape, text);
}

/* c0 + a random linear form in the given formulas */
static formula random_form(struct model *model, const formula *x, int count, double size)
{
    formula f = random_constant(model, -size, size);
    for (int i = 0; i < count; i++)
        f = add(f, mul(random_constant(model, -size, size), x[i]));
    return f;
}

/* Two degrees of freedom, one latched state, one cost; a mass matrix that depends on q
   and a parameter; a guard on t, q, v, s, a and parameters; a reset of everything. */
static void record_random(struct model *model)
{
    struct tape *tape = model->tape;
    model_coordinates(model, "x, y");
    model_parameters(model, "r1, r2, r3");
    model_auxiliary(model, "latch");
    model_costs(model, "cost");
    for (int j = 0; j < 3; j++) {
        static const char *const name[] = {"r1", "r2", "r3"};
        char value[32];
        snprintf(value, sizeof value, "%.3f", random_between(&chance, 0.5, 1.5));
        model_nominal(model, name[j], value, "1", "random", false, __FILE__, __LINE__);
    }
    formula x[2], v[2], a[2], rho[3], t = variable(tape, BLOCK_T, 0);
    for (int i = 0; i < 2; i++) {
        x[i] = variable(tape, BLOCK_Q, i);
        v[i] = variable(tape, BLOCK_V, i);
        a[i] = variable(tape, BLOCK_A, i);
    }
    for (int j = 0; j < 3; j++)
        rho[j] = variable(tape, BLOCK_RHO, j);
    formula latch = variable(tape, BLOCK_S, 0);
    formula state[] = {x[0], x[1], v[0], v[1], latch, t, rho[0], rho[1], rho[2]};

    model->M[0][0] = add(integer(tape, 3), apply(OP_SIN, mul(rho[0], x[1])));
    model->M[1][1] = add(integer(tape, 4), apply(OP_COS, x[0]));
    model->M[0][1] = mul(random_constant(model, -0.5, 0.5), apply(OP_SIN, x[0]));
    for (int i = 0; i < 2; i++) {
        formula push = apply(OP_SIN, random_form(model, state, 9, 1));
        model->F[i] = sub(mul(integer(tape, 3), push), mul(integer(tape, 5), x[i]));
    }
    model->f_s[0] = mul(random_constant(model, -0.3, 0.3), x[0]);
    model->g[0] = add(power(a[0], 2), mul(v[1], rho[2]));
    formula guard = random_form(model, state, 9, 0.6);
    guard = add(guard, mul(random_constant(model, -0.1, 0.1), a[0]));
    struct event *event = model_event(model, "random", model->pen, model->pen, guard,
                                      random_below(&chance, 2) ? RISING : FALLING);
    for (int i = 0; i < 2; i++) {
        event->v_plus[i] = add(random_form(model, state, 9, 0.4), mul(v[i], rho[1]));
        /* One draw after the other: C leaves the order of arguments open. */
        formula size = random_constant(model, -0.2, 0.2);
        formula shift = apply(OP_TANH, random_form(model, state, 9, 1));
        event->q_plus[i] = add(x[i], mul(size, shift));
        model->q0[i] = random_form(model, rho, 3, 0.5);
        model->v0[i] = random_form(model, rho, 3, 1);
    }
    event->s_plus[0] = add(x[0], mul(a[1], random_constant(model, -0.2, 0.2)));
    event->cost[0] = mul(variable(tape, BLOCK_V_PLUS, 0), v[1]);
    model->s0[0] = random_form(model, rho, 3, 0.5);
    model->w[0] = mul(x[0], v[1]);
    model->t0 = mul(random_constant(model, -0.2, 0.2), rho[0]);
    model->t_end = integer(tape, 2);
}

static const struct case_desc random_case = {.name = "random", .record = record_random};

Test(random, hybrid_systems_agree_with_complex_step_in_every_jump)
{
    int judged = 0, tried = 0;
    chance = random_start();
    while (judged < 25 && tried < 400) {
        struct random before = chance;
        char name[128];
        struct diagnosis diagnosis;
        struct model *model = model_new(&random_case, &diagnosis);
        cr_assert_not_null(model);
        struct solving s;
        solving_of_model(&s, model, "ode");
        s.request.max_events = 12;
        struct trajectory *trajectory = NULL;
        tried++;
        /* Guards that are crossed the wrong way at once and so on are refused:
           try again. */
        if (run_once(&s.request, &trajectory, &s.diagnosis) == OK &&
            trajectory->events > 0) {
            double worst = 1;
            for (int k = 0; k < trajectory->events; k++)
                worst = fmax(worst, trajectory->event[k].condition);
            double digits = digits_of_complex_step(&s, trajectory, name, sizeof name);
            cr_expect_geq(digits, 10 - log10(worst),
                          "seed %llu, state %llu: %.2f digits of %s, condition %.1f",
                          (unsigned long long)before.seed,
                          (unsigned long long)before.state, digits, name, worst);
            judged++;
        }
        trajectory_free(trajectory);
        solving_end(&s);
    }
    cr_assert_geq(judged, 25, "only %d of %d random systems had events", judged, tried);
}

/* --- wrong rules -------------------------------------------------------------------- */

static double digits_of_rule(struct solving *s, const struct jump_rule *rule)
{
    char name[128];
    struct trajectory *right = solve(s);
    s->request.rule = rule;
    struct trajectory *wrong = solve(s);
    double digits = digits_between(wrong, right, name, sizeof name);
    trajectory_free(right);
    trajectory_free(wrong);
    return digits;
}

/* A random system that runs without refusal and has events; its guard depends on v. */
static void solving_of_random(struct solving *s)
{
    struct trajectory *trajectory;
    chance = random_start();
    for (;;) {
        solving_of_model(s, model_new(&random_case, NULL), "ode");
        enum status status = run_once(&s->request, &trajectory, &s->diagnosis);
        bool good = status == OK && trajectory->events > 0;
        trajectory_free(trajectory);
        if (good)
            return;
        solving_end(s);
    }
}

/* Every printed variant and seeded fault is told from saltation by some mechanism of the
   catalogue or by a random one. */
Test(rules, every_wrong_rule_changes_some_result)
{
    for (int r = 0; judged_rules[r]; r++) {
        struct solving s;
        solving_of_random(&s);
        double least = 17;
        if (rule_applies(judged_rules[r], s.model))
            least = digits_of_rule(&s, judged_rules[r]);
        solving_end(&s);
        for (int k = 0; catalogue[k] && least > 6; k++) {
            if (case_is_refused(catalogue[k]))
                continue;
            solving_of_case(&s, catalogue[k]->name, exact_formulation(catalogue[k]));
            if (strcmp(catalogue[k]->name, "bouncing-ball") == 0)
                s.value[model_parameter_index(s.model, "u")] = 0.125;
            if (rule_applies(judged_rules[r], s.model))
                least = fmin(least, digits_of_rule(&s, judged_rules[r]));
            solving_end(&s);
        }
        cr_expect_leq(least, 6, "rule %s is told from saltation by nothing (%.1f digits)",
                      judged_rules[r]->name, least);
    }
}
