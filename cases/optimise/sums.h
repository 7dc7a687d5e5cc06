/*
 * sums.h - the sums of a program, taken apart into terms.
 */
#ifndef SALTUS_SUMS_H
#define SALTUS_SUMS_H

#include "program/program.h"

/* A value, or the product of two. */
struct sum_term {
    int a, b;               /* slots; b = -1: a value */
    bool minus;
};

struct sums {
    const struct program *program;
    int *uses;              /* [slots]; an output counts as two: it is there by itself */
    bool *inner;            /* [slots] used once, by a sum of the same stage: its part */
    int *first, *terms;     /* [slots] terms of a sum, or of a product by itself; those of
                               other rows: none */
    struct sum_term *term;
    int count, room;
};

/* Those of all stages but that of constants. */
void sums_find(struct sums *sums, const struct program *program);
void sums_clear(struct sums *sums);

/* Is it a sum of others? A square is a product, too. */
bool sums_is_sum(unsigned op);
bool sums_is_product(const struct program_row *row);

#endif
