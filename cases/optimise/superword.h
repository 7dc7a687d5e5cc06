/*
 * superword.h - superword-level parallelism (SLP vectorisation, Larsen & Amarasinghe
 * 2000): rows that are alike two by two, so that one SIMD instruction evaluates both.
 *
 * The y of a point is computed like its x: the same operations, of operands that are a
 * pair again, or one value for both. And a sum of products of pairs, as a scalar product
 * is, is the sum of two halves that are alike: it is `split`.
 *
 * Pairs are found from variables beside each other (x and y of a point) up to the rows
 * made of them. Which terms of two sums stand beside each other is chosen before the
 * order in which they are added, and so are signs: the sign of a row may be turned where
 * the row is used, which is no operation.
 */
#ifndef SALTUS_SUPERWORD_H
#define SALTUS_SUPERWORD_H

#include "optimise/sums.h"

/* The pairs of a program. */
struct superword {
    const struct sums *sums;    /* the sums of the program */
    bool found;             /* there are pairs */
    int *partner;           /* [slots] the other row of a pair, or -1 */
    int *copy;              /* [slots] the row of which a copy is beside this one, or
                               -1: if one variable of a pair has a constant added, as x
                               + c, the other is copied beside it */
    int *turned;            /* [slots] a row that is the negative of this one, or -1 */
    bool *second;           /* [slots] the row comes second in its pair */
    bool *split;            /* [slots] two halves of the row are evaluated, then added */
    bool *loose;            /* [slots] the row is split, and has terms beside the
                               halves */
    bool *negative;         /* [slots] the negative of the row is evaluated */
    int *order, ordered;    /* [slots] rows so that operands come first; of pairs the
                               first row */
    /* [slots + 1] begins of the lists `user`: the sums that a row is a term, or
       factor, of. */
    int *users, *user;
    /* [slots] number of the last search that has seen a row, and of the current
       search. */
    int *mark, marks;
    int *stack, height, room;   /* rows that a search still has to visit */
};

/* Most terms of a sum that is in a pair, or split. */
enum { PAIRS_MOST_TERMS = 64 };

/* Two terms beside each other. `halves`: a times the two halves of the split row b, or
   the halves alone with a = -1. */
struct pair_term {
    int a[2], b[2];         /* slots of both terms; b = -1: values */
    bool minus, halves;
};

/* Finds pairs, if `wanted`. Unless they spare a fifth of the operations there are
   none, and rows keep their order and signs. Clear by superword_clear. */
void superword_find(struct superword *pairs, const struct sums *sums, bool wanted);
void superword_clear(struct superword *pairs);

/* Matches the terms of rows u and v, or, for u = v, of the two halves of u. Fills term
   [2*PAIRS_MOST_TERMS] with terms beside each other, and rest [PAIRS_MOST_TERMS] with
   `rests` terms of a split row that have no other beside them. *odd: v is alike but
   for the sign. Returns the number of pairs of terms; 0: the rows are not alike. */
int superword_match(const struct superword *pairs, int u, int v, struct pair_term *term,
                    struct sum_term *rest, int *rests, bool *odd);
/* True: the term is subtracted in the value evaluated for row `of`. */
bool superword_minus(const struct superword *pairs, int of, const struct sum_term *term);
/* True: the row depends on parameters alone. */
bool superword_is_still(const struct superword *pairs, int slot);
/* True: the term is a value of parameters alone, or of a direction of them, and may
   have a zero beside it. */
bool superword_may_be_alone(const struct superword *pairs, const struct sum_term *term);

#endif
