/*
 * arithmetic.h - which rounding a number was made with.
 *
 * saltus is compiled without contraction, and what it compiles itself computes the same
 * to the bit, so that compilers and vector widths make no difference. What is left is the
 * library of elementary functions, which chooses by processor: its last bits decide the
 * fewest digits of a kind.
 */
#ifndef SALTUS_ARITHMETIC_H
#define SALTUS_ARITHMETIC_H

#include <stdint.h>

/* FNV-1a of the bits of every operation of ops.def at points all over its domain; equal
   where they all round alike. */
uint64_t arithmetic_fingerprint(void);

#endif
