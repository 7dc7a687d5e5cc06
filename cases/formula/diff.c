/*
 * diff.c - symbolic differentiation on the tape: forward (tangent) and reverse (adjoint)
 * sweeps over the rows that are reached (Griewank & Walther 2008, ch. 3).
 *
 * The partial derivatives are the texts of ops.def. Each is read once per tape, on a tape
 * of its own where a, b and f are variables; at each use those few rows are written again
 * with the operands and the result in their place.
 */
#include "formula/diff.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/read.h"
#include "formula/tape.h"

/* --- rules -------------------------------------------------------------------------- */

/* Partial derivatives of the operations, by operand. */
struct rules {
    struct rule {
        struct tape *tape;      /* NULL until the first use */
        formula derivative;
    } rule[OPS][2];
};

enum { RULE_ROWS = 32 };

void rules_free(struct rules *rules)
{
    if (!rules)
        return;
    for (int op = 0; op < OPS; op++)
        for (int operand = 0; operand < 2; operand++)
            tape_free(rules->rule[op][operand].tape);
    free(rules);
}

static void read_rule(struct rule *rule, enum op op, int operand)
{
    static const char *const name[] = {"a", "b", "f"};
    struct read_error error;
    struct names *names = names_new();
    rule->tape = tape_new();
    for (int i = 0; i < 3; i++)
        names_bind(names, name[i], variable(rule->tape, BLOCK_T, i));
    rule->derivative = formula_read(rule->tape, names, op_info[op].partial[operand],
                                    &error);
    names_free(names);
    if (error.set)
        slip("derivative %d of %s: %s\n%s", operand, op_info[op].text, error.message,
             error.line);
    if (rule->tape->rows > RULE_ROWS)
        slip("derivative %d of %s has %d rows", operand, op_info[op].text,
             rule->tape->rows);
}

/* That of a base serves its branches, if it has been read there. */
static const struct rule *find_rule(struct tape *tape, enum op op, int operand)
{
    for (const struct tape *base = tape->base; base; base = base->base)
        if (base->rules && base->rules->rule[op][operand].tape)
            return &base->rules->rule[op][operand];
    if (!tape->rules)
        tape->rules = memory_new(1, sizeof *tape->rules);
    struct rule *rule = &tape->rules->rule[op][operand];
    if (!rule->tape)
        read_rule(rule, op, operand);
    return rule;
}

/* Writes the rows of a rule again on `tape`, with operand[] = {a, b, f}. */
static formula instantiate(const struct rule *rule, struct tape *tape,
                           const formula *operand)
{
    formula value[RULE_ROWS];
    for (int i = 0; i <= rule->derivative.row; i++) {
        struct tape_row row = rule->tape->row[i];
        if (row.op == OP_CONSTANT)
            value[i] = constant(tape, tape_constant(rule->tape, row.a));
        else if (row.op == OP_PI)
            value[i] = pi_formula(tape);
        else if (row.op == OP_VARIABLE)
            value[i] = operand[row.b];
        else if (row.op == OP_POWI)
            value[i] = power(value[row.a], row.b);
        else if (op_operands(row.op) == 1)
            value[i] = apply(row.op, value[row.a]);
        else
            value[i] = apply2(row.op, value[row.a], value[row.b]);
    }
    return value[rule->derivative.row];
}

/* Partial derivative of a row by its operand 0 (a) or 1 (b). */
static formula partial(struct tape *tape, int row_number, int operand)
{
    struct tape_row row = tape->row[row_number];
    if (row.op == OP_POWI)
        return mul(integer(tape, row.b), power((formula){tape, row.a}, row.b - 1));
    formula parts[3] = {{tape, row.a}, {0}, {tape, row_number}};
    if (op_operands(row.op) == 2)
        parts[1] = (formula){tape, row.b};
    return instantiate(find_rule(tape, row.op, operand), tape, parts);
}

/* --- reach -------------------------------------------------------------------------- */

/* That of all of them: of a branch and its base, the branch. */
static struct tape *tape_of(const formula *f, int count)
{
    struct tape *tape = NULL;
    for (int i = 0; i < count; i++)
        if (f[i].tape && f[i].tape != tape && !tape_has(tape, f[i]))
            tape = f[i].tape;
    return tape;
}

/* Orders the rows that formulas reach. The scratch of order_with grows with the tape
   and is never cleared, so that the cost of a sweep is the rows it reaches, however
   long the tape. */
static void reach(struct order *order, struct tape *tape, const formula *f, int count)
{
    if (tape->complete)
        slip("a derivative on a tape that is complete; take a branch of it");
    int old = tape->places;
    tape->place = memory_grow(tape->place, &tape->places, tape->rows, sizeof(int));
    for (int i = old; i < tape->places; i++)
        tape->place[i] = -1;
    order_with(order, tape, f, count, tape->place);
}

/* --- forward ------------------------------------------------------------------------ */

static formula forward_term(struct tape *tape, int row, int operand, const formula *moved,
                            int position)
{
    if (position < 0 || is_zero(moved[position]))
        return (formula){0};
    return mul(partial(tape, row, operand), moved[position]);
}

void tangent_along(const formula *f, int count, seed_fn *seed, void *context,
                   formula *out)
{
    struct tape *tape = tape_of(f, count);
    if (!tape) {
        for (int i = 0; i < count; i++)
            out[i] = (formula){0};
        return;
    }
    struct order order;
    reach(&order, tape, f, count);
    formula *moved = memory_new(order.count, sizeof *moved);
    for (int i = 0; i < order.count; i++) {
        struct order_entry entry = order.entry[i];
        struct tape_row row = tape->row[entry.row];
        if (row.op == OP_VARIABLE) {
            moved[i] = seed(context, row.a, row.b);
            continue;
        }
        formula a = forward_term(tape, entry.row, 0, moved, entry.a);
        formula b = forward_term(tape, entry.row, 1, moved, entry.b);
        moved[i] = add(a, b);
    }
    for (int i = 0; i < count; i++) {
        formula result = {0};
        if (order.root[i] >= 0)
            result = moved[order.root[i]];
        out[i] = is_zero(result) ? (formula){0} : result;
    }
    free(moved);
    order_clear(&order);
}

struct symbolic {
    struct tape *tape;
    const bool *active;
    int copy;
};

static formula symbolic_seed(void *context, int block, int index)
{
    const struct symbolic *direction = context;
    if (block >= BLOCKS || !direction->active[block])
        return (formula){0};
    return variable(direction->tape, DIRECTION(block, direction->copy), index);
}

void tangent(struct tape *tape, const formula *f, int count, const bool *active, int copy,
             formula *out)
{
    if (copy < 1 || copy >= BLOCK_COPIES)
        slip("direction %d: there are 1 .. %d", copy, BLOCK_COPIES - 1);
    struct symbolic direction = {tape, active, copy};
    tangent_along(f, count, symbolic_seed, &direction, out);
}

/* A variable of copy 1 moves along the second direction by that of copy 3. */
static formula mixed_seed(void *context, int block, int index)
{
    const struct symbolic *direction = context;
    if (block >= 2 * BLOCKS || !direction->active[block % BLOCKS])
        return (formula){0};
    int copy = block < BLOCKS ? 2 : 3;
    return variable(direction->tape, DIRECTION(block % BLOCKS, copy), index);
}

void second_tangent(struct tape *tape, const formula *f, int count, const bool *active,
                    formula *out)
{
    struct symbolic direction = {tape, active, 2};
    formula *first = memory_new(count, sizeof *first);
    tangent(tape, f, count, active, 1, first);
    tangent_along(first, count, mixed_seed, &direction, out);
    free(first);
}

/* --- backward ----------------------------------------------------------------------- */

static void backward_term(struct tape *tape, int row, int operand, const bool *moves,
                          int position, formula weight, formula *adjoint)
{
    if (position < 0 || !moves[position])
        return;
    formula term = mul(weight, partial(tape, row, operand));
    adjoint[position] = add(adjoint[position], term);
}

/* [order->count] true: the row depends on the block. Other rows need no adjoint. */
static bool *mark_moving(const struct tape *tape, const struct order *order, int block)
{
    bool *moves = memory_new(order->count, sizeof *moves);
    for (int i = 0; i < order->count; i++) {
        struct order_entry entry = order->entry[i];
        struct tape_row row = tape->row[entry.row];
        moves[i] = (row.op == OP_VARIABLE && row.a == block)
                   || (entry.a >= 0 && moves[entry.a])
                   || (entry.b >= 0 && moves[entry.b]);
    }
    return moves;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int gradient_entries(formula f, int block, int size, formula *out, int *index)
{
    int count = 0;
    struct tape *tape = f.tape;
    if (!tape)
        return 0;
    struct order order;
    reach(&order, tape, &f, 1);
    bool *moves = mark_moving(tape, &order, block);
    formula *adjoint = memory_new(order.count, sizeof *adjoint);
    adjoint[order.count - 1] = integer(tape, 1);
    for (int i = order.count - 1; i >= 0; i--) {
        struct order_entry entry = order.entry[i];
        struct tape_row row = tape->row[entry.row];
        if (!moves[i] || is_zero(adjoint[i]))
            continue;
        if (row.op == OP_VARIABLE) {
            if (row.b >= size)
                slip("gradient of size %d meets variable %d of block %d", size, row.b,
                     block);
            out[row.b] = adjoint[i];
            index[count++] = row.b;
        }
        backward_term(tape, entry.row, 0, moves, entry.a, adjoint[i], adjoint);
        backward_term(tape, entry.row, 1, moves, entry.b, adjoint[i], adjoint);
    }
    free(adjoint);
    free(moves);
    order_clear(&order);
    qsort(index, (size_t)count, sizeof *index, ascending);
    return count;
}

void gradient(formula f, int block, int size, formula *out)
{
    int *index = memory_new(size, sizeof *index);
    for (int j = 0; j < size; j++)
        out[j] = (formula){0};
    gradient_entries(f, block, size, out, index);
    free(index);
}

void jacobian(const formula *f, int rows, int block, int size, formula *out)
{
    for (int i = 0; i < rows; i++)
        gradient(f[i], block, size, out + (size_t)i * (size_t)size);
}
