/*
 * emit_parts.h - the inside of emit.c, shared with the other emit_*.c alone.
 *
 * A row is one number, or `wide`: a vector of columns, or of trajectories where these are
 * in lanes. Then all rows are, and columns are evaluated one after the other.
 */
#ifndef SALTUS_EMIT_PARTS_H
#define SALTUS_EMIT_PARTS_H

#include "formula/emit.h"

struct emitter {
    const struct program *program;
    const struct emission *e;
    const double *w;
    struct {
        char *c;
        int length, room;
    } out;
    int width;              /* of a vector */
    int side;               /* columns side by side: the width, or 1 with lanes */
    int groups;             /* of so many columns */
    int *part;              /* [slots] function in which a row is, -1: none */
    int parts, first_columnwise;
    bool *kept;             /* [slots] needed in a later function */
    bool *negated;          /* [slots] rounded once, and a row has its negative */
    int *component;         /* [state] row of the function being written that is read from
                               there, or stored there, in columns; -1: none. NULL: there
                               are no blocks of components */
};

/* In how many functions so many rows are put, and in which of them row k is. */
int emit_functions(int rows);
int emit_function_of(int k, int rows);

/* The type `wide`, and the functions that rows with a part call. Sets `negated`. */
void emit_prelude(struct emitter *m);
__attribute__((format(printf, 2, 3)))
void emit_put(struct emitter *m, const char *format, ...);
bool emit_is_wide(const struct emitter *m, int slot);

/* A value for a row that is wide or not; in text [64], which is returned. */
const char *emit_operand(const struct emitter *m, int slot, bool wide, char *text);
/* Of the factors of a product that is subtracted, is it b that gets the minus? It does
   where a is one number spread over a vector: a processor that multiplies and subtracts
   at once negates a vector for nothing, but what is loaded into all of one in a row of
   its own. */
bool emit_negates_second(const struct emitter *m, int slot);
/* A value, wide or not, goes where emission.to says. */
void emit_store(struct emitter *m, int to, bool wide, const char *value);

/* Blocks of components (emit_blocks.c): the macros; what the function `part` reads, or
   stores; the block of a component, all of whose rows become `loaded` [slots]. False: no
   block. To store one, ask for each of its components. */
void emit_block_macros(struct emitter *m);
void emit_find_inputs(struct emitter *m, int part);
void emit_find_outputs(struct emitter *m, int part);
bool emit_load_block(struct emitter *m, int index, bool *loaded);
bool emit_store_block(struct emitter *m, int index);

/* A row, after what it needs of earlier functions and is not yet `loaded` [slots]. */
void emit_row(struct emitter *m, int slot, bool *loaded);

#endif
