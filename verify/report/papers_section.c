/*
 * papers_section.c - printed formulas and papers, verdict by verdict (page.h)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/page.h"

static const cJSON *papers_of(const struct page *page)
{
    return member(page->report->part[PART_PAPERS].data, "papers");
}

/* --- the ledger --------------------------------------------------------------------- */

static void print_formula(FILE *stream, const cJSON *paper, const cJSON *row)
{
    const char *verdict = member_text(row, "verdict");
    const char *corrected = member_text(row, "corrected");
    html(stream, "<tr class=\"%s\"><th scope=\"row\"><a href=\"#paper-%s\">%s %s</a>, "
         "%s</th><td><span class=\"verdict\">%s</span></td><td><code>%s</code>", verdict,
         member_text(paper, "name"), member_text(paper, "authors"),
         member_text(paper, "year"), member_text(row, "where"), verdict,
         member_text(row, "printed"));
    if (*corrected)
        html(stream, "<span class=\"becomes\">becomes</span><code>%s</code>", corrected);
    fputs("</td><td class=\"n\" data-l=\"digits as printed\">", stream);
    html_digits(stream, member_number(row, "printed_digits"));
    fputs(*corrected ? "</td><td class=\"n\" data-l=\"digits corrected\">"
                     : "</td><td class=\"n\">", stream);
    if (*corrected)
        html_digits(stream, member_number(row, "corrected_digits"));
    html(stream, "</td><td data-l=\"judge\">%s</td></tr>\n"
         "<tr class=\"evidence\"><td></td>"
         "<td colspan=\"5\">%s</td></tr>\n", member_text(row, "judge"),
         member_text(row, "evidence"));
}

void section_ledger(const struct page *page)
{
    FILE *stream = page->stream;
    const cJSON *paper, *row;
    page_section(page, "ledger", "Ledger of printed formulas");
    if (!page_has(page, PART_PAPERS))
        return;
    if (page->totals.formulas == 0) {
        fputs("<p>No printed formula was tried.</p>\n</section>\n", stream);
        return;
    }
    html(stream, "<p>Every formula stands as it is printed, in letters of the project, "
         "and is run beside the corrected one: digits of the quantity that it computes, "
         "by a judge that uses neither. %d of %d are wrong as printed, which says "
         "nothing of the programs of their authors.</p>\n", page->totals.wrong,
         page->totals.formulas);
    html_table(stream, "ledger stack", "Printed formulas, tried",
               "where|verdict|formula|#digits as printed|#digits corrected|judge");
    cJSON_ArrayForEach(paper, papers_of(page))
        cJSON_ArrayForEach(row, member(paper, "formulas"))
            print_formula(stream, paper, row);
    html_table_end(stream);
    fputs("</section>\n", stream);
}

/* --- a paper ------------------------------------------------------------------------ */

static const char *verdict_class(const char *verdict)
{
    return strcmp(verdict, "not reproducible") == 0 ? "open" : verdict;
}

static void print_claim(FILE *stream, const cJSON *claim)
{
    const char *verdict = member_text(claim, "verdict");
    double agreed = member_number(claim, "agreed");
    html(stream, "<tr class=\"%s\"><th scope=\"row\">%s</th><td>%s</td>"
         "<td class=\"n\" data-l=\"printed\">%s</td>"
         "<td class=\"n\" data-l=\"ours\">%s</td><td data-l=\"unit\">%s</td><td>"
         "<span class=\"verdict\">%s</span>", verdict_class(verdict),
         cJSON_IsTrue(member(claim, "own")) ? "check of ours"
                                            : member_text(claim, "where"),
         member_text(claim, "claim"),
         member_text(claim, "printed"), member_text(claim, "ours"),
         member_text(claim, "unit"), verdict);
    if (isfinite(agreed))
        html(stream, " <small>%.0f printed %s</small>", agreed,
             agreed == 1 ? "digit holds" : "digits hold");
    fputs("</td></tr>\n", stream);
    if (*member_text(claim, "evidence"))
        html(stream, "<tr class=\"evidence\"><td></td><td colspan=\"5\">%s</td></tr>\n",
             member_text(claim, "evidence"));
}

static void print_claims(FILE *stream, const cJSON *paper)
{
    const cJSON *claim;
    if (cJSON_GetArraySize(member(paper, "claims")) == 0)
        return;
    char caption[300];
    snprintf(caption, sizeof caption, "Printed numbers and statements, %.200s %.20s",
             member_text(paper, "authors"), member_text(paper, "year"));
    html_table(stream, "claims stack", caption,
               "where|claim|#printed|#ours|unit|verdict");
    cJSON_ArrayForEach(claim, member(paper, "claims"))
        print_claim(stream, claim);
    html_table_end(stream);
}

/* Prints a picture of the data folder as an image that is part of the page. */
static void print_image(const struct page *page, const char *file, const char *alt)
{
    char *svg = report_file(page->report, file);
    if (!svg) {
        html(page->stream, "<p class=\"missing\">%s is missing.</p>", file);
        return;
    }
    html(page->stream, "<img loading=\"lazy\" alt=\"%s\" "
         "src=\"data:image/svg+xml;base64,", alt);
    html_base64(page->stream, svg, strlen(svg));
    fputs("\">", page->stream);
    free(svg);
}

static void print_figures(const struct page *page, const cJSON *paper)
{
    const cJSON *figure;
    char file[200];
    if (cJSON_GetArraySize(member(paper, "figures")) == 0)
        return;
    fputs("<div class=\"figures\">\n", page->stream);
    cJSON_ArrayForEach(figure, member(paper, "figures")) {
        snprintf(file, sizeof file, "papers/%.150s.svg", member_text(figure, "name"));
        fputs("<figure>", page->stream);
        print_image(page, file, member_text(figure, "alt"));
        html(page->stream, "<figcaption><strong>%s</strong> %s</figcaption></figure>\n",
             member_text(figure, "where"), member_text(figure, "title"));
    }
    fputs("</div>\n", page->stream);
}

static void print_paper(const struct page *page, const cJSON *paper)
{
    FILE *stream = page->stream;
    const cJSON *refused;
    html(stream, "<article class=\"paper\" id=\"paper-%s\"><h3>%s %s</h3>\n"
         "<p class=\"title\"><cite>%s</cite>. %s</p>\n", member_text(paper, "name"),
         member_text(paper, "authors"), member_text(paper, "year"),
         member_text(paper, "title"), member_text(paper, "journal"));
    if (*member_text(paper, "question"))
        html(stream, "<p>%s</p>\n", member_text(paper, "question"));
    cJSON_ArrayForEach(refused, member(paper, "refused"))
        html(stream, "<p class=\"missing\">%s was refused: %s</p>\n",
             refused->child ? refused->child->string : "",
             refused->child && refused->child->valuestring ? refused->child->valuestring
                                                           : "");
    print_claims(stream, paper);
    print_figures(page, paper);
    html(stream, "<p><code>saltus reproduce %s -o DIR</code></p></article>\n",
         member_text(paper, "name"));
}

/* Checks of ours beside the claims of a paper do not count. */
static int count_verdicts(const cJSON *rows, const char *verdict)
{
    const cJSON *row;
    int count = 0;
    cJSON_ArrayForEach(row, rows)
        count += !cJSON_IsTrue(member(row, "own")) &&
                 strcmp(member_text(row, "verdict"), verdict) == 0;
    return count;
}

/* Prints how many verdicts of each kind every paper has. */
static void print_overview(const struct page *page)
{
    FILE *stream = page->stream;
    const cJSON *paper;
    html_table(stream, "", "Verdicts by paper", "paper|#claims confirmed|#refuted|"
               "#not reproducible|#formulas wrong|#formulas tried");
    cJSON_ArrayForEach(paper, papers_of(page)) {
        const cJSON *claims = member(paper, "claims");
        const cJSON *formulas = member(paper, "formulas");
        html(stream, "<tr><th scope=\"row\"><a href=\"#paper-%s\">%s %s</a></th>"
             "<td class=\"n\">%d</td><td class=\"n\">%d</td><td class=\"n\">%d</td>"
             "<td class=\"n\">%d</td><td class=\"n\">%d</td></tr>\n",
             member_text(paper, "name"), member_text(paper, "authors"),
             member_text(paper, "year"), count_verdicts(claims, "confirmed"),
             count_verdicts(claims, "refuted"),
             count_verdicts(claims, "not reproducible"),
             count_verdicts(formulas, "wrong"), cJSON_GetArraySize(formulas));
    }
    html_table_end(stream);
}

void section_papers(const struct page *page)
{
    const cJSON *paper;
    page_section(page, "papers", "Papers");
    if (!page_has(page, PART_PAPERS))
        return;
    fputs("<p>The case study of each paper is run again, and every printed number and "
          "statement gets a verdict from the numbers of this run alone: confirmed; "
          "refuted, and the line below has what came out; or not reproducible, where "
          "data that it depends on are not printed.</p>\n", page->stream);
    print_overview(page);
    cJSON_ArrayForEach(paper, papers_of(page))
        print_paper(page, paper);
    fputs("</section>\n", page->stream);
}

/* --- work and precision ------------------------------------------------------------- */

void section_bench(const struct page *page)
{
    FILE *stream = page->stream;
    char command[400];
    page_section(page, "bench", "Time against true error");
    if (!page_has(page, PART_BENCH))
        return;
    report_command(page->report, PART_BENCH, command, sizeof command);
    fputs("<figure class=\"wide\">", stream);
    print_image(page, "bench.svg", "Work-precision plot: processor time of one solution "
                "of the five-bar mechanism with two sensitivities against its largest "
                "error beside certified values, a curve for each solver.");
    html(stream, "<figcaption>Time of one solution against its true error, solvers in "
         "turn in every round: <code>%s</code>. Times are of the machine that has made "
         "this report, and no two runs have them in common; errors are by certified "
         "values.</figcaption></figure>\n</section>\n", command);
}
