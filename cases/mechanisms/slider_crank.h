/*
 * slider_crank.h - the spatial slider-crank (Haug 1989, section 12.2; IFToMM benchmark
 * library): a crank, a rod and a slider in space, for slider_crank_*.c.
 *
 *     ground --- crank ------- rod -------- slider --- ground
 *       revolute about x  spherical  universal   prismatic along x
 *
 * Body axes: z of the crank and x of the rod are along them, z of the rod is the arm of
 * the universal joint that stays perpendicular to the x axis of the slider.
 */
#ifndef SALTUS_SLIDER_CRANK_H
#define SALTUS_SLIDER_CRANK_H

#include "elements/joint.h"

/* Lengths, masses and principal moments of crank, rod and slider; the pivot of the
   crank; the field of gravity. All are formulas of parameters. */
struct slider_crank_data {
    formula L_crank, L_rod, m[3], J[3][3], pivot[3], g[3];
};

/* The bodies and joints, filled by slider_crank(). */
struct slider_crank {
    struct body ground, crank, rod, slider;
    struct joint pivot, ball, cross, guide;
};

/* Constructor of a body: body_euler or body_natural. */
typedef struct body body_maker(struct model *model, const char *name);

/* Declares the bodies, takes the mode "motion" under the pen, writes bodies and joints
   into it and guesses the start with the crank pointing up. `suffix`: suffixes of the
   coordinates of crank, rod and slider. */
void slider_crank(struct model *model, const struct slider_crank_data *data,
                  body_maker *make, const char *const suffix[3],
                  struct slider_crank *mechanism);

#endif
