/*
 * underflow.h - flush of subnormal numbers (below 2.2e-308) to zero while a run lasts.
 *
 * Along a chain of a thousand bodies the influence of one body on another decays past
 * 2.2e-308, and a processor takes a hundred times as long for each subnormal number. In
 * results larger than 1e-300 these numbers are no digit. The mode is that of the thread:
 * interpreter, compiled code and libraries have it alike, so that their bits agree.
 */
#ifndef SALTUS_UNDERFLOW_H
#define SALTUS_UNDERFLOW_H

#if defined __x86_64__

#include <xmmintrin.h>

enum { UNDERFLOW_TO_ZERO = 0x8040 };    /* results, and operands */

/* Switches the flush on for this thread; returns the former mode. */
static inline unsigned underflow_to_zero(void)
{
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | UNDERFLOW_TO_ZERO);
    return before;
}

/* Restores the former mode; exception flags raised since then stay. */
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
