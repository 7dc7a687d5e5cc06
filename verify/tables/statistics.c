/*
 * statistics.c - how sure the verdicts are: the distribution of digits in every row, and
 * for every oracle over all of its rows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tables/report.h"
#include "verdict/row_status.h"

/* --- rows --------------------------------------------------------------------------- */

struct widths {
    int case_name, solution, oracle;
};

static void widen(int *width, const char *text)
{
    int length = (int)strlen(text);
    if (length > *width)
        *width = length;
}

static struct widths measure(const struct rows *const *rows, int count)
{
    struct widths width = {4, 9, 9};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            if (!row_status(row)->numbers)
                continue;
            widen(&width.case_name, row->case_name);
            widen(&width.solution, row->solution);
            widen(&width.oracle, row->oracle);
        }
    return width;
}

static void print_number(FILE *stream, int width, double value, const char *absent)
{
    if (isnan(value))
        fprintf(stream, " %*s", width, absent);
    else
        fprintf(stream, " %*.1f", width, value);
}

static void print_row(FILE *stream, const struct row *row, const struct widths *width,
                      bool first_of_case)
{
    static const double fraction[] = {0.01, 0.10, 0.50};
    const struct verdict *worst = &row->worst;
    char place[200];
    fprintf(stream, "%s%-*s%s  %-*s  %-*s %7ld %6.2f", colour_on(stream, BOLD),
            width->case_name, first_of_case ? row->case_name : "", colour_off(stream),
            width->solution, row->solution, width->oracle, row->oracle, row->numbers,
            row->least.digits);
    for (size_t k = 0; k < sizeof fraction / sizeof *fraction; k++)
        print_number(stream, 5, row_quantile(row, fraction[k]), "-");
    fprintf(stream, " %7d", row->distribution.at_cap);
    if (isnan(row->cap))
        fprintf(stream, " %5s", "each");
    else
        fprintf(stream, " %5.4g", row->cap);
    print_number(stream, 5, row->kind == ROW_GAP ? NAN : worst->digits - worst->bar,
                 "gap");
    place_and_time(worst->name, worst->t, place, sizeof place);
    fprintf(stream, "  %s", place);
    if (row->seed)
        fprintf(stream, "; seed %d", row->seed);
    fputc('\n', stream);
}

static void print_rows(FILE *stream, const struct rows *const *rows, int count)
{
    const struct widths width = measure(rows, count);
    const char *last_case = "";
    fprintf(stream, "%s%-*s  %-*s  %-*s %7s %6s %5s %5s %5s %7s %5s %5s  %s%s\n",
            colour_on(stream, BOLD), width.case_name, "case", width.solution, "solved by",
            width.oracle, "judged by", "numbers", "least", "1 %", "10 %", "half",
            "at cap", "cap", "spare", "worst", colour_off(stream));
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            if (!row_status(row)->numbers || row->numbers == 0)
                continue;
            print_row(stream, row, &width, strcmp(row->case_name, last_case) != 0);
            last_case = row->case_name;
        }
}

/* --- oracles ------------------------------------------------------------------------ */

struct summary {
    const char *oracle;
    bool judged;                /* a gap is not */
    int rows;
    double least_cap, most_cap; /* NAN: of each number */
    double spare;               /* the least of all rows */
    const struct row *tightest; /* which has it */
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

/* fmin and fmax pass over NAN. */
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

/* The longest bar has 50 marks; what occurs at all has one. */
static void print_bar(FILE *stream, const char *label, int here, int most)
{
    enum { LONGEST = 50 };
    fprintf(stream, "  %6s %8d ", label, here);
    for (int k = 0; k < (int)ceil((double)here * LONGEST / most); k++)
        fputc('#', stream);
    fputc('\n', stream);
}

/* A bar for every whole number of digits that occurs, "..." for those between that do
   not, and one for the numbers at the cap. */
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

/* "15.3", or that it is at the cap */
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
