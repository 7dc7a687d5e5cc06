/*
 * least_impulse.c - impulses of least norm through dependent rows; see least_impulse.h.
 */
#include "events/least_impulse.h"

#include <math.h>
#include <string.h>

void least_impulse_init(struct least_impulse *least, struct arena *arena, int impulses,
                        int n)
{
    *least = (struct least_impulse){.impulses = impulses, .n = n};
    row_selection_init(&least->rows, impulses, n);
    least->Psi_q = arena_new(arena, impulses * n, sizeof *least->Psi_q);
    least->kernel = arena_new(arena, impulses * impulses, sizeof *least->kernel);
    least->z = arena_new(arena, n, sizeof *least->z);
}

void least_impulse_clear(struct least_impulse *least)
{
    row_selection_clear(&least->rows);
}

bool least_impulse_choose(struct least_impulse *least)
{
    if (least->impulses > 0)
        row_selection_rows(&least->rows, least->Psi_q, NULL);
    return least->impulses == 0 || least->rows.decided;
}

static double inner(const double *x, const double *y, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Two passes of Gram-Schmidt are enough for orthogonality to rounding. */
void least_impulse_kernel(struct least_impulse *least, int k, const double *vector)
{
    int count = least->impulses;
    double *own = least->kernel + k * count;
    memcpy(own, vector, (size_t)count * sizeof *own);
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < k; j++) {
            const double *other = least->kernel + j * count;
            double along = inner(own, other, count);
            for (int i = 0; i < count; i++)
                own[i] -= along * other[i];
        }
        double norm = sqrt(inner(own, own, count));
        for (int i = 0; i < count; i++)
            own[i] /= norm;
    }
}

void least_impulse_shift(const struct least_impulse *least, const double *target,
                         double *y)
{
    int count = least->impulses, dependent = count - least->rows.rank;
    for (int k = 0; k < dependent; k++) {
        const double *own = least->kernel + k * count;
        double along = inner(own, y, count) - (target ? inner(own, target, count) : 0);
        for (int i = 0; i < count; i++)
            y[i] -= along * own[i];
    }
}
