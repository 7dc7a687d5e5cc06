/*
 * totals.c - the numbers of the report, and its verdict in one sentence (page.h)
 */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/page.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static const cJSON *list_of(const struct report *report, enum part_id id,
                            const char *name)
{
    return member(report->part[id].data, name);
}

static void add_rows(struct totals *totals, const cJSON *records)
{
    const cJSON *record;
    cJSON_ArrayForEach(record, records) {
        const char *verdict = member_text(record, "verdict");
        double numbers = member_number(record, "numbers");
        totals->passed += begins(verdict, "PASS");
        totals->refused += begins(verdict, "PASS: ");
        totals->failed += begins(verdict, "FAIL");
        totals->skipped += begins(verdict, "SKIP");
        if (isfinite(numbers) && !begins(verdict, "SKIP"))
            totals->numbers += (long)numbers;
    }
}

/* The matrix has each formulation once in each case. */
static void add_matrix(struct totals *totals, const cJSON *cells)
{
    const cJSON *cell, *first = cells ? cells->child : NULL;
    cJSON_ArrayForEach(cell, cells) {
        totals->formulations += strcmp(member_text(cell, "case"),
                                       member_text(first, "case")) == 0;
        totals->below += cJSON_IsFalse(member(cell, "pass"));
    }
}

static void add_faults(struct totals *totals, const cJSON *seeded)
{
    const cJSON *fault, *item;
    cJSON_ArrayForEach(fault, seeded) {
        int caught = 0, missed = 0;
        cJSON_ArrayForEach(item, member(fault, "cases")) {
            caught += strcmp(member_text(item, "outcome"), "caught") == 0;
            missed += strcmp(member_text(item, "outcome"), "missed") == 0;
        }
        totals->faults += caught + missed > 0;
        totals->caught += caught > 0 && missed == 0;
        totals->missed += missed;
    }
}

static void add_papers(struct totals *totals, const cJSON *papers)
{
    const cJSON *paper, *row;
    cJSON_ArrayForEach(paper, papers) {
        totals->papers++;
        cJSON_ArrayForEach(row, member(paper, "claims")) {
            if (cJSON_IsTrue(member(row, "own")))
                continue;
            const char *verdict = member_text(row, "verdict");
            totals->claims++;
            totals->confirmed += strcmp(verdict, "confirmed") == 0;
            totals->refuted += strcmp(verdict, "refuted") == 0;
            totals->open += strcmp(verdict, "not reproducible") == 0;
        }
        cJSON_ArrayForEach(row, member(paper, "formulas")) {
            totals->formulas++;
            totals->wrong += strcmp(member_text(row, "verdict"), "wrong") == 0;
        }
        totals->studies_refused += cJSON_GetArraySize(member(paper, "refused"));
    }
}

void totals_of(struct totals *totals, const struct report *report,
               const struct exhibit *exhibit)
{
    *totals = (struct totals){.mechanisms = report->cases};
    for (int k = 0; exhibit && k < report->cases; k++)
        totals->drawn += exhibit[k].drawn;
    add_rows(totals, list_of(report, PART_VERIFY, "records"));
    add_matrix(totals, list_of(report, PART_MATRIX, "matrix"));
    add_faults(totals, list_of(report, PART_MUTANTS, "seeded"));
    add_papers(totals, list_of(report, PART_PAPERS, "papers"));
}

bool report_all_held(const struct report *report)
{
    struct totals totals;
    bool there = true;
    for (int id = 0; id < PARTS; id++)
        there = there && report->part[id].state != PART_MISSING;
    totals_of(&totals, report, NULL);
    return there && totals.failed == 0 && totals.below == 0 &&
           totals.studies_refused == 0 &&
           !cJSON_IsFalse(member(report->part[PART_MUTANTS].data, "held"));
}

/* --- the sentence ------------------------------------------------------------------- */

static void say_rows(FILE *stream, const struct totals *totals)
{
    fputs(", ", stream);
    html_counted(stream, totals->numbers, "number was compared", "numbers were compared");
    fputs(" with independent judges, ", stream);
    if (totals->failed == 0) {
        fputs(totals->passed > 1 ? "and all " : "and ", stream);
        html_counted(stream, totals->passed, "verdict passed", "verdicts passed");
    } else {
        fputs("and <strong>", stream);
        html_count(stream, totals->failed);
        fputs(" of ", stream);
        html_counted(stream, totals->passed + totals->failed, "verdict", "verdicts");
        fputs(" failed</strong>", stream);
    }
    if (totals->skipped == 0)
        return;
    fputs(" (", stream);
    html_count(stream, totals->skipped);
    fputs(" more skipped, each with its reason)", stream);
}

static void say_faults(FILE *stream, const struct totals *totals)
{
    fputs("; ", stream);
    if (totals->caught == totals->faults)
        fputs(totals->faults > 1 ? "all " : "", stream);
    else
        html(stream, "%d of ", totals->caught);
    html_counted(stream, totals->faults, "fault made on purpose was",
                 "faults made on purpose were");
    fputs(" caught", stream);
}

static void say_papers(FILE *stream, const struct totals *totals)
{
    fputs("; of ", stream);
    html_counted(stream, totals->claims, "printed claim of ", "printed claims of ");
    html_counted(stream, totals->papers, "paper", "papers");
    html(stream, ", %d %s confirmed, %d refuted and %d not reproducible from what is "
         "printed", totals->confirmed, totals->confirmed == 1 ? "is" : "are",
         totals->refuted, totals->open);
    if (totals->formulas == 0)
        return;
    fputs(", and of ", stream);
    html_counted(stream, totals->formulas, "printed formula that was tried",
                 "printed formulas that were tried");
    html(stream, ", %d %s wrong as printed", totals->wrong,
         totals->wrong == 1 ? "is" : "are");
}

void totals_sentence(FILE *stream, const struct totals *totals,
                     const struct report *report)
{
    const struct gathered *part = report->part;
    fputs("On ", stream);
    html_counted(stream, totals->mechanisms, "mechanism", "mechanisms");
    if (totals->formulations > 0) {
        fputs(", in ", stream);
        html_counted(stream, totals->formulations, "formulation", "formulations");
    }
    if (part[PART_VERIFY].data)
        say_rows(stream, totals);
    else
        fputs(", no verdict is part of this report", stream);
    if (part[PART_MUTANTS].data)
        say_faults(stream, totals);
    if (part[PART_PAPERS].data)
        say_papers(stream, totals);
    fputs(".", stream);
}
