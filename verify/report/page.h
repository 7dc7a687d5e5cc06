/*
 * page.h - the sections of the page, each made from one part of the report.
 *
 * Sections write tables that are complete without JavaScript; page.js adds motion,
 * filters and the dialog of the matrix.
 */
#ifndef SALTUS_PAGE_H
#define SALTUS_PAGE_H

#include <stdio.h>

#include "report/animation.h"
#include "report/report.h"

/* A case of the catalogue with its motion. */
struct exhibit {
    const struct case_desc *desc;
    struct model *model;        /* NULL: it cannot be recorded */
    bool drawn;                 /* `animation` is set */
    struct animation animation;
    char why[400];              /* why the motion ends early, or why there is none; "" */
};

/* All numbers of the verdict in one sentence; 0 where the part is missing. */
struct totals {
    int mechanisms, drawn;      /* cases, and those whose motion is shown */
    int formulations;
    long numbers;               /* compared by judges */
    int passed, refused, failed, skipped;       /* rows; `refused` are among the passed */
    int below;                  /* cells of the matrix below their bar */
    int faults, caught;         /* seeded faults that change a number, and those caught on
                                   every such case */
    int missed;                 /* cases on which a seeded fault was missed */
    int papers, claims, confirmed, refuted, open;
    int formulas, wrong;        /* printed formulas tried, and those that are wrong */
    int studies_refused;
};

struct page {
    FILE *stream;
    const struct report *report;
    struct exhibit *exhibit;    /* [report->cases]; NULL: the catalogue is not wanted */
    struct totals totals;
};

/* Records and runs every case, on the threads of the report. */
struct exhibit *exhibits_new(const struct report *report);
void exhibits_free(struct exhibit *exhibit, int cases);

void totals_of(struct totals *totals, const struct report *report,
               const struct exhibit *exhibit);
/* Prints the verdict of the page in one sentence. */
void totals_sentence(FILE *stream, const struct totals *totals,
                     const struct report *report);

/* True: the part has data. Otherwise a sentence says on the page why it has none. */
bool page_has(const struct page *page, enum part_id id);
/* Prints <section id=name> and its heading. */
void page_section(const struct page *page, const char *name, const char *heading);

/* Prints the figure at the top of the page: the five-bar, or the first mechanism. */
void gallery_first(const struct page *page);
void section_gallery(const struct page *page);
void section_matrix(const struct page *page);
void section_judges(const struct page *page);
void section_mutants(const struct page *page);
void section_ledger(const struct page *page);
void section_papers(const struct page *page);
void section_bench(const struct page *page);
void section_making(const struct page *page);
/* Prints what page.js reads: motions, matrix, rows of verdicts. */
void page_data(const struct page *page);

/* Text and number of a member of an object: "" and NAN where there is none. */
const char *member_text(const cJSON *object, const char *name);
double member_number(const cJSON *object, const char *name);
const cJSON *member(const cJSON *object, const char *name);
/* Prints digits with one decimal, a dash where there are none. */
void html_digits(FILE *stream, double digits);

#endif
