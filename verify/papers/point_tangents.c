/*
 * point_tangents.c - formulas at a point of a trajectory (point_tangents.h)
 */
#include "papers/point_tangents.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "program/stages.h"

void point_tangents_init(struct point_tangents *formulas, const struct model *model,
                         int count)
{
    *formulas = (struct point_tangents){.branch = model_branch(model), .count = count};
    formulas->f = memory_new(2 * count, sizeof *formulas->f);
}

void point_tangents_seal(struct point_tangents *formulas)
{
    static const bool moves[BLOCKS] = {
        [BLOCK_RHO] = true, [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true,
        [BLOCK_S] = true,   [BLOCK_A] = true, [BLOCK_LAMBDA] = true};
    unsigned char stage[BLOCK_LIMIT];
    struct tape *tape = formulas->branch->tape;
    int count = formulas->count;
    tangent(tape, formulas->f, count, moves, 1, formulas->f + count);
    program_stages(BLOCKS_OF_STATE, BLOCKS_OF_UNKNOWNS, stage);
    formulas->program = program_seal(tape, formulas->f, 2 * count, stage);
    formulas->w = memory_new(formulas->program->slots, sizeof *formulas->w);
    formulas->zero = memory_new(formulas->branch->n + formulas->branch->m,
                                sizeof *formulas->zero);
    program_init(formulas->program, formulas->w);
}

void point_tangents_clear(struct point_tangents *formulas)
{
    if (formulas->program)
        program_free(formulas->program);
    free(formulas->zero);
    free(formulas->w);
    free(formulas->f);
    if (formulas->branch)
        model_branch_free(formulas->branch);
}

/* The numbers of a group at the point; j as of column(). */
static const double *group(const struct point_tangents *formulas,
                           enum column_group group, int j)
{
    return formulas->point->x + column(&formulas->trajectory->columns, group, 0, j);
}

void point_tangents_at(struct point_tangents *formulas,
                       const struct trajectory *trajectory,
                       const struct run_point *point)
{
    const struct program *program = formulas->program;
    double *w = formulas->w;
    formulas->trajectory = trajectory;
    formulas->point = point;
    program_set_parameters(program, trajectory->value, w);
    program_load_point(program, 0, point->t, group(formulas, GROUP_Q, -1),
                       group(formulas, GROUP_V, -1), group(formulas, GROUP_S, -1), w);
    program_load(program, BLOCK_A, group(formulas, GROUP_A, -1), w);
    program_load(program, BLOCK_LAMBDA, group(formulas, GROUP_LAMBDA, -1), w);
    program_run(program, STAGE_STATE, w);
    program_run(program, STAGE_UNKNOWN, w);
}

static void run_direction(struct point_tangents *formulas, int parameter)
{
    program_seed_parameter(formulas->program, parameter, formulas->w);
    program_run(formulas->program, STAGE_DIRECTION, formulas->w);
    program_run(formulas->program, STAGE_DIRECTION_UNKNOWN, formulas->w);
}

/* Loads a direction of the state and of the unknowns, by block j of the columns. */
static void load_column(struct point_tangents *formulas, int j)
{
    const struct program *program = formulas->program;
    double *w = formulas->w;
    program_load_point(program, 1, 0, group(formulas, GROUP_Q, j),
                       group(formulas, GROUP_V, j), group(formulas, GROUP_S, j), w);
    program_load(program, TANGENT(BLOCK_A), group(formulas, GROUP_A, j), w);
    program_load(program, TANGENT(BLOCK_LAMBDA), group(formulas, GROUP_LAMBDA, j), w);
}

void point_tangents_by(struct point_tangents *formulas, int j)
{
    load_column(formulas, j);
    run_direction(formulas, formulas->trajectory->columns.parameter[j]);
}

/* Loads directions of the unknowns, which stand still. */
static void hold_unknowns(struct point_tangents *formulas)
{
    program_load(formulas->program, TANGENT(BLOCK_A), formulas->zero, formulas->w);
    program_load(formulas->program, TANGENT(BLOCK_LAMBDA), formulas->zero, formulas->w);
}

void point_tangents_rate(struct point_tangents *formulas)
{
    program_load_point(formulas->program, 1, 1, group(formulas, GROUP_V, -1),
                       group(formulas, GROUP_A, -1), NULL, formulas->w);
    hold_unknowns(formulas);
    run_direction(formulas, -1);
}

void point_tangents_share(struct point_tangents *formulas, int j)
{
    program_load_point(formulas->program, 1, 0, NULL, NULL, NULL, formulas->w);
    hold_unknowns(formulas);
    run_direction(formulas, formulas->trajectory->columns.parameter[j]);
}

void point_tangents_along(struct point_tangents *formulas, int i)
{
    formulas->zero[i] = 1;
    program_load_point(formulas->program, 1, 0, formulas->zero, NULL, NULL, formulas->w);
    formulas->zero[i] = 0;
    hold_unknowns(formulas);
    run_direction(formulas, -1);
}

double point_value(const struct point_tangents *formulas, int k)
{
    return formulas->w[formulas->program->output[k]];
}

double point_derivative(const struct point_tangents *formulas, int k)
{
    return formulas->w[formulas->program->output[formulas->count + k]];
}
