/*
 * parts.h - what the files of blame.h share.
 */
#ifndef SALTUS_BLAME_PARTS_H
#define SALTUS_BLAME_PARTS_H

#include "blame/blame.h"
#include "hybrid/jump.h"

enum place { PLACE_SAMPLE, PLACE_BEFORE, PLACE_TIME, PLACE_AFTER, PLACE_NONE };

/* One judged number, and where it belongs. */
struct mark {
    const char *name;           /* as in ledger.h */
    enum place place;
    int event;                  /* from 1; of a sample: how many there were before it */
    int parameter;              /* of those differentiated; -1: a value */
    int column;                 /* in the block of the parameter, columns.h; -1 of a time */
    double t, got, want, scale, digits, bar;
    bool held;
};

/* The jump of one parameter at one event: right before, wrong after. */
struct spot {
    int event, parameter;
    int from, to;               /* the marks of the event */
    bool tried;
    /* [blame_rules()] digits by which a rule is nearer to the wrong numbers than the right
       ones are; < 0: it does not explain them */
    double *score;
};

/* Numbers that are a constant multiple of what they should be. */
enum { ALL_COLUMNS = -2 };
struct multiple {
    int parameter;
    int column;                 /* as of a mark, or ALL_COLUMNS of the parameter */
    int only;                   /* the mark, where it is one alone; else -1 */
    double factor;
};

struct blame {
    const struct blame_request *request;
    struct columns columns;
    int marks, spots, multiples;
    struct mark *mark;          /* in the order of the ledger */
    struct spot *spot;          /* in the order of time */
    struct multiple *multiple;
    int event;                  /* that a run is passing, from 1 */
    int motion;                 /* the first mark of the motion itself that is wrong; -1 */
    int *smooth;                /* [columns.p] the first mark wrong though the jump before
                                   is right; -1 */
};

/* The rules that a jump is tried with; NULL beyond the last one. */
int blame_rules(void);
const struct jump_rule *blame_rule(int k);

/* Digits that two numbers share, as a ledger counts them; where `want` is zero, and has
   been, relative to a. */
double blame_digits(double a, double b, double want, double scale);

/* marks.c: the marks; what is wrong before any jump; the spots. */
void blame_read(struct blame *blame, const struct rows *rows, const struct row *row);
void blame_clear(struct blame *blame);
/* multiple.c: columns that are a multiple of what they should be. */
void blame_find_multiples(struct blame *blame);
/* jump.c: every rule at every spot; false where no run got there. */
bool blame_try_rules(struct blame *blame);
/* text.c: what was found, in words. */
void blame_say(const struct blame *blame, char *text, int size);

#endif
