/*
 * pair_rows.h - makes the functions of the table ROWS, "method.def", one for every row
 * and in every instruction set: plain_rows and, in WIDE_ROWS, those for AVX2 and AVX-512
 * or NULL. And nodes[], of its stages.
 */
#include "lanes.h"

#define SET_TEXT "pair_rows_in.h"
#define LANES_TOO
#include "each_set.h"

#ifdef __x86_64__
#define WIDE_ROWS .avx2 = &avx2_rows, .avx512 = &avx512_rows
#else
#define WIDE_ROWS .avx2 = NULL, .avx512 = NULL
#endif

static const double nodes[] = {
#define STAGE(i, c, ...) [i] = c,
#include ROWS
};
