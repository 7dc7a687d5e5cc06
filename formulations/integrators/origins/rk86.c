/*
 * rk86.c - the generator of rk86.def: a Runge-Kutta method of order 8 whose free numbers
 * minimise the errors of orders 9 to 11.
 *
 *     rk86            from the start below: the descent, then all rows
 *     rk86 --stored   from the rows of rk86.def, which the same must come out of
 *
 * The rows go to standard output, the progress of the descent to standard error.
 *
 * Zeros of A and b are where Verner's efficient pair 8(7) has them (Numer. Algorithms 53
 * (2010) 383-396), with one stage more between his eighth and ninth. 69 numbers are left.
 * The 200 conditions of order 8 have rank 52 there: 17 numbers are free, and Newton's
 * method solves for the others. Newton's method minimises over the free numbers
 *
 *     sum over all trees of 9 to 11 vertices of
 *         (0.4^(vertices - 9) max(1, 3^(f' - 3)) residual/symmetry)^2
 *     + 1.6e-13 sum of squares of b + 4e-16 sum of squares of A,
 *
 * f' of the vertices having one branch. At the steps that are usual here errors of orders
 * 10 and 11 weigh as much as those of order 9; and long branches weigh more than others,
 * as f' does in equations with stabilised constraints. Squares of coefficients keep
 * rounding small.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "states.h"
#include "weights.h"

enum {
    STEP = 13,    /* stages of a step; b is the row after these */
    STAGES = 22,  /* those of the extension, too */
    NUMBERS = 69, /* that are not zero in A and b */
    ORDER = 8,
    DIGITS = 28, /* that are printed */
    RANK = 52,   /* of the derivatives of its conditions */
    FREE = NUMBERS - RANK,
};

static arb_mat_t A, c; /* [STAGES][STAGES], [STAGES][1] */

/* --- the numbers of a step ---------------------------------------------------------- */

static struct position at[NUMBERS];

static void find_positions(void)
{
    int count = 0;

    for (int i = 1; i <= STEP; i++)
        for (int j = 0; j < i; j++)
            if (!arb_is_zero(AT(A, i, j))) {
                require(count < NUMBERS, "a start with too many numbers");
                at[count++] = (struct position){i, j};
            }
    require(count == NUMBERS, "a start with too few numbers");
}

static arb_ptr number(int d)
{
    return AT(A, at[d].row, at[d].slope);
}

/* Numbers less 2^-halvings x [NUMBERS][1]. */
static void subtract(const arb_mat_t x, int halvings)
{
    arb_t part;

    arb_init(part);
    for (int d = 0; d < NUMBERS; d++) {
        arb_mul_2exp_si(part, AT(x, d, 0), -halvings);
        arb_sub(number(d), number(d), part, BITS);
        arb_get_mid_arb(number(d), number(d));
    }
    arb_clear(part);
}

static void set_number(int i, int j, const char *text)
{
    if (i > STEP)
        return;
    require(arb_set_str(AT(A, i, j), text, BITS) == 0, "not a number");
    arb_get_mid_arb(AT(A, i, j), AT(A, i, j));
}

static void set_start(void)
{
    int row;

#define STAGE(i, ...) \
    row = i; \
    __VA_ARGS__
#define TERM(j, value) set_number(row, j, #value);
#include "rk86_start.def"
}

static void set_stored(void)
{
    int row;

#define STAGE(i, c, ...) \
    row = i; \
    __VA_ARGS__
#define TERM(j, value) set_number(row, j, #value);
#include "../rk86.def"
}

/* --- order 8 ------------------------------------------------------------------------ */

/* The conditions that all others depend on, near the method in hand. */
static int condition[RANK];

/* r [RANK][1], J [RANK][NUMBERS] of these conditions. Returns the largest residual of all
   conditions. */
static double conditions(arb_mat_t r, arb_mat_t J)
{
    int rows = first_tree[ORDER + 1];
    double left;
    arb_mat_t all_r, all_J;

    arb_mat_init(all_r, rows, 1);
    arb_mat_init(all_J, rows, NUMBERS);
    residuals(all_r, all_J, A, STEP, ORDER, at, NUMBERS);
    take_rows(r, all_r, condition, RANK);
    take_rows(J, all_J, condition, RANK);
    left = largest(all_r);
    arb_mat_clear(all_r);
    arb_mat_clear(all_J);
    return left;
}

static void choose_conditions(void)
{
    int rows = first_tree[ORDER + 1];
    arb_mat_t r, J;

    arb_mat_init(r, rows, 1);
    arb_mat_init(J, rows, NUMBERS);
    residuals(r, J, A, STEP, ORDER, at, NUMBERS);
    require(independent_rows(condition, J, RANK) == RANK, "conditions of lower rank");
    arb_mat_clear(r);
    arb_mat_clear(J);
}

/* Newton's method with steps of least norm. False: it does not lead to a method of order
   8. */
static bool solve_conditions(void)
{
    bool solved = false;
    arb_mat_t r, J, step;

    arb_mat_init(r, RANK, 1);
    arb_mat_init(J, RANK, NUMBERS);
    arb_mat_init(step, NUMBERS, 1);
    for (int k = 0; k < 30 && !solved; k++) {
        solved = conditions(r, J) < 1e-60;
        least_norm_of_independent(step, J, r);
        subtract(step, 0);
        if (!(largest(step) < 1e3))
            break;
    }
    arb_mat_clear(r);
    arb_mat_clear(J);
    arb_mat_clear(step);
    return solved;
}

/* --- what is minimised -------------------------------------------------------------- */

static arb_mat_t scale;  /* [trees][1] of residuals */
static arb_t of_b, of_A; /* weights of squares */

static void set_scales(void)
{
    arb_mat_init(scale, first_tree[LARGEST_TREE + 1], 1);
    arb_init(of_b);
    arb_init(of_A);
    arb_set_str(of_b, "1.6e-13", BITS);
    arb_set_str(of_A, "4e-16", BITS);
    for (int k = first_tree[ORDER + 1]; k < first_tree[LARGEST_TREE + 1]; k++) {
        arb_ptr s = AT(scale, k, 0);

        arb_set_si(s, 2);
        arb_div_si(s, s, 5, BITS);
        arb_pow_ui(s, s, (ulong)(trees[k].vertices - ORDER - 1), BITS);
        arb_div_si(s, s, trees[k].sigma, BITS);
        for (int f = 3; f < trees[k].single; f++)
            arb_mul_si(s, s, 3, BITS);
    }
}

/* g [NUMBERS][1]: the gradient along the manifold of methods of order 8. Returns the
   sum. */
static double gradient(arb_mat_t g)
{
    arb_mat_t by_entry, r, J, across;
    double sum;

    arb_mat_init(by_entry, STEP + 1, STEP);
    sum = 2 * pull_back(by_entry, A, STEP, LARGEST_TREE, scale);
    for (int d = 0; d < NUMBERS; d++) {
        arb_ptr of = at[d].row == STEP ? of_b : of_A;

        arb_set(AT(g, d, 0), AT(by_entry, at[d].row, at[d].slope));
        arb_addmul(AT(g, d, 0), number(d), of, BITS);
        sum += as_double(of) * pow(as_double(number(d)), 2);
    }
    forget_errors(g);
    arb_mat_clear(by_entry);

    arb_mat_init(r, RANK, 1);
    arb_mat_init(J, RANK, NUMBERS);
    arb_mat_init(across, NUMBERS, 1);
    conditions(r, J);
    arb_mat_mul(r, J, g, BITS);
    forget_errors(r);
    least_norm_of_independent(across, J, r);
    arb_mat_sub(g, g, across, BITS);
    forget_errors(g);
    arb_mat_clear(r);
    arb_mat_clear(J);
    arb_mat_clear(across);
    return sum;
}

/* T [NUMBERS][FREE]: directions along the manifold. */
static void tangents(arb_mat_t T)
{
    arb_mat_t r, J;

    arb_mat_init(r, RANK, 1);
    arb_mat_init(J, RANK, NUMBERS);
    conditions(r, J);
    kernel(T, J);
    arb_mat_clear(r);
    arb_mat_clear(J);
}

/*
 * H [FREE][FREE]: second derivatives along the tangents, by one-sided differences of
 * the gradient g. Their steps are so small that what is left out is below 1e-20 of H.
 */
static void second_derivatives(arb_mat_t H, const arb_mat_t T, const arb_mat_t g)
{
    arb_mat_t here, there, step, along, across;

    arb_mat_init(here, STAGES, STAGES);
    arb_mat_init(there, NUMBERS, 1);
    arb_mat_init(step, NUMBERS, 1);
    arb_mat_init(along, FREE, NUMBERS);
    arb_mat_init(across, FREE, 1);
    arb_mat_set(here, A);
    arb_mat_transpose(along, T);
    for (int f = 0; f < FREE; f++) {
        for (int d = 0; d < NUMBERS; d++)
            arb_mul_2exp_si(AT(step, d, 0), AT(T, d, f), -80);
        arb_mat_neg(step, step);
        subtract(step, 0);
        require(solve_conditions(), "no method beside one");
        gradient(there);
        arb_mat_sub(there, there, g, BITS);
        arb_mat_mul(across, along, there, BITS);
        for (int i = 0; i < FREE; i++)
            arb_mul_2exp_si(AT(H, i, f), AT(across, i, 0), 80);
        arb_mat_set(A, here);
    }
    for (int i = 0; i < FREE; i++)
        for (int j = 0; j < i; j++) {
            arb_add(AT(H, i, j), AT(H, i, j), AT(H, j, i), BITS);
            arb_mul_2exp_si(AT(H, i, j), AT(H, i, j), -1);
            arb_set(AT(H, j, i), AT(H, i, j));
        }
    forget_errors(H);
    arb_mat_clear(here);
    arb_mat_clear(there);
    arb_mat_clear(step);
    arb_mat_clear(along);
    arb_mat_clear(across);
}

/*
 * step [NUMBERS][1]: T H^-1 T' g. Where H is not positive definite, a multiple of the
 * unit matrix that makes it so is added. True: none was needed.
 */
static bool newton_step(arb_mat_t step, const arb_mat_t g)
{
    int shifts = 0;
    double shift;
    arb_mat_t T, along, right, H, L;
    arb_t more;

    arb_init(more);
    arb_mat_init(T, NUMBERS, FREE);
    arb_mat_init(along, FREE, NUMBERS);
    arb_mat_init(right, FREE, 1);
    arb_mat_init(H, FREE, FREE);
    arb_mat_init(L, FREE, FREE);
    tangents(T);
    arb_mat_transpose(along, T);
    arb_mat_mul(right, along, g, BITS);
    second_derivatives(H, T, g);
    for (shift = 1e-10 * largest(H); !arb_mat_cho(L, H, BITS); shift *= 4, shifts++) {
        arb_set_d(more, shift);
        for (int f = 0; f < FREE; f++)
            arb_add(AT(H, f, f), AT(H, f, f), more, BITS);
    }
    arb_mat_solve_cho_precomp(right, L, right, BITS);
    arb_mat_mul(step, T, right, BITS);
    forget_errors(step);
    arb_clear(more);
    arb_mat_clear(T);
    arb_mat_clear(along);
    arb_mat_clear(right);
    arb_mat_clear(H);
    arb_mat_clear(L);
    return shifts == 0;
}

/* Newton's method along the manifold: steps that do not lead down are halved. The last
   step is smaller than any digit that is printed. */
static void descend(void)
{
    const double small = 1e-33;
    bool minimum = false;
    double length = INFINITY;
    arb_mat_t g, step, here, there;

    arb_mat_init(g, NUMBERS, 1);
    arb_mat_init(there, NUMBERS, 1);
    arb_mat_init(step, NUMBERS, 1);
    arb_mat_init(here, STAGES, STAGES);
    choose_conditions();
    require(solve_conditions(), "no method of order 8 near the start");

    double sum = gradient(g);

    for (int k = 0; length >= small; k++) {
        double next = INFINITY;
        int halvings = 0;

        require(k < 200, "the descent does not end");
        minimum = newton_step(step, g);
        length = largest(step);
        fprintf(stderr, "%3d: sum %.12e, step %.1e%s\n", k, sum, length,
                minimum ? "" : ", not convex");
        arb_mat_set(here, A);
        for (;; halvings++) {
            require(halvings < 40, "no way down");
            subtract(step, halvings);
            if (solve_conditions())
                next = gradient(there);
            if (next <= sum * (1 + 1e-12))
                break;
            arb_mat_set(A, here);
        }
        sum = next;
        arb_mat_set(g, there);
        choose_conditions();
    }
    require(minimum, "the end of the descent is no minimum");
    arb_mat_clear(g);
    arb_mat_clear(there);
    arb_mat_clear(step);
    arb_mat_clear(here);
}

static void set_nodes(void)
{
    for (int i = 1; i <= STEP; i++) {
        arb_zero(AT(c, i, 0));
        for (int j = 0; j < i; j++)
            arb_add(AT(c, i, 0), AT(c, i, 0), AT(A, i, j), BITS);
        arb_get_mid_arb(AT(c, i, 0), AT(c, i, 0));
    }
    /* The conditions make it 1 but for rounding. */
    arb_one(AT(c, STEP - 1, 0));
    arb_one(AT(c, STEP, 0));
}

/* --- estimates of the error --------------------------------------------------------- */

/* Row `row` of E: the vector on the slopes that vanishes to the given order, of the
   length that makes it give `value` for x' = t^order. */
static void estimate(arb_mat_t E, int row, int order, const int *slope, int count,
                     const char *value)
{
    arb_mat_t C, x;
    arb_t given, wanted;

    conditions_on(C, A, order, slope, count);
    arb_mat_init(x, count, 1);
    only_kernel(x, C);
    arb_init(given);
    arb_init(wanted);
    for (int j = 0; j < count; j++) {
        arb_pow_ui(wanted, AT(c, slope[j], 0), (ulong)order, BITS);
        arb_addmul(given, AT(x, j, 0), wanted, BITS);
    }
    require(arb_set_str(wanted, value, BITS) == 0, "not a number");
    arb_div(wanted, wanted, given, BITS);
    arb_mat_scalar_mul_arb(x, x, wanted, BITS);
    put_row(E, row, x, slope, count);
    arb_clear(given);
    arb_clear(wanted);
    arb_mat_clear(C);
    arb_mat_clear(x);
}

/* --- the continuous extension ------------------------------------------------------- */

/* x: the positive inner point of Lobatto's rule with eight, on [-1, 1], next to `near`.
   These points are zeros of the derivative of Legendre's polynomial P_7, that is of
   429 x^6 - 495 x^4 + 135 x^2 - 5. */
static void lobatto(arb_t x, double near)
{
    arb_t y, value, slope;

    arb_init(y);
    arb_init(value);
    arb_init(slope);
    arb_set_d(y, near * near);
    for (int k = 0; k < 12; k++) {
        arb_mul_si(value, y, 429, BITS);
        arb_sub_si(value, value, 495, BITS);
        arb_mul(value, value, y, BITS);
        arb_add_si(value, value, 135, BITS);
        arb_mul(value, value, y, BITS);
        arb_sub_si(value, value, 5, BITS);
        arb_mul_si(slope, y, 1287, BITS);
        arb_sub_si(slope, slope, 990, BITS);
        arb_mul(slope, slope, y, BITS);
        arb_add_si(slope, slope, 135, BITS);
        arb_div(value, value, slope, BITS);
        arb_sub(y, y, value, BITS);
        arb_get_mid_arb(y, y);
    }
    arb_sqrt(x, y, BITS);
    arb_clear(y);
    arb_clear(value);
    arb_clear(slope);
}

static void extension_nodes(void)
{
    static const double near[] = {-0.87, -0.59, -0.21, 0.59, 0.87};
    arb_t root;

    /* theta (1 - theta) = 3/14: theta = (1 -+ sqrt(1/7))/2 */
    arb_init(root);
    arb_set_si(root, 7);
    arb_rsqrt(root, root, BITS);
    arb_one(AT(c, 14, 0));
    arb_sub(AT(c, 14, 0), AT(c, 14, 0), root, BITS);
    arb_one(AT(c, 15, 0));
    arb_add(AT(c, 15, 0), AT(c, 15, 0), root, BITS);
    arb_one(AT(c, 16, 0));
    for (int i = 17; i < STAGES; i++) {
        lobatto(root, near[i - 17]);
        arb_one(AT(c, i, 0));
        if (near[i - 17] < 0)
            arb_sub(AT(c, i, 0), AT(c, i, 0), root, BITS);
        else
            arb_add(AT(c, i, 0), AT(c, i, 0), root, BITS);
    }
    for (int i = 14; i < STAGES; i++) {
        arb_mul_2exp_si(AT(c, i, 0), AT(c, i, 0), -1);
        arb_get_mid_arb(AT(c, i, 0), AT(c, i, 0));
    }
    arb_clear(root);
}

/*
 * slope [1..8]: derivatives of the factors of the coefficients 1 to 8 of the extension,
 *     theta, theta (1 - theta), theta^2 (1 - theta), theta^2 (1 - theta)^2, ..
 */
static void basis(arb_ptr slope, const arb_t theta)
{
    arb_t one_less, value, next;

    arb_init(one_less);
    arb_init(value);
    arb_init(next);
    arb_sub_si(one_less, theta, 1, BITS);
    arb_neg(one_less, one_less);
    arb_one(value);
    arb_zero(next); /* derivative of value */
    for (int k = 1; k <= 8; k++) {
        arb_ptr factor = k % 2 ? (arb_ptr)theta : one_less;

        arb_mul(next, next, factor, BITS);
        if (k % 2)
            arb_add(next, next, value, BITS);
        else
            arb_sub(next, next, value, BITS);
        arb_mul(value, value, factor, BITS);
        arb_set(slope + k, next);
    }
    arb_clear(one_less);
    arb_clear(value);
    arb_clear(next);
}

/*
 * D [9][STAGES]: coefficients 4 to 8 of the polynomial whose coefficients 1 to 3 make it
 * agree with both ends and with the slopes there, and the others with slopes 17 to 21.
 */
static void extend(arb_mat_t D)
{
    enum { INNER = 5, FIRST = 17 };
    arb_ptr slope = _arb_vec_init(9);
    arb_mat_t B, right, x;

    arb_mat_init(B, INNER, INNER);
    arb_mat_init(right, INNER, STAGES);
    arb_mat_init(x, INNER, STAGES);
    for (int j = 0; j < STAGES; j++) {
        arb_set(AT(D, 1, j), AT(A, STEP, j));
        arb_neg(AT(D, 2, j), AT(D, 1, j));
        if (j == 0)
            arb_add_si(AT(D, 2, j), AT(D, 2, j), 1, BITS);
        arb_sub(AT(D, 3, j), AT(D, 1, j), AT(D, 2, j), BITS);
        if (j == STEP)
            arb_sub_si(AT(D, 3, j), AT(D, 3, j), 1, BITS);
    }
    for (int i = 0; i < INNER; i++) {
        basis(slope, AT(c, FIRST + i, 0));
        for (int k = 0; k < INNER; k++)
            arb_set(AT(B, i, k), slope + 4 + k);
        arb_one(AT(right, i, FIRST + i));
        for (int j = 0; j < STAGES; j++)
            for (int k = 1; k <= 3; k++)
                arb_submul(AT(right, i, j), slope + k, AT(D, k, j), BITS);
    }
    require(arb_mat_solve(x, B, right, BITS), "a singular extension");
    for (int k = 0; k < INNER; k++)
        for (int j = 0; j < STAGES; j++)
            if (fabs(as_double(AT(x, k, j))) > 1e-40)
                arb_set(AT(D, 4 + k, j), AT(x, k, j));
    _arb_vec_clear(slope, 9);
    arb_mat_clear(B);
    arb_mat_clear(right);
    arb_mat_clear(x);
}

/* Stage i: a state of this order on slopes 0 and 5 to last. */
static void stage(int i, int order, int last)
{
    int slope[STAGES] = {0}, count = 1, left;

    for (int j = 5; j <= last; j++)
        slope[count++] = j;
    left = put_state(A, i, AT(c, i, 0), order, slope, count, 1e-40);
    fprintf(stderr, "stage %d: %d weights, %d of them free\n", i, count, left);
}

int main(int count, char **word)
{
    static const int of_order_6[] = {0, 5, 6, 7, 8, 9, 10, 11, 12};
    static const int of_order_5[] = {5, 6, 7, 8, 9, 10, 12};
    arb_mat_t E, D;

    arb_mat_init(A, STAGES, STAGES);
    arb_mat_init(c, STAGES, 1);
    arb_mat_init(E, 2, STAGES);
    arb_mat_init(D, 9, STAGES);
    trees_make();
    set_scales();
    if (count > 1 && strcmp(word[1], "--stored") == 0)
        set_stored();
    else
        set_start();
    find_positions();
    descend();
    set_nodes();

    estimate(E, 0, 6, of_order_6, 9, "2.46e-5");
    estimate(E, 1, 5, of_order_5, 7, "6.93e-4");
    extension_nodes();
    stage(14, 6, 13);
    stage(15, 6, 13);
    stage(16, 7, 15);
    for (int i = 17; i < STAGES; i++)
        stage(i, 7, i - 1);
    extend(D);

    for (int i = 1; i < STAGES; i++)
        print_stage(i, AT(c, i, 0), A, i, DIGITS);
    putchar('\n');
    for (int i = 0; i < 2; i++)
        print_row("ERROR", i, E, i, DIGITS);
    putchar('\n');
    for (int k = 4; k <= 8; k++)
        print_row("DENSE", k, D, k, DIGITS);
    putchar('\n');
    arb_mat_clear(E);
    arb_mat_clear(D);
    return 0;
}
