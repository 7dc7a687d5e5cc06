/*
 * augmented.c - the multipliers mu of an augmented Lagrange iteration in the equations of
 * motion; see augmented.h.
 */
#include "explicit/augmented.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explicit/tearing.h"
#include "formula/diff.h"

void augmented_init(struct augmented *augmented, struct tape *tape,
                    const struct explicit_equations *e)
{
    int count = e->iterated ? e->m : 0;
    *augmented = (struct augmented){.equations = e,
                                    .tape = tape,
                                    .count = count,
                                    .first = e->tearing->count,
                                    .B = memory_new(e->rows * count, sizeof(formula))};
    for (int i = 0; i < e->rows && count > 0; i++)
        gradient(e->R[i], BLOCK_MU, count, augmented->B + i * count);
}

void augmented_clear(struct augmented *augmented)
{
    free(augmented->B);
}

void augmented_add(const struct augmented *augmented, int block, formula *f)
{
    int count = augmented->count;
    formula *mu = memory_new(count, sizeof *mu);
    for (int j = 0; j < count; j++)
        mu[j] = variable(augmented->tape, block, augmented->first + j);
    for (int i = 0; i < augmented->equations->rows; i++)
        f[i] = add(f[i], dot(augmented->B + i * count, mu, count));
    free(mu);
}

void augmented_move(const struct augmented *augmented,
                    const struct solver *solver, int block, formula *u)
{
    int rows = augmented->equations->rows;
    if (augmented->count == 0)
        return;
    formula *f = memory_new(rows, sizeof *f);
    augmented_add(augmented, block, f);
    solver_solve(solver, f);
    for (int i = 0; i < rows; i++)
        u[i] = sub(u[i], f[i]);
    free(f);
}
