/*
 * test_ball.c - numbers with error bounds: operations, elliptic integrals, zeros; and
 * that what is open is not decided.
 */
#include <criterion/criterion.h>
#include <math.h>

#include <acb_calc.h>

#include "oracles/ball.h"
#include "oracles/closed_swing.h"

enum { BITS = 400 };

/* Both enclose the same number, and closely. */
static void expect_same(ball a, ball b, const char *what)
{
    cr_expect(acb_overlaps(a, b), "%s: %.17g and %.17g", what, b_double_of(a),
              b_double_of(b));
    cr_expect_gt(acb_rel_accuracy_bits(a), BITS - 40, "%s", what);
    cr_expect_gt(acb_rel_accuracy_bits(b), BITS - 40, "%s", what);
}

Test(ball, sums_and_products_take_any_number_of_terms)
{
    ball_open(BITS);
    expect_same(b_sum(b_int(1), b_int(2), b_int(3)), b_int(6), "sum");
    expect_same(b_product(b_int(2), b_int(3), b_int(4), b_int(5)), b_int(120), "product");
    expect_same(b_sum(b_int(7)), b_int(7), "one term");
    ball_close();
}

/* All four quadrants and the axes, where the arc tangent of a quotient has its cuts. */
Test(ball, the_angle_of_a_point_is_analytic_all_around)
{
    ball_open(BITS);
    for (int k = -3; k <= 11; k++) {
        ball angle = b_over(b_times(b_pi(), k), 8), one = b_int(1);
        ball found = b_atan2(b_times(b_sin(angle), 3), b_times(b_cos(angle), 3));
        expect_same(b_add(found, one), b_add(angle, one), "angle");
    }
    /* the derivative of the angle of (-1, y) at y = 0 is -1 */
    ball step = b_complex(b_int(0), b_exp2(-100));
    ball moved = b_imag(b_atan2(step, b_int(-1)));
    cr_expect_float_eq(b_double_of(moved) / ldexp(1, -100), -1, 1e-15);
    ball_close();
}

Test(ball, numbers_that_are_kept_survive_a_release)
{
    ball_open(BITS);
    ball a = b_int(5);
    long mark = ball_mark();
    ball x = b_sqrt(b_int(2)), y = b_mul(x, x), z = x;
    for (int k = 0; k < 5000; k++)
        b_int(k);
    ball *kept[] = {&y, &x, &z};
    ball_release(mark, kept, 3);
    cr_expect_eq(ball_mark(), mark + 3);
    for (int k = 0; k < 5000; k++)
        b_int(k);
    expect_same(y, b_int(2), "a kept number");
    expect_same(b_square(z), b_mul(x, x), "two names of one number");
    expect_same(a, b_int(5), "a number from before the mark");
    ball_close();
}

/* --- elliptic integrals ------------------------------------------------------------- */

struct integrand {
    double m;
    int power;              /* of sqrt(1 - m sin^2): -1 or 1 */
};

static int integrand(acb_ptr out, const acb_t phi, void *context, slong order, slong bits)
{
    const struct integrand *f = context;
    acb_t m;
    acb_init(m);
    acb_set_d(m, f->m);
    acb_sin(out, phi, bits);
    acb_mul(out, out, out, bits);
    acb_mul(out, out, m, bits);
    acb_sub_si(out, out, 1, bits);
    acb_neg(out, out);
    acb_sqrt_analytic(out, out, order != 0, bits);
    if (f->power < 0)
        acb_inv(out, out, bits);
    acb_clear(m);
    return 0;
}

/* By quadrature, which knows no cases. */
static void expect_integral(double m, double phi)
{
    acb_t area, end, zero;
    mag_t tolerance;
    acb_init(area);
    acb_init(end);
    acb_init(zero);
    mag_init(tolerance);
    mag_set_ui_2exp_si(tolerance, 1, -BITS);
    acb_set_d(end, phi);
    for (int power = -1; power <= 1; power += 2) {
        struct integrand f = {m, power};
        acb_calc_integrate(area, integrand, &f, zero, end, BITS, tolerance, NULL, BITS);
        ball x = power < 0 ? b_elliptic_f(b_double(phi), b_double(m))
                           : b_elliptic_e(b_double(phi), b_double(m));
        expect_same(x, area, power < 0 ? "F" : "E");
    }
    acb_clear(area);
    acb_clear(end);
    acb_clear(zero);
    mag_clear(tolerance);
}

Test(ball, elliptic_integrals_are_those_of_quadrature_on_the_whole_axis)
{
    static const double m[] = {-50, -0.5, 0.2, 0.9};
    ball_open(BITS);
    for (int i = 0; i < 4; i++)
        for (double phi = -5; phi <= 8; phi += 0.7)
            expect_integral(m[i], phi);
    expect_integral(0.5, M_PI / 2);
    expect_integral(0.5, -M_PI / 2);
    ball_close();
}

/* At a turning point itself: a ball around pi/2 loses no digit. */
Test(ball, elliptic_integrals_are_smooth_at_the_quarter_period)
{
    ball_open(BITS);
    ball quarter = b_over(b_pi(), 2), m = b_double(0.3);
    ball K = b_elliptic_f(quarter, m), E = b_elliptic_e(quarter, m);
    expect_same(b_times(K, 4), b_elliptic_f(b_times(b_pi(), 2), m), "4 K");
    expect_same(b_times(E, 4), b_elliptic_e(b_times(b_pi(), 2), m), "4 E");
    ball_close();
}

/* Over a whole period the swing returns; its time is 2 pi / (rate agm(1, cos(th/2))). */
Test(ball, a_full_swing_takes_four_complete_elliptic_integrals)
{
    ball_open(BITS);
    struct swing swing = swing_from(b_int(2), b_int(1), b_int(0));
    ball turn = b_times(b_pi(), 2), time = swing_time(&swing, b_add(swing.phi, turn));
    ball a = b_int(1), b = b_cos(b_over(b_int(1), 2));
    for (int k = 0; k < 10; k++) {
        ball mean = b_over(b_add(a, b), 2);
        b = b_sqrt(b_mul(a, b));
        a = mean;
    }
    expect_same(time, b_div(b_pi(), a), "period");
    expect_same(swing_phi(&swing, time), b_add(swing.phi, turn), "phi of a time");
    cr_expect_not(b_undecided());
    ball_close();
}

/* --- zeros -------------------------------------------------------------------------- */

/* x^3 - 2 x^2 - context^2 x + 2 context^2: zeros at 2 and +- the context */
static ball cubic(const void *context, ball x, ball *rate)
{
    const double *width = context;
    ball w2 = b_square(b_double(*width)), x2 = b_square(x);
    *rate = b_sum(b_times(x2, 3), b_times(x, -4), b_neg(w2));
    return b_mul(b_sub(x, b_int(2)), b_sub(x2, w2));
}

Test(ball, a_zero_is_enclosed_to_every_digit)
{
    ball_open(BITS);
    double width = 0.1;
    ball zero = b_root(cubic, &width, b_double(2.3), 1);
    expect_same(zero, b_int(2), "zero");
    cr_expect_not(b_undecided());
    ball_close();
}

Test(ball, the_first_zero_in_a_direction_is_found_and_no_other)
{
    ball_open(BITS);
    double width = 0.125;
    ball rising = b_first_root(cubic, &width, -5, 5, 1);
    expect_same(rising, b_double(-0.125), "rising");
    ball falling = b_first_root(cubic, &width, -5, 5, -1);
    expect_same(falling, b_double(0.125), "falling");
    expect_same(b_first_root(cubic, &width, 0, 5, 1), b_int(2), "second rising");
    cr_expect_null(b_first_root(cubic, &width, -5, -1, 1));
    cr_expect_null(b_first_root(cubic, &width, 3, 50, -1));
    cr_expect_not(b_undecided());
    ball_close();
}

/* At the start of an arc the guard of the last event is zero, and leaves it. */
Test(ball, a_zero_from_which_the_function_departs_is_none)
{
    ball_open(BITS);
    double width = 0.125;
    cr_expect_null(b_first_root(cubic, &width, 0.125, 1, 1));
    cr_expect_not(b_undecided());
    ball_close();
}

Test(ball, a_touching_zero_stays_undecided)
{
    ball_open(BITS);
    double width = 0;
    cr_expect_null(b_first_root(cubic, &width, -1.1, 1, 1));
    cr_expect(b_undecided());
    ball_close();
}

Test(ball, where_there_is_no_zero_none_is_enclosed)
{
    ball_open(BITS);
    double width = 2;       /* the zero at 2 is double: no ball is mapped into itself */
    ball zero = b_root(cubic, &width, b_double(2.3), 1);
    cr_expect_not(acb_is_finite(zero));
    cr_expect(b_undecided());
    ball_close();
}

Test(ball, a_sign_is_certain_or_remembered_as_open)
{
    ball_open(BITS);
    ball two = b_int(2), root = b_sqrt(two);
    cr_expect(b_less(root, two));
    cr_expect_not(b_less(two, two));        /* exactly equal */
    cr_expect_not(b_undecided());
    cr_expect_not(b_less(b_square(root), two));
    cr_expect(b_undecided());
    ball_close();
}
