/*
 * radau_jacobians.c - R, R_w and R_y at the stages of Radau IIA, and the linear equations
 * of the stages that these make.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "radau.h"
#include "simd/simd.h"

void jacobians_init(struct jacobians *jacobians,
                    const struct implicit_equations *equations)
{
    const struct entries *at_w = equations->at_w, *at_y = equations->at_y;

    *jacobians = (struct jacobians){.at_w = at_w, .at_y = at_y};
    jacobians->R_w = arena_new(&jacobians->arena, RADAU_MOST_STAGES*at_w->count,
                               sizeof *jacobians->R_w);
    jacobians->R_y = arena_new(&jacobians->arena, RADAU_MOST_STAGES*at_y->count,
                               sizeof *jacobians->R_y);
}

void jacobians_clear(struct jacobians *jacobians)
{
    arena_free(&jacobians->arena);
    *jacobians = (struct jacobians){0};
}

enum status radau_visit(struct radau *work, void *context, int i)
{
    double t = work->t + work->tableau->c[i]*work->h;

    return work->equations->residual(context, t, radau_Y(work, 0, i), radau_W(work, 0, i),
                                     work->R + i*work->k);
}

/* out [k] = load + R_y Y + R_w W at stage i, and the sums of the magnitudes of these
   terms. load NULL: zero. */
static void product(const struct radau *work, int column, int i, const double *load,
                    double *out, double *size)
{
    const struct jacobians *jacobians = &work->jacobians;
    const struct entries *at_w = jacobians->at_w, *at_y = jacobians->at_y;
    const double *R_w = jacobians->R_w + i*at_w->count;
    const double *R_y = jacobians->R_y + i*at_y->count;
    const double *W = radau_W(work, column, i), *Y = radau_Y(work, column, i);

    for (int row = 0; row < work->k; row++) {
        double sum = load ? load[row] : 0, magnitudes = fabs(sum);

        for (int e = at_w->begin[row]; e < at_w->begin[row + 1]; e++) {
            double term = R_w[e]*W[at_w->column[e]];
            sum += term;
            magnitudes += fabs(term);
        }
        for (int e = at_y->begin[row]; e < at_y->begin[row + 1]; e++) {
            double term = R_y[e]*Y[at_y->column[e]];
            sum += term;
            magnitudes += fabs(term);
        }
        out[row] = sum;
        size[row] = magnitudes;
    }
}

enum status radau_linearise(struct radau *work, void *context, int i)
{
    struct jacobians *jacobians = &work->jacobians;
    enum status status = radau_visit(work, context, i);

    if (status == OK)
        work->equations->matrices(context, jacobians->R_w + i*jacobians->at_w->count,
                                  jacobians->R_y + i*jacobians->at_y->count);
    return status;
}

void radau_sizes(struct radau *work)
{
    for (int i = 0; i < work->tableau->stages; i++)
        product(work, 0, i, NULL, work->correction + i*work->k, work->size + i*work->k);
}

void radau_linear_residual(struct radau *work, int column)
{
    int k = work->k, first = (column - 1)*work->tableau->stages;

    for (int i = 0; i < work->tableau->stages; i++)
        product(work, column, i, work->load + (first + i)*k, work->R + i*k,
                work->size + i*k);
}

/* The largest |R_i|/size_i and |R_i|, of [n] in packs. A row whose terms are rounding of
   the largest rows, of a coordinate that stays zero, of a derivative that nothing depends
   on, has no ratio: it has no digits, and would never be smaller. */
INLINE void worst_row(int n, const double *R, const double *size, double *worst,
                      double *largest)
{
    enum { ROUNDING = 4 };
    pack most = {0}, ratio = {0}, residual = {0};

    for (int i = 0; i < n; i += PACK)
        SIMD_ENLARGE(most, pack_within(size, n, i));
    double least = ROUNDING*DBL_EPSILON*pack_largest(most);
    const pack rounding = {least, least, least, least}, none = {0};
    for (int i = 0; i < n; i += PACK) {
        pack own = pack_within(size, n, i), left = SIMD_ABS(pack_within(R, n, i));
        SIMD_ENLARGE(ratio, SIMD_WHERE(own > rounding, left/own, none));
        SIMD_ENLARGE(residual, left);
    }
    *worst = pack_largest(ratio);
    *largest = pack_largest(residual);
}

SIMD_WIDEST(widest_worst_row, worst_row,
            (int n, const double *R, const double *size, double *worst, double *largest),
            (n, R, size, worst, largest))

double radau_backward_error(const struct radau *work, double *largest)
{
    double worst;

    widest_worst_row(work->tableau->stages*work->k, work->R, work->size, &worst, largest);
    return worst/DBL_EPSILON;
}
