/*
 * emit_stages.h - the stages of a program as C, on the work array of the interpreter.
 *
 *     const struct emitted_stages NAME
 *
 * NAME.stage[k] does what program_run of stage k does, to the bit, if the compiler is
 * told not to contract or reorder (EMIT_FLAGS); NAME.point[copy], NULL where there is
 * much to load, what program_load_point does. Of the rows only outputs, and what another
 * stage needs, are left in w; to explain a result (program_blame) the stages must be run
 * again. The text does not depend on values: stages 0 and 1, of constants and of what
 * depends on parameters alone, are not in it.
 */
#ifndef SALTUS_EMIT_STAGES_H
#define SALTUS_EMIT_STAGES_H

#include "program/program.h"

enum { EMIT_POINTS = 2 };           /* copies: a point, and a direction */

struct emitted_stages {
    void (*stage[PROGRAM_STAGES])(double *w);
    void (*point[EMIT_POINTS])(double *w, double t, const double *q, const double *v,
                               const double *s);    /* q, v, s not NULL */
};

/* malloc'ed. `w` holds the constants (program_init). least_loop: rows that a loop must
   spare (reroll.h); 0: no loops. */
char *program_emit_stages(const struct program *program, const char *name, int least_loop,
                          const double *w);
/* Rows of the text. */
int program_emitted_stages(const struct program *program, int least_loop);

#endif
