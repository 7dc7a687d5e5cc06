/*
 * tape.c - the tape: rows stored once (hash-consing), constants and leaves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/tape.h"

const struct op_info op_info[OPS] = {
    [OP_CONSTANT] = {"constant", 0, {"", ""}, "everywhere"},
    [OP_PI] = {"pi", 0, {"", ""}, "everywhere"},
    [OP_VARIABLE] = {"variable", 0, {"", ""}, "everywhere"},
    [OP_POWI] = {"pow", -1, {"", ""}, "a != 0 where the exponent is negative"},
#define OP(NAME, text, arity, real, complex, da, db, domain, inside) \
    [OP_##NAME] = {text, arity, {da, db}, domain},
#include "formula/ops.def"
#undef OP
};

int op_operands(unsigned op)
{
    if (op >= OPS)
        return 3;
    return op == OP_POWI ? 1 : op_info[op].arity;
}

bool op_steady_block(int block)
{
    return block % BLOCKS == BLOCK_RHO;
}

/* Row 0 is the constant 0 in every tape. A formula whose bytes are all zero and the
   zero of a tape are then the same number, and every program has a slot that holds 0. */
struct tape *tape_new(void)
{
    struct tape *tape = memory_new(1, sizeof *tape);
    constant(tape, "0");
    return tape;
}

void tape_free(struct tape *tape)
{
    if (!tape)
        return;
    for (int i = tape->base_constants; i < tape->constants; i++)
        free(tape->constant[i].text);
    free(tape->constant);
    free(tape->row);
    free(tape->steady);
    free(tape->place);
    index_clear(&tape->row_index);
    index_clear(&tape->constant_index);
    rules_free(tape->rules);
    free(tape);
}

/* --- branches ----------------------------------------------------------------------- */

/* Rows are copied, so that each is read where it is; the index is not. */
struct tape *tape_branch(const struct tape *base)
{
    struct tape *tape = memory_new(1, sizeof *tape);
    tape->base = base;
    tape->base_rows = tape->rows = base->rows;
    tape->base_constants = tape->constants = base->constants;
    tape->fault = base->fault;
    tape->row = memory_grow(NULL, &tape->capacity, tape->rows, sizeof *tape->row);
    tape->steady = memory_grow(NULL, &tape->steady_capacity, tape->rows,
                               sizeof *tape->steady);
    tape->constant = memory_grow(NULL, &tape->constant_capacity, tape->constants,
                                 sizeof *tape->constant);
    memory_copy(tape->row, base->row, tape->rows, sizeof *tape->row);
    memory_copy(tape->steady, base->steady, tape->rows, sizeof *tape->steady);
    memory_copy(tape->constant, base->constant, tape->constants, sizeof *tape->constant);
    return tape;
}

bool tape_has(const struct tape *tape, formula f)
{
    if (!f.tape)
        return true;
    int rows = tape ? tape->rows : 0;
    while (tape && tape != f.tape) {
        rows = tape->base_rows < rows ? tape->base_rows : rows;
        tape = tape->base;
    }
    return tape && f.row < rows;
}

void tape_complete(struct tape *tape)
{
    tape->complete = true;
}

/* --- rows --------------------------------------------------------------------------- */

static bool row_matches(const void *owner, int item, const void *key)
{
    const struct tape *tape = owner;
    const struct tape_row *wanted = key;
    const struct tape_row *row = &tape->row[item];
    return row->op == wanted->op && row->a == wanted->a && row->b == wanted->b;
}

/* A row is steady when its operands are; among leaves, only variables outside rho
   move. */
static bool row_steady(const struct tape *tape, struct tape_row row)
{
    if (row.op == OP_VARIABLE)
        return op_steady_block(row.a);
    int operands = op_operands(row.op);
    return (operands < 1 || tape->steady[row.a]) && (operands < 2 || tape->steady[row.b]);
}

int tape_find(const struct tape *tape, enum op op, int a, int b)
{
    struct tape_row row = {op, a, b};
    int found = tape->base ? tape_find(tape->base, op, a, b) : -1;
    if (found >= 0 && found < tape->base_rows)
        return found;
    return index_find(&tape->row_index, hash_numbers((int)op, a, b), row_matches, tape,
                      &row);
}

/* The key keeps the operands of a sum in the order in which they were written. To
   order them by their row numbers would make results depend on the order of recording. */
formula tape_record(struct tape *tape, enum op op, int a, int b)
{
    struct tape_row row = {op, a, b};
    int found = tape_find(tape, op, a, b);
    if (found < 0) {
        if (tape->complete)
            slip("%s would be a new row of a tape that is complete; take a branch of it",
                 op_info[op].text);
        found = tape->rows;
        tape->row = memory_grow(tape->row, &tape->capacity, found + 1, sizeof row);
        tape->steady = memory_grow(tape->steady, &tape->steady_capacity, found + 1,
                                   sizeof *tape->steady);
        tape->row[found] = row;
        tape->steady[found] = row_steady(tape, row);
        tape->rows++;
        index_put(&tape->row_index, hash_numbers((int)op, a, b), found);
    }
    return (formula){tape, found};
}

int tape_rows(const struct tape *tape)
{
    return tape->rows;
}

struct tape_row tape_row(const struct tape *tape, int row)
{
    if (row < 0 || row >= tape->rows)
        slip("row %d of a tape of %d rows", row, tape->rows);
    return tape->row[row];
}

const char *tape_constant(const struct tape *tape, int index)
{
    if (index < 0 || index >= tape->constants)
        slip("constant %d of a tape of %d constants", index, tape->constants);
    return tape->constant[index].text;
}

/* --- leaves ------------------------------------------------------------------------- */

formula variable(struct tape *tape, int block, int index)
{
    if (block < 0 || block >= BLOCK_LIMIT || index < 0)
        slip("variable %d of block %d", index, block);
    return tape_record(tape, OP_VARIABLE, block, index);
}

static bool constant_matches(const void *owner, int item, const void *key)
{
    const struct tape *tape = owner;
    return strcmp(tape->constant[item].text, key) == 0;
}

static int find_constant(const struct tape *tape, uint32_t hash, const char *text)
{
    int found = tape->base ? find_constant(tape->base, hash, text) : -1;
    if (found >= 0 && found < tape->base_constants)
        return found;
    return index_find(&tape->constant_index, hash, constant_matches, tape, text);
}

/* The index of the constant that `decimal` is in another form, or of a new one. */
static int take_constant(struct tape *tape, const char *decimal)
{
    struct decimal number;
    if (!decimal_parse(&number, decimal))
        slip("\"%s\" is not a decimal number", decimal);
    uint32_t hash = hash_text(number.text);
    int found = find_constant(tape, hash, number.text);
    if (found >= 0) {
        free(number.text);
        return found;
    }
    if (tape->complete)
        slip("%s would be a new constant of a tape that is complete; take a branch of it",
             decimal);
    found = tape->constants;
    tape->constant = memory_grow(tape->constant, &tape->constant_capacity, found + 1,
                                 sizeof *tape->constant);
    tape->constant[found] = number;
    tape->constants++;
    index_put(&tape->constant_index, hash, found);
    return found;
}

/* Derivatives take their constants from other tapes, in canonical form: such a text is
   found without being parsed. */
formula constant(struct tape *tape, const char *decimal)
{
    int found = find_constant(tape, hash_text(decimal), decimal);
    if (found < 0)
        found = take_constant(tape, decimal);
    return tape_record(tape, OP_CONSTANT, found, 0);
}

formula integer(struct tape *tape, long value)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", value);
    return constant(tape, text);
}

formula pi_formula(struct tape *tape)
{
    return tape_record(tape, OP_PI, 0, 0);
}

bool integer_constant(formula a, int64_t *value)
{
    *value = 0;
    if (!a.tape)
        return true;
    struct tape_row row = a.tape->row[a.row];
    if (row.op != OP_CONSTANT)
        return false;
    *value = a.tape->constant[row.a].value;
    return a.tape->constant[row.a].integer;
}
