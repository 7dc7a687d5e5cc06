/*
 * test_terminal_event.c - the end of a run moves with a parameter, or stands on a sample
 * but for rounding.
 */
#include "case.h"
#include "motion/samples.h"
#include "referring.h"
#include "solving.h"

/* A ball is let go until T = 2, a number that is also a sample time on any grid. */
static void record(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, T);
    COSTS(height);
    NOMINAL(g, 8, "m/s^2", "gravity");
    NOMINAL(T, 2, "s", "end of the run");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g*y);
    model->g[0] = EQ(y);
    model->w[0] = EQ(y*y);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(T);
}
CASE(test_end, .name = "test-end", .record = record);

/* The samples are before the end, so that differences have them, and psi moves with it:
   dpsi/dT = y + 2 y y'. */
Test(ends, an_end_that_moves_with_a_parameter_is_no_sample)
{
    struct referring r;
    struct samples samples;
    struct certificate *c;
    referring_of_case(&r, &case_test_end, 20);
    cr_assert_eq(choose_samples(r.model, &samples, &r.diagnosis), OK);
    cr_expect_lt(samples.t[SAMPLES - 1], 2);
    cr_expect_gt(samples.t[SAMPLES - 1], 1.99);
    r.request.samples = samples.reference_count;
    r.request.sample = samples.reference;
    enum status status = certify(&r.request, 20, 2, &c, &r.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), r.diagnosis.place);
    double k = sqrt(8), y = cos(2*k), v = -k*sin(2*k);
    cr_expect_float_eq(mpfr_get_d(c->trajectory->psi[2], MPFR_RNDN), y + 2*y*v, 1e-14);
    certificate_free(c);
    referring_end(&r);
}

/* The solvers in double say the same there, by complex step. */
Test(ends, solvers_in_double_have_the_derivative_by_the_end)
{
    struct solving s;
    struct samples samples;
    char name[100];
    solving_of_desc(&s, &case_test_end, "ode");
    cr_assert_eq(choose_samples(s.model, &samples, &s.diagnosis), OK);
    s.request.sample = samples.t;
    struct trajectory *t = solve(&s);
    double digits = digits_of_complex_step(&s, t, name, sizeof name);
    cr_expect_gt(digits, 10, "%.1f: %s", digits, name);
    trajectory_free(t);
    solving_end(&s);
}

/* The square of a rounded root may be on either side of L. */
static void record_rounded(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, L);
    NOMINAL(g, 8, "m/s^2", "gravity");
    FIXED(L, 2, "s", "length of the run");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g*y);
    model->q0[0] = EQ(1);
    model->t_end = EQ(sqrt(L)*sqrt(L));
}
CASE(test_rounded_end, .name = "test-rounded-end", .record = record_rounded);

Test(ends, a_sample_at_the_end_is_the_end_but_for_rounding)
{
    static const char *const length[] = {"2", "3", "5", "6", "7", "10"};
    for (int k = 0; k < 18; k++) {
        struct referring r;
        const char *value[] = {NULL, length[k % 6]};
        referring_of_case(&r, &case_test_rounded_end, 20 + 20 * (k / 6));
        r.request.samples = 1;
        r.request.sample = &value[1];
        r.request.value = value;
        struct mp_trajectory *t = refer(&r);
        cr_expect_eq(t->samples, 1, "%s", value[1]);
        mp_trajectory_free(t);
        referring_end(&r);
    }
}

/* A sample that is asked for at a moving end is refused, and the message says why. */
Test(ends, a_sample_at_a_moving_end_is_explained)
{
    static const char *const sample = "2";
    struct referring r;
    struct mp_trajectory *t;
    referring_of_case(&r, &case_test_end, 20);
    r.request.samples = 1;
    r.request.sample = &sample;
    cr_expect_eq(reference_difference(&r.request, false, 1, &t, &r.diagnosis), BAD_INPUT);
    cr_expect(strstr(r.diagnosis.place, "where the end moves"), "%s", r.diagnosis.place);
    referring_end(&r);
}
