/*
 * test_terms.c - every term of a jump left out, or with the wrong sign, is caught by the
 * certified values and named.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comparing.h"
#include "faults/localise.h"
#include "faults/terms.h"
#include "motion/reference_motion.h"
#include "motion/samples.h"
#include "random_formulas.h"
#include "sampling.h"
#include "solving.h"

/* A case, run at its sample times, and its certified values. */
struct certified {
    struct solving s;
    struct samples samples;
    struct certificate *certificate;
    struct results *want;
    struct rows rows;
};

static void certified_open(struct certified *c, const char *name, const char *formulation)
{
    const struct truth exact = {.variant = "exact"};
    char path[600];
    memset(c, 0, sizeof *c);
    c->rows.digits = NAN;
    solving_of_case(&c->s, name, formulation);
    cr_assert_eq(choose_samples(c->s.model, &c->samples, &c->s.diagnosis), OK);
    c->s.request.samples = c->samples.count;
    c->s.request.sample = c->samples.t;
    cr_assert(certified_path(c->s.model, &exact, path, sizeof path));
    cr_assert_eq(certificate_read(path, c->s.model, &c->certificate, &c->s.diagnosis),
                 OK, "%s", c->s.diagnosis.place);
    c->want = results_of_reference(c->certificate->trajectory);
}

static void certified_close(struct certified *c)
{
    rows_clear(&c->rows);
    results_free(c->want);
    certificate_free(c->certificate);
    solving_end(&c->s);
}

/* The numbers of a run by this rule; NULL: it is refused. */
static struct results *numbers_of(struct certified *c, const struct jump_rule *rule)
{
    struct run_request request = c->s.request;
    struct trajectory *trajectory = NULL;
    request.rule = rule;
    enum status status = run_once(&request, &trajectory, &c->s.diagnosis);
    struct results *results = status == OK ? results_of_trajectory(trajectory) : NULL;
    trajectory_free(trajectory);
    return results;
}

/* Judges numbers by the certified ones, and asks for the cause. */
static struct row *judge(struct certified *c, const struct results *got)
{
    rows_clear(&c->rows);
    struct row *row = rows_add(&c->rows, ROW_JUDGED, c->s.model->desc->name,
                               c->s.request.formulation->name, "certified");
    row->made = (struct made){.digits = 13, .floor = 1e-3};
    const struct localise_request request = {
        .motion = &c->s.request, .exact = true, .got = got, .want = c->want,
        .cap = c->certificate->agreed};
    row_compare(&c->rows, row, got, c->want, request.cap);
    localise_row(&c->rows, row, &request);
    return row;
}

/* --- one implementation ------------------------------------------------------------- */

static const struct { const char *name, *formulation; } cases[] = {
    {"bouncing-ball", "ode"},           /* r(q, rho), velocities */
    {"clocked-oscillator", "ode"},      /* times that are parameters */
    {"event-algebra", "ode"},           /* auxiliary states, costs of events */
    {"event-chain", "ode"},             /* an event sets off another */
    {"event-bolus", "ode"},
    {"switching-oscillator", "ode"},    /* r(q, v) */
    {"impact-oscillator", "ode"},       /* r(t), r(q), an auxiliary state */
    {"stick-slip-impact", "ode"},       /* r(v), r(f): friction */
    {"slack-rope", "index1"},           /* impulse, r(lambda), constraints come and go */
    {"rope-catch", "index1"},
    {"pendulum-friction", "index1"},    /* friction of the joint force, r(v) */
    {"five-bar", "index1"},             /* velocities of independent coordinates */
    {"five-bar-events", "index1"},      /* an event of every kind */
    {"latch-redundant", "augmented"},      /* a loop that closes, redundant rows */
};
enum { CASES = sizeof cases / sizeof *cases };

/* Zeros of either sign are the same number. */
static void expect_same(const struct results *a, const struct results *b)
{
    cr_assert_eq(a->count, b->count);
    for (int k = 0; k < a->count; k++) {
        bool same = mpfr_equal_p(a->entry[k].value, b->entry[k].value) ||
                    (mpfr_nan_p(a->entry[k].value) && mpfr_nan_p(b->entry[k].value));
        cr_expect(same, "%s at t = %g", a->entry[k].name, a->entry[k].t);
    }
}

Test(terms, with_every_factor_one_are_saltation_to_the_last_bit)
{
    static const struct term_rule unchanged = {
        .rule = {.name = "unchanged", .tau = terms_tau, .apply = terms_apply}};
    for (int i = 0; i < CASES; i++) {
        struct certified c;
        certified_open(&c, cases[i].name, cases[i].formulation);
        struct results *right = numbers_of(&c, NULL);
        struct results *same = numbers_of(&c, &unchanged.rule);
        cr_assert_not_null(right, "%s", cases[i].name);
        cr_assert_not_null(same, "%s", cases[i].name);
        expect_same(same, right);
        results_free(right);
        results_free(same);
        certified_close(&c);
    }
}

/* --- every term --------------------------------------------------------------------- */

/* alone: a factor that stands in one number, which any term could have made so, or in all
   derivatives by one parameter, of which that is said */
struct tally { int tried, silent, refused, caught, named, alone; };

/* The beginning of the title, up to the parameter: what a verdict has of it. */
static bool names(const char *cause, const struct jump_rule *rule)
{
    char start[100];
    const char *rho = strstr(rule->title, "drho");
    snprintf(start, sizeof start, "%.*s",
             rho ? (int)(rho - rule->title) : (int)strlen(rule->title), rule->title);
    return strstr(cause, start) != NULL;
}

/* The fewest digits that two runs share: what the term contributes. */
static double digits_shared(const struct results *a, const struct results *b)
{
    int count, missing;
    double least = 17;
    struct comparison *comparison = compare_to(a, b, 17, &count, &missing);
    for (int k = 0; k < count; k++)
        if (comparison[k].scale > 1e-10)
            least = fmin(least, comparison[k].digits);
    free(comparison);
    return least;
}

/* `silent` if the runs share more than so many digits: the term is zero here. */
static void try_rule(struct certified *c, const struct results *right,
                     const struct jump_rule *rule, double so_many, struct tally *tally)
{
    const char *name = c->s.model->desc->name;
    struct results *got = numbers_of(c, rule);
    tally->tried++;
    if (!got) {
        tally->refused++;       /* no rate of the guard, a column that no reset allows */
        return;
    }
    if (digits_shared(got, right) > so_many) {
        tally->silent++;
        results_free(got);
        return;
    }
    const struct row *row = judge(c, got);
    bool caught = row->short_of_bar > 0, named = caught && names(row->cause, rule);
    bool one = strstr(row->cause, "no single term") && !strstr(row->cause, " other ");
    bool alone = strstr(rule->title, " times ") &&
                 (one || strstr(row->cause, "every derivative by"));
    tally->caught += caught;
    tally->named += named;
    tally->alone += alone;
    cr_expect(caught, "%s: rule %s is not caught", name, rule->name);
    cr_expect(named || alone, "%s: rule %s (%s) is not named: %s", name, rule->name,
              rule->title, row->cause);
    results_free(got);
}

static void try_rules(const char *name, const char *formulation, struct random *random,
                      struct tally *tally)
{
    enum { SOME = 5 };
    int count = 0;
    struct certified c;
    certified_open(&c, name, formulation);
    struct results *right = numbers_of(&c, NULL);
    cr_assert_not_null(right, "%s", name);
    while (term_rules[count].rule.name)
        count++;
    for (int k = 0; k < (in_test_all() ? count : SOME); k++) {
        int which = in_test_all() ? k : (int)random_below(random, count);
        try_rule(&c, right, &term_rules[which].rule, 7, tally);
    }
    results_free(right);
    certified_close(&c);
}

Test(terms, each_of_them_wrong_is_caught_and_named, .timeout = 1200)
{
    struct tally all = {0};
    struct random random = random_start();
    for (int i = 0; i < CASES; i++) {
        struct tally tally = {0};
        try_rules(cases[i].name, cases[i].formulation, &random, &tally);
        cr_log_info("%s: %d tried, %d silent, %d refused, %d caught, %d named",
                    cases[i].name, tally.tried, tally.silent, tally.refused,
                    tally.caught, tally.named);
        all.tried += tally.tried;
        all.silent += tally.silent;
        all.refused += tally.refused;
        all.caught += tally.caught;
        all.named += tally.named;
    }
    cr_expect_gt(all.caught, all.tried / 4);
    cr_log_info("%d tried, %d silent, %d refused, %d caught, %d named; seed %llu",
                all.tried, all.silent, all.refused, all.caught, all.named, random.seed);
}

/* --- factors ------------------------------------------------------------------------ */

/* Mutants of the smallest kind: a term too large by a part of it. */
static void try_factor(struct certified *c, const struct results *right, int term,
                       double change, struct tally *tally)
{
    char title[120];
    snprintf(title, sizeof title, "%.8g times %s", 1 + change, term_texts[term].text);
    struct term_rule rule = {.rule = {.name = "mutant", .title = title,
                                      .tau = terms_tau, .apply = terms_apply}};
    rule.change[term] = change;
    try_rule(c, right, &rule.rule, -log10(fabs(change)) + 2, tally);
}

Test(terms, a_factor_that_is_not_one_is_caught_and_named_with_its_value, .timeout = 600)
{
    static const double change[] = {1e-6, 0.37};
    struct random random = random_start();
    struct tally tally = {0};
    int terms = 0;
    while (term_texts[terms].text)
        terms++;
    for (int i = 0; i < CASES; i++) {
        struct certified c;
        if (!in_test_all() && random_below(&random, 4) > 0)
            continue;
        certified_open(&c, cases[i].name, cases[i].formulation);
        struct results *right = numbers_of(&c, NULL);
        for (int k = 0; k < terms; k++)
            for (int which = 0; which < 2; which++)
                if (in_test_all() || random_below(&random, 6) == 0)
                    try_factor(&c, right, k, change[which], &tally);
        results_free(right);
        certified_close(&c);
    }
    cr_log_info("%d tried, %d silent, %d refused, %d caught, %d named, %d alone; "
                "seed %llu", tally.tried, tally.silent, tally.refused, tally.caught,
                tally.named, tally.alone, random.seed);
    if (in_test_all())          /* of a few, two may be as many as a fifth */
        cr_expect_lt(10 * tally.alone, tally.caught);
}
