/*
 * localise_multiple.c - columns that are a constant multiple of what they should be: a
 * sign that was turned, a unit that is another, zeros.
 *
 * Such a finding stands for a parameter when all of its wrong numbers are in columns of
 * this kind: a jump that went wrong spreads to other columns, in other proportions.
 */
#include "faults/localise_parts.h"

#include <math.h>

#include "base/memory.h"

/* A factor counts where it is one of these, or where so many numbers have it: signs,
   halves, millimetres and degrees. */
static const double known[] = {-1, 2, 0.5, 0, -2, -0.5, 1000, 0.001, 57.29577951308232,
                               0.017453292519943295};
enum { KNOWN = sizeof known / sizeof *known, SEVERAL = 3 };
/* The digits that a factor brings the numbers nearer by. */
static const double nearer = 4;
/* A factor as near to one that is known is that one: the numbers may have few digits. */
static const double exactness = 1e-4;
/* A number as small, relative to its scale, counts as zero. */
static const double zero = 1e-6;

static bool is_wrong(const struct mark *mark, int parameter, int column)
{
    return !mark->held && mark->parameter == parameter && mark->place != PLACE_NONE &&
           (column == ALL_COLUMNS || mark->column == column);
}

/* got / want where it is known best; NAN: nowhere. */
static double factor_of(const struct blame *blame, int parameter, int column)
{
    double largest = 0, factor = NAN;
    for (int k = 0; k < blame->marks; k++) {
        const struct mark *mark = &blame->mark[k];
        if (is_wrong(mark, parameter, column) && fabs(mark->want) > largest) {
            largest = fabs(mark->want);
            factor = mark->got / mark->want;
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

/* Are all wrong numbers of a column, or of ALL_COLUMNS, `factor` times what they should
   be? *only: the one there is, -1 where there are several. */
static bool fits(const struct blame *blame, int parameter, int column, double factor,
                 int *only)
{
    int count = 0;
    for (int k = 0; k < blame->marks; k++) {
        const struct mark *mark = &blame->mark[k];
        if (!is_wrong(mark, parameter, column))
            continue;
        double scale = fmax(1, fabs(factor)) * mark->scale;
        double digits = blame_digits(mark->got, factor * mark->want, mark->got, scale);
        if (!(digits >= mark->digits + nearer))
            return false;
        *only = count++ == 0 ? k : -1;
    }
    return count >= SEVERAL || (count > 0 && is_known(factor));
}

/* Numbers of the parameter that are right, and not because they are zero. */
static bool has_right_ones(const struct blame *blame, int parameter)
{
    for (int k = 0; k < blame->marks; k++) {
        const struct mark *mark = &blame->mark[k];
        if (mark->parameter == parameter && mark->place != PLACE_NONE && mark->held &&
            fabs(mark->want) > zero * mark->scale && mark->scale > 0)
            return true;
    }
    return false;
}

static void found(struct blame *blame, int parameter, int column, double factor, int only)
{
    blame->multiple[blame->multiples++] = (struct multiple){
        .parameter = parameter, .column = column, .factor = factor, .only = only};
}

/* The columns of a parameter that have wrong numbers; more than MOST_MULTIPLES where they
   are many. */
static int wrong_columns(const struct blame *blame, int parameter,
                         int column[MOST_MULTIPLES])
{
    int count = 0;
    for (int k = 0; k < blame->marks && count <= MOST_MULTIPLES; k++) {
        const struct mark *mark = &blame->mark[k];
        bool seen = !is_wrong(mark, parameter, ALL_COLUMNS);
        for (int i = 0; i < count && !seen; i++)
            seen = column[i] == mark->column;
        if (!seen && count < MOST_MULTIPLES)
            column[count] = mark->column;
        count += !seen;
    }
    return count;
}

/* Column by column; nothing is found where one of them does not fit. */
static void find_columns(struct blame *blame, int parameter)
{
    int before = blame->multiples, column[MOST_MULTIPLES], only;
    int count = wrong_columns(blame, parameter, column);
    for (int i = 0; i < count && count <= MOST_MULTIPLES; i++) {
        double factor = factor_of(blame, parameter, column[i]);
        if (isnan(factor) || !fits(blame, parameter, column[i], factor, &only)) {
            blame->multiples = before;
            return;
        }
        found(blame, parameter, column[i], factor, only);
    }
}

void blame_find_multiples(struct blame *blame)
{
    int p = blame->columns.p, only;
    blame->multiple = memory_new(p * MOST_MULTIPLES, sizeof *blame->multiple);
    for (int j = 0; j < p; j++) {
        double factor = factor_of(blame, j, ALL_COLUMNS);
        if (!isnan(factor) && fits(blame, j, ALL_COLUMNS, factor, &only) && only < 0 &&
            !has_right_ones(blame, j))
            found(blame, j, ALL_COLUMNS, factor, -1);
        else
            find_columns(blame, j);
    }
}
