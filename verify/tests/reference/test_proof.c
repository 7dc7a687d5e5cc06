/*
 * test_proof.c - proofs of cases: as sharp as asked for, around closed forms and
 * certified values; wrong values refuted by name; files.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracles/closed.h"
#include "proving.h"
#include "sampling.h"

TestSuite(proof, .timeout = 3600);

/* --- what is proved of the catalogue ------------------------------------------------ */

/* A case, and the digits that are asked for: many where there is a closed form. */
struct provable {
    const char *name;
    int digits;
};
static const struct provable quick[] = {
    {"at-rest", 30}, {"ball-restitution", 30}, {"ball-table", 100},
    {"ball-table-long", 100}, {"ball-table-spring", 30}, {"ball-tracked", 30},
    {"bouncing-ball", 100}, {"double-crossing", 100}, {"event-algebra", 100},
    {"event-near-ends", 100}, {"grazing-missed", 100},
    {"mass-drop", 30}, {"near-grazing-3", 100}, {"near-grazing-6", 100},
    {"near-grazing-9", 100}, {"pendulum-stop", 60}, {"rimless-wheel", 30},
    {"rope-catch", 30}, {"simplest-walker", 30}, {"stone-throw", 30}, {"swing-load", 30},
    {"switching-oscillator", 30}, {"two-balls", 100}, {"two-balls-unequal", 100},
    {NULL, 0}
};
/* In make test-all only: a minute or two. */
static const struct provable slow[] = {
    {"chaplygin-sleigh", 30}, {"chaplygin-sleigh-centre", 30}, {"clocked-oscillator", 30},
    {"compass-gait", 30}, {"pendulum-stop", 100}, {"slider-crank-equal-arms-reduced", 30},
    {"crane-winch-polar", 30}, {"double-pendulum-angles", 30}, {"galileo-peg", 30},
    {"impact-oscillator", 100}, {"mass-drop", 100}, {"pendulum-wall", 100},
    {"pendulum-wall-light", 100}, {"pwlin", 100}, {"rimless-wheel", 100},
    {"switching-oscillator", 100}, {"trolley-heavy", 30}, {"zeno-approached", 100},
    {NULL, 0}
};

/* The closed form has more digits than the balls. */
static void contain_closed_form(struct proving *p, const struct proof *proof)
{
    const char *name = p->of.model->desc->name;
    struct mp_trajectory *closed;
    const struct run_request request = {
        .model = p->of.model, .parameters = p->of.request.parameters,
        .parameter = p->of.parameter, .t_end = NAN, .samples = p->samples.count,
        .sample = p->samples.t};
    int digits = proof->carried + 20;
    enum status status = closed_walk(closed_form_find(name)->rules, &request, digits,
                                     &closed, &p->of.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", name, p->of.diagnosis.place);
    struct beside_balls b = look_at_all(proof->motion, closed, digits);
    cr_expect_str_empty(b.outside, "%s: %s", name, b.outside);
    cr_expect_gt(b.numbers, proof_extent(proof->motion).numbers, "%s", name);
    mp_trajectory_free(closed);
}

static void hold(const struct provable *provable)
{
    const char *name = provable->name;
    struct proving p;
    char outside[200] = "";
    proving_of_case(&p, name);
    struct proof *proof = proved(&p, provable->digits);
    const struct proof_extent extent = proof_extent(proof->motion);
    cr_expect_geq(extent.widest, provable->digits, "%s: %.1f digits", name,
                  extent.widest);
    cr_expect_eq(extent.widest, proof->digits, "%s", name);
    cr_expect_gt(extent.numbers, 100, "%s: %ld numbers", name, extent.numbers);
    struct certificate *certificate = certified(&p);
    cr_expect(proof_contains(proof, certificate, outside, sizeof outside), "%s: %s", name,
              outside);
    struct mp_trajectory *middles = proof_middles(proof);
    struct beside_balls b = look_at_all(proof->motion, middles, proof->carried);
    cr_expect_str_empty(b.outside, "%s: the middle is not in the ball: %s", name,
                        b.outside);
    if (closed_form_find(name))
        contain_closed_form(&p, proof);
    mp_trajectory_free(middles);
    certificate_free(certificate);
    proof_free(proof);
    proving_end(&p);
}

Test(proof, has_the_digits_asked_for_and_contains_closed_forms_and_certified_values)
{
    for (int k = 0; quick[k].name; k++)
        hold(&quick[k]);
    for (int k = 0; in_test_all() && slow[k].name; k++)
        hold(&slow[k]);
}

/* --- what cannot be proved ---------------------------------------------------------- */

static void not_proved(const char *name, enum status want, const char *why)
{
    struct proving p;
    struct proof *proof = (struct proof *)&p;
    const struct case_desc *desc = case_find(name);
    referring_of_case(&p.of, desc, 0);
    enum status got = prove(&p.of.request, 20, &proof, &p.of.diagnosis);
    cr_expect_eq(got, want, "%s: %s instead of %s: %s", name, status_text(got),
                 status_text(want), p.of.diagnosis.place);
    cr_expect(strstr(p.of.diagnosis.place, why), "%s: \"%s\" is not in \"%s\"", name, why,
              p.of.diagnosis.place);
    cr_expect_null(proof, "%s", name);
    proving_end(&p);
}

Test(proof, that_there_is_none_is_said_with_its_place)
{
    not_proved("five-bar-redundant", NOT_APPLICABLE, "mode motion: 2 of 6 constraints");
    not_proved("two-landings", SIMULTANEOUS, "events first and second are together");
    not_proved("event-chain", PRECISION, "guard spill: its side is not decided");
    not_proved("event-at-end", EVENT_AT_END, "event impact falls on the end");
    not_proved("grazing", GRAZING, "event ceiling");
}

/* A proof is of the exact motion, to the end that the model states, with derivatives by
   parameters. Of another motion there is none. */
static void other_motion(const char *name, void (*ask)(struct reference_request *request),
                         const char *what)
{
    struct proving p;
    struct proof *proof;
    proving_of_case(&p, name);
    p.of.request.samples = 0;
    ask(&p.of.request);
    enum status status = prove(&p.of.request, 10, &proof, &p.of.diagnosis);
    if (status == OK) {
        p.of.request.digits = 60;
        struct mp_trajectory *run = refer(&p.of);
        struct beside_balls b = look_at_all(proof->motion, run, 40);
        cr_expect_str_empty(b.outside, "%s: %s", what, b.outside);
        mp_trajectory_free(run);
        proof_free(proof);
    } else {
        cr_expect(status == NOT_APPLICABLE || status == BAD_INPUT, "%s: %s: %s", what,
                  status_text(status), p.of.diagnosis.place);
    }
    proving_end(&p);
}

static void ask_for_penalty(struct reference_request *request)
{
    request->truth = (struct truth){"penalty", "1e5", "20", "100", NULL};
}

static void ask_for_direction(struct reference_request *request)
{
    static const char *const weight[] = {"1", "1", "1", "1", "1"};
    request->direction = weight;
}

static void ask_for_early_end(struct reference_request *request)
{
    request->t_end = "4.9";
}

static void ask_for_late_end(struct reference_request *request)
{
    request->t_end = "6";
}

Test(proof, is_not_that_of_a_penalty_motion)
{
    other_motion("pendulum-wall", ask_for_penalty, "penalty");
}

Test(proof, is_not_that_of_a_direction)
{
    other_motion("pendulum-stop", ask_for_direction, "a direction");
}

Test(proof, ends_where_the_motion_does)
{
    other_motion("pendulum-stop", ask_for_early_end, "an earlier end");
    other_motion("pendulum-stop", ask_for_late_end, "a later end");
}

/* --- samples beside events and ends ------------------------------------------------- */

/* A unit mass falls from h = 1 with g = 1 and lands at sqrt(2); the run ends at 2. */
static void record_landing(struct model *model)
{
    record_falling_ball(model, false);
}

/* Is the motion at a sample proved? The balls contain it then. */
static bool sample_is_proved(const char *time)
{
    struct proving p;
    struct proof *proof;
    proving_of_record(&p, "landing", record_landing);
    p.of.request.samples = 1;
    p.of.request.sample = &time;
    bool good = prove(&p.of.request, 30, &proof, &p.of.diagnosis) == OK;
    if (good) {
        p.of.request.digits = 120;
        struct mp_trajectory *run = refer(&p.of);
        struct beside_balls b = look_at_all(proof->motion, run, 100);
        cr_expect_str_empty(b.outside, "t = %s: %s", time, b.outside);
        mp_trajectory_free(run);
    } else {
        proof = NULL;
    }
    proof_free(proof);
    proving_end(&p);
    return good;
}

/* However near to the event, a sample is before it or after it, or there is no proof. */
Test(proof, has_samples_on_the_right_side_of_an_event)
{
    static const char *const near[] = {
        "1.4142135623730950488", "1.41421356237309504880168872",
        "1.4142135623730950488016887242", "1.41421356237309504880168872420969",
        "1.41421356237309504880168872421", "1.4142135623730950488016887243",
        "1.41421356237309504880168873", "1.4142135623730950489",
    };
    cr_expect(sample_is_proved("1.4142135623730"));
    cr_expect(sample_is_proved("1.4142135623731"));
    for (int k = 0; k < (int)(sizeof near / sizeof *near); k++)
        sample_is_proved(near[k]);
}

/* A sample that is nearly the end is not the end. */
Test(proof, has_samples_at_their_own_times)
{
    cr_expect(sample_is_proved("2"));
    cr_expect(sample_is_proved("1.9999999999"));
    sample_is_proved("1.99999999999999999999999999999");
    sample_is_proved("1.9999999999999999999999999999999999999999");
    sample_is_proved("1.99999999999999999999999999999999999999999999999999");
}

/* --- a certified value that is wrong ------------------------------------------------ */

/* A proof, and the certified values to be altered. */
struct altering {
    struct proving p;
    struct proof *proof;
    struct certificate *certificate;
};

static void altering_begin(struct altering *a, const char *name)
{
    char outside[200] = "";
    proving_of_case(&a->p, name);
    a->proof = proved(&a->p, 30);
    a->certificate = certified(&a->p);
    cr_assert(proof_contains(a->proof, a->certificate, outside, sizeof outside), "%s",
              outside);
}

static void altering_end(struct altering *a)
{
    certificate_free(a->certificate);
    proof_free(a->proof);
    proving_end(&a->p);
}

/* One more in significant digit number `digit`. */
static void alter(mpfr_ptr x, int digit)
{
    mpfr_t by;
    mpfr_init2(by, mpfr_get_prec(x));
    mpfr_set_si(by, 10, MPFR_RNDN);
    long place = mpfr_zero_p(x) ? 0 : (long)floor(mp_log2(x) * MP_DIGITS_PER_BIT);
    mpfr_pow_si(by, by, place + 1 - digit, MPFR_RNDN);
    mpfr_add(x, x, by, MPFR_RNDN);
    mpfr_clear(by);
}

static void refuted(const struct altering *a, const char *place, const char *name)
{
    char outside[200] = "";
    cr_expect(!proof_contains(a->proof, a->certificate, outside, sizeof outside),
              "%s, %s is not missed", place, name);
    cr_expect(strstr(outside, place) && strstr(outside, name),
              "\"%s\" and \"%s\" are not in \"%s\"", place, name, outside);
}

/* One digit is altered, the number is named, and it is put back. */
static void alter_and_look(struct altering *a, mpfr_ptr x, int digit, const char *place,
                           const char *name)
{
    mpfr_t before;
    mpfr_init2(before, mpfr_get_prec(x));
    mpfr_set(before, x, MPFR_RNDN);
    alter(x, digit);
    refuted(a, place, name);
    mpfr_set(x, before, MPFR_RNDN);
    mpfr_clear(before);
}

static mpfr_ptr number(struct mp_point *point, const struct columns *columns,
                       enum column_group group, int i, int j)
{
    return point->x[column(columns, group, i, j)];
}

Test(proof, refutes_a_certified_digit_that_is_altered)
{
    struct altering a;
    altering_begin(&a, "pendulum-stop");
    struct mp_trajectory *t = a.certificate->trajectory;
    const struct columns *columns = &t->columns;
    int L = by_name(&a.p.of, "L"), p = columns->p;
    static const int digit[] = {1, 10, 25};
    for (int k = 0; k < 3; k++) {
        int d = digit[k];
        alter_and_look(&a, number(&t->sample[2], columns, GROUP_Q, 0, -1), d, "sample 3",
                       "q.th");
        alter_and_look(&a, number(&t->sample[4], columns, GROUP_V, 0, L), d, "sample 5",
                       "dv.th/dL");
        alter_and_look(&a, number(&t->sample[8], columns, GROUP_A, 0, L), d, "sample 9",
                       "da.th/dL");
        alter_and_look(&a, number(&t->event[1].before, columns, GROUP_V, 0, -1), d,
                       "event 2", "v.th");
        alter_and_look(&a, number(&t->event[3].after, columns, GROUP_Z, 0, L), d,
                       "event 4", "dz.swing/dL");
        alter_and_look(&a, t->event[2].before.t, d, "event 3", "time");
        alter_and_look(&a, t->event[0].tau[L], d, "event 1", "dt/dL");
        alter_and_look(&a, t->psi[0], d, "psi.swing", "");
        alter_and_look(&a, t->psi[1 + L], d, "dpsi.swing/dL", "");
    }
    cr_expect_eq(p, 5);
    altering_end(&a);
}

/* Digits that are not claimed may be anything. */
Test(proof, leaves_digits_alone_that_are_not_certified)
{
    struct altering a;
    char outside[200] = "";
    altering_begin(&a, "pendulum-stop");
    struct mp_trajectory *t = a.certificate->trajectory;
    mpfr_ptr x = number(&t->sample[2], &t->columns, GROUP_Q, 0, -1);
    mpfr_ptr claimed = a.certificate->agreement->sample[2].x[
        column(&t->columns, GROUP_Q, 0, -1)];
    mpfr_set_si(claimed, 12, MPFR_RNDN);
    alter(x, 14);
    cr_expect(proof_contains(a.proof, a.certificate, outside, sizeof outside), "%s",
              outside);
    alter(x, 11);
    refuted(&a, "sample 3", "q.th");
    altering_end(&a);
}

/* A derivative after an event that has not jumped; derivatives by two parameters that
   have changed places. */
Test(proof, refutes_a_jump_that_is_dropped_and_a_row_that_is_replaced)
{
    struct altering a;
    altering_begin(&a, "rope-catch");
    struct mp_trajectory *t = a.certificate->trajectory;
    const struct columns *columns = &t->columns;
    int g = by_name(&a.p.of, "g"), e = by_name(&a.p.of, "e");
    mpfr_ptr after = number(&t->event[1].after, columns, GROUP_Q, 0, g);
    mpfr_ptr before = number(&t->event[1].before, columns, GROUP_Q, 0, g);
    mpfr_swap(after, before);
    refuted(&a, "event 2", "dq.x/dg");
    mpfr_swap(after, before);
    for (int i = 0; i < 2; i++)
        mpfr_swap(number(&t->sample[8], columns, GROUP_V, i, g),
                  number(&t->sample[8], columns, GROUP_V, i, e));
    refuted(&a, "sample 9", "dv.x/dg");
    altering_end(&a);
}

Test(proof, refutes_other_events_and_other_modes)
{
    struct altering a;
    altering_begin(&a, "rope-catch");
    struct mp_trajectory *t = a.certificate->trajectory;
    t->events--;
    refuted(&a, "2 events", "3 are proved");
    t->events++;
    const struct event *event = t->event[1].event;
    t->event[1].event = t->event[0].event;
    refuted(&a, "event", "");
    t->event[1].event = event;
    const struct mode *mode = t->sample[0].mode;
    t->sample[0].mode = t->sample[8].mode;
    refuted(&a, "sample 1", "mode caught");
    t->sample[0].mode = mode;
    altering_end(&a);
}

/* --- files -------------------------------------------------------------------------- */

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/saltus-test-%ld.proved", (long)getpid());
}

static char *file_contents(void)
{
    static char text[400000];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    cr_assert_lt(length, sizeof text - 1);
    fclose(file);
    text[length] = '\0';
    return text;
}

static void write_contents(const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

/* Balls that are read contain those that were written, and are hardly wider. */
static void wider(const arb_t read, const arb_t written, const char *name)
{
    cr_expect(arb_contains(read, written), "%s", name);
    cr_expect(mag_cmp_2exp_si(arb_radref(written), -100000) < 0 ||
              mag_get_d_log2_approx(arb_radref(read)) <
              mag_get_d_log2_approx(arb_radref(written)) + 8, "%s is wider", name);
}

static void wider_point(const struct enclosed_point *read,
                        const struct enclosed_point *written,
                        const struct columns *columns)
{
    char name[100];
    cr_assert_eq(read->mode, written->mode);
    wider(read->t, written->t, "t");
    for (int c = 0; c < columns->count; c++) {
        column_name(columns, c, name, sizeof name);
        wider(read->x + c, written->x + c, name);
    }
}

Test(proof, that_is_read_contains_what_was_written)
{
    static const char *const name[] = {"pendulum-stop", "rope-catch", "bouncing-ball"};
    name_file();
    for (int k = 0; k < 3; k++) {
        struct proving p;
        struct proof *again;
        proving_of_case(&p, name[k]);
        struct proof *proof = proved(&p, 30);
        cr_assert_eq(proof_write(proof, path, &p.of.diagnosis), OK, "%s",
                     p.of.diagnosis.place);
        char *first = strdup(file_contents());
        cr_assert_eq(proof_write(proof, path, &p.of.diagnosis), OK);
        cr_expect_str_eq(file_contents(), first, "%s: written twice", name[k]);
        cr_assert_eq(proof_read(path, p.of.model, &again, &p.of.diagnosis), OK, "%s",
                     p.of.diagnosis.place);
        const struct enclosed_motion *a = proof->motion, *b = again->motion;
        const struct columns *columns = &a->columns;
        cr_assert_eq(a->samples, b->samples);
        cr_assert_eq(a->events, b->events);
        cr_assert_eq(columns->p, b->columns.p);
        cr_expect_eq(a->steps, b->steps);
        cr_expect_eq(proof->carried, again->carried);
        cr_expect_eq(floor(proof->digits), again->digits);
        for (int j = 0; j < p.of.model->p; j++)
            cr_expect(arb_overlaps(b->rho + j, a->rho + j), "%s",
                      p.of.model->parameter[j].name);
        for (int i = 0; i < a->samples; i++)
            wider_point(&b->sample[i], &a->sample[i], columns);
        for (int i = 0; i < a->events; i++) {
            cr_assert_eq(a->event[i].event, b->event[i].event);
            wider_point(&b->event[i].before, &a->event[i].before, columns);
            wider_point(&b->event[i].after, &a->event[i].after, columns);
            for (int j = 0; j < columns->p; j++)
                wider(b->event[i].tau + j, a->event[i].tau + j, "tau");
        }
        for (int i = 0; i < p.of.model->nz * (1 + columns->p); i++)
            wider(b->psi + i, a->psi + i, "psi");
        free(first);
        proof_free(proof);
        proof_free(again);
        proving_end(&p);
    }
    remove(path);
}

/* A file that is refused at a line. */
static void refused_at(const struct model *model, int line, const char *word)
{
    char place[100];
    struct proof *proof;
    struct diagnosis diagnosis = {.t = NAN};
    snprintf(place, sizeof place, "%s:%d: ", path, line);
    cr_expect_eq(proof_read(path, model, &proof, &diagnosis), BAD_INPUT, "%s", word);
    cr_expect_null(proof);
    cr_expect(strstr(diagnosis.place, place) && strstr(diagnosis.place, word),
              "\"%s\" and \"%s\" are not in \"%s\"", place, word, diagnosis.place);
}

/* Replaces the first `from` after the first `after` of the file; the line that is refused
   is `further` lines on. */
static void damaged(const struct model *model, const char *whole, const char *after,
                    const char *from, const char *to, int further, const char *word)
{
    const char *at = strstr(whole, after);
    cr_assert_not_null(at, "%s", after);
    at = strstr(at, from);
    cr_assert_not_null(at, "%s", from);
    char *text = malloc(strlen(whole) + strlen(to) + 1);
    sprintf(text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    write_contents(text);
    int line = 1 + further;
    for (const char *c = whole; c < at; c++)
        line += *c == '\n';
    refused_at(model, line, word);
    free(text);
}

static int lines_of(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

Test(proof, in_a_damaged_file_is_refused_with_its_line)
{
    struct proving p;
    struct proof *proof;
    name_file();
    proving_of_case(&p, "pendulum-stop");
    const struct model *m = p.of.model;
    proof = proved(&p, 20);
    cr_assert_eq(proof_write(proof, path, &p.of.diagnosis), OK);
    proof_free(proof);
    char *whole = strdup(file_contents());
    int lines = lines_of(whole);

    damaged(m, whole, "", "saltus proved", "saltus Proved", 0, "not a file of proved");
    damaged(m, whole, "", "case pendulum-stop", "case pendulum-wall", 0, "pendulum-wall");
    damaged(m, whole, "formulas ", " ", " 0", 0, "16 hexadecimal digits");
    damaged(m, whole, "", "differentiated g L", "differentiated g k", 0, "\"k\"");
    damaged(m, whole, "", "differentiated g L", "differentiated g g", 0, "twice");
    damaged(m, whole, "", "carried ", "carried x", 0, "whole number");
    damaged(m, whole, "", "samples 9", "samples -9", 0, "whole number");
    damaged(m, whole, "", "saltus proved values 2", "saltus proved values 1", 0,
            "made by an older saltus; saltus prove pendulum-stop");
    damaged(m, whole, "", "g nominal 9.81", "g nominal 9.8", 0, "nominal value of g has "
            "changed since this was made, from 9.8 to 9.81: saltus prove");
    damaged(m, whole, "", "parameter L nominal", "parameter L given", 0, "a proof is");
    damaged(m, whole, "", "sample 3 swing", "sample 4 swing", 0, "whole number");
    damaged(m, whole, "", "sample 3 swing", "sample 3 swim", 0, "\"swim\"");
    damaged(m, whole, "sample 3", "q.th [", "q.th (", 0, "not a ball");
    damaged(m, whole, "sample 3", "q.th [", "q.th nan [", 0, "not a ball");
    damaged(m, whole, "sample 3", "+/-", "+", 0, "not a ball");
    damaged(m, whole, "sample 3", "q.th", "q.x", 0, "\"q.th\" is expected");
    damaged(m, whole, "sample 3", "\nv.th", "\nsample\nv.th", 1, "\"v.th\" is expected");
    damaged(m, whole, "", "event 2 stop", "event 2 start", 0, "\"start\"");
    damaged(m, whole, "event 2", "dt/dL", "dt/dK", 0, "\"dt/dL\" is expected");
    damaged(m, whole, "event 2", "after swing", "before swing", 0, "\"after\" is");
    damaged(m, whole, "", "\nend\n", "\n", 1, "\"end\" is expected");
    damaged(m, whole, "", "events 4", "events 5",
            lines - lines_of(strstr(whole, "\nend\n") + 1) -
            (lines - lines_of(strstr(whole, "events 4"))), "\"event\" is expected");
    damaged(m, whole, "", "dpsi.swing/da", "dpsi.swing/db", 0, "is expected");
    damaged(m, whole, "", "complete\n", "", 0, "ends early");
    damaged(m, whole, "", "complete\n", "complete", 0, "cut off");

    /* A missing line is seen at the next one. */
    char *gone = strstr(strstr(whole, "sample 5"), "dv.th/dL"), *end = strchr(gone, '\n');
    char *line = strndup(gone, (size_t)(end - gone) + 1);
    damaged(m, whole, "sample 5", line, "", 0, "\"dv.th/dL\" is expected");
    free(line);

    /* A digit of a ball, and a digit of the sum. */
    char *shown = strstr(strstr(whole, "sample 5"), "q.th [");
    char *digit = shown + strcspn(shown, "123456789");
    char kept = *digit;
    *digit = kept == '9' ? '8' : (char)(kept + 1);
    write_contents(whole);
    refused_at(m, lines - 1, "the checksum is wrong");
    *digit = kept;
    char *sum = strstr(whole, "checksum ") + strlen("checksum ");
    kept = *sum;
    *sum = kept == '0' ? '1' : '0';
    write_contents(whole);
    refused_at(m, lines - 1, "the checksum is wrong");
    *sum = kept;
    write_contents(whole);
    cr_expect_eq(proof_read(path, m, &proof, &p.of.diagnosis), OK, "%s",
                 p.of.diagnosis.place);
    proof_free(proof);
    free(whole);
    remove(path);
    proving_end(&p);
}

/* The middle of any file is no file. */
Test(proof, in_a_truncated_file_is_refused)
{
    struct proving p;
    struct proof *proof;
    name_file();
    proving_of_case(&p, "bouncing-ball");
    proof = proved(&p, 20);
    cr_assert_eq(proof_write(proof, path, &p.of.diagnosis), OK);
    proof_free(proof);
    char *whole = strdup(file_contents());
    size_t length = strlen(whole);
    for (size_t cut = 0; cut < length; cut += 1 + cut / 40) {
        whole[length - 1 - cut] = '\0';
        write_contents(whole);
        cr_expect_eq(proof_read(path, p.of.model, &proof, &p.of.diagnosis), BAD_INPUT,
                     "%zu bytes are missing", cut + 1);
        cr_expect_null(proof);
    }
    free(whole);
    remove(path);
    proving_end(&p);
}

static void record_fall(struct model *model, formula (*force)(formula))
{
    COORDINATES(y);
    PARAMETERS(g);
    NOMINAL(g, 2, "m/s^2", "gravity");
    model_mode(model, "fall");
    model->M[0][0] = EQ(1);
    model->F[0] = force(EQ(g));
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1);
}
static formula itself(formula g) { return g; }
static void record_down(struct model *model) { record_fall(model, negate); }
static void record_up(struct model *model) { record_fall(model, itself); }

static struct proof *prove_fall(struct proving *p, void (*record)(struct model *),
                                int samples)
{
    static const char *const sample[] = {"0.3"};
    name_file();
    proving_of_record(p, "fall", record);
    p->of.request.samples = samples;
    p->of.request.sample = sample;
    struct proof *proof = proved(p, 20);
    cr_assert_eq(proof_write(proof, path, &p->of.diagnosis), OK);
    return proof;
}

/* Every name and the checksum are right. */
Test(proof, of_other_formulas_is_refused)
{
    struct proving p;
    proof_free(prove_fall(&p, record_down, 1));
    struct proof *proof;
    cr_expect_eq(proof_read(path, p.of.model, &proof, &p.of.diagnosis), OK, "%s",
                 p.of.diagnosis.place);
    proof_free(proof);
    proving_end(&p);
    proving_of_record(&p, "fall", record_up);
    refused_at(p.of.model, 4, "the model has changed since this was made");
    remove(path);
    proving_end(&p);
}

/* Balls without radius have no least number of digits. */
Test(proof, of_nothing_but_exact_numbers_is_written_and_read)
{
    struct proving p;
    struct proof *exact = prove_fall(&p, record_down, 0), *proof;
    cr_expect(isinf(proof_extent(exact->motion).widest));
    cr_expect_eq(proof_read(path, p.of.model, &proof, &p.of.diagnosis), OK, "%s",
                 p.of.diagnosis.place);
    proof_free(exact);
    proof_free(proof);
    remove(path);
    proving_end(&p);
}

Test(proof, cannot_be_written_or_read_where_nothing_is)
{
    struct proving p;
    struct proof *none;
    proving_of_case(&p, "bouncing-ball");
    struct proof *proof = proved(&p, 20);
    cr_expect_eq(proof_write(proof, "/nowhere/x.proved", &p.of.diagnosis), BAD_INPUT);
    cr_expect(strstr(p.of.diagnosis.place, "/nowhere/x.proved"), "%s",
              p.of.diagnosis.place);
    cr_expect_eq(proof_read("/nowhere/x.proved", p.of.model, &none, &p.of.diagnosis),
                 BAD_INPUT);
    cr_expect(strstr(p.of.diagnosis.place, "/nowhere/x.proved"), "%s",
              p.of.diagnosis.place);
    cr_expect_null(none);
    proof_free(proof);
    proving_end(&p);
}
