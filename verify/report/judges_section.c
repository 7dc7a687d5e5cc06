/*
 * judges_section.c - who has judged how many numbers, and how close it was (page.h)
 */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/page.h"

enum { MOST_JUDGES = 32, MOST_REASONS = 16 };

/* All rows of one judge. */
struct judge_sum {
    const char *name;
    int rows, refused, failed;
    double numbers;
    double spare;               /* fewest digits above a bar */
    const cJSON *closest;       /* its row */
};

struct judge_sums {
    int judges, reasons;
    struct judge_sum judge[MOST_JUDGES];
    struct { const char *name; int rows; } reason[MOST_REASONS];
};

static struct judge_sum *judge_of(struct judge_sums *sums, const char *name)
{
    int k = 0;
    while (k < sums->judges && strcmp(sums->judge[k].name, name) != 0)
        k++;
    if (k == MOST_JUDGES)
        return NULL;
    if (k == sums->judges)
        sums->judge[sums->judges++] = (struct judge_sum){.name = name,
                                                         .spare = INFINITY};
    return &sums->judge[k];
}

static void count_reason(struct judge_sums *sums, const char *name)
{
    int k = 0;
    while (k < sums->reasons && strcmp(sums->reason[k].name, name) != 0)
        k++;
    if (k == MOST_REASONS)
        return;
    sums->reason[k].name = name;
    sums->reason[k].rows++;
    sums->reasons += k == sums->reasons;
}

/* Why a row is neither passed nor failed, in a word or two. */
static const char *reason_of(const cJSON *row)
{
    static const char skip[] = "SKIP: ";
    const char *verdict = member_text(row, "verdict");
    const char *status = member_text(member(row, "diagnosis"), "status");
    if (*status)
        return status;
    if (strstr(member_text(row, "note"), "disputed"))
        return "disputed in print";
    return strncmp(verdict, skip, strlen(skip)) == 0 ? verdict + strlen(skip) : verdict;
}

static void add_row(struct judge_sums *sums, const cJSON *row)
{
    const char *verdict = member_text(row, "verdict");
    double numbers = member_number(row, "numbers"), spare = member_number(row, "spare");
    struct judge_sum *judge = judge_of(sums, member_text(row, "oracle"));
    if (strncmp(verdict, "SKIP", 4) == 0) {
        count_reason(sums, reason_of(row));
        return;
    }
    if (!judge)
        return;
    judge->rows++;
    judge->refused += strncmp(verdict, "PASS: ", 6) == 0;
    judge->failed += strncmp(verdict, "FAIL", 4) == 0;
    judge->numbers += isfinite(numbers) ? numbers : 0;
    if (spare < judge->spare) {
        judge->spare = spare;
        judge->closest = row;
    }
}

static void print_judge(FILE *stream, const struct judge_sum *judge)
{
    html(stream, "<tr><th scope=\"row\">%s</th><td class=\"n\" data-l=\"rows\">",
         judge->name);
    html_count(stream, judge->rows);
    html(stream, "</td><td class=\"n\" data-l=\"refusals certified\">%d</td>"
         "<td class=\"n\" data-l=\"failed\">%d</td>"
         "<td class=\"n\" data-l=\"numbers\">", judge->refused, judge->failed);
    html_count(stream, (long)judge->numbers);
    if (judge->closest)         /* adding zero leaves no -0 */
        html(stream, "</td><td class=\"n\" data-l=\"digits to spare, least\">%.2f</td>"
             "<td data-l=\"at\">%s, %s: <code>%s</code></td></tr>\n",
             floor(100 * judge->spare) / 100 + 0.0, member_text(judge->closest, "case"),
             member_text(judge->closest, "solution"),
             member_text(judge->closest, "worst"));
    else
        fputs("</td><td></td><td></td></tr>\n", stream);
}

void section_judges(const struct page *page)
{
    FILE *stream = page->stream;
    struct judge_sums sums = {0};
    const cJSON *row;
    page_section(page, "judges", "Judges");
    if (!page_has(page, PART_VERIFY))
        return;
    cJSON_ArrayForEach(row, member(page->report->part[PART_VERIFY].data, "records"))
        add_row(&sums, row);
    fputs("<p>A row is one mechanism, solved one way, beside one judge. A number passes "
          "when it keeps at least the digits of its bar, which its condition and the "
          "tolerance of the run set, nobody by hand. A refusal passes where the "
          "reference refuses for the same reason at the same time. A number that misses "
          "one bar by a fraction of a digit and keeps that of another judge is not shown "
          "to be wrong.</p>\n", stream);
    html_table(stream, "stack", "Rows and numbers by judge, and the closest call of each",
               "judge|#rows|#refusals certified|#failed|#numbers|#digits to spare, least|"
               "at");
    for (int k = 0; k < sums.judges; k++)
        if (sums.judge[k].rows > 0)
            print_judge(stream, &sums.judge[k]);
    html_table_end(stream);
    if (sums.reasons > 0)
        fputs("<p>Rows that are neither passed nor failed: ", stream);
    for (int k = 0; k < sums.reasons; k++)
        html(stream, "%s%d %s", k > 0 ? ", " : "", sums.reason[k].rows,
             sums.reason[k].name);
    fputs(sums.reasons > 0 ? ".</p>\n</section>\n" : "</section>\n", stream);
}
