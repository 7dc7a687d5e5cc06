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
    ROW_REFUSED,        /* a status, time and place instead of numbers; held where that
                           is what is certified */
    ROW_ABSENT,         /* the oracle has no values: note says what to do */
    ROW_EMPTY           /* nothing is judged, and rightly so: the refusal says why, or the
                           note where there is no refusal */
};

/* The fewest digits of a kind of quantity: "q", "lambda", "dq", "dt", "t", ..., and the
   first number that has no more, named as in quantity.h. */
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
    double rtol;                        /* of the run; NAN: there is none */
    struct made made;                   /* how what is judged was made; set before it is
                                           */
    bool held;
    long numbers, short_of_bar, missing;
    long skipped;                       /* not judged: no digit can be asked for, or the
                                           oracle has no number there */
    struct verdict *shortfall;          /* [short_of_bar] all that fell short, or NULL */
    long slightly_short;                /* of these: by a fraction, and another oracle
                                           passes them (rows_weigh) */
    struct verdict worst, least;        /* fewest digits above the bar; fewest digits */
    struct verdict first;               /* short of its bar, in the order of time */
    struct kind_digits by_kind[MOST_KINDS];     /* in the order in which they appear */
    int kinds;
    double cap;                         /* digits of the oracle; NAN: of each number */
    struct distribution distribution;
    int seed;                           /* of the direction judged along; 0: none */
    struct { int event; double t, condition; } grazing; /* the event nearest to it;
                                                           condition 0: none is near */
    struct diagnosis refusal;
    char note[480];
    char cause[400];                    /* of what fell short (localise.h); or "" */
    struct verdict *verdict;            /* [verdicts] all of them, in the order in which
                                           they were reached; kept if rows->keep */
    int verdicts, verdict_room;
    struct remark *remark;              /* [remarks] kept if rows->keep */
    int remarks, remark_room;
};

struct rows;

/* Who reads rows while another thread makes them: those that are settled. */
struct rows_reader {
    pthread_mutex_t lock;               /* held to look, and while rows move in memory */
    void (*look)(struct rows_reader *reader);   /* called with the lock held */
};

/* Rows in the order in which they were made. */
struct rows {
    int count, room;
    struct row *row;
    bool keep;                          /* keep every verdict and remark */
    double digits;                      /* asked of all, as far as their conditions leave
                                           so many in a double; NAN: derived (bars.h) */
    const struct results *known;        /* struct comparing, for all that is compared */
    struct rows_reader *reader;         /* NULL: nobody reads before they are complete */
    int settled;                        /* so many will not change any more; */
    bool complete;                      /* and there will be no others */
};

void rows_clear(struct rows *rows);
/* Frees what a row keeps beside itself. */
void row_clear(struct row *row);
/* Appends a row; the pointer is good until the next one is appended. */
struct row *rows_add(struct rows *rows, enum row_kind kind, const char *case_name,
                     const char *solution, const char *oracle);
/* All rows there are will not change any more; complete: and there will be no others. */
void rows_settle(struct rows *rows, bool complete);
/* Compares, fills the row and says whether it held. Digits beyond `cap` are not shown.
   For a ROW_GAP only the groups q and v and the event times count. */
void row_compare(struct rows *rows, struct row *row, const struct results *got,
                 const struct results *want, double cap);
/* The bar of a number of that row; below bar_least it is not judged. */
double row_bar(const struct rows *rows, const struct row *row,
               const struct comparison *comparison);
/*
 * One solution was judged by several oracles, in all rows from `first` on. A number that
 * misses its bar by less than a digit, and passes another oracle's, is short but not
 * shown to be wrong: where that is all that fell short, the row holds and says so.
 */
void rows_weigh(struct rows *rows, int first);
/* A single measured number against a bar: an invariant, an order. */
void row_measure(struct rows *rows, struct row *row, const struct verdict *measured);
/* The same for a printed number; one that is disputed does not count. */
void row_measure_published(struct rows *rows, struct row *row,
                           const struct verdict *measured,
                           const struct published *published);
void row_refuse(struct row *row, const struct diagnosis *diagnosis);
/* A refusal, as it is certified: a verdict that held. */
void row_agree(struct row *row, const struct diagnosis *diagnosis);
/* Guards that became zero at one time on the run that the row is of: a note where all
   orders agree, and remarks on what each leads to. */
void row_note_together(struct rows *rows, struct row *row,
                       const struct trajectory *trajectory);
/* A note behind those that the row has; "": none. */
void row_note(struct row *row, const char *text);
/* Nothing to judge: the row becomes a ROW_EMPTY. */
void row_empty(struct row *row, const struct diagnosis *diagnosis);
/* Does the row count against the whole? A gap and what is rightly empty do not. */
bool row_fell_short(const struct row *row);

/* The fewest digits of a kind; NAN when the row has none of it. */
double row_kind_digits(const struct row *row, const char *kind);

/* "rank-loss at t = 0: mode motion" */
void refusal_text(const struct diagnosis *diagnosis, char *text, int size);

/* Its place in a few words (quantity_place). */
void verdict_place(const struct verdict *verdict, char *text, int size);

#endif
