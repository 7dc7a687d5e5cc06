/*
 * comparison.c - the decimal digits that two results share, entry by entry (log relative
 * error).
 *
 * LRE = -log10(|got - want| / max(|want|, size)), with the size and the condition number
 * of each quantity by itself, as `want` has them (scales.h). A `want` that is not
 * a number judges nothing; a `got` that is none has no digit. Digits are never below 0: a
 * number without a right digit has none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic/mp.h"
#include "base/memory.h"
#include "quantity/results.h"
#include "quantity/scales.h"

/* size: log2 of what digits count against, if it is more than `want`. */
static double digits_shared(mpfr_srcptr got, mpfr_srcptr want, double size, double cap)
{
    if (mpfr_nan_p(want))
        return NAN;
    if (mpfr_equal_p(got, want))
        return cap;
    if (!mpfr_number_p(got) || !mpfr_number_p(want))
        return 0.0;

    mpfr_prec_t a = mpfr_get_prec(got), b = mpfr_get_prec(want);
    mpfr_t error;
    mpfr_init2(error, (a > b ? a : b) + 64);
    mpfr_sub(error, got, want, MPFR_RNDN);
    double digits = (fmax(mp_log2(want), size) - mp_log2(error)) * MP_DIGITS_PER_BIT;
    mpfr_clear(error);
    return digits > cap ? cap : digits > 0.0 ? digits : 0.0;
}

/* The results on both sides have one order, so the search starts where the last one
   ended. */
static const struct entry *find_entry(const struct results *results,
                                      const struct entry *like, int *from)
{
    for (int k = 0; k < results->count; k++) {
        int here = (*from + k) % results->count;
        const struct entry *entry = &results->entry[here];
        if (entry->point != like->point || strcmp(entry->name, like->name) != 0)
            continue;
        *from = (here + 1) % results->count;
        return entry;
    }
    return NULL;
}

/* Sets the entry of `got` for each entry of `want`, NULL: there is none; and the size of
   the parameter that a derivative is by, which either side may know. Returns the number
   of entries found. */
static int find_all(const struct results *got, const struct results *want,
                    const struct entry **found, double *rho)
{
    int from = 0, count = 0;
    for (int k = 0; k < want->count; k++) {
        found[k] = find_entry(got, &want->entry[k], &from);
        rho[k] = found[k] ? fmax(found[k]->rho, want->entry[k].rho) : want->entry[k].rho;
        count += found[k] != NULL;
    }
    return count;
}

/* Has `known` the entries of `want`? */
static bool same_entries(const struct results *known, const struct results *want)
{
    bool same = known != NULL && known->count == want->count;
    for (int k = 0; same && k < want->count; k++)
        same = known->entry[k].point == want->entry[k].point &&
               strcmp(known->entry[k].name, want->entry[k].name) == 0;
    return same;
}

struct comparison *results_compare(const struct results *got, const struct results *want,
                               const struct comparing *how, int *count, int *missing)
{
    const struct entry **found = memory_new(want->count, sizeof *found);
    double *rho = memory_new(want->count, sizeof *rho);
    struct comparison *comparison = memory_new(want->count, sizeof *comparison);
    const struct results *known = same_entries(how->known, want) ? how->known : want;
    int there = find_all(got, want, found, rho);
    double digits = known->digits > 0 ? known->digits
                                      : (double)known->precision * log10(2.0);
    if (known == want)
        digits = fmin(digits, how->cap);
    struct scale *scale = scales_of(known, rho, how->floor, digits);

    *count = 0;
    *missing = want->count - there;
    for (int k = 0; k < want->count; k++)
        if (found[k] && !want->entry[k].unjudged)
            comparison[(*count)++] = (struct comparison){
                found[k], &want->entry[k], exp2(scale[k].size),
                digits_shared(found[k]->value, want->entry[k].value, scale[k].size,
                              how->cap),
                scale[k].condition};
    free(scale);
    free(found);
    free(rho);
    return comparison;
}
