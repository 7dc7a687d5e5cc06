/*
 * previous_slopes_kernel.h - the loops of previous_slopes.h in one instruction set
 * (simd_targets.h). For previous_slopes.c.
 */

/* One power more, by Horner's rule. */
#define POWER(m)                                                                        \
    {                                                                                   \
        pack next = ((const pack *)table[m])[n];                                        \
                                                                                        \
        MULTIPLY_ADD(next, sum, by)                                                     \
        sum = next;                                                                     \
    }

TARGET static void NAME(coefficients)(const slope_table table, double excess,
                                      double a[PAST][PAST])
{
    const pack by = SPREAD(excess);

    for (int n = 0; n < PAST*PAST/PACK; n++) {
        pack sum = ((const pack *)table[7])[n];

        POWER(6) POWER(5) POWER(4) POWER(3) POWER(2) POWER(1) POWER(0)
        ((pack *)a)[n] = sum;
    }
}

/* Four sums of so many packs, from pack n on: each load serves several of them. */
#define FOUR_SUMS(many)                                                                 \
    {                                                                                   \
        pack total[4][many] = {{{0}}};                                                  \
                                                                                        \
        UNROLL for (int j = 0; j < PAST; j++)                                           \
            UNROLL for (int i = 0; i < 4; i++) {                                        \
                const pack weight = SPREAD(a[i][j]);                                    \
                                                                                        \
                UNROLL for (int m = 0; m < (many); m++)                                 \
                    MULTIPLY_ADD(total[i][m], weight, ((const pack *)old[j])[n + m])    \
            }                                                                           \
        UNROLL for (int i = 0; i < 4; i++)                                              \
            UNROLL for (int m = 0; m < (many); m++)                                     \
                ((pack *)sum[i])[n + m] = total[i][m];                                  \
    }

/* As many packs at a time as leave a register for each slope and one for a weight. */
TARGET static void NAME(four_sums)(int packs, double a[4][PAST], double *const *old,
                                   double *const *sum)
{
    int n = 0;

    for (; n + 3 <= packs; n += 3)
        FOUR_SUMS(3)
    for (; n < packs; n++)
        FOUR_SUMS(1)
}

TARGET static void NAME(sums)(int packs, double a[PAST][PAST], double *const *old,
                              double *const *sum)
{
    for (int i = 0; i < PAST; i += 4)
        NAME(four_sums)(packs, a + i, old, sum + i);
}

static const struct slope_loops NAME(loops) = {NAME(coefficients), NAME(sums)};

#undef FOUR_SUMS
#undef POWER
#undef NAME
#undef TARGET
#undef WIDTH
#undef SPREAD
#undef MULTIPLY_ADD
