/*
 * emit_stages.c - code generation: the stages of the interpreter as C; see emit_stages.h.
 */
#include "emit/emit_stages.h"

#include <stdlib.h>

#include "base/memory.h"
#include "emit/emit_parts.h"
#include "formula/tape.h"

enum { FIRST = 2 };

/* With more inputs the cost of loading is no longer a small part of the rest. */
enum { MOST_INPUTS = 200 };

/* Marks the rows that are kept: outputs, and rows that a later stage needs. */
static void find_kept(struct emitter *m)
{
    const struct program *program = m->program;
    emit_find_kept(m);
    for (int k = 0; k < program->outputs; k++)
        m->kept[emit_first(m, program->output[k])] = true;
}

static void put_function(struct emitter *m, int part)
{
    const struct emit_function *function = &m->function[part];
    m->writing = part;
    emit_put(m, "static __attribute__((noinline)) void part%d(double *c)\n{\n"
             "    (void)c;\n", part);
    if (function->loop >= 0) {
        emit_loop(m, &m->loops.loop[function->loop]);
    } else {
        for (int i = function->begin; i < function->end; i++)
            emit_row(m, i, NULL);
    }
    emit_put(m, "}\n\n");
}

/* Writes program_load_point with the slots of all numbers known. */
static void put_point(struct emitter *m, int copy)
{
    static const char *const number[BLOCKS] = {
        [BLOCK_T] = "&t", [BLOCK_Q] = "q", [BLOCK_V] = "v", [BLOCK_S] = "s"};
    const struct program *program = m->program;
    emit_put(m, "static void point%d(double *c, double t, const double *q, "
             "const double *v, const double *s)\n"
             "{\n    (void)c, (void)t, (void)q, (void)v, (void)s;\n", copy);
    for (int k = 0; k < program->inputs; k++) {
        const struct program_input *input = &program->input[k];
        if (input->block / BLOCKS == copy && number[input->block % BLOCKS])
            emit_put(m, "    c[%d] = (%s)[%d];\n", input->slot,
                     number[input->block % BLOCKS], input->index);
    }
    emit_put(m, "}\n\n");
}

static void put_stages(struct emitter *m, const char *name, const int *begin)
{
    for (int stage = FIRST; stage < STAGES; stage++) {
        emit_put(m, "static void stage%d(double *c)\n{\n    (void)c;\n", stage);
        for (int part = begin[stage]; part < begin[stage + 1]; part++)
            emit_put(m, "    part%d(c);\n", part);
        emit_put(m, "}\n\n");
    }
    bool points = m->program->inputs <= MOST_INPUTS;
    for (int copy = 0; copy < EMIT_POINTS && points; copy++)
        put_point(m, copy);
    emit_put(m, "const struct {\n    void (*stage[%d])(double *);\n"
             "    void (*point[%d])(double *, double, const double *, const double *, "
             "const double *);\n} %s = {\n    {0, 0", STAGES, EMIT_POINTS, name);
    for (int stage = FIRST; stage < STAGES; stage++)
        emit_put(m, ", stage%d", stage);
    emit_put(m, "},\n    {%s},\n};\n", points ? "point0, point1" : "0, 0");
}

static void find_loops(const struct program *program, int least_loop, struct loops *loops)
{
    const struct loop_search search = {.first = FIRST, .last = STAGES - 1,
                                       .least = least_loop};
    loops_find(loops, program, &search);
}

int program_emitted_stages(const struct program *program, int least_loop)
{
    struct loops loops;
    find_loops(program, least_loop, &loops);
    int rows = loops_rows(&loops, program, FIRST, STAGES - 1);
    loops_clear(&loops);
    return rows;
}

char *program_emit_stages(const struct program *program, const char *name, int least_loop,
                          const double *w)
{
    const struct emission emission = {.name = name};
    struct emitter m = {.program = program, .e = &emission, .w = w, .width = 1, .side = 1,
                        .on_w = true};
    int begin[STAGES + 1];      /* first function of each stage */
    find_loops(program, least_loop, &m.loops);
    emit_begin(&m);
    for (int stage = FIRST; stage < STAGES; stage++) {
        begin[stage] = m.parts;
        emit_cut(&m, stage);
    }
    begin[STAGES] = m.parts;
    find_kept(&m);
    emit_prelude(&m);
    for (int part = 0; part < m.parts; part++)
        put_function(&m, part);
    put_stages(&m, name, begin);
    emit_clear(&m);
    return m.out.c;
}
