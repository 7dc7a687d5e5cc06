/* mp.c - dense LU with scaled partial pivoting, and rank by complete pivoting, in
   MPFR; the inner product is in dot.c. */
#include "mp.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { GUARD_BITS = 40, SOME = 32 };

mpfr_prec_t mp_precision(int digits)
{
    mpfr_prec_t bits = (mpfr_prec_t)ceil(digits * MP_BITS_PER_DIGIT) + GUARD_BITS;
    mpfr_prec_t whole = (bits + 63) / 64 * 64;
    return whole > 64 * MP_MAX_LIMBS ? 64 * MP_MAX_LIMBS : whole;
}

mpfr_ptr mp_vector_new(size_t n, mpfr_prec_t precision)
{
    size_t limbs = mpfr_custom_get_size(precision);
    size_t room = n == 0 ? 1 : n;
    mpfr_ptr x = malloc(room * (sizeof(__mpfr_struct) + limbs));
    if (x == NULL)
        memory_exhausted();
    unsigned char *block = (unsigned char *)(x + room);
    for (size_t i = 0; i < room; i++) {
        mpfr_custom_init(block + i * limbs, precision);
        mpfr_custom_init_set(x + i, MPFR_ZERO_KIND, 0, precision, block + i * limbs);
    }
    return x;
}

void mp_vector_free(mpfr_ptr x)
{
    free(x);
}

void mp_zero(mpfr_ptr x, int n)
{
    for (int i = 0; i < n; i++)
        mpfr_set_zero(x + i, 1);
}

void mp_copy(mpfr_ptr to, mpfr_srcptr from, int n)
{
    for (int i = 0; i < n; i++)
        mpfr_set(to + i, from + i, MPFR_RNDN);
}

void mp_scale(mpfr_ptr x, mpfr_srcptr y, int n)
{
    for (int i = 0; i < n; i++)
        if (!mpfr_zero_p(x + i))
            mpfr_mul(x + i, x + i, y + i, MPFR_RNDN);
}

bool mp_finite(mpfr_srcptr x, int n)
{
    for (int i = 0; i < n; i++)
        if (!mpfr_number_p(x + i))
            return false;
    return true;
}

/* Taken from the leading limb. */
double mp_log2(mpfr_srcptr x)
{
    if (mpfr_zero_p(x))
        return -INFINITY;
    if (!mpfr_number_p(x))
        return INFINITY;
    const mp_limb_t *limb = mpfr_custom_get_significand(x);
    mp_limb_t top = limb[(mpfr_get_prec(x) - 1) / GMP_NUMB_BITS];
    return log2((double)top) + (double)(mpfr_custom_get_exp(x) - GMP_NUMB_BITS);
}

double mp_log2_max(mpfr_srcptr x, int n)
{
    double largest = -INFINITY;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, mp_log2(x + i));
    return largest;
}

void mp_exp2(mpfr_ptr x, double e)
{
    double whole = floor(e);
    mpfr_set_d(x, exp2(e - whole), MPFR_RNDN);
    mpfr_mul_2si(x, x, (long)whole, MPFR_RNDN);
}

void mp_polynomial(mpfr_ptr out, mpfr_srcptr c, int order, mpfr_srcptr t)
{
    mpfr_set(out, c + order, MPFR_RNDN);
    for (int k = order - 1; k >= 0; k--) {
        mpfr_mul(out, out, t, MPFR_RNDN);
        mpfr_add(out, out, c + k, MPFR_RNDN);
    }
}

struct mp_lu *mp_lu_new(int n, mpfr_prec_t precision)
{
    struct mp_lu *lu = memory_new(1, sizeof *lu);
    *lu = (struct mp_lu){
        .n = n,
        .limbs = (int)(precision / 64),
        .a = mp_vector_new((size_t)n * (size_t)n, precision),
        .pivot = memory_new(n, sizeof *lu->pivot),
        .scale = memory_new(n, sizeof *lu->scale),
        .inverse = mp_vector_new((size_t)n, precision),
        .x = mp_vector_new(1, precision),
        .begin = memory_new(2 * n + 1, sizeof *lu->begin),
        .column = memory_new(n * n, sizeof *lu->column),
        .entry = memory_new(n * n, sizeof *lu->entry),
    };
    return lu;
}

void mp_lu_free(struct mp_lu *lu)
{
    if (lu == NULL)
        return;
    mp_vector_free(lu->a);
    mp_vector_free(lu->inverse);
    mp_vector_free(lu->x);
    free(lu->pivot);
    free(lu->scale);
    free(lu->begin);
    free(lu->column);
    free(lu->entry);
    free(lu);
}

static void swap_rows(struct mp_lu *lu, int i, int j)
{
    mpfr_ptr tmp = lu->x;
    for (int k = 0; i != j && k < lu->n; k++) {
        mpfr_set(tmp, lu->a + i * lu->n + k, MPFR_RNDN);
        mpfr_set(lu->a + i * lu->n + k, lu->a + j * lu->n + k, MPFR_RNDN);
        mpfr_set(lu->a + j * lu->n + k, tmp, MPFR_RNDN);
    }
}

/* Row i of column k: a_ik -= sum_{j<k, j<i} l_ij u_jk, the inner-product form (Crout). */
static void reduce(struct mp_lu *lu, int i, int k)
{
    int n = lu->n, terms = i < k ? i : k;
    mpfr_ptr target = lu->a + i * n + k;
    if (terms > 0)
        mp_dot(target, target, -1, lu->a + i * n, 1, lu->a + k, n, terms, lu->limbs);
}

/* Notes the entries of L and U that are not zero: matrices of mechanisms are sparse,
   and so are their factors. */
static void collect_nonzeros(struct mp_lu *lu)
{
    int n = lu->n, count = 0;
    for (int part = 0; part < 2 * n; part++) {
        int i = part / 2, from = part % 2 == 0 ? 0 : i + 1, to = part % 2 == 0 ? i : n;
        lu->begin[part] = count;
        for (int k = from; k < to; k++) {
            if (mpfr_zero_p(lu->a + i * n + k))
                continue;
            lu->entry[count] = lu->a[i * n + k];
            lu->column[count++] = k;
        }
    }
    lu->begin[2 * n] = count;
}

/*
 * A pivot is measured by the scale of its row i, log2 of the largest entry of the row. A
 * row of zeros has scale -INFINITY; its pivots are -INFINITY - -INFINITY, not a number,
 * and never the largest.
 */
int mp_lu_factor(struct mp_lu *lu)
{
    int n = lu->n;
    double *scale = lu->scale;
    for (int i = 0; i < n; i++)
        scale[i] = mp_log2_max(lu->a + i * n, n);
    int rank = 0;
    for (int k = 0; k < n; k++, rank++) {
        double best = -0.5 * (double)mpfr_get_prec(lu->a);
        int chosen = -1;
        for (int i = 0; i < n; i++)
            reduce(lu, i, k);
        for (int i = k; i < n; i++) {
            double size = mp_log2(lu->a + i * n + k) - scale[i];
            if (size > best && size < INFINITY) {
                best = size;
                chosen = i;
            }
        }
        if (chosen < 0)
            break;
        lu->pivot[k] = chosen;
        swap_rows(lu, k, chosen);
        double moved = scale[k];
        scale[k] = scale[chosen];
        scale[chosen] = moved;
        mpfr_ui_div(lu->inverse + k, 1, lu->a + k * n + k, MPFR_RNDN);
        for (int i = k + 1; i < n; i++)
            mpfr_div(lu->a + i * n + k, lu->a + i * n + k, lu->a + k * n + k, MPFR_RNDN);
    }
    collect_nonzeros(lu);
    return rank;
}

/* x_i -= sum of l_ij x_j over j < i (part 2i), or of u_ij x_j over j > i (part 2i + 1) */
static void eliminate_known(const struct mp_lu *lu, mpfr_ptr x, int i, int part)
{
    __mpfr_struct gathered[SOME];
    int end = lu->begin[part + 1];
    for (int first = lu->begin[part]; first < end; first += SOME) {
        int count = end - first < SOME ? end - first : SOME;
        for (int k = 0; k < count; k++)
            gathered[k] = x[lu->column[first + k]];
        mp_dot(x + i, x + i, -1, lu->entry + first, 1, gathered, 1, count, lu->limbs);
    }
}

void mp_lu_solve(const struct mp_lu *lu, mpfr_ptr x)
{
    int n = lu->n;
    mp_limb_t limb[MP_MAX_LIMBS];
    __mpfr_struct spare;
    mpfr_ptr tmp = &spare;
    mpfr_custom_init_set(tmp, MPFR_ZERO_KIND, 0, mpfr_get_prec(lu->a), limb);
    for (int i = 0; i < n; i++) {
        if (lu->pivot[i] == i)
            continue;
        mpfr_set(tmp, x + i, MPFR_RNDN);
        mpfr_set(x + i, x + lu->pivot[i], MPFR_RNDN);
        mpfr_set(x + lu->pivot[i], tmp, MPFR_RNDN);
    }
    for (int i = 1; i < n; i++)
        eliminate_known(lu, x, i, 2 * i);
    for (int i = n - 1; i >= 0; i--) {
        eliminate_known(lu, x, i, 2 * i + 1);
        mpfr_mul(x + i, x + i, lu->inverse + i, MPFR_RNDN);
    }
}

/* --- rank --------------------------------------------------------------------------- */

struct pivot {
    int at, column;     /* row[at] is chosen; at < 0: no pivot is left */
};

static struct pivot largest_pivot(mpfr_srcptr a, int rows, int columns, const int *row,
                                  const double *scale, int rank)
{
    struct pivot pivot = {-1, 0};
    double best = -0.5 * (double)mpfr_get_prec(a);
    for (int i = rank; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double size = mp_log2(a + row[i] * columns + j) - scale[row[i]];
            if (size > best && size < INFINITY) {
                best = size;
                pivot = (struct pivot){i, j};
            }
        }
    return pivot;
}

/* Makes the column of the pivot zero in all rows that are not chosen yet. The factor
   is held in the entry that it removes. */
static void eliminate(mpfr_ptr a, int rows, int columns, const int *row, int rank,
                      int column)
{
    mpfr_srcptr chosen = a + row[rank] * columns;
    for (int i = rank + 1; i < rows; i++) {
        mpfr_ptr other = a + row[i] * columns, factor = other + column;
        mpfr_div(factor, factor, chosen + column, MPFR_RNDN);
        mpfr_neg(factor, factor, MPFR_RNDN);
        for (int j = 0; j < columns; j++)
            if (j != column)
                mpfr_fma(other + j, factor, chosen + j, other + j, MPFR_RNDN);
        mpfr_set_zero(factor, 1);
    }
}

int mp_independent(mpfr_ptr a, int rows, int columns, int *row, double *scale)
{
    for (int i = 0; i < rows; i++) {
        row[i] = i;
        scale[i] = mp_log2_max(a + i * columns, columns);
    }
    int rank = 0;
    while (rank < rows && columns > 0) {
        struct pivot pivot = largest_pivot(a, rows, columns, row, scale, rank);
        if (pivot.at < 0)
            break;
        int chosen = row[pivot.at];
        row[pivot.at] = row[rank];
        row[rank] = chosen;
        eliminate(a, rows, columns, row, rank, pivot.column);
        rank++;
    }
    return rank;
}
