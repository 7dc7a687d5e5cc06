/*
 * compensated_sum.c - compensated summation of steps (Kahan 1965).
 */
#include "compensated_sum.h"

#include <math.h>
#include <string.h>

#include "base/exchange.h"
#include "simd/simd.h"

void compensated_init(struct compensated_sum *carry, struct arena *arena, int dim)
{
    *carry = (struct compensated_sum){.loops = simd_loops(), .dim = dim, .t = NAN};
    /* Three numbers more than used: integrators may read whole packs (erk.h). */
    carry->lost = arena_new(arena, dim + 3, sizeof *carry->lost);
    carry->lost_new = arena_new(arena, dim + 3, sizeof *carry->lost_new);
}

void compensated_restart(struct compensated_sum *carry)
{
    size_t size = (size_t)carry->dim*sizeof *carry->lost;

    memset(carry->lost, 0, size);
    memset(carry->lost_new, 0, size);
    carry->t = NAN;
}

const double *compensated_start(struct compensated_sum *carry, bool known, double t,
                                const double *x, const double *start, const double *end)
{
    carry->again = t == carry->t;
    const double *left = carry->again ? start : end;

    /* The errors at the end of the last step are those at the start of this one. */
    if (!carry->again)
        exchange(&carry->lost, &carry->lost_new);
    carry->t = t;
    carry->same = known || memcmp(x, left, (size_t)carry->dim*sizeof *x) == 0;
    if (!carry->same)
        carry->loops->recall(carry->dim, x, left, carry->lost);
    return carry->lost;
}

void compensated_keep(const struct compensated_sum *carry, const double *x,
                      double **start, double **end)
{
    if (!carry->same)
        memcpy(*start, x, (size_t)carry->dim*sizeof *x);
    else if (!carry->again)
        exchange(start, end);
}

void compensated_sum(struct compensated_sum *carry, const double *x, const double *change,
                     double *end, double *x_new)
{
    carry->loops->sum(carry->dim, x, change, end, x_new, carry->lost_new);
}
