/*
 * joint.h - multibody elements: joints between rigid bodies, and their reactions.
 *
 * A joint holds a frame of body a and one of body b together. Its rows are independent of
 * each other in general: three for points that coincide, two for axes that stay parallel,
 * and so on; Haug 1989, section 9.4.
 *
 *   joint         rows  condition
 *   spherical        3  the origins coincide
 *   universal        4  spherical, and z of a stays perpendicular to z of b
 *   revolute         5  spherical, and the z axes stay parallel
 *   cylindrical      4  the z axes stay on one line
 *   prismatic        5  cylindrical, without turning: x of b perpendicular to y of a
 *   driven angle     1  the angle about z from x of a to x of b is as given
 *   driven distance  1  the origin of b is at the given distance along z of a
 */
#ifndef SALTUS_JOINT_H
#define SALTUS_JOINT_H

#include "elements/body.h"

/* Axes of a body. */
enum axis { AXIS_X, AXIS_Y, AXIS_Z };

/* A place on a body with three orthogonal directions, components in space. */
struct frame {
    const struct body *body;        /* must outlive the frame */
    struct point at;                /* its origin */
    formula x[3], y[3], z[3];
};

/* A frame at the point s of the body (in its axes, from its centre), z along one of
   its axes, x and y along the two that follow. */
struct frame frame_on(const struct body *body, const formula s[3], enum axis z);
/* A frame at the point s with directions x, y, z in the axes of the body, orthogonal. */
struct frame frame_along(const struct body *body, const formula s[3], const formula x[3],
                         const formula y[3], const formula z[3]);

/* A joint that has been written into a mode. */
struct joint {
    struct frame a, b;
    int row, rows;                  /* first constraint, and number of them, in the
                                       mode under the pen */
};

/* Writes a spherical joint into the mode under the pen. All joints are so written. */
struct joint joint_spherical(struct model *model, const struct frame *a,
                             const struct frame *b);
/* Writes a universal joint. */
struct joint joint_universal(struct model *model, const struct frame *a,
                             const struct frame *b);
/* Writes a revolute joint about z. */
struct joint joint_revolute(struct model *model, const struct frame *a,
                            const struct frame *b);
/* Writes a cylindrical joint along z. */
struct joint joint_cylindrical(struct model *model, const struct frame *a,
                               const struct frame *b);
/* Writes a prismatic joint along z. */
struct joint joint_prismatic(struct model *model, const struct frame *a,
                             const struct frame *b);
/* Drives the angle of a revolute or cylindrical joint, by one further row. The angle
   is in rad and may depend on t and rho; the row holds half a turn away as well, and
   the guess at the start selects. The reaction is the torque that drives. */
struct joint joint_driven_angle(struct model *model, const struct frame *a,
                                const struct frame *b, formula angle);
/* Drives the distance of a cylindrical or prismatic joint, m, by one further row. The
   reaction is the force that drives. */
struct joint joint_driven_distance(struct model *model, const struct frame *a,
                                   const struct frame *b, formula distance);

/* The reaction of the joint on body b, at the origin of its frame: force (N) and
   torque (N m), components in space, formulas of q and of the multipliers. By virtual
   work: -d(lambda'Phi) along a translation and a rotation of b. The opposite acts on
   a, at that place, too. */
void joint_reaction(const struct model *model, const struct joint *joint,
                    formula force[3], formula torque[3]);

#endif
