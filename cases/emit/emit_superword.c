/*
 * emit_superword.c - code generation for superword-level parallelism (superword.h): a
 * pair of rows is one SIMD operation.
 *
 * A pair of values is a vector of two, `two`. A pair in columns, `wide`, is x, y of the
 * one column and, if there are two, x, y of the other. Every other row is there twice, in
 * both places of each pair, so that it meets pairs without further operations: two
 * numbers cost as much as one, but a single one would have to be spread. Values that a
 * pair needs and that are not a pair themselves are put beside each other where they are
 * evaluated: the load that follows then spreads them over the columns.
 */
#include <stdio.h>

#include "base/memory.h"
#include "emit/emit_parts.h"
#include "formula/tape.h"

int emit_pair_of(const struct emitter *m, int slot)
{
    if (!m->paired)
        return -1;
    if (m->program->pair[slot])
        return slot;
    return slot > 0 && m->program->pair[slot - 1] ? slot - 1 : -1;
}

/* --- couples of values -------------------------------------------------------------- */

static bool are_pair(const struct emitter *m, int f, int g)
{
    return g == f + 1 && emit_pair_of(m, f) == f;
}

static bool is_moving(const struct emitter *m, int slot)
{
    return emit_in_stage(m, slot, m->e->columnwise);
}

static bool is_couple(const struct emitter *m, int f, int g)
{
    bool constants = emit_in_stage(m, f, 0) && emit_in_stage(m, g, 0);
    return f != g && !constants && !are_pair(m, f, g) && !is_moving(m, f) &&
           !is_moving(m, g);
}

static int couple_number(const struct emitter *m, int f, int g)
{
    int k = 0;
    while (k < m->couples && (m->couple[k].first != f || m->couple[k].second != g))
        k++;
    return k;
}

static void note_couple(struct emitter *m, int f, int g)
{
    const int both[2] = {f, g};
    if (!is_couple(m, f, g) || couple_number(m, f, g) < m->couples)
        return;
    m->couple = memory_grow(m->couple, &m->couple_room, m->couples + 1,
                            sizeof *m->couple);
    m->couple[m->couples++] = (struct emit_couple){f, g};
    for (int k = 0; k < 2; k++)
        if (m->part[both[k]] >= 0 && m->part[both[k]] < m->first_columnwise - 1)
            m->kept[both[k]] = true;
}

void emit_find_couples(struct emitter *m)
{
    const struct program *program = m->program;
    const int *begin = program->stage_begin + m->e->columnwise;
    for (int i = begin[0]; i < begin[1] && m->paired; i++) {
        int one[3], two[3], operands = program_operands(&program->row[i], one);
        if (!program->pair[i])
            continue;
        program_operands(&program->row[i + 1], two);
        for (int k = 0; k < operands; k++)
            note_couple(m, one[k], two[k]);
    }
    for (int i = 0; i < program->slots && m->paired; i++)
        if (program->pair[i])
            m->kept[i] = m->kept[i + 1] = m->kept[i] || m->kept[i + 1];
}

/* The text of a row where all values are there, of an earlier function or of this one. */
static void any_text(const struct emitter *m, int slot, char *text)
{
    bool earlier = m->part[slot] >= 0 && m->part[slot] != m->writing;
    if (earlier && emit_pair_of(m, slot) < 0)
        snprintf(text, EMIT_VALUE, "BOTH(keep->r%d)", slot);
    else
        emit_operand(m, slot, slot, false, text);
}

void emit_keep_couples(struct emitter *m)
{
    char one[EMIT_VALUE], two[EMIT_VALUE];
    for (int k = 0; k < m->couples; k++) {
        any_text(m, m->couple[k].first, one);
        any_text(m, m->couple[k].second, two);
        emit_put(m, "    keep->g%d = BESIDE2(%s, 0, %s, 1);\n", k, one, two);
    }
}

/* --- operands ----------------------------------------------------------------------- */

/* True: vectors have four numbers, x, y of two columns. */
static bool is_four(const struct emitter *m, bool wide)
{
    return wide && m->side == 2;
}

static const char *beside(const struct emitter *m, bool wide)
{
    return is_four(m, wide) ? "BESIDE4" : "BESIDE2";
}

/* The text of a pair in the function that is being written. */
static void pair_text(const struct emitter *m, int first, char *text)
{
    if (m->part[first] < 0) {
        snprintf(text, EMIT_VALUE, "STILL(%d)", first);
        return;
    }
    bool here = m->part[first] == m->writing;
    snprintf(text, EMIT_VALUE, here ? "q%d" : "keep->q%d", first);
}

void emit_lane(const struct emitter *m, int slot, char *text)
{
    int first = emit_pair_of(m, slot), lane = slot - first;
    bool wide = emit_is_wide(m, slot);
    char pair[EMIT_VALUE];
    pair_text(m, first, pair);
    if (!wide && m->writing >= m->first_columnwise)     /* a pair of values, for
                                                           columns */
        snprintf(text, EMIT_VALUE, "%.40s[%d]", pair, lane);
    else
        snprintf(text, EMIT_VALUE, "%s(%.40s, %d, %.40s, %d)", beside(m, wide), pair,
                 lane, pair, lane);
}

/* The text of a vector in which the operand is at `place`, or at another place, which
   is returned; of two columns, the other one's is two further on. */
static int source(struct emitter *m, int slot, bool wide, int place, char *text)
{
    int first = emit_pair_of(m, slot);
    if (first >= 0 && m->part[slot] >= 0 && emit_is_wide(m, slot) == wide) {
        pair_text(m, first, text);
        return slot - first;
    }
    emit_operand(m, slot, slot, wide, text);
    return place;
}

/* The text of f and g beside each other. */
static void both_text(struct emitter *m, int f, int g, bool wide, char *text)
{
    char one[EMIT_VALUE], two[EMIT_VALUE];
    if (wide && is_couple(m, f, g)) {
        snprintf(text, EMIT_VALUE, "TWICE(keep->g%d)", couple_number(m, f, g));
        return;
    }
    if (are_pair(m, f, g)) {
        pair_text(m, f, one);
        snprintf(text, EMIT_VALUE, wide && !is_moving(m, f) ? "TWICE(%.80s)" : "%.80s",
                 one);
        return;
    }
    if (f == g) {
        emit_operand(m, f, f, wide, text);
        return;
    }
    int i = source(m, f, wide, 0, one), j = source(m, g, wide, 1, two);
    snprintf(text, EMIT_VALUE, "%s(%.46s, %d, %.46s, %d)", beside(m, wide), one, i, two,
             j);
}

/* --- rows --------------------------------------------------------------------------- */

static void put_store(struct emitter *m, int to, int slot, bool wide)
{
    emit_put(m, "    %s(%d, q%d);\n", is_four(m, wide) ? "STORE4" : "STORE2", to, slot);
}

static void put_variables(struct emitter *m, int slot, bool wide)
{
    int at = emit_source(m, slot), next = emit_source(m, slot + 1);
    char one[EMIT_VALUE], two[EMIT_VALUE];
    emit_put(m, "    const %s q%d = ", emit_type(m, wide), slot);
    if (at >= 0 && next == at + 1) {
        emit_put(m, "%s(%d);\n", is_four(m, wide) ? "LOAD4" : "LOAD2", at);
        int to = emit_copy(m, slot);
        if (to >= 0 && emit_copy(m, slot + 1) == to + 1)
            put_store(m, to, slot, wide);
        return;
    }
    emit_input(m, slot, one);
    emit_input(m, slot + 1, two);
    emit_put(m, "%s(%s, 0, %s, 1);\n", beside(m, wide), one, two);
}

void emit_pair_row(struct emitter *m, int slot)
{
    const struct program_row *row = &m->program->row[slot];
    bool wide = emit_is_wide(m, slot);
    char text[3][EMIT_VALUE];
    int one[3], two[3], operands = program_operands(row, one);
    program_operands(row + 1, two);
    if (row->op == OP_VARIABLE) {
        put_variables(m, slot, wide);
    } else {
        for (int k = 0; k < operands; k++)
            both_text(m, one[k], two[k], wide, text[k]);
        emit_put(m, "    %s q%d = ", emit_type(m, wide), slot);
        if (row->op >= OPS)
            emit_fused(m, slot, emit_call(m, wide), text);
        else if (row->op == OP_NEG)
            emit_put(m, "-%s;\n", text[0]);
        else
            emit_put(m, "%s %s %s;\n", text[0], op_info[row->op].text, text[1]);
    }
    if (m->negated[slot] || m->negated[slot + 1])
        emit_put(m, "    %s(q%d);\n", wide ? "OPAQUE_WIDE" : "OPAQUE", slot);
    if (m->kept[slot])
        emit_put(m, "    keep->q%d = q%d;\n", slot, slot);
}

/* Adds a pair to itself with its places exchanged: both places have the sum, and none
   need be taken out. */
bool emit_sum_of_pair(struct emitter *m, int slot)
{
    const struct program_row *row = &m->program->row[slot];
    bool wide = emit_is_wide(m, slot);
    char pair[EMIT_VALUE];
    if (row->op != OP_ADD || !are_pair(m, row->a, row->b) ||
        emit_is_wide(m, row->a) != wide)
        return false;
    pair_text(m, row->a, pair);
    emit_put(m, "    const %s r%d = %s + %s(%s, 1, %s, 0);\n", emit_type(m, wide), slot,
             pair, beside(m, wide), pair, pair);
    return true;
}

bool emit_store_pair(struct emitter *m, int k)
{
    const struct program *program = m->program;
    const int *to = m->e->to + k, *slot = program->output + k;
    if (k + 1 >= program->outputs || to[0] < 0 || to[1] != to[0] + 1 ||
        !are_pair(m, slot[0], slot[1]) || m->part[slot[0]] != m->writing)
        return false;
    put_store(m, to[0], slot[0], emit_is_wide(m, slot[0]));
    return true;
}

/* --- the macros --------------------------------------------------------------------- */

static const char shuffles[] =
    "typedef double from __attribute__((vector_size(16), aligned(8), may_alias));\n"
    "#if defined __clang__ || __GNUC__ >= 12\n"
    "#define BESIDE2(a, i, b, j) __builtin_shufflevector(a, b, i, (j) + 2)\n"
    "#else\n"
    "#define BESIDE2(a, i, b, j) ((two){(a)[i], (b)[j]})\n"
    "#endif\n"
    "#define STILL(i) (*(const from *)(c + (i)))\n"
    "#define LOAD2(i) ((two)*(const from *)(x + (i)))\n"
    "#define STORE2(i, r) (*(from *)(dx + (i)) = (r))\n";

static const char of_column[] =
    "#define TWICE(a) (a)\n"
    "#define LOAD(i) WIDE(x[i])\n"
    "#define STORE(i, r) (dx[i] = (r)[0])\n";

/* The general macros make gcc shuffle, though loads and stores do the same. */
static const char of_columns[] =
    "#if defined __clang__ || __GNUC__ >= 12\n"
    "#define BESIDE4(a, i, b, j) "
    "__builtin_shufflevector(a, b, i, (j) + 4, (i) + 2, (j) + 6)\n"
    "#else\n"
    "#define BESIDE4(a, i, b, j) "
    "((wide){(a)[i], (b)[j], (a)[(i) + 2], (b)[(j) + 2]})\n"
    "#endif\n"
    "#if defined __AVX__ && !defined __clang__\n"
    "#define TWICE(a) __builtin_ia32_vbroadcastf128_pd256((const two *)&(a))\n"
    "#define LOAD4(i) __builtin_ia32_vinsertf128_pd256("
    "__builtin_ia32_pd256_pd(LOAD2(i)), LOAD2((i) + COLUMN), 1)\n"
    "#define HALF(r, k) __builtin_ia32_vextractf128_pd256(r, k)\n"
    "#else\n"
    "#define TWICE(a) ((wide){(a)[0], (a)[1], (a)[0], (a)[1]})\n"
    "#define LOAD4(i) ((wide){x[i], x[(i) + 1], x[(i) + COLUMN], x[(i) + 1 + COLUMN]})\n"
    "#define HALF(r, k) ((two){(r)[2*(k)], (r)[2*(k) + 1]})\n"
    "#endif\n"
    "#define STORE4(i, r) do { \\\n"
    "    const wide r_ = r; \\\n"
    "    *(from *)(dx + (i)) = HALF(r_, 0); \\\n"
    "    *(from *)(dx + (i) + COLUMN) = HALF(r_, 1); \\\n"
    "} while (0)\n"
    "#define LOAD(i) ((wide){x[i], x[i], x[(i) + COLUMN], x[(i) + COLUMN]})\n"
    "#define STORE(i, r) do { \\\n"
    "    const wide r_ = r; \\\n"
    "    dx[i] = r_[0], dx[(i) + COLUMN] = r_[2]; \\\n"
    "} while (0)\n";

void emit_pair_macros(struct emitter *m)
{
    emit_put(m, "#define COLUMN %d\n%s%s", m->e->state, shuffles,
             m->side == 2 ? of_columns : of_column);
}
