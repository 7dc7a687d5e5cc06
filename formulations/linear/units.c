/* units.c - scaling of unknowns by masses and constraints (units.h). */
#include "linear/units.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/largest.h"
#include "base/tolerances.h"

/* frexp: size = f 2^e with 1/2 <= f < 1 */
double unit_of_size(double size)
{
    int e;
    if (!(size > 0) || !isfinite(size))
        return 0;
    frexp(size, &e);
    return ldexp(1, -e);
}

double unit_of_mass(double mass)
{
    int e;
    if (!(mass > 0) || !isfinite(mass))
        return 0;
    frexp(mass, &e);
    return ldexp(1, -(e - (e & 1)) / 2);
}

static int column(const struct sparse_row *row, int k)
{
    return row->column ? row->column[k] : k;
}

/* The largest entry of a row with coordinates in their units `unit` (a unit that is not
   positive does not count), or, NULL, in the case's. */
static double largest_entry(const struct sparse_row *row, const double *unit)
{
    double size = 0;
    for (int k = 0; k < row->count; k++)
        size = larger(size, fabs(row->value[k]) * (unit ? unit[column(row, k)] : 1));
    return size;
}

static double unit_of_row(const struct sparse_row *row, const double *unit)
{
    double scaled = largest_entry(row, unit);
    double own = unit_of_size(scaled > 0 ? scaled : largest_entry(row, NULL));
    return own > 0 ? own : 1;
}

/* A mass smaller than this relative to the largest is the rounding of none, as of an
   Euler parameter about whose axis nothing turns. Kilometres beside micrometres give
   1e-18, grams beside tons 1e-6. */
static void drop_small_masses(int n, double *unit)
{
    double least = INFINITY;        /* the unit of the largest mass */
    for (int j = 0; j < n; j++)
        if (unit[j] > 0)
            least = smaller(least, unit[j]);
    for (int j = 0; j < n; j++)
        if (unit[j] > least / sqrt(no_mass))
            unit[j] = 0;
}

/* Notes the largest entry of each coordinate without mass, in a row in its unit, as a
   negative number. */
static void note_without_mass(const struct sparse_row *row, double unit_of_row,
                              double *unit)
{
    for (int k = 0; k < row->count; k++) {
        double *own = &unit[column(row, k)];
        if (*own <= 0)
            *own = smaller(*own, -fabs(row->value[k]) * unit_of_row);
    }
}

void units_by_constraints(int n, int m, row_of_constraints *row_of, void *context,
                          double *unit)
{
    drop_small_masses(n, unit);
    for (int i = 0; i < m; i++) {
        struct sparse_row row = row_of(context, i);
        note_without_mass(&row, unit_of_row(&row, unit), unit);
    }
    for (int j = 0; j < n; j++)
        if (unit[j] <= 0)
            unit[j] = unit[j] < 0 ? unit_of_size(-unit[j]) : 1;
    for (int i = 0; i < m; i++) {
        struct sparse_row row = row_of(context, i);
        unit[n + i] = unit_of_row(&row, unit);
    }
}

/* Ratio of units by mass from which masses are uneven. In one system of units masses are
   hardly farther apart than the square of this ratio. */
static const double uneven = 0x1p13;

static bool are_uneven(int n, const double *unit)
{
    double least = INFINITY, most = 0;
    for (int j = 0; j < n; j++)
        if (unit[j] > 0) {
            least = smaller(least, unit[j]);
            most = larger(most, unit[j]);
        }
    return most > uneven * least;
}

void units_where_uneven(int n, int m, row_of_constraints *row_of, void *context,
                        double *unit)
{
    drop_small_masses(n, unit);
    if (are_uneven(n, unit)) {
        units_by_constraints(n, m, row_of, context, unit);
        return;
    }
    for (int i = 0; i < n + m; i++)
        unit[i] = 1;
}

struct saddle {
    int n, m;
    const double *K;
};

static struct sparse_row row_of_saddle(void *context, int i)
{
    const struct saddle *saddle = context;
    int n = saddle->n;
    return (struct sparse_row){n, NULL, saddle->K + (n + i) * (n + saddle->m)};
}

void units_of_saddle(int n, int m, const double *K, double *unit)
{
    struct saddle saddle = {n, m, K};
    for (int j = 0; j < n; j++)
        unit[j] = unit_of_mass(K[j * (n + m + 1)]);
    units_where_uneven(n, m, row_of_saddle, &saddle, unit);
}
