/*
 * test_integrate_norms.c - the error of a step, measured in packs, against the formula
 * evaluated group by group and number by number.
 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include "integrators/control.h"
#include "random_formulas.h"

enum { GROUPS = 7, MOST = 10 };

struct step {
    int groups, begin[GROUPS + 1], of[GROUPS];      /* of: the floor of each, or -1 */
    double share[GROUPS], rtol, atol;
    double start[GROUPS*MOST], end[GROUPS*MOST], e0[GROUPS*MOST], e1[GROUPS*MOST];
};

static struct step step_random(struct random *random)
{
    struct step step = { .groups = 1 + random_below(random, GROUPS), .rtol = 1e-6,
                         .atol = random_below(random, 2) ? 1e-9 : 0 };

    for (int g = 0; g < step.groups; g++) {
        double scale = pow(10, random_between(random, -3, 3));
        double far = random_below(random, 4) ? 1 : pow(10, random_between(random, 2, 6));

        step.begin[g + 1] = step.begin[g] + random_below(random, MOST + 1);
        step.of[g] = random_below(random, g + 1) - 1;
        step.share[g] = random_between(random, 0, 2);
        for (int n = step.begin[g]; n < step.begin[g + 1]; n++) {
            step.start[n] = scale*random_between(random, -1, 1);
            step.end[n] = far*scale*random_between(random, -1, 1);
            step.e0[n] = 1e-6*scale*random_between(random, -1, 1);
            step.e1[n] = 1e-4*scale*random_between(random, -1, 1);
        }
    }
    return step;
}

static double error_of(const struct step *step, const struct integrator *method)
{
    struct control control;
    double *const err[2] = { (double *)step->e0, (double *)step->e1 };

    cr_assert_eq(control_init(&control, step->rtol, step->atol, step->groups,
                              step->begin), OK);
    for (int g = 0; g < step->groups; g++)
        if (step->of[g] >= 0)
            control_floor(&control, g, step->of[g], step->share[g]);
    control_restart(&control, step->start);
    double error = control_error(&control, method, step->end, err);
    control_clear(&control);
    return error;
}

static double size_of(const struct step *step, const double *x, int g)
{
    double size = 0;

    for (int n = step->begin[g]; n < step->begin[g + 1]; n++)
        size = fmax(size, fabs(x[n]));
    return size;
}

/* The end counts up to a thousand times the start, if there is one. */
static double level_of(const struct step *step, int g)
{
    double start = size_of(step, step->start, g), end = size_of(step, step->end, g);
    double level = start > 0 ? fmax(start, fmin(end, 1000*start)) : end;
    int of = step->of[g];

    return of < 0 ? level : fmax(level, step->share[g]*level_of(step, of));
}

/* second: what the other error vector counts for */
static double by_formula(const struct step *step, double second)
{
    double worst = 0;

    for (int g = 0; g < step->groups; g++) {
        double unit = step->rtol*level_of(step, g) + step->atol;
        double first = size_of(step, step->e0, g)/unit;
        double other = second*size_of(step, step->e1, g)/unit;

        if (first > 0)
            worst = fmax(worst, first*first/hypot(first, other));
    }
    return worst;
}

static const struct { const char *name; double second; } methods[] = {
    { "rk87", 0 }, { "dop853", 0.1 },
};

Test(integrate_norms, an_error_in_packs_is_that_of_the_formula)
{
    struct random random = random_start();

    for (int k = 0; k < 3000; k++) {
        const struct step step = step_random(&random);
        int of = k%2;
        double expected = by_formula(&step, methods[of].second);
        double error = error_of(&step, integrator_find(methods[of].name));

        cr_assert(fabs(error - expected) <= 8*DBL_EPSILON*expected,
                  "%s, step %d of seed %llu: %.17g, not %.17g", methods[of].name, k,
                  random.seed, error, expected);
    }
}

Test(integrate_norms, one_number_that_is_not_finite_anywhere_makes_the_error_infinite)
{
    static const double wrong[] = { NAN, -NAN, INFINITY, -INFINITY };
    struct random random = random_start();

    for (int k = 0; k < 300; k++) {
        struct step step = step_random(&random);
        double *const vector[] = { step.end, step.e0, step.e1 };
        int last = step.begin[step.groups];
        const struct integrator *method = integrator_find("dop853");

        for (int i = 0; i < 3*last; i++) {
            double kept = vector[i%3][i/3];

            cr_assert_lt(error_of(&step, method), INFINITY);
            vector[i%3][i/3] = wrong[i%4];
            cr_assert(isinf(error_of(&step, method)), "%d of seed %llu", i, random.seed);
            vector[i%3][i/3] = kept;
        }
    }
}

/* In which all numbers, and their errors, are beyond reason. */
Test(integrate_norms, a_step_into_nonsense_does_not_excuse_its_errors)
{
    struct step step = { .groups = 2, .begin = { 0, 4, 8 }, .of = { -1, 0 }, .rtol = 1e-6,
                         .share = { 0, 1 } };

    for (int n = 0; n < 8; n++) {
        step.start[n] = n < 4;
        step.end[n] = 1e200;
        step.e0[n] = step.e1[n] = 1e190;
    }
    cr_assert_gt(error_of(&step, integrator_find("rk87")), 1e100);
    cr_assert_gt(error_of(&step, integrator_find("dop853")), 1e100);
}

Test(integrate_norms, numbers_whose_sum_is_too_large_are_finite)
{
    struct step step = { .groups = 1, .begin = { 0, 8 }, .of = { -1 }, .rtol = 1e-6 };

    for (int n = 0; n < 8; n++) {
        step.start[n] = step.end[n] = DBL_MAX;
        step.e0[n] = step.e1[n] = 1e-6*DBL_MAX;
    }
    cr_assert_float_eq(error_of(&step, integrator_find("rk87")), 1, 1e-14);
    cr_assert_float_eq(error_of(&step, integrator_find("dop853")), 1/sqrt(1.01), 1e-14);
}
