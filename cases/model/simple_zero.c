/*
 * simple_zero.c - guards without odd powers (simple_zero.h).
 */
#include "simple_zero.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

/* The largest exponents that are multiplied. */
enum { MOST = 32 };

struct factor {
    formula f;
    int exponent;
};

/* A product: its factors, each once, and its sign. */
struct product {
    struct factor *factor;
    int count, room;
    bool negative;
};

static void multiply(struct product *product, formula f, int exponent)
{
    struct tape_row row = tape_row(f.tape, f.row);
    formula a = {f.tape, row.a}, b = {f.tape, row.b};
    if (row.op == OP_MUL) {
        multiply(product, a, exponent);
        multiply(product, b, exponent);
        return;
    }
    if (row.op == OP_NEG) {
        product->negative = product->negative != (exponent % 2 != 0);
        multiply(product, a, exponent);
        return;
    }
    if (row.op == OP_POWI && row.b > 0 && row.b <= MOST && exponent <= MOST) {
        multiply(product, a, exponent * row.b);
        return;
    }
    int k = 0;
    while (k < product->count && !same_formula(product->factor[k].f, f))
        k++;
    if (k == product->count) {
        product->factor = memory_grow(product->factor, &product->room, ++product->count,
                                      sizeof *product->factor);
        product->factor[k] = (struct factor){f, 0};
    }
    product->factor[k].exponent += exponent;
}

static bool has_odd_power(const struct product *product)
{
    for (int k = 0; k < product->count; k++)
        if (product->factor[k].exponent % 2 != 0 && product->factor[k].exponent > 1)
            return true;
    return false;
}

formula simple_zero(formula guard)
{
    struct tape_row row = tape_row(guard.tape, guard.row);
    formula a = {guard.tape, row.a}, b = {guard.tape, row.b}, simple = guard;
    struct product product = {0};
    if (row.op == OP_DIV) {
        simple = simple_zero(a);
        return same_formula(simple, a) ? guard : quotient(simple, b);
    }
    multiply(&product, guard, 1);
    if (has_odd_power(&product)) {
        simple = integer(guard.tape, 1);
        for (int k = 0; k < product.count; k++) {
            int exponent = product.factor[k].exponent;
            simple = mul(simple, power(product.factor[k].f,
                                       exponent % 2 != 0 ? 1 : exponent));
        }
        simple = product.negative ? negate(simple) : simple;
    }
    free(product.factor);
    return simple;
}
