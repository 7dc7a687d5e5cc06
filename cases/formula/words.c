/*
 * words.c - constructors of formulas, with constant folding of trivial cases.
 *
 * Folding is exact, and never looks at row numbers: the same words give the same formula
 * whatever else the tape holds.
 */
#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"

enum { EXPONENT_LIMIT = 1000000 };

static bool is_integer(formula a, int64_t value)
{
    int64_t found;
    return integer_constant(a, &found) && found == value;
}

bool is_zero(formula a)
{
    return !a.tape || a.row == 0;
}

bool same_formula(formula a, formula b)
{
    return (is_zero(a) && is_zero(b)) || (a.tape == b.tape && a.row == b.row);
}

bool is_steady(formula a)
{
    return !a.tape || a.tape->steady[a.row];
}

/* The tape of two operands; NULL if neither was ever set. Aborts on two tapes. */
static struct tape *common_tape(formula a, formula b)
{
    if (a.tape && b.tape && a.tape != b.tape)
        slip("an operation between formulas of two tapes");
    return a.tape ? a.tape : b.tape;
}

static formula zero_of(struct tape *tape)
{
    return (formula){tape, 0};
}

static bool is_negated(formula a)
{
    return a.tape && a.tape->row[a.row].op == OP_NEG;
}

static formula operand(formula a)
{
    return (formula){a.tape, a.tape->row[a.row].a};
}

/* --- sums --------------------------------------------------------------------------- */

formula negate(formula a)
{
    if (is_zero(a))
        return a;
    if (is_negated(a))
        return operand(a);
    struct tape_row row = a.tape->row[a.row];
    if (row.op != OP_CONSTANT)
        return tape_record(a.tape, OP_NEG, a.row, 0);

    /* A constant keeps its text; only the sign changes. */
    const char *text = a.tape->constant[row.a].text;
    if (*text == '-')
        return constant(a.tape, text + 1);
    size_t length = 0;
    while (text[length])
        length++;
    char *negative = memory_new((int)length + 2, 1);
    negative[0] = '-';
    for (size_t i = 0; i < length; i++)
        negative[i + 1] = text[i];
    formula result = constant(a.tape, negative);
    free(negative);
    return result;
}

formula magnitude(formula a, bool *negative)
{
    struct tape_row row = a.tape->row[a.row];
    *negative = row.op == OP_NEG ||
                (row.op == OP_CONSTANT && *a.tape->constant[row.a].text == '-');
    return *negative ? negate(a) : a;
}

formula add(formula a, formula b)
{
    struct tape *tape = common_tape(a, b);
    if (is_zero(a))
        return is_zero(b) ? zero_of(tape) : b;
    if (is_zero(b))
        return a;
    int64_t x, y, value;
    if (integer_constant(a, &x) && integer_constant(b, &y)
        && !__builtin_add_overflow(x, y, &value))
        return integer(tape, value);
    if (is_negated(b))
        return sub(a, operand(b));
    if (is_negated(a))
        return sub(b, operand(a));
    return tape_record(tape, OP_ADD, a.row, b.row);
}

formula sub(formula a, formula b)
{
    struct tape *tape = common_tape(a, b);
    if (is_zero(b))
        return is_zero(a) ? zero_of(tape) : a;
    if (is_zero(a))
        return negate(b);
    int64_t x, y, value;
    if (integer_constant(a, &x) && integer_constant(b, &y)
        && !__builtin_sub_overflow(x, y, &value))
        return integer(tape, value);
    if (is_negated(b))
        return add(a, operand(b));
    return tape_record(tape, OP_SUB, a.row, b.row);
}

formula sum(const formula *a, int count)
{
    formula total = {0};
    for (int i = 0; i < count; i++)
        total = add(total, a[i]);
    return total;
}

formula dot(const formula *a, const formula *b, int count)
{
    formula total = {0};
    for (int i = 0; i < count; i++)
        total = add(total, mul(a[i], b[i]));
    return total;
}

/* --- products ----------------------------------------------------------------------- */

formula mul(formula a, formula b)
{
    struct tape *tape = common_tape(a, b);
    if (is_zero(a) || is_zero(b))
        return zero_of(tape);
    if (is_integer(a, 1))
        return b;
    if (is_integer(b, 1))
        return a;
    if (is_integer(a, -1))
        return negate(b);
    if (is_integer(b, -1))
        return negate(a);
    int64_t x, y, value;
    if (integer_constant(a, &x) && integer_constant(b, &y)
        && !__builtin_mul_overflow(x, y, &value))
        return integer(tape, value);
    return tape_record(tape, OP_MUL, a.row, b.row);
}

/* A denominator that is the constant 0 is recorded as it stands: the reader has
   refused it in text, and program_blame finds it in formulas built by words. */
formula quotient(formula a, formula b)
{
    struct tape *tape = common_tape(a, b);
    if (!b.tape)
        slip("division by a formula that was never set");
    if (is_integer(b, 1))
        return a.tape ? a : zero_of(tape);
    if (is_integer(b, -1))
        return a.tape ? negate(a) : zero_of(tape);
    if (is_zero(a) && !is_zero(b))
        return zero_of(tape);
    return tape_record(tape, OP_DIV, a.row, b.row);
}

formula power(formula a, int exponent)
{
    if (exponent < -EXPONENT_LIMIT || exponent > EXPONENT_LIMIT)
        slip("integer power %d", exponent);
    if (exponent == 1)
        return a;
    if (!a.tape && exponent > 0)
        return a;
    if (!a.tape)
        slip("power %d of a formula that was never set", exponent);
    if (exponent == 0 || is_integer(a, 1))
        return integer(a.tape, 1);
    if (is_zero(a) && exponent > 0)
        return a;
    return tape_record(a.tape, OP_POWI, a.row, exponent);
}

/* --- functions ---------------------------------------------------------------------- */

/* *value is the value at 0 of a function that is analytic there and has an integer
   value. */
static bool value_at_zero(enum op op, long *value)
{
    switch (op) {
    case OP_SIN: case OP_TAN: case OP_ASIN: case OP_ATAN: case OP_SINH: case OP_TANH:
        *value = 0;
        return true;
    case OP_COS: case OP_COSH: case OP_EXP:
        *value = 1;
        return true;
    default:
        return false;
    }
}

formula apply(enum op op, formula a)
{
    if (op >= OPS || op_info[op].arity != 1)
        slip("operation %d does not take one operand", (int)op);
    if (op == OP_NEG)
        return negate(a);
    long value;
    if (is_zero(a) && value_at_zero(op, &value) && (a.tape || value == 0))
        return value == 0 ? a : integer(a.tape, value);
    if (!a.tape)
        slip("%s of a formula that was never set", op_info[op].text);
    return tape_record(a.tape, op, a.row, 0);
}

/* a^b: by multiplication if b is an integer; as it stands if b is constant in time, as
   its Taylor recurrence needs; else through exp and log, which have the same domain
   a > 0. */
static formula real_power(struct tape *tape, formula a, formula b)
{
    int64_t exponent;
    if (integer_constant(b, &exponent) && llabs(exponent) <= EXPONENT_LIMIT)
        return power((formula){tape, a.row}, (int)exponent);
    if (tape->steady[b.row])
        return tape_record(tape, OP_POW, a.row, b.row);
    formula base = {tape, a.row};
    return apply(OP_EXP, mul(b, apply(OP_LOG, base)));
}

formula apply2(enum op op, formula a, formula b)
{
    if (op >= OPS || op_info[op].arity != 2)
        slip("operation %d does not take two operands", (int)op);
    struct tape *tape = common_tape(a, b);
    switch (op) {
    case OP_ADD: return add(a, b);
    case OP_SUB: return sub(a, b);
    case OP_MUL: return mul(a, b);
    case OP_DIV: return quotient(a, b);
    default: break;
    }
    if (!tape)
        slip("%s of formulas that were never set", op_info[op].text);
    if (op == OP_POW)
        return real_power(tape, a, b);
    return tape_record(tape, op, a.row, b.row);
}
