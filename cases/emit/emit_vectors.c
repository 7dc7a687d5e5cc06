/*
 * emit_vectors.c - code generation: the SIMD vector type `wide`, and operations on it
 * that C has no operator for.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "emit/emit_parts.h"
#include "formula/tape.h"

/* Writes the type. A vector of one is a number, since compilers keep such a vector in
   memory. */
void emit_spread(struct emitter *m)
{
    if (m->width == 1)
        emit_put(m, "typedef double wide;\n#define NUMBER(a, k) (a)\n");
    else
        emit_put(m, "typedef double wide __attribute__((vector_size(%d)));\n"
                 "#define NUMBER(a, k) ((a)[k])\n", 8 * m->width);
    emit_put(m, "#define WIDE(a) ((wide){");
    for (int k = 0; k < m->width; k++)
        emit_put(m, "%s(a)", k ? ", " : "");
    emit_put(m, "})\n");
}

/* Compiler's functions for a*b + c of vectors, by their width, and for other signs. */
static const struct named { const char *has, *before, *after; } named[] = {
    [2] = {"__FMA__", "__builtin_ia32_vf", "pd"},
    [4] = {"__FMA__", "__builtin_ia32_vf", "pd256"},
    [8] = {"__AVX512F__", "eight_f", ""}};

bool emit_names_signs(const struct emitter *m)
{
    return m->width > 1;
}

/* Writes a name for each choice of the signs of a*b and c: a negative that occurs
   twice would become a row of its own in gcc. */
static void put_signs(struct emitter *m, const char *type, struct named f)
{
    static const char *const sign[][3] = {
        {"fnma", "nmadd", "-(a), b, c"}, {"fms", "msub", "a, b, -(c)"},
        {"fnms", "nmsub", "-(a), b, -(c)"}};
    emit_put(m, "#if defined %s && !defined __clang__ && __GNUC__ >= 12\n", f.has);
    for (int k = 0; k < 3; k++)
        emit_put(m, "#define %s_%s %s%s%s\n", type, sign[k][0], f.before, sign[k][1],
                 f.after);
    emit_put(m, "#else\n");
    for (int k = 0; k < 3; k++)
        emit_put(m, "#define %s_%s(a, b, c) %s_fma(%s)\n", type, sign[k][0], type,
                 sign[k][2]);
    emit_put(m, "#endif\n");
}

static void put_fma(struct emitter *m, const char *type, int width)
{
    emit_put(m, "static inline %s %s_fma(%s a, %s b, %s c)\n{\n", type, type, type, type,
             type);
    if (width > 1)
        emit_put(m, "#ifdef %s\n    return %smadd%s(a, b, c);\n#else\n",
                 named[width].has, named[width].before, named[width].after);
    emit_put(m, "    %s r;\n    for (int k = 0; k < %d; k++)\n"
             "        NUMBER(r, k) = fma(NUMBER(a, k), NUMBER(b, k), NUMBER(c, k));\n"
             "    return r;\n%s}\n", type, width, width > 1 ? "#endif\n" : "");
    if (width > 1)
        put_signs(m, type, named[width]);
}

/* Writes names for operations on vectors of eight. The header that has them takes gcc
   0.2 s, most of the time of a text, so that where the compiler has what is behind them
   it is written as it is there: all numbers are selected, and rounded as usual. */
static void put_eight(struct emitter *m)
{
    static const char *const fused[] = {"fmadd", "fnmadd", "fmsub", "fnmsub"};
    emit_put(m, "#ifdef __AVX512F__\n"
             "#ifndef __has_builtin\n#define __has_builtin(f) 0\n#endif\n"
             "#if __has_builtin(__builtin_ia32_sqrtpd512_mask) && "
             "__has_builtin(__builtin_ia32_vfnmsubpd512_mask)\n");
    for (int k = 0; k < 4; k++)
        emit_put(m, "#define eight_%s(a, b, c) "
                 "__builtin_ia32_v%spd512_mask(a, b, c, -1, 4)\n", fused[k], fused[k]);
    emit_put(m, "#define eight_sqrt(a) __builtin_ia32_sqrtpd512_mask(a, a, -1, 4)\n"
             "#else\n#include <immintrin.h>\n");
    for (int k = 0; k < 4; k++)
        emit_put(m, "#define eight_%s _mm512_%s_pd\n", fused[k], fused[k]);
    emit_put(m, "#define eight_sqrt _mm512_sqrt_pd\n#endif\n#endif\n");
}

/* Writes fused operations. */
static void put_products(struct emitter *m)
{
    emit_put(m, "#define fma __builtin_fma\n");
    if (m->width == 8)
        put_eight(m);
    put_fma(m, "wide", m->width);
    if (m->paired)
        put_fma(m, "two", 2);
}

/* Writes the functions of libm that occur, for numbers and for columns. gcc, if it is
   tuned to prefer vectors of four, would make two of them for eight square roots. */
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
        emit_put(m, "double %s(double%s);\n", name, two ? ", double" : "");
        if (m->paired)
            emit_put(m, "#define two_%s(a%s) BOTH(%s((a)[0]%s))\n", name,
                     two ? ", b" : "", name, two ? ", (b)[0]" : "");
        emit_put(m, "static inline wide wide_%s(wide a%s)\n{\n%s"
                 "    for (int k = 0; k < %d; k++)\n"
                 "        NUMBER(a, k) = %s(NUMBER(a, k)%s);\n"
                 "    return a;\n}\n", name, two ? ", wide b" : "",
                 op == OP_SQRT && m->width == 8
                     ? "#ifdef __AVX512F__\n    return eight_sqrt(a);\n#endif\n" : "",
                 m->width, name, two ? ", NUMBER(b, k)" : "");
    }
}

/* Writes macros that hide a value from gcc: it would make one operation of -(a*b + c),
   whose zero has another sign. A vector may be longer than a register. */
static void put_opaque(struct emitter *m)
{
    emit_put(m, "#ifdef __x86_64__\n#define OPAQUE(a) __asm__(\"\" : \"+x\"(a))\n"
             "#elif defined __aarch64__\n"
             "#define OPAQUE(a) __asm__(\"\" : \"+w\"(a))\n"
             "#else\n#define OPAQUE(a) __asm__(\"\" : \"+m\"(a))\n#endif\n");
    if (m->width >= EMIT_WIDEST)
        emit_put(m, "#ifdef %s\n#define OPAQUE_WIDE OPAQUE\n#else\n"
                 "#define OPAQUE_WIDE(a) __asm__(\"\" : \"+m\"(a))\n#endif\n",
                 m->width > EMIT_WIDEST ? "__AVX512F__" : "__AVX__");
    else
        emit_put(m, "#define OPAQUE_WIDE OPAQUE\n");
}

/* Marks a row, in all iterations of its loop. */
static void note_negated(struct emitter *m, int slot)
{
    if (m->program->row[slot].op >= OPS)
        m->negated[emit_first(m, slot)] = true;
}

static void find_negated(struct emitter *m)
{
    const struct program *program = m->program;
    m->negated = memory_new(program->slots, sizeof *m->negated);
    for (int i = 0; i < program->slots; i++) {
        const struct program_row *row = &program->row[i];
        bool product = row->op == OP_SUBMUL || row->op == OP_NEGMULADD;
        bool c = row->op == OP_MULSUB || row->op == OP_NEGMULADD;
        if (product || row->op == OP_NEG)
            note_negated(m, row->a);
        if (c)
            note_negated(m, row->c);
    }
}

void emit_prelude(struct emitter *m)
{
    find_negated(m);
    put_opaque(m);
    emit_spread(m);
    if (m->paired)
        emit_put(m, "typedef double two __attribute__((vector_size(16)));\n"
                 "#define BOTH(a) ((two){(a), (a)})\n");
    put_products(m);
    put_calls(m);
}
