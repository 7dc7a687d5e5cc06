/*
 * mutants_section.c - faults made on purpose, and who has caught them (page.h)
 */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/page.h"

enum { MOST_ORACLES = 12 };

/* Outcomes of one seeded fault on all cases. */
struct fault_sum {
    int caught, missed, refused;
    int oracles;
    struct { const char *name; int cases; double spare; } oracle[MOST_ORACLES];
    const cJSON *plainest;      /* case on which most digits are missing */
    const char *first;          /* the first wrong number there */
    double spare;
};

static bool is_outcome(const cJSON *item, const char *outcome)
{
    return strcmp(member_text(item, "outcome"), outcome) == 0;
}

static void add_oracle(struct fault_sum *sum, const cJSON *item, const cJSON *found)
{
    double spare = member_number(found, "spare");
    int k = 0;
    if (!cJSON_IsTrue(member(found, "caught")))
        return;
    while (k < sum->oracles && strcmp(sum->oracle[k].name, found->string) != 0)
        k++;
    if (k == MOST_ORACLES)
        return;
    sum->oracle[k].name = found->string;
    sum->oracles += k == sum->oracles;
    sum->oracle[k].cases++;
    sum->oracle[k].spare = fmax(sum->oracle[k].spare, spare);
    if (!sum->plainest || spare > sum->spare) {
        sum->plainest = item;
        sum->spare = spare;
        sum->first = member_text(found, "first");
    }
}

static void add_case(struct fault_sum *sum, const cJSON *item)
{
    const cJSON *found;
    sum->caught += is_outcome(item, "caught");
    sum->missed += is_outcome(item, "missed");
    sum->refused += is_outcome(item, "caught") && *member_text(item, "refusal");
    cJSON_ArrayForEach(found, member(item, "oracles"))
        if (is_outcome(item, "caught"))
            add_oracle(sum, item, found);
}

static void print_oracles(FILE *stream, const struct fault_sum *sum)
{
    for (int k = 0; k < sum->oracles; k++)
        html(stream, "%s<span class=\"who\">%s %d&times; %.1f</span>", k > 0 ? " " : "",
             sum->oracle[k].name, sum->oracle[k].cases, sum->oracle[k].spare);
    if (sum->refused > 0)
        html(stream, "%s<span class=\"who\">refused %d&times;</span>",
             sum->oracles > 0 ? " " : "", sum->refused);
}

static void print_fault(FILE *stream, const cJSON *fault)
{
    struct fault_sum sum = {0};
    const cJSON *item;
    cJSON_ArrayForEach(item, member(fault, "cases"))
        add_case(&sum, item);
    fputs(sum.missed > 0 ? "<tr class=\"missed\">" : "<tr>", stream);
    html(stream, "<td class=\"n\">%.0f</td><th scope=\"row\">%s</th>"
         "<td class=\"n\" data-l=\"caught\">%d of %d</td><td data-l=\"seen by\">",
         member_number(fault, "number"), member_text(fault, "fault"), sum.caught,
         sum.caught + sum.missed);
    print_oracles(stream, &sum);
    if (sum.plainest)
        html(stream, "</td><td data-l=\"seen best\">%s: <code>%s</code></td></tr>\n",
             member_text(sum.plainest, "case"),
             *sum.first ? sum.first : "another number of events");
    else
        html(stream, "</td><td data-l=\"seen best\">%s</td></tr>\n",
             sum.refused > 0 ? "the run is refused" : "changes no number here");
}

static void print_generated(FILE *stream, const cJSON *generated, double every)
{
    const cJSON *item;
    if (cJSON_GetArraySize(generated) == 0)
        return;
    html(stream, "<h3>Generated faults</h3>\n<p>Each row of the derivatives of a few "
         "cases made wrong, one mutant in %.0f of them tried here; those that no number "
         "can feel are not counted.</p>\n", every);
    html_table(stream, "", "Generated faults", "case|solved by|#caught");
    cJSON_ArrayForEach(item, generated)
        html(stream, "<tr><th scope=\"row\">%s</th><td>%s</td><td class=\"n\">%.0f of "
             "%.0f</td></tr>\n", member_text(item, "case"),
             member_text(item, "formulation"), member_number(item, "caught"),
             member_number(item, "counted"));
    html_table_end(stream);
}

void section_mutants(const struct page *page)
{
    FILE *stream = page->stream;
    const cJSON *data = page->report->part[PART_MUTANTS].data, *fault;
    page_section(page, "mutants", "Faults made on purpose");
    if (!page_has(page, PART_MUTANTS))
        return;
    fputs("<p>Bugs that solvers have had, each made in every case. <em>Caught</em>: of "
          "the cases in which the fault moves a number past its bar, those in which a "
          "judge has seen it. <em>Seen by</em>: each judge, in how many cases it has "
          "seen the fault, and by how many digits a number was below its bar where that "
          "is most; the last column has the case and the number.</p>\n", stream);
    if (member_number(data, "missing") > 0)
        html(stream, "<p class=\"missing\">Not judged, without certified values: %.0f."
             "</p>\n", member_number(data, "missing"));
    html_table(stream, "faults stack", "Seeded faults",
               "#no|fault|#caught|seen by: cases x digits|seen best");
    cJSON_ArrayForEach(fault, member(data, "seeded"))
        print_fault(stream, fault);
    html_table_end(stream);
    print_generated(stream, member(data, "generated"), member_number(data, "every"));
    fputs("</section>\n", stream);
}
