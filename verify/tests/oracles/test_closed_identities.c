/*
 * test_closed_identities.c - closed forms keep what the mechanics keeps: energy, scales,
 * fixed points, and one pendulum in two descriptions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closed_forms.h"

static double entry_value(const struct results *results, const char *name)
{
    for (int k = 0; k < results->count; k++)
        if (strcmp(results->entry[k].name, name) == 0)
            return mpfr_get_d(results->entry[k].value, MPFR_RNDN);
    cr_assert(false, "no entry %s", name);
    return 0;
}

static double event_value(const struct results *results, const char *form, int event,
                          const char *what)
{
    char name[96];
    snprintf(name, sizeof name, "%s.%d.%s", form, event, what);
    return entry_value(results, name);
}

Test(closed, energy_is_kept_on_every_arc_and_lost_as_the_impact_says)
{
    struct solving s;
    solving_of_case(&s, "slack-rope", "index1");
    struct results *results = closed(&s);
    double g = 9.81, after = 36.0 / 2 + 9.0 / 2 - g * 0.6;
    for (int k = 1; k <= 3; k++) {
        double vx = event_value(results, "before", k, "v.x");
        double vy = event_value(results, "before", k, "v.y");
        double y = event_value(results, "before", k, "q.y");
        double x = event_value(results, "before", k, "q.x");
        double energy = (vx * vx + vy * vy) / 2 + g * y;
        cr_expect_float_eq(energy, after, 1e-13 * fabs(after), "before event %d", k);
        cr_expect_float_eq(event_value(results, "after", k, "q.x"), x, 1e-15);
        vx = event_value(results, "after", k, "v.x");
        vy = event_value(results, "after", k, "v.y");
        after = (vx * vx + vy * vy) / 2 + g * y;
        if (k != 2)     /* taut: no radial velocity is left; the rope has its length */
            cr_expect_float_eq(x * vx + y * vy, 0, 1e-14);
        cr_expect_float_eq(x * x + y * y, 1, 1e-15);
    }
    cr_expect_float_eq(event_value(results, "before", 2, "lambda.1"), 0, 1e-14);
    results_free(results);
    solving_end(&s);
}

Test(closed, the_two_pendulums_are_one)
{
    struct solving angle, circle;
    solving_of_case(&angle, "pendulum-stop", "ode");
    solving_of_case(&circle, "pendulum-wall", "index1");
    struct results *a = closed(&angle), *c = closed(&circle);
    for (int k = 1; k <= 4; k++) {
        double theta = event_value(a, "before", k, "q.th");
        cr_expect_float_eq(event_value(a, "event", k, "t"),
                           event_value(c, "event", k, "t"),
                           1e-15);
        cr_expect_float_eq(event_value(c, "before", k, "q.x"), sin(theta), 1e-15);
        cr_expect_float_eq(event_value(c, "event", k, "dt/de"),
                           event_value(a, "event", k, "dt/de"), 1e-14);
        cr_expect_float_eq(event_value(c, "event", k, "dt/dm"), 0, 1e-25);
    }
    results_free(a);
    results_free(c);
    solving_end(&angle);
    solving_end(&circle);
}

/* g by_g + L by_L, relative to 1 + |g by_g| */
static double homogeneity(double g, const struct entry *by_g, double L,
                          const struct entry *by_L)
{
    mpfr_t sum, size;
    mpfr_inits2(400, sum, size, (mpfr_ptr)NULL);
    mpfr_mul_d(size, by_g->value, g, MPFR_RNDN);
    mpfr_mul_d(sum, by_L->value, L, MPFR_RNDN);
    mpfr_add(sum, sum, size, MPFR_RNDN);
    mpfr_abs(size, size, MPFR_RNDN);
    mpfr_add_ui(size, size, 1, MPFR_RNDN);
    mpfr_div(sum, sum, size, MPFR_RNDN);
    double relative = fabs(mpfr_get_d(sum, MPFR_RNDN));
    mpfr_clears(sum, size, (mpfr_ptr)NULL);
    return relative;
}

/* Only g/L enters: g x_g + L x_L = 0 for every result, to the digits promised. */
Test(closed, of_a_pendulum_in_its_angle_only_the_ratio_of_g_and_L_matters)
{
    struct solving s;
    solving_of_case(&s, "pendulum-stop", "ode");
    struct results *results = closed(&s);
    double g = s.value[model_parameter_index(s.model, "g")];
    double L = s.value[model_parameter_index(s.model, "L")];
    int found = 0;
    for (int k = 0; k < results->count; k++) {
        const struct entry *by_g = &results->entry[k];
        const char *slash = strstr(by_g->name, "/dg");
        for (int i = k + 1; slash && slash[3] == '\0' && i < results->count; i++) {
            const struct entry *by_L = &results->entry[i];
            size_t length = (size_t)(slash - by_g->name);
            if (by_L->point != by_g->point || strncmp(by_g->name, by_L->name, length) != 0
                || strcmp(by_L->name + length, "/dL") != 0)
                continue;
            cr_expect_lt(homogeneity(g, by_g, L, by_L), 1e-58, "%s", by_g->name);
            found++;
        }
    }
    cr_expect_gt(found, 50);
    results_free(results);
    solving_end(&s);
}

/* Started on its limit cycle the wheel stays on it; the multiplier is cos^2 2 alpha. */
Test(closed, the_rimless_wheel_has_its_fixed_point_and_multiplier)
{
    struct solving s;
    solving_of_case(&s, "rimless-wheel", "ode");
    double g = 9.81, alpha = M_PI / 8, gamma = 0.08, c = cos(2 * alpha);
    double before = sqrt(4 * g * sin(alpha) * sin(gamma) / (1 - c * c));
    s.value[model_parameter_index(s.model, "w0")] = c * before;
    struct results *results = closed(&s);
    for (int k = 1; k <= 3; k++) {
        cr_expect_float_eq(event_value(results, "before", k, "v.th"), before, 1e-14);
        /* at the moving event: V + a tau */
        double moving = event_value(results, "after", k, "dv.th/dw0")
                        + event_value(results, "after", k, "a.th")
                          * event_value(results, "event", k, "dt/dw0");
        cr_expect_float_eq(moving, pow(c * c, k), 1e-13, "stride %d", k);
    }
    results_free(results);
    solving_end(&s);
}
