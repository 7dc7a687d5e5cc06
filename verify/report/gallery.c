/*
 * gallery.c - the section of mechanisms: a card for each case (page.h)
 */
#include <string.h>

#include "report/html.h"
#include "report/page.h"

enum { FORMULA_TEXT = 2000 };

static const char *direction_text(enum direction direction)
{
    return direction == FALLING ? "falling" : direction == RISING ? "rising"
                                                                  : "either way";
}

static void print_event(FILE *stream, const struct model *model,
                        const struct event *event)
{
    char guard[FORMULA_TEXT];
    formula_print(event->guard, model->names, guard, sizeof guard);
    html(stream, "<li><strong>%s</strong>: <code>%s</code> = 0, %s", event->name, guard,
         direction_text(event->direction));
    if (event->from != event->to)
        html(stream, "; %s to %s", event->from->name, event->to->name);
    if (event->terminal)
        fputs("; ends the run", stream);
    fputs("</li>\n", stream);
}

static void print_details(FILE *stream, const struct exhibit *exhibit)
{
    const struct case_desc *desc = exhibit->desc;
    const struct model *model = exhibit->model;
    fputs("<details><summary>Source, classes, events</summary>\n", stream);
    html(stream, "<dl><dt>Source</dt><dd>%s</dd>\n", desc->source);
    if (desc->declared)
        html(stream, "<dt>Declared here</dt><dd>%s</dd>\n", desc->declared);
    html(stream, "<dt>Classes</dt><dd>%s</dd></dl>\n", desc->classes);
    if (model && model->events > 0) {
        fputs("<ul>", stream);
        for (int k = 0; k < model->events; k++)
            print_event(stream, model, model->event[k]);
        fputs("</ul>\n", stream);
    }
    html(stream, "<p><code>saltus show %s</code></p></details>\n", desc->name);
}

static void print_facts(FILE *stream, const struct model *model)
{
    fputs("<p class=\"facts\">", stream);
    html_counted(stream, model->n, "coordinate", "coordinates");
    fputs(", ", stream);
    html_counted(stream, model->m, "constraint", "constraints");
    fputs(", ", stream);
    html_counted(stream, model->p, "parameter", "parameters");
    fputs(", ", stream);
    if (model->events > 0)
        html_counted(stream, model->events, "event", "events");
    else
        fputs("no events", stream);
    fputs("</p>\n", stream);
}

/* Prints the ticks of events on the bar of time. */
static void print_ticks(FILE *stream, const struct animation *animation)
{
    const struct frame *frame = animation->frame;
    double begin = frame[0].t, length = frame[animation->frames - 1].t - begin;
    fputs("<span class=\"ticks\" aria-hidden=\"true\">", stream);
    for (int k = 0; length > 0 && k < animation->marks; k++)
        html(stream, "<i class=\"e%d\" style=\"left:%.2f%%\"></i>",
             animation->mark[k].kind % EVENT_COLOURS,
             100 * (animation->mark[k].t - begin) / length);
    fputs("</span>", stream);
}

/* Prints the figure; `place` makes its ids unlike those of the same figure elsewhere. */
static void print_picture(FILE *stream, const struct exhibit *exhibit, const char *place)
{
    const char *name = exhibit->desc->name;
    const struct animation *animation = &exhibit->animation;
    html(stream, "<figure class=\"motion%s\" data-case=\"%s\">\n"
         "<svg class=\"scene\" viewBox=\"0 0 %d %d\" role=\"img\" "
         "aria-labelledby=\"%s-%s\">"
         "<title id=\"%s-%s\">%s: ", animation->mechanism ? "" : " curves", name,
         PICTURE_WIDTH, PICTURE_HEIGHT, place, name, place, name, name);
    animation_alt(stream, animation);
    fputs("</title>\n", stream);
    animation_draw(stream, animation);
    html(stream, "</svg>\n<div class=\"controls\" hidden>"
         "<button type=\"button\" class=\"play\" aria-label=\"Play %s\"></button>"
         "<span class=\"bar\">", name);
    print_ticks(stream, animation);
    html(stream, "<input type=\"range\" min=\"0\" max=\"1000\" value=\"0\" "
         "aria-label=\"Time of %s\"></span></div>\n"
         "<p class=\"clock\" hidden></p></figure>\n", name);
}

void gallery_first(const struct page *page)
{
    const struct exhibit *first = NULL;
    for (int k = 0; page->exhibit && k < page->report->cases; k++) {
        const struct exhibit *exhibit = &page->exhibit[k];
        if (exhibit->drawn && exhibit->animation.mechanism &&
            (!first || strcmp(exhibit->desc->name, "five-bar") == 0))
            first = exhibit;
    }
    fputs("<div id=\"first\">", page->stream);
    if (first)
        print_picture(page->stream, first, "first");
    fputs("</div>\n", page->stream);
}

static void print_card(FILE *stream, const struct exhibit *exhibit)
{
    const struct case_desc *desc = exhibit->desc;
    html(stream, "<article class=\"card\" id=\"case-%s\" data-classes=\"%s\">\n",
         desc->name, desc->classes);
    if (exhibit->drawn)
        print_picture(stream, exhibit, "alt");
    html(stream, "<h3>%s</h3>\n<p class=\"title\">%s</p>\n", desc->name, desc->title);
    if (exhibit->model)
        print_facts(stream, exhibit->model);
    if (*exhibit->why)
        html(stream, "<p class=\"ends\">%s %s</p>\n", exhibit->drawn ? "Ends early:"
             : "Not shown:", exhibit->why);
    print_details(stream, exhibit);
    fputs("</article>\n", stream);
}

void section_gallery(const struct page *page)
{
    FILE *stream = page->stream;
    page_section(page, "mechanisms", "Mechanisms");
    if (!page_has(page, PART_CATALOGUE))
        return;
    html(stream, "<p>Each case states a mechanism once, as formulas; all motions below "
         "are run by the solver at nominal values, %d of %d can be shown. Rings mark "
         "where a point is when an event happens, dotted lines are paths. Cases without "
         "a drawing show their coordinates over time.</p>\n", page->totals.drawn,
         page->totals.mechanisms);
    fputs("<div class=\"filters\" hidden><label>Find "
          "<input type=\"search\" id=\"find\" placeholder=\"five-bar, impact, "
          "friction\"></label>"
          "<button type=\"button\" id=\"play-all\" aria-pressed=\"false\">Play what is "
          "in view</button><span id=\"found\" role=\"status\"></span></div>\n"
          "<div class=\"gallery\">\n", stream);
    for (int k = 0; k < page->report->cases; k++)
        print_card(stream, &page->exhibit[k]);
    fputs("</div>\n</section>\n", stream);
}
