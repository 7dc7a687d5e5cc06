/*
 * test_second_along.c - derivatives of costs along one direction, in MPFR and in double,
 * are those of gradient and Hessian, and are refused where events differ.
 */
#include "arithmetic/mp.h"
#include "case.h"
#include "gradients.h"
#include "motion/second_along.h"

TestSuite(second_along, .timeout = 300);

static const struct truth exact = {.variant = "exact"};

static void open_runs(struct moved_runs *runs, const struct solving *s, int digits)
{
    struct diagnosis diagnosis = {.t = NAN};
    cr_assert_eq(moved_runs_open(runs, s->model, &exact, digits, &diagnosis), OK, "%s",
                 diagnosis.place);
    cr_assert_eq(runs->request.parameters, s->request.parameters);
}

/* sum[0] = dpsi w, sum[1] = w' d2psi w of a certified Hessian. */
static void sum_along(const struct mp_hessian *hessian, char *const *w, mpfr_ptr sum)
{
    int p = hessian->parameters;
    mpfr_t weight, term;
    mpfr_inits2(hessian->precision, weight, term, (mpfr_ptr)0);
    for (int j = 0; j < p; j++) {
        mpfr_set_str(weight, w[j], 10, MPFR_RNDN);
        mpfr_fma(sum, weight, hessian->by_rho + j, sum, MPFR_RNDN);
        for (int k = 0; k < p; k++) {
            mpfr_set_str(term, w[k], 10, MPFR_RNDN);
            mpfr_mul(term, term, hessian->by_two + j * p + k, MPFR_RNDN);
            mpfr_fma(sum + 1, weight, term, sum + 1, MPFR_RNDN);
        }
    }
    mpfr_clears(weight, term, (mpfr_ptr)0);
}

static void expect_certified(const char *name)
{
    struct solving s;
    struct moved_runs runs;
    struct mp_hessian *hessian;
    gradients_of(&s, case_find(name), "ode", 1e-12);
    open_runs(&runs, &s, 30);
    cr_assert_eq(mp_hessian_certify(&runs.request, 0, 20, 2, &hessian, &s.diagnosis), OK,
                 "%s", s.diagnosis.place);
    mpfr_ptr want = mp_vector_new(2, hessian->precision);
    mpfr_ptr got = mp_vector_new((size_t)(2 * s.model->nz), hessian->precision);
    mpfr_ptr second = got + s.model->nz;
    sum_along(hessian, runs.direction.w, want);
    cr_assert_eq(second_along_mpfr(&runs, got, second, &s.diagnosis), OK);
    cr_expect_geq(mp_digits(got, want, want + 1), 18, "%s", name);
    cr_expect_geq(mp_digits(second, want + 1, want), 18, "%s", name);
    double first = 0, value = 0, right[2];
    for (int i = 0; i < 2; i++)
        right[i] = mpfr_get_d(want + i, MPFR_RNDN);
    double size = fmax(fabs(right[0]), fabs(right[1]));
    cr_assert_eq(second_along_double(&s.request, &runs.direction, 0, 0, &first, &value,
                                     &s.diagnosis), OK);
    cr_expect_float_eq(first, right[0], 1e-10 * size, "%s: %g", name, first - right[0]);
    cr_expect_float_eq(value, right[1], 1e-9 * size, "%s: %g", name, value - right[1]);
    mp_vector_free(want);
    mp_vector_free(got);
    mp_hessian_free(hessian);
    moved_runs_close(&runs);
    solving_end(&s);
}

Test(second_along, is_the_sum_of_the_certified_hessian)
{
    expect_certified("bouncing-ball");
    expect_certified("event-algebra");
    expect_certified("clutch");
}

/* The floor is met 1e-9 s before the end, and at some moved parameters not at all. */
static void record_late(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g);
    COSTS(height);
    NOMINAL(g, 2, "m/s^2", "gravity");
    struct mode *fly = model_mode(model, "fly");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1 + 1e-9);
    model->w[0] = EQ(y);
    model_event(model, "floor", fly, fly, EQ(y), FALLING)->v_plus[0] = EQ(-vy);
}

Test(second_along, is_refused_where_moved_runs_have_other_events)
{
    struct solving s;
    struct moved_runs runs;
    solving_of_record(&s, "late", record_late, "ode");
    mpfr_ptr both = mp_vector_new(2, mp_precision(60));
    open_runs(&runs, &s, 20);
    cr_expect_eq(second_along_mpfr(&runs, both, both + 1, &s.diagnosis), NOT_APPLICABLE);
    cr_expect_not_null(strstr(s.diagnosis.place, "other events"));
    moved_runs_close(&runs);
    open_runs(&runs, &s, 60);
    cr_expect_eq(second_along_mpfr(&runs, both, both + 1, &s.diagnosis), OK, "%s",
                 s.diagnosis.place);
    moved_runs_close(&runs);
    mp_vector_free(both);
    solving_end(&s);
}
