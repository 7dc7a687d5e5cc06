/*
 * localise_multiple.c - columns that are a constant multiple of the right ones: a turned
 * sign, another unit, zeros.
 *
 * Such a finding stands for a parameter when all of its wrong numbers are in columns of
 * this kind: a jump that went wrong spreads to other columns, in other proportions.
 */
#include "faults/localise_parts.h"

#include <math.h>

#include "base/memory.h"

/* A factor counts if it is one of these (signs, halves, millimetres, degrees), or if
   several numbers have it. */
static const double known[] = {-1, 2, 0.5, 0, -2, -0.5, 1000, 0.001, 57.29577951308232,
                               0.017453292519943295};
enum { KNOWN = sizeof known / sizeof *known, SEVERAL = 3 };
/* Digits by which a factor must bring the numbers nearer. */
static const double nearer = 4;
/* A factor this near to a known one is that one: the numbers may have few digits. */
static const double exactness = 1e-4;
/* A number this small, relative to its scale, counts as zero. */
static const double zero = 1e-6;

static bool is_wrong(const struct number *number, int parameter, int column)
{
    return !number->held && number->parameter == parameter &&
        number->place != PLACE_NONE &&
           (column == ALL_COLUMNS || number->column == column);
}

/* got / want of the number that shows the quotient best; NAN: none shows it. */
static double factor_of(const struct localise_work *work, int parameter, int column)
{
    double largest = 0, factor = NAN;
    for (int k = 0; k < work->numbers; k++) {
        const struct number *number = &work->number[k];
        if (is_wrong(number, parameter, column) && fabs(number->want) > largest) {
            largest = fabs(number->want);
            factor = number->got / number->want;
        }
    }
    if (fabs(factor) < zero)
        return 0;
    for (int k = 0; k < KNOWN; k++)
        if (fabs(factor - known[k]) <= exactness * fabs(known[k]))
            return known[k];
    return factor;
}

static bool is_known(double factor)
{
    for (int k = 0; k < KNOWN; k++)
        if (factor == known[k])
            return true;
    return false;
}

/* Are all wrong numbers of a column, or of ALL_COLUMNS, `factor` times the right ones?
   *only: the wrong number where it is one alone, else -1. */
static bool fits(const struct localise_work *work, int parameter, int column,
                 double factor, int *only)
{
    int count = 0;
    for (int k = 0; k < work->numbers; k++) {
        const struct number *number = &work->number[k];
        if (!is_wrong(number, parameter, column))
            continue;
        double scale = fmax(1, fabs(factor)) * number->scale;
        double digits = localise_digits(number->got, factor * number->want, number->got,
                                        scale);
        if (!(digits >= number->digits + nearer))
            return false;
        *only = count++ == 0 ? k : -1;
    }
    return count >= SEVERAL || (count > 0 && is_known(factor));
}

/* Has the parameter numbers that are right, and not because they are zero? */
static bool has_right_ones(const struct localise_work *work, int parameter)
{
    for (int k = 0; k < work->numbers; k++) {
        const struct number *number = &work->number[k];
        if (number->parameter == parameter && number->place != PLACE_NONE &&
            number->held &&
            fabs(number->want) > zero * number->scale && number->scale > 0)
            return true;
    }
    return false;
}

static void found(struct localise_work *work, int parameter, int column, double factor,
                  int only)
{
    work->multiple[work->multiples++] = (struct multiple){
        .parameter = parameter, .column = column, .factor = factor, .only = only};
}

/* The columns of a parameter that have wrong numbers; more than MOST_MULTIPLES where they
   are many. */
static int wrong_columns(const struct localise_work *work, int parameter,
                         int column[MOST_MULTIPLES])
{
    int count = 0;
    for (int k = 0; k < work->numbers && count <= MOST_MULTIPLES; k++) {
        const struct number *number = &work->number[k];
        bool seen = !is_wrong(number, parameter, ALL_COLUMNS);
        for (int i = 0; i < count && !seen; i++)
            seen = column[i] == number->column;
        if (!seen && count < MOST_MULTIPLES)
            column[count] = number->column;
        count += !seen;
    }
    return count;
}

/* Looks column by column; one column that does not fit leaves nothing found. */
static void find_columns(struct localise_work *work, int parameter)
{
    int before = work->multiples, column[MOST_MULTIPLES], only;
    int count = wrong_columns(work, parameter, column);
    for (int i = 0; i < count && count <= MOST_MULTIPLES; i++) {
        double factor = factor_of(work, parameter, column[i]);
        if (isnan(factor) || !fits(work, parameter, column[i], factor, &only)) {
            work->multiples = before;
            return;
        }
        found(work, parameter, column[i], factor, only);
    }
}

void localise_find_multiples(struct localise_work *work)
{
    int p = work->columns.p, only;
    work->multiple = memory_new(p * MOST_MULTIPLES, sizeof *work->multiple);
    for (int j = 0; j < p; j++) {
        double factor = factor_of(work, j, ALL_COLUMNS);
        if (!isnan(factor) && fits(work, j, ALL_COLUMNS, factor, &only) && only < 0 &&
            !has_right_ones(work, j))
            found(work, j, ALL_COLUMNS, factor, -1);
        else
            find_columns(work, j);
    }
}
