/*
 * emit_blocks.c - code generation: 4 x 4 transposition of blocks, four components of four
 * columns at once.
 *
 * Columns side by side are vectors of one component each; in memory four components of
 * one column are together. A block of 4 x 4 is transposed by eight operations; number by
 * number it would be read, or written, by twenty.
 */
#include <stddef.h>

#include "emit/emit_parts.h"

enum { SIDE = 4 };

static const char turned[] =
    "#ifdef __has_builtin\n#if __has_builtin(__builtin_shufflevector)\n"
    "#define SHUFFLED __builtin_shufflevector\n#endif\n#endif\n"
    "#ifdef SHUFFLED\n"
    "typedef double four __attribute__((vector_size(32), aligned(8), may_alias));\n"
    "#define TURN(a, b, c, d) do { \\\n"
    "    wide e_ = SHUFFLED(a, b, 0, 4, 2, 6), f_ = SHUFFLED(a, b, 1, 5, 3, 7); \\\n"
    "    wide g_ = SHUFFLED(c, d, 0, 4, 2, 6), h_ = SHUFFLED(c, d, 1, 5, 3, 7); \\\n"
    "    a = SHUFFLED(e_, g_, 0, 1, 4, 5), b = SHUFFLED(f_, h_, 0, 1, 4, 5); \\\n"
    "    c = SHUFFLED(e_, g_, 2, 3, 6, 7), d = SHUFFLED(f_, h_, 2, 3, 6, 7); \\\n"
    "} while (0)\n"
    "#define FROM(i) (*(const four *)(x + (i)))\n"
    "#define TO(i) (*(four *)(dx + (i)))\n"
    "#define LOAD_BLOCK(i, a, b, c, d) \\\n"
    "    wide a = FROM(i), b = FROM((i) + COLUMN), \\\n"
    "         c = FROM((i) + 2*COLUMN), d = FROM((i) + 3*COLUMN); \\\n"
    "    TURN(a, b, c, d)\n"
    "#define STORE_BLOCK(i, a, b, c, d) do { \\\n"
    "    wide a_ = a, b_ = b, c_ = c, d_ = d; \\\n"
    "    TURN(a_, b_, c_, d_); \\\n"
    "    TO(i) = a_, TO((i) + COLUMN) = b_; \\\n"
    "    TO((i) + 2*COLUMN) = c_, TO((i) + 3*COLUMN) = d_; \\\n"
    "} while (0)\n"
    "#else\n"
    "#define LOAD_BLOCK(i, a, b, c, d) const wide a = LOAD(i), b = LOAD((i) + 1), \\\n"
    "    c = LOAD((i) + 2), d = LOAD((i) + 3)\n"
    "#define STORE_BLOCK(i, a, b, c, d) do { \\\n"
    "    STORE(i, a); STORE((i) + 1, b); STORE((i) + 2, c); STORE((i) + 3, d); \\\n"
    "} while (0)\n"
    "#endif\n\n";

void emit_block_macros(struct emitter *m)
{
    if (m->component)
        emit_put(m, "#define COLUMN %d\n%s", m->e->state, turned);
}

/* --- blocks
   ---------------------------------------------------------------------------- */

static void clear(struct emitter *m)
{
    for (int i = 0; m->component && i < m->e->state; i++)
        m->component[i] = -1;
}

static void note(struct emitter *m, int part, int index, int slot)
{
    if (m->component && index >= 0 && m->part[slot] == part && emit_is_wide(m, slot))
        m->component[index] = slot;
}

void emit_find_inputs(struct emitter *m, int part)
{
    const struct program *program = m->program;
    clear(m);
    for (int k = 0; k < program->inputs; k++)
        note(m, part, m->e->from[k], program->input[k].slot);
}

void emit_find_outputs(struct emitter *m, int part)
{
    const struct program *program = m->program;
    clear(m);
    for (int k = 0; k < program->outputs; k++)
        note(m, part, m->e->to[k], program->output[k]);
}

/* The rows of the block that a component is in; NULL: not all of them are in this
   function. */
static const int *block_of(const struct emitter *m, int index)
{
    int first = index - index % SIDE;
    if (!m->component || index < 0 || first + SIDE > m->e->state)
        return NULL;
    for (int k = 0; k < SIDE; k++)
        if (m->component[first + k] < 0)
            return NULL;
    return m->component + first;
}

/* --- text --------------------------------------------------------------------------- */

bool emit_load_block(struct emitter *m, int index, bool *loaded)
{
    const int *row = block_of(m, index);
    if (!row)
        return false;
    emit_put(m, "    LOAD_BLOCK(%d, r%d, r%d, r%d, r%d);\n", index - index % SIDE, row[0],
             row[1], row[2], row[3]);
    for (int k = 0; k < SIDE; k++) {
        loaded[row[k]] = true;
        if (m->kept[row[k]])
            emit_put(m, "    keep->r%d = r%d;\n", row[k], row[k]);
    }
    return true;
}

bool emit_store_block(struct emitter *m, int index)
{
    const int *row = block_of(m, index);
    if (row && index % SIDE == 0)
        emit_put(m, "    STORE_BLOCK(%d, r%d, r%d, r%d, r%d);\n", index, row[0], row[1],
                 row[2], row[3]);
    return row != NULL;
}
