#include "formula/emit.h"

#include <stdlib.h>

#include "formula/emit_parts.h"
#include "formula/memory.h"
#include "formula/tape.h"

enum { WIDEST = 4 };

/* --- which rows go where ------------------------------------------------------------ */

static void find_loops(const struct program *program, const struct emission *e,
                       struct loops *loops)
{
    const struct loop_search search = {.from = e->from, .to = e->to, .first = e->once,
                                       .last = e->columnwise, .least = e->least_loop};
    loops_find(loops, program, &search);
}

int program_emitted_rows(const struct program *program, const struct emission *emission)
{
    struct loops loops;
    find_loops(program, emission, &loops);
    int rows = loops_rows(&loops, program, emission->once, emission->columnwise);
    loops_clear(&loops);
    return rows;
}

/* Function by function, in the order of the rows; a new one where columns begin. */
static void cut(struct emitter *m)
{
    emit_begin(m);
    emit_cut(m, m->e->once);
    m->first_columnwise = m->parts;
    emit_cut(m, m->e->columnwise);
    emit_find_kept(m);
    emit_find_couples(m);
}

/* --- functions ---------------------------------------------------------------------- */

static void put_outputs(struct emitter *m, int part)
{
    const struct program *program = m->program;
    char value[EMIT_VALUE];
    emit_find_outputs(m, part);
    for (int k = 0; k < program->outputs; k++) {
        int slot = program->output[k];
        bool wide = emit_is_wide(m, slot);
        if (m->paired && emit_store_pair(m, k)) {
            k++;
            continue;
        }
        bool whole = wide && m->part[slot] == part && emit_store_block(m, m->e->to[k]);
        if (m->part[slot] == part && !whole)
            emit_store(m, m->e->to[k], m->e->to[k], wide,
                       emit_operand(m, slot, slot, wide, value));
    }
}

static void put_rows(struct emitter *m, int part)
{
    const struct emit_function *function = &m->function[part];
    bool *loaded = memory_new(m->program->slots, sizeof *loaded);
    emit_find_inputs(m, part);
    for (int i = function->begin; i < function->end; i++)
        emit_row(m, i, loaded);
    if (part == m->first_columnwise - 1)
        emit_keep_couples(m);
    put_outputs(m, part);
    free(loaded);
}

/* Of all functions in the file. */
static const char *parameters(const struct emitter *m)
{
    return m->e->lanes > 0 ? "const double *restrict c, const double *restrict t,\n"
                             "    const double *restrict x, double *restrict dx, "
                             "double *restrict check"
                           : "const double *restrict c,\n"
                             "    double t, const double *restrict x, "
                             "double *restrict dx,\n    double *restrict check";
}

/* The same in every lane, but one for each of the columns side by side. */
static const char *type_of_units(const struct emitter *m)
{
    return m->e->lanes > 0 ? "double" : "wide";
}

static void put_function(struct emitter *m, int part)
{
    int loop = m->function[part].loop;
    bool columns = part >= m->first_columnwise;
    m->writing = part;
    emit_put(m, "static __attribute__((noinline)) void part%d(%s, "
             "struct keep *restrict keep", part, parameters(m));
    if (columns)
        emit_put(m, ", const %s *restrict unit", type_of_units(m));
    if (columns && m->loops.count > 0)
        emit_put(m, ", const double *restrict values");
    emit_put(m, ")\n{\n    (void)c; (void)t; (void)x; (void)dx; (void)check; "
             "(void)keep;%s\n", columns ? " (void)unit;" : "");
    if (loop >= 0)
        emit_loop(m, &m->loops.loop[loop]);
    else
        put_rows(m, part);
    emit_put(m, "}\n\n");
}

/* --- the file ----------------------------------------------------------------------- */

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

/* One column of x starts `state` after the other. */
static void put_columns(struct emitter *m)
{
    emit_put(m, "#define LOAD(i) ((wide){");
    for (int j = 0; j < m->width; j++)
        emit_put(m, "%sx[(i) + %d]", j ? ", " : "", j * m->e->state);
    emit_put(m, "})\n#define STORE(i, r) do { wide r_ = r;");
    for (int j = 0; j < m->width; j++)
        emit_put(m, " dx[(i) + %d] = NUMBER(r_, %d);", j * m->e->state, j);
    emit_put(m, " } while (0)\n\n");
}

/* Component i of every array in a vector of lanes, which begin anywhere. */
static void put_lanes(struct emitter *m)
{
    emit_put(m, "typedef double at __attribute__((vector_size(%d), aligned(8), "
             "may_alias));\n"
             "#define AT(a, i) ((wide)*(const at *)((a) + %d * (i)))\n"
             "#define PUT(a, i, r) (*(at *)((a) + %d * (i)) = (r))\n\n",
             8 * m->width, m->e->lanes, m->e->lanes);
}

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
    if (m->width >= WIDEST)
        emit_put(m, "#ifdef %s\n#define OPAQUE_WIDE OPAQUE\n#else\n"
                 "#define OPAQUE_WIDE(a) __asm__(\"\" : \"+m\"(a))\n#endif\n",
                 m->width > WIDEST ? "__AVX512F__" : "__AVX__");
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

/* The last group has columns that are already in the one before, where they do not come
   out even: the same values are stored twice. */
static int first_of_group(const struct emitter *m, int group)
{
    int first = group * m->side, most = m->e->columns - m->side;
    return first < most ? first : most;
}

static void put_units(struct emitter *m)
{
    bool braces = m->e->lanes == 0;
    int each = braces ? m->width : 1;
    emit_put(m, "static const %s unit[%d][%d] = {\n", type_of_units(m), m->groups,
             m->e->columns);
    for (int g = 0; g < m->groups; g++) {
        emit_put(m, "    {");
        for (int j = 0; j < m->e->columns; j++) {
            emit_put(m, braces ? "{" : "");
            for (int k = 0; k < each; k++)
                emit_put(m, "%d,", first_of_group(m, g) + k*m->side/each == j);
            emit_put(m, braces ? "}," : "");
        }
        emit_put(m, "},\n");
    }
    emit_put(m, "};\n\n");
}

/* Outputs that do not move: zeros, most of them. */
static void put_still(struct emitter *m)
{
    const struct program *program = m->program;
    bool lanes = m->e->lanes > 0;
    char value[EMIT_VALUE];
    for (int k = 0; k < program->outputs; k++) {
        int to = m->e->to[k], slot = program->output[k];
        if (m->part[slot] >= 0)
            continue;
        emit_operand(m, slot, slot, lanes, value);
        if (to < 0)
            emit_store(m, to, to, lanes, value);
        for (int j = 0; to >= 0 && j <= m->e->columns; j++) {
            int index = j * m->e->state + to;
            if ((j > 0) == (k >= m->e->values))
                emit_store(m, index, index, false, value);
        }
    }
}

/* A vector goes through its register, as whole as it was written: gcc would copy by parts
   of it. */
static void put_copies(struct emitter *m)
{
    const struct emission *e = m->e;
    if (e->copied == 0)
        return;
    emit_put(m, "    for (int j = 0; j <= %d; j++)\n"
             "        for (int i = 0; i < %d; i++)\n", e->columns, e->copied);
    if (e->lanes > 0)
        emit_put(m, "        {\n            wide r = AT(x, j * %d + %d + i);\n"
                 "            OPAQUE_WIDE(r);\n            PUT(dx, j * %d + i, r);\n"
                 "        }\n", e->state, e->copied, e->state);
    else
        emit_put(m, "            dx[j * %d + i] = x[j * %d + %d + i];\n", e->state,
                 e->state, e->copied);
}

/* The rates of one trajectory, or of those in one vector. */
static void put_whole(struct emitter *m, const char *linkage, const char *name)
{
    const struct emission *e = m->e;
    int each = e->lanes > 0 ? e->lanes : 1;
    emit_put(m, "%svoid %s(%s)\n{\n    %sstruct keep keep;\n", linkage, name,
             parameters(m), m->loops.count > 0 ? "static __thread " : "");
    put_copies(m);
    put_still(m);
    for (int part = 0; part < m->first_columnwise; part++)
        emit_put(m, "    part%d(c, t, x, dx, check, &keep);\n", part);
    for (int g = 0; g < m->groups; g++)
        for (int part = m->first_columnwise; part < m->parts; part++) {
            int begin = each * e->state * (1 + first_of_group(m, g));
            emit_put(m, "    part%d(c, t, x + %d, dx + %d, check, &keep, unit[%d]%s);\n",
                     part, begin, begin, g, m->loops.count > 0 ? ", x" : "");
        }
    emit_put(m, "}\n");
}

static void put_whole_lanes(struct emitter *m)
{
    put_whole(m, "static ", "vector");
    emit_put(m, "\nvoid %s(%s)\n{\n    for (int l = 0; l < %d; l += %d)\n"
             "        vector(c + l, t + l, x + l, dx + l, check + l);\n}\n", m->e->name,
             parameters(m), m->e->lanes, m->width);
}

static void choose_width(struct emitter *m)
{
    const struct emission *e = m->e;
    int most = e->lanes > 0 ? e->lanes : e->columns;
    int widest = e->lanes > 0 ? e->widest : WIDEST;
    m->width = 1;
    while (2 * m->width <= most && m->width < widest)
        m->width *= 2;
    if (e->lanes % m->width != 0)
        slip("%d lanes are not whole vectors of %d", e->lanes, m->width);
    m->side = e->lanes > 0 ? 1 : m->width;
    m->groups = (e->columns + m->side - 1) / m->side;
}

int emit_place_of(const struct program_input *input, int n)
{
    switch (input->block % BLOCKS) {
    case BLOCK_T:
        return EMIT_TIME;
    case BLOCK_V:
        return n + input->index;
    case BLOCK_S:
        return 2 * n + input->index;
    default:
        return input->index;
    }
}

char *program_emit(const struct program *program, const struct emission *emission,
                   const double *w)
{
    struct emitter m = {.program = program, .e = emission, .w = w};
    choose_width(&m);
    find_loops(program, emission, &m.loops);
    m.paired = program->pair && emission->lanes == 0 && emission->columns <= 2 &&
               m.loops.count == 0;
    if (m.paired && m.side == 2)
        m.width = WIDEST;           /* two of each */
    cut(&m);
    if (m.side == WIDEST)
        m.component = memory_new(emission->state, sizeof *m.component);
    emit_prelude(&m);
    if (emission->lanes > 0)
        put_lanes(&m);
    else if (!m.paired || m.side < 2)
        put_columns(&m);
    if (m.paired)
        emit_pair_macros(&m);
    emit_block_macros(&m);
    emit_keep(&m);
    if (m.groups > 0)
        put_units(&m);
    for (int part = 0; part < m.parts; part++)
        put_function(&m, part);
    if (emission->lanes > 0)
        put_whole_lanes(&m);
    else
        put_whole(&m, "", emission->name);
    emit_clear(&m);
    return m.out.c;
}
