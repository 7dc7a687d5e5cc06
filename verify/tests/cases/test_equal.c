/*
 * test_equal.c - cases/optimise/equal.c: formulas that are equal are found to be, however
 * they are written, and others are not.
 */
#include <criterion/criterion.h>

#include "optimise/equal.h"
#include "random_formulas.h"

enum { LEAVES = 6, TRIALS = 200, TERMS = 5 };

struct leaves {
    struct tape *tape;
    formula of[LEAVES];
};

static struct leaves leaves_new(void)
{
    struct leaves l = {.tape = tape_new()};
    for (int k = 0; k < LEAVES; k++)
        l.of[k] = variable(l.tape, k % 2 ? BLOCK_RHO : BLOCK_Q, k);
    return l;
}

static formula word(struct tape *tape, const char *decimal)
{
    return constant(tape, decimal);
}

/* --- what algebra says -------------------------------------------------------------- */

Test(equal, products_and_sums_in_any_order_and_with_any_sign_are_equal)
{
    struct leaves l = leaves_new();
    formula a = l.of[0], b = l.of[1], c = l.of[2], d = l.of[3];
    formula one = integer(l.tape, 1), half = word(l.tape, "0.5");
    const formula pairs[][2] = {
        {mul(mul(a, b), c), mul(a, mul(b, c))},
        {mul(a, b), mul(b, a)},
        {sub(b, a), negate(sub(a, b))},
        {mul(a, add(b, c)), add(mul(a, b), mul(a, c))},
        {sub(power(a, 2), power(b, 2)), mul(sub(a, b), add(a, b))},
        {quotient(quotient(a, b), c), quotient(a, mul(c, b))},
        {quotient(one, quotient(a, b)), quotient(b, a)},
        {power(a, -3), quotient(one, mul(a, mul(a, a)))},
        {add(quotient(a, b), quotient(c, d)),
         quotient(add(mul(a, d), mul(c, b)), mul(b, d))},
        {mul(half, a), quotient(a, integer(l.tape, 2))},
        {mul(word(l.tape, "-1.25e-3"), a), quotient(negate(a), integer(l.tape, 800))},
        {mul(word(l.tape, "3e2"), a), mul(integer(l.tape, 300), a)},
        {apply(OP_SIN, add(a, b)), apply(OP_SIN, add(b, a))},
        {apply(OP_SQRT, mul(a, add(b, c))), apply(OP_SQRT, add(mul(c, a), mul(b, a)))},
        {sub(a, a), (formula){NULL, 0}},
    };
    struct equal equal = {.tape = l.tape};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        cr_expect(equal_formulas(&equal, pairs[k][0], pairs[k][1]), "pair %zu", k);
    equal_clear(&equal);
    tape_free(l.tape);
}

Test(equal, others_are_not)
{
    struct leaves l = leaves_new();
    formula a = l.of[0], b = l.of[1], zero = integer(l.tape, 0);
    const formula others[] = {
        a, b, integer(l.tape, 1), integer(l.tape, 2), integer(l.tape, -1),
        word(l.tape, "0.1"), word(l.tape, "0.01"), word(l.tape, "1e9"),
        pi_formula(l.tape), add(a, b), sub(a, b), sub(b, a), mul(a, b), quotient(a, b),
        quotient(b, a), power(a, 2), power(a, 3), power(a, -2), negate(a),
        apply(OP_SIN, a), apply(OP_SIN, b), apply(OP_COS, a), apply(OP_SQRT, a),
        apply2(OP_ATAN2, a, b), apply2(OP_ATAN2, b, a), quotient(a, zero),
        quotient(b, zero), zero};
    enum { ALL = sizeof others / sizeof *others };
    struct equal equal = {.tape = l.tape};
    for (int i = 0; i < ALL; i++)
        for (int j = 0; j < ALL; j++)
            cr_expect_eq(equal_formulas(&equal, others[i], others[j]), i == j,
                         "formulas %d and %d", i, j);
    equal_clear(&equal);
    tape_free(l.tape);
}

/* A sum of products, in an order that is drawn. */
static formula drawn_sum(struct random *random, const formula *a, const formula *b)
{
    formula total = {NULL, 0};
    bool used[TERMS] = {false};
    for (int left = TERMS; left > 0; left--) {
        int k = random_below(random, TERMS);
        while (used[k])
            k = (k + 1) % TERMS;
        used[k] = true;
        bool swap = random_below(random, 2);
        formula term = swap ? mul(b[k], a[k]) : mul(a[k], b[k]);
        bool sides = random_below(random, 2);
        total = random_below(random, 3) == 0 ? sub(total, negate(term))
                : sides                      ? add(total, term)
                                             : add(term, total);
    }
    return total;
}

/* What is added is of functions that no field has; one factor that is another makes
   another sum. */
Test(equal, a_sum_is_the_same_in_any_order_and_another_with_one_factor_changed)
{
    struct random random = random_start();
    for (int trial = 0; trial < TRIALS; trial++) {
        struct leaves l = leaves_new();
        formula a[TERMS], b[TERMS];
        for (int k = 0; k < TERMS; k++) {
            a[k] = random_formula(&random, l.of, LEAVES, 12);
            b[k] = add(l.of[k], random_formula(&random, l.of, LEAVES, 12));
        }
        formula one = drawn_sum(&random, a, b), other = drawn_sum(&random, a, b);
        b[trial % TERMS] = add(b[trial % TERMS], integer(l.tape, 1));
        formula changed = drawn_sum(&random, a, b);
        struct equal equal = {.tape = l.tape};
        cr_expect(equal_formulas(&equal, one, other), "trial %d of seed %llu", trial,
                  random.seed);
        cr_expect(equal_formulas(&equal, a[trial % TERMS], (formula){NULL, 0}) ||
                      !equal_formulas(&equal, one, changed),
                  "trial %d of seed %llu, changed", trial, random.seed);
        equal_clear(&equal);
        tape_free(l.tape);
    }
}

/* --- the first of them -------------------------------------------------------------- */

Test(equal, the_first_stands_for_all_and_for_their_negatives)
{
    struct leaves l = leaves_new();
    formula a = l.of[0], b = l.of[1], late = mul(b, a);
    formula difference = sub(a, b), product = mul(a, b);
    struct equal equal = {.tape = l.tape};
    cr_expect(same_formula(equal_first(&equal, product), product));
    cr_expect(same_formula(equal_first(&equal, late), product));
    cr_expect(same_formula(equal_first(&equal, difference), difference));
    cr_expect(same_formula(equal_first(&equal, sub(b, a)), negate(difference)));
    cr_expect(same_formula(equal_first(&equal, mul(negate(b), a)), negate(product)));
    cr_expect(is_zero(equal_first(&equal, add(difference, sub(b, a)))));
    cr_expect(is_zero(equal_first(&equal, (formula){NULL, 0})));
    equal_clear(&equal);
    tape_free(l.tape);
}
