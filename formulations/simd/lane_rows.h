/*
 * lane_rows.h - words of SIMD texts (simd_targets.h) that go through rows of lanes
 * (lanes.h). NAME(row) holds WIDTH lanes of one row, from lane l on; with AVX-512 all.
 *
 *     LANE_ROWS               declares NAME(row), and NAME(mask) of comparisons
 *     ROW(rows, k)            the lanes of row k; READ_ROW(rows, k) of constant rows
 *     WHERE(is, a, b)         a where comparisons hold, else b, number by number
 *     NOT(is)                 the opposite of comparisons
 *     NOWHERE(is)             true if comparisons hold in no lane. Here always false, so
 *                             that lanes go on: an answer would cost more than it saves
 *     MAGNITUDE(a)            |a|
 *     LARGER_ROW(a, b)        larger() (base/largest.h), number by number
 *     WIDEST(name)            address of NAME(name) of the text, in the widest registers
 *                             that the processor has
 *
 * one_row.h has the same words for one run, without lanes.
 */
#ifndef SALTUS_LANE_ROWS_H
#define SALTUS_LANE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/lanes.h"

#define LANES_TOO
#define LANE_ROWS                                                                       \
    typedef double NAME(row)                                                            \
        __attribute__((vector_size(WIDTH*sizeof(double)), aligned(8), may_alias));      \
    typedef int64_t NAME(mask)                                                          \
        __attribute__((vector_size(WIDTH*sizeof(int64_t)), aligned(8), may_alias));

#define ROW(rows, k) (*(NAME(row) *)((rows) + (k)*LANES + l))
#define READ_ROW(rows, k) (*(const NAME(row) *)((rows) + (k)*LANES + l))
#define WHERE(is, a, b)                                                                 \
    ((NAME(row))(((NAME(mask))(a) & (is)) | ((NAME(mask))(b) & ~(is))))
#define NOT(is) (~(is))
#define NOWHERE(is) false
#define MAGNITUDE(a) ((NAME(row))((NAME(mask))(a) & INT64_MAX))
#define LARGER_ROW(a, b) WHERE(((b) > (a)) | ((a) != (a)), b, a)

#ifdef __x86_64__
#define WIDEST(name)                                                                    \
    (__builtin_cpu_supports("avx512f") ? &avx512_##name                                 \
     : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &avx2_##name   \
                                                                       : &plain_##name)
#else
#define WIDEST(name) (&plain_##name)
#endif

#endif
