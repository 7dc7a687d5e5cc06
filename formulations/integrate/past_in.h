/*
 * past_in.h - the loops of past.h in one instruction set; every product and its sum are
 * rounded once, so that all sets give the same. For past.c, with
 *
 *     NAME(x)  x with the instruction set pasted to it
 *     TARGET   what tells the compiler so
 *     SPREAD(a)                a in each number of a pack
 *     MULTIPLY_ADD(sum, a, b)  sum += a*b, of packs
 */

/* One power more, by Horner's rule. */
#define POWER(m)                                                                        \
    {                                                                                   \
        pack next = ((const pack *)table[m])[n];                                        \
                                                                                        \
        MULTIPLY_ADD(next, sum, by)                                                     \
        sum = next;                                                                     \
    }

TARGET static void NAME(coefficients)(const past_table table, double excess,
                                      double a[PAST][PAST])
{
    const pack by = SPREAD(excess);

    for (int n = 0; n < PAST*PAST/PACK; n++) {
        pack sum = ((const pack *)table[7])[n];

        POWER(6) POWER(5) POWER(4) POWER(3) POWER(2) POWER(1) POWER(0)
        ((pack *)a)[n] = sum;
    }
}

#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define SLOPE(j) const pack *old##j = (const pack *)old[j];
#define WEIGHT(j) const pack a##j = SPREAD(a[i][j]);
#define TERM(j) MULTIPLY_ADD(total, a##j, old##j[n])

TARGET static void NAME(sums)(int packs, double a[PAST][PAST], double *const *old,
                              double *const *sum)
{
    EACH(SLOPE)
    for (int i = 0; i < PAST; i++) {
        pack *to = (pack *)sum[i];

        EACH(WEIGHT)
        for (int n = 0; n < packs; n++) {
            pack total = {0};

            EACH(TERM)
            to[n] = total;
        }
    }
}

static const struct past_loops NAME(loops) = {NAME(coefficients), NAME(sums)};

#undef EACH
#undef SLOPE
#undef WEIGHT
#undef TERM
#undef POWER
#undef NAME
#undef TARGET
#undef SPREAD
#undef MULTIPLY_ADD
