/*
 * coverage.h - the catalogue, counted by kind of event and kind of mechanism.
 */
#ifndef SALTUS_COVERAGE_H
#define SALTUS_COVERAGE_H

#include "coverage/classes.h"

/* Kinds of mechanism that an event meets: the mode that it leaves has no constraints; it
   has some, and the case is of no special kind; the case has redundant constraints; it
   has singular points. */
enum coverage_column { ON_UNCONSTRAINED, ON_CONSTRAINED, ON_REDUNDANT, ON_SINGULAR,
                       COVERAGE_COLUMNS };
extern const char *const coverage_column_text[COVERAGE_COLUMNS];

/* A kind of event: one event has all classes of `all` and one of `any`. */
struct coverage_row {
    const char *text;
    class_set all, any;
};
enum { COVERAGE_ROWS = 7 };
extern const struct coverage_row coverage_row[COVERAGE_ROWS];

struct coverage_cell {
    int count, room;
    const struct case_desc **of;        /* [count] */
};

struct coverage {
    struct coverage_cell cell[COVERAGE_ROWS][COVERAGE_COLUMNS];
    int empty;                          /* number of empty cells */
};

/* Counts the cases of a list that ends with NULL. NULL: a case is malformed or
   contradicts the words that it declares (classes_check), and `diagnosis` says which and
   why. */
struct coverage *coverage_new(const struct case_desc *const *list,
                              struct diagnosis *diagnosis);
void coverage_free(struct coverage *coverage);

#endif
