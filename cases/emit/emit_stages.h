/*
 * emit_stages.h - code generation: the stages of a program as C, on the work array of the
 * interpreter.
 *
 *     const struct emitted_stages NAME
 *
 * NAME.stage[k] does what program_run of stage k does, to the bit, if the compiler is
 * told not to contract or reorder (EMIT_FLAGS); NAME.point[copy] does what
 * program_load_point does, and is NULL if there is much to load. Only outputs, and rows
 * that another stage needs, are left in w; to explain a result (program_blame) the stages
 * must be run again. The text does not depend on values: stages 0 and 1, of constants and
 * of rows that depend on parameters alone, are not in it.
 */
#ifndef SALTUS_EMIT_STAGES_H
#define SALTUS_EMIT_STAGES_H

#include "program/program.h"

/* Copies of a point that are loaded: the point, and a direction. */
enum { EMIT_POINTS = 2 };

/* The compiled stages of a program. */
struct emitted_stages {
    void (*stage[STAGES])(double *w);   /* NULL for stages 0 and 1 */
    /* By copy; q, v, s are not NULL. */
    void (*point[EMIT_POINTS])(double *w, double t, const double *q, const double *v,
                               const double *s);
};

/* The C text, malloc'ed. w [slots] holds the constants (program_init). least_loop:
   rows that a loop must spare (reroll.h); 0: no loops. */
char *program_emit_stages(const struct program *program, const char *name, int least_loop,
                          const double *w);
/* Number of rows of the text. */
int program_emitted_stages(const struct program *program, int least_loop);

#endif
