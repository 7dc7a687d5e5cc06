/* jets_lower.c - a tape lowered to the few operations of jets, for which a quotient, a
   power or an angle is a function of one operand. */
#include "jets_parts.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"

static int node(struct jets *jets, enum node_kind kind, int a, int b)
{
    jets->node = memory_grow(jets->node, &jets->node_room, jets->nodes + 1,
                             sizeof *jets->node);
    jets->node[jets->nodes] = (struct node){.kind = kind, .a = a, .b = b};
    return jets->nodes++;
}

static int function(struct jets *jets, enum function f, int a, int exponent)
{
    int i = node(jets, NODE_FUNCTION, a, exponent);
    jets->node[i].function = f;
    return i;
}

static int constant_node(struct jets *jets, const char *text)
{
    int i = node(jets, NODE_CONSTANT, -1, -1);
    jets->node[i].text = text;
    return i;
}

static int divide(struct jets *jets, int a, int b)
{
    return node(jets, NODE_MUL, a, function(jets, INVERSE, b, 0));
}

static int power_node(struct jets *jets, int a, int exponent)
{
    if (exponent < 0)
        return power_node(jets, function(jets, INVERSE, a, 0), -exponent);
    return exponent == 1 ? a : function(jets, POWER, a, exponent);
}

/* asin a = atan(a / sqrt(1 - a^2)) */
static int arc_sine(struct jets *jets, int a)
{
    int below = node(jets, NODE_SUB, constant_node(jets, "1"),
                     node(jets, NODE_MUL, a, a));
    return function(jets, ARC_TANGENT,
                    divide(jets, a, function(jets, SQUARE_ROOT, below, 0)), 0);
}

/* atan2(a, b) = 2 atan(a / (b + sqrt(a^2 + b^2))), the principal value off its cut */
static int angle(struct jets *jets, int a, int b)
{
    int square = node(jets, NODE_ADD, node(jets, NODE_MUL, a, a),
                      node(jets, NODE_MUL, b, b));
    int below = node(jets, NODE_ADD, b, function(jets, SQUARE_ROOT, square, 0));
    return node(jets, NODE_MUL, constant_node(jets, "2"),
                function(jets, ARC_TANGENT, divide(jets, a, below), 0));
}

static int half_pi(struct jets *jets)
{
    return node(jets, NODE_MUL, constant_node(jets, "5e-1"),
                node(jets, NODE_PI, -1, -1));
}

static int lower_operation(struct jets *jets, enum op op, int a, int b)
{
    switch (op) {
    case OP_ADD:   return node(jets, NODE_ADD, a, b);
    case OP_SUB:   return node(jets, NODE_SUB, a, b);
    case OP_MUL:   return node(jets, NODE_MUL, a, b);
    case OP_NEG:   return node(jets, NODE_NEG, a, -1);
    case OP_DIV:   return divide(jets, a, b);
    case OP_SQRT:  return function(jets, SQUARE_ROOT, a, 0);
    case OP_EXP:   return function(jets, EXPONENTIAL, a, 0);
    case OP_LOG:   return function(jets, LOGARITHM, a, 0);
    case OP_SIN:   return function(jets, SINE, a, 0);
    case OP_COS:   return function(jets, COSINE, a, 0);
    case OP_ATAN:  return function(jets, ARC_TANGENT, a, 0);
    case OP_SINH:  return function(jets, HYPERBOLIC_SINE, a, 0);
    case OP_COSH:  return function(jets, HYPERBOLIC_COSINE, a, 0);
    case OP_ASIN:  return arc_sine(jets, a);
    case OP_ACOS:  return node(jets, NODE_SUB, half_pi(jets), arc_sine(jets, a));
    case OP_ATAN2: return angle(jets, a, b);
    case OP_TAN:
        return divide(jets, function(jets, SINE, a, 0), function(jets, COSINE, a, 0));
    case OP_TANH:
        return divide(jets, function(jets, HYPERBOLIC_SINE, a, 0),
                      function(jets, HYPERBOLIC_COSINE, a, 0));
    case OP_POW:
        return function(jets, EXPONENTIAL,
                        node(jets, NODE_MUL, b, function(jets, LOGARITHM, a, 0)), 0);
    default:
        slip("an operation without an enclosure");
    }
}

static int lower_row(struct jets *jets, const struct tape *tape,
                     const struct jet_point *point, int row, int a, int b)
{
    struct tape_row r = tape_row(tape, row);
    switch (r.op) {
    case OP_CONSTANT:
        return constant_node(jets, tape_constant(tape, r.a));
    case OP_PI:
        return node(jets, NODE_PI, -1, -1);
    case OP_VARIABLE:
        if (r.a >= BLOCKS || point->first[r.a] < 0)
            return node(jets, NODE_MISSING, -1, -1);
        return node(jets, NODE_VARIABLE, point->first[r.a] + r.b, -1);
    case OP_POWI:
        return power_node(jets, a, r.b);
    default:
        return lower_operation(jets, r.op, a, b);
    }
}

void jets_lower(struct jets *jets, const struct tape *tape, const struct jet_point *point,
                const formula *f, int count, int *root)
{
    struct order order;
    order_from(&order, tape, f, count);
    int *at = memory_new(order.count, sizeof *at);
    for (int i = 0; i < order.count; i++) {
        const struct order_entry *entry = &order.entry[i];
        at[i] = lower_row(jets, tape, point, entry->row,
                          entry->a >= 0 ? at[entry->a] : -1,
                          entry->b >= 0 ? at[entry->b] : -1);
    }
    for (int i = 0; i < count; i++)
        root[i] = order.root[i] >= 0 ? at[order.root[i]] : -1;
    free(at);
    order_clear(&order);
}
