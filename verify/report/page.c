/*
 * page.c - the page as a whole: its head, verdict, sections and data (page.h)
 */
#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/outfile.h"
#include "report/html.h"
#include "tables/json_parts.h"

EMBED(page_css, "verify/report/page.css");
EMBED(page_js, "verify/report/page.js");

/* --- members of JSON ---------------------------------------------------------------- */

const cJSON *member(const cJSON *object, const char *name)
{
    return object ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

const char *member_text(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

double member_number(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

void html_digits(FILE *stream, double digits)
{
    if (isfinite(digits))
        html(stream, "%.1f", digits);
    else
        fputs("&ndash;", stream);
}

/* --- sections ----------------------------------------------------------------------- */

static const struct {
    const char *name, *label;
    void (*print)(const struct page *page);
} sections[] = {
    {"mechanisms", "Mechanisms", section_gallery},
    {"matrix", "Matrix", section_matrix},
    {"judges", "Judges", section_judges},
    {"mutants", "Faults", section_mutants},
    {"ledger", "Ledger", section_ledger},
    {"papers", "Papers", section_papers},
    {"bench", "Time and error", section_bench},
    {"making", "Colophon", section_making},
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

void page_section(const struct page *page, const char *name, const char *heading)
{
    html(page->stream, "\n<section id=\"%s\" aria-labelledby=\"%s-heading\">\n"
         "<h2 id=\"%s-heading\">%s</h2>\n", name, name, name, heading);
}

bool page_has(const struct page *page, enum part_id id)
{
    const struct gathered *gathered = &page->report->part[id];
    if (gathered->state == PART_THERE)
        return true;
    if (gathered->state == PART_NOT_ASKED)
        html(page->stream, "<p class=\"missing\">This part was left out of the report "
             "(--parts).</p>\n</section>\n");
    else
        html(page->stream, "<p class=\"missing\">This part could not be made: "
             "%s.</p>\n</section>\n", gathered->why);
    return false;
}

void section_making(const struct page *page)
{
    char command[8000];
    FILE *stream = page->stream;
    page_section(page, "making", "How this page was made");
    html(stream, "<p>saltus %s has written this page by <code>saltus report</code>; it "
         "needs no network. Each part is the output of a command that anyone can "
         "run:</p>\n", SALTUS_VERSION);
    html_table(stream, "", "Parts of the report", "part|command|here");
    for (int id = 0; id < PARTS; id++) {
        const struct gathered *gathered = &page->report->part[id];
        report_command(page->report, (enum part_id)id, command, sizeof command);
        html(stream, "<tr><th scope=\"row\">%s</th><td><code>%s%s</code></td>"
             "<td>%s%s</td></tr>\n", parts[id].title, command,
             id == PART_CATALOGUE ? " CASE --plot FILE" : "",
             gathered->state == PART_THERE ? "yes"
             : gathered->state == PART_NOT_ASKED ? "left out" : "missing: ",
             gathered->state == PART_MISSING ? gathered->why : "");
    }
    html_table_end(stream);
    fputs("<p>All of it but times gives the same bytes when it is made again by the same "
          "build.</p>\n</section>\n", stream);
}

/* --- data --------------------------------------------------------------------------- */

/* Prints JSON as the text of a script element: < is \u003c there. */
static void print_json(FILE *stream, const char *id, const cJSON *value)
{
    char *text = json_printed(value);
    fprintf(stream, "<script type=\"application/json\" id=\"%s\">", id);
    for (const char *c = text; *c; c++)
        if (*c == '<')
            fputs("\\u003c", stream);
        else
            putc(*c, stream);
    fputs("</script>\n", stream);
    cJSON_free(text);
}

/* Rows of verdicts without what the page does not show. */
static cJSON *short_rows(const cJSON *records)
{
    static const char *const kept[] = {"case", "solution", "oracle", "verdict", "numbers",
                                       "least", "spare", "worst"};
    cJSON *rows = cJSON_CreateArray();
    const cJSON *record;
    cJSON_ArrayForEach(record, records) {
        cJSON *row = cJSON_CreateArray();
        for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) {
            const cJSON *item = member(record, kept[k]);
            cJSON_AddItemToArray(row, item ? cJSON_Duplicate(item, true)
                                           : cJSON_CreateNull());
        }
        cJSON_AddItemToArray(rows, row);
    }
    return rows;
}

void page_data(const struct page *page)
{
    const struct report *report = page->report;
    cJSON *motions = cJSON_CreateObject();
    for (int k = 0; page->exhibit && k < report->cases; k++)
        if (page->exhibit[k].drawn)
            cJSON_AddItemToObject(motions, report->desc[k]->name,
                                  animation_json(&page->exhibit[k].animation));
    print_json(page->stream, "motions", motions);
    cJSON_Delete(motions);
    const cJSON *cells = member(report->part[PART_MATRIX].data, "matrix");
    if (cells)
        print_json(page->stream, "cells", cells);
    cJSON *rows = short_rows(member(report->part[PART_VERIFY].data, "records"));
    print_json(page->stream, "rows", rows);
    cJSON_Delete(rows);
}

/* --- the page ----------------------------------------------------------------------- */

static void print_number(FILE *stream, long count, const char *what)
{
    fputs("<li><strong>", stream);
    html_count(stream, count);
    html(stream, "</strong> %s</li>\n", what);
}

static void print_top(const struct page *page)
{
    FILE *stream = page->stream;
    const struct totals *totals = &page->totals;
    const struct gathered *part = page->report->part;
    fputs("<header>\n<div>"
          "<p class=\"name\">saltus</p>\n<h1>Sensitivities of hybrid multibody systems, "
          "judged</h1>\n<p class=\"verdict-line\">", stream);
    totals_sentence(stream, totals, page->report);
    fputs("</p></div>\n", stream);
    gallery_first(page);
    fputs("<ul class=\"numbers\">\n", stream);
    print_number(stream, totals->mechanisms, "mechanisms");
    if (part[PART_VERIFY].data)
        print_number(stream, totals->numbers, "numbers compared");
    if (part[PART_VERIFY].data)
        print_number(stream, totals->failed, "verdicts failed");
    if (part[PART_MUTANTS].data)
        print_number(stream, totals->faults, "faults made on purpose");
    if (part[PART_PAPERS].data)
        print_number(stream, totals->claims, "printed claims judged");
    if (part[PART_PAPERS].data)
        print_number(stream, totals->formulas, "printed formulas tried");
    fputs("</ul>\n</header>\n<nav aria-label=\"Sections\"><ul>\n", stream);
    for (int k = 0; k < SECTIONS; k++)
        html(stream, "<li><a href=\"#%s\">%s</a></li>\n", sections[k].name,
             sections[k].label);
    fputs("</ul></nav>\n", stream);
}

static void print_page(FILE *stream, const void *context)
{
    struct page own = *(const struct page *)context;
    const struct page *page = &own;
    own.stream = stream;
    html(stream, "<!DOCTYPE html>\n<html lang=\"en-GB\">\n<head>\n"
         "<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
         "<meta name=\"generator\" content=\"saltus %s\">\n<title>saltus %s: "
         "sensitivities of hybrid multibody systems, "
         "judged</title>\n<style>\n", SALTUS_VERSION, SALTUS_VERSION);
    fputs(page_css, stream);
    fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the "
          "sections</a>\n", stream);
    print_top(page);
    fputs("<main id=\"main\">\n"
          "<section id=\"reading\" aria-labelledby=\"reading-heading\">\n"
          "<h2 id=\"reading-heading\">How to read this</h2>\n<p>A hybrid mechanism moves "
          "smoothly until an event: an impact, a stop, a rope that goes taut. There its "
          "velocities may jump, and the derivatives of its motion by a parameter jump as "
          "well, because the time of the event moves with the parameter. saltus runs "
          "such mechanisms with these derivatives, and has every number judged by "
          "somebody who computes it another way. <em>Digits</em> are decimal digits on "
          "which both agree; a <em>bar</em> says how many can be asked for; what has no "
          "answer is refused, and the refusal is judged, too.</p>\n</section>\n", stream);
    for (int k = 0; k < SECTIONS; k++)
        sections[k].print(page);
    fputs("</main>\n", stream);
    page_data(page);
    fputs("<script>\n", stream);
    fputs(page_js, stream);
    fputs("</script>\n</body>\n</html>\n", stream);
}

bool report_page(struct report *report, char *error, int size)
{
    char path[PATH_MAX + 20], why[400];
    struct page page = {.report = report};
    snprintf(path, sizeof path, "%s/index.html", report->folder);
    if (report->wanted[PART_CATALOGUE])
        page.exhibit = exhibits_new(report);
    totals_of(&page.totals, report, page.exhibit);
    bool good = outfile_print(path, print_page, &page, why, sizeof why);
    if (!good)
        snprintf(error, (size_t)size, "%.300s: cannot be written: %.200s", path, why);
    exhibits_free(page.exhibit, report->cases);
    return good;
}
