/*
 * overdetermined.c - equations with redundant rows, by selection of independent rows.
 */
#include "overdetermined.h"

#include <string.h>

#include "base/memory.h"

void overdetermined_init(struct overdetermined *system, int equations, int unknowns)
{
    *system = (struct overdetermined){.equations = equations, .unknowns = unknowns};
    system->A = arena_new(&system->arena, equations * unknowns, sizeof *system->A);
    system->block = arena_new(&system->arena, unknowns * unknowns, sizeof *system->block);
    system->b = arena_new(&system->arena, unknowns, sizeof *system->b);
    row_selection_init(&system->choice, equations, unknowns);
    system->choice.rank = unknowns;
    for (int i = 0; i < equations; i++)
        system->choice.row[i] = i;
    dense_lu_init(&system->factor, unknowns);
}

void overdetermined_clear(struct overdetermined *system)
{
    row_selection_clear(&system->choice);
    dense_lu_clear(&system->factor);
    arena_free(&system->arena);
    *system = (struct overdetermined){0};
}

/* Copies the matrix of the chosen equations; false if it is unchanged. */
static bool take_chosen(struct overdetermined *system)
{
    int unknowns = system->unknowns;
    bool other = false;
    for (int i = 0; i < unknowns; i++) {
        const double *row = system->A + system->choice.row[i] * unknowns;
        double *kept = system->block + i * unknowns;
        size_t size = (size_t)unknowns * sizeof *row;
        if (memcmp(kept, row, size) == 0)
            continue;
        memcpy(kept, row, size);
        other = true;
    }
    return other;
}

/* Copies the matrix of all equations; false if it is unchanged. Without a choice the
   factorisation alone tells whether the matrix is regular. */
static bool take_all(struct overdetermined *system)
{
    size_t size = (size_t)(system->unknowns * system->unknowns) * sizeof *system->A;
    bool other = memcmp(system->block, system->A, size) != 0;
    if (other)
        memcpy(system->block, system->A, size);
    return other;
}

bool overdetermined_factor(struct overdetermined *system, const double *size)
{
    bool choice = system->equations > system->unknowns;
    if (choice && !system->keeps &&
        row_selection_rows(&system->choice, system->A, size) < system->unknowns)
        return false;
    bool other = choice ? take_chosen(system) : take_all(system);
    if (other || !system->regular)
        system->regular = dense_lu_matrix(&system->factor, system->block);
    return system->regular;
}

void overdetermined_solve(const struct overdetermined *system, const double *b, double *x)
{
    for (int i = 0; i < system->unknowns; i++)
        system->b[i] = b[system->choice.row[i]];
    dense_lu_solve(&system->factor, system->b);
    memory_copy(x, system->b, system->unknowns, sizeof *x);
}

double overdetermined_least_pivot(const struct overdetermined *system, const double *size)
{
    for (int i = 0; i < system->unknowns; i++)
        system->b[i] = size[system->choice.row[i]];
    return dense_lu_least_pivot(&system->factor, system->b);
}
