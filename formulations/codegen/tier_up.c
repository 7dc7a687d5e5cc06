#include "tier_up.h"

#include <stdlib.h>

#include "base/memory.h"
#include "emit/emit.h"

static const char symbol[] = "saltus_stages";

static char *text_of(const void *one)
{
    const struct compiled *compiled = one;
    return program_emit_stages(compiled->program, symbol, EMIT_LEAST_LOOP,
                               compiled->constants);
}

void compiled_init(struct compiled *compiled, const struct program *program,
                   const double *w)
{
    double all = 0;
    int most = 0;
    for (int k = 0; k < program->inputs; k++)
        most = program->input[k].index >= most ? program->input[k].index + 1 : most;
    *compiled = (struct compiled){.program = program, .constants = w,
                                   .zeros = memory_new(most, sizeof(double))};
    for (int stage = 2; stage < STAGES; stage++) {
        compiled->rows[stage] =
            program->stage_begin[stage + 1] - program->stage_begin[stage];
        all += compiled->rows[stage];
    }
    rented_init(&compiled->rented, symbol, text_of, all,
                program_emitted_stages(program, EMIT_LEAST_LOOP));
}

void compiled_clear(struct compiled *compiled)
{
    rented_clear(&compiled->rented);
    free(compiled->zeros);
    *compiled = (struct compiled){0};
}

static void take_stages(struct compiled *compiled)
{
    compiled->emitted = code_symbol(compiled->rented.code);
}

void compiled_use_code(struct compiled *compiled, enum code_use use)
{
    if (rented_use(&compiled->rented, compiled, use))
        take_stages(compiled);
}

void compiled_interpret(struct compiled *compiled, int stage, double *w)
{
    program_run(compiled->program, stage, w);
    if (rented_spend(&compiled->rented, compiled, compiled->rows[stage]))
        take_stages(compiled);
}
