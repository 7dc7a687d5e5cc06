/*
 * paper.h - papers reproduced: what each claims, and what comes out of running it.
 *
 * A paper is a few studies. A study runs what its rows share, once, and is a task of its
 * own; its rows are tables: claims, printed formulas, figures. No verdict is written
 * down: each is made by a function from the numbers of the study.
 */
#ifndef SALTUS_PAPER_H
#define SALTUS_PAPER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

struct task;

/* --- claims ------------------------------------------------------------------------- */

enum claim_verdict {
    CLAIM_CONFIRMED,
    CLAIM_REFUTED,
    CLAIM_NOT_REPRODUCIBLE,     /* data that it takes are not printed */
    CLAIM_VERDICTS
};
/* "confirmed", "refuted", "not reproducible" */
extern const char *const claim_verdict_text[CLAIM_VERDICTS];

/* A finding is the outcome for a claim. The function of the claim sets it, by
   finding.h. */
struct finding {
    enum claim_verdict verdict;
    int agreed;                 /* number of printed digits that hold; -1: no number is
                                   printed */
    char ours[48];              /* our number, with digits that are sure; "": none */
    double digits;              /* digits of our number that another route confirms; NAN:
                                   none was asked */
    char evidence[600];         /* what was run, and what it gave; for what is not
                                   reproducible: what is missing, and with which choice
                                   the claim would hold */
};

/* A printed number or statement. */
struct claim {
    const char *where;          /* "Fig. 5a", "Sec. 7", "(20)"; "ours": the paper does not
                                   say so, and the row is a check of ours beside it */
    const char *says;           /* the statement, one sentence without a full stop */
    const char *printed;        /* its number as it is printed; "": none */
    const char *unit;           /* unit of the number; "": none, or 1 */
    void (*judge)(const void *study, const struct claim *claim, struct finding *finding);
    int subject;                /* which number or curve `judge` looks at, in words of its
                                   own */
};

/* --- printed formulas --------------------------------------------------------------- */

/* A printed formula tried beside the corrected one. The function of the formula sets
   every member. */
struct trial {
    double printed, corrected;  /* digits that the quantity of the formula has by each */
    char judge[80];             /* oracle: "complex step" */
    char evidence[600];         /* quantity, case and numbers */
};

/* A row of the ledger of errata. A formula that holds stands there with `corrected`
   "". */
struct printed_formula {
    const char *where;          /* "(94), (95)"; "(23), as extracted": a sign or a dot may
                                   have been lost from the text that was at hand; "(33),
                                   beyond r(q)": the paper states a narrower scope */
    const char *printed;        /* as it is printed, in letters of the project */
    const char *corrected;
    void (*attempt)(const void *study, const struct printed_formula *row,
                    struct trial *trial);
    int subject;                /* as of a claim */
};
enum trial_outcome {
    TRIAL_HOLDS,                /* the printed formula has six digits at least, and no two
                                   less than the corrected one */
    TRIAL_WRONG,                /* it has two digits less than the corrected one, or less
                                   than six where none is needed */
    TRIAL_WRONG_AS_EXTRACTED,   /* likewise, but its text was extracted with signs lost */
    TRIAL_DOES_NOT_EXTEND,      /* likewise, but it was tried beyond its scope */
    TRIAL_UNDECIDED,            /* neither has six digits */
    TRIAL_OUTCOMES
};
/* "holds", "wrong", ...; of more than one: "hold" */
extern const char *const trial_outcome_text[TRIAL_OUTCOMES];
enum trial_outcome trial_outcome(const struct printed_formula *row,
                                 const struct trial *trial);

/* --- figures ------------------------------------------------------------------------ */

struct figure {
    const char *name;           /* name of its files, without an end: "corner-fig-5a" */
    const char *where;          /* "Fig. 5a" */
    const char *title;          /* what is drawn over what */
    const char *alt;            /* what is seen, for those who do not */
    double width, height;       /* in millimetres; 0: COLUMN_WIDTH, and 58 */
    void (*draw)(FILE *gnuplot, const void *study);
};

/* --- studies and papers ------------------------------------------------------------- */

struct study {
    const char *name;           /* "corner, five-bar", told as progress */
    double weight;              /* seconds it takes, about */
    /* Runs what all rows share into *study. A status but OK: the study has no rows, and
       `why` says what was refused. */
    enum status (*open)(struct task *task, void **study, char *why, int size);
    void (*close)(void *study);
    const struct claim *claim;              /* ends with where NULL, or NULL */
    const struct printed_formula *formula;  /* likewise */
    const struct figure *figure;            /* ends with name NULL, or NULL */
};

struct paper {
    const char *name;           /* operand of saltus reproduce: "corner" */
    const char *authors, *year, *title, *journal;
    const char *question;       /* what its case study is about, one sentence */
    const struct study *const *study;       /* NULL-terminated */
};

extern const struct paper *const papers[];  /* NULL-terminated, papers.def */
const struct paper *paper_find(const char *name);

/* --- what comes out ----------------------------------------------------------------- */

/* A study that has been run: findings and trials in the order of its tables. */
struct studied {
    const struct study *study;
    enum status status;         /* OK, or a refusal; then there is no finding */
    char why[400];
    void *own;                  /* of the study, for its figures */
    struct finding *finding;
    struct trial *trial;
};

/* Runs a study: its rows, in the thread that calls. */
void studied_run(struct studied *studied, struct task *task);
void studied_clear(struct studied *studied);

int studies_of(const struct paper *paper);
int claims_of(const struct study *study);
/* Is the row a check of ours, no claim of the paper? */
bool claim_is_own(const struct claim *claim);
int formulas_of(const struct study *study);
int figures_of(const struct study *study);

#endif
