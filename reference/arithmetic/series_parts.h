/* series_parts.h - the workspace of Taylor series that series.c (stages) and
   recurrence.c (recurrences) share. */
#ifndef SALTUS_SERIES_PARTS_H
#define SALTUS_SERIES_PARTS_H

#include "fixed.h"
#include "lower.h"
#include "series.h"

/* The series of every row as one lane sees them. */
struct lane {
    mpfr_ptr *c;            /* [rows] coefficient 0 of each row; the others follow at a
                               distance of series->stride */
    mpfr_ptr *tail;         /* [rows] tail of the coefficient that was run last */
    int **top;              /* [rows] all coefficients above *top are zero */
    struct fixed **fixed;   /* [rows] digits of the factors of convolutions, NULL for
                               other rows; NULL: nothing is in fixed point */
    int *top_block;         /* [own rows] */
    struct fixed *fixed_block;          /* [own factors] */
    uint64_t *digit_block;              /* [own factors][planes][length] */
    uint64_t *sum_block;                /* [own factors][length + 1][planes] */
};

/* The convolution in row i, and the terms j of it that the tail takes: all of 0 <= j
   <= k except j = 0 and j = k where the coefficient k that they need is not settled. */
struct tail {
    bool none;              /* the row is no convolution */
    int a, b;               /* rows of the two factors */
    int first, left_out;    /* the tail sums over first <= j <= k - left_out */
    bool all;               /* the tail takes all terms: the row has no head */
};

/* A lowered program with the series of all its lanes. Coefficients k of all rows lie side
   by side, since a stage is run coefficient by coefficient: a large program does not fit
   into a cache, but its coefficients k do. */
struct mp_series {
    const struct program *program;
    struct lowered *low;
    int order, lanes, lane_stage;
    mpfr_prec_t precision;
    ptrdiff_t stride;       /* number of own rows of all lanes */
    mpfr_ptr block;         /* [order + 2][stride] coefficients 0..order, then tails */
    int *limbs;             /* [order + 1] limbs used for coefficient k */
    struct fixed_shape shape;   /* need NULL: nothing is in fixed point */
    int fixed_from;         /* first k whose convolutions are in fixed point */
    int *corrected;         /* [rows] stage of the row if it is corrected, else -1 */
    bool *live;             /* [rows] the coefficient is read after its correction */
    struct tail *tail;      /* [rows] by find_tails */
    struct lane *lane;      /* [lanes] */
};

static inline mpfr_ptr coefficient(const struct mp_series *series,
                                   const struct lane *lane, int row, int k)
{
    return lane->c[row] + k * series->stride;
}

/* Raises *top to k unless coefficient k is zero. */
static inline void raise_top(int *top, mpfr_srcptr c, int k)
{
    if (k > *top && !mpfr_zero_p(c))
        *top = k;
}

/* Coefficient k >= 1 of row i, first part: the contribution of lower coefficients, and
   of coefficients k that are settled. */
void row_tail(const struct mp_series *series, const struct lane *lane, int i, int k);
/* Coefficient k >= 1 of row i, second part, linear in coefficient k of its other
   operands; makes the coefficient complete. */
void row_head(const struct mp_series *series, const struct lane *lane, int i, int k);

/* True: coefficient k of row j is final when row i, which reads it, is run. */
bool row_settled(const struct mp_series *series, int i, int j);
/* Fills series->tail, given series->corrected. */
void find_tails(struct mp_series *series);

#endif
