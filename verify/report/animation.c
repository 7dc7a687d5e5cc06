/*
 * animation.c - frames of a motion (animation.h)
 */
#include "report/animation.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "drawings/scene.h"
#include "report/contact.h"

enum { MARGIN = 260 };          /* room around a mechanism */
/* A path is drawn, and may bear marks of events, if it is at least this part of the
   largest one. */
static const double traced = 0.06, marked = 0.25;

/* Places before they are scaled. */
struct raw {
    const struct trajectory *trajectory;
    struct scene scene;         /* of a mechanism */
    int ends;                   /* places of a frame */
    int *same;                  /* [ends] the first end at this place all along */
    double *place;              /* [frames][ends][2] */
    bool *moves;                /* [ends] */
};

/* --- frames ------------------------------------------------------------------------- */

static const struct event_record *event_at(const struct trajectory *trajectory, int k)
{
    return k < trajectory->events ? &trajectory->event[k] : NULL;
}

/* Calls `take` for the points of the motion in order of time: samples, and both sides of
   every event. Returns their number. */
static int for_points(struct animation *animation, struct raw *raw,
                      void (*take)(struct animation *, struct raw *,
                                   const struct run_point *, int))
{
    const struct trajectory *trajectory = raw->trajectory;
    int frames = 0, next = 0;
    for (int k = 0; k <= trajectory->samples; k++) {
        const struct run_point *sample =
            k < trajectory->samples ? &trajectory->sample[k] : NULL;
        for (const struct event_record *event; (event = event_at(trajectory, next)) &&
             (!sample || event->before.t <= sample->t); next++) {
            if (animation->mark)
                animation->mark[next] = (struct mark){
                    .name = event->event->name, .kind = event->event->index,
                    .t = event->before.t, .frame = frames};
            if (take) {
                take(animation, raw, &event->before, frames);
                take(animation, raw, &event->after, frames + 1);
            }
            frames += 2;
        }
        if (sample && take)
            take(animation, raw, sample, frames);
        frames += sample != NULL;
    }
    return frames;
}

static void take_ends(struct animation *animation, struct raw *raw,
                      const struct run_point *point, int frame)
{
    scene_set(&raw->scene, point);
    animation->frame[frame].t = point->t;
    memory_copy(raw->place + 2l * raw->ends * frame, raw->scene.place, 2 * raw->ends,
                sizeof(double));
}

static void take_values(struct animation *animation, struct raw *raw,
                        const struct run_point *point, int frame)
{
    const int *begin = raw->trajectory->columns.begin;
    int group = raw->trajectory->columns.model->n > 0 ? GROUP_Q : GROUP_S;
    animation->frame[frame].t = point->t;
    for (int k = 0; k < animation->panels; k++)
        raw->place[2l * (raw->ends * frame + k) + 1] = point->x[begin[group] + k];
}

/* Sets up frames, marks and the room for places that are not scaled yet. */
static void take_frames(struct animation *animation, struct raw *raw,
                        void (*take)(struct animation *, struct raw *,
                                     const struct run_point *, int))
{
    animation->frames = for_points(animation, raw, NULL);
    animation->marks = raw->trajectory->events;
    animation->frame = memory_new(animation->frames, sizeof *animation->frame);
    animation->mark = memory_new(animation->marks, sizeof *animation->mark);
    raw->place = memory_new(2 * raw->ends * animation->frames, sizeof *raw->place);
    for_points(animation, raw, take);
}

static const double *raw_place(const struct raw *raw, int frame, int end)
{
    return raw->place + 2l * (raw->ends * frame + end);
}

/* --- a mechanism -------------------------------------------------------------------- */

struct box {
    double least[2], most[2];
};

static void box_take(struct box *box, const double *place)
{
    for (int i = 0; i < 2; i++) {
        box->least[i] = fmin(box->least[i], place[i]);
        box->most[i] = fmax(box->most[i], place[i]);
    }
}

static const struct box box_empty = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

static struct box box_of_end(const struct animation *animation, const struct raw *raw,
                             int end)
{
    struct box box = box_empty;
    for (int k = 0; k < animation->frames; k++)
        box_take(&box, raw_place(raw, k, end));
    return box;
}

static double box_size(const struct box *box)
{
    return hypot(box->most[0] - box->least[0], box->most[1] - box->least[1]);
}

/* A similarity onto the picture. */
struct fit {
    double scale, middle[2];
};

static struct fit fit_all(const struct animation *animation, const struct raw *raw)
{
    struct box all = box_empty;
    for (int end = 0; end < raw->ends; end++) {
        struct box box = box_of_end(animation, raw, end);
        box_take(&all, box.least);
        box_take(&all, box.most);
    }
    double scale = fmin((PICTURE_WIDTH - 2 * MARGIN) / (all.most[0] - all.least[0]),
                        (PICTURE_HEIGHT - 2 * MARGIN) / (all.most[1] - all.least[1]));
    return (struct fit){isfinite(scale) ? scale : 1,
                        {(all.least[0] + all.most[0]) / 2,
                         (all.least[1] + all.most[1]) / 2}};
}

static void fit_place(const struct fit *fit, const double *place, int *at)
{
    at[0] = (int)lrint(PICTURE_WIDTH / 2 + fit->scale * (place[0] - fit->middle[0]));
    at[1] = (int)lrint(PICTURE_HEIGHT / 2 - fit->scale * (place[1] - fit->middle[1]));
}

/* Do two ends stay within half a unit of the picture of each other? */
static bool same_end(const struct animation *animation, const struct raw *raw,
                     const struct fit *fit, int one, int other)
{
    for (int k = 0; k < animation->frames; k++) {
        const double *a = raw_place(raw, k, one), *b = raw_place(raw, k, other);
        if (fit->scale * hypot(a[0] - b[0], a[1] - b[1]) > 0.5)
            return false;
    }
    return true;
}

static void find_same(struct animation *animation, struct raw *raw, const struct fit *fit)
{
    raw->same = memory_new(raw->ends, sizeof *raw->same);
    for (int end = 0; end < raw->ends; end++) {
        int first = 0;
        while (first < end && !(raw->same[first] == first &&
                                same_end(animation, raw, fit, first, end)))
            first++;
        raw->same[end] = first;
    }
}

/* Numbers the ends that differ: index[ends], moving ones first. */
static void number_ends(struct animation *animation, struct raw *raw,
                        const struct fit *fit, int *index)
{
    raw->moves = memory_new(raw->ends, sizeof *raw->moves);
    for (int end = 0; end < raw->ends; end++) {
        struct box box = box_of_end(animation, raw, end);
        raw->moves[end] = fit->scale * box_size(&box) > 1;
        if (raw->same[end] == end && raw->moves[end])
            index[end] = animation->points++;
    }
    for (int end = 0; end < raw->ends; end++)
        if (raw->same[end] == end && !raw->moves[end])
            index[end] = animation->points + animation->stills++;
        else
            index[end] = index[raw->same[end]];
}

static void place_ends(struct animation *animation, const struct raw *raw,
                       const struct fit *fit, const int *index)
{
    for (int end = 0; end < raw->ends; end++) {
        if (raw->same[end] != end)
            continue;
        int still = index[end] - animation->points;
        if (still >= 0)
            fit_place(fit, raw_place(raw, 0, end), animation->still + 2 * still);
        for (int k = 0; still < 0 && k < animation->frames; k++)
            fit_place(fit, raw_place(raw, k, end),
                      animation->frame[k].place + 2 * index[end]);
    }
}

static void give_places(struct animation *animation)
{
    int size = 2 * animation->points;
    animation->memory = memory_new(size * animation->frames, sizeof *animation->memory);
    animation->still = memory_new(2 * animation->stills, sizeof *animation->still);
    for (int k = 0; k < animation->frames; k++)
        animation->frame[k].place = animation->memory + (long)size * k;
}

static void join_ends(struct animation *animation, const struct raw *raw,
                      const int *index)
{
    animation->lines = raw->ends / 2;
    animation->line = memory_new(animation->lines, sizeof *animation->line);
    for (int k = 0; k < animation->lines; k++)
        animation->line[k] = (struct line){index[2 * k], index[2 * k + 1]};
}

/* --- paths -------------------------------------------------------------------------- */

/* The diagonal of the box of a point's path. */
static double path_size(const struct animation *animation, int point)
{
    struct box box = box_empty;
    for (int k = 0; k < animation->frames; k++) {
        const int *at = animation->frame[k].place + 2 * point;
        box_take(&box, (double[2]){at[0], at[1]});
    }
    return box_size(&box);
}

/* Chooses the points with the largest paths; returns on how many of them events may be
   marked. */
static int choose_traces(struct animation *animation)
{
    int most = 0;
    double size[MOST_TRACES + 1];
    int count = 0;
    for (int point = 0; point < animation->points; point++) {
        double own = path_size(animation, point);
        int at = count;
        for (; at > 0 && size[at - 1] < own; at--)
            if (at < MOST_TRACES) {
                size[at] = size[at - 1];
                animation->trace[at] = animation->trace[at - 1];
            }
        if (at == MOST_TRACES)
            continue;
        size[at] = own;
        animation->trace[at] = point;
        count += count < MOST_TRACES;
    }
    for (int k = 0; k < count; k++) {
        animation->traces += size[k] >= traced * size[0];
        most += size[k] >= marked * size[0];
    }
    return most;
}

/* Finds the points where two lines meet, or a line ends that moves. */
static void find_joints(struct animation *animation)
{
    for (int point = 0; point < animation->points + animation->stills; point++) {
        int meeting = 0;
        bool moving = false;
        for (int k = 0; k < animation->lines; k++) {
            const struct line *line = &animation->line[k];
            if (line->from == line->to || (line->from != point && line->to != point))
                continue;
            meeting++;
            moving = moving || line->from < animation->points ||
                     line->to < animation->points;
        }
        if (moving && (meeting > 1 || point >= animation->points) &&
            animation->joints < MOST_JOINTS)
            animation->joint[animation->joints++] = point;
    }
}

/* --- where events are marked -------------------------------------------------------- */

/* Marks events at ends of segments; index [ends] are their points. */
static void mark_ends(struct animation *animation, const struct raw *raw,
                      const int *index, int most)
{
    const struct model *model = raw->scene.model;
    bool *set = memory_new(raw->ends * model->n, sizeof *set);
    for (int end = 0; end < raw->ends; end++) {
        const struct segment *segment = &model->segment[end / 2];
        contact_coordinates(model, end % 2 ? segment->to : segment->from, 3,
                            set + (long)end * model->n);
    }
    contact_mark(animation, model, raw->ends, set, index, most);
    free(set);
}

/* Marks events on the curves of their coordinates. */
static void mark_curves(struct animation *animation, const struct model *model)
{
    int point[MOST_CURVES];
    bool *set = memory_new(MOST_CURVES * model->n, sizeof *set);
    for (int k = 0; k < animation->panels; k++) {
        point[k] = k;
        if (k < model->n)
            set[k * model->n + k] = true;
    }
    contact_mark(animation, model, animation->panels, set, point, animation->traces);
    free(set);
}

/* --- both kinds --------------------------------------------------------------------- */

static void make_mechanism(struct animation *animation, struct raw *raw)
{
    scene_init(&raw->scene, raw->trajectory);
    raw->ends = raw->scene.ends;
    animation->mechanism = true;
    animation->space = raw->scene.space;
    for (int i = 0; i < 2; i++)
        memory_copy(animation->view[i], raw->scene.view[i], 3, sizeof(double));
    take_frames(animation, raw, take_ends);
    struct fit fit = fit_all(animation, raw);
    find_same(animation, raw, &fit);
    int *index = memory_new(raw->ends, sizeof *index);
    number_ends(animation, raw, &fit, index);
    give_places(animation);
    place_ends(animation, raw, &fit, index);
    join_ends(animation, raw, index);
    mark_ends(animation, raw, index, choose_traces(animation));
    find_joints(animation);
    scene_clear(&raw->scene);
    free(index);
}

/* --- curves ------------------------------------------------------------------------- */

static void set_panel(struct animation *animation, const struct raw *raw, int k)
{
    const struct model *model = raw->trajectory->columns.model;
    struct panel *panel = &animation->panel[k];
    int height = PICTURE_HEIGHT / animation->panels;
    *panel = (struct panel){
        .name = model->n > 0 ? model->coordinate[k] : model->auxiliary[k],
        .least = INFINITY, .most = -INFINITY,
        .top = height * k + 330, .bottom = height * (k + 1) - 130};
    for (int i = 0; i < animation->frames; i++) {
        double value = raw_place(raw, i, k)[1];
        panel->least = fmin(panel->least, value);
        panel->most = fmax(panel->most, value);
    }
    double range = panel->most - panel->least;
    panel->least = fabs(panel->least) < 1e-9 * range ? 0 : panel->least;
    panel->most = fabs(panel->most) < 1e-9 * range ? 0 : panel->most;
}

/* Places the points of a frame: one on each curve, and both ends of the line through
   them. */
static void place_values(struct animation *animation, const struct raw *raw, int i)
{
    const struct frame *frame = &animation->frame[i], *first = animation->frame;
    double begin = first->t, length = first[animation->frames - 1].t - begin;
    double part = length > 0 ? (frame->t - begin) / length : 0;
    int x = (int)lrint(MARGIN + (PICTURE_WIDTH - 2 * MARGIN) * part);
    for (int k = 0; k < animation->panels; k++) {
        const struct panel *panel = &animation->panel[k];
        double range = panel->most - panel->least;
        double up = range > 0 ? (raw_place(raw, i, k)[1] - panel->least) / range : 0.5;
        frame->place[2 * k] = x;
        frame->place[2 * k + 1] =
            (int)lrint(panel->bottom - (panel->bottom - panel->top) * up);
    }
    int *cursor = frame->place + 2 * animation->panels;
    cursor[0] = cursor[2] = x;
    cursor[1] = animation->panel[0].top - 60;
    cursor[3] = PICTURE_HEIGHT - 60;
}

static void make_curves(struct animation *animation, struct raw *raw)
{
    const struct model *model = raw->trajectory->columns.model;
    int count = model->n > 0 ? model->n : model->ns;
    animation->panels = count < MOST_CURVES ? count : MOST_CURVES;
    animation->points = animation->panels + 2;
    raw->ends = animation->panels;
    take_frames(animation, raw, take_values);
    give_places(animation);
    for (int k = 0; k < animation->panels; k++)
        set_panel(animation, raw, k);
    for (int i = 0; i < animation->frames; i++)
        place_values(animation, raw, i);
    animation->lines = animation->panels + 1;
    animation->line = memory_new(animation->lines, sizeof *animation->line);
    for (int k = 0; k < animation->panels; k++) {
        animation->line[k] = (struct line){k, k};
        animation->trace[animation->traces++] = k;
    }
    animation->line[animation->panels] =
        (struct line){animation->panels, animation->panels + 1};
    mark_curves(animation, model);
}

/* --- an animation ------------------------------------------------------------------- */

void animation_init(struct animation *animation, const struct trajectory *trajectory)
{
    struct raw raw = {.trajectory = trajectory};
    *animation = (struct animation){0};
    if (trajectory->columns.model->segments > 0)
        make_mechanism(animation, &raw);
    else
        make_curves(animation, &raw);
    free(raw.same);
    free(raw.place);
    free(raw.moves);
}

void animation_clear(struct animation *animation)
{
    free(animation->still);
    free(animation->frame);
    free(animation->line);
    free(animation->mark);
    free(animation->memory);
}
