/*
 * match.c - how numbers are compared (match.h)
 */
#include "papers/match.h"

#include <math.h>

/* --- numbers beside numbers --------------------------------------------------------- */

void match_add(struct match *match, const double *got, const double *want, int count)
{
    for (int i = 0; i < count; i++) {
        if (isnan(want[i]))
            continue;
        double error = isnan(got[i]) ? INFINITY : fabs(got[i] - want[i]);
        match->error = fmax(match->error, error);
        match->size = fmax(match->size, fabs(want[i]));
    }
}

void match_add_columns(struct match *match, const struct trajectory *got,
                       const struct trajectory *want, enum column_group group,
                       bool derivatives)
{
    const struct columns *columns = &want->columns;
    int width = columns->begin[group + 1] - columns->begin[group];
    int first = derivatives ? 0 : -1, end = derivatives ? columns->p : 0;
    for (int k = 0; k < want->samples; k++)
        for (int j = first; j < end; j++)
            match_add(match, got->sample[k].x + column(&got->columns, group, 0, j),
                      want->sample[k].x + column(columns, group, 0, j), width);
}

double match_relative(const struct match *match)
{
    return match->error / match->size;
}

double match_digits(const struct match *match)
{
    return error_digits(match->error, fmax(match->size, 1e-3));
}

double error_digits(double error, double size)
{
    if (error == 0)
        return 16;
    return error <= size ? fmin(-log10(error / size), 16) : 0;
}

double number_digits(double got, double want)
{
    return error_digits(fabs(got - want), fabs(want));
}

double array_digits(const double *got, const double *want, int count)
{
    struct match match = {0};
    match_add(&match, got, want, count);
    return error_digits(match.error, match.size);
}

/* --- sizes and orders --------------------------------------------------------------- */

double largest_size(const double *x, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

double least_of(const double *x, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        least = fmin(least, x[i]);
    return least;
}

double observed_order(double first, double second, double factor)
{
    return log(first / second) / log(factor);
}
