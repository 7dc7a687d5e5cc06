/*
 * emit_series.c - code generation: the Taylor recurrences of recurrences.def as C; see
 * emit_series.h.
 */
#include "emit/emit_series.h"

#include "base/memory.h"
#include "emit/emit_parts.h"
#include "formula/tape.h"
#include "program/eval.h"
#include "program/series.h"
#include "program/series_ops.h"

struct series_text {
    struct emitter m;
    struct series_layout layout;
    int first;                  /* first slot of the rows of columns */
};

bool series_is_raised(const struct program *program, int slot)
{
    return !program->steady[slot] && op_operands(program->row[slot].op) > 0;
}

/* --- the recurrences, as text ------------------------------------------------------- */

#define TEXT(...) #__VA_ARGS__

/* Writes the functions over numbers, and `convolve` over columns, too; the type tells
   them apart. */
static void put_sums(struct emitter *m)
{
    static const char *const sum[] = {
#define SUM(type, name, parameters, ...) \
        TEXT(static type name parameters { __VA_ARGS__ }),
#include "program/recurrences.def"
    };
    emit_put(m, "#include <stddef.h>\ntypedef double number;\n");
    for (size_t i = 0; i < sizeof sum/sizeof *sum; i++)
        emit_put(m, "%s\n", sum[i]);
    emit_put(m, "#define number wide\n#define convolve convolve_wide\n%s\n"
             "#undef number\n#undef convolve\n"
             "#define convolve(a, b, ...) _Generic(*(b), wide: convolve_wide, "
             "default: convolve)(a, b, __VA_ARGS__)\n", sum[0]);
}

static const char *recurrence_of(unsigned op)
{
    switch (op) {
#define PRODUCT(NAME, value) case OP_##NAME: return TEXT(f[k] = value;);
#define RECURRENCE(NAME, ...) case OP_##NAME: return TEXT(__VA_ARGS__);
#include "program/recurrences.def"
    default:
        slip("operation %u has no recurrence", op);
    }
}

/* --- rows --------------------------------------------------------------------------- */

static bool is_wide(const struct series_text *text, int row)
{
    return row >= text->first && row < text->m.program->slots;
}

/* Declares `name` as the coefficients of a row. */
static void put_series(struct series_text *text, const char *kind, const char *name,
                       int row)
{
    bool wide = is_wide(text, row);
    emit_put(&text->m, " %s%s *%s = %c(%d);", kind, wide ? "wide" : "double", name,
             wide ? 'D' : 'V', wide ? row - text->first : row);
}

static void put_power(struct emitter *m, int n)
{
    unsigned magnitude = power_magnitude(n);
    emit_put(m, " raise_power(a, f, g, STRIDE, %d, %u, %u, k);", n, magnitude,
             power_second_bit(magnitude));
}

static void put_product(struct series_text *text, const int operand[3], bool wide)
{
    const bool *steady = text->m.program->steady;
    emit_put(&text->m, " const %s ab = ", wide ? "wide" : "double");
    if (operand[0] == operand[1])
        emit_put(&text->m, "square(a, k);");
    else
        emit_put(&text->m, "convolve(a, b, 0, %s, k);", steady[operand[0]] ? "0" : "k");
}

static void put_companion(struct series_text *text, int slot)
{
    if (text->layout.companion[slot] < 0)
        emit_put(&text->m, " double *g = 0;");
    else
        put_series(text, "", "g", text->layout.companion[slot]);
    emit_put(&text->m, " enum { twin = %d };", text->layout.twin[slot]);
}

static void put_row(struct series_text *text, int slot)
{
    static const char *const name[] = {"a", "b", "c"};
    const struct program *program = text->m.program;
    const struct program_row *row = &program->row[slot];
    int operand[3], operands = op_operands(row->op);
    series_operands(program, slot, operand);
    emit_put(&text->m, "    {");
    for (int i = 0; i < operands; i++)
        put_series(text, "const ", name[i], operand[i]);
    put_series(text, "", "f", slot);
    if (term_companions(*row) > 0 || row->op == OP_POWI)
        put_companion(text, slot);
    if (series_is_product(row->op))
        put_product(text, operand, is_wide(text, slot));
    if (row->op == OP_DIV)
        emit_put(&text->m, " const int last_b = %s;",
                 program->steady[row->b] ? "0" : "k");
    if (row->op == OP_POWI)
        put_power(&text->m, row->b);
    else
        emit_put(&text->m, " %s", recurrence_of(row->op));
    emit_put(&text->m, " }\n");
}

/* --- functions ---------------------------------------------------------------------- */

static void put_part(struct series_text *text, int part)
{
    const struct emit_function *function = &text->m.function[part];
    emit_put(&text->m, "static __attribute__((noinline)) void part%d(double *v, wide *d, "
             "int k)\n{\n    (void)v; (void)d; (void)k;\n", part);
    for (int slot = function->begin; slot < function->end; slot++)
        if (series_is_raised(text->m.program, slot))
            put_row(text, slot);
    emit_put(&text->m, "}\n\n");
}

static void put_stage(struct emitter *m, const char *name, int first, int last)
{
    emit_put(m, "static void %s(double *v, double *columns, int k)\n{\n"
             "    wide *d = (wide *)columns;\n    (void)v; (void)d; (void)k;\n", name);
    for (int part = first; part < last; part++)
        emit_put(m, "    part%d(v, d, k);\n", part);
    emit_put(m, "}\n\n");
}

char *program_emit_series(const struct program *program,
                          const struct series_emission *emission)
{
    const struct emission none = {0};
    struct series_text text = {
        .m = {.program = program, .e = &none, .width = emission->columns},
        .first = program->stage_begin[emission->columnwise]};
    struct emitter *m = &text.m;
    series_layout_init(&text.layout, program);
    emit_begin(m);
    emit_cut(m, emission->once);
    int values = m->parts;
    emit_cut(m, emission->columnwise);
    emit_spread(m);
    put_sums(m);
    emit_put(m, "#define STRIDE %d\n#define V(i) (v + (i) * STRIDE)\n"
             "#define D(i) (d + (i) * STRIDE)\n\n", emission->order + 1);
    for (int part = 0; part < m->parts; part++)
        put_part(&text, part);
    put_stage(m, "values", 0, values);
    put_stage(m, "columns", values, m->parts);
    emit_put(m, "void (*const %s[2])(double *, double *, int) = {values, columns};\n",
             emission->name);
    series_layout_clear(&text.layout);
    emit_clear(m);
    return m->out.c;
}
