/*
 * test_stiff.c - the integrator that chooses: explicit until equations turn out stiff.
 */
#include "solving.h"

#include "identical.h"
#include "instrument.h"
#include "integrators/integrator.h"

/* x' = rate x */
static enum status decay(void *rate, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = *(double *)rate * x[0];
    return OK;
}

/* What a step of length 1 makes of x = 1, and how stiff it says that it was. */
static double step_at(const struct integrator *integrator, double rate, double *stiffness)
{
    struct ode ode = {.dim = 1, .rhs = decay, .context = &rate};
    double x = 1, x_new, dx_new, error[2], *err[2] = {&error[0], &error[1]};
    void *work = integrator->alloc(1);
    cr_assert_eq(integrator->step(work, &ode, 0, 1, &x, &rate, &x_new, &dx_new, err), OK);
    *stiffness = integrator->stiffness(work);
    integrator->release(work);
    return fabs(x_new);
}

Test(stiff, a_method_is_stable_as_far_as_it_says_and_knows_how_far_a_step_went)
{
    int looked = 0;
    for (int i = 0; integrators[i]; i++) {
        const struct integrator *integrator = integrators[i];
        double stiffness;
        if (!integrator->stiff)
            continue;
        cr_assert(integrator->stiffness && integrator->stiff->alloc_implicit);
        for (double z = 0.1; z < integrator->stable; z += 0.1) {
            double size = step_at(integrator, -z, &stiffness);
            cr_expect_float_eq(stiffness, z, 1e-6 * z);
            cr_expect_leq(size, 1, "%s: %.2g at %.2g", integrator->name, size, -z);
        }
        cr_expect_gt(step_at(integrator, -1.02 * integrator->stable, &stiffness), 1);
        looked++;
    }
    cr_expect_gt(looked, 0);
}

static struct trajectory *solve_by(struct solving *s, const char *integrator)
{
    s->request.integrator = integrator_find(integrator);
    cr_assert_not_null(s->request.integrator);
    return solve(s);
}

static void expect_the_same(struct solving *s, const char *other)
{
    struct trajectory *one = solve_by(s, "automatic"), *two = solve_by(s, other);
    const char *what = difference(one, two);
    cr_expect_null(what, "%s: %s", s->request.formulation->name, what);
    cr_expect_eq(one->implicit_steps, 0);
    trajectory_free(one);
    trajectory_free(two);
}

Test(stiff, what_is_not_stiff_stays_explicit_and_what_is_a_DAE_is_radaus)
{
    const struct { const char *formulation, *integrator; } made[] = {
        {"penalty", "verner98"}, {"index1", "verner98"}, {"baumgarte", "verner98"},
        {"index3", "radau"}, {"ggl", "radau"}};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        struct solving s;
        solving_of_case(&s, "five-bar", made[k].formulation);
        s.request.rtol = 1e-9;
        expect_the_same(&s, made[k].integrator);
        solving_end(&s);
    }
}

/* Every arc begins explicitly. */
Test(stiff, equations_that_turn_out_stiff_are_integrated_implicitly_until_an_event)
{
    char name[128];
    struct solving s;
    solving_of_desc(&s, &instrument, "ode");
    s.request.rtol = 1e-9;
    struct trajectory *got = solve_by(&s, "automatic");
    struct trajectory *again = solve_by(&s, "automatic");
    struct trajectory *implicit = solve_by(&s, "radau"), *slow = solve_by(&s, "verner98");
    cr_expect_eq(got->events, 2);
    cr_expect_geq(got->steps - got->implicit_steps, 15 * (1 + got->events));
    cr_expect_gt(got->implicit_steps, 0);
    cr_expect_lt(20 * got->steps, slow->steps, "%ld steps of %ld", got->steps,
                 slow->steps);
    cr_expect_eq(slow->implicit_steps, 0);
    cr_expect_eq(implicit->implicit_steps, 0);
    cr_expect_null(difference(got, again));
    double digits = digits_between(got, implicit, name, sizeof name);
    cr_expect_geq(digits, 11, "radau: %.1f digits in %s", digits, name);
    /* All the way at the limit of its stability, where steps are refused at random, it
       has 5.9 to 8.1 digits with tolerances from 0.95e-9 to 1.03e-9. */
    digits = digits_between(got, slow, name, sizeof name);
    cr_expect_geq(digits, 5.5, "verner98: %.1f digits in %s", digits, name);
    trajectory_free(got);
    trajectory_free(again);
    trajectory_free(implicit);
    trajectory_free(slow);
    solving_end(&s);
}

/* A projected formulation has no equations for an implicit method. */
Test(stiff, a_projected_formulation_stays_explicit)
{
    const char *const made[] = {"ode", "augmented"};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        struct solving s;
        solving_of_case(&s, "five-bar", made[k]);
        s.request.rtol = 1e-9;
        cr_assert_not_null(s.request.formulation->projection);
        expect_the_same(&s, "verner98");
        solving_end(&s);
    }
}
