/*
 * peer8_start.c - the generator of the rows of peer8.def that continue a step of rk86:
 * states on slopes of that step, and its slopes at the nodes of a two-step peer method.
 *
 * STAGE(9) to STAGE(12) are states of order 7 on slopes 0 and 5 to 16 of rk86; nothing is
 * free. SLOPE(1) to SLOPE(7) are values of the polynomial of degree 7 that agrees with
 * slopes 0, 13 and 16 of rk86, with those of the four states and with the mean slope.
 *
 * The rows go to standard output.
 */
#include <stdio.h>

#include "rows.h"
#include "states.h"
#include "trees.h"

enum {
    LAST = 16, /* slope of rk86 that is made use of */
    MORE = 4,  /* states that are made for the start */
    SLOPES = LAST + 1 + MORE,
    SOLUTION = 13, /* row of rk86 */
    NODES = 7,     /* of the peer method, 1 left out */
    DIGITS = 20,   /* that are printed; what is read has 28 */
    DATA = 8,      /* slopes and the mean */
};

static arb_mat_t A, c; /* [SLOPES][SLOPES], [SLOPES][1] */
static arb_mat_t node; /* [NODES][1] */

static void set(arb_t x, const char *text)
{
    require(arb_set_str(x, text, BITS) == 0, "not a number");
    arb_get_mid_arb(x, x);
}

static void read_rows(void)
{
    int row;

#define STAGE(i, c_i, ...) \
    row = i; \
    if (row <= LAST) { \
        set(AT(c, row, 0), #c_i); \
        __VA_ARGS__ \
    }
#define TERM(j, value) set(AT(A, row, j), #value);
#include "../rk86.def"

    /* Terms of the peer method are of no account here, its nodes are. */
#define STAGE(i, c_i, ...) \
    row = i; \
    if (row <= NODES) \
        set(AT(node, row - 1, 0), #c_i);
#define TERM(j, value)
#include "../peer8.def"
}

/* The nodes of the four states: where the weights of the data are about least. */
static void set_more_nodes(void)
{
    static const char *const text[MORE] = {"0.084", "0.171", "0.703", "0.974"};

    for (int i = 0; i < MORE; i++)
        set(AT(c, LAST + 1 + i, 0), text[i]);
}

/* row [SLOPES]: of x' at theta. */
static void slope_at(arb_mat_t row, const arb_t theta)
{
    static const int datum[DATA - 1] = {0,        SOLUTION, LAST,    LAST + 1,
                                        LAST + 2, LAST + 3, LAST + 4};
    arb_mat_t V, value, weight;

    /* sum_i weight_i datum_i(p) = p(theta) for p = 1, s, .., s^7 */
    arb_mat_init(V, DATA, DATA);
    arb_mat_init(value, DATA, 1);
    arb_mat_init(weight, DATA, 1);
    for (int k = 0; k < DATA; k++) {
        for (int i = 0; i < DATA - 1; i++)
            arb_pow_ui(AT(V, k, i), AT(c, datum[i], 0), (ulong)k, BITS);
        arb_set_si(AT(V, k, DATA - 1), k + 1);
        arb_inv(AT(V, k, DATA - 1), AT(V, k, DATA - 1), BITS);
        arb_pow_ui(AT(value, k, 0), theta, (ulong)k, BITS);
    }
    require(arb_mat_solve(weight, V, value, BITS), "a singular system");
    for (int j = 0; j < SLOPES; j++)
        arb_mul(AT(row, 0, j), AT(weight, DATA - 1, 0), AT(A, SOLUTION, j), BITS);
    for (int i = 0; i < DATA - 1; i++)
        arb_add(AT(row, 0, datum[i]), AT(row, 0, datum[i]), AT(weight, i, 0), BITS);
    arb_mat_clear(V);
    arb_mat_clear(value);
    arb_mat_clear(weight);
}

int main(void)
{
    int slope[SLOPES] = {0}, count = 1;
    arb_mat_t row;

    arb_mat_init(A, SLOPES, SLOPES);
    arb_mat_init(c, SLOPES, 1);
    arb_mat_init(node, NODES, 1);
    arb_mat_init(row, 1, SLOPES);
    trees_make();
    read_rows();
    set_more_nodes();
    for (int j = 5; j <= LAST; j++)
        slope[count++] = j;
    for (int i = LAST + 1; i < SLOPES; i++) {
        require(put_state(A, i, AT(c, i, 0), 7, slope, count, 1e-20) == 0,
                "weights that are free");
        print_stage(i - LAST + DATA, AT(c, i, 0), A, i, DIGITS);
    }
    putchar('\n');
    for (int i = 0; i < NODES; i++) {
        slope_at(row, AT(node, i, 0));
        print_row("SLOPE", i + 1, row, 0, DIGITS);
    }
    putchar('\n');
    arb_mat_clear(row);
    return 0;
}
