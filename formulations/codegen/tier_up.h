/*
 * tier_up.h - a program whose stages run as compiled code (code_cache.h) where that pays,
 * and are interpreted elsewhere, to the same bits.
 */
#ifndef SALTUS_TIER_UP_H
#define SALTUS_TIER_UP_H

#include "code_cache.h"
#include "code_use.h"
#include "emit/emit_stages.h"
#include "program/program.h"

/*
 * To interpret a row takes 2 to 3 ns, to write it as text 0.3 us, to compile what is
 * written of it 200 us - in a loop that is one iteration -, to look for what has been
 * compiled about 2 ms. What will be needed is not known, so each is done when as much
 * time has been spent without: that is never more than twice what was best.
 */
struct tier_up {
    double rows;        /* interpreted so far */
    double look, make;  /* at so many; INFINITY: no more */
};

enum tier_up_due { TIER_UP_NOTHING, TIER_UP_LOOK, TIER_UP_MAKE };

/* Begins the count of a program of `rows` rows, `compiled` of which its C text has (a
   loop has those of one iteration). */
void tier_up_init(struct tier_up *tier_up, double rows, double compiled);
/* True: the program is to be compiled at once. Ends the count unless use is CODE_AUTO. */
bool tier_up_use(struct tier_up *tier_up, enum code_use use);
/* So many rows more have been interpreted: is it time to look for code, or to make it? */
enum tier_up_due tier_up_spend(struct tier_up *tier_up, double rows);

/* A program that is interpreted until its code is there: the count and the code together.
   The program is whatever `text` takes, which returns it as C, malloc'ed. */
struct tiered_code {
    const char *symbol;
    char *(*text)(const void *program);
    struct tier_up tier_up;
    struct code_cache_entry *code; /* NULL: it is interpreted */
};

/* `rows` and `compiled` as in tier_up_init; the text defines `symbol`. */
void tiered_code_init(struct tiered_code *tiered, const char *symbol,
                      char *(*text)(const void *program), double rows, double compiled);
void tiered_code_clear(struct tiered_code *tiered);
/* True: there is code from now on. */
bool tiered_code_use(struct tiered_code *tiered, const void *program, enum code_use use);
/* So many rows of it have been interpreted. True as above. */
bool tiered_code_spend(struct tiered_code *tiered, const void *program, double rows);

/* A program whose stages from 2 on are tiered code. */
struct tiered_program {
    const struct program *program;
    const double *constants;        /* a work array of it, kept by the owner */
    double rows[PROGRAM_STAGES];            /* in each stage */
    struct tiered_code tiered;
    const struct emitted_stages *emitted;   /* of the code, or NULL */
    double *zeros;                  /* as many as a block has at most */
};

void tiered_program_init(struct tiered_program *compiled, const struct program *program,
                         const double *w);
void tiered_program_clear(struct tiered_program *compiled);
void tiered_program_use_code(struct tiered_program *compiled, enum code_use use);
/* program_load_point, of copy 0 or 1. */
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

/* program_run of a stage from 2 on, which has no code yet; what it has cost is noted. */
void tiered_program_interpret(struct tiered_program *compiled, int stage, double *w);
/* The same by its code where there is one. Rows that no output and no other stage needs
   may be left as they were. */
static inline void tiered_program_run(struct tiered_program *compiled, int stage,
                                      double *w)
{
    if (compiled->emitted)
        compiled->emitted->stage[stage](w);
    else
        tiered_program_interpret(compiled, stage, w);
}

#endif
