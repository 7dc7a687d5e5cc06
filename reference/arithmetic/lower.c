/* lower.c - automatic differentiation by recurrences: elementary functions as
   integrals of rows with a Taylor recurrence (Griewank & Walther 2008, sec. 13.2); see
   lower.h. */
#include "lower.h"

#include <stdlib.h>

#include "base/memory.h"

struct lowering {
    const struct program *program;
    struct lowered *out;
    int slot;               /* the slot that is being lowered */
};

static int emit(struct lowering *l, struct lowered_row row)
{
    struct lowered *out = l->out;
    out->row = memory_grow(out->row, &out->capacity, out->rows + 1, sizeof *out->row);
    row.steady = l->program->steady[l->slot];
    row.slot = l->slot;
    row.made_rate = row.made_circular = row.made_hyperbolic = -1;
    out->row[out->rows] = row;
    return out->rows++;
}

static int emit2(struct lowering *l, enum lowered_kind kind, int a, int b)
{
    return emit(l, (struct lowered_row){.kind = kind, .a = a, .b = b});
}

static int product(struct lowering *l, int a, int b)
{
    const struct lowered_row *row = l->out->row;
    if (a == b)
        return emit2(l, LOW_SQUARE, a, a);
    if (row[b].steady && !row[a].steady)
        return emit2(l, LOW_SCALE, a, b);
    if (row[a].steady && !row[b].steady)
        return emit2(l, LOW_SCALE, b, a);
    return emit2(l, LOW_MUL, a, b);
}

/* a^e by repeated squaring, e != 0 */
static int integer_power(struct lowering *l, int a, int e)
{
    unsigned n = e < 0 ? 0u - (unsigned)e : (unsigned)e;
    int result = -1;
    for (int square = a; n != 0; n >>= 1) {
        if (n & 1u)
            result = result < 0 ? square : product(l, result, square);
        if (n > 1)
            square = product(l, square, square);
    }
    return e < 0 ? emit2(l, LOW_DIV, l->out->one, result) : result;
}

static int rate_of(struct lowering *l, int a)
{
    if (l->out->row[a].made_rate < 0) {
        int rate = emit2(l, LOW_RATE, a, a);
        l->out->row[a].made_rate = rate;
    }
    return l->out->row[a].made_rate;
}

/* A row f with f' = sign weight a' and f(0) = op(a0, b0). */
static int integral(struct lowering *l, enum op op, int a, int b, int weight, int sign)
{
    int rate = rate_of(l, a);
    return emit(l, (struct lowered_row){.kind = LOW_INTEGRAL, .op = op, .a = a, .b = b,
                                        .rate = rate, .weight = weight, .sign = sign});
}

/* sin' = cos, cos' = -sin; sinh' = cosh, cosh' = sinh: two rows, each the weight of
   the other. Returns the first; the second is the row after it. */
static int pair(struct lowering *l, enum op first, enum op second, int a, int sign)
{
    int f = integral(l, first, a, a, 0, 1);
    int g = integral(l, second, a, a, f, sign);
    l->out->row[f].weight = g;
    return f;
}

static int circular(struct lowering *l, int a)
{
    if (l->out->row[a].made_circular < 0) {
        int f = pair(l, OP_SIN, OP_COS, a, -1);
        l->out->row[a].made_circular = f;
    }
    return l->out->row[a].made_circular;
}

static int hyperbolic(struct lowering *l, int a)
{
    if (l->out->row[a].made_hyperbolic < 0) {
        int f = pair(l, OP_SINH, OP_COSH, a, 1);
        l->out->row[a].made_hyperbolic = f;
    }
    return l->out->row[a].made_hyperbolic;
}

/* tan' = 1 + tan^2, tanh' = 1 - tanh^2: the weight comes after the row that it weighs. */
static int tangent_of(struct lowering *l, enum op op, enum lowered_kind add_or_sub, int a)
{
    int f = integral(l, op, a, a, 0, 1);
    int square = emit2(l, LOW_SQUARE, f, f);
    int weight = emit2(l, add_or_sub, l->out->one, square);
    l->out->row[f].weight = weight;
    return f;
}

/* arcsine and arccosine: the weight is 1 / sqrt(1 - a^2). */
static int arc(struct lowering *l, enum op op, int a, int sign)
{
    int inside = emit2(l, LOW_SUB, l->out->one, emit2(l, LOW_SQUARE, a, a));
    int weight = emit2(l, LOW_DIV, l->out->one, emit2(l, LOW_SQRT, inside, inside));
    return integral(l, op, a, a, weight, sign);
}

static int arc_tangent(struct lowering *l, int a)
{
    int below = emit2(l, LOW_ADD, l->out->one, emit2(l, LOW_SQUARE, a, a));
    return integral(l, OP_ATAN, a, a, emit2(l, LOW_DIV, l->out->one, below), 1);
}

/* d atan2(a, b) = (b da - a db) / (a^2 + b^2): two integrals */
static int arc_tangent2(struct lowering *l, int a, int b)
{
    int aa = emit2(l, LOW_SQUARE, a, a), bb = emit2(l, LOW_SQUARE, b, b);
    int below = emit2(l, LOW_ADD, aa, bb);
    int by_a = emit2(l, LOW_DIV, b, below), by_b = emit2(l, LOW_DIV, a, below);
    int f = integral(l, OP_ATAN2, a, b, by_a, 1);
    int g = integral(l, OP_CONSTANT, b, b, by_b, -1);
    return emit2(l, LOW_ADD, f, g);
}

static int logarithm(struct lowering *l, int a)
{
    return integral(l, OP_LOG, a, a, emit2(l, LOW_DIV, l->out->one, a), 1);
}

static int exponential(struct lowering *l, int a)
{
    int f = integral(l, OP_EXP, a, a, 0, 1);
    l->out->row[f].weight = f;
    return f;
}

static int lower_row(struct lowering *l, struct program_row row)
{
    const int *of = l->out->of_slot;
    switch (row.op) {
    case OP_CONSTANT: case OP_PI: case OP_VARIABLE:
        return emit(l, (struct lowered_row){.kind = LOW_LEAF, .op = row.op, .a = row.a,
                                            .b = row.b});
    case OP_POWI:  return integer_power(l, of[row.a], row.b);
    case OP_ADD:   return emit2(l, LOW_ADD, of[row.a], of[row.b]);
    case OP_SUB:   return emit2(l, LOW_SUB, of[row.a], of[row.b]);
    case OP_MUL:   return product(l, of[row.a], of[row.b]);
    case OP_DIV:   return emit2(l, LOW_DIV, of[row.a], of[row.b]);
    case OP_NEG:   return emit2(l, LOW_NEG, of[row.a], of[row.a]);
    case OP_POW:   return exponential(l, product(l, logarithm(l, of[row.a]), of[row.b]));
    case OP_SQRT:  return emit2(l, LOW_SQRT, of[row.a], of[row.a]);
    case OP_EXP:   return exponential(l, of[row.a]);
    case OP_LOG:   return logarithm(l, of[row.a]);
    case OP_SIN:   return circular(l, of[row.a]);
    case OP_COS:   return circular(l, of[row.a]) + 1;
    case OP_TAN:   return tangent_of(l, OP_TAN, LOW_ADD, of[row.a]);
    case OP_ASIN:  return arc(l, OP_ASIN, of[row.a], 1);
    case OP_ACOS:  return arc(l, OP_ACOS, of[row.a], -1);
    case OP_ATAN:  return arc_tangent(l, of[row.a]);
    case OP_ATAN2: return arc_tangent2(l, of[row.a], of[row.b]);
    case OP_SINH:  return hyperbolic(l, of[row.a]);
    case OP_COSH:  return hyperbolic(l, of[row.a]) + 1;
    case OP_TANH:  return tangent_of(l, OP_TANH, LOW_SUB, of[row.a]);
    case OPS:      break;
    }
    slip("lower: row with an operation that is not in ops.def");
}

struct lowered *lower(const struct program *program)
{
    struct lowered *out = memory_new(1, sizeof *out);
    struct lowering l = {.program = program, .out = out, .slot = 0};
    out->of_slot = memory_new(program->slots, sizeof *out->of_slot);
    out->one = emit(&l, (struct lowered_row){.kind = LOW_LEAF, .op = OPS});
    out->row[out->one].steady = true;
    for (int stage = 0; stage < STAGES; stage++) {
        out->stage_begin[stage] = stage == 0 ? 0 : out->rows;
        for (int i = program->stage_begin[stage]; i < program->stage_begin[stage + 1];
             i++) {
            l.slot = i;
            out->of_slot[i] = lower_row(&l, program->row[i]);
        }
    }
    out->stage_begin[STAGES] = out->rows;
    return out;
}

void lowered_free(struct lowered *lowered)
{
    if (lowered == NULL)
        return;
    free(lowered->row);
    free(lowered->of_slot);
    free(lowered);
}
