/*
 * test_outweighed.c - a penalty much heavier than the masses takes no digits from what it
 * holds nearly still.
 */
#include "solving.h"

/* Of the spatial slider-crank the crank turns about an axis that only constraints hold:
   its other coordinates are what the penalty gives way, some 1e-9, and follow from
   inertias of which 1e5 beside them leaves few digits. */
Test(outweighed, what_a_penalty_holds_nearly_still_keeps_its_digits)
{
    static const char *const name[] = {"penalty", "modified-lagrange"};
    char where[128];
    for (int k = 0; k < 2; k++) {
        struct solving s;
        solving_of_case(&s, "slider-crank-spatial", name[k]);
        s.request.samples = 3;
        struct trajectory *t = solve(&s);
        double digits = digits_of_complex_step(&s, t, where, sizeof where);
        cr_log_info("%s: %.2f digits (%s)", name[k], digits, where);
        cr_expect_gt(digits, 10, "%s: %.2f digits (%s)", name[k], digits, where);
        trajectory_free(t);
        solving_end(&s);
    }
}
