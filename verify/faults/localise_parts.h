/*
 * localise_parts.h - what the files of localise.h share.
 */
#ifndef SALTUS_BLAME_PARTS_H
#define SALTUS_BLAME_PARTS_H

#include "events/jump.h"
#include "faults/localise.h"

enum place { PLACE_SAMPLE, PLACE_BEFORE, PLACE_TIME, PLACE_AFTER, PLACE_NONE };

/* One judged number, and where it belongs. */
struct mark {
    const char *name;           /* as in results.h */
    enum place place;
    int event;                  /* from 1; of a sample: how many there were before it */
    int parameter;              /* of those differentiated; -1: a value */
    int column;                 /* in the block of the parameter, columns.h; -1: time */
    double t, got, want, scale, digits, bar;
    bool held;
};

/* The jump of one parameter at one event: right before, wrong after. */
struct spot {
    int event, parameter;
    int from, to;               /* the marks of the event */
    int numbers;                /* of the state and the time that are wrong: accelerations
                                   and multipliers follow from them, in the equations of
                                   whoever made them, and count where there are none */
    bool tried;
    /* [blame_explanations()] digits by which an explanation is nearer to the wrong
       numbers than the right ones are; < 0: it is none */
    double *score;
    double *factor;             /* [terms] that fits best, where no rule explains them */
};

/* Spots that have the same explanations. */
struct group {
    int spots, *spot;
    double *score;              /* [blame_explanations()] the least at any of them */
};

/* Numbers that are a constant multiple of what they should be. */
enum { ALL_COLUMNS = -2, MOST_MULTIPLES = 2 };
struct multiple {
    int parameter;
    int column;                 /* as of a mark, or ALL_COLUMNS of the parameter; of one
                                   parameter there are MOST_MULTIPLES at most, as more
                                   wrong columns are something else */
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
    int motion;                 /* the first wrong mark of the motion itself; -1 */
    int *smooth;                /* [columns.p] the first mark wrong though the jump before
                                   is right; -1 */
};

/* Explanations: the rules that are known to be wrong, then each term of terms.def with
   the factor that fits best. */
int blame_rules(void);
const struct jump_rule *blame_rule(int k);
int blame_explanations(void);

/* Digits that two numbers share, as a ledger counts them; where `want` is zero, and has
   been, relative to a. */
double blame_digits(double a, double b, double want, double scale);

/* suspects.c: the marks; what is wrong before any jump; the spots. */
void blame_read(struct blame *blame, const struct rows *rows, const struct row *row);
void blame_clear(struct blame *blame);
/* Is it an acceleration or a multiplier? */
bool blame_follows(const struct blame *blame, const struct mark *mark);
/* localise_multiple.c: columns that are a multiple of what they should be. */
void blame_find_multiples(struct blame *blame);
/* jump.c: every explanation at every spot; false where no run got there. */
bool blame_try_rules(struct blame *blame);
/* One rule at a spot. `before`: the sensitivities as they came; x [columns.width] and tau
   are for the jump. < 0: it explains nothing. */
double blame_try_rule(const struct blame *blame, const struct spot *spot,
                      const struct jump *jump, const struct jump_rule *rule,
                      const struct jump_column *before, double *tau, double *x);
/* A block of columns as rules see it. */
struct jump_column blame_block(const struct columns *columns, double *x);
/* Is this a number that the jump at the spot must explain? */
bool blame_counts(const struct blame *blame, const struct spot *spot,
                  const struct mark *mark);
/* localise_factor.c: the factors of terms that fit best at a spot, and how well. */
void blame_fit_factors(const struct blame *blame, struct spot *spot,
                       const struct jump *jump, const struct jump_column *before);
/* localise_group.c: the largest group of the spots that are left that has one
   explanation; they are left no more. false: there is none. */
bool blame_largest_group(const struct blame *blame, bool *left, struct group *group);
/* text.c: what was found, in words. */
void blame_say(const struct blame *blame, char *text, int size);

#endif
