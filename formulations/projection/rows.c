/*
 * rows.c - units of rows of the constraints, and the convergence of iterations on them.
 */
#include "projection/rows.h"

#include <float.h>
#include <math.h>

#include "base/largest.h"
#include "base/tolerances.h"
#include "linear/units.h"

static bool outputs_finite(const struct constraints *c, int output, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(constraints_value(c, output + k)))
            return false;
    return true;
}

bool rows_finite(const struct constraints *c, const double *q, const double *v)
{
    for (int j = 0; j < c->n; j++)
        if (!isfinite(q[j]) || !isfinite(v[j]))
            return false;
    return outputs_finite(c, c->Phi, c->m) && outputs_finite(c, c->Phid, c->m) &&
           outputs_finite(c, c->Phi_q.first, c->Phi_q.at->count) &&
           outputs_finite(c, c->Phid_v.first, c->Phid_v.at->count) &&
           outputs_finite(c, c->M, c->at_M->count);
}

struct source {
    const struct constraints *constraints;
    const struct rows *rows;
    double *value;
};

static struct sparse_row row_of(void *context, int i)
{
    const struct source *source = context;
    const struct constraint_matrix *matrix = source->rows->matrix;
    const struct entries *at = matrix->at;
    int row = source->rows->index[i], begin = at->begin[row];
    int count = at->begin[row + 1] - begin;
    for (int k = 0; k < count; k++)
        source->value[k] = constraints_entry(source->constraints, matrix, begin + k);
    return (struct sparse_row){count, at->column + begin, source->value};
}

static void units_by_mass(const struct constraints *c, double *unit)
{
    for (int j = 0; j < c->n; j++)
        unit[j] = unit_of_mass(constraints_M(c, j, j));
}

void rows_units(const struct constraints *c, const struct rows *rows, double *value,
                double *unit)
{
    struct source source = {c, rows, value};
    units_by_mass(c, unit);
    units_by_constraints(c->n, rows->count, row_of, &source, unit);
}

void rows_units_where_uneven(const struct constraints *c, const struct rows *rows,
                             double *value, double *unit)
{
    struct source source = {c, rows, value};
    units_by_mass(c, unit);
    units_where_uneven(c->n, rows->count, row_of, &source, unit);
}

/* sum_j |C_ij| max(|x_j|, |x0_j|), and the largest |C_ij| */
static double row_size(const struct constraints *c, const struct rows *rows, int i,
                       const double *x0, const double *x, double *largest)
{
    const struct entries *at = rows->matrix->at;
    double size = 0;
    *largest = 0;
    for (int k = at->begin[rows->index[i]]; k < at->begin[rows->index[i] + 1]; k++) {
        int j = at->column[k];
        double entry = fabs(constraints_entry(c, rows->matrix, k));
        if (entry == 0)
            continue;
        size += entry * larger(fabs(x[j]), fabs(x0[j]));
        *largest = larger(*largest, entry);
    }
    return size;
}

/* sum_j |C_ij dx_j| */
static double row_step(const struct constraints *c, const struct rows *rows, int i,
                       const double *dx)
{
    const struct entries *at = rows->matrix->at;
    int row = rows->index[i];
    double step = 0;
    for (int k = at->begin[row]; k < at->begin[row + 1]; k++)
        step += fabs(constraints_entry(c, rows->matrix, k) * dx[at->column[k]]);
    return step;
}

double rows_distance(const struct constraints *c, const struct rows *rows, int output,
                     const double *x0, const double *x, const double *dx)
{
    double distance = 0, most = 0, largest;
    for (int i = 0; i < rows->count; i++) {
        double size = row_size(c, rows, i, x0, x, &largest);
        most = size > most * largest ? size / largest : most;
    }
    for (int i = 0; i < rows->count; i++) {
        double step = row_step(c, rows, i, dx);
        double residual = fabs(rows_value(c, rows, output, i));
        double size = row_size(c, rows, i, x0, x, &largest);
        if (!(step <= DBL_MAX && residual <= DBL_MAX))
            return NAN;
        if (step > 0 || residual > 0)
            distance = larger(distance, larger(step, residual) /
                                      larger(size, rows_negligible * most * largest));
    }
    return distance;
}

enum progress rows_progress(double distance, double before, double off)
{
    /* An ample bound of the relative change of Phi_q over a relative distance of one. */
    static const double curvature = 100;
    if (distance <= rows_arrived)
        return ARRIVED;
    if (!(distance <= before / 2))
        return distance <= rows_stalled ? ARRIVED : STUCK;
    double left = distance * larger(curvature * off, distance / before);
    return left <= rows_arrived ? LAST_STEP : GOING_ON;
}
