/*
 * second_order.c - mixed second derivatives by two forward sweeps (Griewank, Walther
 * 2008, ch. 10); see second_order.h.
 */
#include "second_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "program/fault.h"

/* Everything but parameters is given at once; the directions come after it. */
static void stages_of_second(unsigned char *stage)
{
    memset(stage, 0, BLOCK_LIMIT);
    for (int b = 0; b < BLOCKS; b++) {
        stage[b] = b == BLOCK_RHO ? STAGE_RHO : STAGE_STATE;
        for (int copy = 1; copy < BLOCK_COPIES; copy++)
            stage[DIRECTION(b, copy)] = STAGE_DIRECTION;
    }
}

void second_order_init(struct second_order *second, struct arena *arena,
                       const struct model *model, const formula *f, int count,
                       const char *what, const char *of)
{
    bool all_move[BLOCKS];
    for (int b = 0; b < BLOCKS; b++)
        all_move[b] = true;
    formula *out = memory_new(count, sizeof *out);
    second_tangent(model->tape, f, count, all_move, out);
    unsigned char stage[BLOCK_LIMIT];
    stages_of_second(stage);
    second->program = program_seal_derivatives(model->tape, out, count, 0, stage, what,
                                               of);
    second->w = arena_new(arena, second->program->slots, sizeof *second->w);
    program_init(second->program, second->w);
    second->set = false;
    free(out);
}

void second_order_clear(struct second_order *second)
{
    if (second->program)
        program_free(second->program);
    second->program = NULL;
}

static void load(struct second_order *second, int block, const double *x)
{
    const struct program *program = second->program;
    const int *begin = program->block_begin + block;
    for (int i = begin[0]; i < begin[1]; i++)
        second->w[program->input[i].slot] = x ? x[program->input[i].index] : 0;
}

static void load_point(struct second_order *second, int copy,
                       const struct second_point *point)
{
    const struct { int block; const double *x; } part[] = {
        {BLOCK_T, &point->t}, {BLOCK_Q, point->q}, {BLOCK_V, point->v},
        {BLOCK_S, point->s}, {BLOCK_A, point->a}, {BLOCK_LAMBDA, point->lambda},
        {BLOCK_Q_PLUS, point->q_plus}, {BLOCK_V_PLUS, point->v_plus},
        {BLOCK_S_PLUS, point->s_plus}, {BLOCK_IMPULSE, point->impulse}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        load(second, DIRECTION(part[k].block, copy), part[k].x);
}

static void load_direction(struct second_order *second, int copy,
                           const struct second_point *direction)
{
    const struct program *program = second->program;
    const int *begin = program->block_begin + DIRECTION(BLOCK_RHO, copy);
    load_point(second, copy, direction);
    for (int i = begin[0]; i < begin[1]; i++)
        second->w[program->input[i].slot] = program->input[i].index ==
                                            direction->parameter;
}

void second_order_at(struct second_order *second, const double *rho,
                     const struct second_point *point)
{
    if (!second->set)
        program_set_parameters(second->program, rho, second->w);
    second->set = true;
    load_point(second, 0, point);
    program_run(second->program, STAGE_STATE, second->w);
}

void second_order_along(struct second_order *second, const struct second_point *A,
                        const struct second_point *B, const struct second_point *C,
                        double *out)
{
    const struct program *program = second->program;
    load_direction(second, 1, A);
    load_direction(second, 2, B);
    load_direction(second, 3, C);
    program_run(program, STAGE_DIRECTION, second->w);
    for (int k = 0; k < program->outputs; k++)
        out[k] = second->w[program->output[k]];
}
