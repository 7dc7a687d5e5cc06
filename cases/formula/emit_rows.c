/*
 * emit_rows.c - the C text of one row of a program, and of its operands.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formula/emit_parts.h"
#include "formula/eval.h"
#include "formula/memory.h"
#include "formula/tape.h"

void emit_put(struct emitter *m, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    m->out.c = memory_grow(m->out.c, &m->out.room, m->out.length + length + 1, 1);
    vsnprintf(m->out.c + m->out.length, (size_t)length + 1, format, again);
    m->out.length += length;
    va_end(again);
    va_end(arguments);
}

/* --- which rows go where ------------------------------------------------------------ */

/* gcc's time grows faster than the length of a function from about here on. */
enum { ROWS_OF_A_FUNCTION = 250 };

int emit_functions(int rows)
{
    return (rows + ROWS_OF_A_FUNCTION - 1) / ROWS_OF_A_FUNCTION;
}

int emit_function_of(int k, int rows)
{
    return (int)((long)k * emit_functions(rows) / rows);
}

static bool in_stage(const struct emitter *m, int slot, int stage)
{
    return slot >= m->program->stage_begin[stage] &&
           slot < m->program->stage_begin[stage + 1];
}

static bool is_columnwise(const struct emitter *m, int slot)
{
    return in_stage(m, slot, m->e->columnwise);
}

bool emit_is_wide(const struct emitter *m, int slot)
{
    return m->e->lanes > 0 || is_columnwise(m, slot);
}

/* --- operands ----------------------------------------------------------------------- */

/* One number in all of a vector. */
static bool is_spread(const struct emitter *m, int slot, bool wide)
{
    return wide && (in_stage(m, slot, 0) || !emit_is_wide(m, slot));
}

const char *emit_operand(const struct emitter *m, int slot, bool wide, char *text)
{
    char name[48];
    bool number = in_stage(m, slot, 0), lanes = m->e->lanes > 0;
    if (number)
        snprintf(name, sizeof name, "%a", m->w[slot]);
    else if (m->part[slot] < 0)
        snprintf(name, sizeof name, lanes ? "AT(c, %d)" : "c[%d]", slot);
    else
        snprintf(name, sizeof name, "r%d", slot);
    snprintf(text, 64, is_spread(m, slot, wide) ? "WIDE(%s)" : "%s", name);
    return text;
}

bool emit_negates_second(const struct emitter *m, int slot)
{
    const struct program_row *row = &m->program->row[slot];
    bool wide = emit_is_wide(m, slot);
    return is_spread(m, row->a, wide) && !is_spread(m, row->b, wide);
}

static int source_of(const struct emitter *m, int slot)
{
    int k = 0;
    while (m->program->input[k].slot != slot)
        k++;
    return m->e->from[k];
}

static void put_input(struct emitter *m, int slot)
{
    bool lanes = m->e->lanes > 0;
    int from = source_of(m, slot);
    if (from <= EMIT_UNIT)
        emit_put(m, lanes ? "WIDE(unit[%d])" : "unit[%d]", EMIT_UNIT - from);
    else if (from == EMIT_TIME)
        emit_put(m, lanes ? "AT(t, 0)" : "t");
    else if (lanes)
        emit_put(m, "AT(x, %d)", from);
    else
        emit_put(m, is_columnwise(m, slot) ? "LOAD(%d)" : "x[%d]", from);
}

void emit_store(struct emitter *m, int to, bool wide, const char *value)
{
    const char *array = to < 0 ? "check" : "dx";
    int index = to < 0 ? -1 - to : to;
    if (m->e->lanes > 0)
        emit_put(m, "    PUT(%s, %d, %s);\n", array, index, value);
    else if (wide && to >= 0)
        emit_put(m, "    STORE(%d, %s);\n", index, value);
    else
        emit_put(m, "    %s[%d] = %s;\n", array, index, value);
}

/* The same products in the same order as power_double. */
static void put_power(struct emitter *m, int slot, const char *type, const char *a, int n)
{
    unsigned magnitude = power_magnitude(n);
    emit_put(m, "    %s r%d = %s;\n", type, slot, a);
    for (unsigned bit = power_second_bit(magnitude); bit > 0; bit >>= 1) {
        emit_put(m, "    r%d = r%d * r%d;\n", slot, slot, slot);
        if (magnitude & bit)
            emit_put(m, "    r%d = r%d * %s;\n", slot, slot, a);
    }
    if (n < 0)
        emit_put(m, "    r%d = %s / r%d;\n", slot,
            strcmp(type, "double") == 0 ? "1.0" : "WIDE(1.0)", slot);
}

/* a*b + c, rounded once, with the signs that the row gives to a*b and c. */
static void put_fused(struct emitter *m, int slot, const char *call, const char *a,
                      const char *b, const char *c)
{
    unsigned op = m->program->row[slot].op;
    bool minus = op == OP_SUBMUL || op == OP_NEGMULADD;
    bool second = minus && emit_negates_second(m, slot), first = minus && !second;
    bool third = op == OP_MULSUB || op == OP_NEGMULADD;
    emit_put(m, "%sfma(%s%s%s, %s%s%s, %s%s%s);\n", call, first ? "-(" : "", a,
             first ? ")" : "", second ? "-(" : "", b, second ? ")" : "",
             third ? "-(" : "", c, third ? ")" : "");
}

static void put_operation(struct emitter *m, int slot, bool wide)
{
    const struct program_row *row = &m->program->row[slot];
    const char *type = wide ? "wide" : "double", *call = wide ? "wide_" : "";
    char text[3][64] = {"", "", ""}, *a = text[0], *b = text[1], *c = text[2];
    int operand[3], operands = program_operands(row, operand);
    for (int k = 0; k < operands; k++)
        emit_operand(m, operand[k], wide, text[k]);
    if (row->op == OP_POWI) {
        put_power(m, slot, type, a, row->b);
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
        put_fused(m, slot, call, a, b, c);
        break;
    default:
        emit_put(m, *b ? "%s%s(%s, %s);\n" : "%s%s(%s);\n", call, op_info[row->op].text,
                 a, b);
        break;
    }
}

/* --- rows --------------------------------------------------------------------------- */

/* What a row of an earlier function left in memory. */
static void put_kept(struct emitter *m, int part, int slot, bool *loaded)
{
    if (m->part[slot] < 0 || m->part[slot] == part || loaded[slot])
        return;
    loaded[slot] = true;
    emit_put(m, "    const %s r%d = keep->r%d;\n",
             emit_is_wide(m, slot) ? "wide" : "double", slot, slot);
}

/* For a later function. */
static void put_keeping(struct emitter *m, int slot)
{
    if (m->kept[slot])
        emit_put(m, "    keep->r%d = r%d;\n", slot, slot);
}

static void put_variable(struct emitter *m, int slot, bool *loaded)
{
    bool wide = emit_is_wide(m, slot);
    if (loaded[slot] || (wide && emit_load_block(m, source_of(m, slot), loaded)))
        return;
    emit_put(m, "    const %s r%d = ", wide ? "wide" : "double", slot);
    put_input(m, slot);
    emit_put(m, ";\n");
    put_keeping(m, slot);
}

void emit_row(struct emitter *m, int slot, bool *loaded)
{
    const struct program_row *row = &m->program->row[slot];
    int operand[3], operands = program_operands(row, operand);
    if (row->op == OP_VARIABLE) {
        put_variable(m, slot, loaded);
        return;
    }
    for (int k = 0; k < operands; k++)
        put_kept(m, m->part[slot], operand[k], loaded);
    bool wide = emit_is_wide(m, slot);
    put_operation(m, slot, wide);
    if (m->negated[slot])
        emit_put(m, "    %s(r%d);\n", wide ? "OPAQUE_WIDE" : "OPAQUE", slot);
    put_keeping(m, slot);
}
