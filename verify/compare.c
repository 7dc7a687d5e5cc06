/*
 * compare.c - how many decimal digits two ledgers share, entry by entry.
 *
 * LRE = -log10(|got - want| / max(|want|, scale)). The scale of an entry is what its
 * group has been up to that point of the trajectory (ledger.h). Two sentences complete
 * the rule:
 *
 *   zero      A sensitivity that is exactly zero (dq/dm of a falling ball) is noise in
 *             any arithmetic, and digits of noise mean nothing. While the group in `want`
 *             has not risen above 10^-(D-3) of what it is compared with (D: digits that
 *             both arithmetics carry), a number of `got` below that, too, is judged
 *             against the largest magnitude that the group or its undifferentiated group
 *             has anywhere in `want`. A number of `got` above that has no digit right.
 *             Where `got` is meant to have D' digits only, that is 10^-D' for `got`.
 *   NaN       Two values that are not a number agree; one alone has no digit right.
 *
 * Digits are never below 0: a number without a right digit has none.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger.h"

struct group {
    const char *name;
    int value;              /* the group it is a derivative of; itself if it is none */
    double *want;           /* [points] largest magnitude in `want` up to the point */
};

struct groups {
    int count, room, points;
    struct group *group;
};

static int group_find(const struct groups *groups, const char *name)
{
    for (int g = 0; g < groups->count; g++)
        if (strcmp(groups->group[g].name, name) == 0)
            return g;
    return -1;
}

static int group_get(struct groups *groups, const char *name)
{
    int found = group_find(groups, name);
    if (found >= 0)
        return found;
    if (groups->count == groups->room) {
        groups->room = groups->room ? 2 * groups->room : 64;
        groups->group = realloc(groups->group,
                                (size_t)groups->room * sizeof(struct group));
    }
    struct group group = {.name = name, .value = groups->count,
                          .want = calloc((size_t)groups->points, sizeof(double))};
    if (!groups->group || !group.want)
        abort();
    groups->group[groups->count] = group;
    return groups->count++;
}

static void groups_clear(struct groups *groups)
{
    for (int g = 0; g < groups->count; g++)
        free(groups->group[g].want);
    free(groups->group);
}

/* "dq/dL01" is a derivative of "q", "dt/dL01" of "event.t", "dz.work/dL01" of
   "z.work". */
static void link_to_values(struct groups *groups)
{
    for (int g = 0; g < groups->count; g++) {
        const char *name = groups->group[g].name;
        const char *by = strstr(name, "/d");
        if (name[0] != 'd' || !by)
            continue;
        char value[64];
        snprintf(value, sizeof value, "%.*s", (int)(by - name - 1), name + 1);
        int of = group_find(groups, strcmp(value, "t") == 0 ? "event.t" : value);
        if (of >= 0)
            groups->group[g].value = of;
    }
}

static double magnitude(mpfr_srcptr value)
{
    return mpfr_number_p(value) ? fabs(mpfr_get_d(value, MPFR_RNDN)) : 0.0;
}

static void raise_to(double *largest, double value)
{
    if (value > *largest)
        *largest = value;
}

/* Fills the amplitudes; group_of[k] is the group of want->entry[k]. */
static void groups_measure(struct groups *groups, const struct ledger *want,
                           int *group_of)
{
    for (int k = 0; k < want->count; k++) {
        const struct entry *entry = &want->entry[k];
        int g = group_of[k] = group_get(groups, entry->group);
        raise_to(&groups->group[g].want[entry->point], magnitude(entry->value));
    }
    for (int g = 0; g < groups->count; g++)
        for (int k = 1; k < groups->points; k++)
            raise_to(&groups->group[g].want[k], groups->group[g].want[k - 1]);
    link_to_values(groups);
}

/* What a number is compared with to see whether it is noise. */
static double largest_at_all(const struct groups *groups, int g)
{
    const struct group *group = &groups->group[g];
    int last = groups->points - 1;
    return fmax(group->want[last], groups->group[group->value].want[last]);
}

static double scale_at(const struct groups *groups, int g, const struct entry *got,
                       double noise, double noise_of_got)
{
    const struct group *group = &groups->group[g];
    double reference = largest_at_all(groups, g);
    double so_far = group->want[got->point];
    bool zero = so_far <= noise * reference &&
                magnitude(got->value) <= noise_of_got * reference;
    return zero ? reference : so_far;
}

/* See struct verdict. What is zero in truth has none: its scale is one of noise, and a
   number above it is wrong. */
static double condition_at(const struct groups *groups, int g, const struct entry *got,
                           const struct entry *want, double scale, double noise)
{
    const struct group *group = &groups->group[g];
    if (scale <= noise * largest_at_all(groups, g))
        return 1;
    double size = fmax(magnitude(want->value), scale);
    double condition = size > 0 ? fmax(1, want->spread / size) : 1;
    condition = fmax(condition, want->condition > 0 ? want->condition : got->condition);
    if (group->value == g || got->rho <= 0 || scale <= 0)
        return condition;
    double value = groups->group[group->value].want[got->point];
    return fmax(condition, value / (got->rho * scale));
}

/* Of the logarithm no more than a double is wanted, whatever the numbers carry. */
enum { LOG_BITS = 64 };

static double digits_shared(mpfr_srcptr got, mpfr_srcptr want, double scale, double cap)
{
    if (mpfr_nan_p(got) || mpfr_nan_p(want))
        return mpfr_nan_p(got) && mpfr_nan_p(want) ? cap : 0.0;
    if (mpfr_equal_p(got, want))
        return cap;
    if (!mpfr_number_p(got) || !mpfr_number_p(want))
        return 0.0;

    mpfr_prec_t a = mpfr_get_prec(got), b = mpfr_get_prec(want);
    mpfr_t error, size, ratio;
    mpfr_init2(error, (a > b ? a : b) + 64);
    mpfr_init2(size, (a > b ? a : b) + 64);
    mpfr_init2(ratio, LOG_BITS);
    mpfr_abs(size, want, MPFR_RNDN);
    if (mpfr_cmp_d(size, scale) < 0)
        mpfr_set_d(size, scale, MPFR_RNDN);
    mpfr_sub(error, got, want, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
    mpfr_div(ratio, error, size, MPFR_RNDN);    /* x / 0 = Inf: no digits */
    mpfr_log10(ratio, ratio, MPFR_RNDN);
    double digits = -mpfr_get_d(ratio, MPFR_RNDN);
    mpfr_clear(error);
    mpfr_clear(size);
    mpfr_clear(ratio);
    return digits > cap ? cap : digits > 0.0 ? digits : 0.0;
}

/* Both ledgers have the same order, so the search starts where the last one ended. */
static const struct entry *find_entry(const struct ledger *ledger,
                                      const struct entry *like, int *from)
{
    for (int k = 0; k < ledger->count; k++) {
        int here = (*from + k) % ledger->count;
        const struct entry *entry = &ledger->entry[here];
        if (entry->point != like->point || strcmp(entry->name, like->name) != 0)
            continue;
        *from = (here + 1) % ledger->count;
        return entry;
    }
    return NULL;
}

static int count_points(const struct ledger *ledger)
{
    int points = 0;
    for (int k = 0; k < ledger->count; k++)
        if (ledger->entry[k].point >= points)
            points = ledger->entry[k].point + 1;
    return points;
}

struct verdict *ledger_compare(const struct ledger *got, const struct ledger *want,
                               double cap, int *count, int *missing)
{
    struct groups groups = {.points = count_points(want)};
    struct verdict *verdict = calloc((size_t)want->count + 1, sizeof *verdict);
    int *group_of = calloc((size_t)want->count + 1, sizeof *group_of);
    if (!verdict || !group_of)
        abort();
    groups_measure(&groups, want, group_of);

    double carried = fmin(cap, (double)got->precision * log10(2.0));
    double noise = pow(10.0, -(carried - 3.0));
    double noise_of_got = got->meant > 0 ? fmax(noise, pow(10.0, -got->meant)) : noise;
    int from = 0;
    *count = *missing = 0;
    for (int k = 0; k < want->count; k++) {
        const struct entry *target = &want->entry[k];
        const struct entry *found = find_entry(got, target, &from);
        if (!found) {
            ++*missing;
            continue;
        }
        double scale = scale_at(&groups, group_of[k], found, noise,
                                noise_of_got);
        verdict[(*count)++] = (struct verdict){
            found, target, scale, digits_shared(found->value, target->value, scale, cap),
            condition_at(&groups, group_of[k], found, target, scale, noise)};
    }
    groups_clear(&groups);
    free(group_of);
    return verdict;
}
