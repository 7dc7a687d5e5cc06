/*
 * lower.h - lowering a program to the few operations that have a Taylor recurrence of
 * their own (automatic differentiation by recurrences, Griewank & Walther 2008, ch. 13).
 *
 * Powers become products; every transcendental f with f' = w(f, a) a' becomes an INTEGRAL
 * row, k f_k = sum over j of j a_j w_(k-j), whose weight w is made of ordinary rows. So
 * companions (the cosine of a sine, 1 + f^2 of a tangent) are rows like any other.
 */
#ifndef SALTUS_LOWER_H
#define SALTUS_LOWER_H

#include "program/program.h"

/* Operations of lowered rows, all with a Taylor recurrence (recurrence.c). */
enum lowered_kind {
    LOW_LEAF, LOW_ADD, LOW_SUB, LOW_NEG, LOW_MUL,
    LOW_SCALE,          /* a b, where b is steady (constant along the motion) */
    LOW_SQUARE, LOW_DIV, LOW_SQRT,
    LOW_RATE,           /* t a': coefficient k is k a_k */
    LOW_INTEGRAL        /* value at t = 0 by `op`; f' = sign * weight * a' */
};

/* One row of a lowered program. */
struct lowered_row {
    enum lowered_kind kind;
    enum op op;             /* LEAF: operation of the leaf, OPS for the constant 1;
                               INTEGRAL: the function of the value, OP_CONSTANT for the
                               value 0 */
    bool steady;            /* depends on parameters and constants only */
    int a, b;               /* operands, as rows; a leaf keeps the members of its
                               program row */
    int rate, weight, sign; /* INTEGRAL only: the row t a', the row w, and +1 or -1 */
    /* Rows made from this one already, by which a second use finds them; -1: none. */
    int made_rate, made_circular, made_hyperbolic;
    int slot;               /* slot of the program that this row was lowered from, for
                               messages */
};

/* A lowered program. */
struct lowered {
    int rows, capacity;                 /* rows in use; rows that there is room for */
    struct lowered_row *row;
    int stage_begin[STAGES + 1];        /* first row of each stage of the program */
    int *of_slot;           /* [slots] row that holds the value of each slot */
    int one;                /* row that holds the constant 1 */
};

/* Lowers a program, which must outlive the result. Free by lowered_free. */
struct lowered *lower(const struct program *program);
void lowered_free(struct lowered *lowered);

#endif
