/*
 * twin_side.c - values of equalities at a point, with derivatives (twin_side.h)
 */
#include "oracles/twin_side.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "program/stages.h"

struct motion_seed {
    struct tape *tape;
    int block;
};

static formula along_motion(void *context, int block, int index)
{
    const struct motion_seed *seed = context;
    if (block == BLOCK_T)
        return integer(seed->tape, 1);
    return block == seed->block ? variable(seed->tape, BLOCK_V, index) : (formula){0};
}

struct twin_side *twin_side_new(const struct model *model, int block)
{
    struct twin_side *side = memory_new(1, sizeof *side);
    int count = model->equalities;
    *side = (struct twin_side){
        .block = block, .n = block == BLOCK_Q ? model->n : model->twin_n,
        .equalities = count, .branch = model_branch(model)};
    model = side->branch;
    struct motion_seed seed = {model->tape, block};
    bool active[BLOCKS] = {[BLOCK_V] = true, [BLOCK_RHO] = true};
    unsigned char stage[BLOCK_LIMIT];
    program_stages(BLOCK_SET(BLOCK_T) | BLOCK_SET(BLOCK_Q) | BLOCK_SET(BLOCK_TWIN) |
                       BLOCK_SET(BLOCK_V), 0, stage);
    active[block] = true;
    formula *f = memory_new(2 * TWIN_KINDS * count, sizeof *f);
    for (int k = 0; k < count; k++)
        f[k] = block == BLOCK_Q ? model->equality[k].own : model->equality[k].twin;
    tangent_along(f, count, along_motion, &seed, f + count);
    tangent(model->tape, f, 2 * count, active, 1, f + 2 * count);
    side->program = program_seal(model->tape, f, 2 * TWIN_KINDS * count, stage);
    side->w = memory_new(side->program->slots, sizeof *side->w);
    program_init(side->program, side->w);
    free(f);
    return side;
}

void twin_side_free(struct twin_side *side)
{
    program_free(side->program);
    free(side->w);
    model_branch_free(side->branch);
    free(side);
}

void twin_side_values(struct twin_side *side, double t, const double *position,
                      const double *velocity, const double *rho)
{
    program_set_parameters(side->program, rho, side->w);
    program_load(side->program, BLOCK_T, &t, side->w);
    program_load(side->program, side->block, position, side->w);
    program_load(side->program, BLOCK_V, velocity, side->w);
    program_run(side->program, STAGE_STATE, side->w);
}

double twin_side_value(const struct twin_side *side, int kind, int equality)
{
    return side->w[side->program->output[kind * side->equalities + equality]];
}

void twin_side_derivatives(struct twin_side *side, const double *dposition,
                           const double *dvelocity, int parameter)
{
    program_load(side->program, TANGENT(side->block), dposition, side->w);
    program_load(side->program, TANGENT(BLOCK_V), dvelocity, side->w);
    program_seed_parameter(side->program, parameter, side->w);
    program_run(side->program, STAGE_DIRECTION, side->w);
}

double twin_side_derivative(const struct twin_side *side, int kind, int equality)
{
    return twin_side_value(side, TWIN_KINDS + kind, equality);
}
