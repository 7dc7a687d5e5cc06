/*
 * erk_rows.h - the functions of the rows of a method, ROWS = "method.def": one for every
 * row and in every instruction set. The text makes plain_rows and, in WIDE_ROWS, the rows
 * for AVX2 and AVX-512 or NULL; and nodes[], the c_i of all stages.
 *
 * With ON_DIFFERENCES rows are sums of k_j - k_0, plus c_i k_0 in stages. A sum that is
 * small beside its terms, with large coefficients of both signs, is then rounded as
 * differences are, not as slopes. Coefficients of a row must sum to c_i, in estimates and
 * dense output to zero.
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
