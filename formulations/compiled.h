/*
 * compiled.h - a program whose stages run as compiled code (code.h) where that pays, and
 * are interpreted elsewhere, to the same bits.
 */
#ifndef SALTUS_COMPILED_H
#define SALTUS_COMPILED_H

#include "code.h"
#include "formula/program.h"

typedef void compiled_stage(double *w);

struct compiled {
    const struct program *program;
    const double *constants;        /* a work array of it, kept by the owner */
    double rows[STAGES];            /* in each stage */
    struct rented rented;
    compiled_stage *const *stage;   /* [STAGES] of the code, or NULL */
};

void compiled_init(struct compiled *compiled, const struct program *program,
                   const double *w);
void compiled_clear(struct compiled *compiled);
void compiled_use_code(struct compiled *compiled, enum code_use use);
/* program_run of a stage from 2 on. Rows that no output and no other stage needs may be
   left as they were. */
void compiled_run(struct compiled *compiled, int stage, double *w);

#endif
