/*
 * test_case_identities.c - what is exactly true of cases, at the level of derivatives.
 *
 * Units that may be scaled, areas that shrink at a known rate, balances, closed forms of
 * single numbers. The reference is asked, at 40 digits: what it certifies must know these
 * without having been told. 35 are asked for; conditions of the cases reach 1e3.
 */
#include "referring.h"
#include "solving.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 40, ASKED = 35 };

/* A run of a case by all its parameters, fixed ones too, at the doubles nearest to their
   nominal values. */
struct exact_run {
    struct referring r;
    double rho[REFERRING_PARAMETERS];
    char text[REFERRING_PARAMETERS + TEST_SAMPLES + 1][80];
    const char *value[REFERRING_PARAMETERS], *sample[TEST_SAMPLES + 1];
    struct mp_trajectory *t;
};

static void exact_run(struct exact_run *e, const char *name)
{
    double t0, t_end;
    referring_of_case(&e->r, case_find(name), DIGITS);
    const struct model *model = e->r.model;
    cr_assert_eq(model_nominal_values(model, e->rho, &e->r.diagnosis), OK);
    cr_assert_eq(model_times(model, e->rho, &t0, &t_end, &e->r.diagnosis), OK);
    for (int j = 0; j < model->p; j++) {
        snprintf(e->text[j], sizeof e->text[j], "%.55g", e->rho[j]);
        e->value[j] = e->text[j];
        e->r.parameter[j] = j;
    }
    for (int k = 0; k <= TEST_SAMPLES; k++) {
        char *text = e->text[REFERRING_PARAMETERS + k];
        snprintf(text, sizeof e->text[0], "%.55g",
                 t0 + (t_end - t0) * k / TEST_SAMPLES * 0x1.fp-1);
        e->sample[k] = text;
    }
    e->r.request.parameters = model->p;
    e->r.request.value = e->value;
    e->r.request.samples = TEST_SAMPLES + 1;
    e->r.request.sample = e->sample;
    e->t = refer(&e->r);
}

static void exact_end(struct exact_run *e)
{
    mp_trajectory_free(e->t);
    referring_end(&e->r);
}

static int parameter(const struct exact_run *e, const char *name)
{
    int j = model_parameter_index(e->r.model, name);
    cr_assert_geq(j, 0, "%s has no parameter %s", e->r.model->desc->name, name);
    return j;
}

/* Point k of samples, then both sides of every event. */
static const struct mp_point *point(const struct exact_run *e, int k)
{
    int events = k - e->t->samples;
    if (events < 0)
        return &e->t->sample[k];
    const struct mp_event *event = &e->t->event[events / 2];
    return events % 2 == 0 ? &event->before : &event->after;
}

static int points(const struct exact_run *e)
{
    return e->t->samples + 2 * e->t->events;
}

/* --- scalings ----------------------------------------------------------------------- */

/* Multiplied by the same factor, these parameters multiply q, v, a and s by its powers
   and leave times as they are: sum of rho_j X_j = degree * X. */
struct scaling {
    const char *case_name, *parameters;
    int degree, s_degree;
    bool times;         /* tau is looked at, too */
};

static const struct scaling scalings[] = {
    {"clocked-oscillator", "f x0 v0", 1, 0, true},
    {"clocked-oscillator", "m k c f", 0, 0, true},
    {"compass-gait", "m m_H", 0, 0, true},
    {"compass-gait", "a b g", 0, 0, true},
    {"compass-gait", "ahead", 0, 0, false},
    {"event-bolus", "low dose blood_dose depot0 blood0", 0, 1, true},
    {"impact-oscillator", "A q_c x0 v0", 1, 0, true},
    {"impact-oscillator", "m k c A", 0, 0, true},
    {"mass-drop", "m load k c", 0, 0, true},
    {"mass-drop", "x_take x_drop x0", 1, 0, true},
    {"simplest-walker", "phi_s", 0, 0, false},
    {"switching-oscillator", "m k c f", 0, 0, true},
    {"switching-oscillator", "f d x0 v0", 1, 0, true},
    {"two-balls", "m1 m2", 0, 0, true},
    {"two-balls", "g gap h1 h2", 1, 0, true},
};

/* The parameters of a scaling: their indices and values. */
struct scaled {
    int count, index[8];
    mpfr_t rho[8], zero;
};

static void scaled_init(struct scaled *scaled, const struct exact_run *e,
                        const char *names)
{
    char copy[200], *rest = copy, *name;
    snprintf(copy, sizeof copy, "%s", names);
    scaled->count = 0;
    mpfr_init2(scaled->zero, e->t->precision);
    mpfr_set_zero(scaled->zero, 1);
    while ((name = strtok_r(rest, " ", &rest))) {
        int k = scaled->count++, j = parameter(e, name);
        scaled->index[k] = j;
        mpfr_init2(scaled->rho[k], 53);
        mpfr_set_d(scaled->rho[k], e->rho[j], MPFR_RNDN);
    }
}

static void scaled_clear(struct scaled *scaled)
{
    mpfr_clear(scaled->zero);
    for (int k = 0; k < scaled->count; k++)
        mpfr_clear(scaled->rho[k]);
}

/* Digits of sum rho_j X_j = degree * X, for component i of a group. */
static double digits_of_component(const struct exact_run *e, const struct scaled *scaled,
                                  const struct mp_point *at, enum column_group group,
                                  int i, int degree)
{
    mpfr_srcptr factor[8][2];
    for (int k = 0; k < scaled->count; k++) {
        factor[k][0] = scaled->rho[k];
        factor[k][1] = number_at(e->t, at, group, i, scaled->index[k]);
    }
    mpfr_srcptr want = degree ? number_at(e->t, at, group, i, -1) : scaled->zero;
    return digits_of_sum(want, scaled->count, factor);
}

static double digits_of_point(const struct exact_run *e, const struct scaled *scaled,
                              const struct mp_point *at, const struct scaling *scaling)
{
    static const enum column_group group[] = {GROUP_Q, GROUP_V, GROUP_A, GROUP_S};
    double least = INFINITY;
    for (int g = 0; g < 4; g++) {
        bool s = group[g] == GROUP_S;
        int count = s ? e->r.model->ns : e->r.model->n;
        for (int i = 0; i < count; i++)
            least = fmin(least, digits_of_component(e, scaled, at, group[g], i,
                                                    s ? scaling->s_degree
                                                      : scaling->degree));
    }
    return least;
}

static double digits_of_time(const struct scaled *scaled, const struct mp_event *event)
{
    mpfr_srcptr factor[8][2];
    for (int k = 0; k < scaled->count; k++) {
        factor[k][0] = scaled->rho[k];
        factor[k][1] = event->tau[scaled->index[k]];
    }
    return digits_of_sum(scaled->zero, scaled->count, factor);
}

Test(identities, what_may_be_scaled_is_scaled_by_every_derivative)
{
    for (size_t k = 0; k < sizeof scalings / sizeof *scalings; k++) {
        const struct scaling *scaling = &scalings[k];
        struct exact_run e;
        struct scaled scaled;
        double least = INFINITY;
        exact_run(&e, scaling->case_name);
        scaled_init(&scaled, &e, scaling->parameters);
        for (int i = 0; i < points(&e); i++)
            least = fmin(least, digits_of_point(&e, &scaled, point(&e, i), scaling));
        for (int i = 0; i < e.t->events && scaling->times; i++)
            least = fmin(least, digits_of_time(&scaled, &e.t->event[i]));
        cr_expect_geq(least, ASKED, "%s, %s: %.1f digits", scaling->case_name,
                      scaling->parameters, least);
        scaled_clear(&scaled);
        exact_end(&e);
    }
}

/* --- the impact oscillator ---------------------------------------------------------- */

static double close_to(mpfr_srcptr got, mpfr_srcptr want)
{
    return mp_digits(got, want, NULL);
}

/* det d(x,v)/d(x0,v0) at a point */
static void area(const struct exact_run *e, const struct mp_point *at, mpfr_ptr det)
{
    int x0 = parameter(e, "x0"), v0 = parameter(e, "v0");
    mpfr_fmms(det, number_at(e->t, at, GROUP_Q, 0, x0),
              number_at(e->t, at, GROUP_V, 0, v0), number_at(e->t, at, GROUP_Q, 0, v0),
              number_at(e->t, at, GROUP_V, 0, x0), MPFR_RNDN);
}

/* Over a period with one impact: the product of the multipliers, e^2 exp(-2 pi c/(m w)).
   Between events areas shrink by exp(-c t/m), as a Wronskian does; an impact multiplies
   them by e^2, and wrapping the phase or turning by one. */
Test(identities, the_impact_oscillator_shrinks_areas_by_its_damping_and_its_impacts)
{
    struct exact_run e;
    exact_run(&e, "impact-oscillator");
    mpfr_t det, want;
    mpfr_inits2(e.t->precision, det, want, (mpfr_ptr)0);
    double c = e.rho[parameter(&e, "c")], m = e.rho[parameter(&e, "m")];
    for (int k = 0; k < points(&e); k++) {
        const struct mp_point *at = point(&e, k);
        int impacts = 0;
        for (int i = 0; i < e.t->events; i++) {
            const struct mp_event *event = &e.t->event[i];
            bool past = mpfr_cmp(event->before.t, at->t) < 0 || at == &event->after;
            impacts += past && strcmp(event->event->name, "impact") == 0;
        }
        area(&e, at, det);
        mpfr_mul_d(want, at->t, -c / m, MPFR_RNDN);
        mpfr_exp(want, want, MPFR_RNDN);
        for (int i = 0; i < 2 * impacts; i++)
            mpfr_mul_d(want, want, e.rho[parameter(&e, "e")], MPFR_RNDN);
        cr_expect_geq(close_to(det, want), ASKED, "%.1f digits at t = %g",
                      close_to(det, want), mpfr_get_d(at->t, MPFR_RNDN));
    }
    mpfr_clears(det, want, (mpfr_ptr)0);
    exact_end(&e);
}

/* m v^2/2 + k x^2/2 - work + heat + loss, with m = k = 1 */
static void balance(const struct exact_run *e, const struct mp_point *at, mpfr_ptr sum)
{
    mpfr_srcptr x = number_at(e->t, at, GROUP_Q, 0, -1);
    mpfr_srcptr v = number_at(e->t, at, GROUP_V, 0, -1);
    mpfr_fmma(sum, x, x, v, v, MPFR_RNDN);
    mpfr_div_2ui(sum, sum, 1, MPFR_RNDN);
    mpfr_sub(sum, sum, number_at(e->t, at, GROUP_Z, 0, -1), MPFR_RNDN);
    mpfr_add(sum, sum, number_at(e->t, at, GROUP_Z, 1, -1), MPFR_RNDN);
    mpfr_add(sum, sum, number_at(e->t, at, GROUP_Z, 2, -1), MPFR_RNDN);
}

Test(identities, work_heat_and_loss_of_the_impact_oscillator_balance)
{
    struct exact_run e;
    exact_run(&e, "impact-oscillator");
    cr_assert(e.rho[parameter(&e, "m")] == 1 && e.rho[parameter(&e, "k")] == 1);
    mpfr_t start, now, scale;
    mpfr_inits2(e.t->precision, start, now, scale, (mpfr_ptr)0);
    mpfr_set_ui(scale, 1, MPFR_RNDN);
    balance(&e, point(&e, 0), start);
    for (int k = 1; k < points(&e); k++) {
        balance(&e, point(&e, k), now);
        cr_expect_geq(mp_digits(now, start, scale), ASKED);
    }
    mpfr_clears(start, now, scale, (mpfr_ptr)0);
    exact_end(&e);
}

/* --- closed forms of single numbers ------------------------------------------------- */

/* x = 2 y^2 + t - ga at the end, with y = de ((al + x0) al + be - al) + ga - be. */
Test(identities, event_algebra_ends_where_its_polynomials_do)
{
    struct solving s;
    solving_of_case(&s, "event-algebra", "ode");
    double al = 1.4, be = 2.3, ga = 2.9, de = 0.4, x0 = 0.25;
    double inner = (al + x0) * al + be - al, y = de * inner + ga - be;
    double want[] = {2 * y * y + 4 - ga,
                     4 * y * de * (2 * al + x0 - 1),    /* by al */
                     4 * y * (de - 1),                  /* be */
                     4 * y - 1,                         /* ga */
                     4 * y * inner,                     /* de */
                     4 * y * de * al};                  /* x0 */
    struct trajectory *t = solve(&s);
    const struct run_point *end = &t->sample[t->samples - 1];
    cr_assert_eq(end->t, 4);
    for (int j = -1; j < 5; j++)
        cr_expect_float_eq(end->x[column(&t->columns, GROUP_S, 0, j)], want[j + 1],
                           1e-13 * fabs(want[j + 1]));
    trajectory_free(t);
    solving_end(&s);
}

/* (q, v) after the last event of this name, in a run long enough to forget its start. */
static void settle(const char *name, double t_end, const char *event, double *state)
{
    struct solving s;
    solving_of_case(&s, name, "ode");
    s.request.t_end = t_end;
    s.request.samples = 0;
    s.request.parameters = 0;
    struct trajectory *t = solve(&s);
    int n = s.model->n, last = t->events - 1;
    while (last >= 0 && strcmp(t->event[last].event->name, event) != 0)
        last--;
    cr_assert_geq(last, 0);
    for (int i = 0; i < n; i++) {
        state[i] = t->event[last].after.x[column(&t->columns, GROUP_Q, i, -1)];
        state[n + i] = t->event[last].after.x[column(&t->columns, GROUP_V, i, -1)];
    }
    trajectory_free(t);
    solving_end(&s);
}

/* To half a unit of the last digit printed. */
Test(identities, walkers_settle_into_the_published_periodic_steps)
{
    double state[4];
    settle("simplest-walker", 200, "strike", state);
    cr_expect_float_eq(state[0], 0.20031090, 0.5e-8);
    cr_expect_float_eq(state[2], -0.19983247, 0.5e-8);
    settle("compass-gait", 40, "strike", state);
    cr_expect_float_eq(state[0], -0.2187, 0.5e-4);
    cr_expect_float_eq(state[1], 0.3234, 0.5e-4);
    cr_expect_float_eq(state[2], 1.0918, 0.5e-4);
    cr_expect_float_eq(state[3], 0.3772, 0.5e-4);
}

/* A quarter of the period, pi/2 sqrt(l/g) / agm(1, cos(th0/2)). */
Test(identities, the_cradle_is_refused_when_its_outer_pendulums_arrive)
{
    struct solving s;
    struct referring r;
    double a = 1, b = cos(0.25);
    for (int k = 0; k < 6; k++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    double quarter = acos(-1) / 2 * sqrt(1 / 9.81) / a;
    solving_of_case(&s, "newton-cradle", "ode");
    refuse(&s, SIMULTANEOUS);
    cr_expect_float_eq(s.diagnosis.t, quarter, 1e-12);
    solving_end(&s);
    referring_of_case(&r, case_find("newton-cradle"), DIGITS);
    refer_refused(&r, SIMULTANEOUS, "left and right");
    cr_expect_float_eq(r.diagnosis.t, quarter, 1e-15);
    referring_end(&r);
}
