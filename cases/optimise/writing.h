/*
 * writing.h - a program that is written anew row by row, with tree height reduction of
 * its sums.
 */
#ifndef SALTUS_WRITING_H
#define SALTUS_WRITING_H

#include "program/program.h"

/* A term of a sum, or of two sums beside each other: a value, or the product of two. */
struct term {
    int a[2], b[2];         /* slots by lane; b = -1: the value a */
    bool minus;             /* subtracted */
    int ready;              /* cycle when its operands are ready, by writing_add */
};

/* A new program, and the sum that is being written. */
struct writing {
    struct program *old;    /* the old program: rows have their origins from it, inputs
                               and outputs are its own */
    struct program_row *row;    /* [slots] rows of the new program */
    int *origin;            /* [slots] as in struct program */
    int *ready;             /* [slots] cycle when a row is ready */
    bool *steady, *pair;    /* [slots] as in struct program */
    int slots, room, origin_room, ready_room, steady_room, pair_room;
    int root, stage;        /* row of the old program that is being written, its stage */
    int lanes;              /* 1, or 2 sums beside each other */
    struct term *term;      /* [terms] terms that are not added yet */
    int terms, term_room;
};

/* Adds a row, with the origin of row `root` of the old program. Returns its slot. */
int writing_row(struct writing *k, struct program_row row, int root, int stage);

/* Begins a sum, row `root` of the old program; with two lanes, two sums beside each
   other. */
void writing_begin(struct writing *k, int root, int stage, int lanes);
/* Adds a term to the sum. */
void writing_add(struct writing *k, struct term term);
/* Writes the rows of the sum. Returns its value, or both values, with a sign. *made:
   the sum has several terms. */
struct term writing_terms(struct writing *k, bool *made);
/* Writes the rows of the sum. Returns its value, or both values, without a sign. */
struct term writing_sum(struct writing *k);

/* Removes the rows (dead code) that no output of the old program, whose outputs are
   slots of the new one by now, needs. begin [STAGES + 1]: first row of each stage,
   updated. */
void writing_sweep(struct writing *k, int begin[STAGES + 1]);
/* Frees all but the rows, which go into a program. */
void writing_clear(struct writing *k);

#endif
