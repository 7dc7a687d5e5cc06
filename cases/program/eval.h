/*
 * eval.h - integer powers by binary exponentiation (square and multiply), the same
 * products in the same order in every arithmetic.
 *
 * From the leading bit of the exponent down: square, and multiply by a if the bit is set.
 * A negative exponent is one division at the end. (cpow(-2 + 1e-30i, 2) would lose the
 * imaginary part; products keep it.)
 */
#ifndef SALTUS_EVAL_H
#define SALTUS_EVAL_H

/* The bit below the leading one of |n|; 0 for n = 1. */
static inline unsigned power_second_bit(unsigned n)
{
    unsigned bit = 1;
    while (n >> 1 >= bit)
        bit <<= 1;
    return bit >> 1;
}

/* |n|, for INT_MIN, too. */
static inline unsigned power_magnitude(int n)
{
    return n < 0 ? 0u - (unsigned)n : (unsigned)n;
}

/* Defines name(a, n) = a^n for n != 0 in the arithmetic of the type `number`. */
#define DEFINE_POWER(number, name) \
    static inline number name(number a, int n) \
    { \
        unsigned magnitude = power_magnitude(n); \
        number p = a; \
        for (unsigned bit = power_second_bit(magnitude); bit > 0; bit >>= 1) { \
            p = p * p; \
            if (magnitude & bit) \
                p = p * a; \
        } \
        return n < 0 ? 1 / p : p; \
    }

#endif
