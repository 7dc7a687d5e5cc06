/*
 * superword.h - rows that are alike two by two, so that one instruction evaluates both.
 *
 * What happens to the x of a point happens to its y: the same operations, of operands
 * that are a pair again, or one value for both. And a sum of products of pairs, as a
 * scalar product is, is the sum of two halves that are alike: it is `split`.
 *
 * Pairs are found from variables beside each other (x and y of a point) up to what is
 * made of them. Which of the terms of a sum stand against each other is chosen before the
 * order in which they are added, and so are signs: that of a row may be turned where it
 * is used, which is no operation.
 */
#ifndef SALTUS_SUPERWORD_H
#define SALTUS_SUPERWORD_H

#include "optimise/sums.h"

struct superword {
    const struct sums *sums;
    bool found;
    int *partner;           /* [slots] the row beside it, or -1 */
    int *copy;              /* [slots] the row of which a copy is beside it, or -1: where
                               one variable of a pair has a constant added, as x + c, the
                               other comes along */
    int *turned;            /* [slots] a row that is its negative, or -1 */
    bool *second;           /* [slots] of a pair, the one that comes second */
    bool *split;            /* [slots] two halves are evaluated, then added */
    bool *loose;            /* [slots] is split, and has terms beside the halves */
    bool *negative;         /* [slots] its negative is evaluated */
    int *order, ordered;    /* rows so that operands come before; of pairs the first */
    int *users, *user;      /* [slots + 1], sums that a row is a term, or factor, of */
    int *mark, marks;       /* [slots] rows that a search has seen */
    int *stack, height, room;
};

enum { PAIRS_MOST_TERMS = 64 };     /* of a sum that is a pair, or split */

/* Two terms beside each other; of sums that a row is split into, where `halves`: a times
   the halves of b, or these alone with a = -1. */
struct pair_term {
    int a[2], b[2];         /* slots; b = -1: values */
    bool minus, halves;
};

/* Finds them, if `wanted`; unless they spare a fifth of the operations there are none,
   and rows keep their order and signs. superword_clear() afterwards. */
void superword_find(struct superword *pairs, const struct sums *sums, bool wanted);
void superword_clear(struct superword *pairs);

/* Terms of rows u and v beside each other, or, for u = v, of its halves, in term
   [2*PAIRS_MOST_TERMS]; those of a row that is split that have no other beside them in
   rest [PAIRS_MOST_TERMS]. Returns how many; *odd: v is alike but for the sign. 0: they
   are not alike. */
int superword_match(const struct superword *pairs, int u, int v, struct pair_term *term,
                    struct sum_term *rest, int *rests, bool *odd);
/* The sign of a term of what is evaluated for row `of`. */
bool superword_minus(const struct superword *pairs, int of, const struct sum_term *term);
/* Does it depend on parameters alone? A value that does, or a direction of them, may have
   a zero beside it. */
bool superword_is_still(const struct superword *pairs, int slot);
bool superword_may_be_alone(const struct superword *pairs, const struct sum_term *term);

#endif
