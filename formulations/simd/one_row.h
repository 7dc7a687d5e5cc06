/*
 * one_row.h - the words of lane_rows.h for one run without lanes: a row is one number. So
 * the work on a step is written once for one run and for eight runs beside each other.
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
