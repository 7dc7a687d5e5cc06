/*
 * test_certified_hessian.c - second derivatives in double against those that two routes
 * in MPFR agree on, and what symmetry does not see.
 */
#include "faults/rules.h"
#include "gradients.h"
#include "gradients/cost_hessian.h"
#include "sampling.h"

TestSuite(certified_hessian, .timeout = 900);

/* Both Hessians of a case by so many of its parameters. */
struct both {
    struct solving s;
    struct hessian_request request;
    struct cost_hessian in_double, certified;
};

static void ask_double(struct both *b)
{
    cost_hessian_clear(&b->in_double);
    b->request.adjoint.run = b->s.request;
    cost_hessian_ask(cost_hessian_find("adjoint"), &b->request, &b->in_double);
    cr_assert_eq(b->in_double.status, OK, "%s: %s", b->s.model->desc->name,
                 b->in_double.diagnosis.place);
}

static void begin(struct both *b, const char *name, const char *formulation,
                  int parameters)
{
    *b = (struct both){.request = {.digits = 20, .threads = 2}};
    gradients_of(&b->s, case_find(name), formulation, 1e-12);
    if (b->s.request.parameters > parameters)
        b->s.request.parameters = parameters;
    ask_double(b);
    cost_hessian_ask(cost_hessian_find("certified"), &b->request, &b->certified);
    cr_assert_eq(b->certified.status, OK, "%s: %s", name, b->certified.diagnosis.place);
    cr_expect_geq(b->certified.certified->agreed, 20, "%s", name);
    cr_expect_eq(b->certified.events, b->in_double.events, "%s", name);
}

static double digits(const struct both *b)
{
    return cost_hessian_digits(&b->request.adjoint, &b->certified, &b->in_double);
}

static void end(struct both *b)
{
    cost_hessian_clear(&b->in_double);
    cost_hessian_clear(&b->certified);
    solving_end(&b->s);
}

static void expect_certified(const char *name, const char *formulation, int parameters)
{
    struct both b;
    begin(&b, name, formulation, parameters);
    cr_expect_geq(digits(&b), 9, "%s, %s: %.1f digits", name, formulation, digits(&b));
    end(&b);
}

enum { ALL = TEST_PARAMETERS };

/* Impacts, events in chains, a terminal event, impulses of constraints, a penalty. */
Test(certified_hessian, is_that_in_double_to_9_digits)
{
    expect_certified("bouncing-ball", "ode", ALL);
    expect_certified("event-algebra", "ode", ALL);
    expect_certified("event-chain", "ode", ALL);
    expect_certified("stone-throw", "ode", 3);
    expect_certified("impact-oscillator", "ode", 2);
    expect_certified("slack-rope", "index1", 3);
    expect_certified("five-bar-events", "index1", 1);
    expect_certified("pendulum-wall", "penalty", 1);
}

Test(certified_hessian, is_that_in_double_by_all_parameters)
{
    if (!in_test_all())
        cr_skip_test("slow");
    expect_certified("clocked-oscillator", "ode", ALL);
    expect_certified("stone-throw", "ode", ALL);
    expect_certified("impact-oscillator", "ode", ALL);
    expect_certified("slack-rope", "index1", ALL);
    expect_certified("rope-catch", "baumgarte", ALL);
    expect_certified("clutch", "index1", ALL);
    expect_certified("five-bar-events", "index1", ALL);
    expect_certified("pendulum-wall", "penalty", ALL);
}

/* An event whose time does not move makes another motion, with a symmetric Hessian of its
   own. */
Test(certified_hessian, shows_a_wrong_rule_that_symmetry_does_not)
{
    struct both b;
    begin(&b, "bouncing-ball", "ode", ALL);
    b.s.request.rule = any_rule_find("no-dte");
    cr_assert_not_null(b.s.request.rule);
    ask_double(&b);
    cr_expect_geq(cost_hessian_symmetry(&b.request.adjoint, &b.in_double), 9);
    cr_expect_leq(digits(&b), 2, "%.1f", digits(&b));
    end(&b);
}

/* Each entry is looked at, and one that is wrong by 1e-6 of its scale leaves 6 digits. */
Test(certified_hessian, shows_an_entry_that_is_wrong)
{
    struct both b;
    begin(&b, "event-algebra", "ode", ALL);
    int p = b.s.request.parameters;
    for (int i = 0; i < p * p; i++) {
        double *entry = &b.in_double.by_two[i], right = *entry;
        *entry += 1e-6 * mpfr_get_d(b.certified.certified->scale + i, MPFR_RNDN);
        cr_expect_float_eq(digits(&b), 6, 1e-3, "entry %d: %.1f digits", i, digits(&b));
        *entry = NAN;
        cr_expect_eq(digits(&b), 0);
        *entry = right;
    }
    cr_expect_geq(digits(&b), 12);
    end(&b);
}

/* A refusal in one of the runs says why. */
Test(certified_hessian, is_refused_with_a_reason)
{
    struct both b = {.request = {.digits = 20, .threads = 1}};
    gradients_of(&b.s, case_find("newton-cradle"), "ode", 1e-10);
    b.request.adjoint.run = b.s.request;
    cost_hessian_ask(cost_hessian_find("certified"), &b.request, &b.certified);
    cr_expect_eq(b.certified.status, SIMULTANEOUS);
    cr_expect_not_null(strstr(b.certified.diagnosis.place, "order matters"));
    cr_expect(isnan(cost_hessian_symmetry(&b.request.adjoint, &b.certified)));
    end(&b);
}
