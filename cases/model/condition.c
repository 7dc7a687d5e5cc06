/*
 * condition.c - condition number of the time of an event; see condition.h.
 */
#include "condition.h"

#include <math.h>

const double near_grazing = 1e4;

double event_condition(double R, double rate, double bend, double span)
{
    double speed = fabs(rate);
    if (!(speed > 0))
        return INFINITY;
    return fmax(1, R / speed * fmax(1 / span, fabs(bend) / speed));
}

double condition_digits(double condition)
{
    return 14 - log10(condition);
}
