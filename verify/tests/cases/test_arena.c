/*
 * test_arena.c - the memory of one object.
 */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

TestSuite(arena);

enum { ARRAYS = 40 };

static int length(int k)
{
    return 7 * k * k;
}

static bool is_zero(const double *x, int count)
{
    for (int i = 0; i < count; i++)
        if (x[i] != 0)
            return false;
    return true;
}

/* Arrays from none to some thousand numbers: more than one block. */
static void take_arrays(struct arena *arena, double *array[ARRAYS])
{
    for (int k = 0; k < ARRAYS; k++) {
        array[k] = arena_new(arena, length(k), sizeof **array);
        cr_assert_not_null(array[k]);
        cr_assert(is_zero(array[k], length(k)), "array %d is not zero", k);
        for (int i = 0; i < length(k); i++)
            array[k][i] = k + 1;
    }
}

Test(arena, arrays_are_zero_aligned_and_apart)
{
    struct arena arena = {0};
    double *array[ARRAYS];
    take_arrays(&arena, array);
    for (int k = 0; k < ARRAYS; k++) {
        cr_assert_eq((uintptr_t)array[k] % 64, 0, "array %d is not aligned", k);
        for (int i = 0; i < length(k); i++)
            cr_assert_eq(array[k][i], k + 1, "array %d has been written on", k);
    }
    arena_free(&arena);
}

Test(arena, can_be_set_to_zero_and_used_after_it_is_freed)
{
    struct arena arena = {0};
    double *array[ARRAYS];
    take_arrays(&arena, array);
    arena_zero(&arena);
    for (int k = 0; k < ARRAYS; k++)
        cr_assert(is_zero(array[k], length(k)));
    arena_free(&arena);
    arena_free(&arena);
    take_arrays(&arena, array);
    arena_free(&arena);
}
