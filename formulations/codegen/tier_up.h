/*
 * tier_up.h - tiered execution: stages of a program run as compiled code (code_cache.h)
 * where that pays, and are interpreted elsewhere, to the same bits.
 */
#ifndef SALTUS_TIER_UP_H
#define SALTUS_TIER_UP_H

#include "code_cache.h"
#include "code_use.h"
#include "emit/emit_stages.h"
#include "program/program.h"

/*
 * To interpret a row takes 2 to 3 ns, to write it as C 0.3 us, to compile a row of the
 * text 200 us (a loop has the rows of one iteration), to look for code in the cache about
 * 2 ms. The future need is not known, so each is done when as much time has been spent
 * without: the total is never more than twice the optimum (ski rental).
 */
struct tier_up {
    double rows;        /* rows interpreted so far */
    double look, make;  /* rows at which code is looked for, is made; INFINITY: no more */
};

/* The action that is due: none, to look for code in the cache, or to make it. */
enum tier_up_due { TIER_UP_NOTHING, TIER_UP_LOOK, TIER_UP_MAKE };

/* Begins the count of a program of `rows` rows, `compiled` of which its C text has (a
   loop has the rows of one iteration). */
void tier_up_init(struct tier_up *tier_up, double rows, double compiled);
/* True: the program is to be compiled at once. Ends the count unless use is CODE_AUTO. */
bool tier_up_use(struct tier_up *tier_up, enum code_use use);
/* Counts further interpreted rows; returns the action that is due. */
enum tier_up_due tier_up_spend(struct tier_up *tier_up, double rows);

/* A count and the code of a program that is interpreted until there is code. `text` gives
   a program, of any type, as C text, malloc'ed. */
struct tiered_code {
    const char *symbol;             /* symbol that the text defines */
    char *(*text)(const void *program);
    struct tier_up tier_up;
    struct code_cache_entry *code; /* NULL: the program is interpreted */
};

/* `rows` and `compiled` are those of tier_up_init; the text defines `symbol`. */
void tiered_code_init(struct tiered_code *tiered, const char *symbol,
                      char *(*text)(const void *program), double rows, double compiled);
void tiered_code_clear(struct tiered_code *tiered);
/* Makes code at once if `use` says so. True: there is code from now on. */
bool tiered_code_use(struct tiered_code *tiered, const void *program, enum code_use use);
/* Counts interpreted rows, and looks for code or makes code when that is due. True: there
   is code from now on. */
bool tiered_code_spend(struct tiered_code *tiered, const void *program, double rows);

/* A program whose stages from 2 on are tiered code. */
struct tiered_program {
    const struct program *program;
    const double *constants;        /* a work array of the program, the owner's */
    double rows[PROGRAM_STAGES];            /* rows of each stage */
    struct tiered_code tiered;
    const struct emitted_stages *emitted;   /* functions of the code, or NULL */
    double *zeros;                  /* zeros, as many as the longest block of inputs */
};

/* Takes a program, with w, its work array after program_init. */
void tiered_program_init(struct tiered_program *compiled, const struct program *program,
                         const double *w);
void tiered_program_clear(struct tiered_program *compiled);
/* Makes code at once if `use` says so. */
void tiered_program_use_code(struct tiered_program *compiled, enum code_use use);
/* program_load_point of copy 0 or 1, by code where there is code; NULL parts are zero. */
static inline void tiered_program_load_point(const struct tiered_program *compiled,
                                             int copy, double t, const double *q,
                                             const double *v, const double *s, double *w)
{
    const double *zeros = compiled->zeros;
    if (compiled->emitted && compiled->emitted->point[copy])
        compiled->emitted->point[copy](w, t, q ? q : zeros, v ? v : zeros, s ? s : zeros);
    else
        program_load_point(compiled->program, copy, t, q, v, s, w);
}

/* program_run of a stage from 2 on that has no code yet; the cost is counted. */
void tiered_program_interpret(struct tiered_program *compiled, int stage, double *w);
/* Runs a stage from 2 on, by code where there is code. Code may leave rows as they were
   that no output and no other stage needs. */
static inline void tiered_program_run(struct tiered_program *compiled, int stage,
                                      double *w)
{
    if (compiled->emitted)
        compiled->emitted->stage[stage](w);
    else
        tiered_program_interpret(compiled, stage, w);
}

#endif
