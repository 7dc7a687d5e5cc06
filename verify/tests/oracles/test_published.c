/*
 * test_published.c - printed numbers: how many of their digits hold, and that a wrong one
 * is seen.
 */
#include <stdlib.h>
#include <string.h>

#include "motion/reference_motion.h"
#include "oracles/published.h"
#include "solving.h"
#include "verdict/verdict_rows.h"
#include "viewing.h"

/* --- digits of a text --------------------------------------------------------------- */

static void expect_digits(const char *text, int digits, int place)
{
    int d, p;
    cr_expect(printed_digits(text, &d, &p), "%s", text);
    cr_expect_eq(d, digits, "%s: %d digits", text, d);
    cr_expect_eq(p, place, "%s: place %d", text, p);
}

Test(published, digits_are_the_significant_ones_of_the_text)
{
    expect_digits("0.20031090", 8, -8);
    expect_digits("-12.5", 3, -1);
    expect_digits("1200", 4, 0);
    expect_digits("0.00314", 3, -5);
    expect_digits("1.5e-3", 2, -4);
    expect_digits("-2.5E+02", 2, 1);
    expect_digits(".5", 1, -1);
    expect_digits("0.000", 3, -3);
    expect_digits("0", 1, 0);
}

Test(published, numbers_are_told_from_what_is_none)
{
    static const char *const none[] = {"", "-", "1.5x", "1,5", "abc", "1.2.3", "1e",
                                       "--1"};
    int d, p;
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++)
        cr_expect_not(printed_digits(none[k], &d, &p), "%s", none[k]);
}

static double held(const char *value, const char *text)
{
    mpfr_t x;
    mpfr_init2(x, 200);
    mpfr_set_str(x, value, 10, MPFR_RNDN);
    double digits = digits_that_hold(x, text);
    mpfr_clear(x);
    return digits;
}

Test(published, digits_hold_within_one_unit_of_the_last_place)
{
    cr_expect_eq(held("0.200310903966", "0.20031090"), 8);
    cr_expect_eq(held("3.14159265", "3.1416"), 5);
    cr_expect_eq(held("3.14159265", "3.1415"), 5);         /* cut, not rounded */
    cr_expect_float_eq(held("3.14159265", "3.1426"), 5 - log10(10.0735), 1e-5);
    cr_expect_lt(held("3.14159265", "3.1413"), 5);
    cr_expect_lt(held("3.14159265", "-3.1416"), 1);
    cr_expect_eq(held("1e-9", "0.000"), 3);
    cr_expect_lt(held("0.02", "0.000"), 3);
    cr_expect_eq(held("1", "nonsense"), 0);
}

/* --- numbers of a motion ------------------------------------------------------------ */

enum { PRINTED_MOST = 12 };

static struct printed {
    const char *quantity, *value, *disputed;
} printed[PRINTED_MOST];

static void record(struct model *model)
{
    case_find("pendulum-stop")->record(model);
    for (int k = 0; k < PRINTED_MOST && printed[k].quantity; k++)
        model_published(model, printed[k].quantity, printed[k].value, "nobody 1900",
                        printed[k].disputed);
}

static const struct case_desc desc = {.name = "pendulum-stop", .record = record};

/* What is found; the certified values are used unless `by_run`. */
struct finding {
    struct solving s;
    struct certificate *certificate;
    struct trajectory *run;
    struct found *found;
    int count;
    enum status status;
};

static void find(struct finding *f, bool by_run)
{
    const struct truth exact = {.variant = "exact"};
    struct diagnosis diagnosis;
    char path[600];
    *f = (struct finding){0};
    solving_of_desc(&f->s, &desc, "ode");
    struct model *model = f->s.model;
    cr_assert(certified_path(model, &exact, path, sizeof path));
    cr_assert_eq(certificate_read(path, model, &f->certificate, &diagnosis), OK);
    f->run = solve(&f->s);
    const struct published_sources sources = {
        .model = model, .parameters = f->s.request.parameters,
        .parameter = f->s.request.parameter, .digits = 40,
        .certified = by_run ? NULL : f->certificate->trajectory, .run = f->run};
    f->status = published_find(&sources, &f->found, &f->count, &f->s.diagnosis);
}

static void lose(struct finding *f)
{
    published_clear(f->found, f->count);
    trajectory_free(f->run);
    certificate_free(f->certificate);
    solving_end(&f->s);
}

/* A number of the certified values, as text with so many digits. */
static const char *text_of(mpfr_srcptr x, int digits)
{
    static char text[PRINTED_MOST][60];
    static int used;
    char *next = text[used++ % PRINTED_MOST];
    mpfr_snprintf(next, 60, "%.*Rg", digits, x);
    return next;
}

/* Numbers of every kind, right to all digits that a double has not. */
static void print_right_ones(void)
{
    struct finding f;
    printed[0] = (struct printed){.quantity = NULL};
    find(&f, false);
    const struct mp_trajectory *t = f.certificate->trajectory;
    printed[0] = (struct printed){"event.1.t", text_of(t->event[0].before.t, 20), NULL};
    printed[1] = (struct printed){"event.2.dt/dg", text_of(t->event[1].tau[0], 20), NULL};
    printed[2] = (struct printed){"after.1.v.th", text_of(t->event[0].after.x[1], 20),
                                  NULL};
    printed[3] = (struct printed){"psi.swing", text_of(t->psi[0], 20), NULL};
    printed[4] = (struct printed){"start.q.th", "1.0000000000000000000", NULL};
    printed[5] = (struct printed){"start.dq.th/dth0", "1", NULL};
    /* the last sample is the end, t = 5, of which 5 is a short binary fraction */
    printed[6] = (struct printed){"q.th", text_of(t->sample[t->samples - 1].x[0], 20),
                                  NULL};
    printed[7] = (struct printed){"dq.th/dg", text_of(
        t->sample[t->samples - 1].x[t->columns.width], 20), NULL};
    lose(&f);
}

Test(published, quantities_of_every_kind_are_found)
{
    struct finding f;
    print_right_ones();
    find(&f, false);
    cr_assert_eq(f.status, OK, "%s", f.s.diagnosis.place);
    cr_expect_eq(f.count, 8);
    for (int k = 0; k < f.count; k++) {
        cr_expect(f.found[k].certified);
        cr_expect_eq(f.found[k].digits, f.found[k].printed, "%s: %g of %d",
                     printed[k].quantity, f.found[k].digits, f.found[k].printed);
    }
    cr_expect_eq(f.found[6].t, 5);
    cr_expect_eq(f.found[4].t, 0);
    lose(&f);
}

/* What is at the start or the end is in MPFR all the same. */
Test(published, numbers_are_looked_up_in_the_run_where_nothing_is_certified)
{
    struct finding f;
    print_right_ones();
    find(&f, true);
    cr_assert_eq(f.status, OK);
    for (int k = 0; k < 4; k++) {
        cr_expect_not(f.found[k].certified);
        cr_expect_gt(f.found[k].digits, 11, "%s", printed[k].quantity);
        cr_expect_lt(f.found[k].digits, 19);
    }
    for (int k = 4; k < f.count; k++)
        cr_expect(f.found[k].certified);
    lose(&f);
}

Test(published, a_wrong_printed_digit_is_seen)
{
    for (int k = 0; k < 8; k++) {
        struct finding f;
        char wrong[60];
        print_right_ones();
        snprintf(wrong, sizeof wrong, "%s", printed[k].value);
        char *digit = wrong + strlen(wrong) - (k == 5 ? 1 : 3);
        *digit = *digit == '5' ? '6' : '5';
        printed[k].value = wrong;
        find(&f, false);
        for (int i = 0; i < f.count; i++)
            cr_expect_eq(f.found[i].digits < f.found[i].printed, i == k, "%s",
                         printed[i].quantity);
        lose(&f);
    }
}

Test(published, quantities_that_do_not_exist_are_named)
{
    static const char *const none[] = {"q.thh", "event.99.t", "psi.swim", "start.q.x",
                                       "start.", "dq.th/dm"};
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
        struct finding f;
        printed[0] = (struct printed){none[k], "1", NULL};
        find(&f, false);
        cr_expect_eq(f.status, BAD_INPUT, "%s", none[k]);
        cr_expect(strstr(f.s.diagnosis.place, none[k]), "%s", f.s.diagnosis.place);
        lose(&f);
    }
}

Test(published, text_that_is_no_number_is_named)
{
    struct finding f;
    printed[0] = (struct printed){"psi.swing", "1,5", NULL};
    find(&f, false);
    cr_expect_eq(f.status, BAD_INPUT);
    cr_expect(strstr(f.s.diagnosis.place, "1,5"), "%s", f.s.diagnosis.place);
    lose(&f);
}

/* --- rows --------------------------------------------------------------------------- */

Test(published, a_disputed_number_is_shown_and_does_not_count)
{
    struct rows rows = {.digits = NAN, .keep = true};
    struct row *row = rows_add(&rows, ROW_JUDGED, "case", "MPFR exact", "published");
    struct verdict verdict = {.digits = 2, .bar = 5};
    struct published good = {.quantity = "q.x", .value = "1.2345", .source = "page 7"};
    struct published bad = good;
    bad.disputed = "a misprint";
    snprintf(verdict.name, sizeof verdict.name, "q.x");
    row_measure_published(&rows, row, &verdict, &bad);
    cr_expect_eq(row->numbers, 0);
    cr_expect_eq(row->short_of_bar, 0);
    char *text = json_text_of(row);
    cr_expect(strstr(text, "\"disputed\":\"a misprint\""), "%s", text);
    cr_expect(strstr(text, "\"pass\":null"));
    cr_expect_null(strstr(text, "\"pass\":false"));
    free(text);
    row_measure_published(&rows, row, &verdict, &good);
    cr_expect_eq(row->numbers, 1);
    cr_expect_not(row->held);
    text = json_text_of(row);
    cr_expect(strstr(text, "\"pass\":false"));
    cr_expect(strstr(text, "\"source\":\"page 7\""));
    free(text);
    rows_clear(&rows);
}
