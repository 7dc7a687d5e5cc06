/*
 * point_formulas.c - formulas at points (point_formulas.h)
 */
#include "papers/point_formulas.h"

#include <stdlib.h>

#include "base/memory.h"

void point_formulas_init(struct point_formulas *at, const struct trajectory *trajectory,
                         const formula *f, int count)
{
    static const unsigned char stage[BLOCK_LIMIT] = {
        [BLOCK_T] = 1, [BLOCK_Q] = 1, [BLOCK_V] = 1, [BLOCK_S] = 1, [BLOCK_A] = 1,
        [BLOCK_LAMBDA] = 1, [BLOCK_RHO] = 1, [BLOCK_TWIN] = 1};
    at->columns = &trajectory->columns;
    at->program = program_seal(at->columns->model->tape, f, count, stage);
    at->w = memory_new(at->program->slots, sizeof *at->w);
    program_init(at->program, at->w);
    program_load(at->program, BLOCK_RHO, trajectory->value, at->w);
}

void point_formulas_clear(struct point_formulas *at)
{
    program_free(at->program);
    free(at->w);
}

void point_formulas_evaluate(const struct point_formulas *at,
                             const struct run_point *point, const double *twin,
                             double *out)
{
    const struct program *program = at->program;
    const int *begin = at->columns->begin;
    program_load(program, BLOCK_T, &point->t, at->w);
    program_load(program, BLOCK_Q, point->x + begin[GROUP_Q], at->w);
    program_load(program, BLOCK_V, point->x + begin[GROUP_V], at->w);
    program_load(program, BLOCK_S, point->x + begin[GROUP_S], at->w);
    program_load(program, BLOCK_A, point->x + begin[GROUP_A], at->w);
    program_load(program, BLOCK_LAMBDA, point->x + begin[GROUP_LAMBDA], at->w);
    if (twin)
        program_load(program, BLOCK_TWIN, twin, at->w);
    program_run(program, 1, at->w);
    for (int k = 0; k < program->outputs; k++)
        out[k] = at->w[program->output[k]];
}
