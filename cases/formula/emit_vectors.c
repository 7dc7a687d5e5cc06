/*
 * emit_vectors.c - the type `wide`, and what is done with vectors of it that C has no
 * operator for.
 */
#include <stdlib.h>

#include "formula/emit_parts.h"
#include "formula/memory.h"
#include "formula/tape.h"

/* A vector of one is a number: compilers keep the vector in memory. */
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

bool emit_names_signs(const struct emitter *m)
{
    return m->width == 8;
}

static const char of_signs[] =
    "#ifdef __AVX512F__\n"
    "#define wide_fnma _mm512_fnmadd_pd\n"
    "#define wide_fms _mm512_fmsub_pd\n"
    "#define wide_fnms _mm512_fnmsub_pd\n"
    "#else\n"
    "#define wide_fnma(a, b, c) wide_fma(-(a), b, c)\n"
    "#define wide_fms(a, b, c) wide_fma(a, b, -(c))\n"
    "#define wide_fnms(a, b, c) wide_fma(-(a), b, -(c))\n"
    "#endif\n";

static void put_fma(struct emitter *m)
{
    static const struct { const char *has, *name; } fused[] = {
        [2] = {"__FMA__", "__builtin_ia32_vfmaddpd"},
        [4] = {"__FMA__", "__builtin_ia32_vfmaddpd256"},
        [8] = {"__AVX512F__", "_mm512_fmadd_pd"}};
    emit_put(m, "#define fma __builtin_fma\n");
    if (m->width == 8)          /* a large file to be read: only where it must be */
        emit_put(m, "#ifdef __AVX512F__\n#include <immintrin.h>\n#endif\n");
    emit_put(m, "static inline wide wide_fma(wide a, wide b, wide c)\n{\n");
    if (m->width > 1)
        emit_put(m, "#ifdef %s\n    return %s(a, b, c);\n#else\n", fused[m->width].has,
                 fused[m->width].name);
    emit_put(m, "    wide r;\n    for (int k = 0; k < %d; k++)\n"
             "        NUMBER(r, k) = fma(NUMBER(a, k), NUMBER(b, k), NUMBER(c, k));\n"
             "    return r;\n%s}\n", m->width, m->width > 1 ? "#endif\n" : "");
    if (emit_names_signs(m))
        emit_put(m, "%s", of_signs);
}

/* The functions of libm that occur, of numbers and of columns. Of eight roots gcc makes
   two vectors of four, where it is tuned to prefer these. */
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
        emit_put(m, "static inline wide wide_%s(wide a%s)\n{\n%s"
                 "    for (int k = 0; k < %d; k++)\n"
                 "        NUMBER(a, k) = %s(NUMBER(a, k)%s);\n"
                 "    return a;\n}\n", name, two ? ", wide b" : "",
                 op == OP_SQRT && m->width == 8
                     ? "#ifdef __AVX512F__\n    return _mm512_sqrt_pd(a);\n#endif\n" : "",
                 m->width, name, two ? ", NUMBER(b, k)" : "");
    }
}

/* gcc makes one operation of -(a*b + c), whose zero has another sign; not where it does
   not know what a*b + c is. A vector may be longer than a register. */
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

/* In all iterations of a loop, if in one. */
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
        int first = product && emit_negates_second(m, i) ? row->b : row->a;
        if (product || row->op == OP_NEG)
            note_negated(m, first);
        if (c)
            note_negated(m, row->c);
    }
}

void emit_prelude(struct emitter *m)
{
    find_negated(m);
    put_opaque(m);
    emit_spread(m);
    put_fma(m);
    put_calls(m);
}
