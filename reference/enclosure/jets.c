/* jets.c - the parts of each row that are needed, as components and instructions; see
   jets.h. */
#include "jets_parts.h"

#include <stdlib.h>

#include "base/memory.h"

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
    jets_lower(jets, tape, point, f, all, root);
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
