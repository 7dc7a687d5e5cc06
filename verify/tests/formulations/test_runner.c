/*
 * test_runner.c - one request for many values of the parameters: no run knows of another.
 */
#include "case.h"
#include "identical.h"
#include "solving.h"

TestSuite(runner, .timeout = 300);

/* Other values of all parameters that are differentiated. */
static void move(const struct solving *s, double by, double *value)
{
    memcpy(value, s->value, (size_t)s->model->p * sizeof *value);
    for (int j = 0; j < s->request.parameters; j++)
        value[s->parameter[j]] *= 1 + by;
}

/* What run_once() gives, which is made anew for every call. */
static struct trajectory *alone(struct solving *s, const double *value,
                                enum status *status)
{
    struct trajectory *trajectory;
    struct run_request request = s->request;
    request.value = value;
    *status = run_once(&request, &trajectory, &s->diagnosis);
    return trajectory;
}

/* A run of the runner is that of run_once(): the same to the bit, or the same refusal. */
static void expect_same(struct solving *s, struct runner *runner, const double *value,
                        const char *which)
{
    enum status wanted, got;
    struct trajectory *want = alone(s, value, &wanted), *trajectory;
    struct diagnosis refusal = s->diagnosis, own;
    const char *what = NULL;
    got = runner_run(runner, value, &trajectory, &own);
    cr_expect_eq(got, wanted, "%s, %s, %s: %s, alone %s", s->model->desc->name,
                 s->request.formulation->name, which, status_text(got),
                 status_text(wanted));
    if (wanted != OK)
        cr_expect_str_eq(own.place, refusal.place);
    if (want && trajectory)
        what = difference(want, trajectory);
    cr_expect_null(what, "%s, %s, %s: %s", s->model->desc->name,
                   s->request.formulation->name, which, what);
    cr_expect_eq(!want, !trajectory);
    trajectory_free(want);
    trajectory_free(trajectory);
}

static void set_loosely(struct solving *s)
{
    s->request.rtol = s->request.formulation->kind == DAE ? 1e-5 : 1e-8;
    s->request.atol = s->request.rtol / 1000;
}

/* For values A, B, A; and B is not what A is. */
static void expect_same_in(const char *name, const char *formulation)
{
    struct solving s;
    double A[TEST_PARAMETERS], B[TEST_PARAMETERS];
    solving_of_case(&s, name, formulation);
    set_loosely(&s);
    move(&s, 0, A);
    move(&s, 1e-3, B);
    struct runner *runner = runner_new(&s.request, &s.diagnosis);
    cr_assert_not_null(runner, "%s, %s: %s", name, formulation, s.diagnosis.place);
    expect_same(&s, runner, A, "A");
    expect_same(&s, runner, B, "B");
    expect_same(&s, runner, A, "A again");
    runner_free(runner);
    solving_end(&s);
}

static bool applies(const char *name, const struct formulation *formulation)
{
    const char *why;
    struct model *model = model_new(case_find(name), NULL);
    bool takes = formulation_applies(formulation, model, &why);
    model_free(model);
    return takes;
}

/* Impacts, changes of modes, latched and auxiliary states: with everything that is kept
   from one run to the next in some formulation. */
Test(runner, runs_are_identical_whatever_was_run_before_in_every_formulation)
{
    static const char *const cases[] = {"pendulum-wall", "compass-gait-absolute",
                                        "clocked-oscillator", "rope-catch"};
    int pairs = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int i = 0; formulations[i]; i++)
            if (applies(cases[k], formulations[i])) {
                expect_same_in(cases[k], formulations[i]->name);
                pairs++;
            }
    cr_expect_geq(pairs, 20);
}

/* With every method: each has a work of its own. */
Test(runner, runs_are_identical_whatever_was_run_before_with_every_integrator)
{
    for (int k = 0; integrators[k]; k++) {
        struct solving s;
        double A[TEST_PARAMETERS], B[TEST_PARAMETERS];
        solving_of_case(&s, "pendulum-stop", "ode");
        s.request.integrator = integrators[k];
        s.request.rtol = 1e-5;
        s.request.atol = 1e-8;
        move(&s, 0, A);
        move(&s, 1e-3, B);
        struct runner *runner = runner_new(&s.request, &s.diagnosis);
        cr_assert_not_null(runner, "%s: %s", integrators[k]->name, s.diagnosis.place);
        expect_same(&s, runner, A, integrators[k]->name);
        expect_same(&s, runner, B, integrators[k]->name);
        expect_same(&s, runner, A, integrators[k]->name);
        runner_free(runner);
        solving_end(&s);
    }
}

/* five-bar with bars that do not meet: after a refusal a run is as before it. */
Test(runner, runs_are_identical_after_a_refusal)
{
    struct solving s;
    double A[TEST_PARAMETERS], none[TEST_PARAMETERS];
    solving_of_case(&s, "five-bar", "index1");
    set_loosely(&s);
    move(&s, 0, A);
    move(&s, -0.9, none);
    struct runner *runner = runner_new(&s.request, &s.diagnosis);
    cr_assert_not_null(runner);
    expect_same(&s, runner, A, "before");
    expect_same(&s, runner, none, "refused");
    cr_expect_neq(s.diagnosis.status, OK);
    expect_same(&s, runner, A, "after");
    runner_free(runner);
    solving_end(&s);
}

Test(runner, takes_other_tolerances_from_the_next_run_on)
{
    static const double rtol[] = {1e-6, 1e-11, 1e-6};
    struct solving s;
    long steps[3];
    solving_of_case(&s, "five-bar", "index1");
    set_loosely(&s);
    struct runner *runner = runner_new(&s.request, &s.diagnosis);
    for (int k = 0; k < 3; k++) {
        struct trajectory *trajectory;
        s.request.rtol = rtol[k];
        s.request.atol = rtol[k] / 1000;
        runner_tolerances(runner, s.request.rtol, s.request.atol);
        expect_same(&s, runner, s.value, "other tolerances");
        cr_assert_eq(runner_run(runner, s.value, &trajectory, NULL), OK);
        steps[k] = trajectory->steps;
        trajectory_free(trajectory);
    }
    cr_expect_gt(steps[1], steps[0]);
    cr_expect_eq(steps[2], steps[0]);
    runner_free(runner);
    solving_end(&s);
}

/* Values of the parameters that the request has, or nominal ones. */
Test(runner, takes_the_values_of_the_request_where_none_are_given)
{
    struct solving s;
    double value[TEST_PARAMETERS];
    solving_of_case(&s, "pendulum-wall", "index1");
    set_loosely(&s);
    struct runner *nominal;
    s.request.value = NULL;
    nominal = runner_new(&s.request, &s.diagnosis);
    s.request.value = value;
    move(&s, 1e-3, value);
    struct runner *given = runner_new(&s.request, &s.diagnosis);
    for (int k = 0; k < 2; k++) {
        struct trajectory *one, *other;
        struct runner *own = k ? given : nominal, *told = k ? nominal : given;
        cr_assert_eq(runner_run(own, NULL, &one, NULL), OK);
        cr_assert_eq(runner_run(told, k ? value : s.value, &other, NULL), OK);
        cr_expect_null(difference(one, other));
        trajectory_free(one);
        trajectory_free(other);
    }
    runner_free(nominal);
    runner_free(given);
    solving_end(&s);
}

/* --- without costs ------------------------------------------------------------------ */

static double largest_of(const struct trajectory *trajectory, int c)
{
    double largest = 0;
    for (int k = 0; k < trajectory->samples; k++)
        largest = fmax(largest, fabs(trajectory->sample[k].x[c]));
    return largest;
}

/* What a column is measured by: the largest that it has at any sample. A derivative
   counts as no less than what its value is against the parameter: by a mass that the
   motion does not depend on it is rounding. */
static double scale_of(const struct solving *s, const struct trajectory *with,
                       enum column_group group, int i, int j)
{
    double scale = largest_of(with, column(&with->columns, group, i, j));
    double rho = j < 0 ? 0 : fabs(s->value[with->columns.parameter[j]]);
    double value = largest_of(with, column(&with->columns, group, i, -1));
    return rho > 0 ? fmax(scale, value / rho) : scale;
}

/* The largest difference of a group of columns at the samples, on that scale. */
static double group_error(const struct solving *s, const struct trajectory *with,
                          const struct trajectory *without, enum column_group group)
{
    double worst = 0;
    int size = with->columns.begin[group + 1] - with->columns.begin[group];
    for (int j = -1; j < with->columns.p; j++)
        for (int i = 0; i < size; i++) {
            int a = column(&with->columns, group, i, j);
            int b = column(&without->columns, group, i, j);
            double most = 0, scale = scale_of(s, with, group, i, j);
            for (int k = 0; k < with->samples; k++)
                most = fmax(most, fabs(with->sample[k].x[a] - without->sample[k].x[b]));
            worst = fmax(worst, scale > 0 ? most / scale : most);
        }
    return worst;
}

static double motion_error(const struct solving *s, const struct trajectory *with,
                           const struct trajectory *without)
{
    static const enum column_group group[] = {GROUP_Q, GROUP_V, GROUP_S};
    double worst = 0;
    cr_assert_eq(with->samples, without->samples);
    cr_assert_eq(with->events, without->events);
    for (size_t k = 0; k < sizeof group / sizeof *group; k++)
        worst = fmax(worst, group_error(s, with, without, group[k]));
    return worst;
}

/* Costs are under the control of steps, so without them other steps are taken, which end
   at other points: the motion is the same within what the tolerance leaves, and not to
   the bit. */
Test(runner, without_costs_has_the_same_motion)
{
    static const struct { const char *name, *formulation; } pair[] = {
        {"five-bar", "index1"},  {"pendulum-wall", "baumgarte"}, {"event-bolus", "ode"},
        {"two-link", "ode"},     {"clocked-oscillator", "ode"}};
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        struct solving s;
        solving_of_case(&s, pair[k].name, pair[k].formulation);
        s.request.rtol = 1e-12;
        s.request.atol = 1e-15;
        struct trajectory *with = solve(&s);
        s.request.without_costs = true;
        struct trajectory *without = solve(&s);
        double worst = motion_error(&s, with, without);
        cr_log_info("%s, %s: %.1e", pair[k].name, pair[k].formulation, worst);
        cr_expect_gt(with->columns.model->nz, 0);
        cr_expect_eq(without->columns.model->nz, 0);
        cr_expect_leq(worst, 1e-10, "%s, %s: %.1e", pair[k].name, pair[k].formulation,
                      worst);
        trajectory_free(with);
        trajectory_free(without);
        solving_end(&s);
    }
}

/* A ball on a spring that hits a wall. */
static void record(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k, e);
    NOMINAL(k, 7, "N/m", "stiffness");
    NOMINAL(e, 0.8, "1", "restitution");
    struct mode *motion = model_mode(model, "motion");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-k*x);
    struct event *wall = model_event(model, "wall", motion, motion, EQ(x + 0.1), FALLING);
    wall->v_plus[0] = EQ(-e*vx);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(3);
}

Test(runner, without_costs_that_a_model_does_not_have_is_the_same_to_the_bit)
{
    static const struct case_desc desc = {.name = "ball-without-costs", .record = record};
    struct solving s;
    solving_of_desc(&s, &desc, "ode");
    struct trajectory *with = solve(&s);
    s.request.without_costs = true;
    struct trajectory *without = solve(&s);
    cr_expect_null(difference(with, without));
    cr_expect_gt(with->events, 1);
    trajectory_free(with);
    trajectory_free(without);
    solving_end(&s);
}

/* --- without unknowns --------------------------------------------------------------- */

static void forget_unknowns(const struct columns *columns, struct run_point *point)
{
    for (int c = 0; c < columns->count; c++) {
        enum column_group group;
        int i, j;
        column_parts(columns, c, &group, &i, &j);
        if (group == GROUP_A || group == GROUP_LAMBDA)
            point->x[c] = NAN;
    }
}

static void forget_all_unknowns(struct trajectory *trajectory)
{
    for (int k = 0; k < trajectory->samples; k++)
        forget_unknowns(&trajectory->columns, &trajectory->sample[k]);
    for (int k = 0; k < trajectory->events; k++) {
        forget_unknowns(&trajectory->columns, &trajectory->event[k].before);
        forget_unknowns(&trajectory->columns, &trajectory->event[k].after);
    }
}

static void expect_same_but_unknowns(struct trajectory *with, struct trajectory *without)
{
    const struct model *model = with->columns.model;
    if (model->n > 0)
        cr_expect_not_null(difference(with, without), "%s", model->desc->name);
    forget_all_unknowns(with);
    cr_expect_leq(without->evaluations, with->evaluations);
    with->evaluations = without->evaluations;
    const char *what = difference(with, without);
    cr_expect_null(what, "%s: %s", model->desc->name, what);
}

/* Of the whole catalogue, whose guards and resets have unknowns or have none, with fewer
   evaluations; or refused with the same status. */
Test(runner, without_unknowns_is_the_same_to_the_bit_but_for_these)
{
    int reached = 0;
    for (int k = 0; catalogue[k]; k++) {
        struct solving s;
        enum status status[2];
        struct trajectory *one[2];
        struct model *model = model_new(catalogue[k], NULL);
        solving_of_model(&s, model, formulation_default(model)->name);
        set_loosely(&s);
        for (int l = 0; l < 2; l++) {
            s.request.without_unknowns = l == 1;
            status[l] = run_once(&s.request, &one[l], &s.diagnosis);
        }
        cr_expect_eq(status[0], status[1], "%s", catalogue[k]->name);
        if (status[0] == OK) {
            expect_same_but_unknowns(one[0], one[1]);
            reached++;
        }
        trajectory_free(one[0]);
        trajectory_free(one[1]);
        solving_end(&s);
    }
    cr_expect_geq(reached, 30);
}

/* --- without derivatives ------------------------------------------------------------ */

/* Steps differ, as derivatives count in their control. */
static void expect_same_events(const struct trajectory *with,
                               const struct trajectory *without, double span)
{
    const char *name = with->columns.model->desc->name;
    cr_expect_eq(with->events, without->events, "%s: %d events, %d without derivatives",
                 name, with->events, without->events);
    for (int k = 0; k < with->events && k < without->events; k++) {
        const struct event_record *one = &with->event[k], *other = &without->event[k];
        cr_expect_str_eq(one->event->name, other->event->name, "%s", name);
        double tolerance = 1e-5 * (1 + one->condition);
        cr_expect_float_eq(one->before.t, other->before.t, tolerance * span, "%s", name);
        cr_expect_float_eq(one->rate, other->rate, 1e3 * tolerance * fabs(one->rate),
                           "%s, %s: rates %.6g and %.6g", name, one->event->name,
                           one->rate, other->rate);
    }
}

/* Refusals must not depend on whether there are derivatives: the rate of a guard on
   multipliers takes derivatives along the motion, which a run without columns needs,
   too. */
Test(runner, without_derivatives_the_events_are_the_same)
{
    int events = 0;
    for (int k = 0; catalogue[k]; k++) {
        struct solving s;
        struct trajectory *one, *other;
        struct model *model = model_new(catalogue[k], NULL);
        solving_of_model(&s, model, formulation_default(model)->name);
        set_loosely(&s);
        enum status status = run_once(&s.request, &one, &s.diagnosis);
        s.request.parameters = 0;
        enum status without = run_once(&s.request, &other, &s.diagnosis);
        if (status == OK) {
            cr_expect_eq(without, OK, "%s: %s: %s", catalogue[k]->name,
                         status_text(without), s.diagnosis.place);
            expect_same_events(one, other, s.sample[TEST_SAMPLES - 1]);
            events += one->events;
        }
        trajectory_free(one);
        trajectory_free(other);
        solving_end(&s);
    }
    cr_expect_geq(events, 100);
}
