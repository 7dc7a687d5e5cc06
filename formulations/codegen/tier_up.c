/*
 * tier_up.c - tiered execution of programs: when code is looked for, and made.
 */
#include "tier_up.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "emit/emit.h"

/* --- interpreting is rent, compiling is buying -------------------------------------- */

void tier_up_init(struct tier_up *tier_up, double rows, double compiled)
{
    static const double interpret = 2.5e-9, look = 2e-3, make = 200e-6, start = 50e-3;
    static const double write = 0.3e-6;
    *tier_up = (struct tier_up){
        .look = (look + write * rows) / interpret,
        .make = (start + write * rows + make * compiled) / interpret};
}

bool tier_up_use(struct tier_up *tier_up, enum code_use use)
{
    if (use != CODE_AUTO)
        tier_up->look = tier_up->make = INFINITY;
    return use == CODE_ALWAYS;
}

enum tier_up_due tier_up_spend(struct tier_up *tier_up, double rows)
{
    tier_up->rows += rows;
    if (tier_up->rows >= tier_up->make) {
        tier_up->look = tier_up->make = INFINITY;
        return TIER_UP_MAKE;
    }
    if (tier_up->rows >= tier_up->look) {
        tier_up->look = INFINITY;
        return TIER_UP_LOOK;
    }
    return TIER_UP_NOTHING;
}

/* --- code that is used once it has paid for itself ---------------------------------- */

void tiered_code_init(struct tiered_code *tiered, const char *symbol,
                      char *(*text)(const void *program), double rows, double compiled)
{
    *tiered = (struct tiered_code){.symbol = symbol, .text = text};
    tier_up_init(&tiered->tier_up, rows, compiled);
}

static bool find_code(struct tiered_code *tiered, const void *program, bool made)
{
    char *text = tiered->text(program);
    tiered->code = code_cache_open(text, tiered->symbol, made);
    free(text);
    return tiered->code != NULL;
}

void tiered_code_clear(struct tiered_code *tiered)
{
    code_cache_close(tiered->code);
    tiered->code = NULL;
}

bool tiered_code_use(struct tiered_code *tiered, const void *program, enum code_use use)
{
    return tier_up_use(&tiered->tier_up, use) && !tiered->code &&
           find_code(tiered, program, true);
}

bool tiered_code_spend(struct tiered_code *tiered, const void *program, double rows)
{
    enum tier_up_due due = tier_up_spend(&tiered->tier_up, rows);
    return due != TIER_UP_NOTHING && find_code(tiered, program, due == TIER_UP_MAKE);
}

/* --- a program by stages ------------------------------------------------------------ */

static const char symbol[] = "saltus_stages";

static char *text_of(const void *one)
{
    const struct tiered_program *compiled = one;
    return program_emit_stages(compiled->program, symbol, EMIT_LEAST_LOOP,
                               compiled->constants);
}

void tiered_program_init(struct tiered_program *compiled, const struct program *program,
                         const double *w)
{
    double all = 0;
    int most = 0;
    for (int k = 0; k < program->inputs; k++)
        most = program->input[k].index >= most ? program->input[k].index + 1 : most;
    *compiled = (struct tiered_program){
        .program = program, .constants = w, .zeros = memory_new(most, sizeof(double))};
    for (int stage = 2; stage < PROGRAM_STAGES; stage++) {
        compiled->rows[stage] =
            program->stage_begin[stage + 1] - program->stage_begin[stage];
        all += compiled->rows[stage];
    }
    tiered_code_init(&compiled->tiered, symbol, text_of, all,
                     program_emitted_stages(program, EMIT_LEAST_LOOP));
}

void tiered_program_clear(struct tiered_program *compiled)
{
    tiered_code_clear(&compiled->tiered);
    free(compiled->zeros);
    *compiled = (struct tiered_program){0};
}

static void take_stages(struct tiered_program *compiled)
{
    compiled->emitted = code_cache_symbol(compiled->tiered.code);
}

void tiered_program_use_code(struct tiered_program *compiled, enum code_use use)
{
    if (tiered_code_use(&compiled->tiered, compiled, use))
        take_stages(compiled);
}

void tiered_program_interpret(struct tiered_program *compiled, int stage, double *w)
{
    program_run(compiled->program, stage, w);
    if (tiered_code_spend(&compiled->tiered, compiled, compiled->rows[stage]))
        take_stages(compiled);
}
