/*
 * sums.h - sums of a program, flattened into lists of terms (reassociation).
 */
#ifndef SALTUS_SUMS_H
#define SALTUS_SUMS_H

#include "program/program.h"

/* A term: a value, or the product of two. */
struct sum_term {
    int a, b;               /* slots; b = -1: the value a */
    bool minus;             /* subtracted */
};

/* The sums of a program, and products by themselves. */
struct sums {
    const struct program *program;
    int *uses;              /* [slots] uses of a row; an output counts as two, since it
                               must be there by itself */
    bool *inner;            /* [slots] used once, by a sum of the same stage, of which
                               the row is a part */
    int *first;             /* [slots] first term of a sum, or of a product by itself */
    int *terms;             /* [slots] number of its terms; 0 for other rows */
    struct sum_term *term;  /* [room] terms of all sums, `count` in use */
    int count, room;
};

/* Finds the sums of all stages but that of constants. Clear by sums_clear. */
void sums_find(struct sums *sums, const struct program *program);
void sums_clear(struct sums *sums);

/* True: the operation adds, subtracts or negates. */
bool sums_is_sum(unsigned op);
/* True: the row is a product or a square. */
bool sums_is_product(const struct program_row *row);

#endif
