/*
 * scene.h - where the segments of a mechanism (model->segment) are on a flat picture.
 *
 * A mechanism in the plane is seen as it is. One in space is seen from afar (orthographic
 * view) along a direction from a small set, with the z axis upright: the one in which the
 * motion covers the largest area.
 */
#ifndef SALTUS_SCENE_H
#define SALTUS_SCENE_H

#include "program/program.h"
#include "run.h"

/* Ends of segments: from and to of segment k are the ends 2k and 2k + 1. */
struct scene {
    const struct trajectory *trajectory;
    const struct model *model;
    struct program *program;    /* three outputs for each end */
    double *w;                  /* its work */
    int ends;
    bool space;                 /* a z is not the zero formula */
    double view[2][3];          /* right and up, as directions in space */
    double *place;              /* [ends][2] on the picture, at the point set last */
    bool *path;                 /* [ends] a point of its own that moves: its formula
                                   depends on time or state, and is not that of an end
                                   before */
};

/* A model with segments; the trajectory has seen at least its start. */
void scene_init(struct scene *scene, const struct trajectory *trajectory);
void scene_clear(struct scene *scene);
/* Fills scene->place. */
void scene_set(struct scene *scene, const struct run_point *point);

#endif
