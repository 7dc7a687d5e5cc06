/* jets.c - formulas in balls: lowering of a tape to few operations, the parts of each row
   that are needed, and their evaluation; see jets.h. */
#include "jets.h"

#include <stdlib.h>
#include <string.h>

#include <acb_poly.h>

#include "base/arena.h"
#include "base/memory.h"
#include "formula/tape.h"

/* Operations that a tape is lowered to. A function has Arb's power series. */
enum node_kind {
    NODE_MISSING,
    NODE_CONSTANT,
    NODE_PI,
    NODE_VARIABLE,
    NODE_ADD,
    NODE_SUB,
    NODE_NEG,
    NODE_MUL,
    NODE_FUNCTION
};
enum function { INVERSE, POWER, SQUARE_ROOT, EXPONENTIAL, LOGARITHM, SINE, COSINE,
                ARC_TANGENT, HYPERBOLIC_SINE, HYPERBOLIC_COSINE };

struct node {
    enum node_kind kind;
    enum function function;
    int a, b;                   /* operands; of a variable, a is its slot; of a power, b
                                   its exponent >= 2 */
    const char *text;           /* of a constant */
    int *part;                  /* [parts] component of each part; -1: zero, or not
                                   needed */
    bool *has, *need;           /* [parts] structurally not zero; needed */
    int slope, curvature;       /* components of f'(a) and f''(a)/2; -1: not needed */
    int square;                 /* component of the square of a's part tau; -1 */
};

/* Storage of a part: its value, then its derivatives. */
struct component {
    int slots;
    int *slot;                  /* [slots] ascending */
    acb_ptr x;                  /* [1 + slots] */
};

enum instruction_kind { DO_LOAD, DO_ADD, DO_MUL, DO_FUNCTION };
struct instruction {
    enum instruction_kind kind;
    bool set;                   /* the component is set, else added to */
    int to, x, y;               /* components; of a load, x is the slot */
    int factor;                 /* DO_ADD: 1, -1, or 0 for 1/2; DO_LOAD: 1, or 0 for 1/2
                                   */
    int *x_place, *y_place;     /* places of the derivatives of x, y in those of `to` */
    const struct node *node;    /* DO_FUNCTION */
    int sign;                   /* of a denominator at the last real box */
};

struct jets {
    struct arena arena;
    int parts;                  /* 3 + etas */
    struct node *node;
    int nodes, node_room;
    struct component *component;
    int components, component_room;
    struct instruction *instruction;
    int instructions, instruction_room;
    int outputs, *root;         /* [outputs] node; -1: the formula is zero */
    acb_ptr storage;
    slong stored;               /* length of storage */
    slong precision;            /* of the constants that are loaded; 0: none */
    acb_poly_t argument, series;
    acb_t work;
};

enum { PLACE_VALUE, PLACE_RATE, PLACE_SECOND, PLACE_GRADIENT };

/* --- lowering ----------------------------------------------------------------------- */

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

/* Nodes of all formulas, root [count]. */
static void lower(struct jets *jets, const struct tape *tape,
                  const struct jet_point *point, const formula *f, int count, int *root)
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

/* --- which parts are there, and which are needed ------------------------------------ */

/* The variables of the point, while a program is made. */
struct making {
    struct jets *jets;
    const struct jet_point *point;
    const int *state;           /* [ns] nodes of state_rate; -1: zero */
};

static int state_node(const struct making *making, int slot)
{
    int rate = making->point->rate[slot];
    return rate <= RATE_STATE ? making->state[RATE_STATE - rate] : -1;
}

static bool variable_has(const struct making *making, int slot, int part)
{
    const struct jet_point *point = making->point;
    int rate = point->rate[slot], state = state_node(making, slot);
    if (part >= PLACE_GRADIENT)
        return point->eta[part - PLACE_GRADIENT] == slot;
    if (part == PLACE_RATE)
        return rate >= 0 || rate == RATE_ONE || state >= 0;
    if (part == PLACE_SECOND)
        return point->second[slot] >= 0 ||
               (state >= 0 && making->jets->node[state].has[PLACE_RATE]);
    return true;
}

static bool node_has(const struct making *making, const struct node *x, int part)
{
    const struct node *a = x->a >= 0 ? &making->jets->node[x->a] : NULL;
    const struct node *b = x->b >= 0 ? &making->jets->node[x->b] : NULL;
    switch (x->kind) {
    case NODE_MISSING: case NODE_CONSTANT: case NODE_PI:
        return part == PLACE_VALUE;
    case NODE_VARIABLE:
        return variable_has(making, x->a, part);
    case NODE_NEG:
        return a->has[part];
    case NODE_ADD: case NODE_SUB:
        return a->has[part] || b->has[part];
    case NODE_MUL:
        return part == PLACE_VALUE || a->has[part] || b->has[part] ||
               (part == PLACE_SECOND && a->has[PLACE_RATE] && b->has[PLACE_RATE]);
    default:
        return part == PLACE_VALUE || a->has[part] ||
               (part == PLACE_SECOND && a->has[PLACE_RATE]);
    }
}

static void mark_has(const struct making *making)
{
    struct jets *jets = making->jets;
    for (int i = 0; i < jets->nodes; i++) {
        jets->node[i].has = arena_new(&jets->arena, jets->parts, sizeof(bool));
        jets->node[i].need = arena_new(&jets->arena, jets->parts, sizeof(bool));
        jets->node[i].part = arena_new(&jets->arena, jets->parts, sizeof(int));
    }
    for (int part = 0; part < jets->parts; part++)
        for (int i = 0; i < jets->nodes; i++)
            jets->node[i].has[part] = node_has(making, &jets->node[i], part);
}

static void need(struct jets *jets, int node, int part)
{
    if (node >= 0 && jets->node[node].has[part])
        jets->node[node].need[part] = true;
}

/* Marks what a part of a node is made of. */
static void mark_operands(const struct making *making, const struct node *x, int part)
{
    struct jets *jets = making->jets;
    if (x->kind == NODE_VARIABLE) {
        int state = state_node(making, x->a);
        if (part == PLACE_RATE || part == PLACE_SECOND)
            need(jets, state, part == PLACE_RATE ? PLACE_VALUE : PLACE_RATE);
        return;
    }
    if (x->kind == NODE_MISSING)
        slip("a formula depends on variables that its place has not");
    if (x->kind == NODE_CONSTANT || x->kind == NODE_PI)
        return;
    int b = x->kind == NODE_FUNCTION ? -1 : x->b;
    need(jets, x->a, part);
    need(jets, b, part);
    if (part == PLACE_VALUE || (x->kind != NODE_MUL && x->kind != NODE_FUNCTION))
        return;
    need(jets, x->a, PLACE_VALUE);
    need(jets, b, PLACE_VALUE);
    if (part == PLACE_SECOND) {
        need(jets, x->a, PLACE_RATE);
        need(jets, b, PLACE_RATE);
    }
    if (x->kind == NODE_FUNCTION)
        need(jets, (int)(x - jets->node), PLACE_VALUE);
}

/* The value of a node is made after all else of it has been asked for. */
static void mark_need(const struct making *making, const struct jet_output *output)
{
    struct jets *jets = making->jets;
    for (int i = 0; i < jets->outputs; i++)
        for (int part = 0; part < jets->parts; part++)
            if (output[i].parts & (1u << (part < PLACE_GRADIENT ? part : PLACE_GRADIENT)))
                need(jets, jets->root[i], part);
    for (int k = jets->parts; k-- > 0;)
        for (int i = jets->nodes; i-- > 0;)
            if (jets->node[i].need[k])
                mark_operands(making, &jets->node[i], k);
}

/* --- components and instructions ---------------------------------------------------- */

static int component(struct jets *jets, const int *slot, int slots)
{
    jets->component = memory_grow(jets->component, &jets->component_room,
                                  jets->components + 1, sizeof *jets->component);
    struct component *c = &jets->component[jets->components];
    c->slots = slots;
    c->slot = arena_new(&jets->arena, slots, sizeof *c->slot);
    memory_copy(c->slot, slot, slots, sizeof *slot);
    jets->stored += 1 + slots;
    return jets->components++;
}

/* A component with the derivatives of two others; y < 0: of x alone. */
static int component_of(struct jets *jets, int x, int y)
{
    struct component a = jets->component[x];
    struct component b = y >= 0 ? jets->component[y] : (struct component){0};
    int *slot = memory_new(a.slots + b.slots, sizeof *slot), count = 0;
    for (int i = 0, k = 0; i < a.slots || k < b.slots;) {
        int left = i < a.slots ? a.slot[i] : a.slots + b.slots + (1 << 29);
        int right = k < b.slots ? b.slot[k] : a.slots + b.slots + (1 << 29);
        int least = left < right ? left : right;
        slot[count++] = least;
        i += left == least;
        k += right == least;
    }
    int made = component(jets, slot, count);
    free(slot);
    return made;
}

static int *places(struct jets *jets, int from, int to)
{
    const struct component *a = &jets->component[from], *b = &jets->component[to];
    int *place = arena_new(&jets->arena, a->slots, sizeof *place);
    for (int i = 0, k = 0; i < a->slots; i++) {
        while (b->slot[k] != a->slot[i])
            k++;
        place[i] = k;
    }
    return place;
}

static struct instruction *instruct(struct jets *jets, enum instruction_kind kind, int to)
{
    jets->instruction = memory_grow(jets->instruction, &jets->instruction_room,
                                    jets->instructions + 1, sizeof *jets->instruction);
    struct instruction *it = &jets->instruction[jets->instructions++];
    *it = (struct instruction){.kind = kind, .to = to, .x = -1, .y = -1, .factor = 1};
    return it;
}

/* Terms of one part, which its component is the sum of. */
struct term {
    int x, y;                   /* components; y < 0: no product */
    int factor;
};

static int sum_of(struct jets *jets, const struct term *term, int terms)
{
    int to = -1, none = component(jets, NULL, 0);
    for (int i = 0; i < terms; i++) {
        int both = component_of(jets, term[i].x, term[i].y);
        to = component_of(jets, both, to < 0 ? none : to);
    }
    for (int i = 0; i < terms; i++) {
        bool product = term[i].y >= 0;
        int *x_place = places(jets, term[i].x, to);
        int *y_place = product ? places(jets, term[i].y, to) : NULL;
        struct instruction *it = instruct(jets, product ? DO_MUL : DO_ADD, to);
        it->set = i == 0;
        it->x = term[i].x;
        it->y = term[i].y;
        it->factor = term[i].factor;
        it->x_place = x_place;
        it->y_place = y_place;
    }
    return to;
}

/* A variable's part that is a slot, or half of it. */
static int load(struct jets *jets, int slot, int factor)
{
    int to = component(jets, &slot, 1);
    struct instruction *it = instruct(jets, DO_LOAD, to);
    it->x = slot;
    it->factor = factor;
    return to;
}

static int one(struct jets *jets)
{
    int to = component(jets, NULL, 0);
    instruct(jets, DO_LOAD, to);
    return to;
}

static int make_variable(const struct making *making, int slot, int part)
{
    struct jets *jets = making->jets;
    const struct jet_point *point = making->point;
    int state = state_node(making, slot);
    if (part == PLACE_VALUE)
        return load(jets, slot, 1);
    if (part >= PLACE_GRADIENT)
        return one(jets);
    if (part == PLACE_RATE && point->rate[slot] >= 0)
        return load(jets, point->rate[slot], 1);
    if (part == PLACE_RATE && point->rate[slot] == RATE_ONE)
        return one(jets);
    if (part == PLACE_SECOND && state < 0)
        return load(jets, point->second[slot], 0);
    bool rate = part == PLACE_RATE;
    const struct term term = {jets->node[state].part[rate ? PLACE_VALUE : PLACE_RATE], -1,
                              rate};
    return sum_of(jets, &term, 1);
}

static int make_function(struct jets *jets, struct node *x, int part)
{
    const struct node *a = &jets->node[x->a];
    int value = a->part[PLACE_VALUE];
    if (part == PLACE_VALUE) {
        bool further = false;
        for (int k = 1; k < jets->parts; k++)
            further = further || x->need[k];
        int to = component_of(jets, value, -1);
        x->slope = further ? component_of(jets, value, -1) : -1;
        x->curvature = x->need[PLACE_SECOND] ? component_of(jets, value, -1) : -1;
        struct instruction *it = instruct(jets, DO_FUNCTION, to);
        it->x = value;
        it->node = x;
        it->sign = 1;
        return to;
    }
    struct term term[2];
    int terms = 0;
    if (a->part[part] >= 0)
        term[terms++] = (struct term){x->slope, a->part[part], 1};
    if (part == PLACE_SECOND && a->part[PLACE_RATE] >= 0) {
        const struct term square = {a->part[PLACE_RATE], a->part[PLACE_RATE], 1};
        term[terms++] = (struct term){x->curvature, sum_of(jets, &square, 1), 1};
    }
    return sum_of(jets, term, terms);
}

static int make_product(struct jets *jets, const struct node *x, int part)
{
    const struct node *a = &jets->node[x->a], *b = &jets->node[x->b];
    struct term term[3];
    int terms = 0;
    if (a->part[part] >= 0)
        term[terms++] = (struct term){a->part[part], b->part[PLACE_VALUE], 1};
    if (part != PLACE_VALUE && b->part[part] >= 0)
        term[terms++] = (struct term){a->part[PLACE_VALUE], b->part[part], 1};
    if (part == PLACE_SECOND && a->part[PLACE_RATE] >= 0 && b->part[PLACE_RATE] >= 0)
        term[terms++] = (struct term){a->part[PLACE_RATE], b->part[PLACE_RATE], 1};
    return sum_of(jets, term, terms);
}

static int make_part(const struct making *making, struct node *x, int part)
{
    struct jets *jets = making->jets;
    struct term term[2];
    int terms = 0;
    switch (x->kind) {
    case NODE_CONSTANT: case NODE_PI:
        return component(jets, NULL, 0);
    case NODE_VARIABLE:
        return make_variable(making, x->a, part);
    case NODE_MUL:
        return make_product(jets, x, part);
    case NODE_FUNCTION:
        return make_function(jets, x, part);
    default:
        if (jets->node[x->a].part[part] >= 0)
            term[terms++] = (struct term){jets->node[x->a].part[part], -1,
                                          x->kind == NODE_NEG ? -1 : 1};
        if (x->kind != NODE_NEG && jets->node[x->b].part[part] >= 0)
            term[terms++] = (struct term){jets->node[x->b].part[part], -1,
                                          x->kind == NODE_SUB ? -1 : 1};
        return sum_of(jets, term, terms);
    }
}

static void make_parts(const struct making *making)
{
    struct jets *jets = making->jets;
    for (int i = 0; i < jets->nodes; i++)
        for (int part = 0; part < jets->parts; part++)
            jets->node[i].part[part] = -1;
    for (int part = 0; part < jets->parts; part++)
        for (int i = 0; i < jets->nodes; i++)
            if (jets->node[i].need[part])
                jets->node[i].part[part] = make_part(making, &jets->node[i], part);
}

static void place_components(struct jets *jets)
{
    jets->storage = _acb_vec_init(jets->stored);
    acb_ptr x = jets->storage;
    for (int i = 0; i < jets->components; i++) {
        jets->component[i].x = x;
        x += 1 + jets->component[i].slots;
    }
}

static int count_states(const struct jet_point *point)
{
    int states = 0;
    for (int i = 0; i < point->slots; i++)
        states += point->rate[i] <= RATE_STATE;
    return states;
}

struct jets *jets_new(const struct tape *tape, const struct jet_point *point,
                      const struct jet_output *output, int outputs)
{
    struct jets *jets = memory_new(1, sizeof *jets);
    int states = count_states(point), all = outputs + states;
    formula *f = memory_new(all, sizeof *f);
    int *root = memory_new(all, sizeof *root);
    for (int i = 0; i < outputs; i++)
        f[i] = output[i].f;
    memory_copy(f + outputs, point->state_rate, states, sizeof *f);
    jets->parts = PLACE_GRADIENT + point->etas;
    jets->outputs = outputs;
    jets->root = arena_new(&jets->arena, outputs, sizeof *jets->root);
    lower(jets, tape, point, f, all, root);
    memory_copy(jets->root, root, outputs, sizeof *root);
    const struct making making = {.jets = jets, .point = point, .state = root + outputs};
    mark_has(&making);
    mark_need(&making, output);
    make_parts(&making);
    place_components(jets);
    acb_poly_init(jets->argument);
    acb_poly_init(jets->series);
    acb_init(jets->work);
    free(f);
    free(root);
    return jets;
}

void jets_free(struct jets *jets)
{
    if (jets == NULL)
        return;
    _acb_vec_clear(jets->storage, jets->stored);
    acb_poly_clear(jets->argument);
    acb_poly_clear(jets->series);
    acb_clear(jets->work);
    free(jets->node);
    free(jets->component);
    free(jets->instruction);
    arena_free(&jets->arena);
    free(jets);
}

/* --- evaluation --------------------------------------------------------------------- */

/* Constants are decimal text, which Arb reads with an error bound. */
static void load_constants(struct jets *jets, slong precision)
{
    for (int i = 0; i < jets->nodes; i++) {
        const struct node *x = &jets->node[i];
        if (x->part[PLACE_VALUE] < 0)
            continue;
        acb_ptr to = jets->component[x->part[PLACE_VALUE]].x;
        if (x->kind == NODE_CONSTANT && arb_set_str(acb_realref(to), x->text, precision))
            slip("the constant %s has no enclosure", x->text);
        if (x->kind == NODE_PI)
            arb_const_pi(acb_realref(to), precision);
    }
    jets->precision = precision;
}

static void do_load(struct jets *jets, const struct instruction *it, acb_srcptr slot)
{
    acb_ptr x = jets->component[it->to].x;
    if (it->x < 0) {
        acb_one(x);
        return;
    }
    acb_set(x, slot + it->x);
    acb_one(x + 1);
    if (it->factor == 0) {
        acb_mul_2exp_si(x, x, -1);
        acb_mul_2exp_si(x + 1, x + 1, -1);
    }
}

static void do_add(struct jets *jets, const struct instruction *it, slong precision)
{
    const struct component *from = &jets->component[it->x],
                           *to = &jets->component[it->to];
    if (it->set)
        for (int i = 0; i <= to->slots; i++)
            acb_zero(to->x + i);
    for (int i = 0; i <= from->slots; i++) {
        acb_ptr x = to->x + (i == 0 ? 0 : 1 + it->x_place[i - 1]);
        if (it->factor == 1)
            acb_add(x, x, from->x + i, precision);
        else if (it->factor == -1)
            acb_sub(x, x, from->x + i, precision);
        else
            acb_mul_2exp_si(x, from->x + i, -1);
    }
}

static void do_mul(struct jets *jets, const struct instruction *it, slong precision)
{
    const struct component *a = &jets->component[it->x], *b = &jets->component[it->y];
    const struct component *to = &jets->component[it->to];
    if (it->set)
        for (int i = 0; i <= to->slots; i++)
            acb_zero(to->x + i);
    acb_addmul(to->x, a->x, b->x, precision);
    if (!acb_is_zero(b->x))
        for (int i = 0; i < a->slots; i++)
            acb_addmul(to->x + 1 + it->x_place[i], a->x + 1 + i, b->x, precision);
    if (!acb_is_zero(a->x))
        for (int i = 0; i < b->slots; i++)
            acb_addmul(to->x + 1 + it->y_place[i], b->x + 1 + i, a->x, precision);
}

/* True: a box is clear of all numbers <= 0. */
static bool avoids_cut(const acb_t x)
{
    return arb_is_positive(acb_realref(x)) || !arb_contains_zero(acb_imagref(x));
}

/* A denominator: on a real box its sign is noted. */
static bool good_denominator(struct instruction *it, const acb_t x, bool complex_box,
                             acb_t work)
{
    if (!complex_box) {
        it->sign = arb_is_negative(acb_realref(x)) ? -1 : 1;
        return arb_is_nonzero(acb_realref(x));
    }
    acb_mul_si(work, x, it->sign, 64);
    return avoids_cut(work);
}

static bool is_analytic(struct jets *jets, struct instruction *it, const acb_t x,
                        bool complex_box, slong precision)
{
    switch (it->node->function) {
    case INVERSE:
        return good_denominator(it, x, complex_box, jets->work);
    case SQUARE_ROOT: case LOGARITHM:
        return avoids_cut(x);
    case ARC_TANGENT:
        acb_mul(jets->work, x, x, precision);
        acb_add_ui(jets->work, jets->work, 1, precision);
        return avoids_cut(jets->work);
    default:
        return true;
    }
}

/* Coefficients 0 .. length - 1 of a function at a box, by Arb. */
static void expand(struct jets *jets, const struct node *x, acb_srcptr at, slong length,
                   slong precision)
{
    acb_poly_struct *f = jets->series, *a = jets->argument;
    acb_poly_set_coeff_acb(a, 0, at);
    acb_poly_set_coeff_si(a, 1, 1);
    switch (x->function) {
    case INVERSE:           acb_poly_inv_series(f, a, length, precision); break;
    case POWER:
        acb_poly_pow_ui_trunc_binexp(f, a, (ulong)x->b, length, precision);
        break;
    case SQUARE_ROOT:       acb_poly_sqrt_series(f, a, length, precision); break;
    case EXPONENTIAL:       acb_poly_exp_series(f, a, length, precision); break;
    case LOGARITHM:         acb_poly_log_series(f, a, length, precision); break;
    case SINE:              acb_poly_sin_series(f, a, length, precision); break;
    case COSINE:            acb_poly_cos_series(f, a, length, precision); break;
    case ARC_TANGENT:       acb_poly_atan_series(f, a, length, precision); break;
    case HYPERBOLIC_SINE:   acb_poly_sinh_series(f, a, length, precision); break;
    case HYPERBOLIC_COSINE: acb_poly_cosh_series(f, a, length, precision); break;
    }
}

/* to = f^(k)(a)/k! with derivatives (k + 1) times coefficient k + 1 times those of a. */
static void set_derivative(struct jets *jets, int to, int from, int k, slong precision)
{
    if (to < 0)
        return;
    const struct component *c = &jets->component[to], *a = &jets->component[from];
    acb_poly_get_coeff_acb(c->x, jets->series, k);
    acb_poly_get_coeff_acb(jets->work, jets->series, k + 1);
    acb_mul_ui(jets->work, jets->work, (ulong)k + 1, precision);
    for (int i = 1; i <= c->slots; i++)
        acb_mul(c->x + i, a->x + i, jets->work, precision);
}

static bool do_function(struct jets *jets, struct instruction *it, bool complex_box,
                        slong precision)
{
    const struct node *x = it->node;
    acb_srcptr at = jets->component[it->x].x;
    if (!acb_is_finite(at) || !is_analytic(jets, it, at, complex_box, precision))
        return false;
    expand(jets, x, at, x->curvature >= 0 ? 4 : x->slope >= 0 ? 3 : 2, precision);
    set_derivative(jets, it->to, it->x, 0, precision);
    set_derivative(jets, x->slope, it->x, 1, precision);
    set_derivative(jets, x->curvature, it->x, 2, precision);
    return acb_is_finite(jets->component[it->to].x);
}

bool jets_run(struct jets *jets, acb_srcptr slot, bool complex_box, slong precision)
{
    if (precision != jets->precision)
        load_constants(jets, precision);
    for (int i = 0; i < jets->instructions; i++) {
        struct instruction *it = &jets->instruction[i];
        switch (it->kind) {
        case DO_LOAD:
            do_load(jets, it, slot);
            break;
        case DO_ADD:
            do_add(jets, it, precision);
            break;
        case DO_MUL:
            do_mul(jets, it, precision);
            break;
        case DO_FUNCTION:
            if (!do_function(jets, it, complex_box, precision))
                return false;
            break;
        }
    }
    return true;
}

struct jet_part_view jets_output(const struct jets *jets, int output, enum jet_part part,
                                 int eta)
{
    int node = jets->root[output];
    int place = part == PART_VALUE ? PLACE_VALUE : part == PART_RATE ? PLACE_RATE
              : part == PART_SECOND ? PLACE_SECOND : PLACE_GRADIENT + eta;
    int at = node >= 0 ? jets->node[node].part[place] : -1;
    if (at < 0)
        return (struct jet_part_view){0};
    const struct component *c = &jets->component[at];
    return (struct jet_part_view){.value = c->x, .slots = c->slots, .slot = c->slot,
                                  .by = c->x + 1};
}
