/* series_parts.h - shared by series.c (workspaces, stages) and recurrence.c. */
#ifndef SALTUS_SERIES_PARTS_H
#define SALTUS_SERIES_PARTS_H

#include "fixed.h"
#include "lower.h"
#include "series.h"

/* The series of every row as one lane sees them. */
struct lane {
    mpfr_ptr *c;            /* [rows] coefficients 0..order of each row */
    mpfr_ptr *tail;         /* [rows] the tail of the last coefficient run */
    int **top;              /* [rows] no coefficient above *top is other than zero */
    struct fixed **fixed;   /* [rows] the same of a factor of convolutions, else NULL;
                               NULL: not in fixed point */
    mpfr_ptr block;         /* the numbers of this lane's own rows */
    int *top_block;
    struct fixed *fixed_block;
    int64_t *digit_block;
};

/* Row i is a convolution of two series, and what its tail takes in of it: 0 <= j <= k,
   but for j = 0 and j = k where their coefficients k are not settled. */
struct tail {
    bool none;              /* it is no convolution */
    int a, b;               /* rows */
    int first, left_out;    /* first <= j <= k - left_out */
    bool all;               /* that is all: there is no head */
};

struct mp_series {
    const struct program *program;
    struct lowered *low;
    int order, lanes, lane_stage;
    mpfr_prec_t precision;
    int *limbs;             /* [order + 1] */
    struct fixed_shape shape;   /* need NULL: not in fixed point */
    int fixed_from;         /* convolutions of coefficients from this on are */
    int *corrected;         /* [rows] its stage, if that is corrected, else -1 */
    bool *live;             /* [rows] its coefficients, once corrected, are read */
    struct tail *tail;      /* [rows] */
    struct lane *lane;      /* [lanes] */
};

static inline void raise_top(int *top, mpfr_srcptr c, int k)
{
    if (k > *top && !mpfr_zero_p(c))
        *top = k;
}

/* Coefficient k >= 1 of a row: the tail, what lower coefficients contribute and what is
   settled already, and the head, what is linear in coefficient k of other operands. */
void row_tail(const struct mp_series *series, const struct lane *lane, int i, int k);
void row_head(const struct mp_series *series, const struct lane *lane, int i, int k);

/* Is coefficient k of row j what it will stay when row i, which reads it, is run? */
bool row_settled(const struct mp_series *series, int i, int j);
/* Fills series->tail, given series->corrected. */
void find_tails(struct mp_series *series);

#endif
