/*
 * reroll.h - loop rerolling: parts of a program that repeat.
 *
 * The operations of one iteration are those of the next, on operands that are equally far
 * apart from one time to the next. The rows of a chain of bodies, body by body, are then
 * written as the text of one body in a loop, and compiled in the time of one.
 *
 * From iteration k to iteration k + 1 an operand of a row is
 *
 *     the same row: a constant, or a row from before the loop,
 *     a row of the same iteration, or of the one before, which is carried on,
 *     a row that another loop has a constant number of iterations further on, or back,
 *     a variable, constant or parameter a constant number of places further on.
 *
 * Rows keep their order and operations, so the values are the same to the bit.
 */
#ifndef SALTUS_REROLL_H
#define SALTUS_REROLL_H

#include "program/program.h"

/* A loop: iteration k has the rows [begin + k*period, begin + (k + 1)*period),
   k < count. */
struct loop {
    int begin, period, count;
};

/* All loops of a program. */
struct loops {
    int count, room;            /* loops; room for loops */
    struct loop *loop;          /* [count] in the order of their rows */
    int *of;                    /* [slots] number of the loop that a row is in; -1:
                                   none */
};

/* A search, with further places that must advance evenly from one iteration to the
   next. */
struct loop_search {
    const int *from;            /* [inputs] place where each variable is read; below 0:
                                   does not advance. NULL: variables are read from the
                                   work array */
    const int *to;              /* [outputs] place where each output goes; below 0:
                                   apart from the others. NULL: outputs are not written */
    int first, last;            /* stages that are searched */
    int least;                  /* rows that a loop must spare; 0: no loops */
};

/* Finds loops, each within a stage. Clear by loops_clear. */
void loops_find(struct loops *loops, const struct program *program,
                const struct loop_search *search);
void loops_clear(struct loops *loops);

/* The number of rows of stages `first` to `last` that need text: rows of one iteration
   of each loop, and rows outside of loops. */
int loops_rows(const struct loops *loops, const struct program *program, int first,
               int last);

#endif
