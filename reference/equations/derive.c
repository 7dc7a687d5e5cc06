/* derive.c - automatic differentiation of recorded formulas: Taylor arithmetic of
   degree 2 forward, the adjoint sweep backward (Griewank & Walther 2008, sec. 13.1,
   ch. 3); see derive.h. */
#include "derive.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* --- the rows that formulas reach --------------------------------------------------- */

struct reach {
    int *row;           /* [count] rows in ascending order, so that operands come first */
    int *place;         /* [rows of the tape] index in row[] plus 1; 0: not reached */
    int count, room;
};

static int operands_of(struct tape_row row)
{
    if (row.op == OP_POWI)
        return 1;
    return op_info[row.op].arity > 0 ? op_info[row.op].arity : 0;
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void reach_add(struct reach *reach, int row)
{
    if (reach->place[row] != 0)
        return;
    reach->row = memory_grow(reach->row, &reach->room, reach->count + 1,
                             sizeof *reach->row);
    reach->row[reach->count++] = row;
    reach->place[row] = 1;
}

static struct reach reach_of(const struct tape *tape, const formula *f, int count)
{
    struct reach reach = {.place = memory_new(tape_rows(tape), sizeof *reach.place)};
    for (int i = 0; i < count; i++)
        if (f[i].tape)
            reach_add(&reach, f[i].row);
    for (int i = 0; i < reach.count; i++) {
        struct tape_row row = tape_row(tape, reach.row[i]);
        if (operands_of(row) >= 1)
            reach_add(&reach, row.a);
        if (operands_of(row) == 2)
            reach_add(&reach, row.b);
    }
    if (reach.count > 0)
        qsort(reach.row, (size_t)reach.count, sizeof *reach.row, by_number);
    for (int i = 0; i < reach.count; i++)
        reach.place[reach.row[i]] = i + 1;
    return reach;
}

static void reach_clear(struct reach *reach)
{
    free(reach->row);
    free(reach->place);
}

/* --- functions of one argument: g' and g'' ------------------------------------------ */

static formula one_over(struct tape *tape, formula a)
{
    return quotient(integer(tape, 1), a);
}

static formula twice(formula a)
{
    return add(a, a);
}

/* 1 + a^2 for a positive sign, 1 - a^2 for a negative one */
static formula one_and_square(struct tape *tape, int sign, formula a)
{
    formula one = integer(tape, 1), square = mul(a, a);
    return sign > 0 ? add(one, square) : sub(one, square);
}

/* g'(a), with f = g(a); `exponent` is that of an integer power. */
static formula slope(struct tape *tape, enum op op, int exponent, formula a, formula f)
{
    switch (op) {
    case OP_POWI: return mul(integer(tape, exponent), power(a, exponent - 1));
    case OP_SQRT: return one_over(tape, twice(f));
    case OP_EXP:  return f;
    case OP_LOG:  return one_over(tape, a);
    case OP_SIN:  return apply(OP_COS, a);
    case OP_COS:  return negate(apply(OP_SIN, a));
    case OP_TAN:  return one_and_square(tape, +1, f);
    case OP_ASIN: return one_over(tape, apply(OP_SQRT, one_and_square(tape, -1, a)));
    case OP_ACOS: return negate(one_over(tape, apply(OP_SQRT,
                                                     one_and_square(tape, -1, a))));
    case OP_ATAN: return one_over(tape, one_and_square(tape, +1, a));
    case OP_SINH: return apply(OP_COSH, a);
    case OP_COSH: return apply(OP_SINH, a);
    case OP_TANH: return one_and_square(tape, -1, f);
    default:
        fprintf(stderr, "reference: no derivative of operation %s\n", op_info[op].text);
        abort();
    }
}

/* g''(a), with f = g(a) and f1 = g'(a). */
static formula curvature(struct tape *tape, enum op op, int exponent, formula a,
                         formula f, formula f1)
{
    switch (op) {
    case OP_POWI: return mul(integer(tape, (long)exponent * (exponent - 1)),
                             power(a, exponent - 2));
    case OP_SQRT: return negate(quotient(f1, twice(a)));
    case OP_EXP:  return f;
    case OP_LOG:  return negate(mul(f1, f1));
    case OP_SIN: case OP_COS: return negate(f);
    case OP_TAN:  return twice(mul(f, f1));
    case OP_ASIN: case OP_ACOS: return mul(a, power(f1, 3));
    case OP_ATAN: return negate(twice(mul(a, mul(f1, f1))));
    case OP_SINH: case OP_COSH: return f;
    case OP_TANH: return negate(twice(mul(f, f1)));
    default:      return slope(tape, op, exponent, a, f);   /* aborts: the operation
                                                               has no derivative */
    }
}

/* --- the jet of one operation ------------------------------------------------------- */

static void jet_function(struct tape *tape, struct tape_row row, const struct jet *a,
                         int degree, struct jet *f)
{
    formula f1 = slope(tape, row.op, row.b, a->value, f->value);
    f->first = mul(f1, a->first);
    if (degree < 2)
        return;
    f->second = mul(f1, a->second);
    if (!is_zero(a->first))
        f->second = add(f->second,
                        mul(curvature(tape, row.op, row.b, a->value, f->value, f1),
                            mul(a->first, a->first)));
}

/* f = a b */
static void jet_product(const struct jet *a, const struct jet *b, struct jet *f)
{
    f->first = add(mul(a->first, b->value), mul(a->value, b->first));
    f->second = add(add(mul(a->second, b->value), mul(a->value, b->second)),
                    twice(mul(a->first, b->first)));
}

/* The derivatives of f b = a, solved for those of f */
static void jet_quotient(const struct jet *a, const struct jet *b, struct jet *f)
{
    f->first = quotient(sub(a->first, mul(f->value, b->first)), b->value);
    f->second = quotient(sub(sub(a->second, twice(mul(f->first, b->first))),
                             mul(f->value, b->second)), b->value);
}

/* f = exp(b log a); with e = b log a, f' = f e' and f'' = f' e' + f e'' */
static void jet_power(const struct jet *a, const struct jet *b, struct jet *f)
{
    formula rate = quotient(a->first, a->value);        /* (log a)' */
    formula bend = sub(quotient(a->second, a->value), mul(rate, rate));
    formula log_a = is_zero(b->first) && is_zero(b->second)
                        ? (formula){NULL, 0} : apply(OP_LOG, a->value);
    formula e1 = add(mul(b->first, log_a), mul(b->value, rate));
    formula e2 = add(add(mul(b->second, log_a), twice(mul(b->first, rate))),
                     mul(b->value, bend));
    f->first = mul(f->value, e1);
    f->second = add(mul(f->first, e1), mul(f->value, e2));
}

/* f = atan2(a, b): the derivatives of (a^2 + b^2) f' = b a' - a b', solved for those
   of f */
static void jet_angle(const struct jet *a, const struct jet *b, struct jet *f)
{
    formula square = add(mul(a->value, a->value), mul(b->value, b->value));
    formula half_rate = add(mul(a->value, a->first), mul(b->value, b->first));
    f->first = quotient(sub(mul(b->value, a->first), mul(a->value, b->first)), square);
    f->second = quotient(sub(sub(mul(b->value, a->second), mul(a->value, b->second)),
                             twice(mul(half_rate, f->first))), square);
}

static void jet_sum(const struct jet *a, const struct jet *b, bool minus, struct jet *f)
{
    f->first = minus ? sub(a->first, b->first) : add(a->first, b->first);
    f->second = minus ? sub(a->second, b->second) : add(a->second, b->second);
}

static bool at_rest(const struct jet *a)
{
    return is_zero(a->first) && is_zero(a->second);
}

/* Sets the derivatives of f, an operation on a and b, up to `degree`; f->value is
   given. With one operand, b has no derivatives. */
static void jet_row(struct tape *tape, struct tape_row row, const struct jet *a,
                    const struct jet *b, int degree, struct jet *f)
{
    if (degree == 0 || (at_rest(a) && at_rest(b)))
        return;
    switch (row.op) {
    case OP_ADD:   jet_sum(a, b, false, f); break;
    case OP_SUB:   jet_sum(a, b, true, f); break;
    case OP_NEG:   f->first = negate(a->first); f->second = negate(a->second); break;
    case OP_MUL:   jet_product(a, b, f); break;
    case OP_DIV:   jet_quotient(a, b, f); break;
    case OP_POW:   jet_power(a, b, f); break;
    case OP_ATAN2: jet_angle(a, b, f); break;
    default:       jet_function(tape, row, a, degree, f); break;
    }
    if (degree < 2)
        f->second = (formula){NULL, 0};
}

/* --- forward ------------------------------------------------------------------------ */

/* The operation of row `number` on the new values of its operands. If they are the old
   rows, the result is the row itself. */
static formula again(struct tape *tape, int number, const formula *a, const formula *b)
{
    struct tape_row row = tape_row(tape, number);
    bool same = a->row == row.a && (operands_of(row) == 1 || b->row == row.b);
    if (same)
        return (formula){tape, number};
    if (row.op == OP_POWI)
        return power(*a, row.b);
    return operands_of(row) == 1 ? apply(row.op, *a) : apply2(row.op, *a, *b);
}

void derive_jets(struct tape *tape, const formula *f, int count, int degree, jet_fn *seed,
                 void *context, struct jet *out)
{
    static const struct jet rest = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    struct reach reach = reach_of(tape, f, count);
    struct jet *jet = memory_new(reach.count, sizeof *jet);
    for (int i = 0; i < reach.count; i++) {
        struct tape_row row = tape_row(tape, reach.row[i]);
        int operands = operands_of(row);
        if (row.op == OP_VARIABLE)
            jet[i] = seed(context, row.a, row.b);
        else
            jet[i].value = (formula){tape, reach.row[i]};
        if (operands == 0)
            continue;
        const struct jet *a = &jet[reach.place[row.a] - 1];
        const struct jet *b = operands == 2 ? &jet[reach.place[row.b] - 1] : &rest;
        jet[i].value = again(tape, reach.row[i], &a->value, &b->value);
        if (!jet[i].value.tape)  /* the zero of this tape, for rows that read it */
            jet[i].value = (formula){tape, 0};
        jet_row(tape, row, a, b, degree, &jet[i]);
    }
    for (int i = 0; i < count; i++)
        out[i] = f[i].tape ? jet[reach.place[f[i].row] - 1] : rest;
    free(jet);
    reach_clear(&reach);
}

/* --- backward ----------------------------------------------------------------------- */

/* The partial derivative of a row by one of its operands: the first derivative of the
   row's jet where that operand alone moves at rate 1. */
static formula partial(struct tape *tape, int number, int operand)
{
    struct tape_row row = tape_row(tape, number);
    struct jet a = {.value = {tape, row.a}}, b = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    struct jet f = {.value = {tape, number}};
    if (operands_of(row) == 2)
        b.value = (formula){tape, row.b};
    *(operand == 0 ? &a.first : &b.first) = integer(tape, 1);
    jet_row(tape, row, &a, &b, 1, &f);
    return f.first;
}

static void pass_back(struct tape *tape, const struct reach *reach, const bool *moves,
                      int i, int operand, formula *adjoint)
{
    struct tape_row row = tape_row(tape, reach->row[i]);
    int at = reach->place[operand == 0 ? row.a : row.b] - 1;
    if (moves[at])
        adjoint[at] = add(adjoint[at],
                          mul(adjoint[i], partial(tape, reach->row[i], operand)));
}

void derive_gradient(formula f, int block, int size, formula *out)
{
    for (int j = 0; j < size; j++)
        out[j] = (formula){NULL, 0};
    if (is_zero(f))
        return;
    struct reach reach = reach_of(f.tape, &f, 1);
    bool *moves = memory_new(reach.count, sizeof *moves);
    formula *adjoint = memory_new(reach.count, sizeof *adjoint);
    for (int i = 0; i < reach.count; i++) {
        struct tape_row row = tape_row(f.tape, reach.row[i]);
        int operands = operands_of(row);
        moves[i] = (row.op == OP_VARIABLE && row.a == block) ||
                   (operands >= 1 && moves[reach.place[row.a] - 1]) ||
                   (operands == 2 && moves[reach.place[row.b] - 1]);
    }
    adjoint[reach.count - 1] = integer(f.tape, 1);
    for (int i = reach.count - 1; i >= 0; i--) {
        struct tape_row row = tape_row(f.tape, reach.row[i]);
        if (!moves[i] || is_zero(adjoint[i]))
            continue;
        if (row.op == OP_VARIABLE)
            out[row.b] = adjoint[i];
        for (int operand = 0; operand < operands_of(row); operand++)
            pass_back(f.tape, &reach, moves, i, operand, adjoint);
    }
    free(moves);
    free(adjoint);
    reach_clear(&reach);
}

void derive_jacobian(const formula *f, int rows, int block, int size, formula *out)
{
    for (int i = 0; i < rows; i++)
        derive_gradient(f[i], block, size, out + i * size);
}
