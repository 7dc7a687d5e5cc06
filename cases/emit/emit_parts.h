/*
 * emit_parts.h - the inside of emit.c, shared with the other emit_*.c alone.
 *
 * A row is one number, or `wide`: a vector of columns, or of trajectories where these are
 * in lanes. Then all rows are, and columns are evaluated one after the other. With pairs
 * all is there twice: a number, too, is a vector, `two`.
 */
#ifndef SALTUS_EMIT_PARTS_H
#define SALTUS_EMIT_PARTS_H

#include "emit/emit.h"
#include "optimise/reroll.h"

/* Rows of a function; in a loop (or -1) those of its first iteration. */
struct emit_function {
    int begin, end, loop;
};

/* Two values beside each other, kept for columns. */
struct emit_couple {
    int first, second;      /* slots */
};

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
    bool on_w;              /* what another function needs is in c, and all variables */
    struct loops loops;
    struct emit_function *function;     /* [parts] */
    int *part;              /* [slots] function in which a row is, -1: none */
    int parts, room, first_columnwise;
    bool *kept;             /* [slots] needed in a later function; in loops said of the
                               first iteration */
    int *number;            /* [slots] which it is of those that its loop keeps */
    int writing;            /* the function of which the text is being written */
    const struct loop *inside;  /* the loop of which it is, or NULL */
    bool *negated;          /* [slots] rounded once, and a row has its negative */
    bool *copied;           /* [2][emission.copied] stored where it was loaded, of values
                               and of columns; NULL: nothing is */
    bool paired;            /* rows that are alike two by two are one operation */
    struct emit_couple *couple;
    int couples, couple_room;
    int *component;         /* [state] row of the function being written that is read from
                               there, or stored there, in columns; -1: none. NULL: there
                               are no blocks of components */
};

/* EMIT_WIDEST: numbers in a vector of columns; one of lanes may be wider. */
enum { EMIT_INDEX = 40, EMIT_VALUE = 120, EMIT_WIDEST = 4 };

/* Room for them; adds the functions of a stage, and to which of them its rows belong. */
void emit_begin(struct emitter *m);
void emit_cut(struct emitter *m, int stage);
/* Sets `kept` and `number`, when all stages are cut; the structure that keeps them. */
void emit_find_kept(struct emitter *m);
void emit_keep(struct emitter *m);
/* The loop of a row, or NULL; the same row in its first iteration, if it has one. */
const struct loop *emit_loop_of(const struct emitter *m, int slot);
int emit_first(const struct emitter *m, int slot);
void emit_clear(struct emitter *m);

/* The type `wide`. */
void emit_spread(struct emitter *m);
/* That, and the functions that rows with a part call. Sets `negated`. */
void emit_prelude(struct emitter *m);
__attribute__((format(printf, 2, 3)))
void emit_put(struct emitter *m, const char *format, ...);
bool emit_in_stage(const struct emitter *m, int slot, int stage);
bool emit_is_wide(const struct emitter *m, int slot);
/* Of rows that are evaluated, wide or not; what the functions of it begin with. */
const char *emit_type(const struct emitter *m, bool wide);
const char *emit_call(const struct emitter *m, bool wide);

/* A value for a row that is wide or not; in text [EMIT_VALUE], which is returned. second:
   the slot of the same operand in the second iteration of the loop that is being written;
   elsewhere the slot itself. */
const char *emit_operand(const struct emitter *m, int slot, int second, bool wide,
                         char *text);
/* Have vectors a function for each choice of signs of a*b and c? Such a row, of operands
   as `text`. */
bool emit_names_signs(const struct emitter *m);
void emit_fused(struct emitter *m, int slot, const char *call, char text[3][EMIT_VALUE]);
/* A value, wide or not, goes where emission.to says of it, and in a second iteration. */
void emit_store(struct emitter *m, int to, int second, bool wide, const char *value);

/* Blocks of components (emit_blocks.c): the macros; what the function `part` reads, or
   stores; the block of a component, all of whose rows become `loaded` [slots]. False: no
   block. To store one, ask for each of its components. */
void emit_block_macros(struct emitter *m);
void emit_find_inputs(struct emitter *m, int part);
void emit_find_outputs(struct emitter *m, int part);
bool emit_load_block(struct emitter *m, int index, bool *loaded);
bool emit_store_block(struct emitter *m, int index);

/* Pairs of rows (emit_superword.c): the macros; the first of the pair that a row is in,
   or -1; such a row by itself, in text [EMIT_VALUE]; the operation; a row that is the sum
   of a pair, if it is; output k and the next, if they are a pair that goes side by side.
   */
void emit_pair_macros(struct emitter *m);
int emit_pair_of(const struct emitter *m, int slot);
void emit_lane(const struct emitter *m, int slot, char *text);
void emit_pair_row(struct emitter *m, int slot);
bool emit_sum_of_pair(struct emitter *m, int slot);
bool emit_store_pair(struct emitter *m, int k);
/* What pairs of columns need beside each other; kept after all values. */
void emit_find_couples(struct emitter *m);
void emit_keep_couples(struct emitter *m);

/* Where an input is read: of emission.from, and as text [EMIT_VALUE]. The index of what
   it is the rate of, which becomes `copied`; -1: none, or it is copied later. */
int emit_source(const struct emitter *m, int slot);
void emit_input(const struct emitter *m, int slot, char *text);
int emit_copy(struct emitter *m, int slot);

/* A row, after what it needs of earlier functions and is not yet `loaded` [slots]; in a
   loop that is in the operands. */
void emit_row(struct emitter *m, int slot, bool *loaded);

/* Loops (emit_loops.c): all of one; an index, which advances, in text [EMIT_INDEX]; is it
   a row of the iteration before, in a variable of its own? */
void emit_loop(struct emitter *m, const struct loop *loop);
const char *emit_index(int first, int second, char *text);
bool emit_is_carried(const struct emitter *m, int slot, int second);

#endif
