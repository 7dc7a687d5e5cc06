/*
 * localise_parts.h - one localisation and its steps; for the files of localise.h.
 */
#ifndef SALTUS_LOCALISE_PARTS_H
#define SALTUS_LOCALISE_PARTS_H

#include "events/jump.h"
#include "faults/localise.h"

enum place { PLACE_SAMPLE, PLACE_BEFORE, PLACE_TIME, PLACE_AFTER, PLACE_NONE };

/* One judged number and its place on the motion; localise_read sets it. */
struct number {
    const char *name;           /* name of the quantity (quantity.h) */
    enum place place;
    int event;                  /* number of the event, from 1; of a sample: events before
                                   it */
    int parameter;              /* index among the parameters differentiated; -1: a
                                   value */
    int column;                 /* column in the block of the parameter (columns.h); -1: a
                                   time */
    double t, got, want, scale, digits, bar;
    bool held;
};

/* The jump of one parameter at one event, which is right before and wrong after. */
struct suspect {
    int event, parameter;
    int from, to;               /* range of the event's numbers, `to` not included */
    int wrong;                  /* wrong numbers of the state and the time: accelerations
                                   and multipliers follow from these in somebody's
                                   equations, and count where there are no others */
    bool tried;
    /* [localise_explanations()] digits by which an explanation is nearer to the wrong
       numbers than the right ones are; < 0: it explains nothing */
    double *score;
    double *factor;             /* [terms] factor of each term that fits best, where no
                                   rule explains the numbers */
};

/* Suspects that have the same explanations. */
struct group {
    int suspects, *suspect;
    double *score;              /* [localise_explanations()] the least score of any
                                   suspect */
};

/* Numbers that are a constant multiple of the right ones. */
enum { ALL_COLUMNS = -2, MOST_MULTIPLES = 2 };
struct multiple {
    int parameter;
    int column;                 /* column as in struct number, or ALL_COLUMNS; a parameter
                                   has MOST_MULTIPLES at most, as more wrong columns are
                                   something else */
    int only;                   /* index of the number, where it is one alone; else -1 */
    double factor;
};

/* One localisation: the judged numbers of a row, and the findings. */
struct localise_work {
    const struct localise_request *request;
    struct columns columns;
    int numbers, suspects, multiples;
    struct number *number;      /* [numbers] in the order of the results */
    struct suspect *suspect;    /* [suspects] in the order of time */
    struct multiple *multiple;
    int event;                  /* number of the event that a run is passing, from 1 */
    int motion;                 /* index of the first wrong number of the motion itself;
                                   -1: none */
    int *smooth;                /* [columns.p] index of the first number that is wrong
                                   though the jump before it is right; -1: none */
};

/* The number of rules that are known to be wrong: the first explanations. */
int localise_rules(void);
/* Rule k of these. */
const struct jump_rule *localise_rule(int k);
/* The number of explanations: the rules, then each term of terms.def with the factor that
   fits best. */
int localise_explanations(void);

/* Digits that two numbers share (comparison.c); where `want` is zero, and has been,
   relative to a. */
double localise_digits(double a, double b, double want, double scale);

/* suspects.c: reads the numbers, and finds what is wrong before any jump, and the
   suspects. */
void localise_read(struct localise_work *work, const struct rows *rows,
                   const struct row *row);
void localise_clear(struct localise_work *work);
/* Is the number an acceleration or a multiplier? */
bool localise_follows(const struct localise_work *work, const struct number *number);
/* localise_multiple.c: finds columns that are a multiple of the right ones. */
void localise_find_multiples(struct localise_work *work);
/* localise_jump.c: tries every explanation at every suspect; false: no run got there. */
bool localise_try_rules(struct localise_work *work);
/* Tries one rule at a suspect. `before`: the sensitivities as they came; x
   [columns.width] and tau receive the jump. < 0: the rule explains nothing. */
double localise_try_rule(const struct localise_work *work, const struct suspect *suspect,
                         const struct jump *jump, const struct jump_rule *rule,
                         const struct jump_column *before, double *tau, double *x);
/* A block of columns in the shape that rules take. */
struct jump_column localise_block(const struct columns *columns, double *x);
/* Is this a number that the jump at the suspect must explain? */
bool localise_counts(const struct localise_work *work, const struct suspect *suspect,
                     const struct number *number);
/* localise_factor.c: fits the factor of each term at a suspect, and sets its score. */
void localise_fit_factors(const struct localise_work *work, struct suspect *suspect,
                          const struct jump *jump, const struct jump_column *before);
/* localise_group.c: finds the largest group of suspects in left[] that has one
   explanation, and takes it from left[]. false: there is none. */
bool localise_largest_group(const struct localise_work *work, bool *left,
                            struct group *group);
/* localise_text.c: the findings in words. */
void localise_say(const struct localise_work *work, char *text, int size);

#endif
