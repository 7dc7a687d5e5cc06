/*
 * test_formulations.c - one mechanism, many formulations: what they share, what each
 * promises, and what each cannot do.
 */
#include "solving.h"

#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "equations/system.h"
#include "initial/start.h"

static bool takes(const struct formulation *formulation, const struct model *model)
{
    return formulation_applies(formulation, model, NULL);
}

/* --- the DAE kinds ------------------------------------------------------------------ */

/* One run of `steps` equal steps to t_end; errors of q, v, lambda and of their
   derivatives against the exact motion. */
static void errors_at_end(const char *name, const char *formulation, double t_end,
                          int steps, double error[3], double error_dot[3])
{
    struct solving s;
    solving_of_case(&s, name, "index1");
    s.request.t_end = t_end;
    s.request.samples = 1;
    s.request.sample = &t_end;
    struct trajectory *exact = solve(&s);
    const double *want = exact->sample[exact->samples - 1].x;
    const struct columns *columns = &exact->columns;

    struct system *system;
    struct model *branch = model_branch(s.model);
    const struct formulation *dae = formulation_find(formulation);
    cr_assert_eq(system_new(branch, dae, NULL, s.value, s.request.parameters,
                            s.request.parameter, SYSTEM_EQUATIONS, &system,
                            &s.diagnosis), OK);
    struct span span = {.dt0 = calloc(64, sizeof(double)),
                        .dt_end = calloc(64, sizeof(double))};
    size_t size = (size_t)system->dim * sizeof(double);
    double *x = malloc(size), *dx = malloc(size), *x_new = malloc(size);
    double *dx_new = malloc(size), *err = malloc(size);
    struct starter *starter = starter_new(system);
    cr_assert_eq(start_state(starter, &span, x), OK);
    starter_free(starter);
    cr_assert_eq(system_rhs(system, span.t0, x, dx), OK);
    const struct integrator *radau = integrator_default(dae);
    void *work = radau->alloc_implicit(&system->implicit);
    struct ode ode = {.dim = system->dim, .rhs = system_rhs, .context = system,
                      .implicit = &system->implicit};
    double h = (t_end - span.t0) / steps;
    for (int k = 0; k < steps; k++) {
        cr_assert_eq(radau->step(work, &ode, span.t0 + k * h, h, x, dx, x_new, dx_new,
                                 &err), OK);
        memcpy(x, x_new, size);
        memcpy(dx, dx_new, size);
    }

    int n = s.model->n, m = s.model->m;
    double *a = calloc(64, sizeof *a), *lambda = calloc(64, sizeof *lambda);
    memset(error, 0, 3 * sizeof *error);
    memset(error_dot, 0, 3 * sizeof *error);
    for (int j = -1; j < columns->p; j++) {
        const double *X = x + (j + 1) * system->state;
        double *e = j < 0 ? error : error_dot;
        stage_equations_observe(system, radau->unknowns(work, j + 1), a, lambda);
        for (int i = 0; i < n; i++) {
            e[0] = fmax(e[0], fabs(X[i] - want[column(columns, GROUP_Q, i, j)]));
            e[1] = fmax(e[1], fabs(X[n + i] - want[column(columns, GROUP_V, i, j)]));
        }
        for (int i = 0; i < m; i++)
            e[2] = fmax(e[2],
                        fabs(lambda[i] - want[column(columns, GROUP_LAMBDA, i, j)]));
    }
    radau->release(work);
    system_free(system);
    trajectory_free(exact);
    free(x), free(dx), free(x_new), free(dx_new), free(err), free(a), free(lambda);
    free(span.dt0), free(span.dt_end);
    solving_end(&s);
}

/* Least-squares slope over three halvings. */
static double observed_order(const double *error, int count)
{
    double slope = 0;
    for (int k = 0; k + 1 < count; k++)
        slope += log2(error[k] / error[k + 1]) / (count - 1);
    return slope;
}

Test(formulations, dae_kinds_have_the_orders_of_their_index, .timeout = 120)
{
    enum { RUNS = 4 };
    static const struct { const char *name; double order[3]; } kind[] = {
        {"index3", {5, 3, 2}}, {"ggl", {5, 5, 3}}, {"implicit", {5, 5, 5}}};
    static const char *const what[3] = {"q", "v", "lambda"};
    for (size_t f = 0; f < sizeof kind / sizeof *kind; f++) {
        double error[RUNS][3], error_dot[RUNS][3];
        for (int k = 0; k < RUNS; k++)
            errors_at_end("five-bar", kind[f].name, 0.25, 10 << k, error[k],
                          error_dot[k]);
        for (int i = 0; i < 3; i++) {
            double value[RUNS], derivative[RUNS];
            for (int k = 0; k < RUNS; k++) {
                value[k] = error[k][i];
                derivative[k] = error_dot[k][i];
            }
            double order = observed_order(value, RUNS);
            double order_dot = observed_order(derivative, RUNS);
            printf("%-8s %-6s error %.2e .. %.2e  order %.2f   derivatives %.2e .. %.2e  "
                   "order %.2f\n", kind[f].name, what[i], value[0], value[RUNS - 1],
                   order, derivative[0], derivative[RUNS - 1], order_dot);
            cr_expect_gt(order, kind[f].order[i] - 0.3, "%s, %s", kind[f].name, what[i]);
            cr_expect_gt(order_dot, kind[f].order[i] - 0.3, "%s, d%s", kind[f].name,
                         what[i]);
            cr_expect_lt(order, kind[f].order[i] + 1.2, "%s, %s", kind[f].name, what[i]);
        }
    }
}

/* A pendulum whose x is measured in kilometres and y in micrometres. */
static void record_two_units(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l);
    MULTIPLIERS(tension);
    NOMINAL(l, 1.3, "m", "length");
    model_mode(model, "swing");
    model->Phi[0] = EQ(1e6*x*x + 1e-12*y*y - l*l);
    model->M[0][0] = EQ(1e6);
    model->M[1][1] = EQ(1e-12);
    model->F[1] = EQ(-9.81*1e-6);
    model->q_guess[0] = EQ(5e-4);
    model->q0[1] = EQ(-1.2e6);
    model->v0[1] = EQ(0);
    model->t_end = EQ(3);
}

/* No direction in which mu moves coordinates may depend on units. */
Test(formulations, ggl_takes_coordinates_in_any_units)
{
    struct solving s, other;
    char name[128];
    solving_of_record(&s, "two-units", record_two_units, "index1");
    solving_of_record(&other, "two-units", record_two_units, "ggl");
    other.request.rtol = 1e-10;
    other.request.atol = 1e-13;
    struct trajectory *want = solve(&s), *got = solve(&other);
    double digits = digits_between(got, want, name, sizeof name);
    cr_expect_gt(digits, 6, "%.2f digits of %s", digits, name);
    trajectory_free(want);
    trajectory_free(got);
    solving_end(&s);
    solving_end(&other);
}

/* The matrix d Phid/dv M^-1 Phi_q' goes from 2.9 to 3.4e-5 at t = 0.482, where x turns,
   and does not become zero. */
static void record_nearly_singular(struct model *model)
{
    COORDINATES(x, y);
    AUXILIARY(s);
    MULTIPLIERS(force);
    model_mode(model, "slide");
    model->Phi[0] = EQ(y - sin(x) - 0.593*s - 0.347);
    model->M[0][0] = EQ(0.40076);
    model->M[1][1] = EQ(30.19819);
    model->F[1] = EQ(-235.0);
    model->f_s[0] = EQ(0.49*vx);
    model->q0[0] = EQ(0.356);
    model->v0[0] = EQ(-1.78);
    model->t_end = EQ(0.6);
}

/* There rounding of Phi alone moves v by 1e-5 in the steps that 1e-10 asks for. */
Test(formulations, index_3_says_where_rounding_leaves_it_no_digits)
{
    static const char *const able[] = {"index1", "ggl", "implicit"};
    struct solving s;
    solving_of_record(&s, "nearly-singular", record_nearly_singular, "index3");
    s.request.rtol = 1e-10;
    s.request.atol = 1e-13;
    refuse(&s, PRECISION);
    s.request.rtol = 1e-6;
    trajectory_free(solve(&s));
    s.request.rtol = 1e-10;
    for (size_t k = 0; k < sizeof able / sizeof *able; k++) {
        s.request.formulation = formulation_find(able[k]);
        trajectory_free(solve(&s));
    }
    solving_end(&s);
}

Test(formulations, a_dae_refuses_an_explicit_integrator)
{
    struct solving s;
    solving_of_case(&s, "pendulum-wall", "index3");
    s.request.integrator = integrator_find("dop853");
    refuse(&s, NOT_APPLICABLE);
    s.request.formulation = formulation_find("ode");
    s.request.integrator = integrator_find("radau");
    refuse(&s, NOT_APPLICABLE);
    solving_end(&s);
}

Test(formulations, radau_integrates_what_explicit_methods_integrate)
{
    struct solving s;
    char name[128];
    solving_of_case(&s, "pendulum-wall", "index1");
    struct trajectory *explicit = solve(&s);
    s.request.integrator = integrator_find("radau");
    s.request.rtol = 1e-11;
    s.request.atol = 1e-14;
    struct trajectory *implicit = solve(&s);
    double digits = digits_between(implicit, explicit, name, sizeof name);
    cr_expect_gt(digits, 8, "%.2f digits of %s", digits, name);
    trajectory_free(explicit);
    trajectory_free(implicit);
    solving_end(&s);
}

/* --- the exact motion --------------------------------------------------------------- */

Test(formulations, explicit_formulations_of_the_exact_motion_agree, .timeout = 120)
{
    static const char *const names[] = {"ode", "baumgarte", "augmented"};
    static const char *const cases[] = {"pendulum-wall", "slack-rope", "five-bar-nine"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct solving s, other;
        char name[128];
        solving_of_case(&s, cases[c], "index1");
        struct trajectory *index1 = solve(&s);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            solving_of_case(&other, cases[c], names[k]);
            struct trajectory *same = solve(&other);
            double digits = digits_between(same, index1, name, sizeof name);
            cr_expect_gt(digits, 10, "%s, %s: %.2f digits of %s", cases[c], names[k],
                         digits, name);
            trajectory_free(same);
            solving_end(&other);
        }
        trajectory_free(index1);
        solving_end(&s);
    }
}

/* The constraints hold at rounding level where the state is projected, and drift, if
   little, where it is not. */
Test(formulations, projected_states_stay_on_the_constraints)
{
    static const char *const names[] = {"ode", "augmented"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct solving s;
        solving_of_case(&s, "five-bar", names[k]);
        s.request.rtol = 1e-7;
        s.request.atol = 1e-10;
        struct trajectory *trajectory = solve(&s);
        cr_expect_lt(trajectory->worst_Phi, 1e-13, "%s: %.3g", names[k],
                     trajectory->worst_Phi);
        cr_expect_lt(trajectory->worst_Phid, 1e-12, "%s: %.3g", names[k],
                     trajectory->worst_Phid);
        trajectory_free(trajectory);
        solving_end(&s);
    }
    struct solving s;
    solving_of_case(&s, "five-bar", "index1");
    s.request.rtol = 1e-7;
    s.request.atol = 1e-10;
    struct trajectory *drifting = solve(&s);
    cr_expect_gt(drifting->worst_Phi, 1e-12);
    trajectory_free(drifting);
    solving_end(&s);
}

/* --- both ways of solving the penalty equations ------------------------------------- */

/* Accelerations and multipliers at one point of a motion, by both forms. */
static void solve_point(struct solving *s, const struct run_point *point, double *a,
                        double *lambda)
{
    struct system *system;
    struct model *branch = model_branch(s->model);
    int n = s->model->n;
    cr_assert_eq(system_new(branch, s->request.formulation, s->option, s->value, 0,
                            s->parameter, SYSTEM_RATES, &system, &s->diagnosis), OK);
    cr_assert_eq(system_solve(system, system->now, point->t, point->x, point->x + n,
                              point->x + 2 * n, a, lambda), OK);
    system_free(system);
    model_branch_free(branch);
}

static double digits_of(const double *got, const double *want, int count)
{
    double error = 0, size = 0;
    for (int i = 0; i < count; i++) {
        error = fmax(error, fabs(got[i] - want[i]));
        size = fmax(size, fabs(want[i]));
    }
    return error > 0 ? -log10(error / size) : 17;
}

/* The n x n form loses digits in proportion to alpha, and with them a run its smoothness:
   at alpha = 1e9 a tolerance of 1e-12 cannot be met any more. The saddle point does not:
   its multipliers approach the exact ones as 1/alpha. */
Test(formulations, the_n_by_n_penalty_form_loses_digits_as_alpha_grows)
{
    enum { ALPHAS = 6 };
    static const char *const alphas[ALPHAS] = {"1e3", "1e5", "1e7", "1e9", "1e11",
                                               "1e13"};
    double forms[ALPHAS], gap[ALPHAS];
    struct solving exact;
    solving_of_case(&exact, "five-bar", "index1");
    struct trajectory *motion = solve(&exact);
    const struct run_point *point = &motion->sample[3];
    double a[2][8], lambda[2][8], exact_lambda[8], exact_a[8];
    solve_point(&exact, point, exact_a, exact_lambda);
    printf("alpha   digits of a, lambda: n x n against saddle   of lambda: saddle "
           "against exact\n");
    for (int k = 0; k < ALPHAS; k++) {
        struct solving s;
        solving_of_case(&s, "five-bar", "penalty");
        solving_option(&s, "alpha", alphas[k]);
        solving_option(&s, "solve", "saddle");
        solve_point(&s, point, a[0], lambda[0]);
        solving_option(&s, "solve", "normal");
        solve_point(&s, point, a[1], lambda[1]);
        forms[k] = digits_of(lambda[1], lambda[0], s.model->m);
        gap[k] = digits_of(lambda[0], exact_lambda, s.model->m);
        printf("%-6s  %5.1f %5.1f %45.1f\n", alphas[k], digits_of(a[1], a[0], s.model->n),
               forms[k], gap[k]);
        solving_end(&s);
    }
    for (int k = 1; k < ALPHAS; k++) {
        cr_expect_lt(forms[k], forms[k - 1] - 1, "alpha = %s", alphas[k]);
        cr_expect_gt(gap[k], fmin(gap[k - 1] + 1.5, 12.5), "alpha = %s", alphas[k]);
    }
    trajectory_free(motion);
    solving_end(&exact);
}

/* --- options ------------------------------------------------------------------------ */

Test(formulations, baumgarte_takes_full_matrices_and_keeps_the_motion)
{
    struct solving s, plain;
    char name[128];
    solving_of_case(&plain, "five-bar", "baumgarte");
    struct trajectory *want = solve(&plain);
    solving_of_case(&s, "five-bar", "baumgarte");
    solving_option(&s, "kd", "20,1,0,0, 1,25,2,0, 0,2,30,-3, 0,0,-3,22");
    solving_option(&s, "kp", "100,110,120,130");
    struct trajectory *got = solve(&s);
    double digits = digits_between(got, want, name, sizeof name);
    cr_expect_gt(digits, 10, "%.2f digits of %s", digits, name);
    solving_option(&s, "kd", "20,30,0,0, 30,25,2,0, 0,2,30,-3, 0,0,-3,22");
    refuse(&s, NOT_SPD);
    solving_option(&s, "kd", "1,2,3");
    refuse(&s, BAD_INPUT);
    solving_option(&s, "kd", "20");
    solving_option(&s, "redundant", "perhaps");
    refuse(&s, BAD_INPUT);
    trajectory_free(got);
    trajectory_free(want);
    solving_end(&s);
    solving_end(&plain);
}

/* --- redundant constraints ---------------------------------------------------------- */

/* The motion does not depend on how often a constraint is written down; the multipliers
   do, and those of least norm are the same whether they come from a complete orthogonal
   decomposition or from an iteration that starts at zero. */
Test(formulations, redundant_constraints_leave_the_motion_as_it_is, .timeout = 120)
{
    struct solving plain, redundant, iterated;
    char name[128];
    solving_of_case(&plain, "five-bar", "index1");
    solving_of_case(&redundant, "five-bar-redundant", "baumgarte");
    solving_of_case(&iterated, "five-bar-redundant", "augmented");
    struct trajectory *want = solve(&plain), *got = solve(&redundant);
    struct trajectory *other = solve(&iterated);
    cr_assert_eq(got->events, want->events);
    double worst = 0;
    for (int k = 0; k < want->samples; k++)
        for (int j = -1; j < want->columns.p; j++)
            for (int i = 0; i < plain.model->n; i++) {
                double q = want->sample[k].x[column(&want->columns, GROUP_Q, i, j)];
                double v = want->sample[k].x[column(&want->columns, GROUP_V, i, j)];
                double dq = got->sample[k].x[column(&got->columns, GROUP_Q, i, j)] - q;
                double dv = got->sample[k].x[column(&got->columns, GROUP_V, i, j)] - v;
                worst = fmax(worst, fabs(dq) / fmax(fabs(q), 1));
                worst = fmax(worst, fabs(dv) / fmax(fabs(v), 1));
            }
    cr_expect_lt(worst, 1e-10, "q, v and derivatives differ by %.3g", worst);
    double digits = digits_between(other, got, name, sizeof name);
    cr_expect_gt(digits, 9, "augmented against baumgarte: %.2f digits of %s", digits,
                 name);
    printf("five-bar-redundant, augmented against baumgarte with A^+: %.1f digits (%s)\n",
           digits, name);
    trajectory_free(want), trajectory_free(got), trajectory_free(other);
    solving_end(&plain), solving_end(&redundant), solving_end(&iterated);
}

Test(formulations, who_needs_independent_constraints_says_so)
{
    static const char *const names[] = {"ode", "index1", "index3", "ggl", "implicit"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct solving s;
        solving_of_case(&s, "five-bar-redundant", names[k]);
        s.request.rtol = 1e-9;
        s.request.atol = 1e-12;
        refuse(&s, RANK_LOSS);
        solving_end(&s);
    }
    struct solving s;
    solving_of_case(&s, "five-bar-redundant", "index1");
    solving_option(&s, "redundant", "minimum-norm");
    trajectory_free(solve(&s));
    solving_end(&s);
}

/* --- friction ----------------------------------------------------------------------- */

/* F depends on lambda: every formulation solves for both, and its tangents see it. */
Test(formulations, friction_is_the_same_in_every_formulation, .timeout = 120)
{
    static const char *const names[] = {"ode", "baumgarte", "augmented", "implicit"};
    struct solving s, other;
    char name[128];
    solving_of_case(&s, "pendulum-friction", "index1");
    struct trajectory *want = solve(&s);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        solving_of_case(&other, "pendulum-friction", names[k]);
        bool dae = other.request.formulation->kind == DAE;
        if (dae) {
            other.request.rtol = 1e-10;
            other.request.atol = 1e-13;
        }
        struct trajectory *got = solve(&other);
        double digits = digits_between(got, want, name, sizeof name);
        cr_expect_gt(digits, dae ? 7 : 10, "%s: %.2f digits of %s", names[k], digits,
                     name);
        trajectory_free(got);
        solving_end(&other);
    }
    trajectory_free(want);
    solving_end(&s);
}

/* --- every formulation says what it cannot do --------------------------------------- */

Test(formulations, each_takes_a_model_or_says_why_not)
{
    for (int c = 0; catalogue[c]; c++) {
        struct model *model = model_new(catalogue[c], NULL);
        for (int k = 0; formulations[k]; k++) {
            const char *why = NULL;
            bool yes = formulation_applies(formulations[k], model, &why);
            cr_expect_eq(yes, why == NULL, "%s, %s", catalogue[c]->name,
                         formulations[k]->name);
        }
        cr_expect(takes(formulation_default(model), model), "%s", catalogue[c]->name);
        model_free(model);
    }
}
