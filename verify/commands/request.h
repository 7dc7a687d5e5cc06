/*
 * request.h - what the command line asks to be judged: cases, formulations, oracles.
 *
 * Shared by `saltus verify` and `saltus regress`.
 */
#ifndef SALTUS_DEMAND_H
#define SALTUS_DEMAND_H

#include <stdio.h>

#include "jobs/judge.h"
#include "options/args.h"

struct demand {
    const struct args *args;
    struct judge_settings settings;
    const char *option[MAX_OPTIONS];
    int jobs, cases;
    const struct case_desc **desc;

    struct piece **piece;           /* [pieces], after demand_judge */
    const struct rows **rows;       /* [pieces] theirs */
    int pieces;
};

/* Fills the demand, which must stay in its place; demand_clear is due even where it has
   complained and returned false. */
bool demand_read(struct demand *demand, const struct args *args);
/* Plans and does the work; the table appears on `table` (NULL: nowhere) row by row while
   it is done. False after a complaint: nothing can be judged. */
bool demand_judge(struct demand *demand, FILE *table);
/* Did every row that counts hold, and was there one? */
bool demand_held(const struct demand *demand);
void demand_clear(struct demand *demand);

/* What decides the digits, as text: name, value ("": the default), ..., NULL. */
struct settings_text {
    const char *text[40];
    char rtol[40], digits[40], precision[40], seed[40], oracles[200], options[400];
};
void demand_settings_text(const struct demand *demand, struct settings_text *settings);

#endif
