/*
 * eigenvalues.c - characteristic polynomial, and simultaneous iteration for its roots
 * (eigenvalues.h)
 */
#include "eigenvalues.h"

#include <math.h>

/* Most iterations; from a circle some ten are enough for simple roots. */
enum { MOST = 400 };
/* Bits of a root that rounding may take, and the part of them by which a number is
   real. */
enum { LOST_BITS = 24 };

/* --- polynomials -------------------------------------------------------------------- */

/* M_1 = I; c_{n-k} = -trace(a M_k)/k, M_{k+1} = a M_k + c_{n-k} I */
void mp_characteristic(mpfr_srcptr a, int n, mpfr_ptr c)
{
    mpfr_prec_t precision = mpfr_get_prec(c);
    mpfr_ptr M = mp_vector_new((size_t)(2 * n * n + 1), precision), next = M + n * n;
    mpfr_ptr trace = next + n * n;
    for (int i = 0; i < n; i++)
        mpfr_set_ui(M + i * n + i, 1, MPFR_RNDN);
    mpfr_set_ui(c + n, 1, MPFR_RNDN);
    for (int k = 1; k <= n; k++) {
        mpfr_set_zero(trace, 1);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                mp_dot(next + i * n + j, NULL, 1, a + i * n, 1, M + j, n, n,
                       MP_MAX_LIMBS);
            mpfr_add(trace, trace, next + i * n + i, MPFR_RNDN);
        }
        mpfr_div_si(c + n - k, trace, -k, MPFR_RNDN);
        mp_copy(M, next, n * n);
        for (int i = 0; i < n; i++)
            mpfr_add(M + i * n + i, M + i * n + i, c + n - k, MPFR_RNDN);
    }
    mp_vector_free(M);
}

void mp_divide_root(mpfr_ptr c, int n, mpfr_srcptr root, mpfr_ptr remainder)
{
    mpfr_ptr old = mp_vector_new(1, mpfr_get_prec(c));
    mpfr_set(remainder, c + n, MPFR_RNDN);
    for (int k = n - 1; k >= 0; k--) {
        mpfr_set(old, c + k, MPFR_RNDN);
        mpfr_set(c + k, remainder, MPFR_RNDN);
        mpfr_fma(remainder, remainder, root, old, MPFR_RNDN);
    }
    mp_vector_free(old);
}

/* --- complex numbers ---------------------------------------------------------------- */

/* out = a b; `out` is neither of them */
static void multiply(mpfr_ptr out, mpfr_srcptr a, mpfr_srcptr b)
{
    mpfr_fmms(out, a, b, a + 1, b + 1, MPFR_RNDN);
    mpfr_fmma(out + 1, a, b + 1, a + 1, b, MPFR_RNDN);
}

/* out = a / b; `out` is neither of them. work [1] */
static void divide(mpfr_ptr out, mpfr_srcptr a, mpfr_srcptr b, mpfr_ptr work)
{
    mpfr_fmma(work, b, b, b + 1, b + 1, MPFR_RNDN);
    mpfr_fmma(out, a, b, a + 1, b + 1, MPFR_RNDN);
    mpfr_fmms(out + 1, a + 1, b, a, b + 1, MPFR_RNDN);
    mpfr_div(out, out, work, MPFR_RNDN);
    mpfr_div(out + 1, out + 1, work, MPFR_RNDN);
}

static double size_of(mpfr_srcptr z)
{
    return mp_log2_max(z, 2);
}

/* out = p(z) and slope = p'(z), by Horner's rule; work [2] */
static void evaluate(mpfr_srcptr c, int n, mpfr_srcptr z, mpfr_ptr out, mpfr_ptr slope,
                     mpfr_ptr work)
{
    mp_zero(out, 2);
    mp_zero(slope, 2);
    for (int k = n; k >= 0; k--) {
        multiply(work, slope, z);
        mpfr_add(slope, work, out, MPFR_RNDN);
        mpfr_add(slope + 1, work + 1, out + 1, MPFR_RNDN);
        multiply(work, out, z);
        mpfr_add(out, work, c + k, MPFR_RNDN);
        mpfr_set(out + 1, work + 1, MPFR_RNDN);
    }
}

/* --- roots -------------------------------------------------------------------------- */

struct iteration {
    mpfr_srcptr c;
    int n;
    mpfr_ptr root;              /* [n][2] */
    mpfr_ptr p, slope, step, sum, part, work;   /* [2] each */
};

/* step = Newton's step at root k, corrected by the others: N / (1 - N sum 1/(z - z_j)) */
static void set_step(struct iteration *it, int k)
{
    mpfr_ptr z = it->root + 2 * k, newton = it->part;
    mp_zero(it->sum, 2);
    for (int j = 0; j < it->n; j++) {
        if (j == k)
            continue;
        mpfr_sub(it->step, z, it->root + 2 * j, MPFR_RNDN);
        mpfr_sub(it->step + 1, z + 1, it->root + 2 * j + 1, MPFR_RNDN);
        mpfr_set_ui(it->p, 1, MPFR_RNDN);
        mpfr_set_zero(it->p + 1, 1);
        divide(it->part, it->p, it->step, it->work);
        mpfr_add(it->sum, it->sum, it->part, MPFR_RNDN);
        mpfr_add(it->sum + 1, it->sum + 1, it->part + 1, MPFR_RNDN);
    }
    evaluate(it->c, it->n, z, it->p, it->slope, it->work);
    divide(newton, it->p, it->slope, it->work);
    multiply(it->work, newton, it->sum);
    mpfr_ui_sub(it->sum, 1, it->work, MPFR_RNDN);
    mpfr_neg(it->sum + 1, it->work + 1, MPFR_RNDN);
    divide(it->step, newton, it->sum, it->work);
}

/* Evenly on a circle of the mean radius, off the axes. */
static void scatter(struct iteration *it)
{
    double radius = exp2(mp_log2(it->c) / it->n);
    for (int k = 0; k < it->n; k++) {
        double angle = 6.283185307179586 * k / it->n + 0.4;
        mpfr_set_d(it->root + 2 * k, radius * cos(angle), MPFR_RNDN);
        mpfr_set_d(it->root + 2 * k + 1, radius * sin(angle), MPFR_RNDN);
    }
}

/* Steps of all roots until each is at rounding. */
static bool iterate(struct iteration *it)
{
    double least = LOST_BITS - (double)mpfr_get_prec(it->c);
    for (int i = 0; i < MOST; i++) {
        bool rest = true;
        for (int k = 0; k < it->n; k++) {
            mpfr_ptr z = it->root + 2 * k;
            set_step(it, k);
            if (!mp_finite(it->step, 2))
                return false;
            mpfr_sub(z, z, it->step, MPFR_RNDN);
            mpfr_sub(z + 1, z + 1, it->step + 1, MPFR_RNDN);
            rest = rest && size_of(it->step) <= least + size_of(z);
        }
        if (rest)
            return true;
    }
    return false;
}

/* Does root a come before b? */
static bool is_before(mpfr_srcptr a, mpfr_srcptr b)
{
    double bits = (double)mpfr_get_prec(a) / 2;
    mpfr_ptr work = mp_vector_new(2, mpfr_get_prec(a));
    mpfr_hypot(work, a, a + 1, MPFR_RNDN);
    mpfr_hypot(work + 1, b, b + 1, MPFR_RNDN);
    double larger = mp_log2(work);
    mpfr_sub(work, work, work + 1, MPFR_RNDN);
    bool equal = mp_log2(work) <= larger - bits;
    bool before = equal ? mpfr_cmp(a + 1, b + 1) > 0 : mpfr_sgn(work) > 0;
    mp_vector_free(work);
    return before;
}

/* Imaginary parts that are rounding become zero; then sorts. */
static void settle(mpfr_ptr root, int n)
{
    double bits = (double)mpfr_get_prec(root) / 2;
    for (int k = 0; k < n; k++)
        if (mp_log2(root + 2 * k + 1) <= mp_log2(root + 2 * k) - bits)
            mpfr_set_zero(root + 2 * k + 1, 1);
    mpfr_ptr moved = mp_vector_new(2, mpfr_get_prec(root));
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && is_before(root + 2 * k, root + 2 * k - 2); k--) {
            mp_copy(moved, root + 2 * k, 2);
            mp_copy(root + 2 * k, root + 2 * k - 2, 2);
            mp_copy(root + 2 * k - 2, moved, 2);
        }
    mp_vector_free(moved);
}

static struct iteration iteration_of(mpfr_srcptr c, int n, mpfr_ptr root, mpfr_ptr work)
{
    return (struct iteration){.c = c, .n = n, .root = root, .p = work,
                              .slope = work + 2, .step = work + 4, .sum = work + 6,
                              .part = work + 8, .work = work + 10};
}

bool mp_roots(mpfr_srcptr c, int n, mpfr_ptr root)
{
    if (n == 0)
        return true;
    mpfr_ptr work = mp_vector_new(12, mpfr_get_prec(c));
    struct iteration it = iteration_of(c, n, root, work);
    scatter(&it);
    bool found = iterate(&it);
    if (found)
        settle(root, n);
    mp_vector_free(work);
    return found;
}

bool mp_root_follow(mpfr_srcptr c, int n, mpfr_ptr root)
{
    double least = LOST_BITS - (double)mpfr_get_prec(c);
    mpfr_ptr work = mp_vector_new(12, mpfr_get_prec(c));
    struct iteration it = iteration_of(c, n, root, work);
    bool rest = false;
    for (int i = 0; i < MOST && !rest; i++) {
        evaluate(c, n, root, it.p, it.slope, it.work);
        divide(it.step, it.p, it.slope, it.work);
        if (!mp_finite(it.step, 2))
            break;
        mpfr_sub(root, root, it.step, MPFR_RNDN);
        mpfr_sub(root + 1, root + 1, it.step + 1, MPFR_RNDN);
        rest = size_of(it.step) <= least + size_of(root);
    }
    mp_vector_free(work);
    return rest;
}

double mp_roots_apart(mpfr_srcptr root, int n)
{
    double least = INFINITY;
    mpfr_ptr gap = mp_vector_new(2, mpfr_get_prec(root));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            mpfr_sub(gap, root + 2 * i, root + 2 * j, MPFR_RNDN);
            mpfr_sub(gap + 1, root + 2 * i + 1, root + 2 * j + 1, MPFR_RNDN);
            least = fmin(least, size_of(gap) -
                                    fmax(size_of(root + 2 * i), size_of(root + 2 * j)));
        }
    mp_vector_free(gap);
    return least;
}
