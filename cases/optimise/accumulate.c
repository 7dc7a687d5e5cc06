/*
 * accumulate.c - preaccumulation of local Jacobians (Griewank & Walther 2008, ch. 9, 10):
 * like terms of derivatives are collected; see accumulate.h.
 */
#include "optimise/accumulate.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/tape.h"
#include "optimise/collect.h"
#include "optimise/equal.h"

/* A coefficient times a row of the direction, or times a sum of such parts. */
struct part {
    formula c;                  /* coefficient, of values alone */
    int row;                    /* place in the order; -1: the part is a sum */
    int sum;                    /* number of its list in `sum` */
};

/* Parts [begin, begin + count) of an accumulator. */
struct list {
    int begin, count;
};

/* Rows of the directions as lists of parts. */
struct accumulator {
    struct tape *tape;
    const struct order *order;
    struct part *part;
    int parts, room;
    struct list *sum;
    int sums, sum_room;
    struct list *of;            /* [order->count] the row as its users see it */
    struct list *whole;         /* [order->count] the row itself, if it is used often */
    bool *moves;                /* [order->count] the row is linear in a direction */
    int *uses;                  /* [order->count] number of uses; an output counts as
                                   two */
    struct equal equal;         /* finds equal coefficients */
    formula one;
    int weight;                 /* cost of an operation on all directions, in
                                   operations on values */
    int spent;                  /* operations on values that coefficients of a trial
                                   cost */
    bool spared;                /* operations on directions have been spared */
    formula *value;             /* all values: outputs, then coefficients */
    int values, value_room;
};

/* --- lists -------------------------------------------------------------------------- */

static void push(struct accumulator *k, struct part part)
{
    k->part = memory_grow(k->part, &k->room, k->parts + 1, sizeof *k->part);
    k->part[k->parts++] = part;
}

static struct list list_from(const struct accumulator *k, int begin)
{
    return (struct list){begin, k->parts - begin};
}

static struct list list_of(struct accumulator *k, int row)
{
    int begin = k->parts;
    push(k, (struct part){k->one, row, -1});
    return list_from(k, begin);
}

static bool is_unit(const struct accumulator *k, formula c)
{
    return same_formula(c, k->one) || same_formula(c, negate(k->one));
}

/* Number of operations on a direction. A product is added, as one operation with the
   sum; if there is no term before it, it is one operation by itself. */
static int operations(const struct accumulator *k, struct list list)
{
    int count = list.count, units = 0;
    for (int i = list.begin; i < list.begin + list.count; i++) {
        units += is_unit(k, k->part[i].c);
        if (k->part[i].row < 0)
            count += operations(k, k->sum[k->part[i].sum]);
    }
    return count - (units > 0);
}

/* --- coefficients ------------------------------------------------------------------- */

/* c times `by`. *cost: 1 if that is an operation on values; a factor of 1, or two
   factors of parameters alone, cost nothing. */
static formula scaled(struct accumulator *k, formula c, formula by, int *cost)
{
    formula product = mul(c, by);
    *cost = !is_unit(k, c) && !is_unit(k, by) && !is_steady(product);
    return equal_first(&k->equal, product);
}

/* Adds a part to the parts from `begin` on; a part with the row is there already: the
   coefficients are added. A sum with a product is one operation. */
static void gather(struct accumulator *k, int begin, formula c, int row, int cost)
{
    for (int i = begin; i < k->parts; i++)
        if (k->part[i].row == row) {
            formula total = equal_first(&k->equal, add(k->part[i].c, c));
            k->spent += !is_steady(total);
            k->part[i].c = total;
            k->spared = true;
            if (is_zero(total))
                k->part[i] = k->part[--k->parts];
            return;
        }
    k->spent += cost;
    push(k, (struct part){c, row, -1});
}

/* Gathers the parts of a list, and of all sums in it, times `by`. */
static void spread(struct accumulator *k, int begin, struct list list, formula by)
{
    for (int i = 0; i < list.count; i++) {
        struct part part = k->part[list.begin + i];
        int cost = 0;
        formula c = scaled(k, part.c, by, &cost);
        if (part.row < 0)
            spread(k, begin, k->sum[part.sum], c);
        else
            gather(k, begin, c, part.row, cost);
    }
}

/* --- the choice of sums to be expanded ---------------------------------------------- */

/* True: some row is in both parts. */
static bool meet(const struct accumulator *k, const struct part *a, const struct part *b)
{
    if (a->row >= 0)
        return b->row >= 0 ? a->row == b->row : meet(k, b, a);
    struct list sum = k->sum[a->sum];
    for (int i = sum.begin; i < sum.begin + sum.count; i++)
        if (meet(k, &k->part[i], b))
            return true;
    return false;
}

/* Marks a sum, all sums that meet it, and all that meet these. */
static void mark(const struct accumulator *k, struct list list, int first, bool *marked)
{
    const struct part *part = k->part + list.begin;
    marked[first] = true;
    for (int i = 0; i < list.count; i++)
        if (!marked[i] && part[i].row < 0 && meet(k, &part[first], &part[i]))
            mark(k, list, i, marked);
}

/* The list with the marked sums expanded. */
static struct list apart(struct accumulator *k, struct list list, const bool *marked)
{
    int begin = k->parts;
    for (int i = 0; i < list.count; i++)
        if (!marked[i])
            push(k, k->part[list.begin + i]);
    for (int i = 0; i < list.count; i++) {
        struct part part = k->part[list.begin + i];
        if (marked[i])
            spread(k, begin, k->sum[part.sum], part.c);
    }
    return list_from(k, begin);
}

/* Expands the marked sums of a list if that is cheaper. True: it was. */
static bool take_apart(struct accumulator *k, struct list *list, const bool *marked)
{
    bool spared = k->spared;
    k->spent = 0;
    struct list other = apart(k, *list, marked);
    int fewer = operations(k, *list) - operations(k, other);
    bool cheaper = k->weight * fewer > k->spent;
    k->spared = spared || cheaper;
    *list = cheaper ? other : *list;
    return cheaper;
}

static struct list cheapest(struct accumulator *k, struct list list)
{
    bool *together = memory_new(list.count, sizeof *together);
    bool *alone = memory_new(list.count, sizeof *alone);
    bool done = false;
    for (int i = 0; i < list.count && !done; i++) {
        if (k->part[list.begin + i].row >= 0)
            continue;
        memset(together, 0, (size_t)list.count * sizeof *together);
        mark(k, list, i, together);
        alone[i] = true;
        done = take_apart(k, &list, together) || take_apart(k, &list, alone);
        alone[i] = false;
    }
    free(together);
    free(alone);
    if (done)
        return cheapest(k, list);
    for (int i = list.begin; i < list.begin + list.count; i++)
        if (k->part[i].row < 0) {
            int sum = k->part[i].sum;
            k->sum[sum] = cheapest(k, k->sum[sum]);
        }
    return list;
}

/* --- rows --------------------------------------------------------------------------- */

static struct list times(struct accumulator *k, struct list list, formula c)
{
    struct part part = {c, -1, k->sums};
    int begin = k->parts, cost;
    if (list.count == 1) {
        part = k->part[list.begin];
        part.c = scaled(k, part.c, c, &cost);
    } else {
        k->sum = memory_grow(k->sum, &k->sum_room, k->sums + 1, sizeof *k->sum);
        k->sum[k->sums++] = list;
    }
    push(k, part);
    return list_from(k, begin);
}

/* Adds a list, or its negative, to the parts from `begin` on. */
static void append(struct accumulator *k, int begin, struct list list, bool minus)
{
    for (int i = 0; i < list.count; i++) {
        struct part part = k->part[list.begin + i];
        part.c = minus ? negate(part.c) : part.c;
        if (part.row < 0)
            push(k, part);
        else
            gather(k, begin, part.c, part.row, 0);
    }
}

/* The list of a row made from those of its operands. A row that is not linear in its
   operands that move is no derivative, and stays a part of its own. */
static struct list combined(struct accumulator *k, int i)
{
    const struct order_entry *entry = &k->order->entry[i];
    struct tape_row row = k->tape->row[entry->row];
    formula a = {k->tape, row.a}, b = {k->tape, row.b};
    int begin = k->parts;
    switch ((unsigned)row.op) {
    case OP_ADD: case OP_SUB:
        append(k, begin, k->of[entry->a], false);
        append(k, begin, k->of[entry->b], row.op == OP_SUB);
        return list_from(k, begin);
    case OP_NEG:
        append(k, begin, k->of[entry->a], true);
        return list_from(k, begin);
    case OP_MUL:
        return k->moves[entry->a] ? times(k, k->of[entry->a], b)
                                  : times(k, k->of[entry->b], a);
    case OP_DIV:
        return times(k, k->of[entry->a], quotient(k->one, b));
    default:
        return list_of(k, i);
    }
}

static void find_uses(struct accumulator *k)
{
    const struct order *order = k->order;
    for (int i = 0; i < order->count; i++) {
        const struct order_entry *entry = &order->entry[i];
        struct tape_row row = k->tape->row[entry->row];
        const int operand[2] = {entry->a, entry->b};
        k->moves[i] = row.op == OP_VARIABLE && row.a >= BLOCKS;
        for (int o = 0; o < 2; o++)
            if (operand[o] >= 0) {
                k->uses[operand[o]]++;
                k->moves[i] = k->moves[i] || k->moves[operand[o]];
            }
    }
    for (int i = 0; i < order->roots; i++)
        if (order->root[i] >= 0)
            k->uses[order->root[i]] += 2;
}

static bool is_along(const struct accumulator *k, int output)
{
    return k->order->root[output] >= 0 && k->moves[k->order->root[output]];
}

static void decide(struct accumulator *k)
{
    for (int i = 0; i < k->order->count; i++) {
        if (!k->moves[i])
            continue;
        struct list list = k->of[i] = combined(k, i);
        bool itself = list.count == 1 && k->part[list.begin].row == i;
        if (k->uses[i] > 1 && !itself) {
            k->whole[i] = cheapest(k, list);
            k->of[i] = list_of(k, i);
        }
    }
}

/* --- written out -------------------------------------------------------------------- */

static formula written(const struct accumulator *k, struct list list, const formula *now)
{
    formula plus = {NULL, 0}, minus = {NULL, 0};
    for (int i = list.begin; i < list.begin + list.count; i++) {
        const struct part *part = &k->part[i];
        bool negative;
        formula c = magnitude(part->c, &negative);
        formula product = mul(c, part->row < 0 ? written(k, k->sum[part->sum], now)
                                               : now[part->row]);
        *(negative ? &minus : &plus) = add(negative ? minus : plus, product);
    }
    return sub(plus, minus);
}

/* Puts a value at the end of k->value or, `back`, takes the next of k->value. */
static void carry(struct accumulator *k, formula *value, bool back)
{
    k->value = memory_grow(k->value, &k->value_room, k->values + 1, sizeof *k->value);
    formula *kept = &k->value[k->values++];
    if (back)
        *value = *kept;
    else
        *kept = *value;
}

static void carry_list(struct accumulator *k, struct list list, bool back)
{
    for (int i = list.begin; i < list.begin + list.count; i++) {
        carry(k, &k->part[i].c, back);
        if (k->part[i].row < 0)
            carry_list(k, k->sum[k->part[i].sum], back);
    }
}

static void carry_all(struct accumulator *k, formula *f, int count, bool back)
{
    k->values = 0;
    for (int i = 0; i < count; i++)
        if (!is_along(k, i))
            carry(k, &f[i], back);
    for (int i = 0; i < k->order->count; i++)
        carry_list(k, k->whole[i], back);
}

/* Collects like terms of the coefficients together with the values. */
static void collect_values(struct accumulator *k, formula *f, int count)
{
    carry_all(k, f, count, false);
    collect(k->tape, k->value, k->values, false);
    carry_all(k, f, count, true);
}

static void write_rows(struct accumulator *k, formula *f, int count)
{
    formula *now = memory_new(k->order->count, sizeof *now);
    for (int i = 0; i < k->order->count; i++) {
        now[i] = (formula){k->tape, k->order->entry[i].row};
        if (k->whole[i].count > 0)
            now[i] = written(k, k->whole[i], now);
    }
    for (int i = 0; i < count; i++)
        if (is_along(k, i))
            f[i] = now[k->order->root[i]];
    free(now);
}

static void clear(struct accumulator *k)
{
    free(k->part);
    free(k->sum);
    free(k->of);
    free(k->whole);
    free(k->uses);
    free(k->moves);
    free(k->value);
    equal_clear(&k->equal);
}

void accumulate(struct tape *tape, formula *f, int count, int weight)
{
    if (weight < 2)
        return;
    struct order order;
    order_from(&order, tape, f, count);
    struct accumulator k = {
        .tape = tape, .order = &order, .equal = {.tape = tape}, .one = integer(tape, 1),
        .weight = weight, .of = memory_new(order.count, sizeof *k.of),
        .whole = memory_new(order.count, sizeof *k.whole),
        .uses = memory_new(order.count, sizeof *k.uses),
        .moves = memory_new(order.count, sizeof *k.moves)};
    find_uses(&k);
    decide(&k);
    if (k.spared) {
        collect_values(&k, f, count);
        write_rows(&k, f, count);
    }
    clear(&k);
    order_clear(&order);
}
