#include "program/stages.h"

#include <string.h>

void program_stages(unsigned given, unsigned unknown, unsigned char *stage)
{
    memset(stage, 0, BLOCK_LIMIT);
    for (int b = 0; b < BLOCKS; b++) {
        if ((unknown & BLOCK_SET(b)) != 0) {
            stage[b] = STAGE_UNKNOWN;
            stage[TANGENT(b)] = STAGE_DIRECTION_UNKNOWN;
        } else if ((given & BLOCK_SET(b)) != 0) {
            stage[b] = STAGE_STATE;
            stage[TANGENT(b)] = STAGE_DIRECTION;
        }
    }
    stage[BLOCK_RHO] = STAGE_RHO;
    stage[TANGENT(BLOCK_RHO)] = STAGE_DIRECTION;
}

void program_set_parameters(const struct program *program, const double *rho, double *w)
{
    program_load(program, BLOCK_RHO, rho, w);
    program_run(program, STAGE_RHO, w);
}

void program_seed_parameter(const struct program *program, int j, double *w)
{
    const int *begin = &program->block_begin[TANGENT(BLOCK_RHO)];
    for (int i = begin[0]; i < begin[1]; i++)
        w[program->input[i].slot] = program->input[i].index == j;
}
