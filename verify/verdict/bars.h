/*
 * bars.h - how many digits are asked for: derived from how a number was made and from
 * what its oracle knows, the same for every case.
 *
 *     bar = min(made, judge) - margin - log10(condition)
 *
 * made        -log10 of the relative error that the solver of the numbers allowed itself,
 *             times the share of it that a DAE leaves (below), at most what a double
 *             holds
 * judge       the digits of the oracle
 * margin      two digits: a hundred steps each with an error of the tolerance
 * condition   how much errors of the data are magnified, by the oracle (scales.h)
 *
 * A DAE loses orders (Hairer, Lubich, Roche 1989). In index 3 v has been differentiated
 * once: by a method of order p and a tolerance of h^p, v has h^(p - 1), and the share is
 * (p - 1) / p, for all that is made of v, too, a and lambda solved at (q, v) among them.
 * The own a and lambda of a method of s stages, p = 2 s - 1, are collocated: h^s in index
 * 2, h^(s - 1) in index 3. The error that the method estimates, and holds to the
 * tolerance, is of order s + 1: the shares are s / (s + 1) and (s - 1) / (s + 1).
 *
 * Through a configuration in which constraints become dependent the noise of the
 * multipliers grows with its inverse distance: a solver gets across where that noise
 * meets the tolerance, and half of the digits are left, without a margin (class
 * "singular"). A row with such bars says that the solution gets across, no more.
 *
 * The digits that were reached beyond, case by case, are no bar but a record:
 * `saltus regress`.
 */
#ifndef SALTUS_BARS_H
#define SALTUS_BARS_H

#include <stdbool.h>

#include "quantity/quantity.h"

/* How numbers were made; set before they are judged. */
struct made {
    double digits;      /* -log10 of the relative error that was allowed for; INFINITY:
                           the bar depends on the oracle alone */
    double floor;       /* absolute error that was allowed for, over the relative one */
    int order, index;   /* order of the method, index >= 2 of the DAE; else 0 */
    bool differenced;   /* the oracle is two runs, 10^(-digits/2) to either side: their
                           difference misses a derivative by the third one, their mean a
                           value by the second, which grow like as many powers of the
                           condition */
    bool singular;      /* the motion crosses singular configurations */
};

/* No number is judged below this bar: an error of a per cent is not told from a wrong
   term. */
extern const double bar_least;

/* No double can have more digits than these, less those that its condition costs. */
extern const double all_of_double;

/* The digits asked of this quantity by an oracle of `judge` digits. */
double bar_digits(const struct made *made, const struct quantity *quantity, double judge,
                  double condition);

#endif
