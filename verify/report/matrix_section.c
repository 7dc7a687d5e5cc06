/*
 * matrix_section.c - the matrix of digits: every formulation on every case (page.h)
 */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/page.h"
#include "verdict/row_status.h"

static const char as_ode[] = "no mode has constraints";

/* Digits in steps, each of a colour: the class of a cell. */
static int step_of(double digits)
{
    return digits < 6 ? 0 : digits < 8 ? 1 : digits < 10 ? 2 : digits < 12 ? 3 : 4;
}

/* "after.1.dv.x/de at t = 0.5: 12.1 digits, bar 9.9" */
static void print_worst(FILE *stream, const cJSON *least)
{
    html(stream, "%s at t = %.6g: %.1f digits, bar %.1f", member_text(least, "quantity"),
         member_number(least, "t"), digits_to(member_number(least, "digits"), 1),
         member_number(least, "bar"));
}

static void print_empty(FILE *stream, const cJSON *cell, int index)
{
    const char *why = member_text(cell, "empty");
    if (strncmp(why, as_ode, strlen(as_ode)) == 0) {
        html(stream, "<td class=\"as-ode\"><abbr title=\"%s\">=</abbr></td>", why);
        return;
    }
    int length = (int)strcspn(why, ":");
    const char *at = strstr(why, " at t");
    if (at && at - why < length)
        length = (int)(at - why);
    char word[80];
    snprintf(word, sizeof word, "%.*s", length < 79 ? length : 79, why);
    html(stream, "<td class=\"none\">"
         "<button type=\"button\" data-cell=\"%d\" "
         "title=\"%s\">%s</button></td>", index, why, word);
}

static void print_cell(FILE *stream, const cJSON *cell, int index)
{
    double digits = member_number(cell, "digits"), gap = member_number(cell, "gap");
    if (isnan(digits)) {
        print_empty(stream, cell, index);
        return;
    }
    bool below = cJSON_IsFalse(member(cell, "pass"));
    html(stream, "<td class=\"d%d%s\"><button type=\"button\" data-cell=\"%d\" title=\"",
         step_of(digits), below ? " below" : "", index);
    print_worst(stream, member(cell, "least"));
    html(stream, "\">%.1f%s", floor(10 * digits) / 10, below ? "!" : "");
    if (isfinite(gap))
        html(stream, " <small>%.0e</small>", gap);
    fputs("</button></td>", stream);
}

static bool same_case(const cJSON *one, const cJSON *other)
{
    return strcmp(member_text(one, "case"), member_text(other, "case")) == 0;
}

/* Prints the name of a case, which leads to its card, if there is one. */
static void print_name(const struct page *page, const char *name)
{
    if (page->exhibit)
        html(page->stream, "<th scope=\"row\"><a href=\"#case-%s\">%s</a></th>", name,
             name);
    else
        html(page->stream, "<th scope=\"row\">%s</th>", name);
}

static void print_table(const struct page *page, const cJSON *cells)
{
    FILE *stream = page->stream;
    const cJSON *cell, *last = NULL;
    int index = 0;
    fputs("<table class=\"matrix\"><caption>Digits of the worst number of each run; "
          "small: modelling gap</caption>\n<thead><tr>"
          "<th scope=\"col\">case</th>", stream);
    cJSON_ArrayForEach(cell, cells) {
        if (!same_case(cell, cells->child))
            break;
        html(stream, "<th scope=\"col\">%s</th>", member_text(cell, "formulation"));
    }
    fputs("</tr></thead>\n<tbody>", stream);
    cJSON_ArrayForEach(cell, cells) {
        if (!last || !same_case(cell, last)) {
            fputs(last ? "</tr>\n<tr>" : "<tr>", stream);
            print_name(page, member_text(cell, "case"));
        }
        print_cell(stream, cell, index++);
        last = cell;
    }
    fputs("</tr>\n</tbody></table>\n", stream);
}

/* The worst number of every cell as a table, for those who print the page or have no
   JavaScript. */
static void print_list(FILE *stream, const cJSON *cells)
{
    const cJSON *cell;
    fputs("<details><summary>The worst number of every run, as a "
          "table</summary>\n", stream);
    html_table(stream, "", "The number with the fewest digits of every run",
               "case|solved by|quantity|#t|#got|#digits|#bar|limited by");
    cJSON_ArrayForEach(cell, cells) {
        const cJSON *least = member(cell, "least");
        if (!least)
            continue;
        html(stream, "<tr>"
             "<th scope=\"row\">%s</th><td>%s</td><td><code>%s</code></td>"
             "<td class=\"n\">%.6g</td><td class=\"n\">%s</td>"
             "<td class=\"n\">%.1f</td>"
             "<td class=\"n\">%.1f</td><td>%s</td></tr>\n", member_text(cell, "case"),
             member_text(cell, "formulation"), member_text(least, "quantity"),
             member_number(least, "t"), member_text(least, "got"),
             member_number(least, "digits"), member_number(least, "bar"),
             member_text(cell, "why"));
    }
    html_table_end(stream);
    fputs("</details>\n", stream);
}

void section_matrix(const struct page *page)
{
    FILE *stream = page->stream;
    page_section(page, "matrix", "Matrix of digits");
    if (!page_has(page, PART_MATRIX))
        return;
    const cJSON *cells = member(page->report->part[PART_MATRIX].data, "matrix");
    fputs("<p>Each cell is one run in double precision beside the certified values of "
          "the motion that its formulation follows: the digits that its worst number "
          "keeps, among values and derivatives, at all times and on both sides of every "
          "event. Choose a cell to see that number. Small print in a cell is the "
          "modelling gap of a formulation with a motion of its own; a word is the reason "
          "why there are no numbers; "
          "<abbr title=\"no mode has constraints: the same as ode\">=</abbr> stands "
          "where no mode has constraints and the equations are those of ode.</p>\n"
          "<ul class=\"legend\" aria-label=\"Colours\"><li class=\"d0\">below 6</li>"
          "<li class=\"d1\">6 to 8</li><li class=\"d2\">8 to 10</li><li class=\"d3\">10 "
          "to 12</li><li class=\"d4\">12 digits and more</li></ul>\n",
          stream);
    fputs("<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-label=\"Matrix "
          "of digits\">\n", stream);
    print_table(page, cells);
    fputs("</div>\n", stream);
    print_list(stream, cells);
    fputs("<dialog id=\"worst\" aria-labelledby=\"worst-title\"></dialog>\n</section>\n",
          stream);
}
