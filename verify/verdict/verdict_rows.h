/*
 * verdict_rows.h - a row of the verdict table: one case, solved one way, against one
 * oracle.
 *
 * A row holds the worst of its numbers (the one with the least to spare above its bar),
 * the one with the fewest digits, the fewest digits of every kind of quantity, how many
 * numbers have how many digits, the first number that fell short, and, when asked for,
 * every verdict. Tables, JSON, JUnit and TAP are views of rows (tables/).
 */
#ifndef SALTUS_VERDICT_ROWS_H
#define SALTUS_VERDICT_ROWS_H

#include <pthread.h>

#include "quantity/results.h"
#include "verdict/bars.h"
#include "verdict/distribution.h"
#include "verdict/verdict.h"

enum row_kind {
    ROW_JUDGED,         /* numbers against a bar */
    ROW_GAP,            /* numbers, shown but not judged: a modelling gap */
    ROW_REFUSED,        /* a status, time and place instead of numbers; held where such a
                           refusal is certified */
    ROW_ABSENT,         /* the oracle has no values: note says what to do */
    ROW_EMPTY           /* nothing is judged, and rightly so: the refusal says why, or the
                           note where there is no refusal */
};

/* The fewest digits of a kind of quantity ("q", "lambda", "dq", "dt", "t", ...), and the
   first number that has so few, named as in quantity.h. */
struct kind_digits {
    char name[24];
    double digits;
    char quantity[96];
    double t;
};
enum { MOST_KINDS = 24 };

struct row {
    enum row_kind kind;
    char case_name[64], solution[64], oracle[40], rule[64], integrator[40];
    double rtol;                        /* rtol of the run; NAN: there is none */
    struct made made;                   /* how the judged numbers were made; set before
                                           they are compared */
    bool held;
    long numbers, short_of_bar, missing;
    long skipped;                       /* not judged: no digit can be asked for, or the
                                           oracle has no number there */
    struct verdict *shortfall;          /* [short_of_bar] verdicts of all numbers that
                                           fell short, or NULL */
    long slightly_short;                /* number of these that fell short by a fraction
                                           of a digit and pass another oracle; set by
                                           rows_weigh */
    struct verdict worst, least;        /* the number with the fewest digits above its
                                           bar; the one with the fewest digits */
    struct verdict first;               /* the first number that fell short: in time, but
                                           backwards for a sweep */
    struct kind_digits by_kind[MOST_KINDS];     /* in the order in which they appear */
    int kinds;
    double cap;                         /* digits of the oracle; NAN: every number has its
                                           own */
    struct distribution distribution;
    int seed;                           /* seed of the direction judged along; 0: none */
    struct { int event; double t, condition; } grazing; /* the event nearest to grazing;
                                                           condition 0: none is near */
    struct diagnosis refusal;
    char note[480];
    char cause[400];                    /* explanation of the numbers that fell short
                                           (localise.h); or "" */
    struct verdict *verdict;            /* [verdicts] of all numbers, in the order in
                                           which they were judged; kept if rows->keep */
    int verdicts, verdict_room;
    struct remark *remark;              /* [remarks] kept if rows->keep */
    int remarks, remark_room;
};

struct rows;

/* A reader of rows that another thread makes: it may read the settled ones. */
struct rows_reader {
    pthread_mutex_t lock;               /* held while the reader looks, and while rows
                                           move in memory */
    void (*look)(struct rows_reader *reader);   /* called with the lock held, when rows
                                                   were settled */
};

/* Rows in the order in which they were made. */
struct rows {
    int count, room;
    struct row *row;
    bool keep;                          /* keep every verdict and remark */
    double digits;                      /* digits asked of all numbers, as far as their
                                           conditions leave so many in a double; NAN:
                                           derived (bars.h) */
    const struct results *known;        /* scales and conditions for every comparison
                                           (struct comparing) */
    struct rows_reader *reader;         /* NULL: nobody reads the rows before they are
                                           complete */
    int settled;                        /* number of rows that will not change any more */
    bool complete;                      /* there will be no other rows */
};

void rows_clear(struct rows *rows);
/* Frees what a row keeps beside itself. */
void row_clear(struct row *row);
/* Appends a row; the pointer is good until the next one is appended. */
struct row *rows_add(struct rows *rows, enum row_kind kind, const char *case_name,
                     const char *solution, const char *oracle);
/* Says that no row there is will change any more; `complete`: and that there will be no
   others. */
void rows_settle(struct rows *rows, bool complete);
/* Compares the numbers, fills the row and sets row->held. Digits beyond `cap` are not
   shown. For a ROW_GAP only the groups q and v and the event times count. */
void row_compare(struct rows *rows, struct row *row, const struct results *got,
                 const struct results *want, double cap);
/* The bar of a number of the row; below bar_least the number is not judged. */
double row_bar(const struct rows *rows, const struct row *row,
               const struct comparison *comparison);
/*
 * Weighs rows from `first` on, which judge one solution by several oracles. A number that
 * misses its bar by less than a digit, and passes another oracle's, is short but not
 * shown to be wrong: a row in which no other number fell short holds and says so.
 */
void rows_weigh(struct rows *rows, int first);
/* Adds a single measured number with its bar: an invariant, an order. */
void row_measure(struct rows *rows, struct row *row, const struct verdict *measured);
/* Adds a printed number; a disputed one does not count. */
void row_measure_published(struct rows *rows, struct row *row,
                           const struct verdict *measured,
                           const struct published *published);
void row_refuse(struct row *row, const struct diagnosis *diagnosis);
/* Makes the row a refusal that is certified: a verdict that held. */
void row_agree(struct row *row, const struct diagnosis *diagnosis);
/* Notes guards that became zero at one time on the run of the row: a note where all
   orders agree, and remarks on the outcome of each. */
void row_note_together(struct rows *rows, struct row *row,
                       const struct trajectory *trajectory);
/* Appends to the note of the row; "" adds nothing. */
void row_note(struct row *row, const char *text);
/* Makes the row a ROW_EMPTY: there is nothing to judge. */
void row_empty(struct row *row, const struct diagnosis *diagnosis);
/* Does the row count against the whole? A gap does not, nor does a row that is rightly
   empty. */
bool row_fell_short(const struct row *row);

/* The fewest digits of a kind; NAN: the row has no number of that kind. */
double row_kind_digits(const struct row *row, const char *kind);

/* A refusal in words: "rank-loss at t = 0: mode motion" */
void refusal_text(const struct diagnosis *diagnosis, char *text, int size);

/* The place of a verdict in a few words (quantity_place). */
void verdict_place(const struct verdict *verdict, char *text, int size);

#endif
