/*
 * emit_parts.h - code generation: the inside of emit.c, shared with the other emit_*.c
 * alone.
 *
 * A row is one number, or `wide`: a vector of columns, or of trajectories in lanes. With
 * lanes all rows are wide, and columns are evaluated one after the other. With pairs
 * every row is there twice: a number, too, is a vector, `two`.
 */
#ifndef SALTUS_EMIT_PARTS_H
#define SALTUS_EMIT_PARTS_H

#include "emit/emit.h"
#include "optimise/reroll.h"

/* A function: its rows; in a loop (else -1) the rows of its first iteration. */
struct emit_function {
    int begin, end, loop;
};

/* Two values beside each other, kept for columns (emit_superword.c). */
struct emit_couple {
    int first, second;      /* slots */
};

/* State of the generation of one text. */
struct emitter {
    const struct program *program;
    const struct emission *e;
    const double *w;
    struct {
        char *c;
        int length, room;
    } out;
    int width;              /* numbers in a vector */
    int side;               /* columns side by side: the width, or 1 with lanes */
    int groups;             /* groups of `side` columns */
    bool on_w;              /* the text works on the array of the interpreter:
                               variables, and values that another function needs, are
                               in c */
    struct loops loops;
    struct emit_function *function;     /* [parts] */
    int *part;              /* [slots] function in which a row is, -1: none */
    int parts, room, first_columnwise;
    bool *kept;             /* [slots] needed in a later function; in a loop, of the
                               row in the first iteration */
    int *number;            /* [slots] number of the row among those that its loop
                               keeps */
    int writing;            /* the function whose text is being written */
    const struct loop *inside;  /* its loop, or NULL */
    bool *negated;          /* [slots] a fused row of which another row takes the
                               negative */
    bool *copied;           /* [2][emission.copied] component is stored where it was
                               loaded, first of values, then of columns; NULL: no
                               component is */
    bool paired;            /* rows that are alike two by two are one operation */
    struct emit_couple *couple;
    int couples, couple_room;
    int *component;         /* [state] row of the function being written that is read
                               from the component, or stored there, in columns; -1:
                               none. NULL: there are no blocks of components */
};

/* Room for the text of an index and of a value; numbers in a vector of columns (one of
   lanes may be wider). */
enum { EMIT_INDEX = 40, EMIT_VALUE = 120, EMIT_WIDEST = 4 };

/* Allocates the arrays by slot. Free by emit_clear. */
void emit_begin(struct emitter *m);
/* Adds the functions of a stage, and sets to which of them its rows belong. */
void emit_cut(struct emitter *m, int stage);
/* Sets `kept` and `number`, when all stages are cut. */
void emit_find_kept(struct emitter *m);
/* Writes the structure that holds the rows that are kept. */
void emit_keep(struct emitter *m);
/* The loop of a row, or NULL. */
const struct loop *emit_loop_of(const struct emitter *m, int slot);
/* The row in the first iteration of its loop; a row in no loop is itself. */
int emit_first(const struct emitter *m, int slot);
void emit_clear(struct emitter *m);

/* Writes the type `wide` and its constructor. */
void emit_spread(struct emitter *m);
/* Writes the type `wide`, fused operations, and the functions that rows of functions
   call. Sets `negated`. */
void emit_prelude(struct emitter *m);
/* Appends text, like printf. */
__attribute__((format(printf, 2, 3)))
void emit_put(struct emitter *m, const char *format, ...);
/* True: the row is in the stage. */
bool emit_in_stage(const struct emitter *m, int slot, int stage);
/* True: the row is a vector, of columns or lanes. */
bool emit_is_wide(const struct emitter *m, int slot);
/* The type of a row that is wide or not. */
const char *emit_type(const struct emitter *m, bool wide);
/* The prefix of functions that take rows that are wide or not. */
const char *emit_call(const struct emitter *m, bool wide);

/* The text of a row as an operand of one that is wide or not; in text [EMIT_VALUE],
   which is returned. second: slot of the operand in the second iteration of the loop
   that is being written; elsewhere the slot itself. */
const char *emit_operand(const struct emitter *m, int slot, int second, bool wide,
                         char *text);
/* True: vectors have a function for each choice of signs of a*b and c. */
bool emit_names_signs(const struct emitter *m);
/* Writes a fused multiply-add of operands with the texts `text`. */
void emit_fused(struct emitter *m, int slot, const char *call, char text[3][EMIT_VALUE]);
/* Writes the store of a value, wide or not, to the place `to` of emission.to;
   `second`: its place in the second iteration. */
void emit_store(struct emitter *m, int to, int second, bool wide, const char *value);

/* Writes the macros for blocks of components (emit_blocks.c). */
void emit_block_macros(struct emitter *m);
/* Sets `component` to the rows that a function reads. */
void emit_find_inputs(struct emitter *m, int part);
/* Sets `component` to the rows that a function stores. */
void emit_find_outputs(struct emitter *m, int part);
/* Writes the load of the block of a component, all of whose rows become `loaded`
   [slots]. False: there is no block. */
bool emit_load_block(struct emitter *m, int index, bool *loaded);
/* Writes the store of a block, when its first component is asked for; every component
   of the block is to be asked for. False: there is no block. */
bool emit_store_block(struct emitter *m, int index);

/* Writes the macros for pairs of rows (emit_superword.c). */
void emit_pair_macros(struct emitter *m);
/* The first row of the pair that a row is in; -1: none. */
int emit_pair_of(const struct emitter *m, int slot);
/* The text of one row of a pair by itself, in text [EMIT_VALUE]. */
void emit_lane(const struct emitter *m, int slot, char *text);
/* Writes the operation of a pair, slot its first row. */
void emit_pair_row(struct emitter *m, int slot);
/* Writes a row that is the sum of the two rows of a pair. False: it is none. */
bool emit_sum_of_pair(struct emitter *m, int slot);
/* Stores output k and the next, if they are a pair that goes side by side. False: they
   are not. */
bool emit_store_pair(struct emitter *m, int k);
/* Finds the values that pairs of columns need beside each other. */
void emit_find_couples(struct emitter *m);
/* Writes their stores, after all values. */
void emit_keep_couples(struct emitter *m);

/* The source of an input, of emission.from. */
int emit_source(const struct emitter *m, int slot);
/* The text of an input where it is read, in text [EMIT_VALUE]. */
void emit_input(const struct emitter *m, int slot, char *text);
/* The component of dx that is a copy of an input, which becomes `copied`; -1: none, or
   it is copied later. */
int emit_copy(struct emitter *m, int slot);

/* Writes a row, after loading its operands of earlier functions that are not yet
   `loaded` [slots]; in a loop the text of the operands loads them. */
void emit_row(struct emitter *m, int slot, bool *loaded);

/* Writes a loop (emit_loops.c). */
void emit_loop(struct emitter *m, const struct loop *loop);
/* The text of an index that advances with the iteration, in text [EMIT_INDEX], which
   is returned. */
const char *emit_index(int first, int second, char *text);
/* True: the operand is a row of the iteration before, in a variable of its own. */
bool emit_is_carried(const struct emitter *m, int slot, int second);

#endif
