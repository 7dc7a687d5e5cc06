/*
 * distribution.c - a histogram of digits and its quantiles (distribution.h)
 */
#include "verdict/distribution.h"

#include <math.h>

/* 9.3 is a little less than 9.3 in binary: without the allowance it would be 9.2. */
static int bin_of(double digits)
{
    double tenths = floor(digits * BINS_PER_DIGIT + 1e-9);
    if (!(tenths > 0.0))
        return 0;
    return tenths < DIGIT_BINS - 1 ? (int)tenths : DIGIT_BINS - 1;
}

void distribution_add(struct distribution *d, double digits, bool at_cap)
{
    d->numbers++;
    if (at_cap)
        d->at_cap++;
    else
        d->bin[bin_of(digits)]++;
}

void distribution_join(struct distribution *sum, const struct distribution *part)
{
    sum->numbers += part->numbers;
    sum->at_cap += part->at_cap;
    for (int k = 0; k < DIGIT_BINS; k++)
        sum->bin[k] += part->bin[k];
}

double distribution_quantile(const struct distribution *d, double fraction)
{
    double rank = fmax(1.0, ceil(fraction * d->numbers));
    int below = 0;
    for (int k = 0; k < DIGIT_BINS; k++) {
        below += d->bin[k];
        if (below >= rank)
            return (double)k / BINS_PER_DIGIT;
    }
    return d->numbers > 0 ? INFINITY : NAN;
}

int distribution_between(const struct distribution *d, int whole)
{
    int from = whole * BINS_PER_DIGIT, sum = 0;
    for (int k = from; k < from + BINS_PER_DIGIT && k < DIGIT_BINS; k++)
        sum += d->bin[k];
    return sum;
}
