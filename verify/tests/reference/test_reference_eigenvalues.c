/*
 * test_reference_eigenvalues.c - characteristic polynomials and their roots in MPFR.
 */
#include "arithmetic/eigenvalues.h"
#include "referring.h"

enum { BITS = 320 };

static mpfr_ptr numbers(const double *x, int n)
{
    mpfr_ptr v = mp_vector_new((size_t)n, BITS);
    for (int i = 0; i < n; i++)
        mpfr_set_d(v + i, x[i], MPFR_RNDN);
    return v;
}

static void expect_number(mpfr_srcptr got, double want, const char *what)
{
    mpfr_t x;
    mpfr_init2(x, BITS);
    mpfr_set_d(x, want, MPFR_RNDN);
    mpfr_sub(x, got, x, MPFR_RNDN);
    cr_expect_lt(fabs(mpfr_get_d(x, MPFR_RNDN)), 1e-80, "%s: %.17g, not %g", what,
                 mpfr_get_d(got, MPFR_RNDN), want);
    mpfr_clear(x);
}

/* [2 -3 0; 3 2 0; 1 1 4]: 2 +- 3i and 4; (x - 4)(x^2 - 4 x + 13) */
Test(reference_eigenvalues, of_a_matrix_are_the_roots_of_its_polynomial)
{
    static const double matrix[] = {2, -3, 0, 3, 2, 0, 1, 1, 4};
    static const double want[] = {-52, 29, -8, 1};
    mpfr_ptr a = numbers(matrix, 9), c = mp_vector_new(4, BITS);
    mpfr_ptr root = mp_vector_new(6, BITS);
    mp_characteristic(a, 3, c);
    for (int k = 0; k <= 3; k++)
        expect_number(c + k, want[k], "coefficient");
    cr_assert(mp_roots(c, 3, root));
    expect_number(root, 4, "root 1");
    cr_expect(mpfr_zero_p(root + 1));
    expect_number(root + 2, 2, "root 2");
    expect_number(root + 3, 3, "root 2");
    expect_number(root + 4, 2, "root 3");
    expect_number(root + 5, -3, "root 3");
    mp_vector_free(a);
    mp_vector_free(c);
    mp_vector_free(root);
}

/* Roots from 1e-12 to 1000 come with the digits of each. */
Test(reference_eigenvalues, roots_of_many_sizes_are_found)
{
    static const double want[] = {1000, 8, -0.5, 1.0 / 1024, -1.0 / (1 << 30)};
    mpfr_ptr root = numbers(want, 5), c = mp_vector_new(6, BITS);
    mpfr_ptr found = mp_vector_new(10, BITS);
    mpfr_set_ui(c, 1, MPFR_RNDN);
    for (int n = 0; n < 5; n++)             /* c becomes c (x - root_n) */
        for (int k = n + 1; k >= 0; k--) {
            mpfr_mul(found, c + k, root + n, MPFR_RNDN);
            mpfr_neg(found, found, MPFR_RNDN);
            if (k > 0)
                mpfr_add(found, found, c + k - 1, MPFR_RNDN);
            mpfr_set(c + k, found, MPFR_RNDN);
        }
    cr_assert(mp_roots(c, 5, found));
    for (int k = 0; k < 5; k++) {
        cr_expect_geq(mp_digits(found + 2 * k, root + k, NULL), 70, "%d", k);
        cr_expect(mpfr_zero_p(found + 2 * k + 1));
    }
    mp_divide_root(c, 5, root + 1, found);
    cr_expect_lt(fabs(mpfr_get_d(found, MPFR_RNDN)), 1e-80);
    cr_assert(mp_roots(c, 4, found));
    cr_expect_geq(mp_digits(found + 2, root + 2, NULL), 60);
    mp_vector_free(root);
    mp_vector_free(c);
    mp_vector_free(found);
}

/* (x - 1)^2 (x + 3) */
Test(reference_eigenvalues, equal_roots_are_seen)
{
    static const double coefficient[] = {3, -5, 1, 1};
    mpfr_ptr c = numbers(coefficient, 4), root = mp_vector_new(6, BITS);
    bool found = mp_roots(c, 3, root);
    cr_expect(!found || mp_roots_apart(root, 3) < -100);
    mp_vector_free(c);
    mp_vector_free(root);
}

/* x^2 + 1 to x^2 + 1.25 */
Test(reference_eigenvalues, a_root_follows_the_polynomial)
{
    static const double coefficient[] = {1.25, 0, 1}, start[] = {0, 1};
    mpfr_ptr c = numbers(coefficient, 3), root = numbers(start, 2);
    mpfr_t want;
    mpfr_init2(want, BITS);
    mpfr_sqrt(want, c, MPFR_RNDN);
    cr_assert(mp_root_follow(c, 2, root));
    cr_expect_geq(mp_digits(root + 1, want, NULL), 80);
    mpfr_clear(want);
    mp_vector_free(c);
    mp_vector_free(root);
}
