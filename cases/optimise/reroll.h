/*
 * reroll.h - parts of a program that repeat: the same operations, of operands that are
 * equally far apart from one time to the next. What a chain of bodies does body by body
 * is then text of one body in a loop, and compiled in the time of one.
 *
 * From iteration k to iteration k + 1 an operand of a row is
 *
 *     the same row: a constant, or what was there before the loop,
 *     a row of the same iteration, or of the one before, which is carried on,
 *     a row that another loop has a constant number of iterations further on, or back,
 *     a variable, constant or parameter a constant number of places further on.
 *
 * Rows keep their order and operations, so the values are the same to the bit.
 */
#ifndef SALTUS_REROLL_H
#define SALTUS_REROLL_H

#include "program/program.h"

/* Iteration k has the rows [begin + k*period, begin + (k + 1)*period), k < count. */
struct loop {
    int begin, period, count;
};

struct loops {
    int count, room;
    struct loop *loop;
    int *of;                    /* [slots] the loop of a row, -1: none */
};

/* What else must advance evenly from one iteration to the next. */
struct loop_search {
    const int *from;            /* [inputs] where variables are read; those below 0 do not
                                   advance. NULL: in the work array */
    const int *to;              /* [outputs] where outputs go, those below 0 elsewhere
                                   than the others. NULL: nowhere */
    int first, last;            /* stages that are searched */
    int least;                  /* rows that a loop must spare; 0: no loops */
};

/* Loops in the order of their rows, each within a stage. */
void loops_find(struct loops *loops, const struct program *program,
                const struct loop_search *search);
void loops_clear(struct loops *loops);

/* Rows of which there is text, of the stages from `first` to `last`: those of one
   iteration, and outside of loops. */
int loops_rows(const struct loops *loops, const struct program *program, int first,
               int last);

#endif
