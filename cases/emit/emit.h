/*
 * emit.h - code generation: a program as a C function from the state to its rates, with
 * derivatives in SIMD lanes.
 *
 *     void NAME(const double *c, double t, const double *x, double *dx, double *check)
 *
 * Rows that depend on parameters alone are read from c, the work array of the interpreter
 * after its first stages, so that the text does not depend on values. Rows of one stage
 * are evaluated once; those of the next, for every column of derivatives, whose columns
 * stand side by side in vector registers. The operations are those of the interpreter, in
 * its order for every row, and results are the same to the bit, if the compiler is told
 * not to contract or reorder (EMIT_FLAGS).
 *
 * The function may also be for many trajectories beside each other, in lanes: every array
 * is [..][lanes], t as well, a row is a vector of one number of each, and each trajectory
 * gets the values that it gets alone.
 *
 *     void NAME(const double *c, const double *t, const double *x, double *dx,
 *               double *check)
 *
 * Rows that are alike two by two (superword.h) are one operation if there are at most two
 * columns, whose vectors have room for both, and neither lanes nor loops.
 *
 * A part that repeats (reroll.h) is one function with a loop, in which operands advance
 * with the iteration: a chain of a thousand bodies is as much text as one of twenty.
 *
 * Very long functions take a compiler more than their length in time: the rows are cut
 * into functions of bounded size, and values needed in a later one go through memory.
 */
#ifndef SALTUS_EMIT_H
#define SALTUS_EMIT_H

#include "program/program.h"

/* Flags of the compiler. Without the last, gcc 12 addresses the values that loops keep
   as so far from the null pointer, takes the store for one to the null pointer, and
   leaves out the call of the function (test_loop_rerolling.c). */
#define EMIT_FLAGS "-ffp-contract=off -fno-math-errno -fno-tree-slp-vectorize " \
                   "-fno-delete-null-pointer-checks"

/* Rows that a loop must spare (reroll.h). With so many a loop takes no longer than the
   rows that it replaces, in chains of 16 bodies and of 40, and is compiled sooner. */
enum { EMIT_LEAST_LOOP = 100 };

/* Sources of inputs other than an index in a column. */
enum {
    EMIT_TIME = -1,     /* t */
    EMIT_UNIT = -2      /* EMIT_UNIT - j: 1 in column j, 0 in the others */
};

/* A request for a function. */
struct emission {
    const char *name;           /* name of the function */
    int lanes;                  /* lanes; 0: one trajectory; else a multiple of
                                   `widest` */
    int widest;                 /* most numbers in a vector of lanes. A vector of
                                   columns has at most EMIT_WIDEST. */
    int once, columnwise;       /* stages evaluated once, and for every column; earlier
                                   stages are in c */
    int state, columns;         /* x is [1 + columns][state], and so is dx; column 0
                                   holds the values */
    int copied;                 /* dx_i = x_(copied + i), i < copied: q' = v; 0: none */
    const int *from;            /* [inputs] index in a column, EMIT_TIME or EMIT_UNIT -
                                   j */
    const int *to;              /* [outputs] index in a column; -1 - k: check[k] */
    int least_loop;             /* rows that a loop must spare; 0: no loops */
    int values;                 /* outputs [0, values) are of column 0; the others,
                                   except those for `check`, of every other column */
};

/* Index of an input, or a direction of one, in a column x = (q, v, s); EMIT_TIME for
   time; an input of another block has its index there. */
int emit_place_of(const struct program_input *input, int n);

/* The C text, malloc'ed. w [slots] holds the constants (program_init). */
char *program_emit(const struct program *program, const struct emission *emission,
                   const double *w);
/* Number of rows of the text, by which it is compiled sooner or later. */
int program_emitted_rows(const struct program *program, const struct emission *emission);

#endif
