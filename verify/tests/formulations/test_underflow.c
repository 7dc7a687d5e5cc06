/*
 * test_underflow.c - formulations/base/underflow.h: numbers without all their digits are
 * zero while a run lasts, and not after it.
 */
#include "base/underflow.h"

#include <float.h>

#include "solving.h"

/* A number that has to be computed, not compiled. */
static double half_of(double x)
{
    volatile double value = x;
    return value / 2;
}

#if defined __x86_64__

Test(underflow, is_zero_between_the_calls)
{
    unsigned outer = underflow_to_zero(), inner = underflow_to_zero();
    cr_expect(half_of(DBL_MIN) == 0);
    cr_expect(half_of(4 * DBL_MIN) == 2 * DBL_MIN);
    underflow_restore(inner);
    cr_expect(half_of(DBL_MIN) == 0, "it was before");
    underflow_restore(outer);
    cr_expect(half_of(DBL_MIN) > 0);
}

#endif

Test(underflow, is_as_it_was_after_a_run)
{
    struct solving s;
    solving_of_case(&s, "pendulum", "index1");
    trajectory_free(solve(&s));
    cr_expect(half_of(DBL_MIN) > 0);
    s.request.rtol = -1;
    struct trajectory *none;
    cr_expect_eq(run_once(&s.request, &none, &s.diagnosis), BAD_INPUT);
    trajectory_free(none);
    cr_expect(half_of(DBL_MIN) > 0);
    solving_end(&s);
}
