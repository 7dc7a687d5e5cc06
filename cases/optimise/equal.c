/*
 * equal.c - probabilistic identity testing (Schwartz, Zippel): values of rows in the
 * integers modulo the prime 2^61 - 1; see equal.h.
 */
#include "optimise/equal.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/splitmix.h"

__extension__ typedef unsigned __int128 product_type;

static const uint64_t prime = ((uint64_t)1 << 61) - 1;

/* --- the field ---------------------------------------------------------------------- */

static uint64_t plus(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return sum >= prime ? sum - prime : sum;
}

static uint64_t minus(uint64_t a)
{
    return a == 0 ? 0 : prime - a;
}

/* The product, reduced by 2^61 = 1. */
static uint64_t times(uint64_t a, uint64_t b)
{
    product_type product = (product_type)a * b;
    return plus((uint64_t)(product & prime), (uint64_t)(product >> 61));
}

static uint64_t raised(uint64_t a, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result = times(result, a);
        a = times(a, a);
    }
    return result;
}

/* Fermat's little theorem: a^(p-1) = 1 for a != 0. */
static uint64_t inverse(uint64_t a)
{
    return raised(a, prime - 2);
}

/* A pseudo-random number that depends on the arguments alone. */
static uint64_t any(uint64_t what, uint64_t a, uint64_t b)
{
    const uint64_t number[3] = {what, a, b};
    uint64_t mixed = 0;
    for (int k = 0; k < 3; k++)
        mixed = splitmix64(mixed + number[k]);
    return mixed % prime;
}

/* --- rows --------------------------------------------------------------------------- */

/* The value of a constant: [-] digits [e exponent], decimal.h. */
static uint64_t number_value(const char *text)
{
    bool negative = *text == '-';
    uint64_t value = 0;
    for (text += negative; *text >= '0' && *text <= '9'; text++)
        value = plus(times(value, 10), (uint64_t)(*text - '0'));
    long exponent = *text == 'e' ? strtol(text + 1, NULL, 10) : 0;
    uint64_t scale = raised(10, (uint64_t)labs(exponent));
    value = times(value, exponent < 0 ? inverse(scale) : scale);
    return negative ? minus(value) : value;
}

static uint64_t power_value(uint64_t a, int exponent)
{
    if (exponent >= 0)
        return raised(a, (uint64_t)exponent);
    return a == 0 ? any(OP_POWI, 0, 0) : inverse(raised(a, (uint64_t)-(long)exponent));
}

static uint64_t row_value(const struct tape *tape, struct tape_row row, uint64_t a,
                          uint64_t b)
{
    switch (row.op) {
    case OP_CONSTANT: return number_value(tape->constant[row.a].text);
    case OP_VARIABLE: return any(OP_VARIABLE, (uint64_t)row.a, (uint64_t)row.b);
    case OP_ADD: return plus(a, b);
    case OP_SUB: return plus(a, minus(b));
    case OP_NEG: return minus(a);
    case OP_MUL: return times(a, b);
    case OP_DIV: return b == 0 ? any(OP_DIV, a, 0) : times(a, inverse(b));
    case OP_POWI: return power_value(a, row.b);
    default: return any(row.op, a, b);
    }
}

static void push(struct equal *k, int row)
{
    if (k->row[row].known)
        return;
    k->stack = memory_grow(k->stack, &k->stack_room, k->height + 1, sizeof *k->stack);
    k->stack[k->height++] = row;
}

/* The value of a row, with those of all rows that it reaches; operands come first. */
static uint64_t value_of(struct equal *k, int root)
{
    const struct tape *tape = k->tape;
    k->row = memory_grow(k->row, &k->room, tape->rows, sizeof *k->row);
    k->height = 0;
    push(k, root);
    while (k->height > 0) {
        int i = k->stack[k->height - 1], height = k->height;
        struct tape_row row = tape->row[i];
        int operands = op_operands(row.op), a = operands > 0 ? row.a : 0;
        int b = operands > 1 ? row.b : 0;
        if (operands > 0)
            push(k, a);
        if (operands > 1)
            push(k, b);
        if (k->height > height)
            continue;
        k->height--;
        k->row[i].value = row_value(tape, row, k->row[a].value, k->row[b].value);
        k->row[i].known = true;
    }
    return k->row[root].value;
}

/* --- equal rows --------------------------------------------------------------------- */

/* A formula that was never set has row 0, which is 0. */
bool equal_formulas(struct equal *k, formula a, formula b)
{
    return same_formula(a, b) || value_of(k, a.row) == value_of(k, b.row);
}

static bool has_value(const void *owner, int item, const void *key)
{
    const struct equal *k = owner;
    return k->row[item].value == *(const uint64_t *)key;
}

static uint32_t hash_of(uint64_t value)
{
    return hash_numbers((int)(value >> 32), (int)(value & INT32_MAX), 0);
}

static int find(const struct equal *k, uint64_t value)
{
    return index_find(&k->index, hash_of(value), has_value, k, &value);
}

formula equal_first(struct equal *k, formula f)
{
    uint64_t value = value_of(k, f.row);
    if (value == 0)
        return (formula){f.tape, 0};
    if (k->row[f.row].first > 0)
        return (formula){f.tape, k->row[f.row].first - 1};
    int row = find(k, value), other = row < 0 ? find(k, minus(value)) : -1;
    formula first = f;
    if (row >= 0)
        first.row = row;
    else if (other >= 0)
        first = negate((formula){f.tape, other});
    else
        index_put(&k->index, hash_of(value), f.row);
    k->row[f.row].first = 1 + first.row;
    return first;
}

void equal_clear(struct equal *k)
{
    free(k->row);
    free(k->stack);
    index_clear(&k->index);
}
