/* recurrence.c - Taylor recurrences (automatic differentiation): coefficient k >= 1 of
   each lowered row from lower coefficients (Griewank & Walther 2008, sec. 13.2; Jorba
   & Zou 2005).

   Each recurrence has two parts, tail and head (series.h). */
#include "mp.h"
#include "series_parts.h"

/* --- coefficient k >= 1: tails ------------------------------------------------------ */

/* out = sum of a_j b_(k-j) over low <= j <= high, for the series of rows a and b */
static void convolve_part(const struct mp_series *series, const struct lane *lane,
                          mpfr_ptr out, int a, int b, int low, int high, int k)
{
    ptrdiff_t stride = series->stride;
    if (low > high) {
        mpfr_set_zero(out, 1);
    } else if (k < series->fixed_from) {
        mp_dot(out, NULL, 1, coefficient(series, lane, a, low), stride,
               coefficient(series, lane, b, k - low), -stride, high - low + 1,
               series->limbs[k]);
    } else {
        fixed_fill(lane->fixed[a], &series->shape, lane->c[a], stride, high);
        fixed_fill(lane->fixed[b], &series->shape, lane->c[b], stride, k - low);
        fixed_convolve(out, lane->fixed[a], lane->fixed[b], &series->shape, low, high, k);
    }
}

/* The convolution of a series with itself, low <= j <= k - low: each pair of equal
   products is computed once. */
static void convolve_square(const struct mp_series *series, const struct lane *lane,
                            mpfr_ptr out, int a, int low, int k)
{
    mpfr_srcptr middle = coefficient(series, lane, a, k / 2);
    convolve_part(series, lane, out, a, a, low, (k - 1) / 2, k);
    mpfr_mul_2ui(out, out, 1, MPFR_RNDN);
    if (k % 2 == 0)
        mp_dot(out, out, 1, middle, 1, middle, 1, 1, series->limbs[k]);
}

/* Coefficients above the top of a series are zero: the limits of the sum leave them
   out. */
void row_tail(const struct mp_series *series, const struct lane *lane, int i, int k)
{
    const struct tail *part = &series->tail[i];
    if (part->none)
        return;
    mpfr_ptr tail = part->all ? coefficient(series, lane, i, k) : lane->tail[i];
    int low = k - *lane->top[part->b], high = *lane->top[part->a];
    low = low > part->first ? low : part->first;
    high = high < k - part->left_out ? high : k - part->left_out;
    if (part->a == part->b)
        convolve_square(series, lane, tail, part->a, low, k);
    else
        convolve_part(series, lane, tail, part->a, part->b, low, high, k);
    if (series->low->row[i].kind == LOW_INTEGRAL && !mpfr_zero_p(tail))
        mpfr_div_ui(tail, tail, (unsigned long)k, MPFR_RNDN);
}

bool row_settled(const struct mp_series *series, int i, int j)
{
    return series->corrected[j] < 0 || series->corrected[j] != series->corrected[i];
}

/* The tail may not take coefficient k of row i itself, which is not there yet, nor of
   the weight of an integral, whose row may come later. */
static struct tail tail_of(const struct mp_series *series, int i)
{
    const struct lowered_row *row = &series->low->row[i];
    struct tail tail = {.a = row->a, .b = row->b};
    switch (row->kind) {
    case LOW_MUL: case LOW_SQUARE: break;
    case LOW_DIV:      tail.a = i; break;
    case LOW_SQRT:     tail.a = tail.b = i; break;
    case LOW_INTEGRAL: tail.a = row->rate; tail.b = row->weight; break;
    default:           return (struct tail){.none = true};
    }
    bool whole_a = tail.a != i && row_settled(series, i, tail.a);
    bool whole_b = tail.b != i && row_settled(series, i, tail.b) &&
                   row->kind != LOW_INTEGRAL;
    tail.first = whole_b ? 0 : 1;
    tail.left_out = whole_a ? 0 : 1;
    tail.all = whole_a && whole_b;
    return tail;
}

void find_tails(struct mp_series *series)
{
    for (int i = 0; i < series->low->rows; i++)
        series->tail[i] = tail_of(series, i);
}

/* --- coefficient k >= 1: heads ------------------------------------------------------ */

/* f += sign a b, unless a factor is zero */
static void add_product(mpfr_ptr f, int sign, mpfr_srcptr a, mpfr_srcptr b, int limbs)
{
    if (!mpfr_zero_p(a) && !mpfr_zero_p(b))
        mp_dot(f, f, sign, a, 1, b, 1, 1, limbs);
}

/* f_k = tail + a_0 b_k + a_k b_0 */
static void head_product(const struct mp_series *series, const struct lane *lane, int i,
                         int k)
{
    const struct lowered_row *row = &series->low->row[i];
    mpfr_ptr f = coefficient(series, lane, i, k);
    if (series->tail[i].all)
        return;
    mpfr_set(f, lane->tail[i], MPFR_RNDN);
    if (!row_settled(series, i, row->b))
        add_product(f, 1, lane->c[row->a], coefficient(series, lane, row->b, k),
                    series->limbs[k]);
    if (!row_settled(series, i, row->a))
        add_product(f, 1, coefficient(series, lane, row->a, k), lane->c[row->b],
                    series->limbs[k]);
}

/* f_k = (a_k - tail - f_0 b_k) / b_0 */
static void head_quotient(const struct mp_series *series, const struct lane *lane, int i,
                          int k)
{
    const struct lowered_row *row = &series->low->row[i];
    mpfr_ptr f = coefficient(series, lane, i, k);
    mpfr_sub(f, coefficient(series, lane, row->a, k), lane->tail[i], MPFR_RNDN);
    if (!row_settled(series, i, row->b))
        add_product(f, -1, lane->c[i], coefficient(series, lane, row->b, k),
                    series->limbs[k]);
    if (!mpfr_zero_p(f))
        mpfr_div(f, f, lane->c[row->b], MPFR_RNDN);
}

/* f_k = (a_k - tail) / (2 f_0) */
static void head_root(mpfr_ptr f, mpfr_srcptr first, mpfr_srcptr tail, mpfr_srcptr a)
{
    mpfr_sub(f, a, tail, MPFR_RNDN);
    if (mpfr_zero_p(f))
        return;
    mpfr_div(f, f, first, MPFR_RNDN);
    mpfr_div_2ui(f, f, 1, MPFR_RNDN);
}

/* f_k = sign (tail + a_k w_0) */
static void head_integral(const struct mp_series *series, const struct lane *lane, int i,
                          int k)
{
    const struct lowered_row *row = &series->low->row[i];
    mpfr_ptr f = coefficient(series, lane, i, k);
    mpfr_set(f, lane->tail[i], MPFR_RNDN);
    if (!row_settled(series, i, row->rate))
        add_product(f, 1, coefficient(series, lane, row->a, k), lane->c[row->weight],
                    series->limbs[k]);
    if (row->sign < 0)
        mpfr_neg(f, f, MPFR_RNDN);
}

void row_head(const struct mp_series *series, const struct lane *lane, int i, int k)
{
    const struct lowered_row *row = &series->low->row[i];
    if (row->kind == LOW_LEAF)
        return;
    mpfr_ptr f = coefficient(series, lane, i, k);
    mpfr_srcptr a = coefficient(series, lane, row->a, k);
    mpfr_srcptr b = coefficient(series, lane, row->b, k);
    switch (row->kind) {
    case LOW_ADD:      mpfr_add(f, a, b, MPFR_RNDN); break;
    case LOW_SUB:      mpfr_sub(f, a, b, MPFR_RNDN); break;
    case LOW_NEG:      mpfr_neg(f, a, MPFR_RNDN); break;
    case LOW_SCALE:    mpfr_mul(f, a, lane->c[row->b], MPFR_RNDN); break;
    case LOW_MUL: case LOW_SQUARE: head_product(series, lane, i, k); break;
    case LOW_DIV:      head_quotient(series, lane, i, k); break;
    case LOW_SQRT:     head_root(f, lane->c[i], lane->tail[i], a); break;
    case LOW_RATE:     mpfr_mul_ui(f, a, (unsigned long)k, MPFR_RNDN); break;
    case LOW_INTEGRAL: head_integral(series, lane, i, k); break;
    case LOW_LEAF:     break;
    }
    raise_top(lane->top[i], f, k);
}
