/*
 * introduction.c - the text around the verdict table: the meaning of its numbers, who
 * judges, at which tolerance; and verdicts on a jump rule in words.
 */
#include <math.h>
#include <string.h>

#include "jobs/judge.h"
#include "motion/direction.h"
#include "oracles/shared_parts.h"
#include "tables/report.h"
#include "verdict/row_status.h"

/* The tolerance of a run in double that saltus makes; NAN: the job has no such run. */
static double tolerance_of(const struct job *job)
{
    return job->is_reference || !job->shared
               ? NAN : judge_rtol(job->settings, job->desc, job->formulation);
}

/* "; rtol 1e-13, index3 1e-12": the tolerance of the first run, then every other one
   once. */
static void print_tolerances(FILE *stream, struct job *const *job, int count)
{
    char said[400] = "";
    double usual = NAN;
    for (int k = 0; k < count; k++) {
        double rtol = tolerance_of(job[k]);
        size_t used = strlen(said);
        char text[120];
        if (isnan(rtol) || rtol == usual)
            continue;
        if (isnan(usual))
            snprintf(text, sizeof text, "; rtol %.3g", rtol);
        else
            snprintf(text, sizeof text, ", %s %.3g", job[k]->solution, rtol);
        usual = isnan(usual) ? rtol : usual;
        if (!strstr(said, text) && used + strlen(text) < sizeof said)
            memcpy(said + used, text, strlen(text) + 1);
    }
    fputs(said, stream);
}

/* An oracle and the parts that it shares, in lines of at most 88 columns. */
static void print_shares(FILE *stream, const struct oracle *oracle)
{
    enum { INDENT = 19, WIDTH = 88 };
    char text[SHARED_PARTS_TEXT];
    shared_parts_text(oracle, text, sizeof text);
    fprintf(stream, "  %-16s", oracle->name);
    int column = INDENT - 1;
    for (const char *word = text; *word;) {
        int length = (int)strcspn(word, " ");
        if (column + 1 + length > WIDTH) {
            fprintf(stream, "\n%*s", INDENT - 1, "");
            column = INDENT - 1;
        }
        fprintf(stream, " %.*s", length, word);
        column += 1 + length;
        word += length + (word[length] == ' ');
    }
    fputc('\n', stream);
}

void report_introduction(FILE *stream, struct job *const *job, int count)
{
    unsigned asked = 0;
    bool gap = false, thorough = false;
    for (int k = 0; k < count; k++) {
        asked |= job[k]->oracles;
        gap = gap || job[k]->gap;
        thorough = thorough || job[k]->settings->thorough;
    }
    fputs("Each row: one mechanism, one way of solving it, one independent judge.\n"
          "digits = decimal digits that agree, -log10 |got - want| / (the largest\n"
          "|want| of that quantity so far), of the number with the least to spare above\n"
          "its bar", stream);
    print_tolerances(stream, job, count);
    fprintf(stream, ".\n\n");
    for (int k = 0; k < ORACLE_COUNT; k++) {
        if (asked & 1u << k)
            print_shares(stream, &oracles[k]);
        if (!thorough && (asked & 1u << k & ORACLE_MPFR))
            fprintf(stream, "  %-16s stored values along one direction (seed %d), at "
                    "events and the end\n", "", DIRECTION_SEED);
    }
    if (gap)
        fprintf(stream, "  %-16s not judged: how far a penalty motion is from the exact "
                "one\n", "gap");
    fputc('\n', stream);
}

void report_rule(FILE *stream, const char *name, const struct rows *const *rows,
                 int count)
{
    fputc('\n', stream);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++) {
            const struct row *row = &rows[i]->row[k];
            const struct verdict *first = &row->first;
            char place[160];
            if (row->kind != ROW_JUDGED)
                continue;
            fprintf(stream, "rule %s: ", name);
            verdict_place(first, place, sizeof place);
            if (first->name[0])
                fprintf(stream, "caught at %s, %.1f digits; got %s, want %s", place,
                        digits_to(first->digits, 1), first->got, first->want);
            else
                fprintf(stream, "held, %.1f digits", digits_to(row->worst.digits, 1));
            fprintf(stream, " (%s, %s, %s)\n", row->case_name, row->solution,
                    row->oracle);
            if (row->cause[0])
                fprintf(stream, "  %s\n", row->cause);
        }
}
