/*
 * test_mp.c - MPFR vectors, inner products, linear systems and roots of polynomials.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "arithmetic/mp.h"
#include "events/roots.h"

static gmp_randstate_t state;

static void open_random(void)
{
    gmp_randinit_default(state);
    gmp_randseed_ui(state, 20240607);
}

static void close_random(void)
{
    gmp_randclear(state);
    mpfr_free_cache();
}

TestSuite(mp, .init = open_random, .fini = close_random);

/* In (-1/2, 1/2) 2^spread^{-1..1}; now and then zero. */
static void random_number(mpfr_ptr x, long spread)
{
    long e = spread > 0 ? (long)gmp_urandomm_ui(state, (unsigned long)(2 * spread + 1))
                        : 0;
    mpfr_urandomb(x, state);
    mpfr_sub_d(x, x, 0.5, MPFR_RNDN);
    mpfr_mul_2si(x, x, e - spread, MPFR_RNDN);
    if (gmp_urandomm_ui(state, 20) == 0)
        mpfr_set_zero(x, 1);
}

/* |out - exact| in units of the last place of the largest term or the sum, log2 */
static double dot_error(int n, mpfr_prec_t precision, long spread, int limbs)
{
    mpfr_ptr a = mp_vector_new((size_t)n, precision),
             b = mp_vector_new((size_t)n, precision);
    mpfr_ptr out = mp_vector_new(2, precision), sum = mp_vector_new(2, 8 * precision);
    for (int i = 0; i < n; i++) {
        random_number(a + i, spread);
        random_number(b + i, spread);
    }
    random_number(out + 1, spread);
    int sign = gmp_urandomm_ui(state, 2) == 0 ? 1 : -1;
    mp_dot(out, out + 1, sign, a, 1, b + n - 1, -1, n, limbs);
    mpfr_set(sum, out + 1, MPFR_RNDN);
    double largest = mp_log2(sum);
    for (int i = 0; i < n; i++) {
        mpfr_mul(sum + 1, a + i, b + n - 1 - i, MPFR_RNDN);
        largest = fmax(largest, mp_log2(sum + 1));
        mpfr_mul_si(sum + 1, sum + 1, sign, MPFR_RNDN);
        mpfr_add(sum, sum, sum + 1, MPFR_RNDN);
    }
    largest = fmax(largest, mp_log2(sum));
    mpfr_sub(sum, sum, out, MPFR_RNDN);
    double bits = (double)precision < 64.0 * limbs ? (double)precision : 64.0 * limbs;
    double error = mpfr_zero_p(sum) ? -INFINITY : mp_log2(sum) - largest + bits;
    mp_vector_free(a);
    mp_vector_free(b);
    mp_vector_free(out);
    mp_vector_free(sum);
    return error;
}

Test(mp, an_inner_product_is_exact_to_one_unit_of_its_last_place_or_largest_term)
{
    for (int trial = 0; trial < 2000; trial++) {
        mpfr_prec_t precision = 64 * (1 + trial % 9);
        double error = dot_error(1 + trial % 40, precision, trial % 5 * 30, MP_MAX_LIMBS);
        cr_assert_lt(error, 1.01, "trial %d: 2^%.2f units", trial, error);
    }
}

Test(mp, an_inner_product_of_leading_limbs_is_exact_to_a_few_units_of_the_last_of_them)
{
    for (int trial = 0; trial < 1000; trial++) {
        int limbs = 1 + trial % 4, n = 1 + trial % 40;
        double error = dot_error(n, 64 * 5, trial % 3 * 20, limbs);
        cr_assert_lt(error, 3 + log2(n), "trial %d: 2^%.2f units", trial, error);
    }
}

Test(mp, an_inner_product_with_what_is_not_a_number_is_not_a_number)
{
    mpfr_ptr x = mp_vector_new(3, 128), out = mp_vector_new(1, 128);
    mpfr_set_ui(x, 1, MPFR_RNDN);
    mpfr_set_inf(x + 1, 1);
    mp_dot(out, NULL, 1, x, 1, x, 1, 3, 2);
    cr_expect(mpfr_nan_p(out) != 0);
    mp_dot(out, NULL, 1, x, 1, x, 1, 1, 2);
    cr_expect(mpfr_cmp_ui(out, 1) == 0);
    mp_dot(out, NULL, 1, x + 2, 1, x + 2, 1, 1, 2);
    cr_expect(mpfr_zero_p(out) != 0);
    mp_vector_free(x);
    mp_vector_free(out);
}

/* --- linear systems ----------------------------------------------------------------- */

static void random_matrix(struct mp_lu *lu, mpfr_ptr copy)
{
    for (int i = 0; i < lu->n * lu->n; i++) {
        random_number(lu->a + i, 10);
        mpfr_set(copy + i, lu->a + i, MPFR_RNDN);
    }
}

Test(mp, a_random_linear_system_is_solved_to_its_precision)
{
    enum { PRECISION = 256 };
    for (int n = 1; n <= 16; n++) {
        struct mp_lu *lu = mp_lu_new(n, PRECISION);
        mpfr_ptr A = mp_vector_new((size_t)(n * n), PRECISION);
        mpfr_ptr x = mp_vector_new((size_t)n, PRECISION);
        mpfr_ptr b = mp_vector_new((size_t)n, PRECISION);
        random_matrix(lu, A);
        for (int i = 0; i < n; i++) {
            random_number(b + i, 0);
            mpfr_set(x + i, b + i, MPFR_RNDN);
        }
        cr_assert_eq(mp_lu_factor(lu), n);
        mp_lu_solve(lu, x);
        for (int i = 0; i < n; i++)
            mp_dot(b + i, b + i, -1, A + i * n, 1, x, 1, n, MP_MAX_LIMBS);
        double left = mp_log2_max(b, n) -
                      fmax(0, mp_log2_max(x, n) + mp_log2_max(A, n * n));
        cr_expect_lt(left, -PRECISION + 20, "n = %d: residual 2^%.1f", n, left);
        mp_vector_free(A);
        mp_vector_free(x);
        mp_vector_free(b);
        mp_lu_free(lu);
    }
}

Test(mp, a_matrix_with_a_repeated_row_is_found_singular)
{
    struct mp_lu *lu = mp_lu_new(5, 256);
    mpfr_ptr copy = mp_vector_new(25, 256);
    random_matrix(lu, copy);
    for (int j = 0; j < 5; j++)
        mpfr_mul_ui(lu->a + 3 * 5 + j, lu->a + 5 + j, 1000, MPFR_RNDN);
    cr_expect_eq(mp_lu_factor(lu), 4);
    for (int j = 0; j < 5; j++)
        mpfr_set_zero(lu->a + 3 * 5 + j, 1);
    mp_vector_free(copy);
    mp_lu_free(lu);
}

/* A [rows * columns] = B C of rank r, B [rows * r], C [r * columns] random; every third
   row of A is 1e-40 times that. */
static void matrix_of_rank(mpfr_ptr A, int rows, int columns, int r,
                           mpfr_prec_t precision)
{
    mpfr_ptr B = mp_vector_new((size_t)(rows * r), precision);
    mpfr_ptr C = mp_vector_new((size_t)(r * columns), precision);
    for (int i = 0; i < rows * r; i++)
        random_number(B + i, 2);
    for (int i = 0; i < r * columns; i++)
        random_number(C + i, 2);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            mp_dot(A + i * columns + j, NULL, 1, B + i * r, 1, C + j, columns, r,
                   MP_MAX_LIMBS);
            if (i % 3 == 2)
                mpfr_mul_2si(A + i * columns + j, A + i * columns + j, -133, MPFR_RNDN);
        }
    mp_vector_free(B);
    mp_vector_free(C);
}

Test(mp, the_rank_of_a_product_is_found_whatever_its_rows_are_scaled_by)
{
    enum { PRECISION = 256, ROWS = 7, COLUMNS = 5 };
    int row[ROWS], again[ROWS];
    double scale[ROWS];
    mpfr_ptr A = mp_vector_new(ROWS * COLUMNS, PRECISION);
    mpfr_ptr chosen = mp_vector_new(ROWS * COLUMNS, PRECISION);
    for (int r = 0; r <= COLUMNS; r++) {
        matrix_of_rank(A, ROWS, COLUMNS, r, PRECISION);
        mp_copy(chosen, A, ROWS * COLUMNS);
        cr_expect_eq(mp_independent(chosen, ROWS, COLUMNS, row, scale), r);
        /* the rows named have the rank that is claimed */
        for (int i = 0; i < r; i++)
            mp_copy(chosen + i * COLUMNS, A + row[i] * COLUMNS, COLUMNS);
        cr_expect_eq(mp_independent(chosen, r, COLUMNS, again, scale), r);
    }
    mp_vector_free(A);
    mp_vector_free(chosen);
}

Test(mp, a_row_scaled_by_a_million_million_is_not_taken_for_singular)
{
    struct mp_lu *lu = mp_lu_new(4, 256);
    mpfr_ptr copy = mp_vector_new(16, 256);
    random_matrix(lu, copy);
    for (int j = 0; j < 4; j++)
        mpfr_div_2ui(lu->a + 2 * 4 + j, lu->a + 2 * 4 + j, 400, MPFR_RNDN);
    cr_expect_eq(mp_lu_factor(lu), 4);
    mp_vector_free(copy);
    mp_lu_free(lu);
}

/* --- roots -------------------------------------------------------------------------- */

enum { DEGREE = 6, DIGITS = 50, ROOT_PRECISION = 256 };

/* c = product of (t - root_i), roots in decimal text */
static void from_roots(mpfr_ptr c, const char *const *root, int count)
{
    mpfr_t r, tmp;
    mpfr_init2(r, ROOT_PRECISION);
    mpfr_init2(tmp, ROOT_PRECISION);
    mp_zero(c, DEGREE + 1);
    mpfr_set_ui(c, 1, MPFR_RNDN);
    for (int i = 0; i < count; i++) {
        mpfr_set_str(r, root[i], 10, MPFR_RNDN);
        for (int k = i + 1; k > 0; k--) {
            mpfr_mul(tmp, c + k, r, MPFR_RNDN);
            mpfr_sub(c + k, c + k - 1, tmp, MPFR_RNDN);
        }
        mpfr_mul(c, c, r, MPFR_RNDN);
        mpfr_neg(c, c, MPFR_RNDN);
    }
    mpfr_clear(r);
    mpfr_clear(tmp);
}

/* First root on (0, h]; digits agreed with `want` into *digits. */
static enum root first_root(const char *const *root, int count, int deflate, double h,
                            const char *want, double *digits)
{
    struct roots *roots = roots_new(DEGREE, DIGITS, ROOT_PRECISION);
    mpfr_ptr c = mp_vector_new(DEGREE + 4, ROOT_PRECISION);
    from_roots(c, root, count);
    mpfr_set_d(c + DEGREE + 1, h, MPFR_RNDN);
    enum root found = roots_first(roots, c, deflate, c + DEGREE + 1, c + DEGREE + 2);
    mpfr_set_str(c + DEGREE + 3, want, 10, MPFR_RNDN);
    mpfr_sub(c + DEGREE + 3, c + DEGREE + 3, c + DEGREE + 2, MPFR_RNDN);
    *digits = -mp_log2(c + DEGREE + 3) * 0.30102999566398120;
    mp_vector_free(c);
    roots_free(roots);
    return found;
}

#define ROOTS(...) (const char *const[]){__VA_ARGS__}, \
        (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

Test(mp, the_first_of_several_roots_is_found_to_full_precision)
{
    double digits;
    cr_expect_eq(first_root(ROOTS("0.9", "0.3", "-0.2", "0.7"), 0, 1, "0.3", &digits),
                 ROOT_CROSSING);
    cr_expect_gt(digits, 70);
    cr_expect_eq(first_root(ROOTS("0.30001", "0.3", "1.5"), 0, 1, "0.3", &digits),
                 ROOT_CROSSING);
    cr_expect_gt(digits, 65);
}

Test(mp, two_roots_at_a_distance_of_1e_minus_20_are_told_apart)
{
    double digits;
    enum root found = first_root(ROOTS("0.300000000000000000001", "0.3"), 0, 1, "0.3",
                                 &digits);
    cr_expect_eq(found, ROOT_CROSSING);
    cr_expect_gt(digits, 45);
}

Test(mp, a_double_root_is_a_touch)
{
    double digits;
    cr_expect_eq(first_root(ROOTS("0.3", "0.3", "0.8"), 0, 1, "0.3", &digits),
                 ROOT_TOUCH);
    cr_expect_gt(digits, 20);
}

Test(mp, a_triple_root_is_no_touch)
{
    double digits;
    cr_expect_eq(first_root(ROOTS("0.3", "0.3", "0.3"), 0, 1, "0.3", &digits), ROOT_FLAT);
    cr_expect_gt(digits, 10);
    cr_expect_eq(first_root(ROOTS("0.3", "0.3", "0.3", "0.31"), 0, 1, "0.3", &digits),
                 ROOT_FLAT);
}

Test(mp, a_root_on_the_border_of_two_halves_is_found)
{
    double digits;
    cr_expect_eq(first_root(ROOTS("0.5", "0.75", "-0.1"), 0, 1, "0.5", &digits),
                 ROOT_CROSSING);
    cr_expect_gt(digits, 70);
    cr_expect_eq(first_root(ROOTS("0.25", "0.25", "0.75"), 0, 1, "0.25", &digits),
                 ROOT_TOUCH);
}

Test(mp, a_root_at_the_start_is_deflated_and_one_at_the_end_is_found)
{
    double digits;
    cr_expect_eq(first_root(ROOTS("0", "0.6"), 1, 1, "0.6", &digits), ROOT_CROSSING);
    cr_expect_gt(digits, 70);
    cr_expect_eq(first_root(ROOTS("0", "0", "2"), 2, 1, "0", &digits), ROOT_NONE);
    cr_expect_eq(first_root(ROOTS("1", "2"), 0, 1, "1", &digits), ROOT_CROSSING);
    cr_expect_eq(first_root(ROOTS("1.1", "-0.1"), 0, 1, "1", &digits), ROOT_NONE);
}
