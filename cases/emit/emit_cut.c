/*
 * emit_cut.c - code generation: cutting rows into functions of bounded size, and the
 * values kept for a later one.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "emit/emit_parts.h"

/* Rows of a function. From about here on gcc's time grows faster than the length. */
enum { ROWS_OF_A_FUNCTION = 250 };

void emit_begin(struct emitter *m)
{
    int slots = m->program->slots;
    m->part = memory_new(slots, sizeof *m->part);
    m->kept = memory_new(slots, sizeof *m->kept);
    m->number = memory_new(slots, sizeof *m->number);
    for (int i = 0; i < slots; i++)
        m->part[i] = -1;
}

static void add_function(struct emitter *m, int begin, int end, int loop)
{
    m->function = memory_grow(m->function, &m->room, m->parts + 1, sizeof *m->function);
    m->function[m->parts++] = (struct emit_function){begin, end, loop};
}

/* Number of operations; a pair is one operation, of its first row. */
static int operations(const struct emitter *m, int begin, int end)
{
    int all = 0;
    for (int i = begin; i < end; i++) {
        int pair = emit_pair_of(m, i);
        all += pair < 0 || pair == i;
    }
    return all;
}

/* Cuts rows in no loop into functions of equal length. */
static void cut_straight(struct emitter *m, int begin, int end)
{
    int all = operations(m, begin, end), done = 0;
    int functions = (all + ROWS_OF_A_FUNCTION - 1)/ROWS_OF_A_FUNCTION;
    for (int k = 0, i = begin; k < functions; k++) {
        int first = i, until = (int)((long)(k + 1)*all/functions);
        for (; i < end && done < until; i++) {
            done++;
            i += emit_pair_of(m, i) == i;
        }
        add_function(m, first, i, -1);
    }
}

void emit_cut(struct emitter *m, int stage)
{
    int at = m->program->stage_begin[stage], end = m->program->stage_begin[stage + 1];
    int first = m->parts;
    for (int k = 0; k < m->loops.count; k++) {
        const struct loop *loop = &m->loops.loop[k];
        if (loop->begin < at || loop->begin >= end)
            continue;
        cut_straight(m, at, loop->begin);
        at = loop->begin + loop->period*loop->count;
        add_function(m, loop->begin, loop->begin + loop->period, k);
    }
    cut_straight(m, at, end);
    for (int part = first; part < m->parts; part++) {
        const struct emit_function *f = &m->function[part];
        int times = f->loop < 0 ? 1 : m->loops.loop[f->loop].count;
        for (int i = 0; i < times*(f->end - f->begin); i++)
            m->part[f->begin + i] = part;
    }
}

const struct loop *emit_loop_of(const struct emitter *m, int slot)
{
    int loop = m->loops.of[slot];
    return loop < 0 ? NULL : &m->loops.loop[loop];
}

int emit_first(const struct emitter *m, int slot)
{
    const struct loop *loop = emit_loop_of(m, slot);
    return loop ? loop->begin + (slot - loop->begin)%loop->period : slot;
}

/* Notes that a row is kept for its user, unless the user is in a loop, which reads
   variables where they are. */
static void keep(struct emitter *m, int slot, int user)
{
    bool read = m->loops.of[user] >= 0 && m->program->row[slot].op == OP_VARIABLE;
    if (m->part[slot] >= 0 && m->part[slot] != m->part[user] && !read)
        m->kept[emit_first(m, slot)] = true;
}

void emit_find_kept(struct emitter *m)
{
    const struct program *program = m->program;
    for (int i = 0; i < program->slots; i++) {
        int operand[3], operands = program_operands(&program->row[i], operand);
        for (int k = 0; k < operands && m->part[i] >= 0; k++)
            keep(m, operand[k], i);
    }
    for (int k = 0; k < m->loops.count; k++) {
        const struct loop *loop = &m->loops.loop[k];
        int number = 0;
        for (int i = loop->begin; i < loop->begin + loop->period; i++)
            if (m->kept[i])
                m->number[i] = number++;
    }
}

void emit_keep(struct emitter *m)
{
    emit_put(m, "\nstruct keep {\n    wide nothing;\n");
    for (int k = 0; k < m->couples; k++)
        emit_put(m, "    two g%d;\n", k);
    for (int i = 0; i < m->program->slots; i++)
        if (m->kept[i] && m->loops.of[i] < 0 && emit_pair_of(m, i) < 0)
            emit_put(m, "    %s r%d;\n", emit_is_wide(m, i) ? "wide" : "double", i);
        else if (m->kept[i] && emit_pair_of(m, i) == i)
            emit_put(m, "    %s q%d;\n",
                     emit_is_wide(m, i) && m->side == 2 ? "wide" : "two", i);
    for (int k = 0; k < m->loops.count; k++) {
        const struct loop *loop = &m->loops.loop[k];
        int kept = 0;
        for (int i = 0; i < loop->period; i++)
            kept += m->kept[loop->begin + i];
        emit_put(m, "    %s l%d[%d][%d];\n",
                 emit_is_wide(m, loop->begin) ? "wide" : "double", k, loop->count, kept);
    }
    emit_put(m, "};\n\n");
}

void emit_clear(struct emitter *m)
{
    loops_clear(&m->loops);
    free(m->function);
    free(m->part);
    free(m->kept);
    free(m->couple);
    free(m->number);
    free(m->negated);
    free(m->copied);
    free(m->component);
}
