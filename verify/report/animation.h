/*
 * animation.h - a motion as frames of a flat picture: points that move, points that stay,
 * lines between them, and where events happen.
 *
 * Places are whole numbers in a box of PICTURE_WIDTH x PICTURE_HEIGHT, y downwards. A
 * mechanism is drawn by its segments (drawings/scene.h); a case without segments by its
 * coordinates as curves over time, along which points move. Both sides of every event
 * are frames of one time.
 */
#ifndef SALTUS_ANIMATION_H
#define SALTUS_ANIMATION_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "run.h"

enum {
    PICTURE_WIDTH = 4000, PICTURE_HEIGHT = 3000,
    MOTION_FRAMES = 180,        /* frames behind the start, even in time, without those
                                   of events */
    MOST_TRACES = 6,            /* paths drawn: more would be a thicket */
    MOST_JOINTS = 64,
    MOST_MARKED = 3,            /* points at which an event is marked, */
    MANY_MARKS = 8,             /* and one only where there are so many events */
    MOST_CURVES = 3,            /* panels of a case without segments */
    EVENT_COLOURS = 6           /* which the events of a model take in turn */
};

struct frame {
    double t;
    int *place;                 /* [points][2] */
};

/* A point, or a line between two points; an index of `points` or more is one that
   stays. */
struct line {
    int from, to;
};

/* An event that has happened. */
struct mark {
    const char *name;           /* of the model's event */
    int kind;                   /* index of the model's event */
    double t;
    int frame;                  /* frame just before it; the one after it follows */
    int points, point[MOST_MARKED];     /* where it is marked: points that it is about
                                           (contact.h), or else those with the largest
                                           paths */
};

/* A panel of a case without segments: its curve is the path of the point of its index. */
struct panel {
    const char *name;           /* of the coordinate or state */
    double least, most;
    int top, bottom;            /* places of these two values: bottom, top */
};

struct animation {
    bool mechanism;             /* drawn by segments */
    bool space;                 /* seen from afar along an oblique direction */
    double view[2][3];          /* as of a scene, where `space` */
    int points, stills, frames, lines, marks, traces, panels, joints;
    int *still;                 /* [stills][2] */
    struct frame *frame;        /* [frames] in order of time */
    struct line *line;          /* [lines]; from == to: a point that is drawn */
    struct mark *mark;          /* [marks] in order of time */
    int trace[MOST_TRACES];     /* points whose paths are drawn, the longest first */
    int joint[MOST_JOINTS];     /* points where lines meet, or a line that moves ends on
                                   one that stays */
    struct panel panel[MOST_CURVES];
    int *memory;                /* owns all places of frames */
};

/* Makes the frames of a motion that has its start at least; the model, which names and
   events belong to, must outlive the animation. */
void animation_init(struct animation *animation, const struct trajectory *trajectory);
void animation_clear(struct animation *animation);

/* The data of the frames for page.js: t in parts of the whole, places as differences to
   the frame before. */
cJSON *animation_json(const struct animation *animation);
/* Prints the picture as SVG elements: paths, marks of events, the start and a few later
   configurations. */
void animation_draw(FILE *stream, const struct animation *animation);
/* Describes the picture for those who do not see it. */
void animation_alt(FILE *stream, const struct animation *animation);

#endif
