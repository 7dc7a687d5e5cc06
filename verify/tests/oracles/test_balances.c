/*
 * test_balances.c - laws that cases state beside their equations (balances.h): they hold
 * on certified values, and what they are to see they see.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "certificates/certificate.h"
#include "mechanisms/catalogue.h"
#include "motion/reference_motion.h"
#include "oracles/balances.h"

TestSuite(balances);

/* --- the catalogue ------------------------------------------------------------------ */

/* The certified exact motion of a case; NULL where there is none, or a refusal. */
static struct certificate *certified(const struct model *model)
{
    static const struct truth exact = {.variant = "exact"};
    struct certificate *certificate = NULL;
    char path[4096];
    if (!certified_path(model, &exact, path, sizeof path) ||
        certificate_read(path, model, &certificate, NULL) != OK)
        return NULL;
    if (certificate->refusal.status == OK)
        return certificate;
    certificate_free(certificate);
    return NULL;
}

static bool states_laws(const struct model *model)
{
    int laws = 0;
    for (int k = 0; k < model->modes; k++)
        laws += model->mode[k]->power.tape != NULL;
    for (int k = 0; k < model->events; k++)
        laws += model->event[k]->balances;
    return laws > 0;
}

typedef void on_motion(const struct model *model, struct certificate *certificate);

static int of_all(on_motion *check)
{
    int cases = 0;
    for (int k = 0; catalogue[k]; k++) {
        struct model *model = model_new(catalogue[k], NULL);
        struct certificate *certificate = states_laws(model) ? certified(model) : NULL;
        if (certificate) {
            check(model, certificate);
            cases++;
        }
        certificate_free(certificate);
        model_free(model);
    }
    return cases;
}

/* The worst gap of the laws whose names end so. */
static double worst_gap(const struct model *model, const struct mp_trajectory *motion,
                        const char *suffix)
{
    int count;
    double worst = 0;
    struct balance_found *found = balances_find(model, motion, &count);
    for (int k = 0; k < count; k++) {
        size_t length = strlen(found[k].name), end = strlen(suffix);
        if (length >= end && strcmp(found[k].name + length - end, suffix) == 0)
            worst = fmax(worst, found[k].worst);
    }
    free(found);
    return worst;
}

static void expect_laws(const struct model *model, struct certificate *certificate)
{
    double worst = worst_gap(model, certificate->trajectory, "");
    cr_expect_lt(worst, pow(10, 5 - certificate->agreed), "%s: %.3g", model->desc->name,
                 worst);
}

Test(balances, hold_on_all_certified_motions)
{
    cr_expect_geq(of_all(expect_laws), 5);
}

/* --- what they see ------------------------------------------------------------------ */

static const double seen = 1e-9;

static bool same_point(const struct mp_point *a, const struct mp_point *b, int states)
{
    bool same = mpfr_equal_p(a->t, b->t);
    for (int x = 0; same && x < states; x++)
        same = mpfr_equal_p(a->x[x], b->x[x]);
    return same;
}

/* Certified values do not say which events come together, but these share both points. */
static bool is_alone(const struct mp_trajectory *motion, int k)
{
    int states = motion->columns.begin[GROUP_A];
    const struct mp_event *at = &motion->event[k];
    for (int i = k - 1; i <= k + 1; i += 2)
        if (i >= 0 && i < motion->events &&
            same_point(&motion->event[i].before, &at->before, states) &&
            same_point(&motion->event[i].after, &at->after, states))
            return false;
    return true;
}

/* Component x after the event times a factor, wherever the event changes it; does it? */
static bool multiply_after(struct mp_trajectory *motion, const struct event *event, int x,
                           double factor)
{
    bool any = false;
    for (int k = 0; k < motion->events; k++) {
        struct mp_event *at = &motion->event[k];
        if (at->event != event || !is_alone(motion, k) ||
            mpfr_equal_p(at->before.x[x], at->after.x[x]))
            continue;
        any = any || !mpfr_zero_p(at->after.x[x]);
        mpfr_mul_d(at->after.x[x], at->after.x[x], factor, MPFR_RNDN);
    }
    return any;
}

/* Twice the number, or the wrong sign. */
static void expect_seen_after(const struct model *model, struct mp_trajectory *motion,
                              const struct event *event, int x)
{
    static const double wrong[] = {2, -1};
    char suffix[120], name[80];
    snprintf(suffix, sizeof suffix, " at %.40s", event->name);
    column_name(&motion->columns, x, name, sizeof name);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        bool any = multiply_after(motion, event, x, wrong[k]);
        double gap = worst_gap(model, motion, suffix);
        cr_expect(!any || gap > seen, "%s, %s: %g times %s after it is not seen",
                  model->desc->name, event->name, wrong[k], name);
        multiply_after(motion, event, x, 1 / wrong[k]);
    }
}

static void expect_resets_seen(const struct model *model, struct certificate *certificate)
{
    struct mp_trajectory *motion = certificate->trajectory;
    for (int e = 0; e < model->events; e++)
        for (int x = 0; model->event[e]->balances > 0 &&
                        x < motion->columns.begin[GROUP_A]; x++)
            expect_seen_after(model, motion, model->event[e], x);
}

Test(balances, of_an_event_see_every_number_that_it_changes)
{
    cr_expect_geq(of_all(expect_resets_seen), 5);
}

static void expect_nothing_held(const struct model *model,
                                struct certificate *certificate)
{
    struct mp_trajectory *motion = certificate->trajectory;
    for (int k = 0; k < motion->events; k++)
        for (int x = 0; x < motion->columns.begin[GROUP_A]; x++)
            mpfr_set_nan(motion->event[k].after.x[x]);
    double worst = worst_gap(model, motion, "");
    cr_expect(motion->events == 0 || worst > 1, "%s: %g", model->desc->name, worst);
}

Test(balances, of_what_is_not_a_number_do_not_hold)
{
    cr_expect_geq(of_all(expect_nothing_held), 5);
}

/* Acceleration i times a factor in all samples of a mode where the coordinate moves. */
static bool multiply_acceleration(struct mp_trajectory *motion, const struct mode *mode,
                                  int i, double factor)
{
    bool any = false;
    const int *begin = motion->columns.begin;
    for (int k = 0; k < motion->samples; k++) {
        struct mp_point *point = &motion->sample[k];
        mpfr_ptr a = point->x[begin[GROUP_A] + i];
        double v = mpfr_get_d(point->x[begin[GROUP_V] + i], MPFR_RNDN);
        if (point->mode != mode || fabs(v) < seen)
            continue;
        any = any || !mpfr_zero_p(a);
        mpfr_mul_d(a, a, factor, MPFR_RNDN);
    }
    return any;
}

static void expect_accelerations_seen(const struct model *model,
                                      struct certificate *certificate)
{
    struct mp_trajectory *motion = certificate->trajectory;
    for (int k = 0; k < model->modes; k++) {
        char name[120];
        const struct mode *mode = model->mode[k];
        snprintf(name, sizeof name, "power of %.80s", mode->name);
        for (int i = 0; mode->power.tape && i < model->n; i++) {
            bool any = multiply_acceleration(motion, mode, i, 2);
            double gap = worst_gap(model, motion, name);
            cr_expect(!any || gap > seen, "%s, %s: twice the acceleration of %s is not "
                      "seen", model->desc->name, name, model->coordinate[i]);
            multiply_acceleration(motion, mode, i, 0.5);
        }
    }
}

/* And with it every force and every inertia of a coordinate that moves. */
Test(balances, of_power_see_every_acceleration)
{
    cr_expect_geq(of_all(expect_accelerations_seen), 3);
}
