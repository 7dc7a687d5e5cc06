/*
 * stages.h - the stages of programs that are evaluated along a motion: parameters, then
 * states, then unknowns, then directions of these. One vocabulary for all programs of
 * formulations and of the reference.
 */
#ifndef SALTUS_STAGES_H
#define SALTUS_STAGES_H

#include "program/program.h"

enum program_stage {
    STAGE_RHO = 1,              /* parameters */
    STAGE_STATE,                /* all that is given, of t, q, v, s; before an event also
                                   a, lambda */
    STAGE_UNKNOWN,              /* a, lambda, mu; after an event q+, v+, s+, impulses;
                                   variables that are iterated */
    STAGE_SOLUTION,             /* these variables, where the iteration has ended */
    STAGE_DIRECTION,            /* directions of parameters and of what is given */
    STAGE_DIRECTION_UNKNOWN,    /* directions of the unknowns, and of what is iterated */
    STAGE_DIRECTION_SOLUTION    /* directions of what has been iterated */
};

/* A set of blocks, and the usual ones of them: t, q, v, s; a, lambda. */
#define BLOCK_SET(block) (1u << (block))
#define BLOCKS_OF_STATE \
    (BLOCK_SET(BLOCK_T) | BLOCK_SET(BLOCK_Q) | BLOCK_SET(BLOCK_V) | BLOCK_SET(BLOCK_S))
#define BLOCKS_OF_UNKNOWNS (BLOCK_SET(BLOCK_A) | BLOCK_SET(BLOCK_LAMBDA))

/* The stage of each block, for program_seal: of rho, and of blocks of the sets `given`
   and `unknown`, and their directions. Other blocks have none: a formula must not depend
   on them. stage [BLOCK_LIMIT] */
void program_stages(unsigned given, unsigned unknown, unsigned char *stage);

/* Other parameters: loads rho, and runs the stage of all that depends on rho alone. */
void program_set_parameters(const struct program *program, const double *rho, double *w);
/* The direction of parameter j of the model, drho_j = 1; -1: drho = 0. */
void program_seed_parameter(const struct program *program, int j, double *w);

#endif
