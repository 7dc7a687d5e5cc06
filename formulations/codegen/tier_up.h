/*
 * tier_up.h - a program whose stages run as compiled code (code_cache.h) where that pays,
 * and are interpreted elsewhere, to the same bits.
 */
#ifndef SALTUS_COMPILED_H
#define SALTUS_COMPILED_H

#include "code_cache.h"
#include "emit/emit_stages.h"
#include "program/program.h"

struct compiled {
    const struct program *program;
    const double *constants;        /* a work array of it, kept by the owner */
    double rows[STAGES];            /* in each stage */
    struct rented rented;
    const struct emitted_stages *emitted;   /* of the code, or NULL */
    double *zeros;                  /* as many as a block has at most */
};

void compiled_init(struct compiled *compiled, const struct program *program,
                   const double *w);
void compiled_clear(struct compiled *compiled);
void compiled_use_code(struct compiled *compiled, enum code_use use);
/* program_load_point, of copy 0 or 1. */
static inline void compiled_load_point(const struct compiled *compiled, int copy,
                                       double t, const double *q, const double *v,
                                       const double *s, double *w)
{
    const double *zeros = compiled->zeros;
    if (compiled->emitted && compiled->emitted->point[copy])
        compiled->emitted->point[copy](w, t, q ? q : zeros, v ? v : zeros, s ? s : zeros);
    else
        program_load_point(compiled->program, copy, t, q, v, s, w);
}

/* program_run of a stage from 2 on, which has no code yet; what it has cost is noted. */
void compiled_interpret(struct compiled *compiled, int stage, double *w);
/* The same by its code where there is one. Rows that no output and no other stage needs
   may be left as they were. */
static inline void compiled_run(struct compiled *compiled, int stage, double *w)
{
    if (compiled->emitted)
        compiled->emitted->stage[stage](w);
    else
        compiled_interpret(compiled, stage, w);
}

#endif
