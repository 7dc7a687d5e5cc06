/*
 * underflow.h - numbers too small for all their digits (below 2.2e-308) are zero for as
 * long as a run lasts. Along a chain of a thousand bodies what one does to another decays
 * past them, and a processor takes a hundred times as long for each; of every result that
 * is more than 1e-300 they are no digit. The same for interpreter, compiled code and
 * libraries, whose bits thereby stay the same.
 */
#ifndef SALTUS_UNDERFLOW_H
#define SALTUS_UNDERFLOW_H

#if defined __x86_64__

#include <immintrin.h>

enum { UNDERFLOW_TO_ZERO = 0x8040 };    /* results, and operands */

/* Returns what underflow_restore takes, of this thread. */
static inline unsigned underflow_to_zero(void)
{
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | UNDERFLOW_TO_ZERO);
    return before;
}

/* Flags that were raised since are kept. */
static inline void underflow_restore(unsigned before)
{
    _mm_setcsr((_mm_getcsr() & ~(unsigned)UNDERFLOW_TO_ZERO) |
               (before & UNDERFLOW_TO_ZERO));
}

#else

static inline unsigned underflow_to_zero(void)
{
    return 0;
}

static inline void underflow_restore(unsigned before)
{
    (void)before;
}

#endif
#endif
