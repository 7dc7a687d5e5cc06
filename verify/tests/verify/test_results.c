/*
 * test_results.c - laws of results and of the digits they share.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "comparing.h"
#include "mechanisms/catalogue.h"
#include "quantity/results.h"

static void put(struct results *results, const char *name, const char *group, int point,
                double value)
{
    mpfr_set_d(results_add(results, name, group, point, point)->value, value, MPFR_RNDN);
}

/* Digits of one number of a quantity that was `scale` before. */
static double digits_of(double got, double want, double scale, double cap)
{
    struct results *a = results_new(53), *b = results_new(53);
    put(a, "q.y", "q", 0, scale);
    put(b, "q.y", "q", 0, scale);
    put(a, "q.y", "q", 1, got);
    put(b, "q.y", "q", 1, want);
    int count, missing;
    struct comparison *comparison = compare_to(a, b, cap, &count, &missing);
    cr_assert_eq(count, 2);
    cr_assert_eq(missing, 0);
    double digits = comparison[1].digits;
    free(comparison);
    results_free(a);
    results_free(b);
    return digits;
}

Test(results, digits_are_minus_the_logarithm_of_the_relative_error)
{
    cr_assert_float_eq(digits_of(1.001, 1.0, 0.0, 16), 3.0, 1e-9);
    cr_assert_float_eq(digits_of(-500.0, -499.5, 0.0, 16), -log10(0.5 / 499.5), 1e-9);
    cr_assert_float_eq(digits_of(1.0 + 0x1p-40, 1.0, 0.0, 16), 40 * log10(2), 1e-9);
}

Test(results, a_number_that_passes_zero_is_judged_by_what_it_has_been)
{
    cr_assert_float_eq(digits_of(1e-3, 1e-12, 10.0, 16), 4.0, 1e-6);
}

Test(results, digits_end_at_the_cap_and_never_fall_below_zero)
{
    cr_assert_eq(digits_of(1.0, 1.0, 0.0, 12), 12);
    cr_assert_eq(digits_of(1.0 + 0x1p-50, 1.0, 0.0, 12), 12);
    cr_assert_eq(digits_of(1e9, 1.0, 0.0, 12), 0);
}

Test(results, not_a_number_has_no_digit_and_judges_none)
{
    cr_assert(isnan(digits_of(NAN, NAN, 1.0, 15)));
    cr_assert_eq(digits_of(NAN, 1.0, 1.0, 15), 0);
    cr_assert(isnan(digits_of(1.0, NAN, 1.0, 15)));
    cr_assert_eq(digits_of(INFINITY, 1.0, 1.0, 15), 0);
}

Test(results, the_scale_grows_along_the_trajectory_and_never_looks_ahead)
{
    struct results *got = results_new(53), *want = results_new(53);
    const double speed[] = {1.0, 100.0, 1.0};
    for (int k = 0; k < 3; k++) {
        put(got, "v.x", "v", k, speed[k] + 1e-6);
        put(want, "v.x", "v", k, speed[k]);
    }
    int count, missing;
    struct comparison *comparison = compare_to(got, want, 16, &count, &missing);
    cr_assert_float_eq(comparison[0].digits, 6.0, 1e-6);
    cr_assert_float_eq(comparison[1].digits, 8.0, 1e-6);
    cr_assert_float_eq(comparison[2].digits, 8.0, 1e-6);
    cr_assert_float_eq(comparison[2].scale, 100.0, 1e-12);
    free(comparison);
    results_free(got);
    results_free(want);
}

Test(results, entries_that_are_missing_are_counted)
{
    struct results *got = results_new(53), *want = results_new(53);
    put(want, "q.x", "q", 0, 1.0);
    put(want, "event.1.t", "event.t", 1, 2.0);
    put(want, "q.x", "q", 2, 3.0);
    put(got, "q.x", "q", 0, 1.0);
    put(got, "q.x", "q", 1, 3.0);       /* another point: not the same entry */
    int count, missing;
    struct comparison *comparison = compare_to(got, want, 16, &count, &missing);
    cr_assert_eq(count, 1);
    cr_assert_eq(missing, 2);
    free(comparison);
    results_free(got);
    results_free(want);
}

Test(results, a_small_derivative_is_not_taken_for_zero)
{
    struct results *got = results_new(53), *want = results_new(53);
    put(got, "q.x", "q", 0, 1.0);
    put(want, "q.x", "q", 0, 1.0);
    put(got, "dq.x/dk", "dq/dk", 0, 1.001e-9);
    put(want, "dq.x/dk", "dq/dk", 0, 1e-9);
    int count, missing;
    struct comparison *comparison = compare_to(got, want, 16, &count, &missing);
    cr_assert_float_eq(comparison[1].digits, 3.0, 1e-3);
    free(comparison);
    results_free(got);
    results_free(want);
}

/* --- a trajectory made by hand ------------------------------------------------------ */

struct handmade {
    struct model *model;
    struct trajectory trajectory;
    struct run_point sample[2];
    struct event_record event[1];
    int parameter[1];
    double x[4][64], tau[1], psi[8];
};

/* bouncing-ball at t = 0 and t = 2 with one event at t = 1, differentiated by e. */
static void make_by_hand(struct handmade *made)
{
    struct diagnosis diagnosis;
    *made = (struct handmade){.model = model_new(case_find("bouncing-ball"), &diagnosis)};
    cr_assert_not_null(made->model);
    made->parameter[0] = model_parameter_index(made->model, "e");
    struct trajectory *trajectory = &made->trajectory;
    columns_init(&trajectory->columns, made->model, 1, made->parameter);
    cr_assert_leq(trajectory->columns.count, 64);
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < trajectory->columns.count; c++)
            made->x[k][c] = 100.0 * k + c;
    const struct mode *mode = made->model->mode[0];
    made->sample[0] = (struct run_point){mode, 0.0, made->x[0], NULL};
    made->event[0] = (struct event_record){
        .event = made->model->event[0], .tau = made->tau,
        .before = {mode, 1.0, made->x[1], NULL}, .after = {mode, 1.0, made->x[2], NULL}};
    made->tau[0] = 0.25;
    made->sample[1] = (struct run_point){mode, 2.0, made->x[3], NULL};
    trajectory->sample = made->sample;
    trajectory->event = made->event;
    trajectory->samples = 2;
    trajectory->events = 1;
    trajectory->psi = made->psi;
}

static const struct entry *entry_of(const struct results *results, const char *name,
                                    int point)
{
    for (int k = 0; k < results->count; k++)
        if (strcmp(results->entry[k].name, name) == 0 && results->entry[k].point == point)
            return &results->entry[k];
    return NULL;
}

static double value_of(const struct results *results, const char *name, int point)
{
    const struct entry *entry = entry_of(results, name, point);
    cr_assert_not_null(entry, "no %s at point %d", name, point);
    return mpfr_get_d(entry->value, MPFR_RNDN);
}

Test(results, a_trajectory_becomes_entries_in_order_of_time)
{
    struct handmade made;
    make_by_hand(&made);
    struct results *results = results_of_trajectory(&made.trajectory);
    const struct columns *columns = &made.trajectory.columns;
    int dv = column(columns, GROUP_V, 0, 0);

    cr_assert_eq(value_of(results, "q.y", 0), made.x[0][0]);
    cr_assert_eq(value_of(results, "event.1.t", 1), 1.0);
    cr_assert_eq(value_of(results, "event.1.dt/de", 1), 0.25);
    cr_assert_eq(value_of(results, "before.1.dv.y/de", 1), made.x[1][dv]);
    cr_assert_eq(value_of(results, "after.1.dv.y/de", 1), made.x[2][dv]);
    cr_assert_eq(value_of(results, "dv.y/de", 2), made.x[3][dv]);
    for (int k = 1; k < results->count; k++)
        cr_assert_geq(results->entry[k].point, results->entry[k - 1].point);
    cr_assert_not_null(entry_of(results, "psi.height", 3));
    cr_assert_not_null(entry_of(results, "dpsi.height/de", 3));
    results_free(results);
    model_free(made.model);
}

Test(results, sides_of_an_event_share_the_scale_of_the_samples)
{
    struct handmade made;
    make_by_hand(&made);
    struct results *results = results_of_trajectory(&made.trajectory);
    cr_assert_str_eq(entry_of(results, "after.1.dv.y/de", 1)->group, "dv/de");
    cr_assert_str_eq(entry_of(results, "dv.y/de", 0)->group, "dv/de");
    cr_assert_str_eq(entry_of(results, "event.1.dt/de", 1)->group, "dt/de");
    cr_assert_str_eq(entry_of(results, "z.height", 0)->group, "z.height");
    results_free(results);
    model_free(made.model);
}

Test(results, a_trajectory_agrees_with_itself_to_the_cap_and_not_with_a_changed_one)
{
    struct handmade made;
    make_by_hand(&made);
    struct results *want = results_of_trajectory(&made.trajectory);
    made.tau[0] *= 1.0 + 1e-6;
    struct results *got = results_of_trajectory(&made.trajectory);
    int count, missing, lower = 0;
    struct comparison *comparison = compare_to(got, want, 15, &count, &missing);
    cr_assert_eq(count, want->count);
    for (int k = 0; k < count; k++)
        if (comparison[k].digits < 15) {
            cr_assert_str_eq(comparison[k].want->name, "event.1.dt/de");
            cr_assert_float_eq(comparison[k].digits, 6.0, 1e-3);
            lower++;
        }
    cr_assert_eq(lower, 1);
    free(comparison);
    results_free(got);
    results_free(want);
    model_free(made.model);
}

Test(results, a_copy_has_all_of_every_entry_and_is_one_of_its_own)
{
    struct handmade made;
    make_by_hand(&made);
    struct results *results = results_of_trajectory(&made.trajectory);
    results->digits = 7;
    results->entry[1].spread = 3;
    struct results *copy = results_copy(results);
    cr_assert_eq(copy->count, results->count);
    cr_assert_eq(copy->precision, results->precision);
    cr_assert_eq(copy->digits, 7);
    for (int k = 0; k < copy->count; k++) {
        const struct entry *a = &copy->entry[k], *b = &results->entry[k];
        cr_assert_str_eq(a->name, b->name);
        cr_assert_str_eq(a->group, b->group);
        cr_assert(a->t == b->t && a->point == b->point && a->rho == b->rho &&
                  a->spread == b->spread && a->condition == b->condition);
        int equal = mpfr_equal_p(a->value, b->value);
        cr_assert(equal);
    }
    mpfr_set_d(copy->entry[0].value, 1e9, MPFR_RNDN);
    cr_assert_neq(mpfr_get_d(results->entry[0].value, MPFR_RNDN), 1e9);
    results_free(results);
    results_free(copy);
    model_free(made.model);
}
