/*
 * emit.c - code generation: the C text of a right-hand side with all columns of
 * derivatives, in vector registers; see emit.h.
 */
#include "emit/emit.h"

#include <stdlib.h>

#include "base/memory.h"
#include "emit/emit_parts.h"

/* Most rows of which gcc compiles one function in no more time than parts of it. */
enum { ROWS_TOGETHER = 1000 };

/* --- loops and parts
   ----------------------------------------------------------------- */

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

/* Cuts the rows into functions, in the order of the rows; a new function begins where
   columns do. */
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

/* Parameters of all functions in the file. */
static const char *parameters(const struct emitter *m)
{
    return m->e->lanes > 0 ? "const double *restrict c, const double *restrict t,\n"
                             "    const double *restrict x, double *restrict dx, "
                             "double *restrict check"
                           : "const double *restrict c,\n"
                             "    double t, const double *restrict x, "
                             "double *restrict dx,\n    double *restrict check";
}

/* Type of the units of a group: one number for all lanes, or one for each of the
   columns side by side. */
static const char *type_of_units(const struct emitter *m)
{
    return m->e->lanes > 0 ? "double" : "wide";
}

/* True: all functions are inlined into one. Vectors of eight are expensive to load and
   to store, and there are 32 registers: values that parts would keep for each other
   stay there, unless the text is too long. */
static bool are_together(const struct emitter *m)
{
    const int *begin = m->program->stage_begin;
    int once = m->e->once, columnwise = m->e->columnwise;
    int rows = begin[once + 1] - begin[once] +
               m->groups * (begin[columnwise + 1] - begin[columnwise]);
    return m->width > EMIT_WIDEST && m->loops.count == 0 && rows <= ROWS_TOGETHER;
}

static void put_function(struct emitter *m, int part)
{
    int loop = m->function[part].loop;
    bool columns = part >= m->first_columnwise;
    m->writing = part;
    emit_put(m, "static %s void part%d(%s, struct keep *restrict keep",
             are_together(m) ? "inline __attribute__((always_inline))"
                             : "__attribute__((noinline))", part, parameters(m));
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

/* Macros for columns: one column of x starts `state` after the other. */
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

/* Macros for lanes: component i of every array is a vector of lanes, which begin
   anywhere. */
static void put_lanes(struct emitter *m)
{
    emit_put(m, "typedef double at __attribute__((vector_size(%d), aligned(8), "
             "may_alias));\n"
             "#define AT(a, i) ((wide)*(const at *)((a) + %d * (i)))\n"
             "#define PUT(a, i, r) (*(at *)((a) + %d * (i)) = (r))\n\n",
             8 * m->width, m->e->lanes, m->e->lanes);
}

/* First column of a group. If columns do not fill the groups, the last group begins
   within the one before: some values are stored twice, equally. */
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

/* Stores the outputs that do not move, most of them zeros. */
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

/* True: one of the components [begin, end) that are copied was not stored on the way. */
static bool is_left(const struct emitter *m, int begin, int end)
{
    bool left = false;
    for (int i = begin; i < end; i++)
        left = left || !m->copied || !m->copied[i];
    return left;
}

/* Copies q' = v where that was not done on the way. A vector goes through its
   register, as whole as it was written: gcc would copy parts of it. */
static void put_copies(struct emitter *m)
{
    const struct emission *e = m->e;
    bool values = is_left(m, 0, e->copied);
    bool columns = e->columns > 0 && is_left(m, e->copied, 2 * e->copied);
    if (!values && !columns)
        return;
    emit_put(m, "    for (int j = %d; j <= %d; j++)\n"
             "        for (int i = 0; i < %d; i++)\n", values ? 0 : 1,
             columns ? e->columns : 0, e->copied);
    if (e->lanes > 0)
        emit_put(m, "        {\n            wide r = AT(x, j * %d + %d + i);\n"
                 "            OPAQUE_WIDE(r);\n            PUT(dx, j * %d + i, r);\n"
                 "        }\n", e->state, e->copied, e->state);
    else
        emit_put(m, "            dx[j * %d + i] = x[j * %d + %d + i];\n", e->state,
                 e->state, e->copied);
}

/* Writes the function for the rates of one trajectory, or of those in one vector. */
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
    int widest = e->lanes > 0 ? e->widest : EMIT_WIDEST;
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
    if (m.paired)
        m.width = 2 * m.side;       /* two rows of each column */
    cut(&m);
    if (emission->lanes > 0 || m.paired)
        m.copied = memory_new(2 * emission->copied, sizeof *m.copied);
    if (m.side == EMIT_WIDEST)
        m.component = memory_new(emission->state, sizeof *m.component);
    emit_prelude(&m);
    if (emission->lanes > 0)
        put_lanes(&m);
    else if (m.paired)
        emit_pair_macros(&m);
    else
        put_columns(&m);
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
