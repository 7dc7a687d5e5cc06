/*
 * test_reference_hessian.c - second derivatives in MPFR: two routes agree on 20 digits
 * across events, a closed form is met, and a moved run with other events is refused by
 * name.
 */
#include "case.h"
#include "referring.h"
#include "sampling.h"

TestSuite(reference_hessian, .timeout = 900);

static struct mp_hessian *hessian_of(struct referring *r, int digits)
{
    struct mp_hessian *hessian;
    enum status status = mp_hessian_certify(&r->request, 0, digits, 2, &hessian,
                                            &r->diagnosis);
    cr_assert_eq(status, OK, "%s: %s: %s", r->model->desc->name, status_text(status),
                 r->diagnosis.place);
    return hessian;
}

/* --- digits ------------------------------------------------------------------------- */

static void expect_agreement(const char *name, int parameters)
{
    struct referring r;
    referring_of_case(&r, case_find(name), 10);
    if (r.request.parameters > parameters)
        r.request.parameters = parameters;
    struct mp_hessian *hessian = hessian_of(&r, 20);
    cr_expect_geq(hessian->agreed, 20, "%s: %d", name, hessian->agreed);
    cr_expect(isnan(hessian->order) || fabs(hessian->order - 2) < 1e-6, "%s: %g", name,
              hessian->order);
    cr_expect_gt(hessian->events, 0, "%s", name);
    mp_hessian_free(hessian);
    referring_end(&r);
}

enum { ALL = REFERRING_PARAMETERS };

/* Impacts, a terminal event, an impulse that adds a constraint, latched states, an
   accumulated cost of events, times of events that all depend on one another. */
Test(reference_hessian, two_routes_agree_on_20_digits)
{
    expect_agreement("bouncing-ball", ALL);
    expect_agreement("event-algebra", ALL);
    expect_agreement("event-chain", ALL);
    expect_agreement("double-crossing", ALL);
    expect_agreement("clocked-oscillator", 3);
    expect_agreement("stone-throw", 3);
    expect_agreement("impact-oscillator", 2);
    expect_agreement("slack-rope", 3);
    expect_agreement("five-bar-events", 1);
}

Test(reference_hessian, two_routes_agree_on_20_digits_by_all_parameters)
{
    if (!in_test_all())
        cr_skip_test("slow");
    expect_agreement("stone-throw", ALL);
    expect_agreement("impact-oscillator", ALL);
    expect_agreement("slack-rope", ALL);
    expect_agreement("clutch", ALL);
    expect_agreement("chaplygin-sleigh", ALL);
    expect_agreement("crane-winch", ALL);
    expect_agreement("compass-gait", ALL);
    expect_agreement("five-bar-events", ALL);
}

/* Penalty motions have second derivatives of their own. */
Test(reference_hessian, a_penalty_motion_has_one)
{
    struct referring r;
    referring_of_case(&r, case_find("pendulum-wall"), 10);
    r.request.truth = (struct truth){"penalty", "1e4", "20", "100", NULL};
    r.request.parameters = 2;
    struct mp_hessian *hessian = hessian_of(&r, 20);
    cr_expect_geq(hessian->agreed, 20);
    mp_hessian_free(hessian);
    referring_end(&r);
}

/* More digits are there for the asking, and are those of fewer. */
Test(reference_hessian, digits_are_those_that_were_asked_for)
{
    struct referring r;
    referring_of_case(&r, case_find("bouncing-ball"), 10);
    struct mp_hessian *few = hessian_of(&r, 12), *many = hessian_of(&r, 60);
    cr_expect_geq(many->agreed, 60);
    cr_expect_gt(many->digits, few->digits);
    for (int i = 0; i < r.request.parameters * r.request.parameters; i++)
        cr_expect_geq(mp_digits(few->by_two + i, many->by_two + i, many->scale + i),
                      few->agreed, "%d", i);
    mp_hessian_free(few);
    mp_hessian_free(many);
    referring_end(&r);
}

/* --- by hand ------------------------------------------------------------------------ */

static void record_ball(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, h0, e);
    COSTS(height);
    NOMINAL(g, 2, "m/s^2", "gravity");
    NOMINAL(h0, 1, "m", "where the ball falls from");
    NOMINAL(e, 0.5, "1", "restitution");
    struct mode *fly = model_mode(model, "fly");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model->q0[0] = EQ(h0);
    model->v0[0] = EQ(0);
    model->w[0] = EQ(y);
    model_event(model, "floor", fly, fly, EQ(y), FALLING)->v_plus[0] = EQ(-e*vy);
}

static void record_bounce(struct model *model)
{
    record_ball(model);
    model->t_end = EQ(1.5);
}

static void record_just_before_the_end(struct model *model)
{
    record_ball(model);
    model->t_end = EQ(1 + 1e-9);
}

/* With t1 = sqrt(2 h0/g), u = sqrt(2 g h0), D = T - t1 the height after the bounce is
   psi = e u D - g D^2/2; here t1 = 1, u = 2, D = 1/2. With t_g = -1/4, t_h = 1/2,
   t_gg = 3/16, t_hh = -1/4, t_gh = -1/8, u_g = 1/2, u_h = 1, u_gg = -1/8, u_hh = -1/2,
   u_gh = 1/4:
   psi_gg = e (u_gg D - 2 u_g t_g - u t_gg) + 2 D t_g - g (t_g^2 - D t_gg)
   psi_hh = e (u_hh D - 2 u_h t_h - u t_hh) - g (t_h^2 - D t_hh)
   psi_gh = e (u_gh D - u_g t_h - u_h t_g - u t_gh) + D t_h - g (t_g t_h - D t_gh)
   psi_ge = u_g D - u t_g, psi_he = u_h D - u t_h, psi_ee = 0 */
Test(reference_hessian, of_a_bounce_is_the_closed_form)
{
    static const struct case_desc bounce = {.name = "bounce", .record = record_bounce};
    static const double want[3][3] = {{-0.28125, 0.5625, 0.75}, {0.5625, -1.125, -0.5},
                                      {0.75, -0.5, 0}};
    struct referring r;
    mpfr_t exact;
    referring_of_case(&r, &bounce, 10);
    struct mp_hessian *hessian = hessian_of(&r, 25);
    mpfr_init2(exact, hessian->precision);
    for (int i = 0; i < 9; i++) {
        mpfr_set_d(exact, want[i / 3][i % 3], MPFR_RNDN);
        cr_expect_geq(mp_digits(hessian->by_two + i, exact, hessian->scale + i), 25,
                      "entry %d, %d: %.15g", i / 3, i % 3,
                      mpfr_get_d(hessian->by_two + i, MPFR_RNDN));
    }
    mpfr_clear(exact);
    mp_hessian_free(hessian);
    referring_end(&r);
}

/* --- refusals ----------------------------------------------------------------------- */

static void refuse_hessian(struct referring *r, int cost, enum status want,
                           const char *word)
{
    struct mp_hessian *hessian;
    enum status got = mp_hessian_certify(&r->request, cost, 20, 2, &hessian,
                                         &r->diagnosis);
    cr_expect_eq(got, want, "%s instead of %s: %s", status_text(got), status_text(want),
                 r->diagnosis.place);
    cr_expect_not_null(strstr(r->diagnosis.place, word), "\"%s\" is not in \"%s\"", word,
                       r->diagnosis.place);
    cr_expect_null(hessian);
}

/* The impact is 1e-9 s before the end: with the steps of 45 digits a slower fall does not
   come to it, with those of 90 it does. */
Test(reference_hessian, a_moved_run_with_other_events_is_refused_by_name)
{
    static const struct case_desc late = {.name = "late",
                                          .record = record_just_before_the_end};
    struct referring r;
    referring_of_case(&r, &late, 10);
    refuse_hessian(&r, 0, GRAZING, "event 1 is floor, but none when g is decreased");
    r.request.digits = 90;
    struct mp_hessian *hessian = hessian_of(&r, 20);
    cr_expect_eq(hessian->events, 1);
    mp_hessian_free(hessian);
    referring_end(&r);
}

Test(reference_hessian, where_the_gradient_is_refused_there_is_none)
{
    struct referring r;
    referring_of_case(&r, case_find("newton-cradle"), 10);
    refuse_hessian(&r, 0, SIMULTANEOUS, "their order matters");
    referring_end(&r);
    referring_of_case(&r, case_find("bouncing-ball"), 10);
    refuse_hessian(&r, r.model->nz, BAD_INPUT, "cost number");
    r.request.parameters = 0;
    refuse_hessian(&r, 0, BAD_INPUT, "no parameter");
    referring_end(&r);
}

/* --- progress ----------------------------------------------------------------------- */

static bool note(void *context, double done)
{
    double *last = context;
    cr_expect(done >= 0 && done <= 1, "%g", done);
    cr_expect_geq(done, *last - 1e-12, "%g after %g", done, *last);
    *last = done;
    return true;
}

static bool stop(void *context, double done)
{
    (void)context;
    return done < 0.3;
}

Test(reference_hessian, progress_goes_from_0_to_1_and_can_stop_it)
{
    struct referring r;
    double last = 0;
    referring_of_case(&r, case_find("clocked-oscillator"), 10);
    r.request.parameters = 1;
    r.request.progress = note;
    r.request.progress_context = &last;
    mp_hessian_free(hessian_of(&r, 20));
    cr_expect_gt(last, 0.75);
    r.request.progress = stop;
    refuse_hessian(&r, 0, NO_CONVERGENCE, "stopped");
    referring_end(&r);
}
