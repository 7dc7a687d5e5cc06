#include "formula/emit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/eval.h"
#include "formula/memory.h"
#include "formula/tape.h"

/* Rows of a function: gcc's time grows faster than the length of a function from about
   here on. */
enum { ROWS_OF_A_FUNCTION = 250, WIDEST = 4 };

struct text {
    char *c;
    int length, room;
};

struct emitter {
    const struct program *program;
    const struct emission *e;
    const double *w;
    struct text out;
    int width;              /* columns side by side */
    int groups;             /* of so many columns */
    int *part;              /* [slots] function in which a row is, -1: none */
    int parts, first_columnwise;
    bool *kept;             /* [slots] needed in a later function */
};

__attribute__((format(printf, 2, 3)))
static void put(struct emitter *m, const char *format, ...)
{
    struct text *out = &m->out;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    out->c = memory_grow(out->c, &out->room, out->length + length + 1, 1);
    vsnprintf(out->c + out->length, (size_t)length + 1, format, again);
    out->length += length;
    va_end(again);
    va_end(arguments);
}

/* --- which rows go where ------------------------------------------------------------ */

static bool in_stage(const struct emitter *m, int slot, int stage)
{
    return slot >= m->program->stage_begin[stage] &&
           slot < m->program->stage_begin[stage + 1];
}

static bool columnwise(const struct emitter *m, int slot)
{
    return in_stage(m, slot, m->e->columnwise);
}

/* Function by function, in the order of the rows; a new one where columns begin. */
static void cut(struct emitter *m)
{
    const struct program *program = m->program;
    m->part = memory_new(program->slots, sizeof *m->part);
    m->kept = memory_new(program->slots, sizeof *m->kept);
    m->parts = 0;
    for (int i = 0; i < program->slots; i++)
        m->part[i] = -1;
    const int stage[2] = {m->e->once, m->e->columnwise};
    for (int k = 0; k < 2; k++) {
        int begin = program->stage_begin[stage[k]], end = program->stage_begin[stage[k] + 1];
        int functions = (end - begin + ROWS_OF_A_FUNCTION - 1) / ROWS_OF_A_FUNCTION;
        for (int i = begin; i < end; i++)
            m->part[i] = m->parts + (int)((long)(i - begin) * functions / (end - begin));
        m->parts += functions;
        if (k == 0)
            m->first_columnwise = m->parts;
    }
}

static void keep(struct emitter *m, int slot, int part)
{
    if (m->part[slot] >= 0 && m->part[slot] != part)
        m->kept[slot] = true;
}

static void find_kept(struct emitter *m)
{
    for (int i = 0; i < m->program->slots; i++) {
        const struct program_row *row = &m->program->row[i];
        int operands = op_operands(row->op);
        if (m->part[i] < 0)
            continue;
        if (operands > 0)
            keep(m, row->a, m->part[i]);
        if (operands > 1)
            keep(m, row->b, m->part[i]);
        if (operands > 2)
            keep(m, row->c, m->part[i]);
    }
}

/* --- operands ----------------------------------------------------------------------- */

/* A value for a row that is columnwise or not; in `text`. */
static const char *operand(const struct emitter *m, int slot, bool wide, char *text)
{
    char name[48];
    bool number = in_stage(m, slot, 0);
    if (number)
        snprintf(name, sizeof name, "%a", m->w[slot]);
    else
        snprintf(name, sizeof name, m->part[slot] < 0 ? "c[%d]" : "r%d", slot);
    snprintf(text, 64, wide && !columnwise(m, slot) ? "WIDE(%s)" : "%s", name);
    return text;
}

static void put_input(struct emitter *m, int slot, bool wide)
{
    const struct program *program = m->program;
    int k = 0;
    while (program->input[k].slot != slot)
        k++;
    int from = m->e->from[k];
    if (from <= EMIT_UNIT)
        put(m, "unit[%d]", EMIT_UNIT - from);
    else if (from == EMIT_TIME)
        put(m, "t");
    else if (!wide)
        put(m, "x[%d]", from);
    else
        put(m, "LOAD(%d)", from);
}

/* The same products in the same order as power_double. */
static void put_power(struct emitter *m, int slot, const char *type, const char *a, int n)
{
    unsigned magnitude = power_magnitude(n);
    put(m, "    %s r%d = %s;\n", type, slot, a);
    for (unsigned bit = power_second_bit(magnitude); bit > 0; bit >>= 1) {
        put(m, "    r%d = r%d * r%d;\n", slot, slot, slot);
        if (magnitude & bit)
            put(m, "    r%d = r%d * %s;\n", slot, slot, a);
    }
    if (n < 0)
        put(m, "    r%d = %s / r%d;\n", slot,
            strcmp(type, "double") == 0 ? "1.0" : "WIDE(1.0)", slot);
}

static void put_operation(struct emitter *m, int slot, bool wide)
{
    const struct program_row *row = &m->program->row[slot];
    const char *type = wide ? "wide" : "double", *call = wide ? "wide_" : "";
    char a[64], b[64] = "", c[64] = "";
    operand(m, row->a, wide, a);
    if (op_operands(row->op) > 1)
        operand(m, row->b, wide, b);
    if (op_operands(row->op) > 2)
        operand(m, row->c, wide, c);
    if (row->op == OP_POWI) {
        put_power(m, slot, type, a, row->b);
        return;
    }
    put(m, "    const %s r%d = ", type, slot);
    switch (row->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV:
        put(m, "%s %s %s;\n", a, op_info[row->op].text, b);
        break;
    case OP_NEG:
        put(m, "-(%s);\n", a);
        break;
    case OP_MULADD:
        put(m, "%sfma(%s, %s, %s);\n", call, a, b, c);
        break;
    case OP_MULSUB:
        put(m, "%sfma(%s, %s, -(%s));\n", call, a, b, c);
        break;
    case OP_SUBMUL:
        put(m, "%sfma(-(%s), %s, %s);\n", call, a, b, c);
        break;
    default:
        put(m, *b ? "%s%s(%s, %s);\n" : "%s%s(%s);\n", call, op_info[row->op].text, a, b);
        break;
    }
}

/* --- functions ---------------------------------------------------------------------- */

/* What a row of an earlier function left in memory. */
static void put_kept(struct emitter *m, int part, int slot, bool *loaded)
{
    if (m->part[slot] < 0 || m->part[slot] == part || loaded[slot])
        return;
    loaded[slot] = true;
    put(m, "    const %s r%d = keep->r%d;\n", columnwise(m, slot) ? "wide" : "double",
        slot, slot);
}

static void put_row(struct emitter *m, int slot, bool *loaded)
{
    const struct program_row *row = &m->program->row[slot];
    int operands = op_operands(row->op);
    bool wide = columnwise(m, slot);
    if (operands > 0)
        put_kept(m, m->part[slot], row->a, loaded);
    if (operands > 1)
        put_kept(m, m->part[slot], row->b, loaded);
    if (operands > 2)
        put_kept(m, m->part[slot], row->c, loaded);
    if (row->op == OP_VARIABLE) {
        put(m, "    const %s r%d = ", wide ? "wide" : "double", slot);
        put_input(m, slot, wide);
        put(m, ";\n");
    } else {
        put_operation(m, slot, wide);
    }
    if (m->kept[slot])
        put(m, "    keep->r%d = r%d;\n", slot, slot);
}

static void put_outputs(struct emitter *m, int part)
{
    const struct program *program = m->program;
    char value[64];
    for (int k = 0; k < program->outputs; k++) {
        int slot = program->output[k], to = m->e->to[k];
        if (m->part[slot] != part)
            continue;
        operand(m, slot, columnwise(m, slot), value);
        if (to < 0)
            put(m, "    check[%d] = %s;\n", -1 - to, value);
        else if (columnwise(m, slot))
            put(m, "    STORE(%d, %s);\n", to, value);
        else
            put(m, "    dx[%d] = %s;\n", to, value);
    }
}

static void put_function(struct emitter *m, int part)
{
    bool *loaded = memory_new(m->program->slots, sizeof *loaded);
    bool wide = part >= m->first_columnwise;
    put(m, "static __attribute__((noinline)) void part%d(const double *restrict c,\n"
        "    double t, const double *restrict x, double *restrict dx,\n"
        "    double *restrict check, struct keep *restrict keep%s)\n{\n", part,
        wide ? ", const wide *restrict unit" : "");
    put(m, "    (void)c; (void)t; (void)x; (void)dx; (void)check; (void)keep;%s\n",
        wide ? " (void)unit;" : "");
    for (int i = 0; i < m->program->slots; i++)
        if (m->part[i] == part)
            put_row(m, i, loaded);
    put_outputs(m, part);
    put(m, "}\n\n");
    free(loaded);
}

/* --- the file ----------------------------------------------------------------------- */

/* One column of x starts `state` after the other. */
static void put_loads(struct emitter *m)
{
    put(m, "#define WIDE(a) ((wide){");
    for (int j = 0; j < m->width; j++)
        put(m, "%s(a)", j ? ", " : "");
    put(m, "})\n#define LOAD(i) ((wide){");
    for (int j = 0; j < m->width; j++)
        put(m, "%sx[(i) + %d]", j ? ", " : "", j * m->e->state);
    put(m, "})\n#define STORE(i, r) do { wide r_ = r;");
    for (int j = 0; j < m->width; j++)
        put(m, " dx[(i) + %d] = r_[%d];", j * m->e->state, j);
    put(m, " } while (0)\n\n");
}

static void put_fma(struct emitter *m)
{
    put(m, "#define fma __builtin_fma\n"
        "static inline wide wide_fma(wide a, wide b, wide c)\n{\n");
    if (m->width > 1)
        put(m, "#ifdef __FMA__\n    return __builtin_ia32_vfmaddpd%s(a, b, c);\n#else\n",
            m->width == 4 ? "256" : "");
    put(m, "    wide r;\n    for (int k = 0; k < %d; k++)\n"
        "        r[k] = fma(a[k], b[k], c[k]);\n    return r;\n%s}\n", m->width,
        m->width > 1 ? "#endif\n" : "");
}

/* The functions of libm that occur, of numbers and of columns. */
static void put_calls(struct emitter *m)
{
    bool seen[OPS] = {false};
    for (int i = 0; i < m->program->slots; i++) {
        unsigned op = m->program->row[i].op;
        bool called = op < OPS && op_operands(op) > 0 && op != OP_POWI &&
                      op_info[op].text[0] >= 'a' && op != OP_NEG;
        if (m->part[i] < 0 || !called || seen[op])
            continue;
        const char *name = op_info[op].text;
        bool two = op_info[op].arity == 2;
        seen[op] = true;
        put(m, "double %s(double%s);\n", name, two ? ", double" : "");
        put(m, "static inline wide wide_%s(wide a%s)\n{\n    for (int k = 0; k < %d; k++)\n"
            "        a[k] = %s(a[k]%s);\n    return a;\n}\n", name, two ? ", wide b" : "",
            m->width, name, two ? ", b[k]" : "");
    }
}

static void put_keep(struct emitter *m)
{
    put(m, "\nstruct keep {\n    wide nothing;\n");
    for (int i = 0; i < m->program->slots; i++)
        if (m->kept[i])
            put(m, "    %s r%d;\n", columnwise(m, i) ? "wide" : "double", i);
    put(m, "};\n\n");
}

/* The last group has columns that are already in the one before, where they do not come
   out even: the same values are stored twice. */
static int first_of_group(const struct emitter *m, int group)
{
    int first = group * m->width, most = m->e->columns - m->width;
    return first < most ? first : most;
}

static void put_units(struct emitter *m)
{
    put(m, "static const wide unit[%d][%d] = {\n", m->groups, m->e->columns);
    for (int g = 0; g < m->groups; g++) {
        put(m, "    {");
        for (int j = 0; j < m->e->columns; j++) {
            put(m, "{");
            for (int k = 0; k < m->width; k++)
                put(m, "%d,", first_of_group(m, g) + k == j);
            put(m, "},");
        }
        put(m, "},\n");
    }
    put(m, "};\n\n");
}

/* Outputs that do not move: zeros, most of them. */
static void put_still(struct emitter *m)
{
    const struct program *program = m->program;
    char value[64];
    for (int k = 0; k < program->outputs; k++) {
        int to = m->e->to[k];
        if (m->part[program->output[k]] >= 0)
            continue;
        operand(m, program->output[k], false, value);
        if (to < 0)
            put(m, "    check[%d] = %s;\n", -1 - to, value);
        for (int j = 0; to >= 0 && j <= m->e->columns; j++)
            if ((j > 0) == (k >= m->e->values))
                put(m, "    dx[%d] = %s;\n", j * m->e->state + to, value);
    }
}

static void put_whole(struct emitter *m)
{
    const struct emission *e = m->e;
    put(m, "void %s(const double *c, double t, const double *x, double *dx,\n"
        "    double *check)\n{\n    struct keep keep;\n", e->name);
    if (e->copied > 0)
        put(m, "    for (int j = 0; j <= %d; j++)\n        for (int i = 0; i < %d; i++)\n"
            "            dx[j * %d + i] = x[j * %d + %d + i];\n", e->columns, e->copied,
            e->state, e->state, e->copied);
    put_still(m);
    for (int part = 0; part < m->first_columnwise; part++)
        put(m, "    part%d(c, t, x, dx, check, &keep);\n", part);
    for (int g = 0; g < m->groups; g++)
        for (int part = m->first_columnwise; part < m->parts; part++)
            put(m, "    part%d(c, t, x + %d, dx + %d, check, &keep, unit[%d]);\n", part,
                e->state * (1 + first_of_group(m, g)),
                e->state * (1 + first_of_group(m, g)), g);
    put(m, "}\n");
}

char *program_emit(const struct program *program, const struct emission *emission,
                   const double *w)
{
    struct emitter m = {.program = program, .e = emission, .w = w, .width = 1};
    while (2 * m.width <= emission->columns && m.width < WIDEST)
        m.width *= 2;
    m.groups = (emission->columns + m.width - 1) / m.width;
    cut(&m);
    find_kept(&m);
    put(&m, "typedef double wide __attribute__((vector_size(%d)));\n", 8 * m.width);
    put_loads(&m);
    put_fma(&m);
    put_calls(&m);
    put_keep(&m);
    if (m.groups > 0)
        put_units(&m);
    for (int part = 0; part < m.parts; part++)
        put_function(&m, part);
    put_whole(&m);
    free(m.part);
    free(m.kept);
    return m.out.c;
}
