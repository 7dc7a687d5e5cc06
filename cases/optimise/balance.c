/*
 * balance.c - a program written anew for instruction-level parallelism: sums in another
 * order (writing.h), rows that are alike beside each other (superword.h).
 *
 * Both are rows like any other, so that interpreter and generated code agree on them to
 * the bit; a compiler that rearranges sums by itself would not.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/tape.h"
#include "optimise/superword.h"
#include "optimise/writing.h"
#include "program/program.h"

/* Two operands that depend on parameters alone, copied side by side. */
struct couple {
    int first, second;      /* slots of the old program */
    int to;                 /* slot of the first copy in the new program */
};

/* The state of program_balance. */
struct balance {
    struct program *program;
    struct sums sums;
    struct superword pairs;
    struct writing new;
    int *to;                /* [slots] slot of each row in the new program */
    int (*half)[2];         /* [slots] slots of the halves of a row that is split */
    bool *half_minus;       /* [slots] the halves are negatives */
    int *positive;          /* [slots] slot of the row itself, if its negative is at
                               `to`; 0: not written yet */
    struct couple *couple;
    int couples, couple_room;
    struct pair_term *matched;  /* terms that stand beside each other, of the sums
                                   being written */
    struct sum_term *rest;      /* terms that have no other beside them */
    int rests;
};

/* --- one sum ------------------------------------------------------------------------ */

static void add_single(struct balance *k, int root, const struct sum_term *t)
{
    writing_add(&k->new, (struct term){.a = {k->to[t->a], -1},
                                       .b = {t->b >= 0 ? k->to[t->b] : -1, -1},
                                       .minus = superword_minus(&k->pairs, root, t)});
}

static void write_single(struct balance *k, int i, int stage)
{
    const struct sum_term *term = k->sums.term + k->sums.first[i];
    writing_begin(&k->new, i, stage, 1);
    for (int t = 0; t < k->sums.terms[i]; t++)
        add_single(k, i, &term[t]);
    k->to[i] = writing_sum(&k->new).a[0];
}

/* --- sums beside each other --------------------------------------------------------- */

static const struct couple *find_couple(const struct balance *k, const int operand[2])
{
    for (int i = 0; i < k->couples; i++)
        if (k->couple[i].first == operand[0] && k->couple[i].second == operand[1])
            return &k->couple[i];
    return NULL;
}

/* The slot of an operand in lane l. */
static int lane_of(const struct balance *k, const int operand[2], int l)
{
    const struct couple *couple = find_couple(k, operand);
    if (couple)
        return couple->to + l;
    for (int one = 0; one < 2; one++)
        if (operand[0] != operand[1] && k->pairs.copy[operand[one]] == operand[!one])
            return k->to[operand[one]] + l - one;
    return k->to[operand[l]];
}

static void add_pair(struct balance *k, const struct pair_term *t)
{
    struct term term = {.b = {-1, -1}, .minus = t->minus};
    for (int l = 0; l < 2; l++) {
        int other = t->b[l] < 0 ? -1 : t->halves ? k->half[t->b[l]][l]
                                                 : lane_of(k, t->b, l);
        term.a[l] = t->a[l] < 0 ? other : lane_of(k, t->a, l);
        term.b[l] = t->a[l] < 0 ? -1 : other;
    }
    term.minus ^= t->halves && k->half_minus[t->b[0]];
    writing_add(&k->new, term);
}

/* Matches the terms of sums u and v, or of the two halves of u (u = v); see
   superword_match. */
static int match(struct balance *k, int u, int v)
{
    bool odd;
    return superword_match(&k->pairs, u, v, k->matched, k->rest, &k->rests, &odd);
}

static void add_pairs(struct balance *k, int terms)
{
    for (int t = 0; t < terms; t++)
        add_pair(k, &k->matched[t]);
}

/* Writes u and v beside each other; one after the other if they are no longer alike,
   since others have become pairs. */
static void write_two(struct balance *k, int u, int v, int stage)
{
    int terms = match(k, u, v);
    if (terms == 0) {
        write_single(k, u, stage);
        write_single(k, v, stage);
        return;
    }
    writing_begin(&k->new, u, stage, 2);
    add_pairs(k, terms);
    struct term both = writing_sum(&k->new);
    k->to[u] = both.a[0];
    k->to[v] = both.a[1];
}

static void write_copy(struct balance *k, int u, int stage)
{
    writing_begin(&k->new, u, stage, 2);
    add_pairs(k, match(k, u, u));
    k->to[u] = writing_sum(&k->new).a[k->pairs.second[u]];
}

static void write_split(struct balance *k, int u, int stage)
{
    bool made;
    writing_begin(&k->new, u, stage, 2);
    add_pairs(k, match(k, u, u));
    struct term halves = writing_terms(&k->new, &made);
    memcpy(k->half[u], halves.a, sizeof halves.a);
    k->half_minus[u] = halves.minus;
    struct program_row whole = {.op = OP_ADD, .a = halves.a[0], .b = halves.a[1]};
    struct term sum = {.b = {-1, -1}, .minus = halves.minus};
    sum.a[0] = writing_row(&k->new, whole, u, stage);
    writing_begin(&k->new, u, stage, 1);
    writing_add(&k->new, sum);
    for (int t = 0; t < k->rests; t++)
        add_single(k, u, &k->rest[t]);
    k->to[u] = writing_sum(&k->new).a[0];
}

/* --- still operands ----------------------------------------------------------------- */

/* Copies two operands that depend on parameters alone side by side, unless they are
   so. */
static void put_couple(struct balance *k, const int operand[2])
{
    const int *begin = k->program->stage_begin;
    bool still = operand[0] < begin[2] && operand[1] < begin[2];
    bool constant = operand[0] < begin[1] && operand[1] < begin[1];
    if (operand[0] == operand[1] || operand[0] < 0 || operand[1] < 0 || !still ||
        constant || find_couple(k, operand))
        return;
    struct couple couple = {.first = operand[0], .second = operand[1]};
    for (int l = 0; l < 2; l++) {
        struct program_row copy = {.op = OP_ADD, .a = k->to[operand[l]], .b = k->to[0]};
        int slot = writing_row(&k->new, copy, operand[l], 1);
        couple.to = l ? couple.to : slot;
    }
    k->new.pair[couple.to] = true;
    k->couple = memory_grow(k->couple, &k->couple_room, k->couples + 1,
                            sizeof *k->couple);
    k->couple[k->couples++] = couple;
}

static void put_couples_of(struct balance *k, int u, int v)
{
    int terms = match(k, u, v);
    for (int t = 0; t < terms; t++) {
        put_couple(k, k->matched[t].a);
        if (!k->matched[t].halves)
            put_couple(k, k->matched[t].b);
    }
}

static void put_couples(struct balance *k)
{
    for (int n = 0; n < k->pairs.ordered; n++) {
        int u = k->pairs.order[n], v = k->pairs.partner[u];
        if (k->pairs.split[u] || k->pairs.copy[u] >= 0)
            put_couples_of(k, u, u);
        else if (v >= 0)
            put_couples_of(k, u, v);
    }
}

/* --- the program -------------------------------------------------------------------- */

/* The slot of row i itself, if its negative has been evaluated. */
static int positive(struct balance *k, int i, int stage)
{
    if (!k->pairs.negative[i])
        return k->to[i];
    if (k->positive[i] == 0)
        k->positive[i] = writing_row(
            &k->new, (struct program_row){.op = OP_NEG, .a = k->to[i]}, i, stage);
    return k->positive[i];
}

static void put_as_it_is(struct balance *k, int i, int stage)
{
    struct program_row row = k->program->row[i];
    int operands = op_operands(row.op);
    bool signs = row.op == OP_MUL || row.op == OP_DIV ||
                 (row.op == OP_POWI && row.b % 2 == 0);
    if (operands > 0)
        row.a = signs ? k->to[row.a] : positive(k, row.a, stage);
    if (operands > 1)
        row.b = signs ? k->to[row.b] : positive(k, row.b, stage);
    k->to[i] = writing_row(&k->new, row, i, stage);
}

static void write_row(struct balance *k, int i, int stage)
{
    int beside = k->pairs.partner[i];
    if (k->pairs.copy[i] >= 0) {
        write_copy(k, i, stage);
    } else if (k->pairs.split[i]) {
        write_split(k, i, stage);
    } else if (beside >= 0 && k->sums.terms[i] > 0) {
        write_two(k, i, beside, stage);
    } else if (stage > 0 && sums_is_sum(k->program->row[i].op)) {
        write_single(k, i, stage);
    } else {
        put_as_it_is(k, i, stage);
        if (beside < 0)
            return;
        put_as_it_is(k, beside, stage);
        k->new.pair[k->to[i]] = true;
    }
}

static void write_rows(struct balance *k, int begin[STAGES + 1])
{
    const struct program *program = k->program;
    int n = 0;
    for (int stage = 0; stage < STAGES; stage++) {
        begin[stage] = k->new.slots;
        for (; n < k->pairs.ordered &&
               k->pairs.order[n] < program->stage_begin[stage + 1]; n++)
            write_row(k, k->pairs.order[n], stage);
        if (stage == 1)
            put_couples(k);
        for (int i = 0; i < program->outputs; i++)
            if (program_stage(program, program->output[i]) == stage)
                positive(k, program->output[i], stage);
    }
    begin[STAGES] = k->new.slots;
}

static void take_over(struct balance *k, int begin[STAGES + 1])
{
    struct program *program = k->program;
    for (int i = 0; i < program->inputs; i++)
        program->input[i].slot = k->to[program->input[i].slot];
    for (int i = 0; i < program->outputs; i++)
        program->output[i] = positive(k, program->output[i], 0);
    if (k->pairs.found)
        writing_sweep(&k->new, begin);
    for (int stage = 0; stage <= STAGES; stage++)
        program->stage_begin[stage] = begin[stage];
    free(program->row);
    free(program->origin);
    free(program->steady);
    free(program->pair);
    program->row = k->new.row;
    program->origin = k->new.origin;
    program->steady = k->new.steady;
    program->pair = k->pairs.found ? k->new.pair : NULL;
    if (!k->pairs.found)
        free(k->new.pair);
    program->slots = k->new.slots;
}

void program_balance(struct program *program, bool pairs)
{
    struct balance k = {.program = program, .new = {.old = program}};
    int begin[STAGES + 1], slots = program->slots;
    sums_find(&k.sums, program);
    superword_find(&k.pairs, &k.sums, pairs);
    k.to = memory_new(slots, sizeof *k.to);
    k.half = memory_new(slots, sizeof *k.half);
    k.half_minus = memory_new(slots, sizeof *k.half_minus);
    k.positive = memory_new(slots, sizeof *k.positive);
    k.matched = memory_new(2 * PAIRS_MOST_TERMS, sizeof *k.matched);
    k.rest = memory_new(PAIRS_MOST_TERMS, sizeof *k.rest);
    write_rows(&k, begin);
    take_over(&k, begin);
    superword_clear(&k.pairs);
    sums_clear(&k.sums);
    writing_clear(&k.new);
    free(k.to);
    free(k.half);
    free(k.half_minus);
    free(k.positive);
    free(k.couple);
    free(k.matched);
    free(k.rest);
}
