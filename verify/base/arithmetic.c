/* arithmetic.c - the rounding of every operation, in one number (arithmetic.h). */
#include "base/arithmetic.h"

#include <math.h>

#include "base/index.h"

enum { POINTS = 4096 };

/* Adds the bits of one operation at one point. A NaN adds nothing, since its bits are
   nobody's rounding. */
static uint64_t add_value(uint64_t hash, double value)
{
    return isnan(value) ? hash : hash_bytes(hash, &value, sizeof value);
}

/* The fractional parts of k times the golden ratio and of k sqrt(2) fill the square
   evenly; near (0, 0) lie the arguments of asin, farther out those of a motor's angle. */
uint64_t arithmetic_fingerprint(void)
{
    static const double width[] = {2.0, 60.0};
    uint64_t hash = HASH_BEGIN;
    for (int k = 1; k <= POINTS; k++) {
        const double w = width[k % 2];
        const double a = w * (fmod(k * 0.6180339887498949, 1.0) - 0.5);
        const double b = w * (fmod(k * 0.4142135623730951, 1.0) - 0.5);
#define OP(NAME, TEXT, ARITY, REAL, COMPLEX, DA, DB, DOMAIN, INSIDE) \
        hash = add_value(hash, REAL);
#include "formula/ops.def"
#undef OP
    }
    return hash;
}
