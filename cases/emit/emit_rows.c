/*
 * emit_rows.c - code generation: the C text of one row of a program, and of its operands.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "emit/emit_parts.h"
#include "formula/tape.h"
#include "program/eval.h"

void emit_put(struct emitter *m, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int left = m->out.room - m->out.length;
    char *end = left > 0 ? m->out.c + m->out.length : NULL;
    int length = vsnprintf(end, (size_t)left, format, arguments);
    if (length >= left) {
        m->out.c = memory_grow(m->out.c, &m->out.room, m->out.length + length + 1, 1);
        vsnprintf(m->out.c + m->out.length, (size_t)length + 1, format, again);
    }
    m->out.length += length;
    va_end(again);
    va_end(arguments);
}

/* --- operands ----------------------------------------------------------------------- */

bool emit_in_stage(const struct emitter *m, int slot, int stage)
{
    return slot >= m->program->stage_begin[stage] &&
           slot < m->program->stage_begin[stage + 1];
}

static bool is_columnwise(const struct emitter *m, int slot)
{
    return emit_in_stage(m, slot, m->e->columnwise);
}

bool emit_is_wide(const struct emitter *m, int slot)
{
    return m->e->lanes > 0 || is_columnwise(m, slot);
}

const char *emit_type(const struct emitter *m, bool wide)
{
    return wide ? "wide" : m->paired ? "two" : "double";
}

const char *emit_call(const struct emitter *m, bool wide)
{
    return wide ? "wide_" : m->paired ? "two_" : "";
}

/* True: the text of the row is one number, for all places of a vector. */
static bool is_spread(const struct emitter *m, int slot, bool wide)
{
    if (wide)
        return emit_in_stage(m, slot, 0) || !emit_is_wide(m, slot);
    return m->paired && m->part[slot] < 0;
}

/* The text of a number spread over all places of a row, wide or not. */
static void spread_text(const struct emitter *m, bool wide, const char *value, char *text)
{
    const char *form = wide ? "WIDE(%.112s)" : m->paired ? "BOTH(%.112s)" : "%s";
    snprintf(text, EMIT_VALUE, form, value);
}

int emit_source(const struct emitter *m, int slot)
{
    int k = 0;
    while (m->program->input[k].slot != slot)
        k++;
    return m->e->from[k];
}

/* The text of an input where it is read. In functions of columns x is a column, and
   values are read from `values`. */
static void input_text(const struct emitter *m, int slot, int second, char *text)
{
    bool lanes = m->e->lanes > 0, columns = m->writing >= m->first_columnwise;
    bool values = columns && !is_columnwise(m, slot);
    int from = emit_source(m, slot);
    char index[EMIT_INDEX];
    const char *form = lanes ? values ? "AT(values, %s)" : "AT(x, %s)"
                     : values ? "values[%s]" : columns ? "LOAD(%s)"
                     : m->paired ? "BOTH(x[%s])" : "x[%s]";
    if (from <= EMIT_UNIT)
        snprintf(text, EMIT_VALUE, lanes ? "WIDE(unit[%d])" : "unit[%d]",
                 EMIT_UNIT - from);
    else if (from == EMIT_TIME)
        snprintf(text, EMIT_VALUE, lanes ? "AT(t, 0)" : m->paired ? "BOTH(t)" : "t");
    else
        snprintf(text, EMIT_VALUE, form, emit_index(from, emit_source(m, second), index));
}

void emit_input(const struct emitter *m, int slot, char *text)
{
    input_text(m, slot, slot, text);
}

/* The text of a row of an earlier function. */
static void kept_text(const struct emitter *m, int slot, int second, char *text)
{
    const struct loop *loop = emit_loop_of(m, slot);
    char index[EMIT_INDEX];
    if (!loop) {
        snprintf(text, EMIT_VALUE, "keep->r%d", slot);
        return;
    }
    int k = (slot - loop->begin)/loop->period, next = (second - loop->begin)/loop->period;
    snprintf(text, EMIT_VALUE, "keep->l%d[%s][%d]", m->loops.of[slot],
             emit_index(k, next, index), m->number[emit_first(m, slot)]);
}

/* True: the row is a variable of the function that is being written; in a loop, of the
   same iteration. Outside of loops a row that is kept has become one. */
static bool is_local(const struct emitter *m, int slot, int second)
{
    if (m->part[slot] < 0 || (m->on_w && m->program->row[slot].op == OP_VARIABLE))
        return false;
    if (!m->inside)
        return !m->on_w || m->part[slot] == m->writing;
    return m->part[slot] == m->writing && second == slot + m->inside->period;
}

static void value_text(const struct emitter *m, int slot, int second, char *text)
{
    char index[EMIT_INDEX];
    bool still = m->part[slot] < 0;
    if (emit_in_stage(m, slot, 0) && slot == second)
        snprintf(text, EMIT_VALUE, "%a", m->w[slot]);
    else if (emit_is_carried(m, slot, second))
        snprintf(text, EMIT_VALUE, "p%d_%d", second, slot);
    else if (!still && emit_pair_of(m, slot) >= 0)
        emit_lane(m, slot, text);
    else if (is_local(m, slot, second))
        snprintf(text, EMIT_VALUE, "r%d", slot);
    else if (still || m->on_w)
        snprintf(text, EMIT_VALUE, m->e->lanes > 0 ? "AT(c, %s)" : "c[%s]",
                 emit_index(slot, second, index));
    else if (m->program->row[slot].op == OP_VARIABLE)
        input_text(m, slot, second, text);
    else
        kept_text(m, slot, second, text);
}

const char *emit_operand(const struct emitter *m, int slot, int second, bool wide,
                         char *text)
{
    char value[EMIT_VALUE];
    value_text(m, slot, second, value);
    if (is_spread(m, slot, wide))
        spread_text(m, wide, value, text);
    else
        snprintf(text, EMIT_VALUE, "%s", value);
    return text;
}

void emit_store(struct emitter *m, int to, int second, bool wide, const char *value)
{
    const char *array = to < 0 ? "check" : "dx";
    char index[EMIT_INDEX];
    emit_index(to < 0 ? -1 - to : to, to < 0 ? -1 - second : second, index);
    if (m->e->lanes > 0)
        emit_put(m, "    PUT(%s, %s, %s);\n", array, index, value);
    else if (wide && to >= 0)
        emit_put(m, "    STORE(%s, %s);\n", index, value);
    else
        emit_put(m, "    %s[%s] = %s%s;\n", array, index, value, m->paired ? "[0]" : "");
}

/* Writes an integer power by the products of power_double, in their order. */
static void put_power(struct emitter *m, int slot, bool wide, const char *a, int n)
{
    unsigned magnitude = power_magnitude(n);
    char one[EMIT_VALUE];
    spread_text(m, wide, "1.0", one);
    emit_put(m, "    %s r%d = %s;\n", emit_type(m, wide), slot, a);
    for (unsigned bit = power_second_bit(magnitude); bit > 0; bit >>= 1) {
        emit_put(m, "    r%d = r%d * r%d;\n", slot, slot, slot);
        if (magnitude & bit)
            emit_put(m, "    r%d = r%d * %s;\n", slot, slot, a);
    }
    if (n < 0)
        emit_put(m, "    r%d = %s / r%d;\n", slot, one, slot);
}

/* Writes a*b + c, rounded once, with the signs that the row gives to a*b and c. For
   vectors the name of the function has the signs. */
void emit_fused(struct emitter *m, int slot, const char *call, char text[3][EMIT_VALUE])
{
    unsigned op = m->program->row[slot].op;
    bool minus = op == OP_SUBMUL || op == OP_NEGMULADD;
    bool third = op == OP_MULSUB || op == OP_NEGMULADD;
    if (*call && emit_names_signs(m))
        emit_put(m, "%sf%sm%s(%s, %s, %s);\n", call, minus ? "n" : "", third ? "s" : "a",
                 text[0], text[1], text[2]);
    else
        emit_put(m, "%sfma(%s%s%s, %s, %s%s%s);\n", call, minus ? "-(" : "", text[0],
                 minus ? ")" : "", text[1], third ? "-(" : "", text[2], third ? ")" : "");
}

static void put_operation(struct emitter *m, int slot, bool wide)
{
    const struct program_row *row = &m->program->row[slot];
    const char *type = emit_type(m, wide), *call = emit_call(m, wide);
    char text[3][EMIT_VALUE] = {"", "", ""}, *a = text[0], *b = text[1];
    int operand[3], second[3], operands = program_operands(row, operand);
    program_operands(m->inside ? row + m->inside->period : row, second);
    for (int k = 0; k < operands; k++)
        emit_operand(m, operand[k], second[k], wide, text[k]);
    if (row->op == OP_POWI) {
        put_power(m, slot, wide, a, row->b);
        return;
    }
    emit_put(m, "    %s%s r%d = ", m->negated[slot] ? "" : "const ", type, slot);
    switch (row->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV:
        emit_put(m, "%s %s %s;\n", a, op_info[row->op].text, b);
        break;
    case OP_NEG:
        emit_put(m, "-(%s);\n", a);
        break;
    case OP_MULADD: case OP_MULSUB: case OP_SUBMUL: case OP_NEGMULADD:
        emit_fused(m, slot, call, text);
        break;
    default:
        emit_put(m, *b ? "%s%s(%s, %s);\n" : "%s%s(%s);\n", call, op_info[row->op].text,
                 a, b);
        break;
    }
}

/* --- rows --------------------------------------------------------------------------- */

/* Loads a row of an earlier function from memory. */
static void put_kept(struct emitter *m, int part, int slot, bool *loaded)
{
    char value[EMIT_VALUE];
    if (m->part[slot] < 0 || m->part[slot] == part || loaded[slot] ||
        emit_pair_of(m, slot) >= 0)
        return;
    loaded[slot] = true;
    kept_text(m, slot, slot, value);
    if (m->paired && part < m->first_columnwise)
        emit_put(m, "    const two r%d = BOTH(%s);\n", slot, value);
    else
        emit_put(m, "    const %s r%d = %s;\n", emit_is_wide(m, slot) ? "wide" : "double",
                 slot, value);
}

/* Stores a row for a later function. */
static void put_keeping(struct emitter *m, int slot)
{
    char value[EMIT_VALUE];
    if (!m->kept[slot])
        return;
    if (m->on_w)
        emit_index(slot, m->inside ? slot + m->inside->period : slot, value);
    else
        kept_text(m, slot, m->inside ? slot + m->inside->period : slot, value);
    emit_put(m, m->on_w ? "    c[%s] = r%d%s;\n" : "    %s = r%d%s;\n", value, slot,
             m->paired && !emit_is_wide(m, slot) ? "[0]" : "");
}

/* A variable that is the rate of another component is stored where it is loaded. */
int emit_copy(struct emitter *m, int slot)
{
    int copied = m->e->copied, to = emit_source(m, slot) - copied;
    if (!m->copied || m->inside || to < 0 || to >= copied)
        return -1;
    m->copied[is_columnwise(m, slot) ? copied + to : to] = true;
    return to;
}

static void put_copy(struct emitter *m, int slot)
{
    int to = emit_copy(m, slot);
    char value[EMIT_VALUE];
    snprintf(value, sizeof value, "r%d", slot);
    if (to >= 0)
        emit_store(m, to, to, emit_is_wide(m, slot), value);
}

static void put_variable(struct emitter *m, int slot, bool *loaded)
{
    bool wide = emit_is_wide(m, slot);
    char value[EMIT_VALUE];
    if (m->on_w)
        return;
    if (!m->inside &&
        (loaded[slot] || (wide && emit_load_block(m, emit_source(m, slot), loaded))))
        return;
    input_text(m, slot, m->inside ? slot + m->inside->period : slot, value);
    emit_put(m, "    const %s r%d = %s;\n", emit_type(m, wide), slot, value);
    put_copy(m, slot);
    put_keeping(m, slot);
}

void emit_row(struct emitter *m, int slot, bool *loaded)
{
    int pair = emit_pair_of(m, slot), rows = pair >= 0 ? 2 : 1, operand[3];
    const struct program_row *row = &m->program->row[slot];
    if (pair >= 0 && pair < slot)
        return;
    if (row->op == OP_VARIABLE && pair < 0) {
        put_variable(m, slot, loaded);
        return;
    }
    for (int l = 0; l < rows && !m->inside && !m->on_w; l++) {
        int operands = program_operands(row + l, operand);
        for (int k = 0; k < operands; k++)
            put_kept(m, m->part[slot], operand[k], loaded);
    }
    if (pair >= 0) {
        emit_pair_row(m, slot);
        return;
    }
    bool wide = emit_is_wide(m, slot);
    if (!emit_sum_of_pair(m, slot))
        put_operation(m, slot, wide);
    if (m->negated[slot])
        emit_put(m, "    %s(r%d);\n", wide ? "OPAQUE_WIDE" : "OPAQUE", slot);
    put_keeping(m, slot);
}
