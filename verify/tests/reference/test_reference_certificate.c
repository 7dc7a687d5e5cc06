/*
 * test_reference_certificate.c - certified values: made, written, read, damaged.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case.h"
#include "mechanisms/catalogue.h"
#include "reference.h"

static struct model *subject;
static int parameter[64];
static struct reference_request request;
static struct diagnosis diagnosis;
static char path[64];

static void begin(const char *name)
{
    static const char *const sample[] = {"0.25", "4"};
    subject = model_new(case_find(name), &diagnosis);
    cr_assert_not_null(subject);
    request = (struct reference_request){
        .model = subject,
        .truth = {.variant = "exact"},
        .digits = 20,
        .parameter = parameter,
        .parameters = model_sensitivities(subject, parameter),
        .samples = 2,
        .sample = sample, .t_end = "4",
    };
    snprintf(path, sizeof path, "/tmp/saltus-test-%ld.ref", (long)getpid());
}

static void end(void)
{
    remove(path);
    model_free(subject);
    mpfr_free_cache();
}

static struct certificate *certified(int digits)
{
    struct certificate *c;
    enum status status = certify(&request, digits, 2, &c, &diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), diagnosis.place);
    return c;
}

static char *contents(void)
{
    static char text[200000];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

static void replace_contents(const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

Test(reference_certificate, certified_values_are_the_same_after_writing_and_reading)
{
    const char *const name[] = {"bouncing-ball", "slack-rope"};
    for (int k = 0; k < 2; k++) {
        begin(name[k]);
        struct certificate *a = certified(20), *b;
        cr_expect_geq(a->agreed, 20);
        cr_assert_eq(certificate_write(a, path, &diagnosis), OK, "%s", diagnosis.place);
        cr_assert_eq(certificate_read(path, subject, &b, &diagnosis), OK, "%s",
                     diagnosis.place);
        const struct mp_trajectory *s = a->trajectory, *t = b->trajectory;
        cr_assert_eq(s->events, t->events);
        cr_assert_eq(s->samples, t->samples);
        cr_expect_eq(s->samples, 2, "the end is a sample too");
        cr_expect_eq(a->agreed, b->agreed);
        for (int i = 0; i < s->samples; i++) {
            cr_expect_eq(s->sample[i].mode, t->sample[i].mode);
            for (int c = 0; c < s->columns.count; c++) {
                cr_expect_gt(mp_digits(t->sample[i].x[c], s->sample[i].x[c], NULL), 39);
                cr_expect_leq(mpfr_cmp(b->agreement->sample[i].x[c],
                                       a->agreement->sample[i].x[c]), 0);
            }
        }
        for (int e = 0; e < s->events; e++) {
            cr_expect_eq(s->event[e].event, t->event[e].event);
            for (int c = 0; c < s->columns.count; c++)
                cr_expect_gt(
                    mp_digits(t->event[e].after.x[c], s->event[e].after.x[c], NULL), 39);
        }
        char *first = strdup(contents());
        cr_assert_eq(certificate_write(b, path, &diagnosis), OK);
        cr_expect_str_eq(contents(), first, "written, read and written again");
        free(first);
        certificate_free(a);
        certificate_free(b);
        end();
    }
}

/* Every damaged file is refused with the line where it shows. */
static void damaged(const char *whole, const char *from, const char *to, const char *word)
{
    static char text[200000];
    const char *at = strstr(whole, from);
    cr_assert_not_null(at, "%s", from);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, to,
             at + strlen(from));
    replace_contents(text);
    int line = 1;
    for (const char *c = whole; c < at; c++)
        line += *c == '\n';
    char place[100];
    snprintf(place, sizeof place, "%s:%d:", path, line);
    struct certificate *c;
    cr_expect_eq(certificate_read(path, subject, &c, &diagnosis), BAD_INPUT);
    cr_expect_null(c);
    cr_expect(strstr(diagnosis.place, place) != NULL, "%s, not %s", diagnosis.place,
              place);
    cr_expect(strstr(diagnosis.place, word) != NULL, "%s", diagnosis.place);
}

Test(reference_certificate, a_damaged_file_is_refused_with_its_line)
{
    begin("bouncing-ball");
    struct certificate *c = certified(15);
    cr_assert_eq(certificate_write(c, path, &diagnosis), OK);
    char *whole = strdup(contents());
    damaged(whole, "saltus certified", "saltus Certified", "not a file");
    damaged(whole, "case bouncing-ball", "case pendulum-wall", "pendulum-wall");
    damaged(whole, "certified values 2", "certified values 1",
            "made by an older saltus; saltus certify bouncing-ball");
    damaged(whole, "certified values 2", "certified values 3", "made by a newer saltus");
    damaged(whole, "nominal 9.8\n", "nominal 9.81\n",
            "the nominal value of g has changed since this was made, from 9.81 to 9.8: "
            "saltus certify bouncing-ball");
    damaged(whole, "differentiated g e", "differentiated g f", "\"f\"");
    damaged(whole, "order ", "order x", "whole number");
    damaged(whole, "sample 2 flight", "sample 2 fright", "fright");
    damaged(whole, "q.y ", "q.z ", "q.y");
    damaged(whole, "a.y -9.8 ", "a.y -9,8 ", "not a number");
    damaged(whole, "a.y -9.8 ", "a.y nan ", "not a number");
    damaged(whole, "event 1 ", "event 2 ", "1");
    damaged(whole, "complete\n", "", "ends early");
    damaged(whole, "complete\n", "complete\nmore\n", "");
    free(whole);
    certificate_free(c);
    end();
}

Test(reference_certificate, a_file_that_cannot_be_written_or_read_is_bad_input)
{
    begin("bouncing-ball");
    struct certificate *c = certified(12), *none;
    cr_expect_eq(certificate_write(c, "/nowhere/x.ref", &diagnosis), BAD_INPUT);
    cr_expect(strstr(diagnosis.place, "/nowhere/x.ref") != NULL);
    cr_expect_eq(certificate_read("/nowhere/x.ref", subject, &none, &diagnosis),
                 BAD_INPUT);
    cr_expect_null(none);
    certificate_free(c);
    end();
}

Test(reference_certificate, the_name_depends_on_the_options_but_not_on_their_spelling)
{
    char a[100], b[100], c[100];
    begin("pendulum-wall");
    certificate_name(subject, &request.truth, a, sizeof a);
    cr_expect_str_eq(a, "pendulum-wall.ref");
    certificate_name(subject, &(struct truth){"penalty", "1e5", "20", "100", NULL}, a,
                     sizeof a);
    certificate_name(subject,
                     &(struct truth){"penalty", "100000", "20.0", "1e2", "impulsive"}, b,
                     sizeof b);
    certificate_name(subject, &(struct truth){"penalty", "1e6", "20", "100", NULL}, c,
                     sizeof c);
    cr_expect_str_eq(a, b);
    cr_expect_str_neq(a, c);
    cr_expect_eq(strncmp(a, "pendulum-wall.penalty-", 22), 0, "%s", a);
    end();
}

Test(reference_certificate, the_precision_is_raised_until_the_digits_agree)
{
    begin("pendulum-stop");
    struct certificate *c = certified(33);
    cr_expect_geq(c->agreed, 33);
    cr_expect_gt(c->digits, 50);
    certificate_free(c);
    end();
}

/* --- nothing is differentiated ------------------------------------------------------ */

/* It comes to rest where it does not stay: errors grow like exp(w t). */
static void record_unstable(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(w, h);
    FIXED(w, 0.7, "1/s", "growth");
    FIXED(h, 0.3, "m", "height at the start");
    model_mode(model, "only");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(w*w*y);
    model->q0[0] = EQ(h);
    model->v0[0] = EQ(-w*h);
    model->t_end = EQ(60);
}

/* Both routes are one run then, which agrees with itself to all digits. */
Test(reference_certificate, values_have_no_more_digits_than_a_run_with_other_steps)
{
    static const char *const sample[] = {"30", "60"};
    static struct case_desc desc = {.name = "unstable", .record = record_unstable};
    subject = model_new(&desc, &diagnosis);
    cr_assert_not_null(subject, "%s", diagnosis.place);
    request = (struct reference_request){
        .model = subject, .truth = {.variant = "exact"}, .digits = 20,
        .parameter = parameter, .samples = 2, .sample = sample};
    struct certificate *c = certified(40);
    mpfr_t want, scale;
    mpfr_inits2(600, want, scale, (mpfr_ptr)0);
    mpfr_set_str(scale, "0.3", 10, MPFR_RNDN);
    mpfr_set_si(want, -42, MPFR_RNDN);          /* w t */
    mpfr_exp(want, want, MPFR_RNDN);
    mpfr_mul(want, want, scale, MPFR_RNDN);
    const struct mp_trajectory *t = c->trajectory;
    int q = column(&t->columns, GROUP_Q, 0, -1);
    double digits = mp_digits(t->sample[1].x[q], want, scale);
    double claimed = mpfr_get_d(c->agreement->sample[1].x[q], MPFR_RNDN);
    cr_expect_lt(claimed, digits + 1, "%.1f digits are claimed, %.1f are right", claimed,
                 digits);
    cr_expect(c->agreed >= 40 && c->agreed < digits + 1,
              "%d digits agreed, %.1f are right", c->agreed, digits);
    mpfr_clears(want, scale, (mpfr_ptr)0);
    certificate_free(c);
    model_free(subject);
    mpfr_free_cache();
}
