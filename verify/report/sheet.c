/*
 * sheet.c - all mechanisms on one sheet (sheet.h)
 */
#include "report/sheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/memory.h"
#include "report/html.h"
#include "report/page.h"

EMBED(sheet_css, "verify/report/sheet.css");

/* Five tiles a row, each of a picture, a name and two lines of text; lengths in pixels,
   those of texts in letters. */
enum { ROW = 5, WIDTH = 196, PICTURE = 147, HEIGHT = 196, GAP = 8, LINE = 34,
       LONGEST_NAME = 22 };

struct sheet {
    struct report report;
    struct exhibit *exhibit;    /* [report.cases] */
};

struct sheet *sheet_new(const struct case_desc *const *desc, int cases, int threads)
{
    struct sheet *sheet = memory_new(1, sizeof *sheet);
    sheet->report = (struct report){.desc = desc, .cases = cases, .threads = threads};
    sheet->exhibit = exhibits_new(&sheet->report);
    return sheet;
}

void sheet_free(struct sheet *sheet)
{
    exhibits_free(sheet->exhibit, sheet->report.cases);
    free(sheet);
}

static bool is_shown(const struct exhibit *exhibit)
{
    return exhibit->drawn && exhibit->animation.mechanism;
}

/* Prints a title in at most two lines, broken at a blank. */
static void print_title(FILE *stream, const char *title, int x, int y)
{
    int cut = (int)strlen(title);
    if (cut > LINE)
        for (cut = LINE; cut > 0 && title[cut] != ' ';)
            cut--;
    if (cut == 0)
        cut = LINE;
    char line[LINE + 1];
    snprintf(line, sizeof line, "%.*s", cut, title);
    html(stream, "<text class=\"title\" x=\"%d\" y=\"%d\">%s</text>\n", x, y, line);
    if (!title[cut])
        return;
    const char *rest = title + cut + (title[cut] == ' ');
    bool fits = strlen(rest) <= LINE;
    snprintf(line, sizeof line, "%.*s", fits ? LINE : LINE - 3, rest);
    html(stream, "<text class=\"title\" x=\"%d\" y=\"%d\">%s%s</text>\n", x, y + 13,
         line, fits ? "" : "...");
}

static void print_tile(FILE *stream, const struct exhibit *exhibit, int place)
{
    int x = GAP + place % ROW * (WIDTH + GAP), y = GAP + place / ROW * (HEIGHT + GAP);
    html(stream, "<rect class=\"tile\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
         "rx=\"6\"/>\n<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
         "viewBox=\"0 0 %d %d\">", x, y, WIDTH, HEIGHT, x, y, WIDTH, PICTURE,
         PICTURE_WIDTH, PICTURE_HEIGHT);
    animation_draw(stream, &exhibit->animation);
    const char *name = exhibit->desc->name;
    html(stream, "</svg>\n<text class=\"name\" x=\"%d\" y=\"%d\"", x + 10,
         y + PICTURE + 16);
    if (strlen(name) > LONGEST_NAME)
        html(stream, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", WIDTH - 20);
    html(stream, ">%s</text>\n", name);
    print_title(stream, exhibit->desc->title, x + 10, y + PICTURE + 30);
}

void sheet_draw(FILE *stream, const void *context)
{
    const struct sheet *sheet = context;
    int shown = 0, place = 0;
    for (int k = 0; k < sheet->report.cases; k++)
        shown += is_shown(&sheet->exhibit[k]);
    int width = GAP + ROW * (WIDTH + GAP);
    int height = GAP + (shown + ROW - 1) / ROW * (HEIGHT + GAP);
    fprintf(stream, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>%d mechanisms of the "
            "catalogue, each at its start and later</title>\n<style>\n%s</style>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fafaf7\"/>\n", width, height, width,
            height, shown, sheet_css, width, height);
    for (int k = 0; k < sheet->report.cases; k++)
        if (is_shown(&sheet->exhibit[k]))
            print_tile(stream, &sheet->exhibit[k], place++);
    fputs("</svg>\n", stream);
}
