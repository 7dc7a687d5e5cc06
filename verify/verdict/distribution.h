/*
 * distribution.h - how many numbers have how many digits.
 */
#ifndef SALTUS_DISTRIBUTION_H
#define SALTUS_DISTRIBUTION_H

#include <stdbool.h>

/* Bins of a tenth of a digit: bin k counts digits from k/10 up to, not including, (k +
   1)/10; the last bin counts all beyond. */
enum { BINS_PER_DIGIT = 10, BINNED_DIGITS = 80,
       DIGIT_BINS = BINS_PER_DIGIT * BINNED_DIGITS + 1 };

struct distribution {
    int numbers;
    int at_cap;             /* numbers without a difference that the oracle could show: in
                               no bin */
    int bin[DIGIT_BINS];
};

void distribution_add(struct distribution *d, double digits, bool at_cap);
void distribution_join(struct distribution *sum, const struct distribution *part);

/*
 * The digits that all but a fraction (0..1) of the numbers have at least: the sorted
 * digits have them at rank ceil(fraction numbers), rounded down to a tenth. INFINITY
 * where that number is at the cap, NAN when there are no numbers.
 */
double distribution_quantile(const struct distribution *d, double fraction);

/* The number of those below the cap that have from `whole` digits up to, not including,
   whole + 1. */
int distribution_between(const struct distribution *d, int whole);

#endif
