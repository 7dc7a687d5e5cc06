/*
 * planar.h - multibody elements: rigid bodies in the plane, in absolute (reference point)
 * coordinates, and their joints.
 *
 * A body has the coordinates (x, y) of its centre of mass and the angle th of its axes
 * from those of the plane, counterclockwise. Points, springs, dampers and distances are
 * those of point.h; elements with angles are here. The order is that of point.h: bodies
 * first, then a mode under the pen, then the elements of the mode.
 */
#ifndef SALTUS_PLANAR_H
#define SALTUS_PLANAR_H

#include "elements/point.h"

/* A frame that moves with a body: its origin, and its angle, rad. */
struct planar {
    struct point centre;
    formula angle;
};

/* A body that moves freely: declares the coordinates x<name>, y<name>, th<name>. */
struct planar planar_body(struct model *model, const char *name);
/* A frame given by formulas of (t,q,s,rho). The ground is (struct planar){0}. */
struct planar planar_frame(formula x, formula y, formula angle);
/* The point fixed to the frame at (along, across) its axes; m. */
struct point planar_point(const struct planar *frame, formula along, formula across);
/* The angle of b from a, rad; its rate is that of the joint between them. */
formula planar_angle(const struct planar *a, const struct planar *b);

/* Adds a body to the mode under the pen: m kg at the centre and J kg m^2 about it, in
   the gravity field g[3] (m/s^2, NULL: none): T = m/2 (x'^2 + y'^2) + J/2 th'^2,
   V = -m g.r. Draws the centre. */
void planar_inertia(struct model *model, formula m, formula J, const formula g[3],
                    const struct planar *body);

/* --- joints: each returns its first row --------------------------------------------- */

/* Pins two bodies together by two rows a - b = 0; the multipliers are the force on b. */
int planar_revolute(struct model *model, const struct point *a, const struct point *b);
/* Lets b slide along the line through a point of frame a, at the angle `direction` to
   the axes of a, and turn with a, `angle` ahead of it. Rows: the distance of the point
   of b from the line, m; the angle, rad. */
int planar_translational(struct model *model, const struct planar *a,
                         const struct point *on_a, formula direction,
                         const struct planar *b, const struct point *on_b, formula angle);
/* Makes the angle of b from a a given function of (t,rho), rad; the multiplier is the
   torque on a. A driven distance is distance_constraint (point.h) with a length that
   moves. */
int planar_driven(struct model *model, const struct planar *a, const struct planar *b,
                  formula angle);

/* --- torques between two frames ----------------------------------------------------- */

/* A torque on b, N m, and the opposite one on a. */
void planar_torque(struct model *model, formula torque, const struct planar *a,
                   const struct planar *b);
/* A torsion spring of k N m/rad, without torque at the relative angle `rest`: V = k/2
   (angle - rest)^2. */
void planar_spring(struct model *model, formula k, formula rest, const struct planar *a,
                   const struct planar *b);
/* A torsion damper of c N m s/rad on the relative angular velocity. */
void planar_damper(struct model *model, formula c, const struct planar *a,
                   const struct planar *b);

#endif
