/*
 * tape.h - the inside of a tape, for files that go through its rows: hash-consed rows and
 * their topological order.
 */
#ifndef SALTUS_TAPE_H
#define SALTUS_TAPE_H

#include "base/index.h"
#include "formula/decimal.h"
#include "formula/formula.h"

struct rules;
struct fault;

/* A straight-line program in which equal rows are stored once. */
struct tape {
    int rows, capacity;
    struct tape_row *row;       /* [rows] operands before the rows that use them; row 0
                                   is 0 */
    bool *steady;               /* [rows] the row depends on no block but rho and drho */
    int steady_capacity;
    struct index row_index;     /* finds a row by (op, a, b) */

    int constants, constant_capacity;
    struct decimal *constant;   /* [constants] */
    struct index constant_index;  /* finds a constant by its text */

    const struct fault *fault;  /* wrong derivatives to seal (fault.h); NULL: none */

    const struct tape *base;    /* tape that this one branches from, set by tape_branch;
                                   NULL: it is no branch */
    int base_rows;              /* rows [0, base_rows) are those of the base, whose index
                                   finds them */
    int base_constants;         /* likewise constants [0, base_constants) */
    bool complete;              /* no row may be added: threads read it, or branch it */

    /* of diff.c: derivative rules, read at first use, and the scratch of order_with */
    struct rules *rules;
    int *place;
    int places;
};

/* A tape that begins with all rows of `base`, by their numbers, and goes on by itself: a
   formula of the base is one of the branch, too. The base outlives it, and is only read:
   branches of one tape may be made and used by any number of threads. */
struct tape *tape_branch(const struct tape *base);
/* Is the formula one of this tape, or of a base of it? A formula never set is. */
bool tape_has(const struct tape *tape, formula f);
/* From now on a word that would add a row to this tape is a slip. */
void tape_complete(struct tape *tape);

/* The row (op, a, b), recorded unless it is there; b = 0 if the operation has one
   number only. */
formula tape_record(struct tape *tape, enum op op, int a, int b);
/* The number of the row (op, a, b), or -1. */
int tape_find(const struct tape *tape, enum op op, int a, int b);
/* The number of a, b, c that are rows: 0 for leaves, 1 for POWI, 3 for the fused
   operations of programs. */
int op_operands(unsigned op);
/* True: the block holds parameters or their directions. */
bool op_steady_block(int block);
/* True: a is an integer constant of at most 63 bits, *value, or was never set, 0. */
bool integer_constant(formula a, int64_t *value);

/* a without its sign; *negative: it had one. a must be set. */
formula magnitude(formula a, bool *negative);

/* The function of ops.def that C spells so; OPS: none. */
enum op names_function(const char *name);

/* Frees the derivative rules of a tape (diff.c); NULL is allowed. */
void rules_free(struct rules *rules);

/* Topological order of the rows that formulas reach: post-order, a before b. */
struct order {
    struct order_entry {
        int row;
        int a, b;               /* positions of the operands in `entry`, -1 if none */
    } *entry;
    int count, capacity;
    int *root;                  /* [roots] position of each formula in `entry`; -1:
                                   never set */
    int roots;
};

/* Orders the rows that f [count] reach. Clear by order_clear. */
void order_from(struct order *order, const struct tape *tape, const formula *f,
                int count);
/* Orders like order_from; `place` has one entry per row of the tape, initialised to
   anything, and is scratch. */
void order_with(struct order *order, const struct tape *tape, const formula *f, int count,
                int *place);
void order_clear(struct order *order);

#endif
