/*
 * scene.h - the projection of the segments of a mechanism (model->segment) onto a flat
 * picture.
 *
 * A mechanism in the plane is seen as it is. One in space is seen from afar (orthographic
 * view) along a direction from a small set, with the z axis upright: the direction in
 * which the motion covers the largest area.
 */
#ifndef SALTUS_SCENE_H
#define SALTUS_SCENE_H

#include "program/program.h"
#include "run.h"

/* A picture of a motion; from and to of segment k are its ends 2k and 2k + 1. */
struct scene {
    const struct trajectory *trajectory;
    const struct model *model;
    struct program *program;    /* three outputs for each end */
    double *w;                  /* workspace of the program */
    int ends;
    bool space;                 /* some end has a z that is not the zero formula */
    double view[2][3];          /* directions in space that are right and up in the
                                   picture */
    double *place;              /* [ends][2] places in the picture, at the point set
                                   last */
    bool *path;                 /* [ends] the end moves, and is no earlier end: its
                                   formula depends on time or state, and is another than
                                   theirs */
};

/* Opens a picture of a model with segments; the trajectory has its start at least. */
void scene_init(struct scene *scene, const struct trajectory *trajectory);
void scene_clear(struct scene *scene);
/* Sets scene->place at the point. */
void scene_set(struct scene *scene, const struct run_point *point);

#endif
