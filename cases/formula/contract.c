/*
 * contract.c - a product that is used once, by a sum, becomes one operation with it.
 *
 * a*b + c rounded once is a row like any other, so the interpreter and generated code
 * agree on it to the bit, which what a compiler contracts by itself would not.
 */
#include <stdlib.h>

#include "formula/memory.h"
#include "formula/program.h"
#include "formula/tape.h"

/* How often each slot is used; an output counts as two, because it is there in its own
   right. */
static int *count_uses(const struct program *program)
{
    int *uses = memory_new(program->slots, sizeof *uses);
    for (int i = 0; i < program->slots; i++) {
        const struct program_row *row = &program->row[i];
        int operands = op_operands(row->op);
        if (operands > 0)
            uses[row->a]++;
        if (operands > 1)
            uses[row->b]++;
    }
    for (int i = 0; i < program->outputs; i++)
        uses[program->output[i]] += 2;
    return uses;
}

static int stage_of(const struct program *program, int slot)
{
    int stage = 0;
    while (slot >= program->stage_begin[stage + 1])
        stage++;
    return stage;
}

/* A square is a product, too. */
static bool is_product(struct program_row row)
{
    return row.op == OP_MUL || (row.op == OP_POWI && row.b == 2);
}

/* Row i, if operand `slot` of it is a product that nothing else needs. */
static bool absorbs(const struct program *program, const int *uses, int i, int slot)
{
    return is_product(program->row[slot]) && uses[slot] == 1 &&
           stage_of(program, slot) == stage_of(program, i);
}

static struct program_row contracted(enum contracted_op op, struct program_row product, int c)
{
    int b = product.op == OP_MUL ? product.b : product.a;
    return (struct program_row){.op = op, .a = product.a, .b = b, .c = c};
}

/* Of two products the second is taken: it is the newer one, and what is added to it may
   have been there for long. */
static void contract_row(struct program *program, const int *uses, bool *gone, int i)
{
    struct program_row *row = &program->row[i];
    int a = row->a, b = row->b;
    if (row->op != OP_ADD && row->op != OP_SUB)
        return;
    bool sum = row->op == OP_ADD;
    if (absorbs(program, uses, i, b)) {
        *row = contracted(sum ? OP_MULADD : OP_SUBMUL, program->row[b], a);
        gone[b] = true;
    } else if (absorbs(program, uses, i, a)) {
        *row = contracted(sum ? OP_MULADD : OP_MULSUB, program->row[a], b);
        gone[a] = true;
    }
}

/* Closes the gaps; inputs and outputs are never gone. */
static void renumber(struct program *program, const bool *gone)
{
    int *to = memory_new(program->slots, sizeof *to), slot = 0;
    int begin[STAGES + 1], stage = 0;
    for (int i = 0; i < program->slots; i++) {
        while (stage < STAGES && i >= program->stage_begin[stage])
            begin[stage++] = slot;
        if (gone[i])
            continue;
        to[i] = slot;
        struct program_row row = program->row[i];
        if (op_operands(row.op) > 0)
            row.a = to[row.a];
        if (op_operands(row.op) > 1)
            row.b = to[row.b];
        if (op_operands(row.op) > 2)
            row.c = to[row.c];
        program->row[slot] = row;
        program->origin[slot] = program->origin[i];
        program->steady[slot] = program->steady[i];
        slot++;
    }
    while (stage <= STAGES)
        begin[stage++] = slot;
    for (int k = 0; k <= STAGES; k++)
        program->stage_begin[k] = begin[k];
    program->slots = slot;
    for (int i = 0; i < program->inputs; i++)
        program->input[i].slot = to[program->input[i].slot];
    for (int i = 0; i < program->outputs; i++)
        program->output[i] = to[program->output[i]];
    free(to);
}

void program_contract(struct program *program)
{
    int *uses = count_uses(program);
    bool *gone = memory_new(program->slots, sizeof *gone);
    for (int i = 0; i < program->slots; i++)
        contract_row(program, uses, gone, i);
    renumber(program, gone);
    free(gone);
    free(uses);
}
