/*
 * statistics.c - the distribution of digits in every row, and of every oracle over all of
 * its rows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tables/report.h"
#include "verdict/row_status.h"

/* --- rows --------------------------------------------------------------------------- */

enum place {
    STATISTICS_CASE, STATISTICS_SOLUTION, STATISTICS_ORACLE, STATISTICS_NUMBERS,
    STATISTICS_LEAST, STATISTICS_1, STATISTICS_10, STATISTICS_HALF, STATISTICS_AT_CAP,
    STATISTICS_CAP, STATISTICS_SPARE, STATISTICS_WORST, STATISTICS_COLUMNS
};

static void fit(struct text_column *column, const struct rows *const *rows, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            if (!row_status(row)->numbers)
                continue;
            text_column_fit(&column[STATISTICS_CASE], row->case_name);
            text_column_fit(&column[STATISTICS_SOLUTION], row->solution);
            text_column_fit(&column[STATISTICS_ORACLE], row->oracle);
        }
}

static void print_row(FILE *stream, const struct row *row,
                      const struct text_column *column, bool first_of_case)
{
    static const double fraction[] = {0.01, 0.10, 0.50};
    const struct verdict *worst = &row->worst;
    double spare = row->kind == ROW_GAP ? NAN : worst->digits - worst->bar;
    char place[200];
    text_cell_in(stream, &column[STATISTICS_CASE], BOLD, "%s",
                 first_of_case ? row->case_name : "");
    text_cell(stream, &column[STATISTICS_SOLUTION], "%s", row->solution);
    text_cell(stream, &column[STATISTICS_ORACLE], "%s", row->oracle);
    text_cell(stream, &column[STATISTICS_NUMBERS], "%ld", row->numbers);
    text_cell(stream, &column[STATISTICS_LEAST], "%.2f", told_digits(row->least.digits));
    for (int k = 0; k < 3; k++)
        text_cell_number(stream, &column[STATISTICS_1 + k], 1,
                         row_quantile(row, fraction[k]), "-");
    text_cell(stream, &column[STATISTICS_AT_CAP], "%d", row->distribution.at_cap);
    if (isnan(row->cap))
        text_cell(stream, &column[STATISTICS_CAP], "each");
    else
        text_cell(stream, &column[STATISTICS_CAP], "%.4g", row->cap);
    text_cell_number(stream, &column[STATISTICS_SPARE], 1, spare, "gap");
    place_and_time(worst->name, worst->t, place, sizeof place);
    text_cell(stream, &column[STATISTICS_WORST], "%s", place);
    if (row->seed)
        fprintf(stream, "; seed %d", row->seed);
    fputc('\n', stream);
}

static void print_rows(FILE *stream, const struct rows *const *rows, int count)
{
    struct text_column column[STATISTICS_COLUMNS] = {
        {"case", TEXT_LEFT, 0, 4}, {"solved by", TEXT_LEFT, 2, 9},
        {"judged by", TEXT_LEFT, 2, 9}, {"numbers", TEXT_RIGHT, 1, 7},
        {"least", TEXT_RIGHT, 1, 6}, {"1 %", TEXT_RIGHT, 1, 5},
        {"10 %", TEXT_RIGHT, 1, 5}, {"half", TEXT_RIGHT, 1, 5},
        {"at cap", TEXT_RIGHT, 1, 7}, {"cap", TEXT_RIGHT, 1, 5},
        {"spare", TEXT_RIGHT, 1, 5}, {"worst", TEXT_LEFT, 2, 0}};
    const char *last_case = "";
    fit(column, rows, count);
    text_heading(stream, column, STATISTICS_COLUMNS);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            if (!row_status(row)->numbers || row->numbers == 0)
                continue;
            print_row(stream, row, column, strcmp(row->case_name, last_case) != 0);
            last_case = row->case_name;
        }
}

/* --- oracles ------------------------------------------------------------------------ */

struct summary {
    const char *oracle;
    bool judged;                /* false: the rows are a gap, and shown only */
    int rows;
    double least_cap, most_cap; /* digits of the oracle; NAN: every number has its own */
    double spare;               /* least spare digits of all rows */
    const struct row *tightest; /* the row that has them */
    struct distribution distribution;
};

static struct summary *summary_of(struct summary **list, int *count, int *room,
                                  const struct row *row)
{
    for (int k = 0; k < *count; k++)
        if (strcmp((*list)[k].oracle, row->oracle) == 0)
            return &(*list)[k];
    *list = memory_grow(*list, room, *count + 1, sizeof **list);
    struct summary *summary = &(*list)[(*count)++];
    *summary = (struct summary){.oracle = row->oracle, .judged = row->kind != ROW_GAP,
                                .least_cap = NAN, .most_cap = NAN, .spare = INFINITY};
    return summary;
}

/* Adds a row; fmin and fmax pass over NAN. */
static void join(struct summary *summary, const struct row *row)
{
    double spare = row->worst.digits - row->worst.bar;
    summary->rows++;
    summary->least_cap = fmin(summary->least_cap, row->cap);
    summary->most_cap = fmax(summary->most_cap, row->cap);
    distribution_join(&summary->distribution, &row->distribution);
    if (spare < summary->spare) {
        summary->spare = spare;
        summary->tightest = row;
    }
}

/* Prints a bar: the longest has 50 marks, and a count above zero at least one. */
static void print_bar(FILE *stream, const char *label, int here, int most)
{
    enum { LONGEST = 50 };
    fprintf(stream, "  %6s %8d ", label, here);
    for (int k = 0; k < (int)ceil((double)here * LONGEST / most); k++)
        fputc('#', stream);
    fputc('\n', stream);
}

/* Prints a bar for every whole number of digits that occurs, "..." for those between that
   do not, and one for the numbers at the cap. */
static void print_histogram(FILE *stream, const struct distribution *d)
{
    int most = d->at_cap > 1 ? d->at_cap : 1, last = -1;
    char label[20];
    for (int k = 0; k <= BINNED_DIGITS; k++)
        if (distribution_between(d, k) > most)
            most = distribution_between(d, k);
    for (int k = 0; k <= BINNED_DIGITS; k++) {
        int here = distribution_between(d, k);
        if (here == 0)
            continue;
        if (last >= 0 && k > last + 1)
            fputs("     ...\n", stream);
        snprintf(label, sizeof label, "%d%c", k, k == BINNED_DIGITS ? '+' : ' ');
        print_bar(stream, label, here, most);
        last = k;
    }
    if (d->at_cap > 0)
        print_bar(stream, "at cap", d->at_cap, most);
}

static void print_caps(FILE *stream, const struct summary *summary)
{
    if (summary->distribution.at_cap == 0)
        return;
    if (summary->least_cap == summary->most_cap)
        fprintf(stream, "  At the cap: no difference in %.4g digits, and it has no more "
                "to compare.\n", summary->most_cap);
    else
        fprintf(stream, "  At the cap: no difference in %.4g to %.4g digits, by the row, "
                "and it has no more to compare.\n", summary->least_cap,
                summary->most_cap);
}

/* "15.3", or that the quantile is at the cap. */
static const char *quantile_text(const struct distribution *d, double fraction,
                                 char *text, int size)
{
    double digits = distribution_quantile(d, fraction);
    if (isinf(digits))
        snprintf(text, (size_t)size, "all it can see");
    else
        snprintf(text, (size_t)size, "%.1f digits or more", digits);
    return text;
}

static void print_summary(FILE *stream, const struct summary *summary)
{
    const struct distribution *d = &summary->distribution;
    const struct row *row = summary->tightest;
    char place[200], half[40], most[40];
    fprintf(stream, "\n%s%s%s: %d numbers in %d rows; half: %s; all but 1 %%: %s\n",
            colour_on(stream, BOLD), summary->oracle, colour_off(stream), d->numbers,
            summary->rows, quantile_text(d, 0.50, half, sizeof half),
            quantile_text(d, 0.01, most, sizeof most));
    print_histogram(stream, d);
    print_caps(stream, summary);
    if (!summary->judged || !row)
        return;
    place_and_time(row->worst.name, row->worst.t, place, sizeof place);
    fprintf(stream, "  Nearest to its bar, %.2f digits %s: %s, %s, %s.\n",
            fabs(summary->spare), summary->spare < 0 ? "below" : "above", row->case_name,
            row->solution, place);
}

static void print_oracles(FILE *stream, const struct rows *const *rows, int count)
{
    struct summary *list = NULL;
    int oracles = 0, room = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            if (row_status(row)->numbers && row->numbers > 0)
                join(summary_of(&list, &oracles, &room, row), row);
        }
    for (int k = 0; k < oracles; k++)
        print_summary(stream, &list[k]);
    free(list);
}

void report_statistics(FILE *stream, const struct rows *const *rows, int count)
{
    fputs("\nHow the digits of each row are distributed: the least; what all but 1 %,\n"
          "all but 10 % and half of the numbers have at least, rounded down to a tenth;\n"
          "how many are at the cap, where the oracle sees no difference and could see\n"
          "none; and what the worst number, named, has to spare above its bar. Numbers\n"
          "of a row are not independent: one error is seen in many of them.\n\n", stream);
    print_rows(stream, rows, count);
    print_oracles(stream, rows, count);
    fputc('\n', stream);
}
