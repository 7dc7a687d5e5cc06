/*
 * spread.c - sensitivity of an output to all that it depends on: the sum of |x df/dx|.
 */
#include <math.h>
#include <stddef.h>

#include "program/program.h"

/* The value that a tangent belongs to; 1 if the program does not have it. */
static double value_of(const struct program *program, const struct program_input *tangent,
                       const double *w)
{
    for (int j = 0; j < program->inputs; j++)
        if (program->input[j].block == tangent->block - BLOCKS &&
            program->input[j].index == tangent->index)
            return w[program->input[j].slot];
    return 1;
}

double program_spread(const struct program *program, int output, int first, int last,
                      const double *const *size, double *w)
{
    double spread = 0;
    for (int i = 0; i < program->inputs; i++)
        if (program->input[i].block >= BLOCKS)
            w[program->input[i].slot] = 0;
    /* One direction at a time, so that no terms cancel. */
    for (int i = 0; i < program->inputs; i++) {
        const struct program_input *moved = &program->input[i];
        if (moved->block < BLOCKS)
            continue;
        const double *own = size ? size[moved->block - BLOCKS] : NULL;
        if (size && !own)
            continue;
        w[moved->slot] = own ? own[moved->index] : value_of(program, moved, w);
        for (int stage = first; stage <= last; stage++)
            program_run(program, stage, w);
        spread += fabs(w[program->output[output]]);
        w[moved->slot] = 0;
    }
    return spread;
}
