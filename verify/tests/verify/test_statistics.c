/*
 * test_statistics.c - how the digits of a row are distributed, and what is told of it.
 */
#include <math.h>

#include "parsing.h"
#include "tables/report.h"
#include "verdict/distribution.h"
#include "verdict/row_status.h"

/* --- distributions ------------------------------------------------------------------ */

static struct distribution of(const double *digits, int count, double cap)
{
    struct distribution d = {.numbers = 0};
    for (int k = 0; k < count; k++)
        distribution_add(&d, fmin(digits[k], cap), digits[k] >= cap);
    return d;
}

static int ascending(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* By sorting, which a row has no memory for; tenths exactly, so that nothing is lost. */
Test(distribution, a_quantile_is_the_sorted_number_of_that_rank)
{
    enum { COUNT = 997 };
    double digits[COUNT];
    unsigned seed = 20261121;
    cr_log_info("seed %u", seed);
    for (int k = 0; k < COUNT; k++) {
        seed = seed * 1664525u + 1013904223u;
        digits[k] = (seed >> 16) % 160 / 10.0;
    }
    struct distribution d = of(digits, COUNT, 1e9);
    qsort(digits, COUNT, sizeof *digits, ascending);
    for (int percent = 1; percent <= 100; percent++) {
        int rank = (int)ceil(percent / 100.0 * COUNT);
        cr_assert_float_eq(distribution_quantile(&d, percent / 100.0), digits[rank - 1],
                           1e-12, "%d %%, seed 20261121", percent);
    }
}

Test(distribution, digits_are_rounded_down_to_a_tenth)
{
    static const double exact[] = {9.3, 0.0, 15.95, 7.999, 79.95, 80.0, 500.0};
    static const double told[] = {9.3, 0.0, 15.9, 7.9, 79.9, 80.0, 80.0};
    for (size_t k = 0; k < sizeof exact / sizeof *exact; k++) {
        struct distribution d = of(&exact[k], 1, 1e9);
        cr_expect_float_eq(distribution_quantile(&d, 0.5), told[k], 1e-12, "%g",
                           exact[k]);
    }
}

Test(distribution, numbers_at_the_cap_are_in_no_bin)
{
    static const double digits[] = {3.2, 15.95, 40.0, 3.7, 15.94};
    struct distribution d = of(digits, 5, 15.95);
    cr_assert_eq(d.numbers, 5);
    cr_assert_eq(d.at_cap, 2);
    cr_assert_eq(distribution_between(&d, 3), 2);
    cr_assert_eq(distribution_between(&d, 15), 1);
    cr_assert_float_eq(distribution_quantile(&d, 0.6), 15.9, 1e-12);
    cr_assert(isinf(distribution_quantile(&d, 0.61)));
    struct distribution none = of(digits, 0, 15.95);
    cr_assert(isnan(distribution_quantile(&none, 0.5)));
}

Test(distribution, joined_ones_count_what_both_counted)
{
    static const double a[] = {1, 2, 3, 20}, b[] = {2.5, 2.51, 9};
    struct distribution sum = of(a, 4, 15), part = of(b, 3, 9);
    distribution_join(&sum, &part);
    cr_assert_eq(sum.numbers, 7);
    cr_assert_eq(sum.at_cap, 2);
    cr_assert_eq(distribution_between(&sum, 2), 3);
}

/* --- rows --------------------------------------------------------------------------- */

/* q.x at t = 0, 1, ..., off by `error` each (relative to 1). */
static struct results *results_with(const double *error, int count)
{
    struct results *results = results_new(53);
    for (int k = 0; k < count; k++)
        mpfr_set_d(results_add(results, "q.x", "q", k, k)->value, 1.0 + error[k],
                   MPFR_RNDN);
    return results;
}

Test(statistics, every_number_of_a_row_is_in_its_distribution_and_the_worst_is_named)
{
    static const double zero[] = {0, 0, 0, 0}, error[] = {1e-12, 1e-3, 0, 1e-7};
    struct rows rows = {.digits = 2};
    struct results *got = results_with(error, 4), *want = results_with(zero, 4);
    struct row *row = rows_add(&rows, ROW_JUDGED, "five-bar", "ode", "complex-step");
    row_compare(&rows, row, got, want, 15.95);
    cr_assert_eq(row->distribution.numbers, row->numbers);
    cr_assert_eq(row->distribution.at_cap, 1);
    cr_assert_eq(row->kinds, 1);
    cr_assert_str_eq(row->by_kind[0].quantity, "q.x");
    cr_assert_eq(row->by_kind[0].t, 1.0);
    cr_assert_float_eq(row->by_kind[0].digits, 3.0, 1e-9);
    cr_assert_float_eq(row_quantile(row, 0.25), 2.9, 0.11);
    cr_assert_float_eq(row_quantile(row, 1.0), 15.95, 1e-12);
    results_free(got);
    results_free(want);
    rows_clear(&rows);
}

TestSuite(statistics, .init = make_folder, .fini = remove_folder, .timeout = 300);

static const cJSON *item(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool same_text(const cJSON *a, const cJSON *b, const char *name)
{
    const char *p = cJSON_GetStringValue(item(a, name));
    const char *q = cJSON_GetStringValue(item(b, name));
    return p && q && strcmp(p, q) == 0;
}

/* What the verdicts of one row say, number by number. */
static void recount(const cJSON *verdicts, const cJSON *row, int *numbers, double *least)
{
    const cJSON *verdict;
    *numbers = 0;
    *least = INFINITY;
    cJSON_ArrayForEach(verdict, verdicts) {
        if (!same_text(verdict, row, "case") || !same_text(verdict, row, "formulation") ||
            !same_text(verdict, row, "oracle"))
            continue;
        ++*numbers;
        *least = fmin(*least, cJSON_GetNumberValue(item(verdict, "digits")));
    }
}

Test(statistics, in_json_are_those_of_the_numbers_beside_them)
{
    cr_assert_eq(run_command("verify bouncing-ball --json x.json"), HELD);
    cJSON *root = json_of("x.json");
    const cJSON *row, *list = item(root, "statistics");
    cr_assert_eq(cJSON_GetArraySize(list), 14);
    cJSON_ArrayForEach(row, list) {
        int numbers;
        double least;
        recount(item(root, "verdicts"), row, &numbers, &least);
        cr_expect_eq(cJSON_GetNumberValue(item(row, "numbers")), numbers);
        cr_expect_eq(cJSON_GetNumberValue(item(row, "least")), least);
        cr_expect_leq(cJSON_GetNumberValue(item(row, "q01")),
                      cJSON_GetNumberValue(item(row, "median")));
        bool along = strcmp(cJSON_GetStringValue(item(row, "oracle")),
                            "mpfr-difference") == 0;
        cr_expect_eq(item(row, "seed") != NULL, along);
    }
    cJSON_Delete(root);
}

Test(statistics, table_names_oracle_cap_worst_quantity_and_seed)
{
    const char *const said[] = {
        "judged by        numbers  least", "seed 1", "  at cap ", "Nearest to its bar",
        "no difference in 15.95 digits", "14 rows passed",
    };
    cr_assert_eq(run_command("verify bouncing-ball --statistics"), HELD);
    char *out = contents("out");
    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        cr_expect_not_null(strstr(out, said[k]), "no '%s' in\n%s", said[k], out);
    free(out);
    expect_complaint("verify --matrix --statistics bouncing-ball", USAGE, "--statistics");
}
