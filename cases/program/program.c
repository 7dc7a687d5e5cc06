/*
 * program.c - sealing: formulas become a straight-line program, rows in post-order from
 * the outputs, sorted by stage.
 */
#include "program/program.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"

/* Stage and slot of each entry of the order. */
struct placing {
    unsigned char stage;
    int slot;
};

/* Constants have stage 0, a variable that of its block, an operation the highest stage
   of its operands. */
static unsigned char stage_of(const struct tape *tape, const struct placing *placing,
                              struct order_entry entry, const unsigned char *stage)
{
    struct tape_row row = tape->row[entry.row];
    if (row.op == OP_VARIABLE) {
        if (stage[row.a] == 0 || stage[row.a] >= STAGES)
            slip("variable %d of block %d occurs, but the block has no stage", row.b,
                 row.a);
        return stage[row.a];
    }
    unsigned char a = entry.a >= 0 ? placing[entry.a].stage : 0;
    unsigned char b = entry.b >= 0 ? placing[entry.b].stage : 0;
    return a > b ? a : b;
}

/* Numbers the slots. Slot 0 is the constant 0 (row 0 of every tape), reached or not;
   then come the stages, each in post-order, so that operands come first. */
static void number_slots(struct program *program, const struct order *order,
                         struct placing *placing)
{
    int slot = 1;
    for (int stage = 0; stage < STAGES; stage++) {
        program->stage_begin[stage] = stage == 0 ? 0 : slot;
        for (int i = 0; i < order->count; i++) {
            if (placing[i].stage != stage)
                continue;
            placing[i].slot = order->entry[i].row == 0 ? 0 : slot++;
        }
    }
    program->stage_begin[STAGES] = slot;
    program->slots = slot;
}

static void write_rows(struct program *program, const struct tape *tape,
                       const struct order *order, const struct placing *placing)
{
    program->row = memory_new(program->slots, sizeof *program->row);
    program->origin = memory_new(program->slots, sizeof *program->origin);
    program->steady = memory_new(program->slots, sizeof *program->steady);
    program->row[0] = (struct program_row){.op = OP_CONSTANT, .a = tape->row[0].a};
    program->steady[0] = true;
    for (int i = 0; i < order->count; i++) {
        struct order_entry entry = order->entry[i];
        struct tape_row row = tape->row[entry.row];
        int slot = placing[i].slot;
        program->row[slot] = (struct program_row){
            .op = row.op,
            .a = entry.a >= 0 ? placing[entry.a].slot : row.a,
            .b = entry.b >= 0 ? placing[entry.b].slot : row.b,
        };
        program->origin[slot] = entry.row;
        program->steady[slot] = tape->steady[entry.row];
    }
}

/* --- inputs and outputs ------------------------------------------------------------- */

static int compare_inputs(const void *left, const void *right)
{
    const struct program_input *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void list_inputs(struct program *program)
{
    for (int i = 0; i < program->slots; i++)
        program->inputs += program->row[i].op == OP_VARIABLE;
    program->input = memory_new(program->inputs, sizeof *program->input);
    int count = 0;
    for (int i = 0; i < program->slots; i++) {
        struct program_row row = program->row[i];
        if (row.op == OP_VARIABLE)
            program->input[count++] = (struct program_input){row.a, row.b, i};
    }
    qsort(program->input, (size_t)count, sizeof *program->input, compare_inputs);
    for (int block = 0, i = 0; block <= BLOCK_LIMIT; block++) {
        while (i < count && program->input[i].block < block)
            i++;
        program->block_begin[block] = i;
    }
}

static void list_outputs(struct program *program, const struct order *order,
                         const struct placing *placing)
{
    program->outputs = order->roots;
    program->output = memory_new(order->roots, sizeof *program->output);
    program->output_stage = memory_new(order->roots, sizeof *program->output_stage);
    for (int i = 0; i < order->roots; i++) {
        if (order->root[i] < 0)
            continue;
        program->output[i] = placing[order->root[i]].slot;
        program->output_stage[i] = placing[order->root[i]].stage;
    }
}

struct program *program_seal(const struct tape *tape, const formula *output, int outputs,
                             const unsigned char *stage)
{
    struct program *program = memory_new(1, sizeof *program);
    struct order order;
    order_from(&order, tape, output, outputs);

    struct placing *placing = memory_new(order.count, sizeof *placing);
    for (int i = 0; i < order.count; i++)
        placing[i].stage = stage_of(tape, placing, order.entry[i], stage);

    program->tape = tape;
    number_slots(program, &order, placing);
    write_rows(program, tape, &order, placing);
    list_inputs(program);
    list_outputs(program, &order, placing);
    free(placing);
    order_clear(&order);
    return program;
}

void program_free(struct program *program)
{
    if (!program)
        return;
    free(program->row);
    free(program->origin);
    free(program->steady);
    free(program->pair);
    free(program->input);
    free(program->output);
    free(program->output_stage);
    free(program);
}

int program_operands(const struct program_row *row, int operand[3])
{
    operand[0] = row->a;
    operand[1] = row->b;
    operand[2] = row->c;
    return op_operands(row->op);
}

int program_stage(const struct program *program, int slot)
{
    int stage = 0;
    while (slot >= program->stage_begin[stage + 1])
        stage++;
    return stage;
}

int program_operations(const struct program *program)
{
    int operations = 0;
    for (int i = 0; i < program->slots; i++)
        operations += op_operands(program->row[i].op) > 0;
    return operations;
}

bool program_uses(const struct program *program, int block)
{
    return program->block_begin[block] < program->block_begin[block + 1];
}
