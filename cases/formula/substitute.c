/*
 * substitute.c - substitution in expression graphs: formulas for variables, for rows,
 * and renaming of variables (substitute.h).
 */
#include "formula/substitute.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"

/* The row `entry` recorded anew on the new values of its operands. */
static formula again(struct tape *tape, struct order_entry entry, const formula *now)
{
    struct tape_row r = tape->row[entry.row];
    if (op_operands(r.op) == 0)
        return (formula){tape, entry.row};
    if (r.op == OP_POWI)
        return power(now[entry.a], r.b);
    return op_operands(r.op) == 1 ? apply(r.op, now[entry.a])
                                  : apply2(r.op, now[entry.a], now[entry.b]);
}

/* The new value of the row `entry`, whose operands have become now[entry.a] and
   now[entry.b]. */
typedef formula rule_fn(void *context, struct tape *tape, struct order_entry entry,
                        const formula *now);

/* One pass over the rows that are reached, operands first; out[i] is the new value of
   f[i]. */
static void replace(struct tape *tape, const formula *f, int count, rule_fn *rule,
                    void *context, formula *out)
{
    struct order order;
    order_from(&order, tape, f, count);

    formula *now = memory_new(order.count, sizeof *now);
    for (int k = 0; k < order.count; k++) {
        now[k] = rule(context, tape, order.entry[k], now);
        if (!now[k].tape)           /* the zero of this tape, for rows that build on it */
            now[k] = (formula){tape, 0};
    }
    for (int i = 0; i < count; i++)
        out[i] = order.root[i] < 0 ? (formula){NULL, 0} : now[order.root[i]];
    free(now);
    order_clear(&order);
}

/* --- formulas for variables --------------------------------------------------------- */

struct values {
    value_fn *value;
    void *context;
};

static formula by_values(void *context, struct tape *tape, struct order_entry entry,
                         const formula *now)
{
    const struct values *values = context;
    struct tape_row r = tape->row[entry.row];
    return r.op == OP_VARIABLE ? values->value(values->context, r.a, r.b)
                               : again(tape, entry, now);
}

void substitute(struct tape *tape, const formula *f, int count, value_fn *value,
                void *context, formula *out)
{
    struct values values = {value, context};
    replace(tape, f, count, by_values, &values, out);
}

/* --- formulas for rows -------------------------------------------------------------- */

struct replacement {
    int rows;               /* number of the rows of the tape before */
    int *place;             /* [rows] one more than the place in `with`; 0: the row
                               stays */
    const formula *with;
};

static formula by_replacement(void *context, struct tape *tape, struct order_entry entry,
                              const formula *now)
{
    const struct replacement *replacement = context;
    int place = entry.row < replacement->rows ? replacement->place[entry.row] : 0;
    return place > 0 ? replacement->with[place - 1] : again(tape, entry, now);
}

void substitute_rows(struct tape *tape, const formula *f, int count, const formula *row,
                     int rows, const formula *with, formula *out)
{
    struct replacement replacement = {
        .rows = tape->rows, .place = memory_new(tape->rows, sizeof(int)), .with = with};
    for (int k = 0; k < rows; k++)
        replacement.place[row[k].row] = k + 1;
    replace(tape, f, count, by_replacement, &replacement, out);
    free(replacement.place);
}

/* --- other variables ---------------------------------------------------------------- */

struct renaming {
    struct tape *tape;
    const int *to;
};

static formula renamed(void *context, int block, int index)
{
    const struct renaming *renaming = context;
    return variable(renaming->tape, renaming->to[block], index);
}

void rename_blocks(struct tape *tape, const formula *f, int count, const int *to,
                   formula *out)
{
    struct renaming renaming = {tape, to};
    substitute(tape, f, count, renamed, &renaming, out);
}

void rename_after_event(struct tape *tape, const formula *f, int count, formula *out)
{
    int to[BLOCK_LIMIT];
    for (int b = 0; b < BLOCK_LIMIT; b++)
        to[b] = b;
    to[BLOCK_Q] = BLOCK_Q_PLUS;
    to[BLOCK_V] = BLOCK_V_PLUS;
    to[BLOCK_S] = BLOCK_S_PLUS;
    rename_blocks(tape, f, count, to, out);
}
