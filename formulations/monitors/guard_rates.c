/*
 * guard_rates.c - rates of guards along the motion by differentiation of formulas.
 */
#include "guard_rates.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "formula/substitute.h"

struct motion {
    const struct model *model;
    const struct mode *mode;
};

/* The rate of a variable along the motion: of t, q, v, s; nothing else moves. */
static formula seed(void *context, int block, int index)
{
    const struct motion *motion = context;
    struct tape *tape = motion->model->tape;
    switch (block) {
    case BLOCK_T:
        return constant(tape, "1");
    case BLOCK_Q:
        return variable(tape, BLOCK_V, index);
    case BLOCK_V:
        return variable(tape, BLOCK_A, index);
    case BLOCK_S:
        return motion->mode->f_s[index];
    default:
        return (formula){NULL, 0};
    }
}

void guard_rates_init(struct guard_rates *rates, struct arena *arena,
                      const struct model *model, const struct mode *mode,
                      const struct event *const *event, int guards)
{
    static const bool moves[BLOCKS] = {
        [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true,
        [BLOCK_A] = true, [BLOCK_LAMBDA] = true};
    struct motion motion = {model, mode};
    formula *r = memory_new(3 * guards, sizeof *r), *rd = r + guards;
    for (int k = 0; k < guards; k++)
        r[k] = event[k]->guard;
    tangent_along(r, guards, seed, &motion, rd);
    tangent(model->tape, rd, guards, moves, 1, rd + guards);
    *rates = (struct guard_rates){.guards = guards};
    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE | BLOCKS_OF_UNKNOWNS, 0, stages);
    rates->program = program_seal(model->tape, rd, 2 * guards, stages);
    rates->use_unknowns = program_uses(rates->program, BLOCK_A) ||
                          program_uses(rates->program, BLOCK_LAMBDA);
    rates->w = arena_new(arena, rates->program->slots, sizeof *rates->w);
    program_init(rates->program, rates->w);
    tiered_program_init(&rates->code, rates->program, rates->w);
    free(r);
}

void guard_rates_clear(struct guard_rates *rates)
{
    tiered_program_clear(&rates->code);
    program_free(rates->program);
    *rates = (struct guard_rates){0};
}

void guard_rates_set(struct guard_rates *rates, const double *rho)
{
    program_set_parameters(rates->program, rho, rates->w);
}

/* Loads copy 0, a point, or copy 1, a direction. */
static void load(struct guard_rates *rates, const struct guard_point *point, int copy)
{
    tiered_program_load_point(&rates->code, copy, point->t, point->q, point->v, point->s,
                              rates->w);
    program_load(rates->program, DIRECTION(BLOCK_A, copy), point->a, rates->w);
    program_load(rates->program, DIRECTION(BLOCK_LAMBDA, copy), point->lambda, rates->w);
}

static void give(const struct guard_rates *rates, int first, double *out)
{
    for (int k = 0; k < rates->guards; k++)
        out[k] = rates->w[rates->program->output[first + k]];
}

void guard_rates_at(struct guard_rates *rates, const struct guard_point *point,
                    double *rd)
{
    load(rates, point, 0);
    tiered_program_run(&rates->code, STAGE_STATE, rates->w);
    give(rates, 0, rd);
}

void guard_rates_along(struct guard_rates *rates, const struct guard_point *direction,
                       double *rd_dot)
{
    load(rates, direction, 1);
    tiered_program_run(&rates->code, STAGE_DIRECTION, rates->w);
    give(rates, rates->guards, rd_dot);
}
