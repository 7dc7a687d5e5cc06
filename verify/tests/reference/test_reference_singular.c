/*
 * test_reference_singular.c - motions that pass configurations in which their
 * constraints become dependent: four-bar cells whose cranks are horizontal, and an arm
 * that is led through its folded position.
 *
 * All cranks turn together, by th from the x axis, as one pendulum (cells N):
 *
 *     ((N + 1)/3 + N) L th'' = -((N + 1)/2 + N) g cos th,  th = pi/2, th' = -1/L at first
 */
#include "four_bar.h"
#include "referring.h"

enum { CELLS = 2 };

static void record_reduced(struct model *model)
{
    COORDINATES(th);
    PARAMETERS(L, g);
    COSTS(x, y);
    NOMINAL(L, 1, "m", "length of the cranks");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    model->M[0][0] = EQ(3*L);
    model->F[0] = EQ(-3.5*g*cos(th));
    model->w[0] = EQ(L*cos(th));
    model->w[1] = EQ(L*sin(th));
    model->q0[0] = EQ(pi/2);
    model->v0[0] = EQ(-1/L);
    model->t_end = EQ(1);
}
CASE(test_reduced, .name = "test-reduced", .record = record_reduced);

/* It ends where the cranks are horizontal. */
static void record_until_horizontal(struct model *model)
{
    record_reduced(model);
    model_event(model, "horizontal", model->pen, model->pen,
                variable(model->tape, BLOCK_Q, 0), FALLING)->terminal = true;
}
CASE(test_until_horizontal, .name = "test-until-horizontal",
     .record = record_until_horizontal);

static void begin(struct referring *r, const struct case_desc *desc, const char *t_end,
                  const char *by, const char *and_by)
{
    static const char *end[2];
    int of_reduced = desc == &case_test_reduced;
    four_bar.cells = CELLS;
    four_bar.horizontal = four_bar.own = false;
    referring_of_case(r, desc, 40);
    r->parameter[0] = model_parameter_index(r->model, by);
    r->parameter[1] = and_by ? model_parameter_index(r->model, and_by) : 0;
    r->request.parameters = and_by ? 2 : 1;
    end[of_reduced] = t_end;
    r->request.t_end = t_end;
    r->request.samples = 1;
    r->request.sample = &end[of_reduced];
}

/* Until 3 s the cranks are horizontal three times. */
Test(reference_singular, configurations_are_passed_with_the_parameters_that_all_share)
{
    struct referring full, reduced;
    begin(&full, &case_test_four_bar, "3", "L", "g");
    begin(&reduced, &case_test_reduced, "3", "L", "g");
    struct mp_trajectory *t = refer(&full), *want = refer(&reduced);
    mpfr_t one;
    mpfr_init2(one, 64);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    for (int j = -1; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            double digits = mp_digits(number_at(t, t->sample, GROUP_Q, i, j),
                                      want->psi[2 * (j + 1) + i], one);
            cr_expect_gt(digits, 33, "coordinate %d, parameter %d: %.1f digits", i, j,
                         digits);
        }
    cr_expect_lt(t->worst_Phi, 1e-40);
    mpfr_clear(one);
    mp_trajectory_free(t);
    mp_trajectory_free(want);
    referring_end(&full);
    referring_end(&reduced);
}

/* With couplers of another length than the distance of the pins the cranks do not become
   horizontal at all. */
Test(reference_singular, configurations_are_where_a_single_length_has_no_derivative)
{
    struct referring full, until;
    begin(&full, &case_test_four_bar, "0.6", "C", "g");
    mp_trajectory_free(refer(&full));
    full.request.t_end = NULL;
    full.request.samples = 0;
    refer_refused(&full, INADMISSIBLE, "cannot follow C");
    begin(&until, &case_test_until_horizontal, NULL, "L", NULL);
    until.request.samples = 0;
    struct mp_trajectory *t = refer(&until);
    cr_assert_eq(t->events, 1);
    cr_expect_float_eq(full.diagnosis.t, mpfr_get_d(t->event[0].before.t, MPFR_RNDN),
                       1e-13);
    mp_trajectory_free(t);
    referring_end(&full);
    referring_end(&until);
}

/* --- an arm of no freedom ----------------------------------------------------------- */

/* The same elbow in closed form: sin((q2 - pi)/2) = (x0 - v t)/(sqrt(2) l). */
static void record_elbow(struct model *model)
{
    COORDINATES(unused);
    PARAMETERS(l, v, x0);
    COSTS(elbow);
    TIME(t);
    NOMINAL(l, 1, "m", "length of link 1");
    NOMINAL(v, 0.6, "m/s", "speed of the tip");
    NOMINAL(x0, cos(80*pi/180) + sqrt(1 - pow(1 - 2*sin(80*pi/180), 2))/2, "m",
            "initial place of the tip");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-unused);
    model->w[0] = EQ(pi + 2*asin((x0 - v*t)/(sqrt(2)*l)));
    model->t_end = EQ(1);
}
CASE(test_elbow, .name = "test-elbow", .record = record_elbow);

static void begin_arm(struct referring *r, const struct case_desc *desc, int digits)
{
    static const char *const end = "1";
    referring_of_case(r, desc, digits);
    r->request.samples = 1;
    r->request.sample = &end;
}

static void expect_digits(mpfr_srcptr got, mpfr_srcptr want, double digits,
                          const char *what)
{
    mpfr_t one;
    mpfr_init2(one, 64);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    double agreed = mp_digits(got, want, one);
    cr_expect_gt(agreed, digits, "%s: %.1f digits", what, agreed);
    mpfr_clear(one);
}

/* All derivatives exist. Several numbers of digits, for what is near a singular
   configuration depends on where the steps before it happen to end. */
Test(reference_singular, configuration_of_a_led_arm_is_passed_as_in_its_closed_form)
{
    for (int digits = 30; digits <= 78; digits += 24) {
        struct referring arm, elbow;
        begin_arm(&arm, case_find("two-link-driven-singular"), digits);
        begin_arm(&elbow, &case_test_elbow, digits);
        arm.request.parameters = elbow.request.parameters;
        for (int j = 0; j < elbow.request.parameters; j++) {
            const char *name = elbow.model->parameter[elbow.parameter[j]].name;
            arm.parameter[j] = model_parameter_index(arm.model, name);
        }
        struct mp_trajectory *t = refer(&arm), *want = refer(&elbow);
        for (int j = -1; j < elbow.request.parameters; j++)
            expect_digits(number_at(t, t->sample, GROUP_Q, 1, j), want->psi[1 + j],
                          digits - 5, j < 0 ? "q2" : "a derivative of q2");
        mp_trajectory_free(t);
        mp_trajectory_free(want);
        referring_end(&arm);
        referring_end(&elbow);
    }
}

/* M and F are proportional to m: dq/dm = 0, m dlambda/dm = lambda, with m = 1. What is
   zero is rounding, and steps must not be measured by it. */
Test(reference_singular, configuration_is_passed_by_derivatives_that_are_zero)
{
    struct referring arm;
    mpfr_t zero;
    begin_arm(&arm, case_find("two-link-driven-singular"), 40);
    arm.parameter[0] = model_parameter_index(arm.model, "m");
    arm.request.parameters = 1;
    struct mp_trajectory *t = refer(&arm);
    mpfr_init2(zero, t->precision);
    mpfr_set_zero(zero, 1);
    for (int i = 0; i < 2; i++) {
        expect_digits(number_at(t, t->sample, GROUP_Q, i, 0), zero, 35, "dq/dm");
        expect_digits(number_at(t, t->sample, GROUP_LAMBDA, i, 0),
                      number_at(t, t->sample, GROUP_LAMBDA, i, -1), 35, "dlambda/dm");
    }
    mpfr_clear(zero);
    mp_trajectory_free(t);
    referring_end(&arm);
}

/* --- events between ----------------------------------------------------------------- */

/* With 84 digits, steps of the motor's mode end where rounding of the same precision
   would hide the way on. */
Test(reference_singular, configurations_between_events_are_passed_with_any_digits)
{
    struct referring few, many;
    referring_of_case(&few, case_find("four-bar-events"), 60);
    referring_of_case(&many, case_find("four-bar-events"), 84);
    struct mp_trajectory *a = refer(&few), *b = refer(&many);
    int count = few.model->nz * (1 + few.request.parameters);
    cr_assert_eq(a->events, 4);
    cr_assert_eq(b->events, 4);
    for (int i = 0; i < count; i++)
        expect_digits(a->psi[i], b->psi[i], 50, "a cost or its derivative");
    mp_trajectory_free(a);
    mp_trajectory_free(b);
    referring_end(&few);
    referring_end(&many);
}
