/*
 * orbit_spectrum.c - multipliers of a periodic motion: roots of the characteristic
 * polynomial of the product of all segments (orbit_numbers.h)
 *
 * A multiplier that is 1 along the motion, or 0 by an event that determines a component,
 * is so for any value of the parameters: it is divided out, and its remainder is a check.
 */
#include <math.h>

#include "arithmetic/eigenvalues.h"
#include "orbit_numbers.h"

/* Parts of the digits: to which a coefficient that is zero is zero, and a remainder;
   roots that are nearer to each other are equal. */
static const double zero_part = 0.8, one_part = 0.6, equal_part = 0.25;

/* out [next][n] = derivative of segment k times in [own][n] */
static void apply_segment(const struct orbit_equations *e, int k, mpfr_srcptr in, int n,
                          mpfr_ptr out, mpfr_ptr work)
{
    const struct orbit_segments *s = &e->segments;
    const struct orbit_segment_plan *own = &s->plan[k];
    const struct orbit_segment_plan *next = &s->plan[orbit_next(s, k)];
    const struct mp_point *end = orbit_segment_end(s, k);
    for (int i = 0; i < next->count; i++)
        for (int j = 0; j < n; j++) {
            mpfr_set_zero(out + i * n + j, 1);
            for (int c = 0; c < own->count; c++) {
                mpfr_mul(work, in + c * n + j,
                         orbit_segment_value(s, k, end, next->component[i], c),
                         MPFR_RNDN);
                mpfr_add(out + i * n + j, out + i * n + j, work, MPFR_RNDN);
            }
        }
}

/* The product of all segments [n][n], each component by its size. */
static void monodromy(const struct orbit_equations *e, int n, mpfr_ptr M)
{
    int room = e->segments.width * n;
    mpfr_ptr a = mp_vector_new((size_t)(2 * room + 1), mpfr_get_prec(M)), b = a + room;
    for (int i = 0; i < n; i++)
        mpfr_set_ui_2exp(a + i * n + i, 1, orbit_equations_size(e, i), MPFR_RNDN);
    for (int k = 0; k < e->segments.nodes; k++) {
        apply_segment(e, k, a, n, b, a + 2 * room);
        mp_copy(a, b, room);
    }
    for (int i = 0; i < n * n; i++)
        mpfr_mul_2si(M + i, a + i, -orbit_equations_size(e, i / n), MPFR_RNDN);
    mp_vector_free(a);
}

/* --- polynomial --------------------------------------------------------------------- */

/* The characteristic polynomial c [n + 1], and log2 of a bound of the matrix. */
static mpfr_ptr polynomial(const struct orbit_equations *e, int n, double *bound)
{
    mpfr_prec_t precision = run_careful_precision(e->digits);
    mpfr_ptr M = mp_vector_new((size_t)(n * n), precision);
    mpfr_ptr c = mp_vector_new((size_t)(n + 1), precision);
    monodromy(e, n, M);
    *bound = fmax(0, mp_log2_max(M, n * n) + log2(n));
    mp_characteristic(M, n, c);
    mp_vector_free(M);
    return c;
}

/* Digits to which coefficient k is zero. */
static double zero_digits(mpfr_srcptr c, int n, int k, double bound)
{
    return ((n - k) * bound - mp_log2(c + k)) * MP_DIGITS_PER_BIT;
}

/* Divides by x^zeros; returns the digits to which what is dropped is zero. */
static double drop_zeros(mpfr_ptr c, int n, int zeros, double bound)
{
    double digits = INFINITY;
    for (int k = 0; k < zeros; k++)
        digits = fmin(digits, zero_digits(c, n, k, bound));
    for (int k = 0; zeros > 0 && k + zeros <= n; k++)
        mpfr_set(c + k, c + k + zeros, MPFR_RNDN);
    return digits;
}

/* Divides by x - 1; returns the digits to which the remainder is zero. */
static double drop_one(mpfr_ptr c, int n)
{
    mpfr_ptr work = mp_vector_new(2, mpfr_get_prec(c));
    mpfr_set_ui(work, 1, MPFR_RNDN);
    double largest = mp_log2_max(c, n + 1);
    mp_divide_root(c, n, work, work + 1);
    double digits = (largest - mp_log2(work + 1)) * MP_DIGITS_PER_BIT;
    mp_vector_free(work);
    return digits;
}

/* --- spectrum ----------------------------------------------------------------------- */

static enum status find_roots(struct orbit_spectrum *s, mpfr_srcptr c, int digits,
                              struct diagnosis *diagnosis)
{
    s->root = mp_vector_new((size_t)(2 * s->multipliers), mpfr_get_prec(c));
    bool found = mp_roots(c, s->multipliers, s->root);
    double apart = found ? mp_roots_apart(s->root, s->multipliers) * MP_DIGITS_PER_BIT
                         : -INFINITY;
    if (apart > -equal_part * digits)
        return OK;
    if (!found)
        return diagnose(diagnosis, NOT_APPLICABLE, NAN, "multipliers are equal, or "
                        "nearly so: they have no derivatives");
    return diagnose(diagnosis, NOT_APPLICABLE, NAN, "two multipliers are equal to %.0f "
                    "digits: they have no derivatives", -apart);
}

enum status orbit_spectrum_find(const struct orbit_equations *e,
                                struct orbit_spectrum *s, struct diagnosis *diagnosis)
{
    double bound;
    int n = e->segments.plan[0].count, left = n;
    *s = (struct orbit_spectrum){.n = n, .trivial = INFINITY};
    mpfr_ptr c = polynomial(e, n, &bound);
    while (s->zeros + 1 < n && zero_digits(c, n, s->zeros, bound) > zero_part * e->digits)
        s->zeros++;
    s->trivial = drop_zeros(c, n, s->zeros, bound);
    left -= s->zeros;
    for (int k = 0; k <= e->segments.asked->drifts && left > 0; k++, left--) {
        double digits = drop_one(c, left);
        s->trivial = fmin(s->trivial, digits);
        s->ones++;
        if (digits < one_part * e->digits)
            break;
    }
    s->multipliers = n - s->zeros - s->ones;
    enum status status = find_roots(s, c, e->digits, diagnosis);
    mp_vector_free(c);
    return status;
}

bool orbit_spectrum_follow(const struct orbit_equations *e,
                           const struct orbit_spectrum *from, struct orbit_spectrum *s)
{
    double bound;
    *s = *from;
    mpfr_ptr c = polynomial(e, s->n, &bound);
    s->root = mp_vector_new((size_t)(2 * s->multipliers), mpfr_get_prec(c));
    mp_copy(s->root, from->root, 2 * s->multipliers);
    s->trivial = drop_zeros(c, s->n, s->zeros, bound);
    for (int k = 0; k < s->ones; k++)
        s->trivial = fmin(s->trivial, drop_one(c, s->n - s->zeros - k));
    bool found = true;
    for (int k = 0; found && k < s->multipliers; k++)
        found = mp_root_follow(c, s->multipliers, s->root + 2 * k);
    mp_vector_free(c);
    return found;
}

void orbit_spectrum_clear(struct orbit_spectrum *s)
{
    mp_vector_free(s->root);
    *s = (struct orbit_spectrum){.n = 0};
}

void orbit_spectrum_take(const struct orbit_spectrum *s, const struct mp_orbit *orbit,
                         mpfr_ptr x)
{
    for (int k = 0; k < s->multipliers; k++)
        for (int i = 0; i < 2; i++)
            mpfr_set(x + mp_orbit_place(orbit, MP_ORBIT_MULTIPLIER, k, i, -1),
                     s->root + 2 * k + i, MPFR_RNDN);
}
