/*
 * one_row.h - the words of texts for rows of lanes (lane_rows.h, simd_targets.h) where
 * there is one run and no lanes: a row is one number. What one run and eight runs beside
 * each other do to a step is so written once.
 */
#ifndef SALTUS_ONE_ROW_H
#define SALTUS_ONE_ROW_H

#include <math.h>
#include <stdbool.h>

#include "base/largest.h"
#include "simd/simd.h"

#define NAME(x) one_##x
#define TARGET

typedef double one_row;
typedef bool one_mask;

#define ROW(rows, k) (*((rows) + (k) + l))
#define READ_ROW(rows, k) ROW(rows, k)
#define WHERE(is, a, b) ((is) ? (a) : (b))
#define NOT(is) (!(is))
#define NOWHERE(is) (!(is))
#define MAGNITUDE(a) fabs(a)
#define LARGER_ROW(a, b) larger(a, b)

#endif
