/*
 * test_zeno.c - which sequences of events accumulate: those whose intervals have
 * a sum, and have shown it.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "accumulation.h"

TestSuite(accumulation);

/* The k-th interval, k = 1, 2, .. */
typedef double (*law)(int k);

static double geometric(int k) { return pow(0.95, k); }
static double settling(int k) { return pow(0.6, k) * (1 - 0.9 * pow(0.4, k)); }
static double harmonic(int k) { return 1.0 / k; }
static double square_root(int k) { return 1 / sqrt(k); }
static double logarithmic(int k) { return 1 / ((k + 1) * log(k + 1)); }
static double late_harmonic(int k) { return 1.0 / (k + 50); }

/* The limit that is claimed after so many events, from t = 1; NAN: none. *first: after
   how many events there is a claim for the first time, 0: never. */
static double limit_after(int events, law interval, int *first)
{
    const struct event wall = {.timed = false};
    struct accumulation accumulation = {.events = 0};
    double t = 1;
    *first = 0;
    for (int k = 1; k <= events; k++) {
        accumulation_note(&accumulation, &wall, t);
        if (*first == 0 && !isnan(accumulation_time(&accumulation)))
            *first = k;
        t += interval(k);
    }
    return accumulation_time(&accumulation);
}

Test(accumulation, intervals_of_one_ratio_end_at_their_sum)
{
    int first;
    cr_expect_float_eq(limit_after(60, geometric, &first), 1 + 0.95 / 0.05, 1e-9);
    cr_expect(first > 20 && first < 40, "claimed after %d events", first);
}

Test(accumulation, a_ratio_may_settle_first)
{
    int first;
    double sum = 1;
    for (int k = 1; k < 200; k++)
        sum += settling(k);
    cr_expect_float_eq(limit_after(30, settling, &first), sum, 1e-9);
    cr_expect(first > 6 && first < 20, "claimed after %d events", first);
}

/* They have no sum, however many there are. */
Test(accumulation, intervals_without_a_sum_never_accumulate)
{
    const struct { const char *name; law interval; } none[] = {
        {"1/k", harmonic}, {"1/(k + 50)", late_harmonic}, {"1/sqrt(k)", square_root},
        {"1/(k log k)", logarithmic}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        int first;
        limit_after(100000, none[i].interval, &first);
        cr_expect_eq(first, 0, "%s: claimed after %d events", none[i].name, first);
    }
}

/* The rest of a pattern that broke off does not count. */
static double broken(int k)
{
    return k < 12 ? pow(0.5, k) : pow(0.5, 11) * pow(0.9, k - 11);
}

Test(accumulation, a_pattern_begins_again_where_the_ratio_changes)
{
    int first;
    cr_expect_float_eq(limit_after(12, broken, &first), 2, 1e-9);
    cr_expect(isnan(limit_after(18, broken, &first)));
    cr_expect_float_eq(limit_after(40, broken, &first),
                       2 - pow(0.5, 11) + pow(0.5, 11) * 9, 1e-9);
}
