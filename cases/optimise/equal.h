/*
 * equal.h - which formulas are equal, however they are written.
 *
 * (a*b)*c and a*(b*c), b - a and -(a - b), an entry of the inverse of a symmetric matrix
 * and its mirror image are different rows and the same number. They are found by their
 * values at one random point, in the integers modulo 2^61 - 1, where nothing is rounded:
 * formulas that are equal agree, and others all but never, by chance in one of 1e15 pairs
 * (Schwartz 1980; Zippel 1979). What no field has, a root or a sine, is any number that
 * depends on the argument alone. The point is always the same one.
 */
#ifndef SALTUS_EQUAL_H
#define SALTUS_EQUAL_H

#include "base/index.h"
#include "formula/tape.h"

/* Of each row: its value at that point, and which of those that were asked for first has
   the same value. */
struct equal {
    struct tape *tape;
    struct equal_row {
        uint64_t value;
        bool known;
        int first;          /* 1 + row; 0: not asked for */
    } *row;
    int room;
    struct index index;     /* of the first rows, by value */
    int *stack, height, stack_room;
};

/* All bytes zero but the tape is none yet; equal_clear() afterwards. */
void equal_clear(struct equal *equal);
bool equal_formulas(struct equal *equal, formula a, formula b);
/* Of all formulas asked for that are equal to f, or to -f, the first one, or its
   negative. Which one that is depends on the order of asking alone. */
formula equal_first(struct equal *equal, formula f);

#endif
