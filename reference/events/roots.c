/* roots.c - real root isolation by Descartes' rule of signs in the Bernstein basis
   (Rouillier & Zimmermann 2004), with refinement by Newton's method; see roots.h. */
#include "roots.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* The interval [place, place + 1] 2^-depth of [0, 1]. `place` is a number of MPFR,
   since depth exceeds 64. */
struct interval {
    int depth;
    mpfr_ptr place;
    mpfr_ptr b;             /* [degree + 1] Bernstein coefficients on the interval */
};

struct roots {
    int order, degree, limit;   /* order of the series; degree of the polynomial; most
                                   halvings */
    mpfr_ptr c;             /* [order + 1] the polynomial in t/h */
    struct interval *stack; /* [limit + 2] */
    mpfr_ptr numbers;       /* numbers that the stack points at */
    mpfr_ptr x, value, slope, low, high, tmp;
    mpfr_ptr work;          /* numbers that these point at */
};

struct roots *roots_new(int order, int digits, mpfr_prec_t precision)
{
    struct roots *roots = memory_new(1, sizeof *roots);
    /* A pair of roots 10^-(digits/2) of a step apart is a double root to `digits`
       digits. */
    int limit = (int)ceil(0.5 * digits * MP_BITS_PER_DIGIT);
    int length = order + 2;
    roots->order = order;
    roots->limit = limit;
    roots->c = mp_vector_new((size_t)order + 1, precision);
    roots->stack = memory_new(limit + 2, sizeof *roots->stack);
    roots->numbers = mp_vector_new((size_t)(limit + 2) * (size_t)length, precision);
    roots->work = mp_vector_new(6, precision);
    for (int i = 0; i < limit + 2; i++) {
        roots->stack[i].place = roots->numbers + (ptrdiff_t)i * length;
        roots->stack[i].b = roots->stack[i].place + 1;
    }
    mpfr_ptr *const each[] = {&roots->x, &roots->value, &roots->slope, &roots->low,
                              &roots->high, &roots->tmp};
    for (int i = 0; i < 6; i++)
        *each[i] = roots->work + i;
    return roots;
}

void roots_free(struct roots *roots)
{
    if (roots == NULL)
        return;
    mp_vector_free(roots->c);
    mp_vector_free(roots->numbers);
    mp_vector_free(roots->work);
    free(roots->stack);
    free(roots);
}

/* --- the polynomial ----------------------------------------------------------------- */

/* c[i] = given[deflate + i] h^i, with the degree of the last coefficient that is not
   zero */
static void scale(struct roots *roots, mpfr_srcptr given, int deflate, mpfr_srcptr h)
{
    mpfr_set_ui(roots->tmp, 1, MPFR_RNDN);
    roots->degree = 0;
    for (int i = 0; i + deflate <= roots->order; i++) {
        mpfr_mul(roots->c + i, given + deflate + i, roots->tmp, MPFR_RNDN);
        mpfr_mul(roots->tmp, roots->tmp, h, MPFR_RNDN);
        if (!mpfr_zero_p(roots->c + i))
            roots->degree = i;
    }
}

/* True: |c0| > sum |ck|, which excludes a root in [0, 1]. Most steps end here. */
static bool clearly_none(struct roots *roots)
{
    mpfr_set_zero(roots->value, 1);
    for (int i = roots->degree; i > 0; i--) {
        mpfr_abs(roots->tmp, roots->c + i, MPFR_RNDN);
        mpfr_add(roots->value, roots->value, roots->tmp, MPFR_RNDU);
    }
    return mpfr_cmpabs(roots->c, roots->value) > 0;
}

/* b_j = sum over i <= j of C(j, i)/C(degree, i) c_i, by repeated sums */
static void to_bernstein(struct roots *roots, mpfr_ptr b)
{
    int n = roots->degree;
    mpfr_set_ui(roots->tmp, 1, MPFR_RNDN);      /* C(n, i) */
    for (int i = 0; i <= n; i++) {
        mpfr_div(b + i, roots->c + i, roots->tmp, MPFR_RNDN);
        mpfr_mul_ui(roots->tmp, roots->tmp, (unsigned long)(n - i), MPFR_RNDN);
        mpfr_div_ui(roots->tmp, roots->tmp, (unsigned long)(i + 1), MPFR_RNDN);
    }
    for (int i = 1; i <= n; i++)
        for (int j = n; j >= i; j--)
            mpfr_add(b + j, b + j, b + j - 1, MPFR_RNDN);
}

static int sign_changes(mpfr_srcptr b, int degree)
{
    int changes = 0, last = 0;
    for (int i = 0; i <= degree; i++) {
        int sign = mpfr_sgn(b + i);
        changes += sign != 0 && last != 0 && sign != last;
        last = sign != 0 ? sign : last;
    }
    return changes;
}

/* Halves the interval at the top of the stack: right half below, left half above it. De
   Casteljau's triangle leaves the left half's coefficients on one edge, the right half's
   on the other. */
static void halve(struct roots *roots, int top)
{
    int n = roots->degree;
    struct interval *right = &roots->stack[top], *left = &roots->stack[top + 1];
    for (int i = 0; i <= n; i++) {
        mpfr_set(left->b + i, right->b, MPFR_RNDN);
        for (int j = 0; j < n - i; j++) {
            mpfr_add(right->b + j, right->b + j, right->b + j + 1, MPFR_RNDN);
            mpfr_div_2ui(right->b + j, right->b + j, 1, MPFR_RNDN);
        }
    }
    left->depth = ++right->depth;
    mpfr_mul_2ui(left->place, right->place, 1, MPFR_RNDN);
    mpfr_add_ui(right->place, left->place, 1, MPFR_RNDN);
}

/* --- refinement --------------------------------------------------------------------- */

static void evaluate(struct roots *roots)
{
    mpfr_set(roots->value, roots->c + roots->degree, MPFR_RNDN);
    mpfr_set_zero(roots->slope, 1);
    for (int i = roots->degree - 1; i >= 0; i--) {
        mpfr_mul(roots->slope, roots->slope, roots->x, MPFR_RNDN);
        mpfr_add(roots->slope, roots->slope, roots->value, MPFR_RNDN);
        mpfr_mul(roots->value, roots->value, roots->x, MPFR_RNDN);
        mpfr_add(roots->value, roots->value, roots->c + i, MPFR_RNDN);
    }
}

static void middle(struct roots *roots)
{
    mpfr_add(roots->x, roots->low, roots->high, MPFR_RNDN);
    mpfr_div_2ui(roots->x, roots->x, 1, MPFR_RNDN);
}

/* Refines one simple root in (low, high), by Newton's method with halving when a step
   leaves the interval; sign_low is the sign on its left. Ends when the step no longer
   changes x. */
static void refine(struct roots *roots, int sign_low)
{
    double resolution = 4 - (double)mpfr_get_prec(roots->x);
    middle(roots);
    for (int iteration = 0; iteration < 2000; iteration++) {
        evaluate(roots);
        int sign = mpfr_sgn(roots->value);
        if (sign == 0)
            return;
        mpfr_set(sign == sign_low ? roots->low : roots->high, roots->x, MPFR_RNDN);
        mpfr_div(roots->tmp, roots->value, roots->slope, MPFR_RNDN);
        bool small = mpfr_number_p(roots->tmp) &&
                     mp_log2(roots->tmp) < resolution + mp_log2(roots->x);
        mpfr_sub(roots->tmp, roots->x, roots->tmp, MPFR_RNDN);
        if (small) {
            mpfr_set(roots->x, roots->tmp, MPFR_RNDN);
            return;
        }
        if (mpfr_number_p(roots->tmp) && mpfr_cmp(roots->tmp, roots->low) > 0 &&
            mpfr_cmp(roots->tmp, roots->high) < 0)
            mpfr_set(roots->x, roots->tmp, MPFR_RNDN);
        else
            middle(roots);
    }
}

/* --- the search --------------------------------------------------------------------- */

static void ends_of(struct roots *roots, const struct interval *interval)
{
    long shift = -(long)interval->depth;
    mpfr_mul_2si(roots->low, interval->place, shift, MPFR_RNDN);
    mpfr_add_ui(roots->high, interval->place, 1, MPFR_RNDN);
    mpfr_mul_2si(roots->high, roots->high, shift, MPFR_RNDN);
}

/* ROOT_CROSSING for the root at roots->x, ROOT_TOUCH if its slope is that of a pair of
   roots too close to be told apart: halves that meet at a double root see one root
   each. */
static enum root crossing(struct roots *roots)
{
    double size = mp_log2_max(roots->c, roots->degree + 1);
    evaluate(roots);
    return mp_log2(roots->slope) > size - roots->limit ? ROOT_CROSSING : ROOT_TOUCH;
}

/* Examines the interval at the top of the stack. ROOT_NONE: nothing was found in it;
   the interval has been removed, or halved. */
static enum root examine(struct roots *roots, int *top)
{
    struct interval *interval = &roots->stack[*top];
    int n = roots->degree;
    ends_of(roots, interval);
    /* A root on the border of two halves is in the interior of neither, and counts as
       the left end of the right half. The root at 0 itself was deflated. */
    if (mpfr_zero_p(interval->b) && !mpfr_zero_p(roots->low)) {
        mpfr_set(roots->x, roots->low, MPFR_RNDN);
        return crossing(roots);
    }
    int changes = sign_changes(interval->b, n);
    if (changes == 0) {
        bool at_end = mpfr_zero_p(interval->b + n) && mpfr_cmp_ui(roots->high, 1) == 0;
        mpfr_set_ui(roots->x, 1, MPFR_RNDN);
        --*top;
        return at_end ? crossing(roots) : ROOT_NONE;
    }
    if (changes == 1) {
        int first = 0;
        while (mpfr_zero_p(interval->b + first))
            first++;
        refine(roots, mpfr_sgn(interval->b + first));
        return crossing(roots);
    }
    if (interval->depth >= roots->limit) {
        middle(roots);
        return ROOT_TOUCH;
    }
    halve(roots, (*top)++);
    return ROOT_NONE;
}

/* Sign of the polynomial beside the multiple root in roots->low, 2^-shift after it, or
   before it; 0: the value is rounding. */
static int sign_beside(struct roots *roots, long shift, bool after)
{
    double size = mp_log2_max(roots->c, roots->degree + 1);
    mpfr_set_ui(roots->x, 1, MPFR_RNDN);
    mpfr_mul_2si(roots->x, roots->x, -shift, MPFR_RNDN);
    if (after)
        mpfr_add(roots->x, roots->low, roots->x, MPFR_RNDN);
    else
        mpfr_sub(roots->x, roots->low, roots->x, MPFR_RNDN);
    evaluate(roots);
    bool rounded = mp_log2(roots->value) < size - 1.5 * (double)roots->limit;
    return rounded ? 0 : mpfr_sgn(roots->value);
}

/* ROOT_FLAT if the polynomial goes through zero at the multiple root at roots->x, else
   ROOT_TOUCH. */
static enum root multiple(struct roots *roots)
{
    int before = 0, after = 0;
    mpfr_set(roots->low, roots->x, MPFR_RNDN);
    for (long shift = roots->limit; shift > 1 && before * after == 0; shift--) {
        before = sign_beside(roots, shift, false);
        after = sign_beside(roots, shift, true);
    }
    mpfr_set(roots->x, roots->low, MPFR_RNDN);
    return before * after < 0 ? ROOT_FLAT : ROOT_TOUCH;
}

enum root roots_first(struct roots *roots, mpfr_srcptr c, int deflate, mpfr_srcptr h,
                      mpfr_ptr root)
{
    scale(roots, c, deflate, h);
    if (clearly_none(roots))
        return ROOT_NONE;
    int top = 0;
    roots->stack[0].depth = 0;
    mpfr_set_zero(roots->stack[0].place, 1);
    to_bernstein(roots, roots->stack[0].b);
    while (top >= 0) {
        enum root found = examine(roots, &top);
        if (found == ROOT_NONE)
            continue;
        if (found == ROOT_TOUCH)
            found = multiple(roots);
        mpfr_mul(root, roots->x, h, MPFR_RNDN);
        return found;
    }
    return ROOT_NONE;
}
