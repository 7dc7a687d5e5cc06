/*
 * animation_draw.c - an animation as an SVG picture that does not move, as data for one
 * that does, and in words (animation.h)
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/animation.h"
#include "report/html.h"

enum {
    LATER = 4,                  /* configurations drawn after the first */
    JUMP = 12                   /* a larger jump at an event breaks a path */
};

/* The place of a point of a frame, or of one that stays. */
static const int *place_of(const struct animation *animation, int frame, int point)
{
    return point < animation->points ? animation->frame[frame].place + 2 * point
                                     : animation->still + 2 * (point - animation->points);
}

static bool is_still(const struct animation *animation, const struct line *line)
{
    return line->from >= animation->points && line->to >= animation->points;
}

/* --- data --------------------------------------------------------------------------- */

static cJSON *integers(const int *value, int count)
{
    cJSON *array = cJSON_CreateArray();
    for (int k = 0; k < count; k++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber(value[k]));
    return array;
}

static void add_frames(cJSON *object, const struct animation *animation)
{
    int size = 2 * animation->points;
    int *step = memory_new(size, sizeof *step);
    cJSON *times = cJSON_AddArrayToObject(object, "t");
    cJSON *places = cJSON_AddArrayToObject(object, "p");
    double begin = animation->frame[0].t;
    double length = animation->frame[animation->frames - 1].t - begin;
    for (int k = 0; k < animation->frames; k++) {
        double part = length > 0 ? (animation->frame[k].t - begin) / length : 0;
        for (int i = 0; i < size; i++)
            step[i] = animation->frame[k].place[i] -
                      (k > 0 ? animation->frame[k - 1].place[i] : 0);
        cJSON_AddItemToArray(times, cJSON_CreateNumber(round(part * 1e5)));
        cJSON_AddItemToArray(places, integers(step, size));
    }
    free(step);
}

cJSON *animation_json(const struct animation *animation)
{
    char text[32];
    cJSON *object = cJSON_CreateObject();
    snprintf(text, sizeof text, "%.9g", animation->frame[0].t);
    cJSON_AddRawToObject(object, "t0", text);
    snprintf(text, sizeof text, "%.9g", animation->frame[animation->frames - 1].t);
    cJSON_AddRawToObject(object, "t1", text);
    add_frames(object, animation);
    cJSON_AddItemToObject(object, "s", integers(animation->still,
                                                2 * animation->stills));
    cJSON *lines = cJSON_AddArrayToObject(object, "l");
    for (int k = 0; k < animation->lines; k++)
        if (!is_still(animation, &animation->line[k])) {
            cJSON_AddItemToArray(lines, cJSON_CreateNumber(animation->line[k].from));
            cJSON_AddItemToArray(lines, cJSON_CreateNumber(animation->line[k].to));
        }
    cJSON_AddItemToObject(object, "j", integers(animation->joint, animation->joints));
    cJSON *events = cJSON_AddArrayToObject(object, "e");
    for (int k = 0; k < animation->marks; k++) {
        const struct mark *mark = &animation->mark[k];
        cJSON *event = cJSON_CreateArray();
        snprintf(text, sizeof text, "%.6g", mark->t);
        cJSON_AddItemToArray(event, cJSON_CreateNumber(mark->frame));
        cJSON_AddItemToArray(event, cJSON_CreateString(mark->name));
        cJSON_AddItemToArray(event, cJSON_CreateRaw(text));
        cJSON_AddItemToArray(event, cJSON_CreateNumber(mark->kind % EVENT_COLOURS));
        cJSON_AddItemToArray(events, event);
    }
    return object;
}

/* --- the picture -------------------------------------------------------------------- */

/* Prints the d of the lines of a frame: those that stay or those that move, dots or lines
   with a length. */
static void print_lines(FILE *stream, const struct animation *animation, int frame,
                        bool still, bool dots)
{
    for (int k = 0; k < animation->lines; k++) {
        const struct line *line = &animation->line[k];
        if (is_still(animation, line) != still || (line->from == line->to) != dots)
            continue;
        const int *from = place_of(animation, frame, line->from);
        const int *to = place_of(animation, frame, line->to);
        fprintf(stream, "M%d %dL%d %d", from[0], from[1], to[0], to[1]);
    }
}

static void print_path(FILE *stream, const char *class, const struct animation *animation,
                       int frame, bool still, bool dots)
{
    fprintf(stream, "<path class=\"%s\" d=\"", class);
    print_lines(stream, animation, frame, still, dots);
    fputs("\"/>", stream);
}

/* Prints the path of a point, broken where an event moves the point. */
static void print_trace(FILE *stream, const struct animation *animation, int point)
{
    const int *last = NULL;
    bool first = true;
    fputs("<path class=\"trace\" d=\"", stream);
    for (int k = 0; k < animation->frames; k++) {
        const int *at = place_of(animation, k, point);
        int x = last ? at[0] - last[0] : 0, y = last ? at[1] - last[1] : 0;
        bool jump = last && animation->frame[k].t == animation->frame[k - 1].t &&
                    abs(x) + abs(y) > JUMP;
        if (!last || jump)
            fprintf(stream, "M%d %d", at[0], at[1]);
        else if (x != 0 || y != 0)
            fprintf(stream, "%s%d%s%d", first ? "l" : x < 0 ? "" : " ", x,
                    y < 0 ? "" : " ", y);
        first = !last || jump || (first && x == 0 && y == 0);
        last = at;
    }
    fputs("\"/>", stream);
}

/* Prints circles at the places of each event. */
static void print_marks(FILE *stream, const struct animation *animation)
{
    fputs("<g class=\"marks\">", stream);
    for (int k = 0; k < animation->marks; k++) {
        const struct mark *mark = &animation->mark[k];
        for (int i = 0; i < mark->points; i++) {
            const int *at = place_of(animation, mark->frame, mark->point[i]);
            fprintf(stream, "<circle class=\"e%d\" data-k=\"%d\" cx=\"%d\" cy=\"%d\" "
                    "r=\"55\"/>", mark->kind % EVENT_COLOURS, k, at[0], at[1]);
        }
    }
    fputs("</g>", stream);
}

static void print_joints(FILE *stream, const char *class,
                         const struct animation *animation)
{
    fprintf(stream, "<path class=\"%s\" d=\"", class);
    for (int k = 0; k < animation->joints; k++) {
        const int *at = place_of(animation, 0, animation->joint[k]);
        fprintf(stream, "M%d %dh0", at[0], at[1]);
    }
    fputs("\"/>", stream);
}

/* Prints a corner with the directions of x, y, z, for a mechanism in space. */
static void print_axes(FILE *stream, const struct animation *animation)
{
    const double size = 230, at[2] = {330, PICTURE_HEIGHT - 330};
    for (int k = 0; k < 3; k++) {
        double x = size * animation->view[0][k], y = -size * animation->view[1][k];
        double far = hypot(x, y) > 0 ? 90 / hypot(x, y) : 0;
        fprintf(stream, "<path class=\"axis\" d=\"M%.0f %.0fl%.0f %.0f\"/>"
                "<text class=\"axis\" x=\"%.0f\" y=\"%.0f\">%c</text>", at[0], at[1], x,
                y, at[0] + x * (1 + far), at[1] + y * (1 + far) + 40, "xyz"[k]);
    }
}

static void print_panels(FILE *stream, const struct animation *animation)
{
    for (int k = 0; k < animation->panels; k++) {
        const struct panel *panel = &animation->panel[k];
        fprintf(stream, "<path class=\"axis\" d=\"M260 %dH%dM260 %dH%d\"/>", panel->top,
                PICTURE_WIDTH - 260, panel->bottom, PICTURE_WIDTH - 260);
        html(stream, "<text class=\"label\" x=\"260\" y=\"%d\">%s ", panel->top - 90,
             panel->name);
        if (panel->least < panel->most)
            html(stream, "from %.4g to %.4g</text>", panel->least, panel->most);
        else
            html(stream, "stays %.4g</text>", panel->least);
    }
}

void animation_draw(FILE *stream, const struct animation *animation)
{
    int last = animation->frames - 1;
    print_panels(stream, animation);
    for (int k = 0; k < animation->traces; k++)
        print_trace(stream, animation, animation->trace[k]);
    if (animation->mechanism) {
        fputs("<g class=\"later\">", stream);
        for (int k = 1; k <= LATER; k++)
            print_path(stream, "ghost", animation, (int)((long)last * k / LATER), false,
                       false);
        fputs("</g>", stream);
    }
    print_path(stream, "still", animation, 0, true, false);
    print_path(stream, "fixed", animation, 0, true, true);
    print_marks(stream, animation);
    print_path(stream, animation->mechanism ? "body" : "cursor", animation, 0, false,
               false);
    print_joints(stream, "ring", animation);
    print_joints(stream, "joint", animation);
    print_path(stream, "dots", animation, 0, false, true);
    if (animation->space)
        print_axes(stream, animation);
}

void animation_alt(FILE *stream, const struct animation *animation)
{
    int lines = 0, dots = 0;
    for (int k = 0; k < animation->lines; k++) {
        dots += animation->line[k].from == animation->line[k].to;
        lines += animation->line[k].from != animation->line[k].to;
    }
    if (animation->mechanism) {
        html_counted(stream, lines, "line", "lines");
        fputs(" and ", stream);
        html_counted(stream, dots, "point", "points");
        fputs(" at the start, the paths of ", stream);
        html_counted(stream, animation->traces, "point", "points");
    } else {
        for (int k = 0; k < animation->panels; k++)
            html(stream, "%s%s", k == 0 ? "" : ", ", animation->panel[k].name);
        fputs(" over time", stream);
    }
    fputs("; ", stream);
    html_counted(stream, animation->marks, "event is marked", "events are marked");
}
