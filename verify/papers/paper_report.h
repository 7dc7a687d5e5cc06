/*
 * paper_report.h - what came out of papers, for people and as JSON.
 *
 * `studied` are those of one paper, in the order of its studies.
 */
#ifndef SALTUS_PAPER_REPORT_H
#define SALTUS_PAPER_REPORT_H

#include "papers/paper.h"

/* Numbers of rows by what came out. */
struct paper_tally {
    int claims, claim[CLAIM_VERDICTS];
    int own, own_held;              /* checks of ours beside the claims */
    int formulas, formula[TRIAL_OUTCOMES];  /* printed formulas that were tried */
    int refused;                    /* studies without rows */
};
void paper_tally_add(struct paper_tally *tally, const struct paper *paper,
                     const struct studied *studied);
/* Prints "62 claims: 40 confirmed, ...; 20 printed formulas: 18 wrong". */
void paper_tally_print(FILE *stream, const struct paper_tally *tally);

/* Prints a paper: its claims, then its printed formulas. */
void paper_report(FILE *stream, const struct paper *paper, const struct studied *studied);
/* Appends a paper to an array of JSON objects. */
struct cJSON;
void paper_json(struct cJSON *array, const struct paper *paper,
                const struct studied *studied);

#endif
