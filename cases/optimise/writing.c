/*
 * writing.c - tree height reduction: sums in the order in which their terms are ready
 * (Golumbic 1976, as in Huffman's code), with fused multiply-add.
 *
 * In a small program a processor waits for the longest chain of operations, not for their
 * number. A sum a + b + c + ... of terms that nothing else needs may be evaluated in any
 * order: the two that are ready first are added first, and so on, which makes the chain
 * shortest. A product that is used once, in a sum, is one operation with it, rounded
 * once.
 */
#include "optimise/writing.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"

/* Latencies of operations, in cycles of usual processors. */
enum { ADDITION = 3, PRODUCT = 3, FUSED = 4, DIVISION = 13, ROOT = 18, FUNCTION = 40,
       LOAD = 5 };

/* --- new rows ----------------------------------------------------------------------- */

static int latency(unsigned op)
{
    switch (op) {
    case OP_CONSTANT: case OP_PI: return 0;
    case OP_VARIABLE: return LOAD;
    case OP_ADD: case OP_SUB: return ADDITION;
    case OP_MUL: return PRODUCT;
    case OP_POWI: return 2 * PRODUCT;
    case OP_NEG: return 1;
    case OP_DIV: return DIVISION;
    case OP_SQRT: return ROOT;
    case OP_MULADD: case OP_MULSUB: case OP_SUBMUL: case OP_NEGMULADD: return FUSED;
    default: return FUNCTION;
    }
}

static int ready_at(const struct writing *k, int slot)
{
    return slot >= 0 ? k->ready[slot] : 0;
}

static int latest(int a, int b)
{
    return a > b ? a : b;
}

int writing_row(struct writing *k, struct program_row row, int root, int stage)
{
    int slot = k->slots++, ready = 0, operand[3];
    int operands = program_operands(&row, operand);
    k->row = memory_grow(k->row, &k->room, k->slots, sizeof *k->row);
    k->origin = memory_grow(k->origin, &k->origin_room, k->slots, sizeof *k->origin);
    k->ready = memory_grow(k->ready, &k->ready_room, k->slots, sizeof *k->ready);
    k->steady = memory_grow(k->steady, &k->steady_room, k->slots, sizeof *k->steady);
    k->pair = memory_grow(k->pair, &k->pair_room, k->slots, sizeof *k->pair);
    k->row[slot] = row;
    k->origin[slot] = k->old->origin[root];
    k->steady[slot] = k->old->steady[root];
    for (int o = 0; o < operands; o++)
        ready = latest(ready, ready_at(k, operand[o]));
    /* a row that is evaluated once a run is ready from the beginning */
    k->ready[slot] = stage < 2 ? 0 : ready + latency(row.op);
    return slot;
}

/* --- sums --------------------------------------------------------------------------- */

void writing_add(struct writing *k, struct term term)
{
    for (int l = 0; l < k->lanes; l++) {
        term.ready = latest(term.ready, ready_at(k, term.a[l]));
        term.ready = latest(term.ready, ready_at(k, term.b[l]));
    }
    k->term = memory_grow(k->term, &k->term_room, k->terms + 1, sizeof *k->term);
    k->term[k->terms++] = term;
}

/* Takes out the term that is ready first; of several, the one that came first. */
static struct term take_first(struct writing *k)
{
    int first = 0;
    for (int i = 1; i < k->terms; i++)
        if (k->term[i].ready < k->term[first].ready)
            first = i;
    struct term term = k->term[first];
    k->terms--;
    for (int i = first; i < k->terms; i++)
        k->term[i] = k->term[i + 1];
    return term;
}

/* One row of two terms, in lane l; y is a value, or both are. */
static struct program_row joined(const struct term *x, const struct term *y, int l)
{
    if (x->b[l] < 0 && x->minus == y->minus)
        return (struct program_row){.op = OP_ADD, .a = x->a[l], .b = y->a[l]};
    if (x->b[l] < 0)
        return x->minus ? (struct program_row){.op = OP_SUB, .a = y->a[l], .b = x->a[l]}
                        : (struct program_row){.op = OP_SUB, .a = x->a[l], .b = y->a[l]};
    unsigned op = x->minus == y->minus ? OP_MULADD : x->minus ? OP_SUBMUL : OP_MULSUB;
    return (struct program_row){.op = op, .a = x->a[l], .b = x->b[l], .c = y->a[l]};
}

/* Writes the rows of a term: the sum of two terms, or (y = NULL) the product that the
   term is. */
static struct term put_term(struct writing *k, const struct term *x, const struct term *y)
{
    struct term made = {.b = {-1, -1}, .minus = y ? x->minus && y->minus : x->minus};
    for (int l = 0; l < k->lanes; l++) {
        struct program_row product = {.op = OP_MUL, .a = x->a[l], .b = x->b[l]};
        made.a[l] = writing_row(k, y ? joined(x, y, l) : product, k->root, k->stage);
    }
    k->pair[made.a[0]] = k->lanes == 2;
    made.ready = k->ready[made.a[0]];
    if (k->lanes == 2)
        made.ready = latest(made.ready, k->ready[made.a[1]]);
    return made;
}

/* Turns the sign of a term, which is the sum of others if it was `made` of them. */
static void put_negative(struct writing *k, struct term *last, bool made)
{
    last->minus = false;
    if (made && k->row[last->a[0]].op == OP_MULADD) {
        for (int l = 0; l < k->lanes; l++)
            k->row[last->a[l]].op = OP_NEGMULADD;
        return;
    }
    for (int l = 0; l < k->lanes; l++)
        last->a[l] = writing_row(k, (struct program_row){.op = OP_NEG, .a = last->a[l]},
                             k->root, k->stage);
    k->pair[last->a[0]] = k->lanes == 2;
}

struct term writing_terms(struct writing *k, bool *made)
{
    *made = k->terms > 1;
    while (k->terms > 1) {
        struct term x = take_first(k), y = take_first(k);
        if (x.b[0] >= 0 && y.b[0] >= 0)     /* the product that is ready first becomes
                                               a value */
            x = put_term(k, &x, NULL);
        bool first = x.b[0] >= 0 || y.b[0] < 0;
        struct term sum = first ? put_term(k, &x, &y) : put_term(k, &y, &x);
        k->term = memory_grow(k->term, &k->term_room, k->terms + 1, sizeof *k->term);
        k->term[k->terms++] = sum;
    }
    struct term last = k->term[0];
    return last.b[0] >= 0 ? put_term(k, &last, NULL) : last;
}

struct term writing_sum(struct writing *k)
{
    bool made;
    struct term last = writing_terms(k, &made);
    if (last.minus)
        put_negative(k, &last, made);
    return last;
}

void writing_begin(struct writing *k, int root, int stage, int lanes)
{
    k->root = root;
    k->stage = stage;
    k->lanes = lanes;
    k->terms = 0;
}

/* --- dead code
   -------------------------------------------------------------------------- */

/* [slots] rows that outputs need; of a pair both rows or none. */
static bool *find_alive(const struct writing *k)
{
    bool *alive = memory_new(k->slots, sizeof *alive);
    for (int i = 0; i < k->old->outputs; i++)
        alive[k->old->output[i]] = true;
    for (int i = k->slots - 1; i >= 0; i--) {
        int operand[3], operands = program_operands(&k->row[i], operand);
        bool first = k->pair[i], second = i > 0 && k->pair[i - 1];
        alive[i] = alive[i] || i == 0 || k->row[i].op == OP_VARIABLE ||
                   (first && alive[i + 1]);
        if (second)
            alive[i] = alive[i - 1] = alive[i] || alive[i - 1];
        for (int o = 0; o < operands && alive[i]; o++)
            alive[operand[o]] = true;
    }
    return alive;
}

void writing_sweep(struct writing *k, int begin[STAGES + 1])
{
    bool *alive = find_alive(k);
    int *to = memory_new(k->slots + 1, sizeof *to), slots = 0;
    for (int i = 0; i < k->slots; i++) {
        to[i] = slots;
        if (!alive[i])
            continue;
        struct program_row row = k->row[i];
        int operands = op_operands(row.op);
        row.a = operands > 0 ? to[row.a] : row.a;
        row.b = operands > 1 ? to[row.b] : row.b;
        row.c = operands > 2 ? to[row.c] : row.c;
        k->row[slots] = row;
        k->origin[slots] = k->origin[i];
        k->steady[slots] = k->steady[i];
        k->pair[slots++] = k->pair[i];
    }
    to[k->slots] = slots;
    for (int stage = 0; stage <= STAGES; stage++)
        begin[stage] = to[begin[stage]];
    for (int i = 0; i < k->old->inputs; i++)
        k->old->input[i].slot = to[k->old->input[i].slot];
    for (int i = 0; i < k->old->outputs; i++)
        k->old->output[i] = to[k->old->output[i]];
    k->slots = slots;
    free(alive);
    free(to);
}

void writing_clear(struct writing *k)
{
    free(k->ready);
    free(k->term);
}
