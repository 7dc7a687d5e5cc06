/*
 * bars.c - digits asked for, from tolerance, order, index and condition (bars.h)
 */
#include "verdict/bars.h"

#include <math.h>

const double bar_least = 2;

static const double margin = 2;
const double all_of_double = 17;
/* The digits that a few operations leave of the 16 of a double. */
static const double most_of_double = 15;

/* The share of the digits that a DAE leaves of a quantity (bars.h). */
static double share(const struct made *made, const struct quantity *quantity)
{
    int stages = (made->order + 1) / 2;
    if (made->order == 0)
        return 1;
    if (quantity->kind == QUANTITY_STAGE)
        return (double)(stages + 2 - made->index) / (stages + 1);
    bool of_q = !is_derivative(quantity) &&
                (quantity->kind == QUANTITY_Q || quantity->kind == QUANTITY_TIME);
    return made->index < 3 || of_q ? 1 : (double)(made->order - 1) / made->order;
}

double bar_digits(const struct made *made, const struct quantity *quantity, double judge,
                  double condition)
{
    double digits = made->digits * share(made, quantity);
    if (judge < 2 * most_of_double)
        digits = fmin(digits, most_of_double);
    if (made->singular)
        return fmin(digits / 2, judge) - log10(condition);
    int derivatives = !made->differenced ? 1 : is_derivative(quantity) ? 3 : 2;
    return fmin(digits, judge) - margin - derivatives * log10(condition);
}
