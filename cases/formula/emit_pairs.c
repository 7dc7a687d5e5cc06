/*
 * emit_pairs.c - rows that are alike two by two (pairs.h): a pair is one operation.
 *
 * Values: a pair is a vector of two, `two`; every other row is a number. Columns side by
 * side: a pair is x, y of the one and x, y of the other column; every other row is there
 * twice for each column, so that it meets pairs without further ado. What a pair needs of
 * values that are not one themselves is put beside each other where these are evaluated:
 * the load that follows then spreads it over the columns.
 */
#include <stdio.h>

#include "formula/emit_parts.h"
#include "formula/memory.h"
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
    for (int i = begin[0]; i < begin[1] && m->paired && m->side == 2; i++) {
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

/* A number where all values are there: of an earlier function, or of this one. */
static void number_text(const struct emitter *m, int slot, char *text)
{
    bool earlier = m->part[slot] >= 0 && m->part[slot] != m->writing;
    if (earlier && emit_pair_of(m, slot) < 0)
        snprintf(text, EMIT_VALUE, "keep->r%d", slot);
    else
        emit_operand(m, slot, slot, false, text);
}

void emit_keep_couples(struct emitter *m)
{
    char one[EMIT_VALUE], two[EMIT_VALUE];
    for (int k = 0; k < m->couples; k++) {
        number_text(m, m->couple[k].first, one);
        number_text(m, m->couple[k].second, two);
        emit_put(m, "    keep->g%d = (two){%s, %s};\n", k, one, two);
    }
}

/* --- operands ----------------------------------------------------------------------- */

/* The pair itself, in the function that is being written. */
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
    int first = emit_pair_of(m, slot);
    char pair[EMIT_VALUE];
    pair_text(m, first, pair);
    if (emit_is_wide(m, slot) && m->side == 2)
        snprintf(text, EMIT_VALUE, "BESIDE4(%.40s, %d, %.40s, %d)", pair, slot - first,
                 pair, slot - first);
    else
        snprintf(text, EMIT_VALUE, "%.40s[%d]", pair, slot - first);
}

/* A vector in which the operand is at *lane, and for columns at *lane + 2. */
static bool source(struct emitter *m, int slot, bool wide, int *lane, char *text)
{
    int first = emit_pair_of(m, slot);
    if (first >= 0 && m->part[slot] >= 0 && emit_is_wide(m, slot) == wide) {
        pair_text(m, first, text);
        *lane = slot - first;
        return true;
    }
    emit_operand(m, slot, slot, wide, text);
    return false;
}

static void columns_text(struct emitter *m, int f, int g, char *text)
{
    char one[EMIT_VALUE], two[EMIT_VALUE];
    int i = 0, j = 1;
    if (is_couple(m, f, g)) {
        snprintf(text, EMIT_VALUE, "TWICE(keep->g%d)", couple_number(m, f, g));
        return;
    }
    if (are_pair(m, f, g)) {
        pair_text(m, f, one);
        snprintf(text, EMIT_VALUE, is_moving(m, f) ? "%.80s" : "TWICE(%.80s)", one);
        return;
    }
    if (f == g) {
        emit_operand(m, f, f, true, text);
        return;
    }
    source(m, f, true, &i, one);
    source(m, g, true, &j, two);
    snprintf(text, EMIT_VALUE, "BESIDE4(%.46s, %d, %.46s, %d)", one, i, two, j);
}

static void values_text(struct emitter *m, int f, int g, char *text)
{
    char one[EMIT_VALUE], two[EMIT_VALUE];
    int i = 0, j = 0;
    if (are_pair(m, f, g)) {
        pair_text(m, f, text);
        return;
    }
    bool first = source(m, f, false, &i, one), second = source(m, g, false, &j, two);
    if (first && second)
        snprintf(text, EMIT_VALUE, "BESIDE2(%.46s, %d, %.46s, %d)", one, i, two, j);
    else
        snprintf(text, EMIT_VALUE, "(two){%.46s, %.46s}",
                 emit_operand(m, f, f, false, one), emit_operand(m, g, g, false, two));
}

static bool has_columns(const struct emitter *m, int slot)
{
    return is_moving(m, slot) && m->side == 2;
}

/* --- rows --------------------------------------------------------------------------- */

static void put_variables(struct emitter *m, int slot, bool wide)
{
    int at = emit_source(m, slot), next = emit_source(m, slot + 1);
    char one[EMIT_VALUE], two[EMIT_VALUE];
    if (at >= 0 && next == at + 1) {
        emit_put(m, "    const %s q%d = %s(%d);\n", wide ? "wide" : "two", slot,
                 wide ? "LOAD4" : "LOAD2", at);
        return;
    }
    emit_input(m, slot, one);
    emit_input(m, slot + 1, two);
    emit_put(m, wide ? "    const wide q%d = BESIDE4(%s, 0, %s, 1);\n"
                     : "    const two q%d = {%s, %s};\n", slot, one, two);
}

static void put_fused(struct emitter *m, int slot, bool wide, char text[3][EMIT_VALUE])
{
    unsigned op = m->program->row[slot].op;
    bool minus = op == OP_SUBMUL || op == OP_NEGMULADD;
    bool third = op == OP_MULSUB || op == OP_NEGMULADD;
    bool second = minus && emit_negates_second(m, slot);
    emit_put(m, "%s(%s%s, %s%s, %s%s);\n", wide ? "wide_fma" : "two_fma",
             minus && !second ? "-" : "", text[0], second ? "-" : "", text[1],
             third ? "-" : "", text[2]);
}

void emit_pair_row(struct emitter *m, int slot)
{
    const struct program_row *row = &m->program->row[slot];
    bool wide = has_columns(m, slot);
    char text[3][EMIT_VALUE];
    int one[3], two[3], operands = program_operands(row, one);
    program_operands(row + 1, two);
    if (row->op == OP_VARIABLE) {
        put_variables(m, slot, wide);
    } else {
        for (int k = 0; k < operands; k++)
            (wide ? columns_text : values_text)(m, one[k], two[k], text[k]);
        emit_put(m, "    %s q%d = ", wide ? "wide" : "two", slot);
        if (row->op >= OPS)
            put_fused(m, slot, wide, text);
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

bool emit_store_pair(struct emitter *m, int k)
{
    const struct program *program = m->program;
    const int *to = m->e->to + k, *slot = program->output + k;
    if (k + 1 >= program->outputs || to[0] < 0 || to[1] != to[0] + 1 ||
        !are_pair(m, slot[0], slot[1]) || m->part[slot[0]] != m->writing)
        return false;
    emit_put(m, "    %s(%d, q%d);\n", has_columns(m, slot[0]) ? "STORE4" : "STORE2",
             to[0], slot[0]);
    return true;
}

/* --- the macros --------------------------------------------------------------------- */

static const char shuffles[] =
    "typedef double two __attribute__((vector_size(16)));\n"
    "typedef double from __attribute__((vector_size(16), aligned(8), may_alias));\n"
    "#if defined __clang__ || __GNUC__ >= 12\n"
    "#define BESIDE2(a, i, b, j) __builtin_shufflevector(a, b, i, (j) + 2)\n"
    "#else\n"
    "#define BESIDE2(a, i, b, j) ((two){(a)[i], (b)[j]})\n"
    "#endif\n"
    "#define STILL(i) (*(const from *)(c + (i)))\n"
    "#define LOAD2(i) ((two)*(const from *)(x + (i)))\n"
    "#define STORE2(i, r) (*(from *)(dx + (i)) = (r))\n"
    "static inline two two_fma(two a, two b, two c)\n{\n"
    "#ifdef __FMA__\n    return __builtin_ia32_vfmaddpd(a, b, c);\n#else\n"
    "    return (two){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])};\n#endif\n}\n";

/* gcc makes shuffles of the general macros where loads and stores do the same. */
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
    emit_put(m, "%s", shuffles);
    if (m->side == 2)
        emit_put(m, "#define COLUMN %d\n%s", m->e->state, of_columns);
}
