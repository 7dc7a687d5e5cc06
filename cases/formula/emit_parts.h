/*
 * emit_parts.h - the inside of emit.c, shared with emit_rows.c and emit_stages.c alone.
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
   where a is one number spread over a vector: a processor that multiplies and subtracts at
   once negates a vector for nothing, but what is loaded into all of one in a row of its
   own. */
bool emit_negates_second(const struct emitter *m, int slot);
/* A value, wide or not, goes where emission.to says. */
void emit_store(struct emitter *m, int to, bool wide, const char *value);
/* A row, after what it needs of earlier functions and is not yet `loaded` [slots]. */
void emit_row(struct emitter *m, int slot, bool *loaded);

#endif
