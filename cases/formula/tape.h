/*
 * tape.h - the inside of a tape, for files that go through its rows.
 */
#ifndef SALTUS_TAPE_H
#define SALTUS_TAPE_H

#include "base/index.h"
#include "formula/decimal.h"
#include "formula/formula.h"

struct rules;
struct fault;

struct tape {
    int rows, capacity;
    struct tape_row *row;       /* operands before the rows that use them; row 0 is 0 */
    bool *steady;               /* [rows] depends on no block but rho and drho */
    int steady_capacity;
    struct index row_index;

    int constants, constant_capacity;
    struct decimal *constant;
    struct index constant_index;

    const struct fault *fault;  /* fault.h; NULL: none */

    /* Of a branch: rows [0, base_rows) and constants [0, base_constants) are those of the
       base, which its index finds. NULL: it is no branch. */
    const struct tape *base;
    int base_rows, base_constants;
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

/* The row (op, a, b), stored once. Where there is no second number: b = 0. */
formula tape_record(struct tape *tape, enum op op, int a, int b);
int tape_find(const struct tape *tape, enum op op, int a, int b);     /* row, or -1 */
/* How many of a, b, c are rows: 0 for leaves, 1 for POWI; of a program, 3 for fused
   ones. */
int op_operands(unsigned op);
bool op_steady_block(int block);
/* true for an integer constant of at most 63 bits, and for a formula never set */
bool integer_constant(formula a, int64_t *value);

/* a without its sign; *negative: it had one. */
formula magnitude(formula a, bool *negative);

/* The function of ops.def that C spells so, or OPS. */
enum op names_function(const char *name);

void rules_free(struct rules *rules);   /* diff.c */

/* Rows that formulas reach, operands first: post-order, a before b. */
struct order {
    struct order_entry {
        int row;
        int a, b;               /* positions of the operands in `entry`, -1 if none */
    } *entry;
    int count, capacity;
    int *root;                  /* [roots] position of each formula; -1: never set */
    int roots;
};

void order_from(struct order *order, const struct tape *tape, const formula *f,
                int count);
/* `place` has one entry per row of the tape, initialised to anything; it is scratch. */
void order_with(struct order *order, const struct tape *tape, const formula *f, int count,
                int *place);
void order_clear(struct order *order);

#endif
