/*
 * arithmetic.h - which rounding a number was made with.
 *
 * saltus is compiled without contraction, and the code that it compiles itself computes
 * the same to the bit, so that compilers and vector widths make no difference. The
 * library of elementary functions makes one: it chooses by processor, and its last bits
 * decide the fewest digits of a kind.
 */
#ifndef SALTUS_ARITHMETIC_H
#define SALTUS_ARITHMETIC_H

#include <stdint.h>

/* FNV-1a of the bits of every operation of ops.def at points all over its domain; two
   libraries that round alike at all of them have one value. */
uint64_t arithmetic_fingerprint(void);

#endif
