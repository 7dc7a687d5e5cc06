/*
 * quad_results.c - quadruple precision numbers into results (quad_results.h).
 */
#include "oracles/quad_results.h"

/* Three doubles hold 113 bits: each takes the leading 53 bits of the rest. */
void quad_to_mpfr(quad x, mpfr_ptr value)
{
    mpfr_set_zero(value, 1);
    for (int k = 0; k < 3; k++) {
        double part = (double)x;
        mpfr_add_d(value, value, part, MPFR_RNDN);
        if (!mpfr_number_p(value))
            return;
        x -= part;
    }
}

void quad_results_add(struct results *results, const char *name, const char *group,
                      double t, int point, quad value)
{
    quad_to_mpfr(value, results_add(results, name, group, t, point)->value);
}
