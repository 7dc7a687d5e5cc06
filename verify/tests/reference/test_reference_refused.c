/*
 * test_reference_refused.c - the certified refusal: where both routes find that a motion
 * or a derivative does not exist.
 */
#include <stdlib.h>
#include <unistd.h>

#include "four_bar.h"
#include "referring.h"

static struct referring r;
static char path[64];

static void begin(const struct case_desc *desc)
{
    referring_of_case(&r, desc, 20);
    snprintf(path, sizeof path, "/tmp/saltus-test-%ld.ref", (long)getpid());
}

static void end(void)
{
    remove(path);
    referring_end(&r);
}

static struct certificate *refused(enum status want, const char *word, enum status other,
                                   const char *other_word)
{
    struct certificate *c;
    enum status status = certify(&r.request, 20, 2, &c, &r.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), r.diagnosis.place);
    cr_expect_eq(c->refusal.status, want, "%s: %s", status_text(c->refusal.status),
                 c->refusal.place);
    cr_expect_eq(c->other_refusal.status, other, "%s: %s",
                 status_text(c->other_refusal.status), c->other_refusal.place);
    cr_expect(strstr(c->refusal.place, word), "%s", c->refusal.place);
    cr_expect(strstr(c->other_refusal.place, other_word), "%s", c->other_refusal.place);
    cr_expect_null(c->trajectory);
    cr_expect_null(c->agreement);
    cr_expect_eq(mpfr_get_d(c->refused_at, MPFR_RNDN), c->refusal.t);
    return c;
}

static void not_certified(enum status want, const char *word)
{
    struct certificate *c;
    enum status status = certify(&r.request, 20, 2, &c, &r.diagnosis);
    cr_expect_eq(status, want, "%s: %s", status_text(status), r.diagnosis.place);
    cr_expect(strstr(r.diagnosis.place, word), "%s", r.diagnosis.place);
    cr_expect_null(c);
}

static void expect_time(const struct certificate *c, const char *text, double digits)
{
    mpfr_t t;
    mpfr_init2(t, 256);
    mpfr_set_str(t, text, 10, MPFR_RNDN);
    cr_expect_gt(mp_digits(c->refused_at, t, NULL), digits);
    cr_expect_gt(c->agreed, digits);
    mpfr_clear(t);
}

/* --- motions that do not exist ------------------------------------------------------ */

/* A ball thrown up at v0 under g = 10 reaches v0^2/20; a guard there and a second one. */
static void record_ball(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(v0, ceiling, second);
    NOMINAL(v0, 10, "m/s", "initial velocity");
    NOMINAL(ceiling, 5, "m", "height of the ceiling");
    NOMINAL(second, 9, "m", "height of a second one");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-10);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(v0);
    struct event *event = model_event(model, "ceiling", model->pen, model->pen,
                                      EQ(y - ceiling), RISING);
    event->v_plus[0] = EQ(-vy);
    event = model_event(model, "second", model->pen, model->pen,
                        EQ(y*y - second*second), RISING);
    event->v_plus[0] = EQ(-vy/2);
    model->t_end = EQ(3);
}
CASE(test_refused_ball, .name = "test-ball", .record = record_ball);

Test(reference_refused, a_guard_that_is_touched_is_certified_with_its_time)
{
    begin(&case_test_refused_ball);
    struct certificate *c = refused(GRAZING, "ceiling", GRAZING, "ceiling");
    expect_time(c, "1", 15);
    certificate_free(c);
    end();
}

/* 10 t - 5 t^2 = 4.2 */
Test(reference_refused, simultaneous_guards_are_told_from_nearly_simultaneous_ones)
{
    const char *value[] = {NULL, "4.2", "4.2"};
    begin(&case_test_refused_ball);
    r.request.value = value;
    struct certificate *c = refused(SIMULTANEOUS, "second", SIMULTANEOUS, "ceiling");
    expect_time(c, "0.6", 30);
    certificate_free(c);
    /* more digits tell, and there are numbers: of the lower one alone */
    value[1] = "4.2000000000000000000000001";
    cr_assert_eq(certify(&r.request, 20, 2, &c, &r.diagnosis), OK, "%s",
                 r.diagnosis.place);
    cr_expect_eq(c->refusal.status, OK);
    cr_assert_gt(c->trajectory->events, 0);
    cr_expect_str_eq(c->trajectory->event[0].event->name, "second");
    certificate_free(c);
    end();
}

Test(reference_refused, events_that_accumulate_are_certified)
{
    begin(case_find("bouncing-ball"));
    r.request.t_end = "40";
    struct certificate *c = refused(ZENO, "28.74944542", ZENO, "28.74944542");
    cr_expect_gt(c->agreed, 30);
    cr_expect_lt(c->refusal.t, 28.74944543);
    cr_expect_gt(c->refusal.t, 28.749445);
    certificate_free(c);
    end();
}

/* All bars in line: the cranks may turn together or against each other. */
Test(reference_refused, a_start_in_a_singular_configuration_is_certified)
{
    const char *const together[] = {"1", "1", "1"}, *const apart[] = {"1", "1", "-1"};
    for (int k = 0; k < 2; k++) {
        four_bar.cells = 2;
        four_bar.horizontal = true;
        memcpy(four_bar.spin, k == 0 ? together : apart, sizeof together);
        begin(&case_test_four_bar);
        r.request.parameters = 1;       /* L, which all cranks share */
        struct certificate *c = refused(RANK_LOSS, k == 0 ? "right after" : "no accel",
                                        RANK_LOSS, "mode");
        cr_expect(mpfr_zero_p(c->refused_at));
        cr_expect_gt(c->agreed, 20);
        certificate_free(c);
        end();
    }
}

/* --- derivatives that do not exist -------------------------------------------------- */

/* A pendulum with its length stated twice, as l and as b. */
static void record_twice(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l, b);
    NOMINAL(l, 1, "m", "length");
    NOMINAL(b, 1, "m", "length");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[1] = EQ(-10);
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    model_constraint(model, EQ(x*x + y*y - b*b));
    model->q0[0] = EQ(0.6);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1);
}
CASE(test_refused_twice, .name = "test-twice", .record = record_twice);

Test(reference_refused, a_parameter_without_motion_around_it_has_neighbours_without)
{
    begin(&case_test_refused_twice);
    struct certificate *c = refused(INADMISSIBLE, "parameter l", UNREACHABLE,
                                    "l is increased");
    cr_expect_eq(c->parameters, 2);
    certificate_free(c);
    r.request.parameters = 0;
    cr_assert_eq(certify(&r.request, 20, 2, &c, &r.diagnosis), OK);
    cr_expect_eq(c->refusal.status, OK, "the motion itself exists");
    cr_expect_not_null(c->trajectory);
    certificate_free(c);
    end();
}

/* A bob on a rope that is shorter than its distance. */
static void record_short(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l);
    NOMINAL(l, 1, "m", "length");
    model_mode(model, "swing");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[1] = EQ(-10);
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    model->q0[0] = EQ(2);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1);
}
CASE(test_refused_short, .name = "test-short", .record = record_short);

/* x^3 - 2 x + 2 has the root -1.769; from 0 Newton's method goes 0, 1, 0, 1, ... */
static void record_cycle(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k);
    NOMINAL(k, 2, "1", "constant");
    model_mode(model, "free");
    model->M[0][0] = EQ(1);
    model->v0[0] = EQ(1);
    model_start_row(model, EQ(x*x*x - 2*x + k));
    model->t_end = EQ(1);
}
CASE(test_refused_cycle, .name = "test-cycle", .record = record_cycle);

Test(reference_refused, a_start_that_is_not_found_is_certified_only_where_there_is_none)
{
    begin(&case_test_refused_short);
    certificate_free(refused(UNREACHABLE, "Phi", UNREACHABLE, "Phi"));
    end();
    begin(&case_test_refused_cycle);
    not_certified(NO_CONVERGENCE, "give another guess");
    end();
}

/* x^2 = a has the root 0 where a is zero: it has no derivative. */
static void record_double_root(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(a);
    NOMINAL(a, 0, "1", "square");
    model_mode(model, "free");
    model->M[0][0] = EQ(1);
    model->v0[0] = EQ(1);
    model->q_guess[0] = EQ(1);
    model_start_row(model, EQ(x*x - a));
    model->t_end = EQ(1);
}
CASE(test_refused_double_root, .name = "test-double-root", .record = record_double_root);

Test(reference_refused, a_start_that_is_a_double_root_has_no_derivatives)
{
    const char *value[] = {NULL};
    begin(&case_test_refused_double_root);
    r.request.value = value;
    refer_refused(&r, RANK_LOSS, "multiple root");
    value[0] = "1e-30";
    struct mp_trajectory *t = refer(&r);
    mp_trajectory_free(t);
    end();
}

/* --- what is not certified ---------------------------------------------------------- */

static bool stop(void *context, double done)
{
    (void)context, (void)done;
    return false;
}

#define A_LITTLE_ABOVE_5 \
    "5.000000000000000000000000000000000000000000000000000000000001"

/* That ceiling is reached at rho + h, with all digits that are tried. */
Test(reference_refused, numerical_trouble_and_one_route_alone_certify_nothing)
{
    const char *value[] = {NULL, A_LITTLE_ABOVE_5, NULL};
    begin(&case_test_refused_ball);
    r.request.value = value;
    not_certified(GRAZING, "the differences");
    value[1] = "4.2";
    r.request.progress = stop;
    not_certified(NO_CONVERGENCE, "stopped");
    r.request.progress = NULL;
    value[0] = "fast";
    not_certified(BAD_INPUT, "fast");
    end();
}

/* Whether the ceiling is reached when a parameter is moved depends on how far: with more
   digits it is moved by less. */
Test(reference_refused, a_ceiling_that_is_missed_by_little_is_missed)
{
    const char *value[] = {NULL, "5.00000000000000001", NULL};
    struct certificate *c;
    begin(&case_test_refused_ball);
    r.request.value = value;
    cr_assert_eq(certify(&r.request, 20, 2, &c, &r.diagnosis), OK, "%s",
                 r.diagnosis.place);
    cr_expect_eq(c->refusal.status, OK);
    cr_assert_eq(c->trajectory->events, 1);
    cr_expect_str_eq(c->trajectory->event[0].event->name, "second");
    certificate_free(c);
    end();
}

/* A ball of 1e-9 kg on a mass of 1 kg that swings on a spring of 1e9 N/m. To be certified
   to 10 digits its mass is moved by 1e-8 kg at first: below zero. */
static void record_light(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(m, k, M, g);
    NOMINAL(m, 1e-9, "kg", "mass of the ball");
    NOMINAL(k, 1e9, "N/m", "stiffness of the spring");
    NOMINAL(M, 1, "kg", "mass on the spring");
    NOMINAL(g, 9.5, "m/s^2", "gravity");
    model->M[0][0] = EQ(m);
    model->M[1][1] = EQ(M);
    model->F[0] = EQ(-m*g);
    model->F[1] = EQ(-M*g - k*y);
    struct event *hit = model_event(model, "hit", model->pen, model->pen, EQ(x - y),
                                    FALLING);
    event_impulse(hit, EQ(x - y), EQ(0.5));
    model->q0[0] = EQ(1e-5);
    model->v0[1] = EQ(1e-3);
    model->t_end = EQ(0.01);
}
CASE(test_light, .name = "test-light", .record = record_light);

Test(reference_refused, a_light_mass_beside_a_stiff_spring_takes_more_digits)
{
    struct certificate *c;
    begin(&case_test_light);
    cr_assert_eq(certify(&r.request, 10, 2, &c, &r.diagnosis), OK, "%s: %s",
                 status_text(r.diagnosis.status), r.diagnosis.place);
    cr_expect_eq(c->refusal.status, OK, "%s", c->refusal.place);
    cr_expect_geq(c->agreed, 10);
    cr_expect_gt(c->digits, 24);
    certificate_free(c);
    end();
}

/* --- files -------------------------------------------------------------------------- */

static char text[20000];

static void load(void)
{
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
}

static void damaged(const char *from, const char *to, const char *word)
{
    struct certificate *c;
    char *at = strstr(text, from);
    cr_assert_not_null(at, "%s is not in\n%s", from, text);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(file);
    cr_expect_eq(certificate_read(path, r.model, &c, &r.diagnosis), BAD_INPUT, "%s", to);
    cr_expect(strstr(r.diagnosis.place, word), "%s", r.diagnosis.place);
}

Test(reference_refused, a_refusal_is_the_same_after_writing_and_reading)
{
    begin(&case_test_refused_ball);
    struct certificate *a = refused(GRAZING, "", GRAZING, ""), *b;
    cr_assert_eq(certificate_write(a, path, &r.diagnosis), OK, "%s", r.diagnosis.place);
    load();
    cr_assert_eq(certificate_read(path, r.model, &b, &r.diagnosis), OK, "%s",
                 r.diagnosis.place);
    cr_expect_eq(b->refusal.status, GRAZING);
    cr_expect_eq(b->other_refusal.status, GRAZING);
    cr_expect_str_eq(b->refusal.place, a->refusal.place);
    cr_expect_str_eq(b->other_refusal.place, a->other_refusal.place);
    cr_expect_eq(b->refusal.t, a->refusal.t);
    cr_expect_eq(b->other_refusal.t, a->other_refusal.t);
    cr_expect_eq(b->agreed, a->agreed);
    cr_expect_eq(b->parameters, 3);
    cr_expect_null(b->trajectory);
    char *first = strdup(text);
    cr_assert_eq(certificate_write(b, path, &r.diagnosis), OK);
    load();
    cr_expect_str_eq(text, first, "written, read and written again");
    free(first);

    damaged("refused grazing", "refused ok", "\"ok\"");
    damaged("refused grazing", "refused no-convergence", "no-convergence");
    damaged("refused grazing", "rejected grazing", "refused");
    damaged("differences grazing", "differences", "certified");
    damaged("place ", "places ", "place");
    damaged("complete\n", "", "early");
    damaged("complete\n", "complete\nsample 1\n", "follows");
    certificate_free(a);
    certificate_free(b);
    end();
}
