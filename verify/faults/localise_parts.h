/*
 * localise_parts.h - what the files of localise.h share.
 */
#ifndef SALTUS_LOCALISE_PARTS_H
#define SALTUS_LOCALISE_PARTS_H

#include "events/jump.h"
#include "faults/localise.h"

enum place { PLACE_SAMPLE, PLACE_BEFORE, PLACE_TIME, PLACE_AFTER, PLACE_NONE };

/* One judged number, and where it belongs. */
struct number {
    const char *name;           /* as in results.h */
    enum place place;
    int event;                  /* from 1; of a sample: how many there were before it */
    int parameter;              /* of those differentiated; -1: a value */
    int column;                 /* in the block of the parameter, columns.h; -1: time */
    double t, got, want, scale, digits, bar;
    bool held;
};

/* The jump of one parameter at one event: right before, wrong after. */
struct suspect {
    int event, parameter;
    int from, to;               /* the numbers of the event */
    int wrong;                  /* of the state and the time that are wrong: accelerations
                                   and multipliers follow from them, in the equations of
                                   whoever made them, and count where there are none */
    bool tried;
    /* [localise_explanations()] digits by which an explanation is nearer to the wrong
       numbers than the right ones are; < 0: it is none */
    double *score;
    double *factor;             /* [terms] that fits best, where no rule explains them */
};

/* Suspects that have the same explanations. */
struct group {
    int suspects, *suspect;
    double *score;              /* [localise_explanations()] the least at any of them */
};

/* Numbers that are a constant multiple of what they should be. */
enum { ALL_COLUMNS = -2, MOST_MULTIPLES = 2 };
struct multiple {
    int parameter;
    int column;                 /* as of a number, or ALL_COLUMNS of the parameter; of one
                                   parameter there are MOST_MULTIPLES at most, as more
                                   wrong columns are something else */
    int only;                   /* the number, where it is one alone; else -1 */
    double factor;
};

/* One localisation: the judged numbers of a row, and what was found in them. */
struct localise_work {
    const struct localise_request *request;
    struct columns columns;
    int numbers, suspects, multiples;
    struct number *number;      /* in the order of the ledger */
    struct suspect *suspect;    /* in the order of time */
    struct multiple *multiple;
    int event;                  /* that a run is passing, from 1 */
    int motion;                 /* the first wrong number of the motion itself; -1 */
    int *smooth;                /* [columns.p] the first number wrong though the jump
                                   before is right; -1 */
};

/* Explanations: the rules that are known to be wrong, then each term of terms.def with
   the factor that fits best. */
int localise_rules(void);
const struct jump_rule *localise_rule(int k);
int localise_explanations(void);

/* Digits that two numbers share, as a ledger counts them; where `want` is zero, and has
   been, relative to a. */
double localise_digits(double a, double b, double want, double scale);

/* suspects.c: the numbers; what is wrong before any jump; the suspects. */
void localise_read(struct localise_work *work, const struct rows *rows,
                   const struct row *row);
void localise_clear(struct localise_work *work);
/* Is it an acceleration or a multiplier? */
bool localise_follows(const struct localise_work *work, const struct number *number);
/* localise_multiple.c: columns that are a multiple of what they should be. */
void localise_find_multiples(struct localise_work *work);
/* jump.c: every explanation at every suspect; false where no run got there. */
bool localise_try_rules(struct localise_work *work);
/* One rule at a suspect. `before`: the sensitivities as they came; x [columns.width] and
   tau are for the jump. < 0: it explains nothing. */
double localise_try_rule(const struct localise_work *work, const struct suspect *suspect,
                         const struct jump *jump, const struct jump_rule *rule,
                         const struct jump_column *before, double *tau, double *x);
/* A block of columns as rules see it. */
struct jump_column localise_block(const struct columns *columns, double *x);
/* Is this a number that the jump at the suspect must explain? */
bool localise_counts(const struct localise_work *work, const struct suspect *suspect,
                     const struct number *number);
/* localise_factor.c: the factors of terms that fit best at a suspect, and how well. */
void localise_fit_factors(const struct localise_work *work, struct suspect *suspect,
                          const struct jump *jump, const struct jump_column *before);
/* localise_group.c: the largest group of the suspects that are left that has one
   explanation; they are left no more. false: there is none. */
bool localise_largest_group(const struct localise_work *work, bool *left,
                            struct group *group);
/* text.c: what was found, in words. */
void localise_say(const struct localise_work *work, char *text, int size);

#endif
