/*
 * equal.h - common subexpressions however they are written, by probabilistic identity
 * testing (Schwartz 1980; Zippel 1979).
 *
 * (a*b)*c and a*(b*c), b - a and -(a - b), an entry of the inverse of a symmetric matrix
 * and its mirror image are different rows and the same number. They are found by their
 * values at one random point, in the integers modulo 2^61 - 1, where nothing is rounded:
 * formulas that are equal agree, and others all but never, by chance in one of 1e15
 * pairs. A function that no field has, a root or a sine, has a pseudo-random value that
 * depends on the argument alone. The point is always the same one.
 */
#ifndef SALTUS_EQUAL_H
#define SALTUS_EQUAL_H

#include "base/index.h"
#include "formula/tape.h"

/* Values of rows at that point, and the first row with each value. */
struct equal {
    struct tape *tape;
    /* One row of the tape. */
    struct equal_row {
        uint64_t value;
        bool known;
        int first;          /* 1 + the first row of equal or opposite value that was
                               asked for; 0: not asked for */
    } *row;
    int room;
    struct index index;     /* the first rows, by value */
    int *stack, height, stack_room;     /* rows that wait for their operands */
};

/* Frees all but the tape. A struct equal is begun by setting the tape and all other
   bytes to zero. */
void equal_clear(struct equal *equal);
/* True: a and b have equal values. */
bool equal_formulas(struct equal *equal, formula a, formula b);
/* The first of all formulas asked for that are equal to f, or the negative of the
   first that is equal to -f. The result depends on the order of asking alone. */
formula equal_first(struct equal *equal, formula f);

#endif
