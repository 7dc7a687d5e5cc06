#include "compiled.h"

#include <stdlib.h>

#include "formula/emit_stages.h"

void compiled_init(struct compiled *compiled, const struct program *program,
                   const double *w)
{
    double all = 0;
    *compiled = (struct compiled){.program = program, .constants = w};
    for (int stage = 2; stage < STAGES; stage++) {
        compiled->rows[stage] =
            program->stage_begin[stage + 1] - program->stage_begin[stage];
        all += compiled->rows[stage];
    }
    rental_init(&compiled->rental, all);
}

void compiled_clear(struct compiled *compiled)
{
    code_close(compiled->code);
    *compiled = (struct compiled){0};
}

static void find_code(struct compiled *compiled, bool made)
{
    char *text = program_emit_stages(compiled->program, "saltus_stages",
                                     compiled->constants);
    compiled->code = code_open(text, "saltus_stages", made);
    compiled->stage = code_symbol(compiled->code);
    free(text);
}

void compiled_use_code(struct compiled *compiled, enum code_use use)
{
    if (rental_use(&compiled->rental, use) && !compiled->stage)
        find_code(compiled, true);
}

void compiled_run(struct compiled *compiled, int stage, double *w)
{
    if (compiled->stage) {
        compiled->stage[stage](w);
        return;
    }
    program_run(compiled->program, stage, w);
    enum rental_due due = rental_spend(&compiled->rental, compiled->rows[stage]);
    if (due != RENTAL_NOTHING)
        find_code(compiled, due == RENTAL_MAKE);
}
