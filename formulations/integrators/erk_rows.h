/*
 * erk_rows.h - makes the functions of the table ROWS, "method.def", one for every row
 * and in every instruction set: plain_rows and, in WIDE_ROWS, those for AVX2 and AVX-512
 * or NULL. And nodes[], of its stages.
 *
 * Rows are made on k_j - k_0 if ON_DIFFERENCES is defined, with c_i k_0 in stages: a sum
 * that large coefficients of both signs leave little of is then rounded as differences
 * are, not as slopes. Coefficients of a row must sum to c_i, in estimates and extension
 * to zero.
 */
#include "simd/lanes.h"

#define SET_TEXT "integrators/erk_rows_kernel.h"
#define LANES_TOO
#include "simd/simd_targets.h"

#ifdef __x86_64__
#define WIDE_ROWS .avx2 = &avx2_rows, .avx512 = &avx512_rows
#else
#define WIDE_ROWS .avx2 = NULL, .avx512 = NULL
#endif

static const double nodes[] = {
#define STAGE(i, c, ...) [i] = c,
#include ROWS
};
