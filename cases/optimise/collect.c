/*
 * collect.c - collection of like terms and common factors, strength reduction of
 * divisions; see collect.h.
 */
#include "optimise/collect.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/tape.h"
#include "optimise/equal.h"

/* A coefficient c times a product b. */
struct term {
    formula c;                  /* coefficient, of parameters alone */
    formula b;                  /* product that moves with the state; 1: the term is c */
};

/* A linear combination: terms [begin, begin + count) of the collector. */
struct combination {
    int begin, count;
};

/* The kinds of variables that a row depends on; the last of them counts. */
enum level { OF_PARAMETERS, OF_STATE, OF_DIRECTION };

/* All rows as linear combinations. */
struct collector {
    struct tape *tape;
    struct term *term;          /* [room] terms of all rows, one list after the other */
    int terms, room;
    struct combination *of;     /* [order.count] combination of each row */
    unsigned char *level;       /* [order.count] enum level */
    int *uses;                  /* [order.count] uses of each row */
    int *products;              /* [order.count] products of the row with another row
                                   that moves */
    int *age;                   /* [row of the tape] order in which rows were first
                                   seen, from 1 */
    int ages, age_room;
    struct equal equal;         /* finds equal coefficients */
    formula one;
    bool apart;                 /* coefficients of parameters alone are no part of a
                                   sum that is used often */
};

/* --- the order of operands ---------------------------------------------------------- */

/* The number of a row in the order in which rows are first met here. Numbers of the
   tape would depend on what else was recorded. */
static int age(struct collector *k, formula f)
{
    k->age = memory_grow(k->age, &k->age_room, f.row + 1, sizeof *k->age);
    if (k->age[f.row] == 0)
        k->age[f.row] = ++k->ages;
    return k->age[f.row];
}

/* The product of two rows in a canonical order: a*b and b*a are one row. */
static formula product(struct collector *k, formula a, formula b)
{
    bool swap = age(k, a) > age(k, b);
    return same_formula(a, b) ? power(a, 2) : swap ? mul(b, a) : mul(a, b);
}

/* --- lists of terms ----------------------------------------------------------------- */

static bool is_one(const struct collector *k, formula f)
{
    return same_formula(f, k->one);
}

/* Adds c*b to the list that begins at `begin` and ends with the last term. */
static void add_term(struct collector *k, int begin, formula c, formula b)
{
    c = equal_first(&k->equal, c);
    if (is_zero(c) || is_zero(b))
        return;
    for (int i = begin; i < k->terms; i++)
        if (same_formula(k->term[i].b, b)) {
            k->term[i].c = equal_first(&k->equal, add(k->term[i].c, c));
            if (is_zero(k->term[i].c))
                k->term[i] = k->term[--k->terms];
            return;
        }
    k->term = memory_grow(k->term, &k->room, k->terms + 1, sizeof *k->term);
    k->term[k->terms++] = (struct term){c, b};
}

static void add_scaled(struct collector *k, int begin, struct combination what,
                       formula scale)
{
    for (int i = 0; i < what.count; i++) {
        struct term term = k->term[what.begin + i];
        add_term(k, begin, mul(scale, term.c), term.b);
    }
}

static struct combination list_from(const struct collector *k, int begin)
{
    return (struct combination){begin, k->terms - begin};
}

static struct combination list_of(struct collector *k, formula c, formula b)
{
    int begin = k->terms;
    add_term(k, begin, c, b);
    return list_from(k, begin);
}

/* --- written out -------------------------------------------------------------------- */

static int by_age(const void *left, const void *right)
{
    const int *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The sum of the products with the coefficient c, but for signs, in the order of their
   ages; they leave the list. The first has the sign +; *negative: its sign was -. */
static formula sum_of_equal(struct collector *k, struct combination *left, formula c,
                            bool *negative)
{
    formula total = {NULL, 0};
    int (*found)[2] = memory_new(left->count, sizeof *found), count = 0, kept = 0;
    struct term *term = k->term + left->begin;
    for (int i = 0; i < left->count; i++) {
        bool minus;
        if (same_formula(magnitude(term[i].c, &minus), c)) {
            found[count][0] = age(k, term[i].b);
            found[count++][1] = minus ? -term[i].b.row : term[i].b.row;
        } else {
            term[kept++] = term[i];
        }
    }
    left->count = kept;
    qsort(found, (size_t)count, sizeof *found, by_age);
    *negative = found[0][1] < 0;
    for (int i = 0; i < count; i++) {
        bool minus = found[i][1] < 0;
        formula b = {k->tape, abs(found[i][1])};
        total = minus == *negative ? add(total, b) : sub(total, b);
    }
    free(found);
    return total;
}

/* The formula of a combination, whose list is used up. */
static formula written(struct collector *k, struct combination left)
{
    formula plus = {NULL, 0}, minus = {NULL, 0};
    while (left.count > 0) {
        bool negative;
        formula c = magnitude(k->term[left.begin].c, &negative);
        formula part = mul(c, sum_of_equal(k, &left, c, &negative));
        if (negative)
            minus = add(minus, part);
        else
            plus = add(plus, part);
    }
    return sub(plus, minus);
}

/* A combination as one term: a sum becomes a product of its own, without the
   coefficient that all of its terms share. */
static struct term single(struct collector *k, struct combination what)
{
    if (what.count == 0)
        return (struct term){k->one, {NULL, 0}};
    if (what.count == 1)
        return k->term[what.begin];
    int end = k->terms;
    bool negative;
    add_scaled(k, end, what, k->one);
    struct combination left = list_from(k, end);
    formula c = magnitude(k->term[end].c, &negative);
    formula head = sum_of_equal(k, &left, c, &negative);
    if (left.count > 0) {           /* the sign of the first is taken out of the whole
                                       sum */
        formula rest = written(k, left), first = mul(c, head);
        head = negative ? sub(first, rest) : add(first, rest);
        c = k->one;
    }
    k->terms = end;
    return (struct term){negative ? negate(c) : c, head};
}

static formula whole(struct collector *k, struct combination what)
{
    struct term term = single(k, what);
    return mul(term.c, term.b);
}

/* --- rows --------------------------------------------------------------------------- */

static formula reciprocal(struct collector *k, formula b)
{
    if (is_zero(b))             /* recorded as it stands, as quotient() does */
        b = (formula){k->tape, 0};
    return is_one(k, b) ? b : quotient(k->one, b);
}

/* The combination of the product of two single terms, or (`divided`) of their
   quotient. */
static struct combination times(struct collector *k, struct term a, struct term b,
                                bool divided)
{
    formula c = divided ? quotient(a.c, b.c) : mul(a.c, b.c);
    formula other = divided ? reciprocal(k, b.b) : b.b;
    if (is_zero(a.b) || is_zero(other))
        return (struct combination){k->terms, 0};
    formula base = is_one(k, a.b) ? other : is_one(k, other) ? a.b
                                                             : product(k, a.b, other);
    return list_of(k, c, base);
}

/* True: the combination is a coefficient, by which others are multiplied term by term. */
static bool is_number(const struct collector *k, struct combination what)
{
    return what.count == 1 && is_one(k, k->term[what.begin].b);
}

static struct combination multiply(struct collector *k, struct combination a,
                                   struct combination b)
{
    int begin = k->terms;
    if (is_number(k, a))
        add_scaled(k, begin, b, k->term[a.begin].c);
    else if (is_number(k, b))
        add_scaled(k, begin, a, k->term[b.begin].c);
    if (is_number(k, a) || is_number(k, b))
        return list_from(k, begin);
    struct term first = single(k, a), second = single(k, b);
    return times(k, first, second, false);
}

static struct combination raise(struct collector *k, struct combination a, int exponent)
{
    struct term term = single(k, a);
    if (is_zero(term.b))
        return (struct combination){k->terms, 0};
    return list_of(k, power(term.c, exponent), power(term.b, exponent));
}

/* The combination of a row from those of its operands. Operands are made one after the
   other, so that their order does not depend on the compiler. */
static struct combination combine(struct collector *k, struct tape_row row,
                                  struct combination a, struct combination b)
{
    int begin = k->terms;
    if (row.op == OP_ADD || row.op == OP_SUB) {
        add_scaled(k, begin, a, k->one);
        add_scaled(k, begin, b, row.op == OP_ADD ? k->one : negate(k->one));
        return list_from(k, begin);
    }
    if (row.op == OP_NEG) {
        add_scaled(k, begin, a, negate(k->one));
        return list_from(k, begin);
    }
    if (row.op == OP_POWI)
        return raise(k, a, row.b);
    if (row.op == OP_MUL)
        return multiply(k, a, b);
    if (row.op == OP_DIV) {
        struct term above = single(k, a), below = single(k, b);
        return times(k, above, below, true);
    }
    formula first = whole(k, a);
    if (op_operands(row.op) == 1)
        return list_of(k, k->one, apply(row.op, first));
    formula second = whole(k, b);
    return list_of(k, k->one, apply2(row.op, first, second));
}

/* Multiplies a factor of several products with its coefficient first: an entry of a
   Schur complement, with which pivots are made. A number is not multiplied, as it soon
   meets another one; nor is a factor linear in a direction, which has one product in
   each sum. */
static struct term weighed(struct collector *k, struct term term)
{
    bool negative;
    formula c = magnitude(term.c, &negative);
    if (k->tape->row[c.row].op == OP_CONSTANT || is_one(k, term.b))
        return term;
    return (struct term){negative ? negate(k->one) : k->one, mul(c, term.b)};
}

/* A sum that is used in several places, as one term. */
static struct term shared(struct collector *k, struct combination what, int i)
{
    struct term term = single(k, what);
    bool weighs = k->products[i] > 1 && k->level[i] == OF_STATE;
    return weighs ? weighed(k, term) : term;
}

/* The sum becomes a term of its own, except its coefficient of parameters alone: that
   one is added where the sum is used, often to others of its kind. The y of a point,
   on which its weight acts, is then written like its x. */
static struct combination used_often(struct collector *k, struct combination what, int at)
{
    struct term *term = k->term + what.begin, still = {{NULL, 0}, {NULL, 0}};
    for (int i = 0; i < what.count && what.count > 2; i++)
        if (is_one(k, term[i].b)) {         /* there is at most one */
            still = term[i];
            memmove(term + i, term + i + 1, (size_t)(--what.count - i) * sizeof *term);
        }
    int begin = k->terms;
    struct term head = shared(k, what, at);
    add_term(k, begin, head.c, head.b);
    add_term(k, begin, still.c, still.b);
    return list_from(k, begin);
}

/* The combination of row i. A row that depends on parameters alone is a coefficient,
   whatever its operation. */
static struct combination collected(struct collector *k, const struct order *order, int i)
{
    const struct order_entry *entry = &order->entry[i];
    struct combination a = {0, 0}, b = {0, 0};
    formula f = {k->tape, entry->row};
    struct tape_row row = k->tape->row[f.row];
    if (k->level[i] == OF_PARAMETERS)
        return list_of(k, f, k->one);
    if (row.op == OP_VARIABLE)
        return list_of(k, k->one, f);
    if (entry->a >= 0)
        a = k->of[entry->a];
    if (entry->b >= 0)
        b = k->of[entry->b];
    struct combination what = combine(k, row, a, b);
    if (what.count < 2 || k->uses[i] < 2)
        return what;
    if (k->apart)
        return used_often(k, what, i);
    struct term term = shared(k, what, i);
    return list_of(k, term.c, term.b);
}

static unsigned char level_of(const struct collector *k, const struct order_entry *entry)
{
    struct tape_row row = k->tape->row[entry->row];
    if (row.op == OP_VARIABLE)
        return row.a == BLOCK_RHO ? OF_PARAMETERS
                                  : row.a < BLOCKS ? OF_STATE : OF_DIRECTION;
    unsigned char a = entry->a >= 0 ? k->level[entry->a] : OF_PARAMETERS;
    unsigned char b = entry->b >= 0 ? k->level[entry->b] : OF_PARAMETERS;
    return a > b ? a : b;
}

static void count_uses(struct collector *k, const struct order *order)
{
    for (int i = 0; i < order->count; i++) {
        const struct order_entry *entry = &order->entry[i];
        const int operand[2] = {entry->a, entry->b};
        bool product = k->tape->row[entry->row].op == OP_MUL &&
                       k->level[entry->a] > OF_PARAMETERS &&
                       k->level[entry->b] > OF_PARAMETERS;
        for (int o = 0; o < 2; o++)
            if (operand[o] >= 0) {
                k->uses[operand[o]]++;
                k->products[operand[o]] += product;
            }
    }
    for (int i = 0; i < order->roots; i++)
        if (order->root[i] >= 0)
            k->uses[order->root[i]]++;
}

void collect(struct tape *tape, formula *f, int count, bool apart)
{
    struct collector k = {.tape = tape, .equal = {.tape = tape}, .one = integer(tape, 1),
                          .apart = apart};
    struct order order;
    order_from(&order, tape, f, count);
    k.of = memory_new(order.count, sizeof *k.of);
    k.uses = memory_new(order.count, sizeof *k.uses);
    k.products = memory_new(order.count, sizeof *k.products);
    k.level = memory_new(order.count, sizeof *k.level);
    for (int i = 0; i < order.count; i++)
        k.level[i] = level_of(&k, &order.entry[i]);
    count_uses(&k, &order);
    for (int i = 0; i < order.count; i++)
        k.of[i] = collected(&k, &order, i);
    for (int i = 0; i < count; i++)
        if (order.root[i] >= 0)
            f[i] = whole(&k, k.of[order.root[i]]);
    free(k.term);
    free(k.of);
    free(k.uses);
    free(k.products);
    free(k.level);
    free(k.age);
    equal_clear(&k.equal);
    order_clear(&order);
}
