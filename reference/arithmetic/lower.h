/*
 * lower.h - a program lowered to the few operations that have their own Taylor
 *           recurrence.
 *
 * Powers become products; every transcendental f with f' = w(f, a) a' becomes an INTEGRAL
 * row, k f_k = sum over j of j a_j w_(k-j), whose weight w is made of ordinary rows. So
 * companions (the cosine of a sine, 1 + f^2 of a tangent) are rows like any other.
 */
#ifndef SALTUS_LOWER_H
#define SALTUS_LOWER_H

#include "program/program.h"

enum lowered_kind {
    LOW_LEAF, LOW_ADD, LOW_SUB, LOW_NEG, LOW_MUL,
    LOW_SCALE,          /* a b with b steady */
    LOW_SQUARE, LOW_DIV, LOW_SQRT,
    LOW_RATE,           /* t a': coefficient k is k a_k */
    LOW_INTEGRAL        /* value at 0 by `op`; f' = sign * weight * a' */
};

struct lowered_row {
    enum lowered_kind kind;
    enum op op;             /* LEAF: the leaf; INTEGRAL: the function, OP_CONSTANT: 0 */
    bool steady;
    int a, b;               /* rows; a leaf keeps those of the program */
    int rate, weight, sign; /* INTEGRAL */
    int made_rate, made_circular, made_hyperbolic;  /* rows already made from this one */
    int slot;               /* of the program, for messages */
};

struct lowered {
    int rows, capacity;
    struct lowered_row *row;
    int stage_begin[PROGRAM_STAGES + 1];
    int *of_slot;           /* [slots] row of each slot */
    int one;                /* row that holds 1 */
};

struct lowered *lower(const struct program *program);
void lowered_free(struct lowered *lowered);

#endif
