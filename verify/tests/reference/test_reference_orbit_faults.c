/*
 * test_reference_orbit_faults.c - certified periodic motions: routes that must disagree
 * when one of them is wrong, refusals, files.
 */
#include <unistd.h>

#include "orbiting.h"
#include "runs/orbit_numbers.h"

TestSuite(reference_orbit_faults, .timeout = 600);

/* --- faults ------------------------------------------------------------------------- */

/* Both routes to the rotor's orbit. */
struct routes {
    struct given g;
    struct orbit_equations a, b;
    struct mp_orbit orbit;
    mpfr_ptr x, y;
};

static void make_routes(struct routes *r)
{
    struct diagnosis diagnosis;
    give(&r->g, &rotor, 3.1415, rotor_start, 3);
    r->g.request.run.digits = 60;
    cr_assert_eq(orbit_equations_open(&r->a, &r->g.request, &diagnosis), OK);
    cr_assert_eq(orbit_equations_solve(&r->a, ORBIT_FIRST_DIGITS, 1, &diagnosis), OK,
                 "%s", diagnosis.place);
    r->orbit = (struct mp_orbit){.parameters = 0};
    orbit_numbers_shape(&r->a, &r->orbit);
    orbit_numbers_room(&r->orbit, r->a.precision);
    orbit_equations_borrow(&r->b, &r->a, 2, NULL);
    cr_assert_eq(orbit_equations_evaluate(&r->b, ORBIT_DIFFERENCES, 60, 2, &diagnosis),
                 OK, "%s", diagnosis.place);
    r->x = mp_vector_new((size_t)(3 * r->orbit.count), r->a.precision);
    r->y = mp_vector_new((size_t)(3 * r->orbit.count), r->a.precision);
}

/* The least digits on which all numbers of both agree, by 1. */
static double routes_agree(struct routes *r)
{
    struct diagnosis diagnosis;
    double least = INFINITY;
    mpfr_t one;
    mpfr_init2(one, 64);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    cr_assert_eq(orbit_equations_factor(&r->a, &diagnosis), OK);
    orbit_numbers_fill(&r->a, &r->orbit, r->x);
    orbit_numbers_fill(&r->b, &r->orbit, r->y);
    for (int i = 0; i < 3 * r->orbit.count; i++)
        least = fmin(least, mp_digits(r->x + i, r->y + i, one));
    mpfr_clear(one);
    return least;
}

static void end_routes(struct routes *r)
{
    mp_vector_free(r->x);
    mp_vector_free(r->y);
    mp_vector_free(r->orbit.x);
    free(r->orbit.agreed_on);
    free(r->orbit.mode);
    free(r->orbit.event);
    orbit_equations_clear(&r->b);
    orbit_equations_clear(&r->a);
    referring_end(&r->g.r);
}

static mpfr_ptr column_at_end(const struct orbit_equations *e, int i, int j)
{
    struct mp_trajectory *run = e->segments.own[0].run;
    return run->sample[0].x[column(&run->columns, GROUP_Q, 0, j) + i];
}

Test(reference_orbit_faults, a_wrong_digit_of_a_derivative_is_seen)
{
    struct routes r;
    make_routes(&r);
    cr_expect_geq(routes_agree(&r), 38);
    mpfr_ptr x = column_at_end(&r.a, 0, 1);     /* phi by the rate of the start */
    mpfr_t wrong;
    mpfr_init2(wrong, r.a.precision);
    mpfr_set_str(wrong, "1e-20", 10, MPFR_RNDN);
    mpfr_add(x, x, wrong, MPFR_RNDN);
    double digits = routes_agree(&r);
    cr_expect(digits > 17 && digits < 23, "%g", digits);
    mpfr_sub(x, x, wrong, MPFR_RNDN);
    cr_expect_geq(routes_agree(&r), 38);
    mpfr_clear(wrong);
    end_routes(&r);
}

/* dt_e/dv dropped: the state after the event is taken at a time that does not move. */
Test(reference_orbit_faults, a_dropped_derivative_of_an_event_is_seen)
{
    struct routes r;
    make_routes(&r);
    struct mp_trajectory *run = r.a.segments.own[0].run;
    cr_assert_eq(run->events, 1);
    int w = r.a.segments.plan[0].count + 1 + 1;
    cr_assert(!mpfr_zero_p(run->event[0].tau[w]));
    mpfr_set_zero(run->event[0].tau[w], 1);
    cr_expect_lt(routes_agree(&r), 5);
    end_routes(&r);
}

/* A jump that is left out of the derivatives of a segment. */
Test(reference_orbit_faults, a_dropped_jump_is_seen)
{
    struct routes r;
    make_routes(&r);
    mpfr_set_zero(column_at_end(&r.a, 2, 1), 1);    /* s, which the event sets, by v */
    cr_expect_lt(routes_agree(&r), 5);
    end_routes(&r);
}

/* --- refusals ----------------------------------------------------------------------- */

static void refuse_given(struct given *g, enum status want, const char *word)
{
    struct certificate *c;
    enum status got = mp_orbit_certify(&g->request, 20, 2, &c, &g->r.diagnosis);
    cr_expect_eq(got, want, "%s instead of %s: %s", status_text(got), status_text(want),
                 g->r.diagnosis.place);
    cr_expect_not_null(strstr(g->r.diagnosis.place, word), "\"%s\" is not in \"%s\"",
                       word, g->r.diagnosis.place);
    cr_expect_null(c);
    referring_end(&g->r);
}

static void record_pendulum(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k);
    NOMINAL(k, 1, "1/s^2", "stiffness");
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-k*x);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(20);
    model_event(model, "turning", swing, swing, EQ(vx), EITHER);
}

Test(reference_orbit_faults, one_of_a_family_is_refused_by_name)
{
    static const struct case_desc swing = {.name = "swing", .record = record_pendulum};
    static const double x[] = {0.8, 0.6};
    struct given g;
    give(&g, &swing, 6.283185307179586, x, 2);
    refuse_given(&g, NOT_APPLICABLE, "family");
}

static void record_driven(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(c);
    TIME(t);
    NOMINAL(c, 1, "1/s", "damping");
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(cos(t) - c*vx - x);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(1);
    model->t_end = EQ(20);
    model_event(model, "turning", swing, swing, EQ(vx), EITHER);
}

/* x = sin t */
Test(reference_orbit_faults, a_drive_by_time_is_refused)
{
    static const struct case_desc driven = {.name = "driven", .record = record_driven};
    static const double x[] = {0.0, 1.0};
    struct given g;
    give(&g, &driven, 6.283185307179586, x, 2);
    refuse_given(&g, NOT_APPLICABLE, "time");
}

static void record_equal(struct model *model)
{
    COORDINATES(phi);
    PARAMETERS(d);
    AUXILIARY(a, b);
    NOMINAL(d, 0.25, "1/s", "damping");
    struct mode *turn = model_mode(model, "turn");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(d*(1 - vphi));
    model->f_s[0] = EQ(-2*a);
    model->f_s[1] = EQ(-2*b);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(1);
    model->s0[0] = EQ(0);
    model->s0[1] = EQ(0);
    model->t_end = EQ(20);
    struct event *round = model_event(model, "round", turn, turn, EQ(phi - 2*pi), RISING);
    round->q_plus[0] = EQ(phi - 2*pi);
}

Test(reference_orbit_faults, equal_multipliers_are_refused_by_name)
{
    static const struct case_desc equal = {.name = "equal", .record = record_equal};
    static const double x[] = {3, 1, 0, 0};
    struct given g;
    give(&g, &equal, 6.2831, x, 4);
    refuse_given(&g, NOT_APPLICABLE, "equal");
}

Test(reference_orbit_faults, a_start_that_is_no_orbit_is_refused)
{
    static const double far[] = {3, 40, 0.2};
    struct given g;
    give(&g, &rotor, 3.1415, far, 3);
    refuse_given(&g, NO_ORBIT, "Newton");
    give(&g, &rotor, -1, rotor_start, 3);
    refuse_given(&g, BAD_INPUT, "period");
    give(&g, &rotor, 3.1415, rotor_start, 3);
    g.request.run.truth = (struct truth){"penalty", "1e4", "20", "100", NULL};
    refuse_given(&g, NOT_APPLICABLE, "penalty");
}

/* --- files -------------------------------------------------------------------------- */

static void read_refused(const char *path, const struct model *model, const char *word)
{
    struct certificate *c;
    struct diagnosis diagnosis;
    cr_expect_eq(mp_orbit_read(path, model, &c, &diagnosis), BAD_INPUT);
    cr_expect_not_null(strstr(diagnosis.place, word), "\"%s\" is not in \"%s\"", word,
                       diagnosis.place);
    cr_expect_null(c);
}

/* Changes the last digit of the number that begins a line. */
static void change_digit(const char *path, const char *line)
{
    char text[65536];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    char *at = strstr(text, line);
    cr_assert_not_null(at);
    at = strchr(at + strlen(line), ' ') - 1;
    *at = *at == '1' ? '2' : '1';
    file = fopen(path, "w");
    cr_assert_not_null(file);
    fwrite(text, 1, length, file);
    fclose(file);
}

Test(reference_orbit_faults, a_file_gives_back_what_was_written)
{
    struct given g;
    char path[100], name[200];
    struct certificate *read, *other;
    give(&g, &rotor, 3.1415, rotor_start, 3);
    struct certificate *c = certify_given(&g, 20);
    snprintf(path, sizeof path, "/tmp/saltus-test-orbit-%ld.ref", (long)getpid());
    cr_assert_eq(certificate_write(c, path, &g.r.diagnosis), OK);
    cr_assert_eq(mp_orbit_read(path, g.r.model, &read, &g.r.diagnosis), OK, "%s",
                 g.r.diagnosis.place);
    cr_assert_eq(read->orbit->count, c->orbit->count);
    cr_expect_eq(read->agreed, c->agreed);
    cr_expect_eq(read->orbit->zeros, 1);
    for (int i = 0; i < 3 * c->orbit->count; i++) {
        cr_expect_geq(mp_digits(read->orbit->x + i, c->orbit->x + i, NULL) +
                          (mpfr_zero_p(c->orbit->x + i) ? 100 : 0), 39, "%d", i);
        cr_expect_leq(read->orbit->agreed_on[i], c->orbit->agreed_on[i], "%d", i);
    }
    mp_orbit_name(c, mp_orbit_place(c->orbit, MP_ORBIT_AFTER, 0, 1, 1), name,
                  sizeof name);
    cr_expect_str_eq(name, "devent.1.v.phi/dw");
    cr_expect_eq(certificate_read(path, g.r.model, &other, &g.r.diagnosis), BAD_INPUT);
    change_digit(path, "\nmultiplier.1.re ");
    read_refused(path, g.r.model, "checksum");
    remove(path);
    certificate_free(read);
    certificate_free(c);
    referring_end(&g.r);
}

Test(reference_orbit_faults, files_are_named_by_events_and_parameters)
{
    char a[200], b[200];
    struct referring r;
    static const int event[] = {1, 0, 2}, turned[] = {2, 1, 0};
    const char *value[64] = {NULL};
    referring_of_case(&r, case_find("impact-oscillator"), 10);
    mp_orbit_file(r.model, NULL, 3, event, a, sizeof a);
    mp_orbit_file(r.model, value, 3, turned, b, sizeof b);
    cr_expect_str_eq(a, "impact-oscillator.orbit-impact-turning-phase.ref");
    cr_expect_str_eq(a, b);
    value[1] = "0.2";
    mp_orbit_file(r.model, value, 3, event, b, sizeof b);
    cr_expect_str_neq(a, b);
    referring_end(&r);
}
