/*
 * test_hessian.c - second derivatives across events, by tangent over adjoint: they are
 * symmetric, though each row comes from a sweep of its own, and are the differences of
 * gradients.
 */
#include "case.h"
#include "gradients.h"

TestSuite(hessian, .timeout = 600);

enum { MOST = 6 };      /* parameters that are differentiated by, at most */

static const struct adjoint_request first_order, second_order = {.hessian = true};

/* An entry by the sizes of both parameters. */
static double scaled(const struct solving *s, int j, int k, double value)
{
    return fabs(value) * size_of_parameter(s, j) * size_of_parameter(s, k);
}

static double largest_entry(const struct solving *s, const double *hessian)
{
    int p = s->request.parameters;
    double size = 0;
    for (int j = 0; j < p; j++)
        for (int k = 0; k < p; k++)
            size = fmax(size, scaled(s, j, k, hessian[j * p + k]));
    return size;
}

static double digits_of_symmetry(const struct solving *s, const double *hessian)
{
    int p = s->request.parameters;
    double worst = 0, size = largest_entry(s, hessian);
    for (int j = 0; j < p; j++)
        for (int k = 0; k < j; k++)
            worst = fmax(worst, scaled(s, j, k,
                                       hessian[j * p + k] - hessian[k * p + j]));
    return size > 0 ? -log10(worst / size + 1e-17) : 17;
}

static void begin(struct solving *s, const struct case_desc *desc,
                  const char *formulation, double rtol)
{
    gradients_of(s, desc, formulation, rtol);
    if (s->request.parameters > MOST)
        s->request.parameters = MOST;
}

/* --- symmetry ----------------------------------------------------------------------- */

static void expect_symmetry(const char *name, double rtol, double bar, int least)
{
    const struct formulation *formulation = formulation_find(name);
    int reached = 0;
    for (int k = 0; catalogue[k]; k++) {
        struct solving s;
        const char *why;
        enum status status;
        struct model *model = model_new(catalogue[k], NULL);
        bool takes = formulation_applies(formulation, model, &why) &&
                     has_turn(k, formulation);
        model_free(model);
        if (!takes || strstr(catalogue[k]->classes, "singular"))
            continue;
        begin(&s, catalogue[k], name, rtol);
        struct gradient *gradient = gradient_with(&s, second_order, 0, NULL, &status);
        if (gradient) {
            double digits = digits_of_symmetry(&s, gradient->hessian);
            cr_expect_geq(digits, bar, "%s, %s: %.1f digits", catalogue[k]->name, name,
                          digits);
            reached += gradient->trajectory->events > 0;
        }
        gradient_free(gradient);
        solving_end(&s);
    }
    cr_expect_geq(reached, least_of_turn(least), "%s: %d", name, reached);
}

Test(hessian, is_symmetric_over_the_catalogue)
{
    expect_symmetry("ode", 1e-11, 9.5, 45);
    expect_symmetry("index1", 1e-11, 9.5, 20);
    expect_symmetry("baumgarte", 1e-11, 9.5, 20);
}

Test(hessian, is_symmetric_for_soft_constraints_and_a_dae)
{
    expect_symmetry("penalty", 1e-12, 9, 20);
    expect_symmetry("index3", 1e-10, 6.5, 10);
    if (!in_test_all())
        return;
    expect_symmetry("modified-lagrange", 1e-12, 9, 20);
    expect_symmetry("ggl", 1e-12, 9, 10);
}

/* --- differences -------------------------------------------------------------------- */

/* Row k by central differences of gradients with Richardson's extrapolation. */
static void difference(struct solving *s, int k, double *row)
{
    int p = s->request.parameters;
    double rows[2][MOST];
    for (int half = 0; half < 2; half++) {
        double value[TEST_PARAMETERS], h = 1e-4 * size_of_parameter(s, k) / (1 + half);
        struct gradient *side[2];
        for (int i = 0; i < 2; i++) {
            enum status status;
            memcpy(value, s->value, sizeof value);
            value[s->parameter[k]] += i ? h : -h;
            side[i] = gradient_with(s, first_order, 0, value, &status);
            cr_assert_eq(status, OK, "%s", s->diagnosis.place);
        }
        for (int j = 0; j < p; j++)
            rows[half][j] = (side[1]->by_rho[j] - side[0]->by_rho[j]) / (2 * h);
        gradient_free(side[0]);
        gradient_free(side[1]);
    }
    for (int j = 0; j < p; j++)
        row[j] = (4 * rows[1][j] - rows[0][j]) / 3;
}

/* Digits in which the Hessian, made with faults, is the difference of gradients. */
static double digits_of_differences(const char *name, const char *formulation,
                                    unsigned faults)
{
    struct solving s;
    enum status status;
    double row[MOST];
    begin(&s, case_find(name), formulation, 1e-12);
    struct gradient *gradient = gradient_with(&s, second_order, faults, NULL, &status);
    cr_assert_not_null(gradient, "%s: %s", name, s.diagnosis.place);
    double size = largest_entry(&s, gradient->hessian), worst = 0;
    int p = s.request.parameters;
    for (int k = 0; k < p; k++) {
        difference(&s, k, row);
        for (int j = 0; j < p; j++)
            worst = fmax(worst, scaled(&s, j, k, row[j] - gradient->hessian[k * p + j]));
    }
    gradient_free(gradient);
    solving_end(&s);
    return -log10(worst / size + 1e-17);
}

static void expect_differences(const char *name, const char *formulation, double bar)
{
    double digits = digits_of_differences(name, formulation, 0);
    cr_expect_geq(digits, bar, "%s, %s: %.1f digits", name, formulation, digits);
}

/* Forces that change at events have another Jacobian after them, and another rate. */
Test(hessian, with_the_jacobian_of_one_side_is_seen)
{
    static const char *const names[] = {"pwlin", "switching-oscillator", "clutch"};
    static const unsigned faults[] = {ADJOINT_ONE_JACOBIAN, ADJOINT_NO_RATE_OF_F};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 2; i++) {
            double digits = digits_of_differences(names[k], "ode", faults[i]);
            cr_expect_lt(digits, 4, "%s, %d: %.1f digits", names[k], i, digits);
        }
        expect_differences(names[k], "ode", 8);
    }
}

/* t_e'' is symmetric: only differences see that it is missing. */
Test(hessian, without_the_second_derivative_of_an_event_time_is_symmetric_and_wrong)
{
    static const char *const names[] = {"impact-oscillator", "clutch", "stone-throw"};
    for (int k = 0; k < 3; k++) {
        struct solving s;
        enum status status;
        begin(&s, case_find(names[k]), "ode", 1e-12);
        struct gradient *gradient = gradient_with(&s, second_order,
                                                  ADJOINT_NO_SECOND_TIME, NULL, &status);
        cr_assert_not_null(gradient, "%s: %s", names[k], s.diagnosis.place);
        cr_expect_geq(digits_of_symmetry(&s, gradient->hessian), 9, "%s", names[k]);
        gradient_free(gradient);
        solving_end(&s);
        double digits = digits_of_differences(names[k], "ode", ADJOINT_NO_SECOND_TIME);
        cr_expect_lt(digits, 4, "%s: %.1f digits", names[k], digits);
    }
}

/* Velocity jumps, impulses, changes of constraints and of force, latched states, timed
   guards, guards and resets on multipliers, costs of events, a terminal event, a start
   that moves and open coordinates, friction. */
Test(hessian, is_the_difference_of_gradients)
{
    expect_differences("impact-oscillator", "ode", 9);
    expect_differences("clocked-oscillator", "ode", 9);
    expect_differences("event-algebra", "ode", 9);
    expect_differences("stone-throw", "ode", 9);
    expect_differences("straight-flight", "ode", 9);
    expect_differences("compass-gait-absolute", "index1", 8);
    expect_differences("five-bar-events", "index1", 9);
    expect_differences("slack-rope", "index1", 9);
    expect_differences("rope-catch", "baumgarte", 9);
    expect_differences("crane-winch", "index1", 9);
    expect_differences("trolley-heavy", "ode", 9);
    expect_differences("pendulum-friction", "index1", 7);
    expect_differences("pendulum-wall", "penalty", 9);
}

/* --- by hand ------------------------------------------------------------------------ */

static struct solving s;

/* A ball falls from h0 onto a floor that gives it e times its speed, and after T it is at
   e sqrt(2 g h0) (T - t1) - g (T - t1)^2/2, t1 = sqrt(2 h0/g). */
static void record_ball(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, h0, e);
    COSTS(height);
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(h0, 1, "m", "where the ball falls from");
    NOMINAL(e, 0.7, "1", "restitution");
    struct mode *fly = model_mode(model, "fly");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model->q0[0] = EQ(h0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(0.9);
    model->w[0] = EQ(y);
    model_event(model, "floor", fly, fly, EQ(y), FALLING)->v_plus[0] = EQ(-e*vy);
}

static void expect_entry(const double *hessian, int j, int k, double want)
{
    cr_expect_float_eq(hessian[j * 3 + k], want, 1e-10 * fmax(1, fabs(want)),
                       "entry %d, %d: %.15g, not %.15g", j, k, hessian[j * 3 + k], want);
}

/* With t1 = sqrt(2 h0/g), u = sqrt(2 g h0) and D = T - t1: height = e u D - g D^2/2. */
Test(hessian, of_a_bounce_is_the_closed_form)
{
    enum status status;
    double g = 9.81, h = 1, e = 0.7, T = 0.9;
    solving_of_record(&s, "ball", record_ball, "ode");
    s.request.samples = 0;
    struct gradient *gradient = gradient_with(&s, second_order, 0, NULL, &status);
    cr_assert_not_null(gradient, "%s", s.diagnosis.place);
    double t1 = sqrt(2 * h / g), u = sqrt(2 * g * h), D = T - t1;
    double t_g = -t1 / (2 * g), t_h = t1 / (2 * h), u_g = u / (2 * g), u_h = u / (2 * h);
    double t_gg = 0.75 * t1 / (g * g), t_hh = -0.25 * t1 / (h * h);
    double t_gh = -0.25 * t1 / (g * h), u_gg = -0.25 * u / (g * g);
    double u_hh = -0.25 * u / (h * h), u_gh = 0.25 * u / (g * h);
    const double *H = gradient->hessian;
    expect_entry(H, 2, 2, 0);
    expect_entry(H, 2, 0, u_g * D - u * t_g);
    expect_entry(H, 2, 1, u_h * D - u * t_h);
    expect_entry(H, 0, 0, e * (u_gg * D - 2 * u_g * t_g - u * t_gg) + 2 * D * t_g -
                              g * (t_g * t_g - D * t_gg));
    expect_entry(H, 1, 1, e * (u_hh * D - 2 * u_h * t_h - u * t_hh) -
                              g * (t_h * t_h - D * t_hh));
    expect_entry(H, 0, 1, e * (u_gh * D - u_g * t_h - u_h * t_g - u * t_gh) + D * t_h -
                              g * (t_g * t_h - D * t_gh));
    gradient_free(gradient);
    solving_end(&s);
}

Test(hessian, is_refused_by_name_where_there_is_none)
{
    enum status status;
    begin(&s, case_find("five-bar-redundant"), "baumgarte", 1e-10);
    cr_expect_null(gradient_with(&s, second_order, 0, NULL, &status));
    cr_expect_eq(status, NOT_APPLICABLE, "%s", status_text(status));
    solving_end(&s);
    begin(&s, case_find("pendulum-wall"), "index1", 1e-10);
    struct adjoint_request request = {.run = s.request, .cost = 0, .hessian = true,
                                      .method = adjoint_method_find("discrete-adjoint")};
    cr_expect_null(adjoint_new(&request, &s.diagnosis));
    cr_expect_eq(s.diagnosis.status, NOT_APPLICABLE);
    solving_end(&s);
}
