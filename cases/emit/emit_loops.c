/*
 * emit_loops.c - code generation: the C text of a rerolled loop (reroll.h): the rows of
 * one iteration, k, whose operands advance with k.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "emit/emit_parts.h"

const char *emit_index(int first, int second, char *text)
{
    if (first == second)
        snprintf(text, EMIT_INDEX, "%d", first);
    else
        snprintf(text, EMIT_INDEX, "%d + %d * k", first, second - first);
    return text;
}

bool emit_is_carried(const struct emitter *m, int slot, int second)
{
    const struct loop *loop = m->inside;
    return loop && slot < loop->begin && second >= loop->begin &&
           second < loop->begin + loop->period &&
           m->program->row[second].op != OP_VARIABLE;
}

/* A loop-carried value: a row of the loop that the next iteration reads, and the slot
   that the first iteration reads in its place. Every such couple has a variable. */
struct carried {
    int slot, row;
};

static int find_carried(const struct emitter *m, struct carried **out)
{
    const struct loop *loop = m->inside;
    struct carried *list = NULL;
    int count = 0, room = 0;
    for (int i = loop->begin; i < loop->begin + loop->period; i++) {
        int first[3], second[3];
        int operands = program_operands(&m->program->row[i], first);
        program_operands(&m->program->row[i + loop->period], second);
        for (int o = 0; o < operands; o++) {
            int k = 0;
            while (k < count && (list[k].slot != first[o] || list[k].row != second[o]))
                k++;
            if (k < count || !emit_is_carried(m, first[o], second[o]))
                continue;
            list = memory_grow(list, &room, count + 1, sizeof *list);
            list[count++] = (struct carried){first[o], second[o]};
        }
    }
    *out = list;
    return count;
}

static void put_before(struct emitter *m, const struct carried *carried, int count)
{
    char value[EMIT_VALUE];
    for (int k = 0; k < count; k++) {
        bool wide = emit_is_wide(m, carried[k].row);
        int slot = carried[k].slot;
        emit_operand(m, slot, slot, wide, value);
        emit_put(m, "    %s p%d_%d = %s;\n", wide ? "wide" : "double", carried[k].row,
                 slot, value);
    }
}

static void put_after(struct emitter *m, const struct carried *carried, int count)
{
    for (int k = 0; k < count; k++)
        emit_put(m, "    p%d_%d = r%d;\n", carried[k].row, carried[k].slot,
                 carried[k].row);
}

/* Stores the outputs of a row, which are in one order in every iteration. */
static void put_outputs(struct emitter *m, int slot)
{
    const struct program *program = m->program;
    const int *to = m->e->to;
    int again = 0, second = slot + m->inside->period;
    char value[EMIT_VALUE];
    bool wide = emit_is_wide(m, slot);
    for (int k = 0; to && k < program->outputs; k++) {
        if (program->output[k] != slot)
            continue;
        while (program->output[again] != second)
            again++;
        emit_operand(m, slot, second, wide, value);
        emit_store(m, to[k], to[again++], wide, value);
    }
}

void emit_loop(struct emitter *m, const struct loop *loop)
{
    struct carried *carried;
    m->inside = loop;
    int count = find_carried(m, &carried);
    put_before(m, carried, count);
    emit_put(m, "    for (long k = 0; k < %d; k++) {\n", loop->count);
    for (int i = loop->begin; i < loop->begin + loop->period; i++) {
        emit_row(m, i, NULL);
        put_outputs(m, i);
    }
    put_after(m, carried, count);
    emit_put(m, "    }\n");
    m->inside = NULL;
    free(carried);
}
