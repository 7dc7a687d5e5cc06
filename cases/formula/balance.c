/*
 * balance.c - sums in the order in which their terms are ready.
 *
 * What a processor waits for in a small program is not the number of its operations but
 * the longest chain of them. A sum a + b + c + ... of terms that nothing else needs may
 * be evaluated in any order: the two that are ready first are added first, and so on,
 * which makes the chain shortest (Golumbic 1976: as in Huffman's code). A product that is
 * used once, in a sum, is one operation with it, rounded once. Both are rows like any
 * other, so interpreter and generated code agree on them to the bit, which what a
 * compiler rearranges by itself would not.
 */
#include <stdlib.h>

#include "formula/memory.h"
#include "formula/program.h"
#include "formula/tape.h"

/* How long operations take, in cycles of usual processors. */
enum { ADDITION = 3, PRODUCT = 3, FUSED = 4, DIVISION = 13, ROOT = 18, FUNCTION = 40,
       LOAD = 5 };

/* A term of a sum: a value, or the product of two. */
struct term {
    int a, b;               /* slots of the new program; b = -1: a value */
    bool minus;
    int ready;
};

struct balance {
    struct program *program;
    int *uses;              /* [slots]; an output counts as two: it is there by itself */
    int *to;                /* [slots] where a row is in the new program, -1: nowhere */
    struct program_row *row;    /* the new program */
    int *origin, *ready;
    bool *steady;
    int slots, room, origin_room, ready_room, steady_room;
    struct term *term;      /* of the sum that is being written */
    int terms, term_room;
    int *stack;             /* slots of it that are still to be looked at, sign in
                               bit 0 */
    int height, stack_room;
};

/* --- what may be taken apart -------------------------------------------------------- */

static void count_uses(struct balance *k)
{
    const struct program *program = k->program;
    for (int i = 0; i < program->slots; i++) {
        int operand[3], operands = program_operands(&program->row[i], operand);
        for (int o = 0; o < operands; o++)
            k->uses[operand[o]]++;
    }
    for (int i = 0; i < program->outputs; i++)
        k->uses[program->output[i]] += 2;
}

static int stage_of(const struct program *program, int slot)
{
    int stage = 0;
    while (slot >= program->stage_begin[stage + 1])
        stage++;
    return stage;
}

static bool is_sum(unsigned op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_NEG;
}

/* A square is a product, too. */
static bool is_product(const struct program_row *row)
{
    return row->op == OP_MUL || (row->op == OP_POWI && row->b == 2);
}

/* Used once, by a sum of the same stage. */
static bool *find_inner(const struct balance *k)
{
    const struct program *program = k->program;
    bool *inner = memory_new(program->slots, sizeof *inner);
    for (int i = 0; i < program->slots; i++) {
        const struct program_row *row = &program->row[i];
        int stage = stage_of(program, i);
        const int operand[2] = {row->a, row->op == OP_NEG ? row->a : row->b};
        for (int o = 0; o < 2 && stage > 0 && is_sum(row->op); o++) {
            const struct program_row *below = &program->row[operand[o]];
            inner[operand[o]] = k->uses[operand[o]] == 1 &&
                                (is_sum(below->op) || is_product(below)) &&
                                stage_of(program, operand[o]) == stage;
        }
    }
    return inner;
}

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

static int ready_at(const struct balance *k, int slot)
{
    return slot >= 0 ? k->ready[slot] : 0;
}

static int latest(int a, int b)
{
    return a > b ? a : b;
}

static int put_row(struct balance *k, struct program_row row, int origin, bool steady,
                   int stage)
{
    int slot = k->slots++, ready = 0, operand[3];
    int operands = program_operands(&row, operand);
    k->row = memory_grow(k->row, &k->room, k->slots, sizeof *k->row);
    k->origin = memory_grow(k->origin, &k->origin_room, k->slots, sizeof *k->origin);
    k->ready = memory_grow(k->ready, &k->ready_room, k->slots, sizeof *k->ready);
    k->steady = memory_grow(k->steady, &k->steady_room, k->slots, sizeof *k->steady);
    k->row[slot] = row;
    k->origin[slot] = origin;
    k->steady[slot] = steady;
    for (int o = 0; o < operands; o++)
        ready = latest(ready, ready_at(k, operand[o]));
    /* what is evaluated once a run is there from the beginning */
    k->ready[slot] = stage < 2 ? 0 : ready + latency(row.op);
    return slot;
}

/* --- sums --------------------------------------------------------------------------- */

static void push(struct balance *k, int slot, bool minus)
{
    k->stack = memory_grow(k->stack, &k->stack_room, k->height + 1, sizeof *k->stack);
    k->stack[k->height++] = 2 * slot + minus;
}

/* The terms of the sum at `root`. */
static void take_apart(struct balance *k, const bool *inner, int root)
{
    const struct program *program = k->program;
    k->terms = k->height = 0;
    push(k, root, false);
    while (k->height > 0) {
        int top = k->stack[--k->height], slot = top / 2;
        bool minus = top % 2;
        const struct program_row *row = &program->row[slot];
        bool open = slot == root || inner[slot];
        if (open && is_sum(row->op)) {
            if (row->op != OP_NEG)
                push(k, row->b, minus != (row->op == OP_SUB));
            push(k, row->a, minus != (row->op == OP_NEG));
            continue;
        }
        struct term term = {k->to[slot], -1, minus, 0};
        if (open) {
            int b = row->op == OP_MUL ? row->b : row->a;
            term = (struct term){k->to[row->a], k->to[b], minus, 0};
        }
        term.ready = latest(ready_at(k, term.a), ready_at(k, term.b));
        k->term = memory_grow(k->term, &k->term_room, k->terms + 1, sizeof *k->term);
        k->term[k->terms++] = term;
    }
}

/* Takes out the term that is ready first; of several, the one that came first. */
static struct term take_first(struct balance *k)
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

/* One row of two terms: y is a value, or both are. */
static struct program_row joined(struct term x, struct term y, bool *minus)
{
    *minus = x.minus && y.minus;
    if (x.b < 0 && x.minus == y.minus)
        return (struct program_row){.op = OP_ADD, .a = x.a, .b = y.a};
    if (x.b < 0)
        return x.minus ? (struct program_row){.op = OP_SUB, .a = y.a, .b = x.a}
                       : (struct program_row){.op = OP_SUB, .a = x.a, .b = y.a};
    unsigned op = x.minus == y.minus ? OP_MULADD : x.minus ? OP_SUBMUL : OP_MULSUB;
    return (struct program_row){.op = op, .a = x.a, .b = x.b, .c = y.a};
}

/* The negative of a term, the sum of others if it was `made` of them. */
static int put_negative(struct balance *k, int root, struct term last, bool made)
{
    if (made && k->row[last.a].op == OP_MULADD) {
        k->row[last.a].op = OP_NEGMULADD;
        return last.a;
    }
    return put_row(k, (struct program_row){.op = OP_NEG, .a = last.a},
                   k->program->origin[root], k->program->steady[root],
                   stage_of(k->program, root));
}

/* Rows of the terms, as rows of what was at `root`. Returns the last. */
static int put_sum(struct balance *k, int root)
{
    int origin = k->program->origin[root], stage = stage_of(k->program, root);
    bool steady = k->program->steady[root], made = k->terms > 1;
    while (k->terms > 1) {
        struct term x = take_first(k), y = take_first(k), sum = {.b = -1};
        if (x.b >= 0 && y.b >= 0) {     /* the one ready first becomes a value */
            struct program_row product = {.op = OP_MUL, .a = x.a, .b = x.b};
            x.a = put_row(k, product, origin, steady, stage);
            x.b = -1;
        }
        bool first = x.b >= 0;
        struct program_row row = first || y.b < 0 ? joined(x, y, &sum.minus)
                                                  : joined(y, x, &sum.minus);
        sum.a = put_row(k, row, origin, steady, stage);
        sum.ready = k->ready[sum.a];
        k->term = memory_grow(k->term, &k->term_room, k->terms + 1, sizeof *k->term);
        k->term[k->terms++] = sum;
    }
    struct term last = k->term[0];
    if (last.b >= 0)
        last.a = put_row(k, (struct program_row){.op = OP_MUL, .a = last.a, .b = last.b},
                         origin, steady, stage);
    return last.minus ? put_negative(k, root, last, made) : last.a;
}

/* --- the program -------------------------------------------------------------------- */

static void put_as_it_is(struct balance *k, int i, int stage)
{
    const struct program *program = k->program;
    struct program_row row = program->row[i];
    if (op_operands(row.op) > 0)
        row.a = k->to[row.a];
    if (op_operands(row.op) > 1)
        row.b = k->to[row.b];
    k->to[i] = put_row(k, row, program->origin[i], program->steady[i], stage);
}

static void write_rows(struct balance *k, const bool *inner, int begin[STAGES + 1])
{
    const struct program *program = k->program;
    for (int stage = 0; stage < STAGES; stage++) {
        begin[stage] = k->slots;
        for (int i = program->stage_begin[stage]; i < program->stage_begin[stage + 1];
             i++) {
            k->to[i] = -1;
            if (inner[i])
                continue;
            if (stage > 0 && is_sum(program->row[i].op)) {
                take_apart(k, inner, i);
                k->to[i] = put_sum(k, i);
            } else {
                put_as_it_is(k, i, stage);
            }
        }
    }
    begin[STAGES] = k->slots;
}

void program_balance(struct program *program)
{
    struct balance k = {.program = program};
    int begin[STAGES + 1];
    k.uses = memory_new(program->slots, sizeof *k.uses);
    k.to = memory_new(program->slots, sizeof *k.to);
    count_uses(&k);
    bool *inner = find_inner(&k);
    write_rows(&k, inner, begin);
    for (int stage = 0; stage <= STAGES; stage++)
        program->stage_begin[stage] = begin[stage];
    for (int i = 0; i < program->inputs; i++)
        program->input[i].slot = k.to[program->input[i].slot];
    for (int i = 0; i < program->outputs; i++)
        program->output[i] = k.to[program->output[i]];
    free(program->row);
    free(program->origin);
    free(program->steady);
    program->row = k.row;
    program->origin = k.origin;
    program->steady = k.steady;
    program->slots = k.slots;
    free(inner);
    free(k.uses);
    free(k.to);
    free(k.ready);
    free(k.term);
    free(k.stack);
}
