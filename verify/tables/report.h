/*
 * report.h - verdicts and trajectories as text for people (table) and programs (JSON,
 * CSV).
 */
#ifndef SALTUS_REPORT_H
#define SALTUS_REPORT_H

#include <stdio.h>

#include "run.h"
#include "tables/text_table.h"
#include "verdict/verdict_rows.h"

/* --- verdicts ----------------------------------------------------------------------- */

/* Prints two spaces, "PASS" or "FAIL" in its colour, and the end of the line; returns
   held. */
bool report_held(FILE *stream, bool held);

/* Prints the meaning of the numbers, who judges, and the tolerances, as scheduled. */
struct job;
void report_introduction(FILE *stream, struct job *const *job, int count);

/* The columns of the verdict table. Names of cases, solutions and oracles are to be
   fitted (text_column_fit); columns of numbers have their widths. */
enum table_place {
    TABLE_CASE, TABLE_SOLUTION, TABLE_ORACLE, TABLE_NUMBERS, TABLE_DIGITS, TABLE_BAR,
    TABLE_VERDICT, TABLE_TIME, TABLE_WORST, TABLE_COLUMNS
};
struct table_layout {
    struct text_column column[TABLE_COLUMNS];
};
/* The columns with room for their titles, and no more. */
extern const struct table_layout table_layout_least;
void report_heading(FILE *stream, const struct table_layout *layout);
/* Prints a row and its notes; a refusal stands in its row. */
void report_row(FILE *stream, const struct table_layout *layout, const struct row *row,
                bool first_of_case);
/* Prints the table; several sets of rows make one. `brief`: without rows that passed, and
   without a heading if there is no other. */
void report_table(FILE *stream, const struct rows *const *rows, int count, bool brief);
/* Prints the first number that fell short of every row that has one, with both values. */
void report_shortfalls(FILE *stream, const struct rows *const *rows, int count);
/* Prints a verdict on the jump rule of this name for every row: the place where it is
   first seen to be wrong. */
void report_rule(FILE *stream, const char *name, const struct rows *const *rows,
                 int count);
/* Prints "42 rows passed (2: refusal certified), 1 failed, 3 skipped (2 modelling gap, 1
   rank-loss); 51,234 numbers compared." true: none failed. */
bool report_summary(FILE *stream, const struct rows *const *rows, int count);
/* Prints that line for rows that are counted. */
struct tally;
bool report_tally(FILE *stream, const struct tally *tally);

/* Prints how sure the verdicts are: quantiles of the digits of every row, and a histogram
   of those of every oracle. */
void report_statistics(FILE *stream, const struct rows *const *rows, int count);

/* Prints every number of a row that keeps them (rows->keep), by column and by event, for
   `saltus check`; name[events] of the events, as far as they are known. */
void report_answer(FILE *stream, const struct row *row, const char *const *name,
                   int events);

/* Prints the JSON object of all verdicts; settings: name, text, ..., NULL. */
void report_json(FILE *stream, const char *const *settings,
                 const struct rows *const *rows, int count);

/* Prints the JSON object of a study (study.h): its name, and the array `found`. */
struct cJSON;
void report_study_json(FILE *stream, const char *const *settings, const char *study,
                       const struct cJSON *found);

/* Prints what `saltus regress` has kept, or found (regress.h): the worse first, then the
   rest, and the counts. `brief`: the worse and the counts. */
struct regression;
struct table;
void report_saved(FILE *stream, const char *path, const struct rows *const *rows,
                  int count);
void report_regress(FILE *stream, const struct regression *regression, const char *path,
                    const struct table *before, double tolerance, bool brief);

/* The matrix (matrix.h): table, legend of its empty cells, and what limits the digits. */
struct matrix;
void report_matrix(FILE *stream, const struct matrix *matrix);
void report_matrix_json(FILE *stream, const struct matrix *matrix);

/* The coverage of the catalogue (coverage.h): how many cases in each cell, then their
   names; and one line for each empty cell. */
struct coverage;
void report_coverage(FILE *stream, const struct coverage *coverage);
void report_coverage_gaps(FILE *stream, const struct coverage *coverage);
void report_coverage_json(FILE *stream, const struct coverage *coverage);

/* --- trajectories ------------------------------------------------------------------- */

/* t,q.x2,...: one row per sample, of the columns that are chosen (csv_columns.h). */
struct csv_columns;
void report_csv(FILE *stream, const struct trajectory *trajectory,
                const struct csv_columns *chosen);
/* quantity,value: costs at the end, psi.fall, and their gradients, dpsi.fall/dL01;
   nothing where there are no costs. */
void report_costs_csv(FILE *stream, const struct trajectory *trajectory);
/* event,name,t,dt/dL01,...,condition,side,q.x2,...: two rows per event, before and
   after. */
void report_events_csv(FILE *stream, const struct trajectory *trajectory,
                       const struct csv_columns *chosen);

/* --- a case ------------------------------------------------------------------------- */

/* For `saltus show`: what has been printed about the case, and where; nothing where there
   is nothing. */
void print_published(FILE *stream, const struct model *model);

#endif
