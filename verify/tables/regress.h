/*
 * regress.h - the verdicts of one build, kept, and compared with those of another.
 *
 * A table of verdicts is a text of JSON with one record for every row of `saltus verify`:
 * its outcome, the distribution of its digits, and, a line each, the kinds of quantity in
 * it (q, v, a, lambda, dq, ..., t, dt) with their fewest digits and the places of these.
 * One build always writes the same bytes, so that `diff` and git work on them; nothing in
 * them depends on time, place or the number of threads.
 */
#ifndef SALTUS_REGRESS_H
#define SALTUS_REGRESS_H

#include <stdio.h>

#include "verdict/row_status.h"

/* --- tables ------------------------------------------------------------------------- */

enum { TABLE_FORMAT = 2 };

struct table {
    struct rows rows;           /* rows without their distributions */
    int settings;
    char **setting;             /* [2 settings] name and value; "": the default */
    int cases;                  /* number of cases; 0: all of the catalogue */
    char **case_name;
    char version[40], compiler[200];
    char arithmetic[20];        /* fingerprint of the arithmetic (arithmetic.h),
                                   hexadecimal */
    bool old_names;             /* the file has names from before 0.2, read as today's */
};

/* settings: name, text, ..., NULL; cases: names, NULL at the end; none: the catalogue. */
void table_write(FILE *stream, const char *const *settings, const char *const *cases,
                 const struct rows *const *rows, int count);
/* Was the table made with the arithmetic of this process? */
bool table_same_arithmetic(const struct table *table);
/* false: `error` says in one line what is wrong, where, and what would be right. */
bool table_read(const char *path, struct table *table, char *error, int size);
void table_clear(struct table *table);

/* --- comparison --------------------------------------------------------------------- */

enum change {
    CHANGE_LOST,            /* a row that held does no longer */
    CHANGE_REFUSED,         /* a row with numbers has none now */
    CHANGE_OTHER_REFUSAL,
    CHANGE_WORSE,           /* a kind has lost more than the tolerance */
    CHANGE_AVERAGE,         /* a row has lost more, on average over its kinds */
    CHANGE_FEWER,           /* fewer numbers were compared than before */
    CHANGE_VANISHED,        /* a row, or a kind of it, is not there any more */
    CHANGE_MOVED,           /* a refusal for the old reason is at another time */
    CHANGE_BETTER,
    CHANGE_WON,             /* a row that fell short holds */
    CHANGE_ANSWERED,        /* a row without numbers has some */
    CHANGE_NEW,             /* a row, or a kind, that was not there */
    CHANGES
};
extern const struct change_info {
    const char *name;
    bool fails;
} change_info[CHANGES];

struct finding {
    enum change change;
    const struct row *before, *after;                   /* NULL: the row is not there */
    const struct kind_digits *kind_before, *kind_after; /* NULL: the finding is on a row,
                                                           not on a kind */
};

struct regression {
    struct finding *finding;    /* [findings] in the order of the rows before, then the
                                   new ones */
    int findings, room;
    int rows, kinds;            /* number of rows and of kinds that were compared */
    int of[CHANGES];
};

/* The rows that are compared: others of the table before are passed over. */
struct regress_scope {
    const char *const *cases;   /* NULL at the end; NULL: all */
    const char *formulation;    /* NULL: all */
};

/*
 * Digits that a kind may lose without a word, unless --tolerance says else: 0.3 of a
 * table made with the same arithmetic, 1.5 of another.
 *
 * Compilers make no difference: gcc and clang, -O2 and -O3 gave the same digits in all of
 * 2658 kinds of 14 cases (-ffp-contract=off), so with the same library --tolerance 0
 * will do, until somebody changes the order of two operations. What another rounding
 * makes of the fewest digits of a kind: 1.25 fewer at most with another libm (of
 * processors without fused operations, GLIBC_TUNABLES), 1.31 with fused operations
 * everywhere (-march=native -ffp-contract=fast); there 124 of the kinds lost more than
 * half a digit, and 96 won as much.
 *
 * On average over the kinds of a row these cancel: 0.44 digits fewer at most. So a row of
 * FEWEST_KINDS or more may lose no more than AVERAGE_SHARE of the tolerance: a tolerance
 * of a solver ten times as loose as before does not pass.
 */
double regress_tolerance(const struct table *before);
enum { FEWEST_KINDS = 5 };
#define AVERAGE_SHARE 0.4

void regress_compare(const struct rows *before, const struct rows *const *after,
                     int count, const struct regress_scope *scope, double tolerance,
                     struct regression *regression);
void regression_clear(struct regression *regression);
bool regression_held(const struct regression *regression);

/* "five-bar index3 certified dlambda: 9.81 -> 7.02 (dlambda.1/dL01 at t = 3.2)" */
void finding_text(const struct finding *finding, char *text, int size);

#endif
