/*
 * table.c - the verdict table on the screen.
 */
#include <math.h>
#include <string.h>

#include "base/printable.h"
#include "tables/report.h"
#include "verdict/row_status.h"

bool report_held(FILE *stream, bool held)
{
    fprintf(stream, "  %s%s%s\n", colour_on(stream, held ? GREEN : RED),
            held ? "PASS" : "FAIL", colour_off(stream));
    return held;
}

/* --- one row ------------------------------------------------------------------------ */

const struct table_layout table_layout_least = {{
    [TABLE_CASE] = {"case", TEXT_LEFT, 0, sizeof "case" - 1},
    [TABLE_SOLUTION] = {"solved by", TEXT_LEFT, 2, sizeof "solved by" - 1},
    [TABLE_ORACLE] = {"judged by", TEXT_LEFT, 2, sizeof "judged by" - 1},
    [TABLE_NUMBERS] = {"numbers", TEXT_RIGHT, 1, 7},
    [TABLE_DIGITS] = {"digits", TEXT_RIGHT, 2, 6},
    [TABLE_BAR] = {"bar", TEXT_RIGHT, 2, 4},
    [TABLE_VERDICT] = {"verdict", TEXT_LEFT, 2, sizeof "PASS across" - 1},
    [TABLE_TIME] = {"t", TEXT_LEFT, 2, 8},
    [TABLE_WORST] = {"worst", TEXT_LEFT, 2, 0},
}};

static struct table_layout layout_of(const struct rows *const *rows, int count)
{
    struct table_layout layout = table_layout_least;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            text_column_fit(&layout.column[TABLE_CASE], row->case_name);
            text_column_fit(&layout.column[TABLE_SOLUTION], row->solution);
            text_column_fit(&layout.column[TABLE_ORACLE], row->oracle);
        }
    return layout;
}

/* A row that passes may hold less than "PASS" says: "short" by a fraction of a digit that
   another oracle passes (rows_weigh), "across" a singular configuration with half of the
   digits (bars.h). */
static void print_verdict(FILE *stream, const struct text_column *column,
                          const struct row *row)
{
    const char *word = !row->held ? "FAIL"
                     : row->slightly_short > 0 ? "PASS short"
                     : row->kind == ROW_JUDGED && row->made.singular ? "PASS across"
                                                                     : "PASS";
    text_cell_in(stream, &column[TABLE_VERDICT], row->held ? GREEN : RED, "%s", word);
}

/* Prints the verdict, and why there are no numbers. */
static void print_words(FILE *stream, const struct text_column *column,
                        const struct row *row)
{
    char text[600];
    for (int k = TABLE_NUMBERS; k <= TABLE_BAR; k++)
        text_cell(stream, &column[k], "-");
    if (row->kind == ROW_EMPTY)
        text_cell(stream, &column[TABLE_VERDICT], "SKIP");
    else
        print_verdict(stream, column, row);
    row_reason(row, text, sizeof text);
    fprintf(stream, "  %s", row->held ? "refused, as certified: " : "");
    print_printable(stream, text);
    fputc('\n', stream);
}

static void print_numbers(FILE *stream, const struct text_column *column,
                          const struct row *row)
{
    const struct verdict *worst = &row->worst;
    text_cell(stream, &column[TABLE_NUMBERS], "%ld", row->numbers);
    text_cell(stream, &column[TABLE_DIGITS], "%.2f", told_digits(worst->digits));
    if (row->kind == ROW_GAP) {
        text_cell(stream, &column[TABLE_BAR], "-");
        text_cell(stream, &column[TABLE_VERDICT], "SKIP gap");
    } else {
        text_cell(stream, &column[TABLE_BAR], "%.3g", worst->bar);
        print_verdict(stream, column, row);
    }
    text_cell(stream, &column[TABLE_TIME], "%.6g", worst->t);
    text_cell(stream, &column[TABLE_WORST], "%s\n", worst->name);
}

/* A condition is told from here on: its bar is visibly lower than the others of the
   row. */
static const double told_condition = 1e3;

static void print_notes(FILE *stream, const struct row *row, int indent)
{
    const struct verdict *worst = &row->worst;
    if (row->kind == ROW_JUDGED && worst->condition >= told_condition)
        fprintf(stream, "%*s  condition of that number %.1e\n", indent, "",
                worst->condition);
    if (row->kind == ROW_JUDGED && row->slightly_short > 0)
        fprintf(stream, "%*s  %ld short of their bars by less than a digit, right by "
                "another judge\n", indent, "", row->slightly_short);
    if (row->kind == ROW_JUDGED && row->skipped > 0)
        fprintf(stream, "%*s  %ld not judged: their conditions leave fewer than %g "
                "digits to ask for\n", indent, "", row->skipped, bar_least);
    if (row->kind == ROW_JUDGED && row->grazing.condition > 0)
        fprintf(stream,
                "%*s  %snear-grazing%s: event %d, condition %.1e: %.0f digits of "
                "dt_e/drho and of what comes after are lost\n",
                indent, "", colour_on(stream, BOLD), colour_off(stream),
                row->grazing.event, row->grazing.condition,
                log10(row->grazing.condition));
    if (row->kind == ROW_JUDGED && row->note[0]) {
        fprintf(stream, "%*s  ", indent, "");
        print_printable(stream, row->note);
        fputc('\n', stream);
    }
}

void report_row(FILE *stream, const struct table_layout *layout, const struct row *row,
                bool first_of_case)
{
    const struct text_column *column = layout->column;
    text_cell_in(stream, &column[TABLE_CASE], BOLD, "%s",
                 first_of_case ? row->case_name : "");
    text_cell(stream, &column[TABLE_SOLUTION], "%s", row->solution);
    text_cell(stream, &column[TABLE_ORACLE], "%s", row->oracle);
    if (row->kind == ROW_JUDGED || row->kind == ROW_GAP)
        print_numbers(stream, column, row);
    else
        print_words(stream, column, row);
    print_notes(stream, row, column[TABLE_CASE].width);
}

void report_heading(FILE *stream, const struct table_layout *layout)
{
    text_heading(stream, layout->column, TABLE_COLUMNS);
}

void report_table(FILE *stream, const struct rows *const *rows, int count, bool brief)
{
    struct table_layout layout = layout_of(rows, count);
    const char *last_case = "";
    bool begun = false;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            if (brief && row_passed(row))
                continue;
            if (!begun)
                report_heading(stream, &layout);
            begun = true;
            report_row(stream, &layout, row, strcmp(row->case_name, last_case) != 0);
            last_case = row->case_name;
        }
}

/* --- what fell short, and the sum --------------------------------------------------- */

static void print_shortfall(FILE *stream, const struct row *row)
{
    char text[600];
    row_shortfall(row, text, sizeof text);
    fprintf(stream, "%s, %s, %s: ", row->case_name, row->solution, row->oracle);
    print_printable(stream, text);
    fputc('\n', stream);
    if (row->cause[0])
        fprintf(stream, "  %s\n", row->cause);
}

/* The number with its thousands apart: 112,345. */
static const char *grouped(long number, char *text, int size)
{
    char plain[32];
    int length = snprintf(plain, sizeof plain, "%ld", number), out = 0;
    for (int k = 0; k < length && out < size - 2; k++) {
        if (k > 0 && (length - k) % 3 == 0)
            text[out++] = ',';
        text[out++] = plain[k];
    }
    text[out] = '\0';
    return text;
}

void report_shortfalls(FILE *stream, const struct rows *const *rows, int count)
{
    fputc('\n', stream);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++)
            if (rows[i]->row[k].kind == ROW_JUDGED && rows[i]->row[k].first.name[0])
                print_shortfall(stream, &rows[i]->row[k]);
}

bool report_tally(FILE *stream, const struct tally *tally)
{
    char text[40];
    bool passed = tally->failed == 0;
    fprintf(stream, "%s%ld row%s passed", colour_on(stream, passed ? GREEN : RED),
            tally->passed, tally->passed == 1 ? "" : "s");
    if (tally->refused > 0)
        fprintf(stream, " (%ld: refusal certified)", tally->refused);
    fprintf(stream, ", %ld failed, %ld skipped", tally->failed, tally->skipped);
    for (int k = 0; k < tally->reasons; k++)
        fprintf(stream, "%s%ld %s", k == 0 ? " (" : ", ", tally->reason[k].rows,
                tally->reason[k].text);
    fprintf(stream, "%s; %s number%s compared.%s\n", tally->reasons > 0 ? ")" : "",
            grouped(tally->numbers, text, sizeof text), tally->numbers == 1 ? "" : "s",
            colour_off(stream));
    return passed;
}

bool report_summary(FILE *stream, const struct rows *const *rows, int count)
{
    struct tally tally = {0};
    for (int i = 0; i < count; i++)
        tally_add(&tally, rows[i]);
    return report_tally(stream, &tally);
}
