#include "formula/emit_stages.h"

#include <stdlib.h>

#include "formula/emit_parts.h"
#include "formula/memory.h"
#include "formula/tape.h"

enum { FIRST = 2 };

/* Does a row outside of this one's function need it? */
static void find_wanted(const struct program *program, const int *function, bool *wanted)
{
    for (int k = 0; k < program->outputs; k++)
        wanted[program->output[k]] = true;
    for (int i = 0; i < program->slots; i++) {
        int operand[3], operands = program_operands(&program->row[i], operand);
        for (int k = 0; k < operands; k++)
            if (function[operand[k]] != function[i])
                wanted[operand[k]] = true;
    }
}

/* The function in which each row is, counted through all stages; -1: none. Variables are
   in w. */
static int assign(const struct program *program, int *function)
{
    int functions = 0;
    for (int i = 0; i < program->slots; i++)
        function[i] = -1;
    for (int stage = FIRST; stage < STAGES; stage++) {
        int begin = program->stage_begin[stage], end = program->stage_begin[stage + 1];
        for (int i = begin; i < end; i++)
            if (program->row[i].op != OP_VARIABLE)
                function[i] = functions + emit_function_of(i - begin, end - begin);
        functions += emit_functions(end - begin);
    }
    return functions;
}

static void put_function(struct emitter *m, int number, const int *function,
                         const bool *wanted)
{
    int slots = m->program->slots;
    emit_put(m, "static __attribute__((noinline)) void part%d(double *c)\n{\n"
             "    (void)c;\n", number);
    for (int i = 0; i < slots; i++)
        m->part[i] = function[i] == number ? 0 : -1;
    for (int i = 0; i < slots; i++) {
        if (m->part[i] < 0)
            continue;
        emit_row(m, i, NULL);
        if (wanted[i])
            emit_put(m, "    c[%d] = r%d;\n", i, i);
    }
    emit_put(m, "}\n\n");
}

static void put_stages(struct emitter *m, const char *name)
{
    const struct program *program = m->program;
    int number = 0;
    for (int stage = FIRST; stage < STAGES; stage++) {
        int rows = program->stage_begin[stage + 1] - program->stage_begin[stage];
        emit_put(m, "static void stage%d(double *c)\n{\n    (void)c;\n", stage);
        for (int k = 0; k < emit_functions(rows); k++)
            emit_put(m, "    part%d(c);\n", number++);
        emit_put(m, "}\n\n");
    }
    emit_put(m, "void (*const %s[%d])(double *) = {\n    0, 0", name, STAGES);
    for (int stage = FIRST; stage < STAGES; stage++)
        emit_put(m, ", stage%d", stage);
    emit_put(m, "\n};\n");
}

char *program_emit_stages(const struct program *program, const char *name,
                          const double *w)
{
    const struct emission emission = {.name = name};
    struct emitter m = {
        .program = program, .e = &emission, .w = w, .width = 1, .side = 1};
    int *function = memory_new(program->slots, sizeof *function);
    bool *wanted = memory_new(program->slots, sizeof *wanted);
    m.part = memory_new(program->slots, sizeof *m.part);
    m.kept = memory_new(program->slots, sizeof *m.kept);
    int functions = assign(program, function);
    find_wanted(program, function, wanted);
    for (int i = 0; i < program->slots; i++)
        m.part[i] = function[i];
    emit_prelude(&m);
    for (int k = 0; k < functions; k++)
        put_function(&m, k, function, wanted);
    put_stages(&m, name);
    free(function);
    free(wanted);
    free(m.part);
    free(m.kept);
    free(m.negated);
    return m.out.c;
}
