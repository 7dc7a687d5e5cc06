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

    /* of diff.c: derivative rules, read at first use, and the scratch of order_with */
    struct rules *rules;
    int *place;
    int places;
};

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
