/*
 * writing.h - a program that is written row by row, and sums in it.
 */
#ifndef SALTUS_WRITING_H
#define SALTUS_WRITING_H

#include "program/program.h"

/* A term of a sum, or one of each of two sums beside each other: a value, or the product
   of two. */
struct term {
    int a[2], b[2];         /* slots; b = -1: a value */
    bool minus;
    int ready;              /* set by writing_add */
};

struct writing {
    struct program *old;    /* gives rows their origins; inputs and outputs are its */
    struct program_row *row;
    int *origin, *ready;    /* [slots]; when a row is ready, in cycles */
    bool *steady, *pair;
    int slots, room, origin_room, ready_room, steady_room, pair_room;
    int root, stage, lanes; /* of the sum that is being written, or of both */
    struct term *term;
    int terms, term_room;
};

/* Adds a row, of what was the row `root`. Returns its slot. */
int writing_row(struct writing *k, struct program_row row, int root, int stage);

/* A sum, of what was the row `root`; with two lanes, two beside each other, row by row.
   Its terms. Then the rows of it: returns the last, or both, and whether that is the
   negative; *made: of several terms. writing_sum: not the negative. */
void writing_begin(struct writing *k, int root, int stage, int lanes);
void writing_add(struct writing *k, struct term term);
struct term writing_terms(struct writing *k, bool *made);
struct term writing_sum(struct writing *k);

/* Takes out rows that no output of the old program, which is already a slot of the new
   one, needs; begin: where stages do. */
void writing_sweep(struct writing *k, int begin[PROGRAM_STAGES + 1]);
/* All but the rows, which go into a program. */
void writing_clear(struct writing *k);

#endif
