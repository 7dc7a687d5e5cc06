/*
 * sums.c - sums of a program, flattened into lists of terms; see sums.h.
 */
#include "optimise/sums.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"

bool sums_is_sum(unsigned op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_NEG;
}

bool sums_is_product(const struct program_row *row)
{
    return row->op == OP_MUL || (row->op == OP_POWI && row->b == 2);
}

static void count_uses(struct sums *sums)
{
    const struct program *program = sums->program;
    for (int i = 0; i < program->slots; i++) {
        int operand[3], operands = program_operands(&program->row[i], operand);
        for (int o = 0; o < operands; o++)
            sums->uses[operand[o]]++;
    }
    for (int i = 0; i < program->outputs; i++)
        sums->uses[program->output[i]] += 2;
}

static void find_inner(struct sums *sums)
{
    const struct program *program = sums->program;
    for (int i = 0; i < program->slots; i++) {
        const struct program_row *row = &program->row[i];
        int stage = program_stage(program, i);
        const int operand[2] = {row->a, row->op == OP_NEG ? row->a : row->b};
        for (int o = 0; o < 2 && stage > 0 && sums_is_sum(row->op); o++) {
            const struct program_row *below = &program->row[operand[o]];
            sums->inner[operand[o]] =
                sums->uses[operand[o]] == 1 &&
                (sums_is_sum(below->op) || sums_is_product(below)) &&
                program_stage(program, operand[o]) == stage;
        }
    }
}

/* Rows of a sum that are still to be expanded: 2 slot + 1 if subtracted. */
struct stack {
    int *row, height, room;
};

static void push(struct stack *stack, int slot, bool minus)
{
    stack->row = memory_grow(stack->row, &stack->room, stack->height + 1,
                             sizeof *stack->row);
    stack->row[stack->height++] = 2 * slot + minus;
}

static void add_term(struct sums *sums, struct sum_term term)
{
    sums->term = memory_grow(sums->term, &sums->room, sums->count + 1,
                             sizeof *sums->term);
    sums->term[sums->count++] = term;
}

static void take_apart(struct sums *sums, int root, struct stack *stack)
{
    const struct program *program = sums->program;
    sums->first[root] = sums->count;
    push(stack, root, false);
    while (stack->height > 0) {
        int top = stack->row[--stack->height], slot = top / 2;
        bool minus = top % 2;
        const struct program_row *row = &program->row[slot];
        bool open = slot == root || sums->inner[slot];
        if (open && sums_is_sum(row->op)) {
            if (row->op != OP_NEG)
                push(stack, row->b, minus != (row->op == OP_SUB));
            push(stack, row->a, minus != (row->op == OP_NEG));
        } else if (open) {
            int b = row->op == OP_MUL ? row->b : row->a;
            add_term(sums, (struct sum_term){row->a, b, minus});
        } else {
            add_term(sums, (struct sum_term){slot, -1, minus});
        }
    }
    sums->terms[root] = sums->count - sums->first[root];
}

void sums_find(struct sums *sums, const struct program *program)
{
    *sums = (struct sums){.program = program};
    sums->uses = memory_new(program->slots, sizeof *sums->uses);
    sums->inner = memory_new(program->slots, sizeof *sums->inner);
    sums->first = memory_new(program->slots, sizeof *sums->first);
    sums->terms = memory_new(program->slots, sizeof *sums->terms);
    count_uses(sums);
    find_inner(sums);
    struct stack stack = {0};
    for (int i = program->stage_begin[1]; i < program->slots; i++) {
        const struct program_row *row = &program->row[i];
        if (!sums->inner[i] && (sums_is_sum(row->op) || sums_is_product(row)))
            take_apart(sums, i, &stack);
    }
    free(stack.row);
}

void sums_clear(struct sums *sums)
{
    free(sums->uses);
    free(sums->inner);
    free(sums->first);
    free(sums->terms);
    free(sums->term);
    *sums = (struct sums){0};
}
