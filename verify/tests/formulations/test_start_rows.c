/*
 * test_start_rows.c - a start that follows from rows of the case, Gamma(t,q,v,s,rho) =
 * 0: it is that of an explicit start, with its derivatives, and is refused by name where
 * the rows do not determine it.
 */
#include "adjoint/adjoint.h"
#include "base/splitmix.h"
#include "case.h"
#include "solving.h"

/* --- the explicit start ------------------------------------------------------------- */

/* Value of component i of a group at the start, or its derivative by parameter j. */
static double at_start(const struct trajectory *run, enum column_group group, int i,
                       int j)
{
    return run->sample[0].x[column(&run->columns, group, i, j)];
}

/* Moves every parameter by up to a tenth, the same in both. */
static void move_parameters(struct solving *a, struct solving *b, uint64_t seed)
{
    for (int j = 0; j < a->model->p; j++) {
        double random = (double)(splitmix64(seed + (uint64_t)j) >> 11) * 0x1p-53;
        a->value[j] *= 0.9 + 0.2 * random;
        b->value[j] = a->value[j];
    }
}

/* (x, y) = l (sin th, -cos th) and its derivatives by each parameter and along the
   motion, at the starts of both. */
static void compare_starts(const struct trajectory *rows, const struct trajectory *angle,
                           int l, uint64_t seed)
{
    double L = rows->value[l], th = at_start(angle, GROUP_Q, 0, -1);
    double w = at_start(angle, GROUP_V, 0, -1), s = sin(th), c = cos(th);
    const double want[] = {L * s, -L * c, L * c * w, L * s * w};
    for (int i = 0; i < 4; i++)
        cr_expect_float_eq(at_start(rows, i < 2 ? GROUP_Q : GROUP_V, i % 2, -1), want[i],
                           1e-13, "component %d, seed %llu", i, (unsigned long long)seed);
    for (int j = 0; j < rows->columns.p; j++) {
        double dl = rows->columns.parameter[j] == l;
        double dth = at_start(angle, GROUP_Q, 0, j), dw = at_start(angle, GROUP_V, 0, j);
        const double slope[] = {dl * s + L * c * dth, -dl * c + L * s * dth,
                                dl * c * w - L * s * w * dth + L * c * dw,
                                dl * s * w + L * c * w * dth + L * s * dw};
        for (int i = 0; i < 4; i++)
            cr_expect_float_eq(at_start(rows, i < 2 ? GROUP_Q : GROUP_V, i % 2, j),
                               slope[i], 1e-12, "component %d by %d, seed %llu", i, j,
                               (unsigned long long)seed);
    }
}

Test(start_rows, give_the_start_of_the_angle)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct solving rows, angle;
        solving_of_case(&rows, "pendulum-launched", "index1");
        solving_of_case(&angle, "pendulum-launched-angle", "ode");
        move_parameters(&rows, &angle, 100 * seed);
        struct trajectory *a = solve(&rows), *b = solve(&angle);
        compare_starts(a, b, model_parameter_index(rows.model, "l"), seed);
        trajectory_free(a);
        trajectory_free(b);
        solving_end(&rows);
        solving_end(&angle);
    }
}

/* x = sin t at t0, in free flight: x(t) = sin t0 + u (t - t0). */
static void launched_at(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(t0, u);
    TIME(t);
    NOMINAL(t0, 0.3, "s", "start");
    NOMINAL(u, 2, "m/s", "speed");
    model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model_start_row(model, EQ(x*x*x + x - (sin(t)*sin(t)*sin(t) + sin(t))));
    model_start_row(model, EQ(vx - u));
    model->v_guess[0] = EQ(1);
    model->t0 = EQ(t0);
    model->t_end = EQ(2);
}

Test(start_rows, move_with_the_time_of_the_start_to_second_order)
{
    struct solving s;
    struct gradient *found = NULL;
    solving_of_record(&s, "launched-at", launched_at, "ode");
    const struct adjoint_request request = {.run = s.request, .cost = -1,
                                            .hessian = true};
    struct adjoint *adjoint = adjoint_new(&request, &s.diagnosis);
    cr_assert_not_null(adjoint, "%s", s.diagnosis.place);
    cr_assert_eq(adjoint_run(adjoint, NULL, &found, &s.diagnosis), OK, "%s",
                 s.diagnosis.place);
    const double t0 = 0.3, u = 2, by_rho[] = {cos(t0) - u, 2 - t0};
    const double by_two[] = {-sin(t0), -1, -1, 0};
    cr_expect_float_eq(found->value, sin(t0) + u * (2 - t0), 1e-12);
    for (int j = 0; j < 2; j++)
        cr_expect_float_eq(found->by_rho[j], by_rho[j], 1e-11, "by %d", j);
    for (int i = 0; i < 4; i++)
        cr_expect_float_eq(found->hessian[i], by_two[i], 1e-11, "entry %d: %g", i,
                           found->hessian[i]);
    gradient_free(found);
    adjoint_free(adjoint);
    solving_end(&s);
}

/* Rows whose plain Newton iteration goes nowhere from the guess, and a damped one to a
   root. */
static void far_rows(struct model *model)
{
    COORDINATES(x);
    AUXILIARY(s, r);
    PARAMETERS(g, E, T, b);
    TIME(t);
    NOMINAL(g, 9.81, "1", "gravity");
    NOMINAL(E, 2, "1", "energy");
    NOMINAL(T, 0.4, "1", "start");
    NOMINAL(b, 0.3, "1", "product");
    struct mode *mode = model_mode(model, "swing");
    model->M[0][0] = EQ(1 + s*s);
    model->F[0] = EQ(-g*sin(x) - r);
    mode->f_s[0] = EQ(r - s);
    mode->f_s[1] = EQ(x*vx);
    model->t0 = EQ(T);
    model->s0[1] = EQ(E/7 + T);
    model->q_guess[0] = EQ(1);
    model->v_guess[0] = EQ(-1);
    model->s_guess[0] = EQ(0.2);
    model_start_row(model, EQ((1 + s*s)*vx*vx/2 - g*cos(x) - E));
    model_start_row(model, EQ(s*exp(s) - b - T*x));
    model_start_row(model, EQ(x*t + s - r*vx*b - 0.5));
    model->t_end = EQ(3);
}

Test(start_rows, are_solved_from_afar_by_every_judge)
{
    struct solving s;
    char name[100];
    solving_of_record(&s, "far-rows", far_rows, "ode");
    struct trajectory *run = solve(&s);
    double digits = digits_of_complex_step(&s, run, name, sizeof name);
    cr_expect_geq(digits, 9, "%.1f digits, %s", digits, name);
    trajectory_free(run);
    solving_end(&s);
}

/* --- what is refused ---------------------------------------------------------------- */

/* A bob on a rope, and what is wrong with its start. */
static enum start_fault {
    NOTHING, GIVEN, ONE_MORE_OPEN, ONE_MORE_GIVEN, CONTRADICTED, AT_REST, CORNER,
    OF_ACCELERATION, NO_ROW
} wrong;

static void bob(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l, E);
    NOMINAL(l, 1, "m", "length");
    NOMINAL(E, -3, "J", "energy");
    model_mode(model, "swing");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[1] = EQ(-10);
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    if (wrong != NO_ROW)
        model_start_row(model, EQ((vx*vx + vy*vy)/2 + 10*y - E));
    if (wrong == OF_ACCELERATION)
        model_start_row(model, EQ(ax));
    if (wrong == CORNER)
        model_start_row(model, EQ(x - sqrt((y + 1)*(y + 1))));
    else if (wrong != ONE_MORE_OPEN && wrong != NO_ROW)
        model->q0[0] = wrong == GIVEN || wrong == CONTRADICTED ? EQ(0) : EQ(0.1);
    model->q_guess[1] = EQ(-0.9);
    model->v_guess[0] = wrong == AT_REST ? EQ(0) : EQ(3);
    if (wrong == GIVEN || wrong == CONTRADICTED) {
        model->q0[1] = EQ(-l);
        model->v0[1] = EQ(0);
    }
    if (wrong == GIVEN || wrong == CONTRADICTED || wrong == ONE_MORE_GIVEN)
        model->v0[0] = wrong == GIVEN ? EQ(sqrt(20*l + 2*E)) : EQ(3.7);
    model->t_end = EQ(0.5);
}

static enum status status_in_mpfr(const struct model *model, const char *E)
{
    const char *value[] = {NULL, E};
    const int parameter[] = {0, 1};
    struct mp_trajectory *run = NULL;
    struct diagnosis diagnosis = {.t = NAN};
    const struct reference_request request = {
        .model = model, .truth = {.variant = "exact"}, .digits = 30, .parameters = 2,
        .parameter = parameter, .value = value};
    enum status status = reference_run(&request, &run, &diagnosis);
    mp_trajectory_free(run);
    return status;
}

/* The run is refused, by complex step and in MPFR, too, and the message has all of
   `words`. */
static void expect_refused(enum start_fault what, const char *E, enum status status,
                           const char *const *words)
{
    struct solving s;
    struct trajectory *run = NULL;
    wrong = what;
    solving_of_record(&s, "bob", bob, "index1");
    s.value[1] = atof(E);
    refuse(&s, status);
    for (int k = 0; words[k]; k++)
        cr_expect_not_null(strstr(s.diagnosis.place, words[k]), "no \"%s\" in: %s",
                           words[k], s.diagnosis.place);
    if (status != BAD_INPUT) {
        enum status other = complex_step_run(&s.request, &run, &s.diagnosis);
        cr_expect_eq(other, status, "%d: complex step: %s, %s", what, status_text(other),
                     s.diagnosis.place);
        trajectory_free(run);
        other = status_in_mpfr(s.model, E);
        cr_expect_eq(other, status, "%d: MPFR: %s", what, status_text(other));
    }
    solving_end(&s);
}
#define WORDS(...) (const char *const[]){__VA_ARGS__, NULL}

static void expect_run(enum start_fault what)
{
    struct solving s;
    char name[100];
    wrong = what;
    solving_of_record(&s, "bob", bob, "index1");
    struct trajectory *run = solve(&s);
    double digits = digits_of_complex_step(&s, run, name, sizeof name);
    cr_expect_geq(digits, 11.5, "%d: %.1f digits, %s", what, digits, name);
    trajectory_free(run);
    solving_end(&s);
}

Test(start_rows, hold_beside_what_is_given)
{
    expect_run(NOTHING);
    expect_run(GIVEN);
}

Test(start_rows, determine_as_many_components_as_they_have_rank)
{
    expect_refused(ONE_MORE_OPEN, "-3", BAD_INPUT,
                   WORDS("4 components", "3 rows", "rank"));
    expect_refused(ONE_MORE_GIVEN, "-3", BAD_INPUT, WORDS("2 components", "rank 3"));
    expect_refused(CONTRADICTED, "-3", INCONSISTENT,
                   WORDS("start row 1, (vx*vx + vy*vy)/2 + 10*y - E", "given"));
}

Test(start_rows, are_solved_from_the_guesses)
{
    expect_refused(NOTHING, "-20", UNREACHABLE, WORDS("start row 1", "v_guess"));
    expect_refused(AT_REST, "-3", RANK_LOSS, WORDS("not determined"));
}

/* (3 x - 1)^m = a, from x = 2: at a = 0 the root has no derivative. A root that is close
   to another is one. */
static int multiplicity;

static void multiple(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(a);
    NOMINAL(a, 0, "1", "power of the distance");
    model_mode(model, "free");
    model->M[0][0] = EQ(1);
    model->v0[0] = EQ(1);
    model->q_guess[0] = EQ(2);
    model_start_row(model, sub(power(EQ(3*x - 1), multiplicity), EQ(a)));
    model->t_end = EQ(1);
}

Test(start_rows, have_no_derivatives_at_a_multiple_root)
{
    for (multiplicity = 2; multiplicity <= 3; multiplicity++) {
        struct solving s;
        solving_of_record(&s, "multiple", multiple, "ode");
        refuse(&s, RANK_LOSS);
        cr_expect_not_null(strstr(s.diagnosis.place, "multiple root of start row 1"),
                           "%s", s.diagnosis.place);
        s.value[0] = 1e-6;
        trajectory_free(solve(&s));
        solving_end(&s);
    }
}

Test(start_rows, have_derivatives)
{
    expect_refused(CORNER, "-3", DOMAIN_EDGE, WORDS("at the start"));
}

static void expect_malformed(enum start_fault what, const char *words)
{
    static const struct case_desc desc = {.name = "bob", .record = bob};
    struct diagnosis diagnosis = {.t = NAN};
    wrong = what;
    cr_expect_null(model_new(&desc, &diagnosis));
    cr_expect_eq(diagnosis.status, BAD_INPUT);
    cr_expect_not_null(strstr(diagnosis.place, words), "%s", diagnosis.place);
}

Test(start_rows, depend_on_the_state_alone)
{
    expect_malformed(OF_ACCELERATION, "Gamma must not depend on accelerations");
}

Test(start_rows, alone_need_guesses_of_velocities)
{
    expect_malformed(NO_ROW, "v_guess[0] is given, but no start row needs it");
}
