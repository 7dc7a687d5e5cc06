/*
 * test_reference_singular.c - a motion that passes configurations in which its
 * constraints become dependent: four-bar cells whose cranks are horizontal.
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
